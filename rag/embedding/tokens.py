"""A model's own tokenizer, with what the embedders need of it: ids, counts and exact places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rag.errors import EmbeddingError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Tokens:
    """limit: ids that the model takes at once, special tokens included."""

    def __init__(self, tokenizer: Tokenizer, limit: int) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.limit = limit

    @classmethod
    def from_folder(cls, folder: Path, limit: int) -> Tokens:
        from tokenizers import Tokenizer

        path = folder / "tokenizer.json"
        if not path.is_file():
            raise EmbeddingError(
                f"{folder} has no tokenizer.json.",
                fix="Choose a model that comes with a fast tokenizer.",
            )
        return cls(Tokenizer.from_file(str(path)), limit)

    def room(self, prefix: str) -> int:
        """Tokens left for a text after `prefix` and the special tokens."""
        with_both = len(self._tokenizer.encode(prefix + "a").ids)
        alone = len(self._tokenizer.encode("a", add_special_tokens=False).ids)
        return self.limit - (with_both - alone)

    def encode(self, prefix: str, texts: Sequence[str]) -> list[list[int]]:
        """Ids of each text after `prefix`, special tokens included.

        Raises EmbeddingError for the first text that does not fit into the model.
        """
        encodings = self._tokenizer.encode_batch_fast([prefix + _whole(text) for text in texts])
        ids = [encoding.ids for encoding in encodings]
        for text, row in zip(texts, ids, strict=True):
            if len(row) > self.limit:
                raise EmbeddingError(
                    f"A text of {len(row)} tokens does not fit into the embedder, which takes "
                    f"{self.limit}; it begins {text[:60]!r}.",
                    fix="Cut the text into smaller pieces.",
                )
        return ids

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """The place of every token in `text`: in order, and every visible character in one of them.

        Characters that the model's normaliser removes belong to the token before them (to the first
        one, at the start). Several tokens can share a place where one character becomes many (㎏ → kg).
        """
        return cover(text, self._tokenizer.encode(_whole(text), add_special_tokens=False).offsets)


def cover(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """`spans` put in order and stretched so that no visible character of `text` is left out."""
    result: list[tuple[int, int]] = []
    reached = 0
    for start, end in spans:
        start = max(start, result[-1][0] if result else 0)
        end = max(start, end)
        if start > reached and (visible := text[reached:start].rstrip()):
            if result:
                result[-1] = (result[-1][0], reached + len(visible))
            else:
                start = reached + len(visible) - len(visible.lstrip())
        result.append((start, end))
        reached = max(reached, end)
    rest = text[reached:].rstrip()
    if rest and result:
        result[-1] = (result[-1][0], reached + len(rest))
    elif rest:
        result.append((len(rest) - len(rest.lstrip()), len(rest)))
    return result


def _whole(text: str) -> str:
    """`text` with half characters (which UTF-8 cannot hold) replaced one by one: places stay."""
    return LONE_SURROGATE.sub("\ufffd", text)
