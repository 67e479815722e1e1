"""Forest plot and distribution as inline SVG, in colours that are CSS variables of the page.

Texts in the pictures are the page's own; lengths are in pixels of a viewBox that scales with the page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from eval.comparing import Row
from eval.report.words import Words, p_text, points

_WIDTH = 860
_ROW = 26
_LABEL = 282
_VALUES = 190
_TOP = 12
_AXIS = 30
_BARS = 120
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)


@dataclass(frozen=True, slots=True)
class _Scale:
    reach: float
    left: float
    right: float

    def x(self, value: float) -> float:
        clipped = max(-self.reach, min(self.reach, value))
        return self.left + (clipped + self.reach) / (2 * self.reach) * (self.right - self.left)


def forest(rows: Sequence[Row], words: Words, *, title: str) -> Markup:
    """A line a row: its name, mean difference with interval on a common scale, and both in figures."""
    if not rows:
        return Markup("")
    reach = max(max(abs(row.paired.low), abs(row.paired.high)) for row in rows)
    step = next((step for step in _STEPS if reach / step <= 4), 0.5)
    reach = max(step, math.ceil(reach / step - 1e-9) * step)
    scale = _Scale(reach, _LABEL + 12, _WIDTH - _VALUES - 12)
    bottom = _TOP + _ROW * len(rows)
    parts = [_axis(scale, step, bottom)]
    for place, row in enumerate(rows):
        parts.append(_line(row, words, scale, _TOP + _ROW * place + _ROW / 2))
    return _svg("forest", _WIDTH, bottom + _AXIS, parts, title)


def distribution(differences: Sequence[float], *, title: str) -> Markup:
    """One bar a question, sorted: down for losses, up for gains; equal ones as dots on the line."""
    if not differences:
        return Markup("")
    ordered = sorted(differences)
    reach = max(max(map(abs, ordered)), 1e-9)
    up = _BARS / 2 * max(ordered[-1], 0.15 * reach) / reach
    down = _BARS / 2 * max(-ordered[0], 0.15 * reach) / reach
    slot = min(24.0, (_WIDTH - 20) / len(ordered))
    left = (_WIDTH - slot * len(ordered)) / 2
    middle = _TOP + up
    parts = [f'<line class="zero" x1="10" x2="{_WIDTH - 10}" y1="{middle}" y2="{middle}"/>']
    for place, value in enumerate(ordered):
        x = left + place * slot + slot * 0.15
        width = max(0.8, slot * 0.7)
        height = abs(value) / reach * _BARS / 2
        if height < 0.5:
            radius = min(1.6, slot * 0.35)
            parts.append(f'<circle class="tie" cx="{x + width / 2:.1f}" cy="{middle}" r="{radius:.2f}"/>')
            continue
        kind, y = ("loss", middle) if value < 0 else ("gain", middle - height)
        parts.append(
            f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="1"/>'
        )
    return _svg("bars", _WIDTH, _TOP * 2 + up + down, parts, title)


def _axis(scale: _Scale, step: float, bottom: float) -> str:
    ticks = round(scale.reach / step)
    parts = []
    for tick in range(-ticks, ticks + 1):
        x = scale.x(tick * step)
        kind = "zero" if tick == 0 else "grid"
        parts.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 6}" y2="{bottom}"/>')
        label = f"{100 * tick * step:+.0f}".replace("-", "−") if tick else "0"
        parts.append(f'<text class="tick" x="{x:.1f}" y="{bottom + 18}">{label}</text>')
    return "".join(parts)


def _line(row: Row, words: Words, scale: _Scale, y: float) -> str:
    paired = row.paired
    name = row.group or words.measure(row.measure.key)
    low, mid, high = scale.x(paired.low), scale.x(paired.difference), scale.x(paired.high)
    interval = f"{points(paired.low, row.measure)} … {points(paired.high, row.measure)}"
    told = f"{name}: {points(paired.difference, row.measure)} ({interval}), p {p_text(row.corrected)}"
    text_y = y + 4
    return (
        f'<g class="{row.verdict}"><title>{escape(told)}</title>'
        f'<text class="name" x="{_LABEL}" y="{text_y}">{escape(name)}'
        f'<tspan class="n"> n {paired.n}</tspan></text>'
        f'<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>'
        f'<line class="whisker" x1="{low:.1f}" x2="{low:.1f}" y1="{y - 4}" y2="{y + 4}"/>'
        f'<line class="whisker" x1="{high:.1f}" x2="{high:.1f}" y1="{y - 4}" y2="{y + 4}"/>'
        f'<rect class="mark" x="{mid - 4.5:.1f}" y="{y - 4.5}" width="9" height="9" rx="1.5"/>'
        f'<text class="value" x="{_WIDTH - _VALUES + 42}" y="{text_y}">'
        f"{points(paired.difference, row.measure)}</text>"
        f'<text class="interval" x="{_WIDTH}" y="{text_y}">{escape(interval)}</text></g>'
    )


def _svg(kind: str, width: float, height: float, parts: Sequence[str], title: str) -> Markup:
    inside = "".join(parts)
    return Markup(
        f'<svg class="{kind}" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{escape(title)}">{inside}</svg>'
    )
