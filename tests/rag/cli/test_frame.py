"""The frame of the command line: errors, exit codes, and a standard output that holds JSON alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rag.cli import frame, main
from rag.errors import NothingToWorkOn, UsageError


def test_help_answers_at_once_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; from rag.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "bad = {'pydantic', 'numpy', 'torch', 'chromadb', 'llama_cpp', 'gradio'} & set(sys.modules)\n"
        "sys.exit(f'imported {bad}' if bad else 0)"
    )
    took = []
    for _ in range(3):
        started = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        took.append(time.perf_counter() - started)
        assert done.returncode == 0, done.stderr
        assert "search" in done.stdout
    assert min(took) < 0.5


def test_no_command_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == frame.USAGE
    assert "COMMAND" in capsys.readouterr().err


def test_an_unknown_command_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dance", "--json"]) == frame.USAGE
    shown = capsys.readouterr()
    assert set(json.loads(shown.out)) == {"error", "fix"}
    assert "dance" in shown.err


def test_expected_errors_keep_their_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    def body() -> int:
        raise NothingToWorkOn("There is no corpus here.", fix="Give another path.")

    assert frame.execute(body, as_json=False) == frame.NOTHING_FOUND
    assert capsys.readouterr().err == "error: There is no corpus here.\n  fix: Give another path.\n"


def test_with_json_nothing_else_reaches_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    def body() -> int:
        print("a library is chatting")
        frame.write_json({"answer": "值"})
        return frame.DONE

    assert frame.execute(body, as_json=True) == frame.DONE
    shown = capsys.readouterr()
    assert json.loads(shown.out) == {"answer": "值"}
    assert "chatting" in shown.err


def test_a_defect_is_shown_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    def body() -> int:
        return 1 // 0

    assert frame.execute(body, as_json=True) == frame.UNEXPECTED
    shown = capsys.readouterr()
    assert "ZeroDivisionError" in json.loads(shown.out)["error"]
    assert "Traceback" in shown.err


def test_another_python_is_told_which_to_take(capsys: pytest.CaptureFixture[str]) -> None:
    def missing(name: str) -> int:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    assert frame.execute(lambda: missing("platformdirs"), as_json=True) == frame.USAGE
    shown = capsys.readouterr()
    assert "does not have the package platformdirs" in json.loads(shown.out)["error"]
    assert ".venv/bin/python" in json.loads(shown.out)["fix"]
    assert "Traceback" not in shown.err
    assert frame.execute(lambda: missing("rag.nothing"), as_json=False) == frame.UNEXPECTED
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c(capsys: pytest.CaptureFixture[str]) -> None:
    def body() -> int:
        raise KeyboardInterrupt

    assert frame.execute(body, as_json=False) == frame.INTERRUPTED


def test_a_parser_complains_with_usage_errors() -> None:
    parser = frame.Parser(prog="x")
    parser.add_argument("--limit", type=int)
    with pytest.raises(UsageError, match="--limit"):
        parser.parse_args(["--limit", "many"])


@pytest.mark.parametrize(
    ("argv", "as_json"),
    [(["in"], False), (["--json", "in"], True), (["in", "--json"], True), (["--json", "in", "--json"], True)],
)
def test_shared_options_may_stand_before_and_behind_an_inner_command(argv: list[str], as_json: bool) -> None:
    parser = frame.Parser(prog="x", parents=[frame.shared_options()])
    inner = parser.add_subparsers(dest="action", parser_class=frame.Parser)
    inner.add_parser("in", parents=[frame.shared_options()])
    arguments = parser.parse_args(argv)
    assert (arguments.json, arguments.config, arguments.action) == (as_json, None, "in")


def test_output_survives_a_locale_without_chinese_letters() -> None:
    code = "from rag.cli import frame; frame.execute(lambda: print('合同') or 0, as_json=False)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=False,
        env={"PYTHONIOENCODING": "latin-1", "PYTHONPATH": ":".join(sys.path)},
    )
    assert done.returncode == 0
    assert done.stdout.decode() == "合同\n"


def test_file_names_of_any_script_in_a_locale_without_them(tmp_path: Path) -> None:
    file = tmp_path / "【报告】é.txt"
    file.write_text("员工停车场每晚十一点关闭。", encoding="utf-8")
    # As in a locale of another encoding than UTF-8: Python itself helps in the locale C only.
    ascii_only = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "ingest", "--text", "--json", str(file)],
        env=ascii_only,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["path"] == str(file)
    assert "停车场" in shown["pages"][0]["text"]
