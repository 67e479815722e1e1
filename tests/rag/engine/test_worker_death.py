"""The worker's end, in every way it can come: noticed at once, said in words, mended by the next call."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag import engine as engine_module
from rag.engine import restarts
from rag.engine.local import LocalEngine
from rag.engine.sampling import PROFILES
from rag.errors import EngineDied, EngineStartFailed, ModelMissing, ModelUnfit, SettingsError
from rag.models.catalogue import locate
from rag.records import Message
from rag.settings import EngineSettings, Settings

GREEDY = PROFILES["greedy"]
STORY = [Message("user", "Tell me a very long story about the sea.")]
SMALL = EngineSettings(context=1024, batch=256, ubatch=128)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[LocalEngine]:
    """An engine of this test's own, which it may kill."""
    made = engine_module.load(Settings(home=tmp_path, engine=SMALL))
    assert isinstance(made, LocalEngine)
    yield made
    made.close()


def gone(pid: int) -> bool:
    """No such process, or only its remains until somebody collects them."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # the latter if it goes between opening and reading
        return True
    return state in "ZX"


def wait_until_gone(pid: int, seconds: float) -> float:
    began = time.monotonic()
    while not gone(pid) and time.monotonic() - began < seconds:
        time.sleep(0.02)
    assert gone(pid)
    return time.monotonic() - began


def test_killed_in_the_middle_of_an_answer(own: LocalEngine) -> None:
    answer = own.stream(STORY, sampling=GREEDY, max_tokens=900)
    while not next(answer).text:
        pass
    pid = own.info().pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    began = time.monotonic()
    with pytest.raises(EngineDied, match="signal 9") as raised:
        list(answer)
    assert time.monotonic() - began < 2
    assert "Ask again" in raised.value.fix
    assert own.info().state == "dead"
    assert "signal 9" in own.info().problem
    text = "".join(t.text for t in own.stream(STORY, sampling=GREEDY, max_tokens=8))
    assert text
    assert own.info().pid not in (None, pid)
    assert own.info().problem == ""


def test_a_crash_is_named_by_its_signal(own: LocalEngine) -> None:
    own.start()
    pid = own.info().pid
    assert pid is not None
    answer = own.stream(STORY, sampling=GREEDY, max_tokens=900)
    while not next(answer).text:
        pass
    os.kill(pid, signal.SIGSEGV)
    with pytest.raises(EngineDied, match="SIGSEGV"):
        list(answer)
    assert own.count(["hello"]) == [1]


def test_who_waits_in_line_gets_an_answer_from_the_new_process(own: LocalEngine) -> None:
    answer = own.stream(STORY, sampling=GREEDY, max_tokens=900)
    while not next(answer).text:
        pass
    waiting = own.stream(STORY, sampling=GREEDY, max_tokens=4)
    assert next(waiting).ahead == 1
    pid = own.info().pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(EngineDied):
        list(answer)
    assert "".join(t.text for t in waiting)


def test_a_defect_in_one_of_its_threads_ends_the_worker_with_a_word(own: LocalEngine) -> None:
    own.start()
    process = own._supervisor.process
    assert process is not None
    process._commands.write(b"no command at all\n")
    wait_until_gone(process.pid, 5)
    while process.death is None:
        time.sleep(0.01)
    assert "exit code 70" in process.death.message
    assert "JSONDecodeError" in process.death.message
    assert own.count(["hello"]) == [1]


def test_a_model_that_keeps_dying_is_left_alone_for_a_while(own: LocalEngine) -> None:
    for _ in range(restarts.LIMIT):
        answer = own.stream(STORY, sampling=GREEDY, max_tokens=900)
        while not next(answer).text:
            pass
        pid = own.info().pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(EngineDied):
            list(answer)
    with pytest.raises(EngineStartFailed, match="several times"):
        own.start()


def test_close_ends_the_process_and_a_later_call_starts_another(own: LocalEngine) -> None:
    own.start()
    pid = own.info().pid
    assert pid is not None
    own.close()
    own.close()
    assert gone(pid)
    assert own.info().state == "stopped"
    assert own.count(["hello"]) == [1]


def test_close_in_the_middle_of_an_answer(own: LocalEngine) -> None:
    answer = own.stream(STORY, sampling=GREEDY, max_tokens=900)
    while not next(answer).text:
        pass
    own.close()
    with pytest.raises(EngineDied, match="closed"):
        list(answer)
    assert own.info().problem == ""


PARENT = """
import sys
from pathlib import Path
from rag import engine
from rag.records import Message
from rag.settings import Settings
made = engine.load(Settings(home=Path(sys.argv[1])))
answer = made.stream([Message("user", "word " * 3000)], max_tokens=500)
while not next(answer).read:
    pass
print(made.info().pid, flush=True)
for token in answer:
    pass
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_worker_outlives_the_service(tmp_path: Path, how: signal.Signals) -> None:
    """Killed in the middle of evaluating a long prompt."""
    service = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(engine_module.__file__).parents[2])},
    )
    assert service.stdout is not None
    with service:
        worker = int(service.stdout.readline())
        assert not gone(worker)
        service.send_signal(how)
        assert wait_until_gone(worker, 5) < 3


def test_a_damaged_model_is_refused_in_words(tmp_path: Path, settings: Settings) -> None:
    whole = locate("smollm2-135m", settings).path
    cut = tmp_path / "cut.gguf"
    with whole.open("rb") as source, cut.open("wb") as target:
        target.write(source.read(30_000_000))
    made = engine_module.load(Settings(home=tmp_path, engine=EngineSettings(model=str(cut))))
    with pytest.raises(ModelUnfit, match="cut off"):
        made.start()
    (tmp_path / "text.gguf").write_text("not a model")
    with pytest.raises(ModelUnfit, match="not a GGUF"):
        engine_module.load(
            Settings(home=tmp_path, engine=EngineSettings(model=str(tmp_path / "text.gguf")))
        ).start()
    with pytest.raises(ModelMissing, match=r"nothing\.gguf"):
        engine_module.load(Settings(home=tmp_path, engine=EngineSettings(model="nothing.gguf"))).start()
    # The same engine works once the file is whole.
    shutil.copyfile(whole, cut)
    assert made.count(["hello"]) == [1]
    made.close()


def test_settings_that_cannot_work_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="flash attention"):
        engine_module.load(Settings(home=tmp_path, engine=EngineSettings(kv="q8_0", flash_attention=False)))
    with pytest.raises(SettingsError, match="no libllama"):
        engine_module.load(Settings(home=tmp_path, engine=EngineSettings(library=str(tmp_path)))).start()


def test_a_start_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    made = engine_module.load(Settings(home=tmp_path, engine=EngineSettings(start_timeout_s=0.01)))
    with pytest.raises(EngineStartFailed, match=r"0\.01 s"):
        made.start()
    assert made.info().pid is None


@pytest.mark.parametrize("kv", ["f16", "q4_0"])
def test_every_cache_type_works_and_context_is_that_of_the_settings(tmp_path: Path, kv: str) -> None:
    options = EngineSettings.model_validate({"context": 512, "kv": kv, "batch": 4096, "ubatch": 4096})
    made = engine_module.load(Settings(home=tmp_path, engine=options))
    assert "".join(t.text for t in made.stream(STORY, sampling=GREEDY, max_tokens=4))
    assert made.info().context == 512
    made.close()


def test_the_context_is_not_stretched_beyond_the_training(tmp_path: Path) -> None:
    made = engine_module.load(Settings(home=tmp_path, engine=EngineSettings(context=32768, ubatch=128)))
    assert made.info().context == 8192
    made.start()
    assert made.info().context == 8192
    made.close()
