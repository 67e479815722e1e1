"""Finds or installs the browser that tests/browser drives: the system's Chromium, else Playwright's own.

.venv/bin/python setup/browser.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")


def installed() -> bool:
    if any(shutil.which(name) for name in NAMES):
        return True
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path).is_file()


def with_apt() -> bool:
    """Debian's packages; the second brings Chinese letters for the screenshots."""
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not shutil.which("apt-get") or (root and not shutil.which("sudo")):
        return False
    print("── Chromium for the browser tests", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-y", "-qq", "chromium", "fonts-noto-cjk"]):
        output = subprocess.DEVNULL if "install" in command else None
        if subprocess.run(
            [*root, "apt-get", *command], env=environment, stdout=output, check=False
        ).returncode:
            return False
    return installed()


def main() -> int:
    if installed() or with_apt():
        return 0
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if installed():
        return 0
    print(
        "No browser could be installed for the browser tests. "
        "Install Chromium by your system's packages and run the command again.",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
