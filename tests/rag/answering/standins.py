"""An engine that says what it is told to say: for tests of what is made of a model's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rag.engine.protocol import EngineInfo, Sampling, Token
from rag.records import Message, Usage


@dataclass
class SayingEngine:
    """Streams `says` in pieces of three characters; a token is four characters of a prompt.

    ahead: how many calls it pretends to serve before each. error: raised in the middle of the text.
    """

    says: str = ""
    demo: bool = False
    context: int = 8192
    ahead: int = 0
    error: Exception | None = None
    prompts: list[list[Message]] = field(default_factory=list)
    limits: list[int] = field(default_factory=list)
    at_work: int = 0

    def info(self) -> EngineInfo:
        return EngineInfo("stand-in", self.context, "ready", demo=self.demo)

    def start(self) -> None:
        pass

    def count(self, texts: Sequence[str]) -> list[int]:
        return [-(-len(text) // 4) for text in texts]

    def count_messages(self, messages: Sequence[Message]) -> int:
        return sum(self.count([message.content])[0] + 4 for message in messages)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: Sampling | None = None,
        max_tokens: int = 1024,
        stop: Sequence[str] = (),
    ) -> Iterator[Token]:
        self.prompts.append(list(messages))
        self.limits.append(max_tokens)
        self.at_work += 1
        try:
            for place in range(self.ahead, 0, -1):
                yield Token("", ahead=place)
            yield Token("", read=(10, 20))
            pieces = [self.says[at : at + 3] for at in range(0, len(self.says), 3)]
            for number, piece in enumerate(pieces):
                if self.error is not None and number == len(pieces) // 2:
                    raise self.error
                yield Token(piece)
            if self.error is not None and not pieces:
                raise self.error
            yield Token("", usage=Usage(20, 0, len(pieces)), finish="end")
        finally:
            self.at_work -= 1

    def cancel(self) -> None:
        pass

    def close(self) -> None:
        pass


@dataclass
class ScriptedEngine(SayingEngine):
    """Says to each prompt the text of the first line of `script` whose words stand in its last message.

    A line that begins with "system:" looks at the first message instead. What nothing matches gets `says`.
    A text may be an error, which is raised.
    """

    script: Sequence[tuple[str, str | Exception]] = ()
    otherwise: str = ""

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: Sampling | None = None,
        max_tokens: int = 1024,
        stop: Sequence[str] = (),
    ) -> Iterator[Token]:
        found: str | Exception = self.otherwise
        for words, text in self.script:
            where = messages[0] if words.startswith("system:") else messages[-1]
            if words.removeprefix("system:") in where.content:
                found = text
                break
        if isinstance(found, Exception):
            self.prompts.append(list(messages))
            raise found
        self.says = found
        return super().stream(messages, sampling=sampling, max_tokens=max_tokens, stop=stop)
