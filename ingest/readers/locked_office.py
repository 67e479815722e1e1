"""Office documents that are encrypted as a whole, opened with the passwords given."""

from __future__ import annotations

import io

from ingest.readers.base import Source

_OF_EVERYBODY = "VelvetSweatshop"
"""With this Excel encrypts workbooks that are only protected against changes; it opens them unasked."""


def decrypted(source: Source) -> bytes | None:
    """The document; None if none of the passwords opens it."""
    import msoffcrypto

    for password in (_OF_EVERYBODY, *source.passwords):
        try:
            locked = msoffcrypto.OfficeFile(io.BytesIO(source.data))
            locked.load_key(password=password, verify_password=True)
            out = io.BytesIO()
            locked.decrypt(out)
        except Exception:  # noqa: BLE001 - a wrong password shows itself in many ways
            continue
        return out.getvalue()
    return None
