"""A conversation as a Markdown file, to be kept or sent on: questions, answers, and what they rest on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.records import Citation
from ui.language import Texts
from ui.render.conversation import ShownTurn


def exported_md(title: str, turns: Sequence[ShownTurn], texts: Texts, date: str) -> str:
    """date: of the saving, as it is to be shown. The numbers are those of the page."""
    parts = [f"# {_line(title)}", texts("export.made", date=date)]
    for turn in turns:
        parts.append(f"## {_line(turn.question)}")
        answer = turn.answer
        if answer is None:
            continue
        if answer.text:
            parts.append(answer.text)
        if answer.stopped:
            parts.append(f"*{texts('answer.stopped')}*")
        if answer.citations:
            listed = dict.fromkeys(_source(citation, texts) for citation in answer.citations)
            parts.append("\n".join([f"**{texts('export.sources')}**", "", *listed]))
        if answer.unsupported:
            sentences = (f"- {_line(sentence)}" for sentence in answer.unsupported)
            parts.append("\n".join([f"**{texts('answer.unsupported.list')}**", "", *sentences]))
    return "\n\n".join(parts) + "\n"


def file_name(title: str, date: str) -> str:
    """Words of the title that any system takes for a name, and the date."""
    words = " ".join(re.findall(r"[\w-]+", title))[:60].strip()
    return f"{words} {date}.md".strip()


def _source(citation: Citation, texts: Texts) -> str:
    where = [citation.path]
    if citation.page is not None:
        where.append(texts("export.page", page=citation.page))
    state = texts("export.verified" if citation.verified else "export.unverified")
    quote = f": “{_line(citation.quote)}”" if citation.quote else ""
    return f"- [{citation.n}] {', '.join(where)}{quote} ({state})"


def _line(text: str) -> str:
    return " ".join(text.split())
