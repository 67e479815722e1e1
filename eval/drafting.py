"""Drafts of questions on one's own documents, for a person to correct.

A good model reads a passage and writes a question and the facts of its answer. A demo model cannot: then the
draft is taken from the document's own words (the statement that says most, with what stands before it as the
question's subject), and says so. Either way every draft carries "draft": true, which the validator points at
until a person has looked and taken it away.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eval.judges.clauses import significant
from eval.judges.quantities import figures
from rag.records import Message
from rag.text.language import Language, language
from rag.text.sentences import sentences

if TYPE_CHECKING:
    from rag.engine.protocol import Engine
    from rag.records import Document

_PASSAGE = 1500
"""Characters of a document that one question is drafted from."""
_SHORTEST, _LONGEST = 20, 300
_MAX_TOKENS = 400
_SCHEMA = {
    "type": "object",
    "properties": {
        "question": {"type": "string"},
        "facts": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 8},
        "quote": {"type": "string"},
    },
    "required": ["question", "facts", "quote"],
}
_TOO_SHORT = 2
_TELLING_WORDS = 3
_ASK = {
    "en": (
        "You write one exam question about a text and list the facts of its complete answer. Use the text"
        ' only. Reply with JSON and nothing else: {"question": "…", "facts": ["…", "…"], "quote": "words'
        ' copied from the text that answer it"}',
        "Text from {name}:\n{text}",
    ),
    "zh": (
        "请根据一段文字出一道题，并列出完整答案所包含的事实。只能使用这段文字。"
        '只回复 JSON：{"question": "…", "facts": ["…", "…"], "quote": "从文字中照抄的、能回答问题的话"}',
        "来自《{name}》的文字：\n{text}",
    ),
}
_EXTRACTIVE = {
    "en": "What does “{title}” say about {subject}?",
    "zh": "《{title}》中关于“{subject}”是怎么说的？",
}


@dataclass(frozen=True, slots=True)
class Source:
    """A document to draft from. path: below docs/."""

    path: str
    document: Document


def drafts(sources: Sequence[Source], count: int, engine: Engine) -> Iterator[dict[str, Any]]:
    """At most `count` drafts, spread evenly over the documents and over each document."""
    passages = list(_spread(sources, count))
    demo = engine.info().demo
    for number, (source, page, text) in enumerate(passages, start=1):
        draft = None if demo else _by_model(engine, source, text)
        draft = draft or _from_words(source, text)
        if draft is None:
            continue
        question, facts, quote = draft
        gold: dict[str, Any] = {"doc": source.path, "quote": quote}
        if page is not None:
            gold["page"] = page
        yield {
            "id": f"draft-{number}",
            "question": question,
            "answers": [],
            "nuggets": [{"text": fact, "vital": True} for fact in facts],
            "evidence": [gold],
            "lang": language(question),
            "kind": "draft",
            "answerable": True,
            "draft": True,
        }


def _spread(sources: Sequence[Source], count: int) -> Iterator[tuple[Source, int | None, str]]:
    """Passages with page: one of each document in turn, then a second one further on, and so on."""
    every = [_passages(source) for source in sources]
    given = 0
    rounds = max((len(found) for found in every), default=0)
    for turn in range(rounds):
        for source, found in zip(sources, every, strict=True):
            if turn < len(found) and given < count:
                # The middle first: beginnings are titles and tables of contents.
                middle = (len(found) // 2 + turn) % len(found)
                given += 1
                yield source, *found[middle]


def _passages(source: Source) -> list[tuple[int | None, str]]:
    found: list[tuple[int | None, str]] = []
    for page in source.document.pages:
        spans = [span for span in sentences(page.text) if span[1] - span[0] >= _SHORTEST]
        start = 0
        while start < len(spans):
            end = start
            while end + 1 < len(spans) and spans[end + 1][1] - spans[start][0] <= _PASSAGE:
                end += 1
            found.append((page.number, page.text[spans[start][0] : spans[end][1]]))
            start = end + 1
    return found


def _by_model(engine: Engine, source: Source, text: str) -> tuple[str, list[str], str] | None:
    """What the model drafts; None where it is no question with facts whose quote stands in the text."""
    written: Language = language(text)
    system, form = _ASK[written]
    messages = [Message("system", system), Message("user", form.format(name=source.path, text=text))]
    said = "".join(token.text for token in engine.stream(messages, max_tokens=_MAX_TOKENS, schema=_SCHEMA))
    match = re.search(r"\{.*\}", said, re.DOTALL)
    try:
        value = json.loads(match.group()) if match else {}
    except ValueError:
        return None
    question, quote = value.get("question"), value.get("quote")
    facts = [fact for fact in value.get("facts") or () if isinstance(fact, str) and fact.strip()]
    if not (isinstance(question, str) and question.strip() and facts and isinstance(quote, str)):
        return None
    if "".join(quote.split()) not in "".join(text.split()):
        quote = _telling(text) or ""
    return (question.strip(), facts, quote) if quote else None


def _from_words(source: Source, text: str) -> tuple[str, list[str], str] | None:
    """The statement of the text that says most, its beginning as the subject of the question."""
    statement = _telling(text)
    if statement is None:
        return None
    written = language(statement)
    title = source.document.title or source.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return (
        _EXTRACTIVE[written].format(title=title, subject=_subject(statement, written)),
        [statement],
        statement,
    )


def _telling(text: str) -> str | None:
    """The sentence with most figures and words, of those that are neither fragments nor paragraphs."""
    found = [" ".join(text[start:end].split()) for start, end in sentences(text)]
    whole = [one for one in found if _SHORTEST <= len(one) <= _LONGEST and one[-1] in ".。！!；;"]
    return max(whole, key=_weight, default=None)


def _weight(sentence: str) -> float:
    seen = figures(sentence)
    told = len(seen.quantities) + len(seen.days) + len(seen.codes)
    return 3.0 * told + math.sqrt(len(significant(sentence)))


def _subject(statement: str, written: Language) -> str:
    """What a statement is about: the clause before its first figure; in English its longest words."""
    if written == "zh":
        first = re.split(r"[，,：:。；;\d]", statement, maxsplit=1)[0].strip()
        return first[:20] if len(first) > _TOO_SHORT else statement[:12]
    words = [word.strip(',;:.()"“”') for word in statement.split()]
    longest = sorted({word for word in words if word.isalpha()}, key=lambda word: (-len(word), word))
    telling = set(longest[:_TELLING_WORDS])
    return ", ".join(word for word in dict.fromkeys(words) if word in telling)
