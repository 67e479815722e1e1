"""What an event of the page brings with it, and how an error is told to whoever caused it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import gradio as gr

from rag.errors import RagError
from ui.language import Texts, language_of, texts
from ui.render.element import escaped
from ui.render.problems import problem
from ui.visitor import visitor

P = ParamSpec("P")
R = TypeVar("R")


def told(handler: Callable[P, R]) -> Callable[P, R]:
    """Expected errors become a message on the page in the reader's language, not a stack trace."""

    @wraps(handler)
    def inner(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return handler(*args, **kwargs)
        except RagError as error:
            request = next(value for value in [*args, *kwargs.values()] if isinstance(value, gr.Request))
            raise toast(error, texts_of(request)) from error

    return inner


def toast(error: RagError, words: Texts) -> gr.Error:
    return message(" ".join(problem(error, words)).strip())


def message(line: str) -> gr.Error:
    # Its text is taken for HTML by the page.
    return gr.Error(escaped(line), print_exception=False)


def texts_of(request: gr.Request) -> Texts:
    return texts(language_of(request.headers.get("accept-language")))


def session(request: gr.Request) -> str:
    return request.session_hash or ""


def whose_turn(request: gr.Request) -> str:
    """Whose place in the queue a question takes: all windows of a person, or of a browser, count as one."""
    return request.username or visitor(request.headers.get("cookie", "")) or session(request)


def data_of(event: gr.EventData) -> dict[str, Any]:
    data = event._data
    return data if isinstance(data, dict) else {}
