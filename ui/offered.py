"""Questions on the sample corpus that the opening page offers."""

from __future__ import annotations

import tomllib
from collections.abc import Set
from pathlib import Path

from ui.language import Language

_EXAMPLES = Path(__file__).parent.parent / "examples" / "questions.toml"


def offered(papers: Set[str], language: Language) -> list[str]:
    """Those that these papers (their paths) answer."""
    if not _EXAMPLES.is_file():
        return []
    questions = tomllib.loads(_EXAMPLES.read_text(encoding="utf-8"))["question"]
    fit = [
        each
        for each in questions
        if each.get("opening")
        and each["lang"] == language
        and all(evidence["doc"] in papers for evidence in each["evidence"])
    ]
    return [each["question"] for each in sorted(fit, key=lambda each: each["opening"])]
