"""The file of those who may sign in, and the commands that change it."""

from __future__ import annotations

import io
import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rag.errors import NothingToWorkOn, SettingsError, UsageError
from ui.__main__ import main
from ui.entry import passwords
from ui.entry.users import Users

PASSWORD = "correct horse battery"


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords that cost little: what is tested here is the file."""
    monkeypatch.setattr(passwords, "_N", 16)


@pytest.mark.usefixtures("cheap")
def test_people_come_and_go(tmp_path: Path) -> None:
    users, others = Users(tmp_path), Users(tmp_path)
    assert users.names() == others.names() == []
    assert users.add(" Ann ", PASSWORD) == "Ann"
    users.add("安娜", PASSWORD)
    assert others.names() == ["Ann", "安娜"]
    assert others.called("aNN") == "Ann"
    assert others.called("an") is None
    assert others.line("ann") is None
    before = others.line("Ann")
    others.change("ann", PASSWORD + "!")
    assert users.line("Ann") not in (None, before)
    assert users.remove("ANN") == "Ann"
    assert others.names() == ["安娜"]
    others.remove("安娜")
    assert users.names() == []
    assert not users.path.exists()


@pytest.mark.usefixtures("cheap")
def test_nobody_else_reads_the_file(tmp_path: Path) -> None:
    users = Users(tmp_path)
    users.add("ann", PASSWORD)
    assert stat.S_IMODE(users.path.stat().st_mode) == 0o600
    assert PASSWORD not in users.path.read_text()
    users.path.chmod(0o640)
    with pytest.raises(SettingsError, match="chmod 600"):
        users.names()


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"version": 2, "users": {}}', '{"version": 1, "users": []}']
)
def test_a_damaged_file_lets_nobody_in(tmp_path: Path, content: str) -> None:
    users = Users(tmp_path)
    users.path.write_text(content)
    users.path.chmod(0o600)
    with pytest.raises(SettingsError):
        users.names()


@pytest.mark.usefixtures("cheap")
def test_names_that_cannot_be_told_apart_or_are_none(tmp_path: Path) -> None:
    users = Users(tmp_path)
    users.add("ann", PASSWORD)
    for name in ("ann", "ANN", "", "everyone", "a\nb"):
        with pytest.raises(UsageError):
            users.add(name, PASSWORD)
    for act in (lambda: users.change("bo", PASSWORD), lambda: users.remove("bo")):
        with pytest.raises(NothingToWorkOn):
            act()
    assert users.names() == ["ann"]


@pytest.mark.usefixtures("cheap")
def test_changes_at_the_same_moment_lose_nobody(tmp_path: Path) -> None:
    names = [f"person-{n}" for n in range(12)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda name: Users(tmp_path).add(name, PASSWORD), names))
    assert Users(tmp_path).names() == sorted(names)


def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str, typed: str = ""
) -> tuple[int, dict[str, object]]:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    code = main(["users", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("cheap")
def test_the_commands(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*words: str, typed: str = "") -> tuple[int, dict[str, object]]:
        return command(capsys, monkeypatch, *words, typed=typed)

    assert run("list") == (0, {"users": []})
    assert run("add", "ann", typed=f"{PASSWORD}\n") == (0, {"act": "add", "name": "ann", "users": ["ann"]})
    assert run("change", "Ann", typed=f"{PASSWORD}2\r\n")[1]["name"] == "ann"
    assert run("list") == (0, {"users": ["ann"]})
    for words, typed, code in (
        (("add", "ann"), PASSWORD, 2),
        (("add", "bo"), "short", 2),
        (("add", "bo"), "", 4),
        (("change", "bo"), PASSWORD, 4),
        (("remove", "bo"), "", 4),
        (("add",), PASSWORD, 2),
        ((), "", 2),
        (("rename", "ann"), "", 2),
    ):
        returned, told = run(*words, typed=typed)
        assert (returned, set(told)) == (code, {"error", "fix"}), words
    assert run("remove", "ann") == (0, {"act": "remove", "name": "ann", "users": []})


def test_people_who_sign_in_and_a_proxy_that_knows_them_exclude_each_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RAG_UI_PROXY_HEADER", "X-Forwarded-User")
    code, _ = command(capsys, monkeypatch, "add", "ann", typed=PASSWORD)
    assert code == 2
    monkeypatch.delenv("RAG_UI_PROXY_HEADER")
    command(capsys, monkeypatch, "add", "ann", typed=PASSWORD)
    monkeypatch.setenv("RAG_UI_PROXY_HEADER", "X-Forwarded-User")
    assert main(["--port", "0", "--json"]) == 2
    assert "proxy" in json.loads(capsys.readouterr().out)["error"]
