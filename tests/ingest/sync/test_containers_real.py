"""Real mails and archives, from the file to what a question finds and back."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage

from rag.library import Library
from rag.settings import Settings
from tests.ingest.sync.checks import found, in_step
from tests.ingest.sync.conftest import Folder, Ingest

PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)


def archive(**files: str | bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as target:
        for name, content in files.items():
            target.writestr(name.replace("__", "/").replace("_", "."), content)
    return made.getvalue()


def mail(text: str, **attachments: bytes) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ann@example.org", "bob@example.org", "Offer"
    message["Message-ID"] = "<offer@example.org>"
    message.set_content(text)
    for name, content in attachments.items():
        message.add_attachment(
            content, maintype="application", subtype="octet-stream", filename=name.replace("_", ".")
        )
    return message.as_bytes()


def test_a_mail_with_an_archive_in_it(
    ingest: Ingest, folder: Folder, library: Library, settings: Settings
) -> None:
    bundle = archive(a__terms_txt="Travel is booked by Ann.", logo_png=PNG)
    path = folder.write(
        "mails/offer.eml", mail("The allowance is attached.", bundle_zip=bundle, logo_png=PNG)
    )
    folder.write("bundle.zip", bundle)
    report = ingest()
    assert sorted(report.added) == [
        "bundle.zip",
        "bundle.zip/a/terms.txt",
        "mails/offer.eml",
        "mails/offer.eml/bundle.zip",
        "mails/offer.eml/bundle.zip/a/terms.txt",
    ]
    assert {name for name, _ in report.skipped} == {
        "bundle.zip/logo.png",
        "mails/offer.eml/bundle.zip/logo.png",
        "mails/offer.eml/logo.png",
    }
    assert report.documents == 2  # the mail, and the terms, which lie at two places
    places = {"bundle.zip/a/terms.txt", "mails/offer.eml/bundle.zip/a/terms.txt"}
    assert found(library, "travel") == places
    assert found(library, "allowance") == {"mails/offer.eml"}
    again = ingest()
    assert (again.unchanged, len(again.skipped), again.changed) == (5, 3, False)
    path.unlink()
    ingest()
    assert found(library, "travel") == {"bundle.zip/a/terms.txt"}
    assert found(library, "allowance") == set()
    assert in_step(settings)
