"""What is said when the documents do not hold the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rag.citations.claims import claims, is_silence
from rag.embedding.protocol import Embedder
from rag.retrieval.backgrounds import background_of
from rag.text.language import Language
from rag.text.names import names, stand_out

if TYPE_CHECKING:
    from rag.library import Library

_NEAREST = 3
_HITS = 24


def not_found_text(
    of: Language, nearest: Sequence[str], unheard: Sequence[str] = (), *, empty: bool = False
) -> str:
    """A short sentence in the question's language. nearest: paths to look at; unheard: names that no document
    has; empty: no documents at all."""
    if empty:
        return "资料库里还没有文档。" if of == "zh" else "There are no documents yet to answer from."
    if of == "zh":
        return (
            "文档中没有找到这个问题的答案。"
            + (f"没有文档提到：{'、'.join(unheard)}。" if unheard else "")
            + (f"内容最接近的是：{'、'.join(nearest)}。" if nearest else "")
        )
    return (
        "The documents do not contain an answer to this question."
        + (f" None of them mentions {', '.join(unheard)}." if unheard else "")
        + (f" The nearest ones are: {', '.join(nearest)}." if nearest else "")
    )


def unheard_of(library: Library, question: str, collections: Sequence[str]) -> list[str]:
    """Names in an English question of which an English library has no word: misspelt, or of something else.

    In another language a name is written otherwise, so a library of several languages is not asked.
    """
    if not stand_out(question) or not background_of(library, collections).speaks_only("en"):
        return []
    found = names(question)
    known = library.keyword_statistics([word for name in found for word in name.words]).document_frequency
    return list(dict.fromkeys(name.text for name in found if not any(known[word] for word in name.words)))


def nearest_documents(
    library: Library, embedder: Embedder, question: str, collections: Sequence[str]
) -> list[str]:
    """Paths of the documents nearest in meaning, best first: not evidence, but where a person might look."""
    hits = library.dense(collections, embedder.embed_queries([question])[0], _HITS)
    places = library.paths([hit.chunk_id for hit in hits], collections)
    paths = (place[0][1] for hit in hits if (place := places.get(hit.chunk_id)))
    return list(dict.fromkeys(paths))[:_NEAREST]


def declines(answer: str, not_found: str) -> bool:
    """Whether a model's answer as a whole says that the documents do not hold the answer.

    not_found: the sentence that it was told to say. An answer that states something beside it, or cites
    evidence for anything, is an answer.
    """
    said = claims(answer)
    if not said:
        return not answer.strip() or not_found in answer
    stated = [claim for claim in said if claim.stating]
    if any(claim.numbers for claim in said):
        return False
    silent = [claim for claim in said if is_silence(claim.text) or claim.text.rstrip(".。") in not_found]
    return bool(silent) and len(stated) <= len([claim for claim in stated if claim in silent])
