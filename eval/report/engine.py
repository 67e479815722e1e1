"""The engine's measurements as a table, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from markupsafe import Markup, escape

from eval.enginebench import Line

_COLUMNS: tuple[tuple[str, Callable[[Line], str]], ...] = (
    ("context", lambda line: f"{line.context:,}"),
    ("KV", lambda line: line.kv),
    ("batch", lambda line: str(line.batch)),
    ("predicted MiB", lambda line: f"{line.predicted_mib:,.0f}"),
    ("used MiB", lambda line: _plain(line.used_mib, 0)),
    ("prompt", lambda line: _plain(line.prompt_tokens, 0)),
    ("prompt t/s", lambda line: _plain(line.prompt_per_s, 0)),
    ("decode t/s", lambda line: _plain(line.decode_per_s, 1)),
    ("first cold s", lambda line: _plain(line.first_cold_s, 2)),
    ("first warm s", lambda line: _plain(line.first_warm_s, 2)),
)
_WIDTH, _LABEL, _BAR, _GAP = 860, 190, 12, 16
_CHARTS: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    ("Memory, MiB", (("predicted", "predicted_mib", "quiet"), ("used", "used_mib", "gain"))),
    ("Reading the prompt, tokens/s", (("", "prompt_per_s", "gain"),)),
    ("Writing, tokens/s", (("", "decode_per_s", "gain"),)),
    ("Seconds to the first word", (("cold", "first_cold_s", "quiet"), ("warm", "first_warm_s", "gain"))),
)
"""Title, and (name, field of a line, style) of each bar."""


def table(lines: Sequence[Line]) -> str:
    """Aligned text, a line a combination; what failed says why."""
    rows = [[title for title, _ in _COLUMNS]]
    rows += [[cell(line) for _, cell in _COLUMNS] for line in lines]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_COLUMNS))]
    text = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    problems = [f"{line.context} {line.kv} {line.batch}: {line.problem}" for line in lines if line.problem]
    return "\n".join([*text, *problems])


def page(head: Mapping[str, Any], lines: Sequence[Line]) -> str:
    """One self-contained HTML page."""
    style = Markup((files("eval.report") / "page.css").read_text(encoding="utf-8"))
    title = f"Engine: {head['dataset']}"
    heads = Markup("").join(Markup("<th>{}</th>").format(name) for name, _ in _COLUMNS)
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(
            Markup("").join(Markup("<td>{}</td>").format(cell(line)) for _, cell in _COLUMNS)
        )
        for line in lines
    )
    problems = Markup("").join(
        Markup('<p class="note">{} {} {}: {}</p>').format(line.context, line.kv, line.batch, line.problem)
        for line in lines
        if line.problem
    )
    drawn = Markup("").join(
        Markup('<h2>{}</h2><div class="card scroll">{}</div>').format(name, _bars(lines, bars, name))
        for name, bars in _CHARTS
    )
    versions = head["versions"]
    made = (
        f"{head['created'][:10]} · llama-cpp-python {versions['llama-cpp-python']} · "
        f"{head['system']['machine']}, {head['system']['cpus']} CPUs · prompt fills {head['filled']:.0%}"
    )
    return str(
        Markup(
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>'
            "<style>{style} svg .quiet {{ fill: var(--line-strong); }}</style></head>"
            "<body><main><h1>{title}</h1>"
            '<p class="made">{made}</p><div class="card scroll"><table><thead><tr>{heads}</tr></thead>'
            "<tbody>{body}</tbody></table></div>{problems}{drawn}</main></body></html>\n"
        ).format(title=title, style=style, made=made, heads=heads, body=body, problems=problems, drawn=drawn)
    )


def _bars(lines: Sequence[Line], bars: Sequence[tuple[str, str, str]], title: str) -> Markup:
    found = [[getattr(line, field) for _, field, _ in bars] for line in lines]
    most = max((value for values in found for value in values if value), default=0.0)
    if not most:
        return Markup("")
    parts, y = [], 8.0
    for line, values in zip(lines, found, strict=True):
        label = f"{line.context:,} · {line.kv} · {line.batch}"
        middle = y + _BAR * len(bars) / 2 + 4
        parts.append(f'<text class="name" x="{_LABEL}" y="{middle}">{escape(label)}</text>')
        for (name, _, style), value in zip(bars, values, strict=True):
            if value:
                width = value / most * (_WIDTH - _LABEL - 150)
                parts.append(
                    f'<rect class="{style}" x="{_LABEL + 10}" y="{y}" width="{width:.1f}" '
                    f'height="{_BAR - 2}" rx="1.5"/>'
                    f'<text class="tick" style="text-anchor: start" x="{_LABEL + 16 + width:.1f}" '
                    f'y="{y + _BAR - 2}">{_plain(value, 2 if most < 100 else 0)} {escape(name)}</text>'
                )
            y += _BAR
        y += _GAP
    inside = "".join(parts)
    return Markup(f'<svg viewBox="0 0 {_WIDTH} {y:g}" role="img" aria-label="{escape(title)}">{inside}</svg>')


def _plain(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"
