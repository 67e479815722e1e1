"""EUC-TW, in which Unix systems of Taiwan wrote: Python has no codec for it, the C library of Linux has.

`available` registers the codec "euc_tw" with Python; where the C library does not know it, it is missing.
"""

from __future__ import annotations

import codecs
import ctypes
import errno
from functools import cache
from typing import Any

NAME = "euc_tw"
_FAILED = ctypes.c_size_t(-1).value


@cache
def available() -> bool:
    """Whether texts can be decoded from "euc_tw" from now on."""
    if _converter("UTF-8", "EUC-TW") is None:
        return False
    codecs.register(lambda name: codecs.CodecInfo(_encode, _decode, name=NAME) if name == NAME else None)
    return True


def _decode(data: Any, errors: str = "strict") -> tuple[str, int]:
    data = bytes(data)
    text, place = [], 0
    while True:
        converted, reached = _convert(data[place:], "UTF-8", "EUC-TW")
        text.append(converted.decode("utf-8"))
        place += reached
        if place >= len(data):
            return "".join(text), len(data)
        if errors == "strict":
            raise UnicodeDecodeError(NAME, data, place, place + 1, "no character of EUC-TW")
        text.append("\ufffd" if errors == "replace" else "")
        place += 1


def _encode(text: str, errors: str = "strict") -> tuple[bytes, int]:
    converted, reached = _convert(text.encode(), "EUC-TW", "UTF-8")
    if reached < len(text.encode()):
        at = len(text.encode()[:reached].decode())
        raise UnicodeEncodeError(NAME, text, at, at + 1, "no character of EUC-TW")
    return converted, len(text)


def _convert(data: bytes, target: str, source: str) -> tuple[bytes, int]:
    """What can be converted of the beginning, and how many bytes that is."""
    opened = _converter(target, source)
    assert opened is not None
    library, descriptor = opened
    try:
        into = ctypes.create_string_buffer(2 * len(data) + 16)
        given = ctypes.create_string_buffer(data, len(data) + 1)
        begin, out = ctypes.c_void_p(ctypes.addressof(given)), ctypes.c_void_p(ctypes.addressof(into))
        left, room = ctypes.c_size_t(len(data)), ctypes.c_size_t(len(into))
        result = library.iconv(
            descriptor, ctypes.byref(begin), ctypes.byref(left), ctypes.byref(out), ctypes.byref(room)
        )
        if result == _FAILED and ctypes.get_errno() not in (errno.EILSEQ, errno.EINVAL):
            raise OSError(ctypes.get_errno(), "iconv failed")
        return into.raw[: len(into) - room.value], len(data) - left.value
    finally:
        library.iconv_close(descriptor)


def _converter(target: str, source: str) -> tuple[Any, ctypes.c_void_p] | None:
    library = ctypes.CDLL(None, use_errno=True)
    try:
        library.iconv_open.restype = ctypes.c_void_p
        library.iconv.restype = ctypes.c_size_t
    except AttributeError:
        return None
    library.iconv.argtypes = [ctypes.c_void_p] * 5
    library.iconv_close.argtypes = [ctypes.c_void_p]
    descriptor = library.iconv_open(target.encode(), source.encode())
    if descriptor is None or descriptor == _FAILED:
        return None
    return library, ctypes.c_void_p(descriptor)
