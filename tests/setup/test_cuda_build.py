"""For which card the engine is compiled: with programs that answer as the driver's and the toolkit's do."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def cuda_build(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "setup"))
    import cuda_build

    return cuda_build


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Writes a program into a folder that is all of the PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    for name in ("CUDACXX", "CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(name, raising=False)

    def write(name: str, text: str) -> Path:
        path = folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    return write


@pytest.mark.parametrize(
    ("shown", "meant"),
    [("8.9", "89"), ("9.0\n9.0", "90"), ("12.0\n8.9", "89;120"), ("8.6 \n", "86")],
)
def test_native_is_what_the_driver_shows(
    cuda_build: ModuleType, program: Callable[[str, str], Path], shown: str, meant: str
) -> None:
    program("nvidia-smi", f"printf '{shown}\\n'".replace("\n", "\\n"))
    assert cuda_build.architectures("native") == meant


@pytest.mark.parametrize("text", ["exit 9", "echo 'No devices were found'", "echo '[N/A]'"])
def test_without_a_visible_card_it_has_to_be_named(
    cuda_build: ModuleType, program: Callable[[str, str], Path], text: str
) -> None:
    with pytest.raises(cuda_build.CudaError, match="CUDA_ARCH=89"):
        cuda_build.architectures("native")
    program("nvidia-smi", text)
    with pytest.raises(cuda_build.CudaError, match="CUDA_ARCH=89"):
        cuda_build.architectures("native")
    assert cuda_build.architectures("89") == "89"


@pytest.mark.parametrize(
    ("wanted", "given"), [("89", "89"), ("86,89", "86;89"), ("120a-real", "120a-real"), ("90a", "90a")]
)
def test_a_named_architecture_is_taken_as_it_is(cuda_build: ModuleType, wanted: str, given: str) -> None:
    assert cuda_build.architectures(wanted) == given


@pytest.mark.parametrize("wanted", ["", "sm_89", "8.9", "4090", "89 90", "-DX=1"])
def test_what_is_no_architecture_is_refused(cuda_build: ModuleType, wanted: str) -> None:
    with pytest.raises(cuda_build.CudaError, match="CUDA_ARCH=89"):
        cuda_build.architectures(wanted)


def test_the_compiler_is_found_on_the_path_and_beside_it(
    cuda_build: ModuleType,
    program: Callable[[str, str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cuda_build, "USUAL_FOLDERS", (str(tmp_path / "toolkit" / "bin"),))
    with pytest.raises(cuda_build.CudaError, match="nvcc"):
        cuda_build.compiler()
    there = program("nvcc", "exit 0")
    assert cuda_build.compiler() == str(there)
    (tmp_path / "toolkit" / "bin").mkdir(parents=True)
    there.rename(tmp_path / "toolkit" / "bin" / "nvcc")
    assert cuda_build.compiler() == str(tmp_path / "toolkit" / "bin" / "nvcc")
    monkeypatch.setenv("CUDACXX", "/somewhere/nvcc")
    assert cuda_build.compiler() == "/somewhere/nvcc"


def test_an_engine_for_a_card_stays_until_it_is_unwanted(
    cuda_build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import environment

    monkeypatch.setattr(environment, "DONE", tmp_path / "setup.json")
    monkeypatch.setenv("CMAKE_ARGS", "-DGGML_NATIVE=OFF")

    def cards(gpu: bool | None, arch: str = "89") -> str:
        return str(environment.cuda_architectures(SimpleNamespace(gpu=gpu, cuda_arch=arch)))

    assert cards(None) == ""
    assert cards(True) == "89"
    (tmp_path / "setup.json").write_text(json.dumps({"cuda": "89"}))
    assert cards(None) == "89"
    assert cards(True, "90") == "90"
    assert cards(False) == ""
    assert environment.cmake_flags("") == "-DGGML_NATIVE=OFF"
    assert environment.cmake_flags("86;89") == (
        "-DGGML_NATIVE=OFF -DGGML_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=86;89"
    )


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ([], ""),
        (["GPU=1"], " --gpu --cuda-arch native"),
        (["GPU=1", "CUDA_ARCH=86;89"], " --gpu --cuda-arch 86;89"),
        (["GPU=0"], " --no-gpu"),
        (["GPU=no"], " --no-gpu"),
        (["TORCH_INDEX=https://x/cpu"], " --torch-index https://x/cpu"),
    ],
)
def test_what_make_calls(words: list[str], options: str) -> None:
    done = subprocess.run(
        ["make", "-n", "setup", f"PYTHON={sys.executable}", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    (line,) = (line for line in done.stdout.splitlines() if "environment.py" in line)
    assert shlex.split(line.split("environment.py")[1]) == options.split()
