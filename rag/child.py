"""Child processes of this project: how they are started, and what they do first."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any


def command(module: str, *arguments: str) -> list[str]:
    """`python -m module PARENT arguments…`: the child finds its parent's process number as `sys.argv[1]`.

    -P: the folder that the parent was started from is no place to import from.
    """
    return [sys.executable, "-P", "-X", "utf8", "-m", module, str(os.getpid()), *arguments]


def surroundings() -> dict[str, Any]:
    """Arguments for subprocess.Popen: this project can be imported, and Ctrl-C is the parent's to handle."""
    root = str(Path(__file__).resolve().parents[1])
    paths = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {"env": {**os.environ, "PYTHONPATH": paths}, "start_new_session": True}


def die_with_parent() -> None:
    """End this process when the one that started it ends, however that comes about."""
    parent = int(sys.argv[1])  # not getppid(): it may have died while this process was starting
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def be_first_to_go() -> None:
    """When the machine runs out of memory, this process is the one to end, not the one that stores."""
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")
    except OSError:
        return  # not Linux
