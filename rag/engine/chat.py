"""Messages → prompt tokens, by the chat template of the model file. Runs in the worker process only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rag.engine.native import NativeModel

BREAK = "\ufdd0"
"""A code point that no text contains (a Unicode noncharacter): where a control word is taken apart."""


class TemplateError(Exception):
    """The chat template does not accept these messages."""


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

    def tokens(self, messages: Sequence[Sequence[str]]) -> list[int]:
        """messages: (role, content) pairs. Raises TemplateError."""
        found: list[int] = []
        for part in self._render(messages).split(BREAK):
            if part:
                found += self._model.tokenize(part, special=True)
        begin = self._model.beginning
        if begin >= 0 and found[:1] != [begin]:
            found.insert(0, begin)
        return found

    def _render(self, messages: Sequence[Sequence[str]]) -> str:
        plain = [{"role": role, "content": self._defused(content)} for role, content in messages]
        try:
            return self._apply(plain)
        except Exception as error:
            merged = _without_system(plain)
            if merged == plain:
                raise TemplateError(f"The model's chat template failed: {error}") from error
            try:
                return self._apply(merged)
            except Exception as second:
                raise TemplateError(f"The model's chat template failed: {second}") from second

    def _apply(self, messages: list[dict[str, str]]) -> str:
        # Templates that know no thinking ignore the argument.
        prompt: str = self._format(messages=messages, enable_thinking=False).prompt
        return prompt

    def _defused(self, content: str) -> str:
        content = content.replace(BREAK, "")
        if self._control is None:
            return content
        return self._control.sub(lambda found: found[0][0] + BREAK + found[0][1:], content)


def _without_system(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """The system message put in front of the first user message: some templates refuse that role."""
    if len(messages) < 2 or messages[0]["role"] != "system" or messages[1]["role"] != "user":
        return messages
    first = {"role": "user", "content": f"{messages[0]['content']}\n\n{messages[1]['content']}"}
    return [first, *messages[2:]]
