"""Several answers written together, a bounded queue, and another model at run time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rag import engine as engine_module
from rag.engine.local import LocalEngine
from rag.engine.protocol import Thinking
from rag.engine.sampling import PROFILES
from rag.errors import EngineBusy, EngineError, SettingsError
from rag.records import Message
from rag.settings import EngineSettings, Settings
from tests.rag.engine import hybrid_file

GREEDY = PROFILES["greedy"]
STORY = [Message("user", "Tell me a story about the sea.")]
CAPITAL = [
    Message("system", "You answer in one sentence."),
    Message("user", "What is the capital of France?"),
]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> LocalEngine:
    options = EngineSettings(parallel=2, queue=1, context=512, ubatch=64)
    made = engine_module.load(Settings(home=tmp_path_factory.mktemp("pair"), engine=options))
    assert isinstance(made, LocalEngine)
    return made


def whole(engine: LocalEngine, asked: list[Message], tokens: int = 20) -> str:
    return "".join(token.text for token in engine.stream(asked, sampling=GREEDY, max_tokens=tokens))


def test_two_answers_are_written_at_once_and_are_those_of_one_alone(pair: LocalEngine) -> None:
    alone = whole(pair, STORY), whole(pair, CAPITAL)
    first = pair.stream(STORY, sampling=GREEDY, max_tokens=20)
    second = pair.stream(CAPITAL, sampling=GREEDY, max_tokens=20)
    texts, pieces = ["", ""], [0, 0]
    open_streams = {0: first, 1: second}
    both = False
    while open_streams:
        for number, stream in list(open_streams.items()):
            token = next(stream, None)
            if token is None:
                del open_streams[number]
                continue
            assert token.ahead == 0
            texts[number] += token.text
            pieces[number] += bool(token.text)
        both = both or (len(open_streams) == 2 and min(pieces) > 0)
    assert both
    assert tuple(texts) == alone


def test_one_can_be_stopped_while_the_other_goes_on(pair: LocalEngine) -> None:
    alone = whole(pair, STORY)
    first = pair.stream(STORY, sampling=GREEDY, max_tokens=20)
    second = pair.stream(CAPITAL, sampling=GREEDY, max_tokens=200)
    while not next(second).text:
        pass
    begun = ""
    while not begun:
        begun = next(first).text
    second.close()
    assert begun + "".join(token.text for token in first) == alone


def test_beyond_the_bound_a_question_is_refused(pair: LocalEngine) -> None:
    waiting = [pair.stream(STORY, sampling=GREEDY, max_tokens=100) for _ in range(3)]
    places = [next(stream).ahead for stream in waiting]
    while places[-1] == 0:
        places[-1] = next(waiting[-1]).ahead
    assert places == [0, 0, 1]
    with pytest.raises(EngineBusy, match="3 questions"):
        next(pair.stream(CAPITAL))
    for stream in waiting:
        stream.close()
    assert pair.turnstile.waiting == 0
    assert "Paris" in whole(pair, CAPITAL)
    pair.close()


def test_another_model_at_run_time(tmp_path: Path) -> None:
    small = hybrid_file.write(tmp_path / "hybrid.gguf")
    first = Settings(home=tmp_path, engine=EngineSettings(context=512, ubatch=64))
    engine = engine_module.load(first)
    assert isinstance(engine, LocalEngine)
    assert "Paris" in whole(engine, CAPITAL)
    with pytest.raises(SettingsError):
        engine.use(first.model_copy(update={"engine": EngineSettings(flash_attention=False)}))
    assert engine.info().state == "ready"
    other = EngineSettings(model=str(small), context=512, ubatch=64)
    engine.use(first.model_copy(update={"engine": other}))
    assert (engine.info().model, engine.info().state) == ("hybrid", "stopped")
    assert whole(engine, CAPITAL)
    assert engine.info().context == 512
    engine.use(first)
    assert "Paris" in whole(engine, CAPITAL)
    engine.close()


def test_an_answer_follows_a_json_schema(engine: LocalEngine) -> None:
    schema = {
        "type": "object",
        "properties": {"capital": {"type": "string", "maxLength": 12}, "sure": {"type": "boolean"}},
        "required": ["capital", "sure"],
        "additionalProperties": False,
    }
    text = "".join(
        token.text for token in engine.stream(CAPITAL, sampling=GREEDY, max_tokens=60, schema=schema)
    )
    assert set(json.loads(text)) == {"capital", "sure"}
    with pytest.raises(EngineError, match="JSON schema"):
        list(engine.stream(CAPITAL, schema={"$ref": "#/nowhere"}, max_tokens=4))
    assert "Paris" in whole(engine, CAPITAL)


def test_thoughts_stay_apart_and_within_their_bound(tmp_path: Path) -> None:
    small = hybrid_file.write(tmp_path / "hybrid.gguf")
    options = EngineSettings(model=str(small), context=512, ubatch=64)
    engine = engine_module.load(Settings(home=tmp_path, engine=options))
    engine.start()
    assert engine.info().thinks
    pieces = list(engine.stream(CAPITAL, sampling=GREEDY, max_tokens=8, thinking=Thinking(True, 10)))
    thought = "".join(piece.thought for piece in pieces)
    usage = pieces[-1].usage
    assert thought
    assert "</think>" not in thought + "".join(piece.text for piece in pieces)
    assert usage is not None
    assert 10 <= usage.thought_tokens < 20
    assert usage.answer_tokens <= 8
    plain = list(engine.stream(CAPITAL, sampling=GREEDY, max_tokens=8))
    assert not any(piece.thought for piece in plain)
    engine.close()
