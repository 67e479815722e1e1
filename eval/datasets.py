"""Data sets: a folder with `docs/` to ingest and files of questions, one JSON object a line.

A question has `id, question, answers[], nuggets[{text, vital}], evidence[{doc, page?, quote?}], lang,
kind, answerable`. `doc` is a path below docs/, `page` the physical page from 1, `quote` words of it.
A question of a conversation also has `history[{role: user|assistant, text}]`, the oldest first; such sets
often give `answerability` instead of `answerable`, several kinds, and no nuggets: that is read, too.
What is missing or of the wrong type is refused with file, line and field. Other fields are left alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval.presence import must_exist
from rag.errors import NothingToWorkOn, UsageError
from rag.records import Turn

DEFAULT_FILES = ("questions.jsonl", "questions_hard.jsonl")

ANSWERABILITY = {"ANSWERABLE": True, "PARTIAL": True, "UNDERSPECIFIED": True, "UNANSWERABLE": False}
"""What multi-turn sets say in place of true and false: the documents hold something, be it for several
readings of the question, or nothing."""


@dataclass(frozen=True, slots=True)
class Nugget:
    text: str
    vital: bool


@dataclass(frozen=True, slots=True)
class Gold:
    """Where the documents answer a question. Without a quote it names a document only."""

    doc: str
    page: int | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    question: str
    answerable: bool
    lang: str
    kind: str
    answers: tuple[str, ...]
    nuggets: tuple[Nugget, ...]
    evidence: tuple[Gold, ...]
    history: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """name: how reports call it, the file's name."""

    path: Path
    questions: tuple[Question, ...]

    @property
    def name(self) -> str:
        return self.path.name


@dataclass(frozen=True, slots=True)
class Dataset:
    """name: of its folder. docs: the folder to ingest."""

    folder: Path
    files: tuple[QuestionFile, ...] = field(default=())

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def docs(self) -> Path:
        return self.folder / "docs"

    def need_docs(self) -> None:
        """Raises UsageError if there are no documents beside the questions."""
        if not self.docs.is_dir():
            raise UsageError(
                f"{self.folder} is not a data set: it has no folder docs.",
                fix="Name a folder with docs/ and questions.jsonl.",
            )


def read(folder: Path, questions: Sequence[Path] = (), *, needs_docs: bool = True) -> Dataset:
    """The data set in `folder` with `questions` (default: those of DEFAULT_FILES that are there).

    Without needs_docs the folder may hold questions only, asked of documents that are somewhere else; whether
    the gold documents exist is then not checked.

    A file of questions that does not exist where it is named is looked for in `folder`.

    Raises UsageError naming file, line and field; NothingToWorkOn if there is no such folder, or no question
    in it at all.
    """
    folder = folder.absolute()
    must_exist(folder)
    dataset = Dataset(folder)
    if needs_docs:
        dataset.need_docs()
    paths = [path if path.exists() else folder / path for path in questions]
    paths = paths or [folder / name for name in DEFAULT_FILES if (folder / name).is_file()]
    if not paths:
        raise UsageError(
            f"{folder} has no {DEFAULT_FILES[0]}.", fix="Name a file of questions with --questions."
        )
    files = tuple(
        QuestionFile(path, read_questions(path, dataset.docs if needs_docs else None)) for path in paths
    )
    if not any(file.questions for file in files):
        raise NothingToWorkOn(f"There is no question in {', '.join(str(path) for path in paths)}.")
    return Dataset(folder, files)


def read_questions(path: Path, docs: Path | None) -> tuple[Question, ...]:
    """Every line of `path`, checked; `docs` is the folder that their evidence lies in (None: not checked)."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.", fix="Name a UTF-8 file of questions.") from error
    result: list[Question] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        question, _ = parsed_line(line, docs, place=f"{path}, line {number}")
        if question.id in seen:
            raise UsageError(
                f"{path}, line {number}, field id: "
                f"{question.id!r} is also the id of line {seen[question.id]}.",
                fix="Give every question its own id.",
            )
        seen[question.id] = number
        result.append(question)
    return tuple(result)


class FieldError(UsageError):
    """One field of one line is wrong. field: its name, with the way to it ("evidence[0].doc")."""

    def __init__(self, place: str, field: str, problem: str) -> None:
        where = ", ".join(part for part in (place, f"field {field}" if field else "") if part)
        super().__init__(f"{where}: {problem}.", fix="Correct that line.")
        self.field = field
        self.problem = problem


def parsed_line(line: str, docs: Path | None, *, place: str = "") -> tuple[Question, bool]:
    """The question of one line, and whether it is a draft that nobody has looked at.

    Raises FieldError for what is missing or of the wrong type. docs, place: see read_questions.
    """
    try:
        content = json.loads(line)
    except json.JSONDecodeError as error:
        raise FieldError(place, "", f"not JSON: {error}") from error
    fields = _Fields(content, place)
    return _question(fields, docs), content.get("draft") is True


def file_of(docs: Path, doc: str) -> Path | None:
    """The file on disk that is `doc` or that it lies in ("bundle.zip/a.txt"); None if there is none."""
    parts = doc.split("/")
    for length in range(len(parts), 0, -1):
        path = docs.joinpath(*parts[:length])
        if path.is_file():
            return path
    return None


class _Fields:
    """One JSON object of the file, read field by field with complaints that say where."""

    def __init__(self, content: object, place: str, prefix: str = "") -> None:
        if not isinstance(content, Mapping):
            raise FieldError(f"{place}, {prefix.rstrip('.') or 'the line'}", "", "expected an object")
        self._content: Mapping[str, Any] = content
        self.place = place
        self.prefix = prefix

    def wrong(self, name: str, problem: str) -> FieldError:
        return FieldError(self.place, f"{self.prefix}{name}", problem)

    def has(self, name: str) -> bool:
        return name in self._content

    def text(self, name: str) -> str:
        value = self._content.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(name, f"expected a text that is not empty, found {value!r}")
        return value

    def truth(self, name: str) -> bool:
        value = self._content.get(name)
        if not isinstance(value, bool):
            raise self.wrong(name, f"expected true or false, found {value!r}")
        return value

    def answerable(self) -> bool:
        word = self._content.get("answerability")
        if "answerable" in self._content or word is None:
            return self.truth("answerable")
        if word not in ANSWERABILITY:
            raise self.wrong("answerability", f"expected one of {', '.join(ANSWERABILITY)}, found {word!r}")
        return ANSWERABILITY[word]

    def kind(self) -> str:
        """One kind, or several of a list as one name."""
        return (
            "; ".join(self.texts("kind"))
            if isinstance(self._content.get("kind"), list)
            else self.text("kind")
        )

    def history(self) -> tuple[Turn, ...]:
        """Turns of a conversation: messages of the asker that follow each other are one question."""
        turns: list[Turn] = []
        for message in self.objects("history") if self._content.get("history") is not None else []:
            role, text = message.text("role"), message.text("text").strip()
            if role not in ("user", "assistant"):
                raise message.wrong("role", f"expected user or assistant, found {role!r}")
            if role == "user" and not (turns and not turns[-1].answer):
                turns.append(Turn(text, ""))
            elif not turns:
                raise message.wrong("role", "a conversation begins with a message of the user")
            elif role == "user":
                turns[-1] = Turn(f"{turns[-1].question}\n{text}", "")
            else:
                turns[-1] = Turn(turns[-1].question, f"{turns[-1].answer}\n{text}".strip())
        return tuple(turns)

    def optional_text(self, name: str) -> str | None:
        return None if self._content.get(name) is None else self.text(name)

    def page(self, name: str) -> int | None:
        value = self._content.get(name)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            raise self.wrong(name, f"expected a page number from 1, found {value!r}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._content.get(name)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(name, f"expected a list of texts, found {value!r}")
        return tuple(value)

    def objects(self, name: str) -> list[_Fields]:
        value = self._content.get(name)
        if not isinstance(value, list):
            raise self.wrong(name, f"expected a list, found {value!r}")
        return [
            _Fields(item, self.place, f"{self.prefix}{name}[{index}].") for index, item in enumerate(value)
        ]


def _question(fields: _Fields, docs: Path | None) -> Question:
    evidence = fields.objects("evidence")
    history = fields.history()
    nuggets = fields.objects("nuggets") if fields.has("nuggets") or not fields.has("history") else []
    return Question(
        id=fields.text("id"),
        question=fields.text("question"),
        answerable=fields.answerable(),
        lang=fields.text("lang"),
        kind=fields.kind(),
        answers=fields.texts("answers"),
        nuggets=tuple(Nugget(item.text("text"), item.truth("vital")) for item in nuggets),
        evidence=tuple(_gold(item, docs) for item in evidence),
        history=history,
    )


def _gold(fields: _Fields, docs: Path | None) -> Gold:
    gold = Gold(fields.text("doc"), fields.page("page"), fields.optional_text("quote"))
    if docs is not None and file_of(docs, gold.doc) is None:
        raise fields.wrong("doc", f"there is no {gold.doc!r} in {docs}")
    return gold
