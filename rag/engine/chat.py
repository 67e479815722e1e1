"""Messages → prompt tokens, by the chat template of the model file. Runs in the worker process only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rag.engine.native import NativeModel
from rag.engine.protocol import Thinking
from rag.engine.thoughts import opens_thought

BREAK, MARK = "\ufdd0", "\ufdd1"
"""Code points that no text contains (Unicode noncharacters): where a control word is taken apart, and where
the tokens up to here may be asked for again."""

_NOTES = re.compile(f"([{BREAK}{MARK}])")
_LONG_ENOUGH = 2_000
"""Characters of a part whose tokens are remembered: evidence is counted, then evaluated, then asked again."""


class TemplateError(Exception):
    """The chat template does not accept these messages."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """tokens; front, stable: how many of them stay the same for every question, and for the next question
    about the same evidence (0: unknown). in_thought: the template has opened the thought already.
    """

    tokens: list[int]
    front: int
    stable: int
    in_thought: bool


class ChatPrompt:
    """Renders and tokenizes messages for one model.

    What a message says can never become a control token: a document that contains the words <|im_end|>
    would otherwise end the user's turn and speak for somebody else. Such words are tokenized in two parts;
    the model still reads the same characters.
    """

    def __init__(self, model: NativeModel) -> None:
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        self._model = model
        self._format: Any = Jinja2ChatFormatter(
            template=model.chat_template(),
            bos_token=model.begin_text,
            eos_token=model.end_text,
        )
        words = sorted(model.control_texts(), key=len, reverse=True)
        self._control = re.compile("|".join(map(re.escape, words))) if words else None
        self._remembered = lru_cache(maxsize=8)(self._tokenize)

    def prompt(self, messages: Sequence[Sequence[Any]], thinking: Thinking | None = None) -> Prompt:
        """messages: (role, content, stable) each. Raises TemplateError."""
        text = self._render(messages, thinking or Thinking())
        found: list[int] = []
        marks: list[int] = []
        begin = self._model.beginning
        for part in _NOTES.split(text):
            if part == MARK:
                marks.append(len(found))
            elif part and part != BREAK:
                found += self._remembered(part) if len(part) > _LONG_ENOUGH else self._tokenize(part)
        if begin >= 0 and found[:1] != [begin]:
            found.insert(0, begin)
            marks = [mark + 1 for mark in marks]
        front, stable = (marks[0], marks[-1]) if marks else (0, 0)
        return Prompt(found, front, stable, opens_thought(text))

    def _tokenize(self, part: str) -> list[int]:
        return self._model.tokenize(part, special=True)

    def _render(self, messages: Sequence[Sequence[Any]], thinking: Thinking) -> str:
        prepared = self._prepared(messages)
        try:
            return self._apply(prepared, thinking)
        except Exception as error:
            merged = _without_system(prepared)
            if merged == prepared:
                raise TemplateError(f"The model's chat template failed: {error}") from error
            try:
                return self._apply(merged, thinking)
            except Exception as second:
                raise TemplateError(f"The model's chat template failed: {second}") from second

    def _apply(self, messages: list[dict[str, str]], thinking: Thinking) -> str:
        # Templates that know no thinking ignore the arguments.
        more = {"reasoning_effort": thinking.effort} if thinking.effort else {}
        prompt: str = self._format(messages=messages, enable_thinking=thinking.on, **more).prompt
        return prompt

    def _prepared(self, messages: Sequence[Sequence[Any]]) -> list[dict[str, str]]:
        """Contents made harmless, with marks where what may be kept begins to differ.

        Without a stable part, the last message is what differs.
        """
        chosen = next((n for n, message in enumerate(messages) if message[2]), len(messages) - 1)
        prepared = []
        for number, (role, content, stable) in enumerate(messages):
            if number != chosen or not content or content[0].isspace():
                # White space at an end may be cut off by the template: a mark would change that.
                text = self._defused(content)
            elif stable:
                text = f"{MARK}{self._defused(content[:stable])}{MARK}{self._defused(content[stable:])}"
            else:
                text = f"{MARK}{self._defused(content)}"
            prepared.append({"role": role, "content": text})
        return prepared

    def _defused(self, content: str) -> str:
        content = content.replace(BREAK, "").replace(MARK, "")
        if self._control is None:
            return content
        return self._control.sub(lambda found: found[0][0] + BREAK + found[0][1:], content)


def _without_system(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """The system message put in front of the first user message: some templates refuse that role."""
    if len(messages) < 2 or messages[0]["role"] != "system" or messages[1]["role"] != "user":
        return messages
    first = {"role": "user", "content": f"{messages[0]['content']}\n\n{messages[1]['content']}"}
    return [first, *messages[2:]]
