"""What is said where a question asks of all things of a kind and only some of the documents of one form, or a
part of a long one, were looked at: then "not in the documents" is more than anybody knows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from rag.answering.asked import Asked
from rag.answering.events import Event, Finished
from rag.answering.every import alike, asks_over_documents
from rag.answering.retrieving import untested
from rag.errors import LibraryError
from rag.records import Answer

if TYPE_CHECKING:
    from rag.retrieval.filters import Filters

_OF_MANY = re.compile(
    r"(?i)\b(?:all|every|each|list|whose|how many)\b"
    r"|\bwhich (?:of the )?(?:\w+ )?(?!(?:is|was|has|does)\b)\w{2,}s\b(?! (?:is|was|has|does)\b)"
    r"|哪些|哪几|所有|全部|各个?|每[一个家份台]|有多少[个家份台]"
)
_OF_ALL = re.compile(r"(?i)\b(?:all|every|each)\b|所有|全部|各个?|每[一个家份台]")
_SAME_FORM = 0.6
"""Share of the documents looked at that must be of one form."""
_FEWEST = 3
_FEW = 3
"""Documents looked at, at most, if the answer is said to rest on a part of one."""
_PART = 0.8
"""Less than this share of a document's characters was read: that is said."""
_ELSEWHERE = ("table", "lines", "chapters", "documents")
"""What `Answer.coverage` holds where the answer has read all of something."""


def with_partial(asked: Asked, events: Iterator[Event]) -> Iterator[Event]:
    """The events of an answer; where it may rest on a part of what was asked of, that is said at its end."""
    with closing(events) as events:  # type: ignore[type-var]
        for event in events:
            if isinstance(event, Finished) and not event.answer.stopped:
                notice = _notice(asked, event.answer)
                if notice:
                    found = event.answer.found
                    text = f"{event.answer.text.rstrip()}\n\n{notice}" if found else notice
                    yield asked.replace(text)
                    event = Finished(replace(event.answer, text=text))
            yield event


def asks_of_many(question: str) -> bool:
    """Whether all things of a kind are asked about, not one.

    >>> asks_of_many("Which sensors are over 700?"), asks_of_many("Which sensor is the oldest?")
    (True, False)
    """
    return _OF_MANY.search(question) is not None


def form_of(path: str) -> str:
    """What the names of documents of one form have in common: all but their numbers.

    >>> form_of("a/sensor-07.csv") == form_of("a/sensor-112.csv"), form_of("a/b.csv") == form_of("a/c.csv")
    (True, False)
    """
    return re.sub(r"\d+", "#", path)


def _notice(asked: Asked, answer: Answer) -> str:
    if not asks_of_many(asked.question) or any(key in answer.coverage for key in _ELSEWHERE):
        return ""
    seen = {item.document: item.path for item in answer.evidence}
    if not seen:
        seen = {each.chunk.document: each.path for each in untested(asked, asked.search)}
    if not seen:
        return ""
    looked = set(seen.values())
    form, of_it = Counter(map(form_of, looked)).most_common(1)[0]
    if "#" in form and of_it >= _SAME_FORM * len(looked):
        files = (asked.where or _all()).admitted(asked.library, asked.collections)
        every = len({file.sha256 for file in files if file.sha256 and form_of(file.path) == form})
        if every > of_it and every >= _FEWEST:
            return _of_documents(asked, of_it, every, found=answer.found)
    if asks_over_documents(asked.search):
        alike_ones = {paper.path for paper in alike(asked, seen)}
        if len(alike_ones) > len(alike_ones & looked):
            return _of_documents(asked, len(alike_ones & looked), len(alike_ones), found=answer.found)
    return _of_one(asked, answer) if answer.found and len(looked) <= _FEW else ""


def _all() -> Filters:
    from rag.retrieval.filters import Filters

    return Filters()


def _of_documents(asked: Asked, looked: int, every: int, *, found: bool) -> str:
    if asked.language == "zh":
        none = "" if found else "没有找到答案，但"
        return (
            f"{none}同类文档共 {every} 份，这里只看了其中 {looked} 份：如需全部，请用“逐份文档”方式提问"
            "（命令行：--mode every）。"
        )
    none = "" if found else "No answer was found, but only some documents were looked at. "
    return (
        f"{none}{looked} of {every} documents of this form were looked at: to ask every document, choose that"
        " mode (on the command line: --mode every)."
    )


def _of_one(asked: Asked, answer: Answer) -> str:
    """For a question of all that one long document says."""
    if not _OF_ALL.search(asked.question):
        return ""
    cited = next((citation.n for citation in answer.citations), None)
    item = next((each for each in answer.evidence if each.n == cited), None)
    if item is None:
        return ""
    try:
        length = len(asked.library.document(item.document).text)
    except LibraryError:
        return ""  # it went this moment
    read = sum(each.end - each.start for each in answer.evidence if each.document == item.document)
    share = read / (length or 1)
    if share >= _PART:
        return ""
    name = item.path.rsplit("/", 1)[-1]
    percent = max(1, round(share * 100))
    if asked.language == "zh":
        return f"（这里只看了 {name} 的约 {percent}%：其余部分可能还有相关内容。）"
    return f"(About {percent}% of {name} was looked at: there may be more in the rest of it.)"
