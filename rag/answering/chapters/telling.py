"""What stands around the chapters: which document, what was covered, what to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from rag.text.language import Language

_NAMED = 12


def opening(path: str, chapters: int, of: Language, *, first: bool) -> str:
    """The line above a document's chapters: which document was taken."""
    gap = "" if first else "\n"
    name = path.replace("*", "")
    if of == "zh":
        return f"{gap}**{name}**，共 {chapters} 个部分：\n\n"
    return f"{gap}**{name}**, in {chapters} {'part' if chapters == 1 else 'parts'}:\n\n"


def title(text: str) -> str:
    """A chapter's title as a line of its own. "[3]" in it would be a marker, "1." the beginning of a list."""
    plain = text.replace("*", "").replace("[", "(").replace("]", ")").strip()
    return f"**{plain}**\n\n"


def below(
    covered: Sequence[str], partly: Sequence[str], missed: Sequence[str], total: int, of: Language
) -> str:
    """How much was covered, and what was not."""
    if of == "zh":
        lines = [f"{total} 个章节中已覆盖 {len(covered)} 个。"]
        if partly:
            lines.append(f"篇幅超出预算、只读了一部分的章节：{_list(partly, of)}。")
        if missed:
            lines.append(f"未覆盖的章节：{_list(missed, of)}。")
    else:
        lines = [f"{len(covered)} of {total} {'chapter' if total == 1 else 'chapters'} covered."]
        if partly:
            lines.append(f"Longer than the budget and read in part: {_list(partly, of)}.")
        if missed:
            lines.append(f"Not covered: {_list(missed, of)}.")
    return "\n\n".join(lines)


def to_choose(names: Sequence[str], of: Language) -> str:
    """What is answered where the question does not tell which document is meant."""
    if not names:
        return "资料库里还没有文档。" if of == "zh" else "There are no documents yet to sum up."
    if of == "zh":
        return f"请说明要总结哪一份文档，或用筛选条件选定它。可选：{_list(names, of)}。"
    asked = "Which document shall be summed up? Name it, or choose it with the filter."
    return f"{asked} There are: {_list(names, of)}."


def _list(names: Sequence[str], of: Language) -> str:
    shown = [name.replace("[", "(").replace("]", ")") for name in names[:_NAMED]]
    more = len(names) - _NAMED
    text = ("、" if of == "zh" else ", ").join(shown)
    if more <= 0:
        return text
    return f"{text} 等 {len(names)} 项" if of == "zh" else f"{text} and {more} more"
