"""Evidence as the prompt shows it: numbered, fenced, and unable to leave its fence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rag.citations.references import dropped
from rag.records import Evidence

if TYPE_CHECKING:
    from rag.prompting.phrases import Phrases

_INVISIBLE = re.compile("[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""Zero-width and direction characters, the tag alphabet: what a model reads and a person cannot see."""
_FENCE = re.compile(r"[<＜](?=[\s/／\\]*source\b)", re.IGNORECASE)
_CONTROL = re.compile(
    r"<(?=\|[\w ./-]{1,40}\|>|/?(?:think|tool_call|tool_response|s|start_of_turn|end_of_turn|bos|eos|unk)>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS)\])"
    r"|<(?=\uff5c)",
    re.IGNORECASE,
)
"""Words that steer chat models of several makers. Our own worker reads them as plain text whatever they say;
a server may not."""
_LABEL_LENGTH = 120


def quotation(text: str) -> str:
    """A document's text (or a question) as it may stand in a prompt.

    What looks like our fence or like a control word of a chat model loses its bracket, invisible characters
    go, and the document's own references ("[12]") are left out, since the model would hand them on as ours.
    """
    return _CONTROL.sub("‹", _FENCE.sub("‹", dropped(_INVISIBLE.sub("", text))))


def label(evidence: Evidence, page_phrase: str) -> str:
    """Where evidence comes from, in one line of bounded length: file, page, headings."""
    parts = [evidence.path.rsplit("/", 1)[-1]]
    if evidence.pages:
        parts.append(page_phrase.format(page=evidence.pages[0]))
    if evidence.heading:
        parts.append(" › ".join(evidence.heading))
    line = " ".join(quotation(" | ".join(parts)).split())
    return line if len(line) <= _LABEL_LENGTH else line[: _LABEL_LENGTH - 1] + "…"


def fenced(evidence: Evidence, phrases: Phrases) -> str:
    """One evidence with its fence and the blank line behind it.

    Where it begins inside a table, the table's header stands before it, and a line "…" for the rows between.
    Of an excerpt it is said that it is one: what it does not say its document may say all the same.
    """
    source = label(evidence, phrases.page)
    if evidence.excerpt:
        source = f"{source} | {phrases.excerpt}"
    text = quotation(evidence.text).strip()
    if evidence.table_header:
        text = f"{quotation(evidence.table_header).strip()}\n…\n{text}"
    return f"<source {evidence.n}>\n{source}\n{text}\n</source {evidence.n}>\n\n"
