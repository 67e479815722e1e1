"""The RTF body of an Outlook message, unpacked (MS-OXRTFCP), and the HTML it may stand for (MS-OXRTFEX)."""

from __future__ import annotations

import re
import struct

_DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_PACKED, _PLAIN = b"LZFu", b"MELA"
_WINDOW = 4096
_LARGEST = 64 << 20


def unpacked(data: bytes) -> bytes:
    """The RTF; as far as it goes where it is damaged."""
    if len(data) < 16:
        return b""
    _, size, kind, _ = struct.unpack_from("<II4sI", data)
    if kind == _PLAIN:
        return data[16 : 16 + size]
    if kind != _PACKED:
        return data
    window = bytearray(_DICTIONARY.ljust(_WINDOW, b"\0"))
    write = len(_DICTIONARY)
    out = bytearray()
    place = 16
    while place < len(data) and len(out) < min(size, _LARGEST):
        flags = data[place]
        place += 1
        for bit in range(8):
            if flags >> bit & 1:
                if place + 1 >= len(data):
                    return bytes(out)
                reference = data[place] << 8 | data[place + 1]
                place += 2
                offset, length = reference >> 4, (reference & 15) + 2
                if offset == write:
                    return bytes(out)
                for step in range(length):
                    byte = window[(offset + step) % _WINDOW]
                    out.append(byte)
                    window[write] = byte
                    write = (write + 1) % _WINDOW
            elif place < len(data):
                out.append(data[place])
                window[write] = data[place]
                write = (write + 1) % _WINDOW
                place += 1
    return bytes(out)


def html_inside(rtf: bytes) -> str:
    """The HTML from which this RTF was made; "" if it was not made from HTML."""
    if b"\\fromhtml" not in rtf[:2000]:
        return ""
    from ingest.readers.rtf_tokens import Word, tokens

    page = re.search(rb"\\ansicpg(\d+)", rtf[:2000])
    encoding = (
        {936: "gb18030", 65001: "utf-8"}.get(int(page.group(1)), f"cp{int(page.group(1))}")
        if page
        else "cp1252"
    )
    out: list[str] = []
    pending = bytearray()
    # For each open group: is it markup of HTML, is it left out?
    stack: list[tuple[bool, bool]] = [(False, False)]
    in_rtf = False
    opening = optional = False
    skip = 0

    def flush() -> None:
        if pending:
            out.append(bytes(pending).decode(encoding, "replace"))
            pending.clear()

    for token in tokens(rtf):
        if token == "{":
            stack.append(stack[-1])
            opening, optional = True, False
            continue
        if token == "}":
            if len(stack) > 1:
                stack.pop()
        elif token == "*":
            optional = True
            continue
        elif isinstance(token, Word):
            name = token.name
            if opening and name == "htmltag":
                stack[-1] = (True, False)
            elif opening and (optional or name in ("fonttbl", "colortbl", "stylesheet", "info", "pntext")):
                stack[-1] = (False, True)
            elif name == "htmlrtf":
                in_rtf = token.value != 0
            elif not stack[-1][1] and not in_rtf:
                if name == "u" and token.value is not None:
                    flush()
                    out.append(chr(token.value & 0xFFFF))
                    skip = 1
                elif name in ("par", "line", "tab"):
                    flush()
                    out.append("\t" if name == "tab" else "\n")
        elif not stack[-1][1] and not in_rtf:
            data = (
                token if isinstance(token, bytes) else {"~": b"&nbsp;", "_": b"-"}.get(token, token.encode())
            )
            if skip and isinstance(token, bytes):
                data, skip = data[1:], 0
            pending += data if data not in (b"\r", b"\n") else b""
        opening = optional = False
    flush()
    return "".join(out).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
