"""The queue of an engine: askers take turns, their own order is kept, and the places shown are true."""

from __future__ import annotations

import threading

from hypothesis import given, settings
from hypothesis import strategies as st

from rag.engine.local import LocalEngine
from rag.engine.sampling import PROFILES
from rag.engine.turnstile import Ticket, Turnstile, asked_by
from rag.records import Message

GREEDY = PROFILES["greedy"]


def taken(turnstile: Turnstile, askers: str) -> list[Ticket]:
    tickets = []
    for asker in askers:
        with asked_by(asker):
            ticket = turnstile.ticket()
        assert ticket is not None
        tickets.append(ticket)
    return tickets


def served(tickets: list[Ticket]) -> list[Ticket]:
    """All of them in the order of their turns, each leaving as soon as it had its own."""
    left, order = list(tickets), []
    while left:
        (ready,) = [ticket for ticket in left if ticket.place == 0]
        ready.leave()
        left.remove(ready)
        order.append(ready)
    return order


def test_in_order_with_places_shown() -> None:
    turnstile = Turnstile()
    a, b, c = taken(turnstile, "aaa")
    assert [t.place for t in (a, b, c)] == [0, 1, 2]
    assert a.wait(0)
    assert not b.wait(0)
    b.leave()
    assert c.place == 1
    came = threading.Event()
    waiter = threading.Thread(target=lambda: c.wait(10) and came.set())
    waiter.start()
    a.leave()
    a.leave()
    waiter.join(10)
    assert came.is_set()
    assert turnstile.waiting == 1
    c.leave()
    assert turnstile.waiting == 0


def test_one_question_does_not_wait_for_ten_of_somebody_else() -> None:
    turnstile = Turnstile()
    many = taken(turnstile, "a" * 10)
    (single,) = taken(turnstile, "b")
    assert single.place == 1
    assert [ticket.place for ticket in many] == [0, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert served([*many, single])[:3] == [many[0], single, many[1]]


def test_who_asks_again_and_again_comes_in_every_other_turn() -> None:
    turnstile = Turnstile()
    many = taken(turnstile, "a" * 6)
    order = ""
    (document,) = taken(turnstile, "b")
    for _ in range(4):
        # As an answer over many documents does: the next piece of work when the one before is done.
        while document.place:
            next(ticket for ticket in many if ticket.place == 0).leave()
            many.pop(0)
            order += "a"
        document.leave()
        order += "b"
        (document,) = taken(turnstile, "b")
    assert order == "abababab"


def test_what_was_withdrawn_is_not_held_against_the_asker() -> None:
    turnstile = Turnstile()
    first, *others = taken(turnstile, "a" * 9)
    for ticket in others:
        ticket.leave()
    again, other = taken(turnstile, "ab")
    assert (again.place, other.place) == (2, 1)
    first.leave()
    assert (again.place, other.place) == (1, 0)


def test_a_wider_turnstile_lets_more_in_and_a_bound_refuses() -> None:
    turnstile = Turnstile(1, most=2)
    a, b, c = taken(turnstile, "aab")
    assert turnstile.ticket() is None
    turnstile.change(2, most=2)
    assert [ticket.place for ticket in (a, b, c)] == [0, 1, 0]


@settings(max_examples=120, deadline=None)
@given(st.text("abcd", min_size=1, max_size=14), st.integers(1, 3), st.data())
def test_places_are_true_and_everybody_gets_a_turn(askers: str, width: int, data: st.DataObject) -> None:
    turnstile = Turnstile(width)
    tickets = taken(turnstile, askers)
    for gone in data.draw(st.lists(st.sampled_from(tickets), max_size=4)):
        gone.leave()
        tickets = [ticket for ticket in tickets if ticket is not gone]
    promised = {ticket: ticket.place for ticket in tickets}
    order: list[Ticket] = []
    turns = {ticket: 0 for ticket in tickets if not ticket.place}
    while tickets:
        ready = next(ticket for ticket in tickets if not ticket.place)
        ready.leave()
        tickets.remove(ready)
        order.append(ready)
        for ticket in tickets:
            if not ticket.place:
                turns.setdefault(ticket, len(order))
    # As many had to leave as its place said.
    assert turns == promised
    for asker in "abcd":
        own = [promised[ticket] for ticket in order if ticket.asker == asker]
        assert own == sorted(own)
    assert turnstile.waiting == 0


def test_an_engine_answers_the_single_question_before_the_rest_of_the_many(engine: LocalEngine) -> None:
    question = [Message("user", "Tell me a long story.")]
    done: list[str] = []

    def ask(asker: str, name: str, tokens: int) -> None:
        with asked_by(asker):
            for _ in engine.stream(question, sampling=GREEDY, max_tokens=tokens):
                pass
        done.append(name)

    with asked_by("many"):
        running = engine.stream(question, sampling=GREEDY, max_tokens=400)
        next(running)
    threads = []
    for count, name in enumerate(("many 1", "many 2", "many 3", "single"), start=2):
        asker, _, number = name.partition(" ")
        thread = threading.Thread(target=ask, args=(asker, name, 30 if number else 4))
        thread.start()
        threads.append(thread)
        while engine.turnstile.waiting < count:
            assert thread.is_alive()
            thread.join(0.01)
    running.close()
    for thread in threads:
        thread.join(60)
    assert done == ["single", "many 1", "many 2", "many 3"]
