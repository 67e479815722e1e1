"""`rag model` and `rag doctor` as they are called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rag.cli import main
from rag.models.digests import Digests
from tests.rag.models import gguf_files as files


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, dict[str, Any]]:
    code = main([*argv, "--json"])
    value = json.loads(capsys.readouterr().out)
    assert isinstance(value, dict)
    return code, value


def test_the_list_names_what_is_there_and_what_is_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    code, value = told(capsys, "model", "list")
    assert code == 0
    by_name = {row["name"]: row for row in value["models"]}
    assert by_name["smollm2-135m"]["installed"]
    assert by_name["smollm2-135m"]["in_use"]
    assert by_name["smollm2-135m"]["demo"]
    assert not by_name["bonsai-27b"]["installed"]
    assert main(["model", "list"]) == 0
    assert "PrismML" in capsys.readouterr().out


def test_check_says_ok_and_what_the_file_is(capsys: pytest.CaptureFixture[str]) -> None:
    code, value = told(capsys, "model", "check", "smollm2-135m")
    assert code == 0
    assert value["ok"] is True
    assert value["problems"] == []
    assert value["architecture"] == "llama"
    assert len(value["sha256"]) == 64


def test_check_names_the_problem_and_its_fix(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    cut = files.write(tmp_path / "cut.gguf", files.whole()[:-100])
    code, value = told(capsys, "model", "check", str(cut))
    assert code == 3
    assert (value["ok"], value["problems"][0]["kind"]) == (False, "truncated")
    assert value["problems"][0]["fix"]
    assert value["sha256"] is None
    assert main(["model", "check", str(cut)]) == 3
    assert "cannot be used" in capsys.readouterr().out
    code, value = told(capsys, "model", "check", str(tmp_path / "none.gguf"))
    assert (code, value["problems"][0]["kind"]) == (3, "missing")


def test_check_compares_with_what_was_downloaded(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = files.write(tmp_path / "m.gguf", files.whole())
    digests = Digests(tmp_path / "home" / "models")
    digests.expect(file, digests.sha256(file))
    assert told(capsys, "model", "check", str(file))[0] == 0
    contents = bytearray(files.whole())
    contents[-40] ^= 1  # in the weights, where no header shows it
    file.write_bytes(contents)
    code, value = told(capsys, "model", "check", str(file))
    assert (code, value["problems"][0]["kind"]) == (3, "checksum")


def test_check_compares_with_a_digest_that_is_given(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = files.write(tmp_path / "m.gguf", files.whole())
    right = Digests(tmp_path).sha256(file)
    assert told(capsys, "model", "check", str(file), "--sha256", right.upper())[0] == 0
    code, value = told(capsys, "model", "check", str(file), "--sha256", "0" * 64)
    assert (code, value["problems"][0]["kind"]) == (3, "checksum")
    assert "--sha256" in value["problems"][0]["message"]
    assert told(capsys, "model", "check", str(file), "--sha256", "short")[0] == 2
    (tmp_path / "m.gguf.sha256").write_text("1" * 64)
    code, value = told(capsys, "model", "check", str(file))
    assert (code, "m.gguf.sha256" in value["problems"][0]["message"]) == (3, True)


def test_plan_of_a_model_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    code, value = told(capsys, "model", "plan", "bonsai-27b", "--context", "32768", "--ubatch", "2048")
    assert code == 0
    assert value["kv_mib"] == 1088
    assert value["recurrent_mib"] == 149.62
    assert value["fits"] is True
    assert value["total_mib"] == pytest.approx(9517, rel=0.02)
    assert value["total_mib"] == pytest.approx(
        sum(value[f"{line}_mib"] for line in ("weights", "kv", "recurrent", "compute", "overhead")), abs=0.05
    )
    code, value = told(capsys, "model", "plan", "bonsai-27b", "--memory", "8GiB", "--kv", "f16")
    assert (code, value["fits"]) == (0, False)
    assert 0 < value["largest_context"] < 8192
    code, value = told(capsys, "model", "plan", "bonsai-8b")
    assert code == 1
    assert "pull bonsai-8b" in value["fix"]


def test_plan_of_the_model_in_use_and_of_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, value = told(capsys, "model", "plan")
    assert (code, value["model"], value["device"]) == (0, "smollm2-135m", "cpu")
    assert value["total_mib"] == pytest.approx(250, rel=0.1)
    file = files.write(tmp_path / "m.gguf", files.whole())
    code, value = told(capsys, "model", "plan", str(file), "--memory", "2GiB")
    assert (code, value["largest_context"]) == (0, 2048)
    assert main(["model", "plan"]) == 0
    assert "fits into" in capsys.readouterr().out
    assert told(capsys, "model", "plan", "--context", "0")[0] == 2
    assert told(capsys, "model", "plan", "--memory", "lots")[0] == 2


def test_usage_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "model", "pull", "nothing")[0] == 2
    code, value = told(capsys, "model", "pull", "smollm2-135m")
    assert (code, value["downloaded"]) == (0, False)
    assert Path(value["path"]).is_file()
    assert told(capsys, "model")[0] == 2


def test_the_doctor_looks_at_everything(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, value = told(capsys, "doctor")
    checks = {check["name"]: check for check in value["checks"]}
    assert list(checks) == [
        "python", "packages", "data folder", "sqlite", "vectors", "embedder", "engine", "model",
        "recognition", "libreoffice", "network",
    ]  # fmt: skip
    assert all(set(check) == {"name", "ok", "found", "fix"} for check in value["checks"])
    wrong = {name: check for name, check in checks.items() if not check["ok"]}
    assert wrong == {}
    assert (code, value["ok"]) == (0, True)
    assert "llama-cpp-python" in checks["engine"]["found"]
    assert "FTS5" in checks["sqlite"]["found"]
    assert str(tmp_path) in checks["data folder"]["found"]


def test_the_doctor_names_what_is_wrong_and_the_fix(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").write_text("a file where the data folder should be")
    (tmp_path / "rag.toml").write_text('[engine]\nmodel = "bonsai-27b"\nlibrary = "/nowhere"\n')
    code = main(["doctor", "--json", "--config", str(tmp_path / "rag.toml")])
    value = json.loads(capsys.readouterr().out)
    assert (code, value["ok"]) == (3, False)
    wrong = {check["name"]: check for check in value["checks"] if not check["ok"]}
    assert {"data folder", "engine", "model", "network"} <= set(wrong)
    assert all(check["fix"] for check in wrong.values())
    assert "pull bonsai-27b" in wrong["model"]["fix"]
    assert main(["doctor", "--config", str(tmp_path / "rag.toml")]) == 3
    assert "FAIL  model" in capsys.readouterr().out
