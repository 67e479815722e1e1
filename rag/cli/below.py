"""What stands below an answer at a terminal, in the question's language: its sources, and what a reader
should know of it."""

from __future__ import annotations

from rag.answering.coverage import coverage_line, unanswered
from rag.cli.naming import plain
from rag.cli.room import room_note
from rag.records import Answer, Copy
from rag.text.language import Language, language

_QUOTE_LENGTH = 300
_COPIES = 3
_SAID: dict[Language, dict[str, str]] = {
    "en": {
        "page": ", page {pages}",
        "no words": "(no words of this source were found that support the sentence)",
        "not there": "“{quote}” (these words do not stand there)",
        "also": "also in: {places}",
        "part": " (a part of it)",
        "unsupported": "Not supported by the documents:",
        "open": "(not in the documents: {part})",
        "cut": "(The answer was cut at {cut} tokens: raise engine.max_answer_tokens.)",
        "demo": "({model} is a demonstration model: the answer quotes the documents. "
        "A model that answers itself: python -m rag model list)",
    },
    "zh": {
        "page": "，第 {pages} 页",
        "no words": "（在这份资料中没有找到支持该句的原文）",
        "not there": "“{quote}”（资料中没有这些字句）",
        "also": "另见：{places}",
        "part": "（其中一部分）",
        "unsupported": "文档不支持的内容：",
        "open": "（文档中没有：{part}）",
        "cut": "（回答在 {cut} 个词元处被截断：请调大 engine.max_answer_tokens。）",
        "demo": "（{model} 是演示模型，回答直接引用文档原文。"
        "要用能自己作答的模型，见：python -m rag model list）",
    },
}


def sources(answer: Answer) -> str:
    """The numbered sources of an answer, with page, quoted words and where else they stand; what nothing
    supports."""
    said = _SAID[language(answer.question)]
    quotations: dict[tuple[int, str], list[str]] = {}
    copies = {
        item.n: "; ".join(_place(each, said) for each in item.copies[:_COPIES]) for item in answer.evidence
    }
    for citation in answer.citations:
        page = said["page"].format(pages=citation.page) if citation.page is not None else ""
        under = quotations.setdefault((citation.n, f"[{citation.n}] {plain(citation.path)}{page}"), [])
        quote = " ".join(citation.quote.split())
        if len(quote) > _QUOTE_LENGTH:
            quote = quote[: _QUOTE_LENGTH - 1] + "…"
        if not quote:
            under.append(f"    {said['no words']}")
        elif not citation.verified:
            under.append(f"    {said['not there'].format(quote=quote)}")
        elif not answer.extractive:
            under.append(f"    “{quote}”")
    lines = []
    for (n, source), under in quotations.items():
        elsewhere = copies.pop(n, "")  # told once, under the first page of a source
        also = [f"    {said['also'].format(places=elsewhere)}"] if elsewhere else []
        lines += [source, *under, *also]
    if answer.unsupported:
        lines += ["", said["unsupported"], *(f"  - {text}" for text in answer.unsupported)]
    return "\n".join([*lines, ""]) if lines else ""


def notes(answer: Answer, *, demo: bool, model: str) -> list[str]:
    """How complete the answer is, what it lacks, and what wrote it: a line each."""
    of = language(answer.question)
    said = _SAID[of]
    line = coverage_line(answer.coverage, of)
    found = [f"（{line}）" if of == "zh" else f"({line})"] if line else []
    found += [said["open"].format(part=part) for part in unanswered(answer.coverage)]
    cut = answer.coverage.get("cut_at_tokens")
    if cut:
        found.append(said["cut"].format(cut=cut))
    room = room_note(answer.coverage, of)
    if room:
        found.append(room)
    if demo and answer.found:
        found.append(said["demo"].format(model=model))
    return found


def _place(copy: Copy, said: dict[str, str]) -> str:
    pages = said["page"].format(pages=", ".join(map(str, copy.pages))) if copy.pages else ""
    return f"{plain(copy.path)}{pages}{'' if copy.whole else said['part']}"
