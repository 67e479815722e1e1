"""An answer's Markdown as HTML, with its citations as buttons and its unsupported sentences marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from rag.answering.coverage import coverage_line, is_whole
from rag.records import Answer, Citation, Evidence
from ui.language import LANGUAGES, Texts
from ui.render.element import Html, button, element, escaped, joined
from ui.render.numbered import unit

# Two private-use characters carry the bounds of unsupported sentences through the Markdown parser.
_OPEN, _CLOSE = "\ue0a0", "\ue0a1"
# And a third one shows where the end of a word begins that stays with the number behind it.
_TIE = "\ue0a2"
_END_OF_WORD = re.compile(r"((?:[A-Za-z0-9]{1,12}|\w)?[^\w\s]{0,4})(?<=\S)( *)$")
_MARKER = re.compile(r"\[(\d{1,3})\]")
_DECORATION = r"[\s*_>|`]*"


def answer_html(
    text: str,
    evidence: Sequence[Evidence],
    texts: Texts,
    *,
    citations: Sequence[Citation] = (),
    unsupported: Sequence[str] = (),
) -> Html:
    """`text` is the model's Markdown; raw HTML, links and images in it are shown as the text they are.

    Links and images would let a document or a model send the reader's browser somewhere else.
    """
    text = text.translate(dict.fromkeys(map(ord, (_OPEN, _CLOSE, _TIE))))
    text, missed = _fence(text, unsupported)
    known = {item.n: item for item in evidence}
    verified = {citation.n for citation in citations if citation.verified}
    # The parser escapes whatever it does not know as Markdown (html=False), and the rules below do.
    shown = Html(_markdown().render(text, {"known": known, "verified": verified, "texts": texts}))
    if not missed:
        return shown
    listed = joined(*(element("li", sentence) for sentence in missed))
    title = element("p", texts("answer.unsupported.list"))
    return joined(shown, element("div", title, element("ul", listed), class_="missed"))


def verdict_html(answer: Answer, texts: Texts) -> Html:
    """The line under a finished answer: what was checked, what was not found, how it ended."""
    notes: list[tuple[str, str]] = []
    if answer.stopped:
        notes.append(("note stopped", texts("answer.stopped")))
    line = coverage_line(answer.coverage, texts.language)
    # The answer of every document ends with it, in the question's language.
    said = any((coverage_line(answer.coverage, each) or "\0") in answer.text for each in LANGUAGES)
    if line and answer.found and not said:
        notes.append(("note coverage" if is_whole(answer.coverage) else "note coverage warn", line))
    if answer.found and answer.citations:
        numbers = {citation.n for citation in answer.citations}
        good = {citation.n for citation in answer.citations if citation.verified}
        # A kept answer: it was checked against a text that is not there any more.
        gone = {item.n for item in answer.evidence if item.n in numbers and not item.text}
        if gone:
            notes.append(("note warn", texts("answer.gone", n=len(gone))))
        elif good == numbers:
            notes.append(("note ok", texts("answer.all_verified", n=len(numbers))))
        else:
            notes.append(("note warn", texts("answer.some_verified", good=len(good), n=len(numbers))))
    if answer.found and answer.unsupported:
        notes.append(("note warn", texts("answer.unsupported", n=len(answer.unsupported))))
    if answer.found and answer.extractive:
        notes.append(("note", texts("answer.extractive")))
    if answer.timing.total_s:
        notes.append(("note time", texts("answer.seconds", seconds=f"{answer.timing.total_s:.1f}")))
    return joined(*(element("span", line, class_=kind) for kind, line in notes))


def citation_button(evidence: Evidence, verified: bool, texts: Texts) -> Html:
    name = evidence.path.rsplit("/", 1)[-1]
    where = name
    if evidence.page is not None:
        where = texts("cite.page", name=name, page=evidence.page, unit=unit(evidence.path, 1, texts))
    label = texts("cite.verified" if verified else "cite.label", n=evidence.n, where=where)
    kind = "cite ok" if verified else "cite"
    return button(str(evidence.n), kind, data_n=evidence.n, title=label, aria_label=label)


def _fence(text: str, sentences: Sequence[str]) -> tuple[str, list[str]]:
    """`text` with each sentence between the two characters, and the sentences that are not in it."""
    missed = []
    # Markers and decoration may stand between the words of the shown text.
    gap = rf"{_DECORATION}(?:\[\d{{1,3}}\]{_DECORATION})*"
    for sentence in sentences:
        words = re.findall(r"[^\W_]+|[^\w\s*>|`]", _MARKER.sub(" ", sentence))
        if not words:
            continue
        found = re.search(gap.join(re.escape(word) for word in words), text)
        if found is None or _OPEN in found[0] or _CLOSE in found[0]:
            missed.append(sentence)
        else:
            text = f"{text[: found.start()]}{_OPEN}{found[0]}{_CLOSE}{text[found.end() :]}"
    return text, missed


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "breaks": True})
    markdown.enable(["table", "strikethrough"])
    markdown.disable(["image", "link", "autolink", "reference", "html_inline", "html_block"])
    markdown.inline.ruler.before("escape", "citation", _citation_rule)
    rules: dict[str, Callable[[Token, dict[str, Any]], str]] = {
        "citation": _citation,
        "text": _text,
        "code_inline": lambda token, env: element("code", _bare(token.content, env)),
        "fence": _block,
        "code_block": _block,
        "table_open": lambda token, env: '<div class="table"><table>',
        "table_close": lambda token, env: "</table></div>",
    }
    for name, rule in rules.items():
        markdown.add_render_rule(name, _adapted(rule))
    return markdown


def _adapted(rule: Callable[[Token, dict[str, Any]], str]) -> Callable[..., str]:
    def render(
        renderer: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: dict[str, Any]
    ) -> str:
        env["next"] = tokens[place + 1].type if place + 1 < len(tokens) else ""
        return rule(tokens[place], env)

    return render


def _citation_rule(state: StateInline, silent: bool) -> bool:
    found = _MARKER.match(state.src, state.pos)
    if found is None or int(found[1]) not in state.env["known"]:
        return False
    if not silent:
        state.push("citation", "", 0).meta = {"n": int(found[1])}
    state.pos = found.end()
    return True


def _citation(token: Token, env: dict[str, Any]) -> str:
    n = token.meta["n"]
    shown = str(citation_button(env["known"][n], n in env["verified"], env["texts"]))
    if env.get("tied") and env["next"] != "citation":
        env["tied"] = False
        shown += "</span>"
    return shown


def _text(token: Token, env: dict[str, Any]) -> str:
    # Each run of text is wrapped on its own, so that the element never crosses another one.
    marked = bool(env.get("inside"))
    title = env["texts"]("answer.unsupported.title")
    content, end = token.content, ""
    # A number is not left alone at the beginning of a line: the end of the word before it goes with it.
    # (Whatever a button stands beside, a line may break there, unless an element around both forbids it.)
    if env["next"] == "citation" and (found := _END_OF_WORD.search(content)):
        space = "\u00a0" if found[2] else ""
        content, end = content[: found.start()], f"{_TIE}{found[1]}{space}"
    out = []
    for piece in re.split(f"([{_OPEN}{_CLOSE}{_TIE}])", content + end):
        if piece == _TIE:
            out.append('<span class="tied">')
            env["tied"] = True
        elif piece in (_OPEN, _CLOSE):
            marked = piece == _OPEN
        elif marked and piece:
            out.append(element("span", piece, class_="unsupported", title=title))
        else:
            out.append(escaped(piece))
    env["inside"] = marked
    return "".join(out)


def _block(token: Token, env: dict[str, Any]) -> str:
    return element("pre", element("code", _bare(token.content, env)))


def _bare(code: str, env: dict[str, Any]) -> str:
    """Code without the two characters; the state that they carry is kept for the text behind it."""
    last = max(code.rfind(_OPEN), code.rfind(_CLOSE))
    if last >= 0:
        env["inside"] = code[last] == _OPEN
    return code.replace(_OPEN, "").replace(_CLOSE, "")
