"""The engine's decisions that need no model: held-back text, places in the queue, slices, obituaries."""

from __future__ import annotations

import signal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.engine import wire
from rag.engine.native_log import buffer_size
from rag.engine.obituary import describe_death, oom_kills
from rag.engine.pace import Pace
from rag.engine.pieces import Pieces
from rag.engine.protocol import Sampling
from rag.engine.restarts import LIMIT, WINDOW_S, RestartGuard
from rag.engine.sampling import PROFILES, profile
from rag.errors import SettingsError
from rag.models.catalogue import entries


def shown(data: bytes, cuts: list[int], stop: list[str]) -> list[str]:
    """What is shown of `data` when it arrives cut at these places."""
    pieces, out, at = Pieces(stop), [], 0
    for cut in [*sorted({min(cut, len(data)) for cut in cuts}), len(data)]:
        out.append(pieces.add(data[at:cut]))
        at = cut
    return [*out, pieces.rest()]


cuts = st.lists(st.integers(0, 60), max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=20), cuts)
def test_text_is_the_same_however_its_bytes_are_cut(text: str, at: list[int]) -> None:
    data = text.encode("utf-8", "ignore")
    parts = shown(data, at, [])
    assert "".join(parts) == data.decode()
    assert "\ufffd" in text or all("\ufffd" not in part for part in parts)


@settings(max_examples=60, deadline=None)
@given(st.text("ab中🎉", max_size=16), st.lists(st.text("ab中🎉", min_size=1, max_size=4), max_size=3), cuts)
def test_nothing_is_shown_from_the_first_stop_string_on(text: str, stop: list[str], at: list[int]) -> None:
    parts = shown(text.encode(), at, stop)
    found = [text.find(word) for word in stop if word in text]
    # Which stop string is met first may depend on where the text was cut; never is one of them shown.
    joined = "".join(parts)
    assert text.startswith(joined)
    if not found:
        assert joined == text
    else:
        assert all(word not in joined for word in stop)
        assert len(joined) <= min(found) + max(len(word) for word in stop)


@settings(max_examples=60, deadline=None)
@given(st.text("ab中🎉", max_size=16), st.text("ab中🎉", min_size=1, max_size=4), cuts)
def test_one_stop_string_ends_the_text_where_it_begins(text: str, stop: str, at: list[int]) -> None:
    expected = text[: text.index(stop)] if stop in text else text
    assert "".join(shown(text.encode(), at, [stop])) == expected


def test_an_incomplete_last_character_is_dropped_and_bad_bytes_are_marked() -> None:
    assert "".join(shown("中文".encode()[:-1], [], [])) == "中"
    assert "".join(shown(b"a\xffb", [], [])) == "a\ufffdb"


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 4096),
    st.integers(1, 4096),
    st.lists(st.tuples(st.integers(1, 4096), st.floats(0, 100)), max_size=5),
)
def test_slices_are_never_empty_nor_larger_than_a_batch(
    ubatch: int, more: int, timings: list[tuple[int, float]]
) -> None:
    pace = Pace(ubatch, ubatch + more)
    for tokens, seconds in [(0, 1.0), *timings]:
        pace.took(tokens, seconds)
        assert 1 <= pace.size <= ubatch + more


def test_slices_follow_the_speed() -> None:
    pace = Pace(512, 2048)
    assert pace.size == 128
    pace.took(128, 1.0)  # a CPU: 128 tokens a second
    assert pace.size == 32
    pace.took(128, 128 / 2900)  # a GPU: 2,900 tokens a second
    assert pace.size == 1024


def test_three_failures_within_a_minute_close_the_way() -> None:
    now = 0.0
    guard = RestartGuard(lambda: now)
    for _ in range(LIMIT):
        assert guard.wait_s() == 0
        guard.failed()
        now += 5
    assert guard.wait_s() == WINDOW_S - 15
    now = WINDOW_S
    assert guard.wait_s() == 0
    guard.failed()
    assert guard.wait_s() > 0
    guard.reset()
    assert guard.wait_s() == 0


def test_what_a_process_died_of() -> None:
    before = oom_kills()
    killed = describe_death(-signal.SIGKILL, ["I loading"], before, closed=False)
    assert "signal 9" in killed.message
    assert not killed.out_of_memory
    starved = describe_death(-signal.SIGKILL, [], before - 1, closed=False)
    assert starved.out_of_memory
    assert "memory ran out" in starved.message
    crashed = describe_death(
        -signal.SIGABRT, ["I fine", "E something", "a.cpp:7: GGML_ASSERT(n > 0) failed"], before, closed=False
    )
    assert "SIGABRT" in crashed.message
    assert crashed.words == ("something", "a.cpp:7: GGML_ASSERT(n > 0) failed")
    gpu = describe_death(1, ["E cudaMalloc failed: out of memory"], before, closed=False)
    assert gpu.out_of_memory
    python = describe_death(1, ["Traceback (most recent call last):", "OSError: gone"], before, closed=False)
    assert "OSError: gone" in python.message
    assert describe_death(0, [], before, closed=True).closed


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("load_tensors:   CPU_Mapped model buffer size =    92.10 MiB", ("CPU_Mapped model", 92.1)),
        ("llama_kv_cache:      CUDA0 KV buffer size =  1088.00 MiB", ("CUDA0 KV", 1088.0)),
        ("llama_memory_recurrent:      CUDA0 RS buffer size =   149.62 MiB", ("CUDA0 RS", 149.62)),
        ("sched_reserve:  CUDA_Host compute buffer size =    26.02 MiB", ("CUDA_Host compute", 26.02)),
        ("llama_context:        CPU  output buffer size =     0.19 MiB", ("CPU output", 0.19)),
        ("print_info: file size   = 92.10 MiB (5.74 BPW)", None),
    ],
)
def test_buffer_sizes_are_read_from_the_log(line: str, expected: tuple[str, float] | None) -> None:
    assert buffer_size(line) == expected


def test_messages_survive_the_wire() -> None:
    sent = wire.Generate(3, [["user", "你好\n\udce9"]], Sampling(seed=5), 7, ["\n"])
    line = wire.pack(sent)
    assert line.count(b"\n") == 1
    assert wire.command(line) == sent
    done = wire.Done(3, "stop", 1, 2, 3)
    assert wire.event(wire.pack(done)) == done


def test_the_catalogue_names_profiles_that_exist() -> None:
    assert {entry.sampling for entry in entries().values()} <= PROFILES.keys()
    assert profile("ternary") == Sampling()
    with pytest.raises(SettingsError, match="no sampling profile"):
        profile("wild")
