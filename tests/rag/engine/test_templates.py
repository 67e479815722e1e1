"""Chat templates as models bring them along: the real model under other templates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rag import engine as engine_module
from rag.engine.local import LocalEngine
from rag.engine.sampling import PROFILES
from rag.errors import EngineError, ModelUnfit
from rag.models.catalogue import locate
from rag.models.gguf import read
from rag.records import Message
from rag.settings import EngineSettings, Settings

QUESTION = Message("user", "What is the capital of France?")
TURN = "{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}"
TAIL = "{{ '<|im_start|>assistant\\n' }}"
NO_SYSTEM = (
    "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    + TURN + "{% endfor %}" + TAIL
)  # fmt: skip
ALWAYS_FAILS = "{{ raise_exception('never') }}"
THINKS = (
    "{% for m in messages %}" + TURN + "{% endfor %}" + TAIL + "{% if enable_thinking %}<think>{% endif %}"
)

Made = Callable[[str], LocalEngine]


@pytest.fixture
def under(tmp_path: Path) -> Iterator[Made]:
    """Makes an engine whose model file has this template instead of its own."""
    whole = locate("smollm2-135m", Settings(home=tmp_path)).path
    old = str(read(whole).metadata["tokenizer.chat_template"]).encode()
    engines = []

    def make(template: str) -> LocalEngine:
        new = template.encode()
        padding = len(old) - len(new) - len(b"{##}")
        assert padding >= 0
        changed = whole.read_bytes().replace(old, new + b"{#" + b" " * padding + b"#}", 1)
        path = tmp_path / f"{len(engines)}.gguf"
        path.write_bytes(changed)
        made = engine_module.load(
            Settings(home=tmp_path, engine=EngineSettings(model=str(path), context=512, ubatch=64))
        )
        assert isinstance(made, LocalEngine)
        engines.append(made)
        return made

    yield make
    for engine in engines:
        engine.close()


def answer(engine: LocalEngine, *messages: Message) -> str:
    pieces = engine.stream(messages, sampling=PROFILES["greedy"], max_tokens=8)
    return "".join(piece.text for piece in pieces)


def test_a_template_without_a_system_role_gets_it_in_the_first_question(under: Made) -> None:
    engine = under(NO_SYSTEM)
    system = Message("system", "Answer briefly.")
    assert "France" in answer(engine, system, QUESTION)
    joined = Message("user", f"{system.content}\n\n{QUESTION.content}")
    assert engine.count_messages([system, QUESTION]) == pytest.approx(engine.count_messages([joined]), abs=1)


def test_a_template_that_fails_is_an_error_and_the_engine_lives(under: Made) -> None:
    engine = under(ALWAYS_FAILS)
    with pytest.raises(EngineError, match="chat template failed: never"):
        answer(engine, QUESTION)
    assert engine.count(["hello"]) == [1]
    assert engine.turnstile.waiting == 0
    assert not engine.info().demo


def test_thinking_is_switched_off_where_the_template_knows_it(under: Made) -> None:
    engine = under(THINKS)
    plain = engine.count_messages([QUESTION])
    assert "think" not in answer(engine, QUESTION)
    assert plain < engine.count_messages([QUESTION, Message("assistant", "<think>"), QUESTION])


def test_a_model_without_a_template_is_refused(under: Made, tmp_path: Path) -> None:
    engine = under(THINKS)
    path = tmp_path / "0.gguf"
    path.write_bytes(path.read_bytes().replace(b"tokenizer.chat_template", b"tokenizer.chat_tEmplate", 1))
    with pytest.raises(ModelUnfit, match="no chat template"):
        engine.start()
