"""The walls between the rooms stand as docs/architecture.md draws them: read from the imports themselves."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("rag", "ingest", "ui", "eval")
WALLS = {
    # What stands on the left imports nothing of what stands on the right.
    "rag": ("ingest", "ui", "eval", "benchmarks", "tests"),
    "ingest": ("ui", "eval", "benchmarks", "tests"),
    "ui": ("benchmarks", "tests"),
    "eval": ("ui", "benchmarks", "tests"),
}
ONLY_IN = {
    "llama_cpp": ("rag/engine/",),
    "chromadb": ("rag/library/vectors/",),
    "gradio": ("ui/",),
    "torch": ("rag/embedding/", "rag/retrieval/reranking.py"),
    "sentence_transformers": ("rag/embedding/", "rag/retrieval/reranking.py"),
    "onnxruntime": ("rag/embedding/",),
}
LISTED = re.compile(r"(?P<names>[a-z_0-9]+/?(?:, [a-z_0-9]+/?)*)(?:,?$| {2,}\S.*)")
"""A line of a package's own list: names of modules, and behind some blanks what they hold."""


@functools.cache
def trees() -> dict[str, ast.Module]:
    """Module name → its code, of all rooms."""
    found = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts)] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def path_of(module: str) -> str:
    return module.replace(".", "/") + ".py"


def imported(code: ast.AST, *, at_once: bool = False) -> Iterator[str]:
    """Full names that are imported. at_once: only by the import of the module itself, not within functions or
    for the type checker."""
    for node in ast.iter_child_nodes(code):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif not (at_once and _later(node)):
            yield from imported(node, at_once=at_once)


def _later(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.dump(node.test)
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def home_of(name: str) -> str | None:
    """The module of ours from which a full name comes."""
    parts = name.split(".")
    for end in (len(parts), len(parts) - 1):
        module = ".".join(parts[:end])
        for found in (module, f"{module}.__init__"):
            if found in trees():
                return found
    return None


@pytest.mark.parametrize("room", WALLS)
def test_a_room_knows_nothing_of_those_above_it(room: str) -> None:
    for module, code in trees().items():
        if module.split(".")[0] == room:
            above = [name for name in imported(code) if name.split(".")[0] in WALLS[room]]
            assert not above, f"{path_of(module)} imports {above}"


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_heavy_library_is_known_in_one_place(library: str) -> None:
    users = {
        path_of(module)
        for module, code in trees().items()
        if any(name.split(".")[0] == library for name in imported(code))
    }
    assert users, f"nothing imports {library}: strike it from this test"
    strangers = {path for path in users if not path.startswith(ONLY_IN[library])}
    assert not strangers


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {
        module: {
            home for name in imported(code, at_once=True) if (home := home_of(name)) not in (None, module)
        }
        for module, code in trees().items()
    }
    # A package's own lines only hand names on; its modules do not wait for them.
    graph = {
        module: {home for home in homes if not module.startswith(home.removesuffix("__init__"))}
        for module, homes in graph.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(map(path_of, error.args[1])))


@pytest.mark.parametrize(
    "package", [module for module in trees() if module.endswith(".__init__")], ids=path_of
)
def test_what_a_package_lists_is_there(package: str) -> None:
    folder = (ROOT / path_of(package)).parent
    named = [
        name.strip("/")
        for line in (ast.get_docstring(trees()[package]) or "").splitlines()[1:]
        if (match := LISTED.fullmatch(line)) is not None
        for name in match["names"].split(", ")
    ]
    gone = [name for name in named if not (folder / f"{name}.py").exists() and not (folder / name).is_dir()]
    assert not gone, f"{path_of(package)} lists what is not there: {gone}"
