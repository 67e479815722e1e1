"""`python -m rag model list|pull|check|plan`: generating models, without loading one."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rag.cli import frame

if TYPE_CHECKING:
    from rag.settings import Settings

DEFAULT_MEMORY = "24GiB"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=frame.Parser)

    def add(name: str, summary: str) -> argparse.ArgumentParser:
        return actions.add_parser(
            name, help=summary, description=f"{summary}.", parents=[frame.shared_options()]
        )

    add("list", "Show the models known by name")
    pull = add("pull", "Download a model and verify it; goes on where it was interrupted")
    pull.add_argument("name", metavar="NAME")
    check = add("check", "Say whether a file is a whole model that this engine can run")
    check.add_argument("file", metavar="FILE", help="a GGUF file, or the name of a known model")
    check.add_argument("--sha256", metavar="HEX", help="what the file's SHA-256 should be")
    plan = add("plan", "Say how much memory a model needs, and which context fits")
    plan.add_argument("model", metavar="FILE|NAME", nargs="?", help="default: the model of the settings")
    plan.add_argument("--context", type=int, metavar="N", help="tokens (default: that of the settings)")
    plan.add_argument("--kv", choices=("f16", "q8_0", "q4_0"), help="type of the key-value cache")
    plan.add_argument("--ubatch", type=int, metavar="N", help="micro-batch in tokens")
    plan.add_argument("--memory", default=DEFAULT_MEMORY, metavar="AMOUNT", help="default: %(default)s")


def run(arguments: argparse.Namespace) -> int:
    settings = frame.settings_of(arguments)
    if arguments.action == "list":
        return _list(settings, as_json=arguments.json)
    if arguments.action == "pull":
        return _pull(arguments.name, settings, as_json=arguments.json)
    if arguments.action == "check":
        from rag.cli.model_check import check

        return check(arguments.file, arguments.sha256, settings, as_json=arguments.json)
    from rag.cli.model_plan import plan

    return plan(arguments, settings)


def _list(settings: Settings, *, as_json: bool) -> int:
    from rag.models import catalogue

    rows: list[dict[str, Any]] = []
    for entry in catalogue.entries().values():
        path = catalogue.expected_path(entry, settings)
        there = path is not None and path.is_file()
        rows.append(
            {
                "name": entry.name,
                "title": entry.title,
                "licence": entry.licence,
                "size_mib": entry.size_mib,
                "context": entry.context,
                "needs": entry.needs,
                "engine": entry.engine,
                "demo": entry.demo,
                "source": entry.package or f"{entry.repo}/{entry.file}",
                "installed": there,
                "path": str(path) if there else None,
                "in_use": entry.name == settings.engine.model,
            }
        )
    if as_json:
        frame.write_json({"models": rows})
        return frame.DONE
    for row in rows:
        marks = [
            "in use" if row["in_use"] else "installed" if row["installed"] else "",
            "for demonstration only" if row["demo"] else "",
            "needs PrismML's engine" if row["engine"] == "prism" else "",
        ]
        size = f"{row['size_mib'] / 1024:.1f} GiB" if row["size_mib"] else "size asked at download"
        print(f"{row['name']:<20} {row['title']}; {size}; {row['licence']}; {row['needs']}")
        if any(marks):
            print(f"{'':<20} ({', '.join(filter(None, marks))})")
    return frame.DONE


def _pull(name: str, settings: Settings, *, as_json: bool) -> int:
    from rag.errors import UsageError
    from rag.models import catalogue
    from rag.models.hub import Pulled, pull

    entry = catalogue.entries().get(name)
    if entry is None:
        raise UsageError(
            f"There is no model named {name!r}.", fix=f"Known are: {', '.join(catalogue.entries())}."
        )
    path = catalogue.expected_path(entry, settings)
    if entry.package and path is not None and path.is_file():
        from rag.models.digests import Digests

        sha256 = Digests(settings.models_dir).sha256(path)
        pulled = Pulled(path, path.stat().st_size, sha256, downloaded=False)
    else:
        pulled = pull(entry, settings)
    if as_json:
        frame.write_json({"name": name, **asdict(pulled), "path": str(pulled.path)})
    else:
        done = "Downloaded and verified" if pulled.downloaded else "Already there, verified"
        if entry.package:
            done = "Already there, it comes with the installation"
        print(f"{done}: {pulled.path}")
        print(f'To use it, put this into {settings.home / "rag.toml"}:\n\n[engine]\nmodel = "{name}"')
    return frame.DONE
