"""Runs of answers: real documents, the real search, the packaged model; interrupted, resumed, never mixed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eval import datasets, runs
from eval.conducting import Conducted, Plan, conduct
from eval.journal import Journal, fingerprint
from eval.laboratory import Resident
from eval.strategies import Strategy, chosen, known
from ingest import sync
from rag.embedding.protocol import Embedder
from rag.engine.local import LocalEngine
from rag.errors import SettingsError, UsageError
from rag.library import Library
from rag.settings import Settings

LEAVE = "Every employee has twenty-five days of paid leave a year; unused days expire at the end of March."
PUMP = "冷却水泵每运行五百小时须检修一次，检修时同时更换滤芯并记录油位。"
TIMES = ("first_token_s", "total_s")


def question(id: str, text: str, facts: list[str], doc: str, quote: str, **more: Any) -> dict[str, Any]:
    return {
        "id": id,
        "question": text,
        "answers": [],
        "nuggets": [{"text": fact, "vital": True} for fact in facts],
        "evidence": [{"doc": doc, "quote": quote}],
        "lang": "en",
        "kind": "fact",
        "answerable": True,
        **more,
    }


QUESTIONS = [
    question("leave", "How many days of paid leave are there?", ["25 days of paid leave"], "leave.md", LEAVE),
    question("pump", "水泵多久检修一次？", ["每500小时检修一次"], "pump.txt", PUMP, lang="zh"),
    question("none", "Who won the cup in 1998?", [], "leave.md", LEAVE, answerable=False, evidence=[]),
]


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    folder = tmp_path_factory.mktemp("answers") / "small"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "leave.md").write_text(f"# Leave\n\n{LEAVE}\n\nThe canteen opens at noon.\n")
    (folder / "docs" / "pump.txt").write_text(f"第一章 维护\n\n{PUMP}\n", encoding="utf-8")
    lines = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in QUESTIONS)
    (folder / "questions.jsonl").write_text(lines, encoding="utf-8")
    return Plan(datasets.read(folder), judges=("exact",), collections=("default",))


@pytest.fixture(scope="module")
def rooms(
    plan: Plan, embedder: Embedder, engine: LocalEngine, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Settings, Resident]]:
    settings = Settings(home=tmp_path_factory.mktemp("rooms"))
    sync.run(settings, [plan.dataset.docs], embedder=embedder)
    library = Library.open(settings)
    yield settings, Resident(settings.home / "eval", settings, library, embedder, engine)
    library.close()


@pytest.fixture(scope="module")
def whole(
    plan: Plan, rooms: tuple[Settings, Resident], tmp_path_factory: pytest.TempPathFactory
) -> Conducted:
    settings, resident = rooms
    return conduct(plan, known()["quick"], settings, resident, tmp_path_factory.mktemp("whole"))


def told(path: Path) -> list[dict[str, Any]]:
    """The lines of a run without what a clock says."""
    _, lines = runs.read(path)
    for line in lines:
        del line["timing"]
        for name in TIMES:
            del line["figures"][name]
    return lines


def test_every_figure_of_every_question_is_kept(whole: Conducted) -> None:
    head, lines = runs.read(whole.path)
    assert (whole.questions, whole.resumed, whole.failed) == (3, 0, 0)
    assert [line["id"] for line in lines] == ["leave", "pump", "none"]
    leave, pump, none = lines
    assert leave["figures"]["vital"] == 1
    assert leave["figures"]["evidence"] == 1
    assert leave["figures"]["citation_precision"] == 1
    assert leave["figures"]["gold_cited"] == 1
    assert leave["figures"]["refused_wrongly"] == 0
    assert leave["facts"][0]["verdicts"]["exact"]["support"] == "support"
    assert pump["figures"]["vital"] == 1
    assert "vital" not in none["figures"]
    assert none["figures"]["refused_rightly"] in (0, 1)
    assert leave["evidence"][0]["document"] == "leave.md"
    for name in ("settings", "versions", "strategy", "judges", "agreement", "fingerprint"):
        assert head[name], name
    assert len(head["hashes"]["model"]) == 64
    assert head["complete"] is True


def test_a_run_interrupted_at_half_and_resumed_equals_one_that_was_not(
    plan: Plan, rooms: tuple[Settings, Resident], whole: Conducted, tmp_path: Path
) -> None:
    settings, resident = rooms
    asked = 0

    def stopping() -> bool:
        nonlocal asked
        asked += 1
        return asked > 1

    half = conduct(plan, known()["quick"], settings, resident, tmp_path, stopping=stopping)
    assert half.questions == 1
    assert runs.read(half.path)[0]["complete"] is False
    # A line that was cut off by a kill is dropped and asked again.
    with half.path.open("a", encoding="utf-8") as file:
        file.write('{"file": "questions.jsonl", "id": "pu')
    resumed = conduct(plan, known()["quick"], settings, resident, tmp_path)
    assert (resumed.resumed, resumed.questions) == (1, 3)
    assert told(resumed.path) == told(whole.path)
    again = conduct(plan, known()["quick"], settings, resident, tmp_path)
    assert again.resumed == 3


def test_evidence_can_be_withheld_and_is_missed(
    plan: Plan, rooms: tuple[Settings, Resident], tmp_path: Path
) -> None:
    settings, resident = rooms
    strategy = Strategy(name="blind", withhold=1.0)
    done = conduct(plan, strategy, settings, resident, tmp_path)
    assert done.means["vital"] == 0
    assert done.means["evidence"] == 0
    _, lines = runs.read(done.path)
    assert all(line["withheld"] for line in lines)


def test_runs_of_different_strategies_never_share_a_file(
    plan: Plan, rooms: tuple[Settings, Resident], whole: Conducted, tmp_path: Path
) -> None:
    settings, resident = rooms
    other = Strategy(name="quick", budget=256)
    apart = conduct(plan, other, settings, resident, tmp_path)
    assert apart.path.name != whole.path.name
    (tmp_path / "quick.jsonl").write_bytes(whole.path.read_bytes())
    with pytest.raises(UsageError, match=r"holds another run: strategy.* differ"):
        conduct(plan, other, settings, resident, tmp_path, own_name=True)


def test_one_leg_alone_leads_the_search(plan: Plan, rooms: tuple[Settings, Resident], tmp_path: Path) -> None:
    settings, resident = rooms
    for leg in ("dense", "keyword"):
        done = conduct(plan, Strategy(name=leg, legs=(leg,)), settings, resident, tmp_path)
        assert done.means["evidence"] == 1, leg


def test_a_strategy_for_another_model_is_refused_by_a_service(
    plan: Plan, rooms: tuple[Settings, Resident], tmp_path: Path
) -> None:
    settings, resident = rooms
    with pytest.raises(UsageError, match="another model or other chunks"):
        conduct(plan, known()["kv-f16"], settings, resident, tmp_path)


def test_a_run_is_written_by_one_at_a_time(tmp_path: Path) -> None:
    head = {"run": 1, "fingerprint": "f"}
    path = tmp_path / "new" / "run.jsonl"
    with Journal(path, head) as journal:
        journal.add({"file": "q", "id": "1"})
        with pytest.raises(UsageError, match="being written by another"):
            Journal(path, head)
        journal.add({"file": "q", "id": "2"})
    with Journal(path, head) as again:
        assert len(again.lines) == 2
    with pytest.raises(UsageError, match="another run"):
        Journal(path, {"run": 1, "fingerprint": "g"})
    with Journal(path, head) as free:  # a refusal leaves no lock behind
        assert len(free.lines) == 2


def test_failed_questions_are_asked_again(tmp_path: Path) -> None:
    head = runs.header("answers", "set", fingerprint="f")
    with Journal(tmp_path / "run.jsonl", head) as journal:
        journal.add({"file": "q", "id": "a", "error": "engine died", "figures": {}})
        journal.add({"file": "q", "id": "b", "figures": {}})
    with Journal(tmp_path / "run.jsonl", head) as journal:
        assert set(journal.lines) == {("q", "b")}


def test_fingerprints_tell_everything_apart() -> None:
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    assert fingerprint({"a": 1}) != fingerprint({"a": 2})


def test_all_strategies_that_come_along_are_valid(settings: Settings) -> None:
    found = known()
    assert {"quick", "complete", "every", "zero-shot", "few-shot", "dense", "keyword", "kv-q4"} <= set(found)
    for strategy in found.values():
        strategy.applied(settings)
    assert found["kv-q4"].applied(settings).engine.kv == "q4_0"


def test_own_strategies_stand_over_ours_and_seeds_are_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[quick]\nbudget = 512\n[mine]\nsampling = { temperature = 1.0 }\n")
    quick, mine = chosen(["quick:7", "mine"], file)
    assert (quick.name, quick.seed, quick.budget) == ("quick:7", 7, 512)
    assert mine.sampling is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a]\nmoed = 'quick'", "strategy a, key moed"),
        ("[a]\nwithhold = 2", "strategy a, key withhold"),
        ("[a]\nname = 'b'", "strategy a, key name"),
        ("a = 1", "'a' is no strategy"),
        ("[a", "not valid TOML"),
    ],
)
def test_mistakes_in_strategies_are_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=message):
        known(file)


def test_settings_that_do_not_exist_are_named(settings: Settings) -> None:
    with pytest.raises(SettingsError, match=r"engine\.kv"):
        Strategy(name="a", settings={"engine": {"kv": "q2"}}).applied(settings)
    with pytest.raises(SettingsError, match="'motor', which is no section"):
        Strategy(name="a", settings={"motor": {"kv": "q8_0"}}).applied(settings)
    with pytest.raises(UsageError, match="no strategy 'fast'"):
        chosen(["fast"])
    with pytest.raises(UsageError, match="named twice"):
        chosen(["quick", "quick"])
