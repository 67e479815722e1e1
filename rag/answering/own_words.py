"""What a weak model may add to quotations: a short answer of its own, if every sentence of it is proved."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag.answering.extractive import Extract
from rag.answering.extractive.wanted import asks_quantity
from rag.citations import MARKER, clean, numbers
from rag.citations.claims import claims
from rag.citations.wording import content_words, contradicts
from rag.engine.protocol import Sampling
from rag.records import Citation
from rag.text.language import language
from rag.text.normal import normalise

PROMPT_TOKENS = 300
"""What the quotations may take in the weak model's prompt: it reads 110 to 190 tokens a second on a CPU."""
MAX_TOKENS = 64
STOP = ("\n",)
SAMPLING = Sampling(temperature=0.0, top_p=1.0, top_k=1, min_p=0.0, repeat_penalty=1.1, seed=0)
"""Always the likeliest word: the same question gets the same answer."""
_LEAST = 0.9
"""Share of a sentence's words that one quotation must have: the weak model invents, so this is strict."""
_MOST_SENTENCES = 3
_OPENING = re.compile(r"^\s*(?:answer|the answer is|回答|答案|答)\s*[:：]\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OwnWords:
    text: str
    citations: tuple[Citation, ...]


def to_be_read(extract: Extract, count: Callable[[Sequence[str]], list[int]]) -> list[str]:
    """The quotations that the weak model gets to read, the best first, within PROMPT_TOKENS."""
    texts = [" ".join(citation.quote.split()) for citation in extract.citations]
    costs = count(texts)
    if costs[0] > PROMPT_TOKENS:
        return [texts[0][: len(texts[0]) * PROMPT_TOKENS // costs[0]]]
    return [text for place, text in enumerate(texts) if sum(costs[: place + 1]) <= PROMPT_TOKENS]


def proved(generated: str, question: str, extract: Extract) -> OwnWords | None:
    """The generated text with its citations, or None unless it may be shown.

    It may if it is short, in the question's language, more than a repetition of the question or of a
    quotation, states a number where one is asked for, and if one quotation proves each of its sentences.
    """
    text = _OPENING.sub("", MARKER.sub("", clean(generated, 0))).strip()
    said = claims(text)
    if not said or len(said) > _MOST_SENTENCES or not all(claim.stating for claim in said):
        return None
    if language(text) != language(question) or not set(content_words(text)) - set(content_words(question)):
        return None
    if asks_quantity(question) and not numbers.stated(text):
        return None
    if not text.endswith((".", "。", "!", "！", "”", '"')) or normalise(text) in normalise(extract.text):
        return None
    sentences: list[str] = []
    citations: list[Citation] = []
    for claim in said:
        proof = next(
            (citation for citation in extract.citations if _proves(citation.quote, claim.text)), None
        )
        if proof is None:
            return None
        body, stop = claim.text[:-1], claim.text[-1]
        sentences.append(f"{body}[{proof.n}]{stop}" if stop == "。" else f"{body} [{proof.n}]{stop}")
        citations.append(proof)
    return OwnWords(("" if language(text) == "zh" else " ").join(sentences), tuple(citations))


def _proves(quotation: str, claim: str) -> bool:
    """Whether a quotation says all that a weak model claims.

    It has nearly all of the claim's words and all of its numbers, it negates as the claim does, and if
    the claim states a number, it has no other: which of two numbers is meant, such a model does not know.
    """
    stated = set(content_words(claim))
    shared = stated & set(content_words(quotation))
    if len(shared) < _LEAST * len(stated) or contradicts(claim, quotation):
        return False
    known = numbers.values(quotation)
    if numbers.missing(claim, known):
        return False
    return not numbers.stated(claim) or known <= numbers.values(claim)
