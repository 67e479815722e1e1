"""How long one stays signed in, and how wrong passwords are slowed down."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.entry.brake import FREE, LONGEST_FOR_NAME_S, LONGEST_S, Brake
from ui.entry.sessions import LONGEST_S as LONGEST_SESSION_S
from ui.entry.sessions import Sessions


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_session_ends_when_it_is_not_used() -> None:
    clock = Clock()
    sessions = Sessions(3600, clock)
    token = sessions.begin("ann", "line")
    assert len(token) >= 40
    clock.now += 3000
    found = sessions.find(token, uses=True)
    assert found is not None
    assert (found.name, found.line) == ("ann", "line")
    clock.now += 3000
    assert sessions.find(token, uses=False) is not None
    clock.now += 1000  # looking on is no use
    assert sessions.find(token, uses=False) is None


def test_a_session_ends_after_a_week_however_much_it_is_used() -> None:
    clock = Clock()
    sessions = Sessions(3600, clock)
    token = sessions.begin("ann", "line")
    for _ in range(int(LONGEST_SESSION_S // 1800) - 1):
        clock.now += 1800
        assert sessions.find(token, uses=True)
    clock.now += 1800
    assert sessions.find(token, uses=True) is None


def test_tokens_are_ones_own() -> None:
    sessions = Sessions(3600, Clock())
    one, two = sessions.begin("ann", "line"), sessions.begin("ann", "line")
    assert one != two
    sessions.end(one)
    assert sessions.find(one, uses=True) is None
    assert sessions.find(two, uses=True) is not None
    assert sessions.find("", uses=True) is None
    assert sessions.find("\udcff", uses=True) is None


def test_the_oldest_of_very_many_sessions_of_one_person_ends() -> None:
    clock = Clock()
    sessions = Sessions(3600, clock)
    other = sessions.begin("bo", "line")
    tokens = []
    for _ in range(21):
        clock.now += 1
        tokens.append(sessions.begin("ann", "line"))
    assert [bool(sessions.find(token, uses=False)) for token in tokens] == [False] + [True] * 20
    assert sessions.find(other, uses=False)


def test_failures_cost_more_and_more_time() -> None:
    clock = Clock()
    brake = Brake(clock)
    assert [brake.begin("ann", "10.0.0.1") for _ in range(FREE)] == [0.0] * FREE
    waits = []
    for _ in range(10):
        wait = brake.begin("ann", "10.0.0.1")
        waits.append(wait)
        clock.now += wait
        assert brake.begin("ann", "10.0.0.1") == 0.0
    assert waits == sorted(waits)
    assert waits[0] > 0
    assert waits[-1] == LONGEST_S


def test_a_name_that_others_guess_at_waits_shortly_and_not_where_it_is_known() -> None:
    clock = Clock()
    brake = Brake(clock)
    assert brake.begin("ann", "10.0.0.1") == 0.0
    brake.passed("ann", "10.0.0.1")
    for n in range(200):
        brake.begin("ann", f"10.1.0.{n}")
        clock.now += LONGEST_FOR_NAME_S
    brake.begin("ann", "10.2.0.1")
    assert 0 < brake.begin("ann", "10.2.0.2") <= LONGEST_FOR_NAME_S
    assert brake.begin("ann", "10.0.0.1") == 0.0


def test_a_password_of_ones_own_gives_few_free_guesses_at_others() -> None:
    clock = Clock()
    brake = Brake(clock)
    guesses = 0
    for _ in range(200):
        if brake.begin(f"person-{guesses}", "10.0.0.1") == 0.0:
            guesses += 1
        else:
            clock.now += 0.1
        if brake.begin("eve", "10.0.0.1") == 0.0:
            brake.passed("eve", "10.0.0.1")
    assert guesses < 10
    clock.now += 3601
    assert brake.begin("ann", "10.0.0.1") == 0.0


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.booleans(), st.floats(0, 90))))
def test_nobody_waits_longer_than_is_said(tries: list[tuple[str, str, bool, float]]) -> None:
    clock = Clock()
    brake = Brake(clock)
    for name, address, right, later in tries:
        wait = brake.begin(name, address)
        assert 0 <= wait <= LONGEST_S
        if wait == 0 and right:
            brake.passed(name, address)
        clock.now += later
