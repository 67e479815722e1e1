"""Which parts a question has, and other words to search for: asked of the model, or told by rule."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence

from rag.answering.asked import Asked
from rag.answering.events import Event, Progress, Waiting
from rag.answering.leaning import orders
from rag.answering.named_pages import without_pages
from rag.answering.parts import MOST, Part, parts_of
from rag.citations.wording import content_words
from rag.engine.sampling import profile
from rag.prompting import build_task
from rag.text.language import language
from rag.text.scripts import is_unspaced

_PLAIN_WORDS = 12
_PLAIN_HAN = 22
"""A question of one sentence and this length has one part: no need to ask the model."""
_PARTS_TOKENS = 256
_WORDS_TOKENS = 48
_LONGEST = 300
_MOST_OF_IT = 0.5
_SIGNS = re.compile(
    r"^[\s>]*(?:[-*+•]\s+|\(?\d{1,2}[.):、．]\s*|[（(][一二三四五六七八九十\d]+[）)]|\*\*)*|\*\*$"
)


def planned(asked: Asked) -> Generator[Event, None, list[Part]]:
    """The parts of the question. A question that leans on its conversation is taken as one."""
    if asked.leans:
        # Whether it really leans is a guess: what it says on its own is searched for as well.
        own = (asked.question,) if content_words(asked.question) and not orders(asked.question) else ()
        return [Part(asked.question, asked.search, own)]
    by_rule = parts_of(without_pages(asked.question))
    if asked.engine.info().demo or (len(by_rule) == 1 and _plain(asked.question)):
        return by_rule
    yield Progress("parts")
    messages = build_task(asked.phrases, asked.phrases.parts_system, asked.question)
    generation = asked.generation(messages, _PARTS_TOKENS, sampling=profile("calm"))
    for piece in generation:
        if isinstance(piece, Waiting):
            yield piece
        else:
            yield Progress("parts")
    told = [Part(text, text, parts_of(text)[0].also) for text in told_parts(generation.text, asked.question)]
    # A model that finds less than the question marks and numbers show has not understood the task, nor has
    # one that leaves out half of what is asked.
    return told if len(told) >= len(by_rule) and _all_of(asked.question, told) else by_rule


def _all_of(question: str, parts: Sequence[Part]) -> bool:
    """Whether the parts have most of the question's words between them."""
    wanted = set(content_words(question))
    held = wanted & set(content_words(" ".join(part.text for part in parts)))
    return len(held) >= _MOST_OF_IT * len(wanted)


def other_words(asked: Asked, part: Part) -> Generator[Event, None, str]:
    """What to search for when the first search for a part brought no support."""
    keywords = " ".join(dict.fromkeys(content_words(f"{part.text} {asked.search}")))
    if asked.engine.info().demo:
        return keywords
    messages = build_task(asked.phrases, asked.phrases.reword_system, part.search)
    generation = asked.generation(messages, _WORDS_TOKENS, sampling=profile("calm"), stop=("\n\n",))
    for piece in generation:
        if isinstance(piece, Waiting):
            yield piece
        else:
            yield Progress("again", about=part.text)
    line = " ".join(_SIGNS.sub("", generation.text).split())[:_LONGEST]
    return line if content_words(line) else keywords


def told_parts(said: str, question: str) -> list[str]:
    """The questions in a model's answer to "take this question apart", in any of the shapes it may have.

    Only what asks, in the question's language and with some of its words: a model that answers, repeats
    its instructions or goes on talking adds no parts.
    """
    of, known = language(question), set(content_words(question))
    found: list[str] = []
    for line in _lines(said):
        text = " ".join(_SIGNS.sub("", line).split())
        own = set(content_words(text))
        if not own or len(text) > _LONGEST or language(text) != of or text in found:
            continue
        if text.endswith((":", "：")) or not own & known or re.search(r"\[\d+\]", text):
            continue
        if text.endswith(("?", "？")) or parts_of(text)[0].text != text or _requests(text):
            found.append(text)
    return found[:MOST]


def _lines(said: str) -> list[str]:
    body = re.sub(r"^\s*```\w*|```\s*$", "", said.strip()).strip()
    if body[:1] in "[{":
        try:
            value, _ = json.JSONDecoder(strict=False).raw_decode(body)
        except ValueError:
            return body.splitlines()
        return list(_strings(value))
    return body.splitlines()


def _strings(value: object) -> Generator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)


def _requests(text: str) -> bool:
    return (
        re.match(
            r"(?:list|name|describe|explain|compare|summari[sz]e|give|state|请|列出|说明|比较|总结)",
            text,
            re.I,
        )
        is not None
    )


def _plain(question: str) -> bool:
    """Whether a question is short and of one sentence."""
    han = sum(map(is_unspaced, question))
    short = han <= _PLAIN_HAN if han else len(question.split()) <= _PLAIN_WORDS
    return short and "\n" not in question and len(re.findall(r"[?？]", question)) < 2
