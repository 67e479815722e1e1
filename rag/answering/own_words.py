"""What a weak model may add to quotations: a short answer of its own, if every sentence of it is proved."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag.answering.extractive import Extract
from rag.citations import PageOf, cite, clean
from rag.citations.claims import claims
from rag.citations.wording import content_words
from rag.records import Citation, Evidence
from rag.text.language import language
from rag.text.normal import normalise

PROMPT_TOKENS = 300
"""What the quotations may take in the weak model's prompt: it reads 110 to 190 tokens a second on a CPU."""
MAX_TOKENS = 64
STOP = ("\n",)
_MOST_SENTENCES = 3
_OPENING = re.compile(r"^\s*(?:answer|the answer is|回答|答案|答)\s*[:：]\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OwnWords:
    text: str
    citations: tuple[Citation, ...]


def to_be_read(extract: Extract, count: Callable[[Sequence[str]], list[int]]) -> list[str]:
    """The quotations that the weak model gets to read: the best first, within PROMPT_TOKENS, one at least."""
    texts = [" ".join(citation.quote.split()) for citation in extract.citations]
    costs = count(texts)
    return [
        text for place, text in enumerate(texts) if place == 0 or sum(costs[: place + 1]) <= PROMPT_TOKENS
    ]


def proved(
    generated: str, question: str, extract: Extract, evidence: Sequence[Evidence], page_of: PageOf
) -> OwnWords | None:
    """The generated text with its citations, or None unless it may be shown.

    It may if it is short, in the question's language, supported sentence by sentence by the quoted places
    themselves, and more than a repetition of the question or of one of the quotations.
    """
    text = _OPENING.sub("", clean(generated, len(evidence))).strip()
    said = claims(text)
    if not said or len(said) > _MOST_SENTENCES or not all(claim.stating for claim in said):
        return None
    if language(text) != language(question) or not set(content_words(text)) - set(content_words(question)):
        return None
    if not text.endswith((".", "。", "!", "！", "]", "”", '"')):
        return None  # cut off in the middle
    cited = cite(text, evidence, page_of=page_of, strict=True)
    if cited.unsupported or not all(citation.verified for citation in cited.citations):
        return None
    if not cited.citations or not all(_is_quoted(citation, extract) for citation in cited.citations):
        return None
    if normalise(text) in normalise(extract.text):
        return None
    return OwnWords(cited.text, cited.citations)


def _is_quoted(citation: Citation, extract: Extract) -> bool:
    """Whether the place that supports a sentence is (partly) among the quotations shown."""
    start, end = citation.start, citation.end
    if start is None or end is None:
        return False
    return any(n == citation.n and a < end and start < b for n, a, b in extract.spans)
