"""How many processors this process may really use."""

from __future__ import annotations

import math
import os
from pathlib import Path


def usable_cpus() -> int:
    """Processors of the affinity mask, but no more than the container's quota (cgroup v2) pays for."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
    except (OSError, ValueError):
        return count  # no cgroup v2: nothing limits it
    if quota == "max":
        return count
    return max(1, min(count, math.ceil(int(quota) / int(period))))
