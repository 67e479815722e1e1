"""For which graphics card the engine is compiled, and by which compiler; standard library only."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

USUAL_FOLDERS = ("/usr/local/cuda/bin", "/opt/cuda/bin", "/usr/lib/cuda/bin")
NATIVE = "native"


class CudaError(Exception):
    """Said to the user as it is: what is missing and how to get it."""


def compiler() -> str:
    """The path of nvcc: as named by CUDACXX, on the PATH, or where toolkits are usually put.

    Raises CudaError if there is none.
    """
    named = os.environ.get("CUDACXX")
    if named:
        return named
    homes = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    folders = [*(str(Path(home) / "bin") for home in homes), *USUAL_FOLDERS]
    found = shutil.which("nvcc") or shutil.which("nvcc", path=os.pathsep.join(folders))
    if found:
        return found
    raise CudaError(
        "GPU=1 needs the CUDA toolkit, but its compiler nvcc is neither on the PATH nor in "
        f"{USUAL_FOLDERS[0]}. Install the toolkit, or set CUDACXX to the path of nvcc, and run the command "
        "again."
    )


def architectures(wanted: str) -> str:
    """What CMAKE_CUDA_ARCHITECTURES is to be: "89", or "86;89" for several cards.

    "native" is looked up here. The compiler's own "native" falls back to an old architecture without an
    error where no card can be seen, and a wheel that is kept under that name would be given to every other
    card, too. Raises CudaError if it cannot be told or is not written as one.
    """
    if wanted != NATIVE:
        if not re.fullmatch(r"\d{2,3}[af]?(-real|-virtual)?([;,]\d{2,3}[af]?(-real|-virtual)?)*", wanted):
            raise CudaError(f"CUDA_ARCH={wanted} is no architecture. Write it like CUDA_ARCH=89 (RTX 4090).")
        return wanted.replace(",", ";")
    seen = capabilities()
    if not seen:
        raise CudaError(
            "no NVIDIA card can be seen here (nvidia-smi shows none), so it cannot be told what to compile "
            "for. If the driver is not installed yet, install it; to compile for another machine, name its "
            "card: CUDA_ARCH=89 (RTX 4090), 86 (RTX 30 series), 90 (H100, H200), 120 (RTX 50 series)."
        )
    return ";".join(seen)


def capabilities() -> list[str]:
    """The architectures of the cards that the driver shows, each once: ["89"]; [] without a driver."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    asked = subprocess.run(
        [program, "--query-gpu=compute_cap", "--format=csv,noheader"],
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode:
        return []
    found = re.findall(r"^\s*(\d+)\.(\d)\s*$", asked.stdout, re.MULTILINE)
    return sorted({major + minor for major, minor in found}, key=int)
