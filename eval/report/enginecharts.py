"""The engine's measurements drawn: a row for each context and batch, a column for each cache type.

Bars of one picture share one scale, so that the eye can go down a column (what a longer context costs) and
along a row (what a smaller cache costs). Inline SVG in the colours of the page's CSS variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from eval.enginebench import Line
from eval.report.words import Words

_WIDTH, _LABEL, _TOP, _ROW, _BAR, _GAP = 860, 92, 30, 34, 12, 18
_FIGURES = 64
"""Room behind the longest bar for its figure."""


@dataclass(frozen=True, slots=True)
class Chart:
    """value: the bar. beside: a mark on the same scale, None for none. digits: of the figures.

    key: of its title in words.toml; with "_note" behind it, of what is said under the title.
    """

    key: str
    value: Callable[[Line], float | None]
    beside: Callable[[Line], float | None] | None = None
    digits: int = 0


CHARTS = (
    Chart("engine_memory", lambda line: line.used_mib, lambda line: line.predicted_mib),
    Chart("engine_reading", lambda line: line.prompt_per_s),
    Chart("engine_writing", lambda line: line.decode_per_s, digits=1),
    Chart("engine_cold", lambda line: line.first_cold_s, digits=2),
    Chart("engine_warm", lambda line: line.first_warm_s, digits=2),
)


def drawn(chart: Chart, lines: Sequence[Line], words: Words) -> Markup:
    """The picture; nothing where no line has a figure."""
    kvs = list(dict.fromkeys(line.kv for line in lines))
    rows = sorted({(line.context, line.batch) for line in lines})
    by_place = {(line.context, line.batch, line.kv): line for line in lines}
    shown = [chart.value(line) for line in lines if not line.problem]
    marks = [chart.beside(line) for line in lines if chart.beside and not line.problem]
    most = max((value for value in [*shown, *marks] if value), default=0.0)
    if not most:
        return Markup("")
    several = len({batch for _, batch in rows}) > 1
    left = _LABEL + (44 if several else 0)
    column = (_WIDTH - left - _GAP * (len(kvs) - 1)) / len(kvs)
    scale = max(20.0, column - _FIGURES) / most
    bottom = _TOP + _ROW * len(rows)
    rows_are = escape(words("engine_rows_batch" if several else "engine_rows"))
    parts = [f'<text class="name n" x="{left - 12}" y="16">{rows_are}</text>']
    for place, kv in enumerate(kvs):
        x = left + place * (column + _GAP)
        parts.append(f'<text class="head" x="{x:.1f}" y="16">{escape(kv)}</text>')
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 6}" y2="{bottom - 6}"/>')
    for index, (context, batch) in enumerate(rows):
        y = _TOP + _ROW * index
        label = f"{context:,} · {batch}" if several else f"{context:,}"
        parts.append(f'<text class="name" x="{left - 12}" y="{y + _BAR + 1}">{label}</text>')
        for place, kv in enumerate(kvs):
            line = by_place.get((context, batch, kv))
            if line is not None:
                parts.append(_bar(chart, line, left + place * (column + _GAP), y, scale, words))
    inside, label = "".join(parts), escape(words(chart.key))
    return Markup(f'<svg viewBox="0 0 {_WIDTH} {bottom}" role="img" aria-label="{label}">{inside}</svg>')


def _bar(chart: Chart, line: Line, x: float, y: float, scale: float, words: Words) -> str:
    told = f"{line.context:,} · {line.kv} · {line.batch}: "
    if line.problem:
        not_run = escape(words("engine_not_run"))
        return (
            f"<g><title>{escape(told + line.problem)}</title>"
            f'<text class="failed" x="{x + 8:.1f}" y="{y + _BAR + 1}">✕ {not_run}</text></g>'
        )
    value, mark = chart.value(line), chart.beside(line) if chart.beside else None
    width = (value or 0.0) * scale
    figure = "–" if value is None else f"{value:,.{chart.digits}f}"
    told += figure
    if mark is not None:
        told += ", " + words("engine_predicted", figure=f"{mark:,.{chart.digits}f}")
    parts = [f"<g><title>{escape(told)}</title>"]
    parts.append(f'<rect class="gain" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BAR + 4}" rx="1.5"/>')
    end = width
    if mark is not None:
        at = x + mark * scale
        parts.append(
            f'<line class="predicted" x1="{at:.1f}" x2="{at:.1f}" y1="{y - 4}" y2="{y + _BAR + 8}"/>'
        )
        end = max(end, mark * scale)
    parts.append(f'<text class="figure" x="{x + end + 6:.1f}" y="{y + _BAR + 1}">{figure}</text></g>')
    return "".join(parts)
