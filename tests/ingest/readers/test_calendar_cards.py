"""Calendars and address cards, alone and in mails."""

from __future__ import annotations

from ingest.readers import read_bytes

EVENT = (
    "BEGIN:VCALENDAR\r\nPRODID:-//Maker//EN\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Vienna\r\nBEGIN:STANDARD\r\n"
    "DTSTART:19701025T030000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:77@x\r\n"
    "SUMMARY:季度会议\r\nDTSTART;TZID=Europe/Vienna:20260301T090000\r\nDTEND:20260301T100000Z\r\n"
    'ATTENDEE;CN="Ada, Kern";ROLE=X:MAILTO:ada@example.org\r\nLOCATION:Room 5\\, north hall\r\n'
    "DESCRIPTION:The store keep\r\n er brings the list.\\nBring keys.\r\n"
    "BEGIN:VALARM\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\nEND:VEVENT\r\n"
    "BEGIN:VEVENT\r\nSUMMARY:Inspection\r\nDTSTART;VALUE=DATE:20260402\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)
TOLD = (
    "Summary: 季度会议\nStart: 2026-03-01 09:00 (Europe/Vienna)\nEnd: 2026-03-01 10:00 UTC\n"
    "Attendee: Ada, Kern (ada@example.org)\nLocation: Room 5, north hall\n"
    "Description: The store keeper brings the list.\nBring keys.\n\n"
    "Summary: Inspection\nStart: 2026-04-02"
)


def test_a_calendar_in_words() -> None:
    assert read_bytes(EVENT.encode(), "a.ics").text == TOLD


def test_cards() -> None:
    card = (
        "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E7=8E=8B;=E8=8A=\n=B3;;;\n"
        "item1.TEL;TYPE=work:+31 20 555\nADR:;;Quay 5;Delft;;2611;NL\n"
        "PHOTO;ENCODING=BASE64:/9j/4AAQ\n AAAA\n\nEND:VCARD\n"
        "BEGIN:VCARD\nN:Ford;Ann\nFN:Ann Ford\nEND:VCARD\n"
    )
    assert read_bytes(card.encode(), "a.vcf").text == (
        "Name: 王 芳\nTelephone: +31 20 555\nAddress: Quay 5, Delft, 2611, NL\n\nName: Ann Ford"
    )


def test_a_text_that_only_begins_like_one_stays() -> None:
    text = "BEGIN:VCALENDAR\nnothing of it follows\n"
    assert read_bytes(text.encode(), "a.txt").text == text


def test_when_and_where_of_an_invitation_stand_with_the_mail() -> None:
    mail = (
        "From: a@b\nSubject: Invitation\nContent-Type: multipart/alternative; boundary=B\n\n"
        "--B\nContent-Type: text/plain\n\nPlease come.\n"
        f"--B\nContent-Type: text/calendar; method=REQUEST; charset=utf-8\n\n{EVENT}\n--B--\n"
    )
    text = read_bytes(mail.encode(), "a.eml").text
    assert text.endswith(f"Please come.\n\n{TOLD}")
