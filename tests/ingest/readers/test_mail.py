from __future__ import annotations

import base64

import pytest

from ingest.errors import Skipped
from ingest.readers import Found, find_in_bytes, read_bytes
from rag.records import Document


def find(data: bytes | str, name: str = "a.eml") -> Found:
    return find_in_bytes(data.encode() if isinstance(data, str) else data, name)


def document(data: bytes | str) -> Document:
    found = find(data).document
    assert found is not None
    return found


def test_headers_and_text() -> None:
    made = document(
        "From: =?GB2312?B?v+K53A==?= <a@example.com>\nTo: Ann <ann@example.com>,\n Bob <bob@example.com>\n"
        "Subject: =?UTF-8?Q?Caf=C3=A9?= =?UTF-8?Q?_list?=\nDate: Fri, 3 May 2024 09:30:00 "
        "+0200\nX-Mailer: x\n\n"
        "First line\nsecond line\n\n  code stays\n"
    )
    assert made.text == (
        "From: 库管 <a@example.com>\nTo: Ann <ann@example.com>, Bob <bob@example.com>\n"
        "Date: Fri, 3 May 2024 09:30:00 +0200\nSubject: Café list\n\nFirst line\nsecond line\n\n  code stays"
    )
    assert made.title == "Café list"


@pytest.mark.parametrize(
    ("label", "encoding", "text"),
    [
        ("gb2312", "gb18030", "浔阳仓库镕存放备用电缆四百二十米"),
        ("ks_c_5601-1987", "cp949", "안녕하세요 창고 똠방각하"),
        ("iso-2022-jp", "iso2022_jp", "倉庫のケーブル"),
        ("us-ascii", "utf-8", "Größe 浔阳仓库"),
        ("iso-8859-1", "cp1252", "“quoted” – naïve café"),
        ("windows-1252", "cp1252", "köstliche Äpfel, schön"),
        ("utf-8", "gb18030", "浔阳仓库第七号货架存放备用电缆四百二十米，验收人是陆明远。"),
        ("no-such-charset", "big5", "臺北倉庫第三號貨架存放備用電纜三百一十米，驗收人是林佳慧。"),
        ("utf-16", "utf-16", "Größe und mehr"),
        ("unicode_escape", "utf-8", "Größe"),
    ],
)
def test_encodings_and_labels_that_are_wrong(label: str, encoding: str, text: str) -> None:
    body = base64.encodebytes(text.encode(encoding)).decode()
    made = document(
        f"From: a@b\nSubject: s\nMIME-Version: 1.0\nContent-Type: text/plain; charset={label}\n"
        f"Content-Transfer-Encoding: base64\n\n{body}"
    )
    assert made.text.endswith(text)


def test_alternatives_attachments_and_messages_inside() -> None:
    found = find(
        "From: a@b\nSubject: s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=M\n\n--M\n"
        "Content-Type: multipart/alternative; boundary=A\n\n--A\nContent-Type: text/plain\n\nplain "
        "words\n--A\n"
        "Content-Type: text/html\n\n<p>html words</p>\n--A--\n"
        "--M\nContent-Type: image/png\nContent-ID: <logo>\nContent-Disposition: inline\n\nx\n"
        "--M\nContent-Type: application/pdf; name*=UTF-8''%E8%A1%A8.pdf\nContent-Disposition: "
        "attachment\n\n%PDF-x\n"
        "--M\nContent-Type: text/plain; name=../../b.txt\nContent-Disposition: attachment\n\nattached text\n"
        "--M\nContent-Type: message/rfc822\n\nFrom: c@d\nSubject: inner/mail\nMessage-ID: <1>"
        "\n\ninner text\n--M--\n"
    )
    assert found.document is not None
    assert found.document.text == (
        "From: a@b\nSubject: s\nAttachments: 表.pdf, b.txt, inner-mail.eml\n\nplain words"
    )
    assert [member.name for member in found.members] == ["表.pdf", "b.txt", "inner-mail.eml"]
    assert found.members[1].data == b"attached text"
    assert find(found.members[2].data, found.members[2].name).document is not None


def test_an_inline_part_is_the_text_and_html_stands_in_for_a_missing_one() -> None:
    made = document(
        "From: a@b\nSubject: s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=M\n\n--M\n"
        "Content-Type: text/plain\nContent-Disposition: inline\n\nthe body\n--M--\n"
    )
    assert made.text.endswith("the body")
    made = document(
        "From: a@b\nSubject: s\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=A\n\n--A\n"
        "Content-Type: text/plain\n\nsee html\n--A\nContent-Type: text/html; "
        "charset=utf-8\n\n<html><head><style>p{}"
        "</style></head><body><div style='display:none'>preview</div><h1>Offer</h1><table><tr><th>Item</th>"
        f"<th>Euros</th></tr><tr><td>Rope</td><td>9</td></tr></table><p>{'many words ' * 20}</p>"
        f"</body>\n--A--\n"
    )
    assert "Offer\n\nItem | Euros\nRope | 9\n\nmany words" in made.text
    assert "preview" not in made.text
    assert len(made.tables) == 1
    made = document(
        "From: a@b\nSubject: s\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=A\n\n--A\n"
        "Content-Type: text/plain\n\nYour mail program does not show HTML mail.\n--A\n"
        "Content-Type: text/html\n\n"
        "<p>The rope costs 9 euros.</p>\n--A--\n"
    )
    assert made.text.endswith("\n\nThe rope costs 9 euros.")


def test_soft_line_ends_and_files_between_the_lines() -> None:
    found = find(
        'From: a@b\nSubject: s\nContent-Type: text/plain; format="flowed"\n\nOne long \nsentence.'
        "\n> quoted \n> words\n"
        "\nbegin 644 a.txt\n#0V%T\n`\nend\n"
    )
    assert found.document is not None
    assert found.document.text.endswith("One long sentence.\n> quoted words")
    assert [(member.name, member.data) for member in found.members] == [("a.txt", b"Cat")]


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfFrom: a@b\nSubject: s\nMessage-ID: <1>\n\nwords",
        b"From a@b Mon Jan  1 10:00:00 2024\nFrom: a@b\nSubject: s\nMessage-ID: <1>\n\nwords",
        b"120\nFrom: a@b\nSubject: s\nMessage-ID: <1>\n\nwords",
        "From: a@b\r\nSubject: s\r\nMessage-ID: <1>\r\n\r\nwords".encode("utf-16"),
        b"From: a@b\rSubject: s\rMessage-ID: <1>\r\rwords",
        b"From: a@b\nSubject: s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=never\n\nwords",
    ],
)
def test_mails_as_programs_leave_them(data: bytes) -> None:
    assert document(data).text == "From: a@b\nSubject: s\n\nwords"


def test_a_mail_without_text() -> None:
    with pytest.raises(Skipped, match="only headers"):
        find("From: a@b\nSubject: s\nDate: x\n\n\n")


def test_a_mailbox() -> None:
    found = find_in_bytes(
        b"From a@b Mon Jan  1 10:00:00 2024\nFrom: a@b\nSubject: one/two\nMessage-ID: <1>"
        b"\n\nfirst\n>From here\n\n"
        b"From c@d Mon Jan  1 10:00:00 2024\nFrom: c@d\nMessage-ID: <2>\n\nsecond\n",
        "box",
    )
    assert found.document is None
    assert [member.name for member in found.members] == ["1 one-two.eml", "2.eml"]
    first = find(found.members[0].data).document
    assert first is not None
    assert first.text.endswith("first\nFrom here")


WORDS = "Das Lager wird am Montag geprüft, danach ist es wieder offen."


@pytest.mark.parametrize(
    ("named", "body"),
    [
        ("base64", base64.b64encode(WORDS.encode()).decode().rstrip("=")[:-3] + "!!"),
        (
            "base64",
            base64.b64encode(WORDS.encode()[:4]).decode() + base64.b64encode(WORDS.encode()[4:]).decode(),
        ),
        ("base64", WORDS),
        ('"base64";', base64.b64encode(WORDS.encode()).decode()),
        ("quoted printable", WORDS.replace("ü", "=C3=BC")),
        ("quoted-printable; x", WORDS.replace("ü", "=C3=BC")),
        ("7-bit; spam", WORDS),
    ],
)
def test_what_a_mail_says_of_its_encoding_may_be_wrong(named: str, body: str) -> None:
    made = document(
        "From: a@example.com\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
        f"Content-Transfer-Encoding: {named}\n\n{body}\n"
    )
    assert WORDS[:-6] in made.text


def test_what_is_too_much_of_a_mail_is_named() -> None:
    head = "From: a@example.com\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
    many = find(head + "".join(f"--b\n\npart {n}\n" for n in range(2100)) + "--b--\n")
    assert many.document is not None
    assert "part 1990" in many.document.text
    assert [(member.name, member.skip) for member in many.members] == [
        ("further parts", "not read: the mail has more than 2000 parts")
    ]
    nested = "\n\ninnermost"
    for number in range(40):
        nested = (
            f"Content-Type: multipart/mixed; boundary=n{number}\n\n--n{number}\n{nested}\n--n{number}--\n"
        )
    deep = find(f"From: a@example.com\nSubject: x\nMIME-Version: 1.0\n{nested}")
    assert [member.skip for member in deep.members] == [
        "not read: parts inside each other, more than 20 deep"
    ]


@pytest.mark.parametrize(
    ("named", "used"),
    [('"--gruß"', "--gruß"), ("--gruß", "--gruß"), ("'abc'", "abc"), ("a(b:c)?", "a(b:c)?")],
)
def test_boundaries_that_no_standard_allows(named: str, used: str) -> None:
    made = document(
        "From: a@example.com\nSubject: x\nMIME-Version: 1.0\n"
        f"Content-Type: multipart/mixed; boundary={named}\n\n"
        f"--{used}\nContent-Type: text/plain; charset=utf-8\n"
        f"Content-Transfer-Encoding: quoted-printable\n\nDas Lager wird gepr=C3=BCft.\n--{used}--\n"
    )
    assert made.text == "From: a@example.com\nSubject: x\n\nDas Lager wird geprüft."


def test_parts_between_empty_boundaries() -> None:
    made = document(
        "From: a@example.com\nTo: b@example.com\nMIME-Version: 1.0\n"
        'Content-Type: multipart/mixed; boundary=""\n'
        "\n----\nContent-Type: text/plain\n\nThe pump is in hall 4.\n"
    )
    assert "The pump is in hall 4." in made.text


def test_a_forwarded_message_that_was_encoded() -> None:
    inner = base64.encodebytes(b"From: a@b.example\r\nSubject: Old\r\n\r\nThe pump is cold.\r\n").decode()
    data = (
        "From: c@d.example\r\nSubject: New\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\n"
        "Content-Type: message/rfc822; name=old.eml\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        f"{inner}\r\n--B--\r\n"
    )
    (member,) = find_in_bytes(data.encode(), "a.eml").members
    assert member.name == "old.eml"
    assert b"The pump is cold." in member.data


def test_pages_in_frames_of_a_saved_page() -> None:
    data = (
        "From: <Saved by Blink>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/related; type="text/html"; boundary="B"\r\n\r\n--B\r\n'
        "Content-Type: text/html\r\n\r\n<html><body><h1>Halls</h1><p>The pump is cold.</p></body></html>\r\n"
        "--B\r\nContent-Type: text/html\r\nContent-ID: <f>\r\n\r\n<html><body>In a frame.</body>\r\n--B--"
    )
    document = read_bytes(data.encode(), "a.mht")
    assert document.text == "Halls\n\nThe pump is cold.\n\nIn a frame."
    assert [heading.title for heading in document.headings] == ["Halls"]
