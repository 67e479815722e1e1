"""Makes the two lock files anew from pyproject.toml: what runs, and what the tests need besides.

.venv/bin/python setup/lock.py
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
QUIET = ["--quiet", "--strip-extras", "--no-header", "--no-annotate", "--allow-unsafe"]
# Where packages come from is each machine's own business and does not belong into the project.
QUIET += ["--no-emit-index-url", "--no-emit-find-links", "--no-emit-trusted-host"]


def compile_lock(output: str, *extra: str) -> None:
    command = [sys.executable, "-m", "piptools", "compile", *QUIET, *extra, "-o", output, "pyproject.toml"]
    subprocess.run(command, cwd=ROOT, check=True)
    path = ROOT / output
    # "+cpu" names a build that only some indexes carry; the version alone lets each machine take its own.
    path.write_text(re.sub(r"^(torch==[\d.]+)\+\w+$", r"\1", path.read_text(), flags=re.MULTILINE))


if __name__ == "__main__":
    compile_lock("requirements.lock")
    compile_lock("requirements-dev.lock", "--extra", "dev", "--constraint", "requirements.lock")
