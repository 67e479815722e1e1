"""What is evaluated once is not evaluated again, and changes nothing in the answer: plain and hybrid."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rag import engine as engine_module
from rag.engine.local import LocalEngine
from rag.engine.prefixes import MOST_FRONTS, Prefixes
from rag.engine.protocol import Sampling
from rag.engine.sampling import PROFILES
from rag.records import Message, Usage
from rag.settings import EngineSettings, Settings
from tests.rag.engine import hybrid_file

GREEDY = PROFILES["greedy"]
FRONT = Message("system", "Answer from the sources alone, in one sentence, and name the tower. " * 2)


def made(home: Path, model: str, **options: object) -> LocalEngine:
    values = {"model": model, "context": 2048, "ubatch": 64, **options}
    engine = engine_module.load(Settings(home=home, engine=EngineSettings.model_validate(values)))
    assert isinstance(engine, LocalEngine)
    return engine


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hybrid_file.write(tmp_path_factory.mktemp("hybrid") / "hybrid.gguf")


@pytest.fixture(params=["hybrid", "plain"])
def kept(request: pytest.FixtureRequest, hybrid: Path, tmp_path: Path) -> Iterator[LocalEngine]:
    model = str(hybrid) if request.param == "hybrid" else "smollm2-135m"
    engine = made(tmp_path, model, cache_mib=64)
    yield engine
    engine.close()


def about(subject: str, question: str) -> list[Message]:
    evidence = "".join(f"{subject} {n} is {n * 7 % 93} m high. " for n in range(8)) + "\n\n"
    return [FRONT, Message("user", evidence + question, stable=len(evidence))]


def ask(engine: LocalEngine, asked: list[Message], sampling: Sampling = GREEDY) -> tuple[str, Usage]:
    text, usage = "", Usage()
    for token in engine.stream(asked, sampling=sampling, max_tokens=12):
        text += token.text
        usage = token.usage or usage
    return text, usage


def test_evidence_is_kept_for_the_next_question_and_for_a_conversation_that_comes_back(
    kept: LocalEngine, tmp_path: Path
) -> None:
    tower, bridge = about("Tower", "How high is 5?"), about("Bridge", "How high is 5?")
    cold, usage = ask(kept, tower)
    assert usage.cached_tokens == 0
    _, usage = ask(kept, about("Tower", "And 9?"))
    assert usage.prompt_tokens - usage.cached_tokens < 40
    other, usage = ask(kept, bridge)
    assert 20 < usage.cached_tokens < usage.prompt_tokens // 2  # the front alone
    again, usage = ask(kept, tower)
    assert usage.prompt_tokens - usage.cached_tokens < 40
    assert again == cold
    assert ask(kept, bridge)[0] == other
    assert 0 < kept.info().cache_mib <= 64
    model = kept.settings.engine.model
    fresh = made(tmp_path, model, cache_mib=0)
    assert [ask(fresh, bridge)[0], ask(fresh, tower)[0]] == [other, cold]
    fresh.close()


def test_what_was_evaluated_before_a_stop_is_still_right(kept: LocalEngine) -> None:
    tower = about("Tower", "How high is 5?")
    cold, _ = ask(kept, tower)
    answer = kept.stream(about("Tower", "Tell me a long story about all of them. " * 12), max_tokens=300)
    while not next(answer).read:
        pass
    answer.close()
    assert ask(kept, tower)[0] == cold


def test_many_conversations_stay_within_the_bound(hybrid: Path, tmp_path: Path) -> None:
    engine = made(tmp_path, str(hybrid), cache_mib=1)
    highest = 0.0
    for number in range(60):
        ask(engine, about(f"Tower of town {number}", "How high is 5?"))
        highest = max(highest, engine.info().cache_mib)
    engine.close()
    assert 0.5 < highest <= 1


def test_the_least_recently_used_goes_first_and_fronts_stay() -> None:
    prefixes = Prefixes(1000)
    assert prefixes.put([1, 2], bytes(100), front=True)
    for number in range(200):
        assert prefixes.put([1, 2, number], bytes(200), front=False)
        assert prefixes.bytes <= 1000
    assert prefixes.longest([1, 2, 3, 4], 3) is not None
    assert [prefixes.touch([1, 2, n]) for n in (195, 196, 199)] == [False, True, True]
    found = prefixes.longest([1, 2, 199, 7], 3)
    assert found is not None
    assert found.tokens == [1, 2, 199]
    prefixes.beside(300)
    assert prefixes.bytes <= 700
    prefixes.beside(0)
    assert not prefixes.put([5], bytes(2000), front=False)
    assert not prefixes.put([5], bytes(600), front=True)
    for number in range(20):
        prefixes.put([9, number], bytes(10), front=True)
    assert sum(prefixes.touch([9, number]) for number in range(20)) == MOST_FRONTS


def test_candidates_from_the_device_give_the_same_draws(hybrid: Path, tmp_path: Path) -> None:
    """Picked in the graph (here of the CPU), drawn by the chain: equal seeds, equal texts."""
    usual, picked = made(tmp_path, str(hybrid)), made(tmp_path, str(hybrid), device_sampling="on")
    tower = about("Tower", "How high is 5?")
    for sampling in (
        Sampling(seed=1),
        Sampling(seed=2, temperature=1.4, top_k=20),
        Sampling(seed=3, repeat_penalty=1.0, min_p=0.0),
        Sampling(seed=4, top_k=0),
        Sampling(temperature=0),
        GREEDY,
    ):
        assert ask(usual, tower, sampling)[0] == ask(picked, tower, sampling)[0]
    usual.close()
    picked.close()
