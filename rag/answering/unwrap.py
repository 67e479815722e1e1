"""Answers that come wrapped in a JSON object, because a document said so or a model thinks it must."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCE = re.compile(r"\s*```(?:json)?\s*")
_FENCE_END = re.compile(r"^\s*```\s*")
_JSON_BLOCK = re.compile(
    r"```(?:json)?[ \t]*\n\s*(?P<value>\{(?:(?!```).)*\})\s*\n[ \t]*```[ \t]*\n?", re.DOTALL
)
_ANSWER_KEYS = ("answer", "response", "result", "text", "content", "final", "reply", "答案", "回答", "结果")
_MARK_KEYS = ("citations", "citation", "sources", "source", "evidence", "references", "引用", "来源", "资料")

_ANSWER_FIELD = re.compile(
    rf"[\"'](?:{'|'.join(_ANSWER_KEYS)})[\"']\s*[:：]\s*\"(?P<text>(?:[^\"\\]|\\.)*)(?:\"|\Z)", re.IGNORECASE
)
_MARKS_FIELD = re.compile(
    rf"\s*,?\s*[\"'](?:{'|'.join(_MARK_KEYS)})[\"']\s*[:：]\s*(?P<numbers>"
    r"(?:[\[ \"'\d,{}:]|\b(?:id|n|doc|source|number|index)\b)*\]?)",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"\{(?=\s*\")")
_SAYS = re.compile(r"\w[^\n]*(?:[.。!！?？]|\[\d)")
"""What stands behind an answer and is more than a leftover."""
_AFTER_BROKEN = re.compile(r"^[\s,\"'\]}]+|^\s*```")


def looks_wrapped(beginning: str) -> bool | None:
    """Whether an answer that begins like this is a JSON value; None while too little of it is there."""
    start = beginning.lstrip()
    if "```json".startswith(start):
        return None
    fence = _FENCE.match(start)
    rest = start[fence.end() :] if fence else start
    if rest in ("", "["):
        return None
    return rest[0] == "{" or re.match(r"\[\s*[\[{\"]", rest) is not None


def unwrapped(text: str) -> str:
    """The answer inside a JSON value, as text with its markers; `text` itself if none is to be found.

    What stands behind the value is kept; a value that breaks off or is not quite JSON gives its answer too.
    """
    fence = _FENCE.match(text)
    body = text[fence.end() :] if fence else text.lstrip()
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(body)
    except ValueError:
        return _broken(body) or text
    answer = _said(value)
    if not answer.strip():
        return text
    rest = _FENCE_END.sub("", body[end:]).strip()
    return f"{answer}\n\n{_behind(rest)}" if _SAYS.search(rest) else answer


def unwrapped_lines(text: str) -> str:
    """The text with the answer in place of each line, each fenced block and each run of words of it that is a
    JSON object with an answer in it.

    >>> unwrapped_lines('One.\\n{"answer": "Two.", "citations": [1]}')
    'One.\\nTwo. [1]'
    """
    text = _within(_JSON_BLOCK.sub(_block_answer, text))
    return "\n".join(
        unwrapped(line) if line.lstrip().startswith("{") and looks_wrapped(line) else line
        for line in text.split("\n")
    )


def _within(text: str) -> str:
    """The text with the answer of each JSON object that stands between its words, code left as it is."""
    kept: list[str] = []
    at = 0
    for match in _OBJECT.finditer(text):
        if (
            match.start() < at
            or text.count("```", 0, match.start()) % 2
            or text[: match.start()].endswith("`")
        ):
            continue
        try:
            value, end = json.JSONDecoder(strict=False).raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        answer = _said(value).strip()
        if answer:
            kept += [text[at : match.start()], answer]
            at = end
    return "".join([*kept, text[at:]])


def _block_answer(block: re.Match[str]) -> str:
    answer = unwrapped(block["value"])
    return block[0] if answer == block["value"] else f"{answer}\n"


def _behind(rest: str) -> str:
    return unwrapped(rest) if looks_wrapped(rest) else rest


def _broken(body: str) -> str:
    """The answer in what is nearly JSON, "" if there is none."""
    match = _ANSWER_FIELD.search(body)
    if match is None:
        return ""
    try:
        answer = str(json.loads(f'"{match["text"]}"', strict=False))
    except ValueError:
        answer = match["text"]
    marked = _MARKS_FIELD.search(body, match.end())
    marks = "".join(f"[{n}]" for n in re.findall(r"\d{1,3}", marked["numbers"])) if marked else ""
    last = marked.end() if marked else match.end()
    rest = _AFTER_BROKEN.sub("", body[last:]).strip()
    answer = _with_marks(answer, marks)
    return f"{answer}\n\n{_behind(rest)}" if _SAYS.search(rest) else answer


def _said(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [part for item in value if (part := _said(item).strip())]
        return "\n".join(f"- {part}" for part in parts) if len(parts) > 1 else "".join(parts)
    if not isinstance(value, dict):
        return ""
    keys = {str(key).lower(): key for key in value}
    for name in _ANSWER_KEYS:
        if name in keys:
            answer = _said(value[keys[name]])
            marks = "".join(
                f"[{n}]" for mark in _MARK_KEYS if mark in keys for n in _numbers(value[keys[mark]])
            )
            return _with_marks(answer, marks)
    return ""


def _with_marks(answer: str, marks: str) -> str:
    """Marks that stood in a field of their own, behind an answer that has none in it."""
    return answer if re.search(r"\[\d", answer) or not marks else f"{answer.rstrip()} {marks}"


def _numbers(value: Any) -> list[int]:
    """Evidence numbers in whatever shape the model has put them."""
    if isinstance(value, bool):
        return []
    if isinstance(value, int):
        return [value]
    if isinstance(value, str):
        return [int(n) for n in re.findall(r"(?<!\d)\d{1,3}(?!\d)", value)[:1]]
    if isinstance(value, list):
        return [n for item in value for n in _numbers(item)]
    if isinstance(value, dict):
        for key in ("n", "id", "number", "index", "source", "编号"):
            if key in value:
                return _numbers(value[key])
    return []
