"""The image is made of paths that exist and of the versions that the project itself names.

No container engine is needed: what could drift away from the project unnoticed is checked as text.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from rag.settings import UiSettings

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docker"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COMPOSE: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))


def instructions() -> list[tuple[str, str]]:
    """(instruction, arguments) of the Dockerfile, comments dropped and continued lines joined."""
    lines = (FOLDER / "Dockerfile").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n", " ", text)
    return [(first.upper(), rest.strip()) for first, rest in re.findall(r"^(\w+)\s+(.*)$", joined, re.M)]


def arguments(name: str) -> list[str]:
    return [rest for instruction, rest in instructions() if instruction == name]


def copied() -> list[str]:
    return [path for rest in arguments("COPY") if not rest.startswith("--from") for path in rest.split()[:-1]]


@pytest.mark.parametrize("path", copied())
def test_everything_that_is_copied_exists_and_reaches_the_builder(path: str) -> None:
    assert (ROOT / path).exists()
    ignore = (FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8").split("\n")
    assert f"!{path.split('/')[0]}" in ignore


def test_every_package_of_the_project_is_copied() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"}
    assert packages <= set(copied())


def test_python_is_one_that_the_project_supports() -> None:
    (version,) = (rest.split("=")[1] for rest in arguments("ARG") if rest.startswith("PYTHON="))
    assert f"{version}.0" in SpecifierSet(PROJECT["requires-python"])
    assert all(rest.startswith("python:${PYTHON}-") for rest in arguments("FROM"))


def test_package_versions_come_from_the_lock_files_only() -> None:
    installs = [rest for rest in arguments("RUN") if "pip install" in rest]
    assert not [rest for rest in installs if re.search(r"==\s*\d", rest)]
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8").split()
    for package in ("llama-cpp-python", "torch"):
        (pinned,) = (line for line in PROJECT["dependencies"] if line.startswith(f"{package}=="))
        assert pinned in lock
        assert any(f"grep '^{package}==' requirements.lock" in rest for rest in installs)


def test_the_image_is_quiet_unprivileged_and_watched() -> None:
    environment = " ".join(arguments("ENV"))
    for setting in ("GRADIO_ANALYTICS_ENABLED=False", "HF_HUB_OFFLINE=1", "ANONYMIZED_TELEMETRY=False"):
        assert setting in environment
    assert arguments("USER") == ["rag"]
    assert arguments("VOLUME") == ["/data"]
    assert "RAG_HOME=/data" in environment
    port = UiSettings().port
    assert arguments("EXPOSE") == [str(port)]
    (check,) = arguments("HEALTHCHECK")
    assert f"http://127.0.0.1:{port}/healthz" in check


def test_the_compose_file_opens_the_page_to_this_machine_only() -> None:
    services = COMPOSE["services"]
    port = UiSettings().port
    assert services["rag"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    for name, service in services.items():
        assert "rag-home:/data" in service["volumes"]
        assert next(volume for volume in service["volumes"] if ":/documents" in volume).endswith(":ro")
        assert (FOLDER / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
        if name != "rag":
            assert service["profiles"]
            assert service["network_mode"] == "none"
    assert "rag-home" in COMPOSE["volumes"]
