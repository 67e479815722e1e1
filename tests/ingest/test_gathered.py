"""What is kept of a file over the deaths of its readers: what is read stays, what kills them is set aside."""

from __future__ import annotations

from ingest.contents import Part
from ingest.gathered import Died, Gathered

CRASH = Died("the reader crashed", stopped=False)
LIMIT = Died("it took too long", stopped=True)


def test_what_crashes_a_reader_again_and_again_is_set_aside() -> None:
    found = Gathered(0.0)
    for deaths in (1, 2, 3):
        assert found.settled() == []
        found.begun = "mail/a.doc"
        found.bury(CRASH)
        assert found.deaths == deaths
    assert found.settled() == ["mail/a.doc"]
    assert found.members["mail/a.doc"].reason == "the reader crashed; set aside after 3 tries"


def test_what_reaches_a_limit_is_set_aside_at_once() -> None:
    found = Gathered(0.0)
    found.begun = "mail/a.doc"
    found.bury(LIMIT)
    assert found.settled() == ["mail/a.doc"]
    assert found.members["mail/a.doc"].reason == "it took too long"


def test_other_members_crashes_do_not_count() -> None:
    found = Gathered(0.0)
    for name in ("a", "b", "a", "b"):
        found.begun = name
        found.bury(CRASH)
    assert found.settled() == []


def test_a_death_over_the_file_itself_sets_no_member_aside() -> None:
    found = Gathered(0.0)
    found.bury(LIMIT)
    assert (found.deaths, found.members) == (1, {})


def test_what_was_read_stays_and_containers_are_opened_again() -> None:
    found = Gathered(0.0)
    found.take(Part("", contains=2))
    found.begun = "a.txt"
    found.take(Part("a.txt"))
    found.take(Part("b.zip", contains=3))
    assert found.begun == ""
    assert found.settled() == ["a.txt"]
    read = found.complete()
    assert [part.name for part in read.members] == ["a.txt", "b.zip"]
    assert read.contains == 2
