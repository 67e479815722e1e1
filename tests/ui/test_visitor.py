"""Whose place in the queue a window takes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from rag.answering.events import Event
from ui.asking import MAX_OF_ONE, Asking, TooMany
from ui.language import texts
from ui.run import Run, new_turn
from ui.visitor import NAME, greeting, visitor


def test_a_number_given_is_known_again() -> None:
    given = greeting()
    assert visitor(given.split(";")[0]) == given.split(";")[0].removeprefix(f"{NAME}=")
    assert visitor(f"other=1; {given.split(';')[0]}; more=2") != ""
    assert "HttpOnly" in given
    assert "SameSite=Strict" in given
    assert greeting() != given


@pytest.mark.parametrize(
    "cookies", ["", "other=1", f"{NAME}=short", f'{NAME}="{"<b>" * 9}"', "bad[]=;;=", "\xff"]
)
def test_what_is_no_number_of_ours_counts_for_nothing(cookies: str) -> None:
    assert visitor(cookies) == ""


def test_one_asker_leaves_room_for_others() -> None:
    asking, end = Asking(), threading.Event()

    def events(stopping: threading.Event) -> Iterator[Event]:
        end.wait(60)
        return iter(())

    async def ask() -> None:
        def begin(asker: str, window: int) -> None:
            run = Run(new_turn("How long?"), f"window {window}", texts("en"), asker)
            asking.begin(run, events, lambda turn: None)

        for window in range(MAX_OF_ONE):
            begin("anna", window)
        with pytest.raises(TooMany):
            begin("anna", MAX_OF_ONE)
        begin("boris", 0)
        assert asking.count == MAX_OF_ONE + 1

    asyncio.run(ask())
    end.set()
