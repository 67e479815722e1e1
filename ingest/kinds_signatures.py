"""Kinds of file that are recognised by their first bytes and not read: what to call them in the report."""

from __future__ import annotations

_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "an image (PNG)"),
    (0, b"\xff\xd8\xff", "an image (JPEG)"),
    (0, b"GIF87a", "an image (GIF)"),
    (0, b"GIF89a", "an image (GIF)"),
    (0, b"II*\x00", "an image (TIFF)"),
    (0, b"MM\x00*", "an image (TIFF)"),
    (8, b"WEBP", "an image (WebP)"),
    (0, b"8BPS", "an image (Photoshop)"),
    (0, b"\xd7\xcd\xc6\x9a", "a drawing (WMF)"),
    (40, b" EMF", "a drawing (EMF)"),
    (0, b"AT&TFORM", "a scanned document (DjVu)"),
    (0, b"\x00\x00\x01\x00", "an icon"),
    (4, b"ftyp", "a video or photo (MP4, HEIC)"),
    (0, b"\x1aE\xdf\xa3", "a video (Matroska)"),
    (0, b"FLV\x01", "a video (Flash)"),
    (0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "a video or sound (Windows Media)"),
    (8, b"AVI ", "a video (AVI)"),
    (8, b"WAVE", "a sound (WAV)"),
    (0, b"ID3", "a sound (MP3)"),
    (0, b"fLaC", "a sound (FLAC)"),
    (0, b"OggS", "a sound or video (Ogg)"),
    (0, b"MThd", "a sound (MIDI)"),
    (0, b"FORM", "a sound (AIFF)"),
    (0, b"\x1f\x8b", "a compressed file (gzip)"),
    (0, b"\x1f\x9d", "a compressed file (compress)"),
    (0, b"BZh", "a compressed file (bzip2)"),
    (0, b"\xfd7zXZ\x00", "a compressed file (xz)"),
    (0, b"LZIP", "a compressed file (lzip)"),
    (0, b"\x28\xb5\x2f\xfd", "a compressed file (zstd)"),
    (0, b"\x04\x22\x4d\x18", "a compressed file (LZ4)"),
    (0, b"7z\xbc\xaf\x27\x1c", "an archive (7z)"),
    (0, b"Rar!\x1a\x07", "an archive (RAR)"),
    (0, b"MSCF\x00", "an archive (CAB)"),
    (0, b"!<arch>\n", "an archive (ar)"),
    (0, b"070701", "an archive (cpio)"),
    (0, b"\xed\xab\xee\xdb", "a package (RPM)"),
    (257, b"ustar", "an archive (tar)"),
    (0, b"\x7fELF", "a program (ELF)"),
    (0, b"\xca\xfe\xba\xbe", "a program (Java or macOS)"),
    (0, b"\xcf\xfa\xed\xfe", "a program (macOS)"),
    (0, b"\x00asm", "a program (WebAssembly)"),
    (0, b"SQLite format 3\x00", "a database (SQLite)"),
    (4, b"Standard Jet DB", "a database (Access)"),
    (4, b"Standard ACE DB", "a database (Access)"),
    (0, b"!BDN", "an Outlook mailbox (PST)"),
    (0, b"GGUF", "a model file (GGUF)"),
    (0, b"PAR1", "a data file (Parquet)"),
    (0, b"ARROW1", "a data file (Arrow)"),
    (0, b"Obj\x01", "a data file (Avro)"),
    (0, b"\x89HDF\r\n", "a data file (HDF5)"),
    (0, b"\x93NUMPY", "a data file (NumPy)"),
    (0, b"wOFF", "a font"),
    (0, b"wOF2", "a font"),
    (0, b"OTTO\x00", "a font"),
    (0, b"ttcf\x00", "a font"),
    (0, b"\x00\x01\x00\x00\x00", "a font"),
    (0, b"ITSF", "a help file (CHM)"),
    (60, b"BOOKMOBI", "an e-book (Mobipocket)"),
    (0, b"%!PS", "a PostScript file"),
    (0, b"\xc5\xd0\xd3\xc6", "a PostScript file"),
    (0, b"\xf7\x02\x01\x83\x92\xc0", "a TeX output file (DVI)"),
    (0, b"\xffWPC", "a document of WordPerfect"),
    (0, b"\xdb\xa5-\x00", "a document of Word 2"),
    (0, b"1\xbe\x00\x00", "a document of Word for DOS or Write"),
    (0, b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3", "a notebook (OneNote)"),
    (0, b"AC10", "a drawing (DWG)"),
    (0, b"bplist00", "a settings file (binary property list)"),
    (0, b"L\x00\x00\x00\x01\x14\x02\x00", "a shortcut of Windows"),
    (32769, b"CD001", "a disk image (ISO)"),
    (0, b"\xd4\xc3\xb2\xa1", "a record of network traffic (pcap)"),
    (0, b"\xa1\xb2\xc3\xd4", "a record of network traffic (pcap)"),
    (0, b"\x0a\x0d\x0d\x0a", "a record of network traffic (pcapng)"),
    (0, b"\x85\x01\x0c\x03", "an encrypted file (OpenPGP)"),
    (0, b"\x85\x02\x0c\x03", "an encrypted file (OpenPGP)"),
    (0, b"\x8c\x0d\x04", "an encrypted file (OpenPGP)"),
)


def known_signature(data: bytes) -> str | None:
    """What a file with these bytes is, if it is of a kind that is known and not read."""
    for offset, magic, what in _MAGIC:
        if data.startswith(magic, offset):
            return what
    if data.startswith(b"MZ") and b"\x00" in data[:64]:
        return "a program (Windows)"
    if data[1:4] == b"\r\r\n" and b"\x00" in data[4:16]:
        return "a program (Python)"
    if data.startswith(b"BM") and data[6:10] == b"\x00\x00\x00\x00":
        return "an image (BMP)"
    return None
