"""Subtitles as the text that is spoken."""

from __future__ import annotations

from ingest.readers import read_bytes

SUBRIP = (
    "1\r\n00:00:01,000 --> 00:00:03,000\r\n<i>The lock opens\r\nat seven.</i>\r\n\r\n"
    "2\r\n00:00:04,000 --> 00:00:06,000\r\n船闸七点开放。\r\n\r\n"
    "3\r\n00:00:31,500 --> 00:00:33,000\r\nAfter that\r\n\r\n"
    "4\r\n01:02:03,000 --> 01:02:05,000\r\nit closes.\r\n"
)


def test_captions_of_half_a_minute_are_a_paragraph() -> None:
    assert read_bytes(SUBRIP.encode("utf-8-sig"), "a.srt").text == (
        "[00:00:01] The lock opens at seven. 船闸七点开放。\n\n[00:00:31] After that\n\n[01:02:03] it closes."
    )


def test_webvtt_names_its_speakers() -> None:
    text = (
        "WEBVTT - Tour\nKind: captions\n\nNOTE written by Ann\n\nSTYLE\n::cue { color: red }\n\n"
        "intro\n00:01.000 --> 00:03.000 align:start\n"
        "<v Ada>This is <c.loud>the weir</c> &amp; its keeper.</v>\n\n"
        "00:03.000 --> 00:04.000\n<v Ada>This is the weir &amp; its keeper.\n\n"
        "00:04.000 --> 00:05.000\n- Who?\n"
    )
    assert read_bytes(text.encode(), "a.vtt").text == "[00:00:01] Ada: This is the weir & its keeper. - Who?"


def test_a_text_with_times_stays() -> None:
    text = "1\nWe left at 10:00.\n00:01 --> somewhere\n"
    assert read_bytes(text.encode(), "a.txt").text == text
