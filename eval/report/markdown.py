"""The report as Markdown: sentences and tables, for a repository or a mail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eval.comparing import Row
from eval.report.contents import Case, Contents
from eval.report.html import hidden, shown_measures
from eval.report.sentence import alone, made, sentence
from eval.report.words import Language, Words, number, p_text, points


def markdown(found: Contents, language: Language, *, texts: bool = True) -> str:
    """texts: with questions and answers; without them only figures leave the house."""
    words = Words(language)
    parts = [f"# {words('title', dataset=found.dataset)}", made(found, words)]
    parts += [f"**{sentence(one, language)}**" for one in found.comparisons] or [f"**{alone(found, words)}**"]
    parts += [f"## {words('strategies')}", _strategies(found, words)]
    for one, cases in zip(found.comparisons, found.cases, strict=False):
        parts += [f"## {one.b.name} ↔ {one.a.name}", _rows(one.rows, words)]
        if one.groups:
            parts += [f"### {words('groups')}", _rows(one.groups, words)]
        if one.left_out:
            parts.append(words("left_out", n=one.left_out))
        if texts:
            parts.append(f"### {words('worst')}")
            parts += [_case(case, words) for case in cases] or [words("worst_none")]
    if texts and not found.comparisons:
        parts.append(f"## {words('lowest')} {words.measure(found.headline.key)}")
        parts += [_case(case, words) for case in found.cases[0]]
    if any(found.costs):
        parts += [f"## {words('costs')}", words("costs_note"), _costs(found, words)]
    if found.judges:
        pairs = found.judges[0]["groups"]["all"]["pairs"]
        parts += [f"## {words('judges')}", words("judges_note", pairs=pairs), _judges(found, words)]
    return "\n\n".join(parts) + "\n"


def _strategies(found: Contents, words: Words) -> str:
    shown = shown_measures(found)
    rows = []
    for run, means in zip(found.runs, found.means, strict=True):
        note = f" ({words('facts_hidden', n=hidden(run))})" if hidden(run) else ""
        cells = [number(means[m.key], m) if m.key in means else "–" for m in shown]
        rows.append([f"{run.name}{note}", str(len(run.lines)), *cells])
    return _table([words("strategy"), words("questions"), *(words.measure(m.key) for m in shown)], rows)


def _rows(rows: Sequence[Row], words: Words) -> str:
    names = ("measure", "difference", "interval", "p", "wtl", "detectable", "verdict")
    lines = []
    for row in rows:
        paired, measure = row.paired, row.measure
        lines.append(
            [
                row.group or words.measure(measure.key),
                points(paired.difference, measure),
                f"{points(paired.low, measure)} … {points(paired.high, measure)}",
                p_text(row.corrected).lstrip("=\u00a0"),
                f"{row.gains} / {paired.ties} / {row.setbacks}",
                "–" if paired.detectable is None else points(paired.detectable, measure, signed=False),
                words(f"verdict_{row.verdict}"),
            ]
        )
    return _table([words(name) for name in names], lines)


def _costs(found: Contents, words: Words) -> str:
    rows = [
        [run.name, *(f"{number(c.mean, c.measure)} · {number(c.p95, c.measure)}" for c in costs)]
        for run, costs in zip(found.runs, found.costs, strict=True)
    ]
    heads = [f"{words.measure(c.measure.key)} ({words('mean')} · {words('p95')})" for c in found.costs[0]]
    return _table([words("strategy"), *heads], rows)


def _judges(found: Contents, words: Words) -> str:
    rows = []
    for judge in found.judges:
        for name, group in judge["groups"].items():
            if group["pairs"]:
                unfit = words("unfit") if name in judge["unfit"] else ""
                title = words(f"group_{name.replace(' ', '_')}")
                rows.append([judge["judge"], title, str(group["pairs"]), f"{group['kappa']:.2f}", unfit])
    return _table([words("judge"), "", "n", "κ", ""], rows)


def _case(case: Case, words: Words) -> str:
    lines = [f"**{_flat(case.question)}** ({case.key[1]})"]
    for side in case.sides:
        missing = "; ".join(map(_flat, side.facts("none"))) or "–"
        lines.append(f"- {side.name}: {_flat(str(side.line.get('answer', '')))[:600]}")
        lines.append(f"  - {words('missing')}: {missing}")
    return "\n".join(lines)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---", *("---:" for _ in heads[1:])], *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _flat(text: str) -> str:
    return " ".join(text.split())
