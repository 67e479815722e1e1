"""`python -m rag doctor`: everything an installation needs, what was found, and what to do about it."""

from __future__ import annotations

import argparse

from rag.cli import frame


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No options of its own."""


def run(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from rag.cli.health import checks

    settings = frame.settings_of(arguments)
    results = []
    for check in checks(settings):
        results.append(check)
        if not arguments.json:
            print(f"{'ok  ' if check.ok else 'FAIL'}  {check.name:<12} {check.found}")
            if check.fix:
                print(f"      {'':<12} fix: {check.fix}")
    ok = all(check.ok for check in results)
    if arguments.json:
        frame.write_json({"ok": ok, "checks": [asdict(check) for check in results]})
    return frame.DONE if ok else frame.SOME_FAILED
