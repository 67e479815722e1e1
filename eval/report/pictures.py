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
_PHONE = 340
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
    """A line a row: its name, mean difference with interval on a common scale, and both in figures.

    Twice: as wide as a page, and with the names above the lines for a phone; the page's style shows one.
    """
    if not rows:
        return Markup("")
    return _wide(rows, words, title) + _narrow(rows, words, title)


def _wide(rows: Sequence[Row], words: Words, title: str) -> Markup:
    reach, step = _reach(rows, 4)
    scale = _Scale(reach, _LABEL + 12, _WIDTH - _VALUES - 12)
    bottom = _TOP + _ROW * len(rows)
    parts = [_axis(scale, step, bottom)]
    for place, row in enumerate(rows):
        y = _TOP + _ROW * place + _ROW / 2
        texts = (
            _text("name", _LABEL, y + 4, _name(row, words), f" n {row.paired.n}"),
            _text("value", _WIDTH - _VALUES + 42, y + 4, points(row.paired.difference, row.measure)),
            _text("interval", _WIDTH, y + 4, _interval(row)),
        )
        parts.append(_line(row, words, scale, y, texts))
    return _svg("forest", _WIDTH, bottom + _AXIS, parts, title)


def _narrow(rows: Sequence[Row], words: Words, title: str) -> Markup:
    reach, step = _reach(rows, 2)
    scale = _Scale(reach, 14, _PHONE - 14)
    bottom = _TOP + 2 * _ROW * len(rows)
    parts = [_axis(scale, step, bottom)]
    for place, row in enumerate(rows):
        y = _TOP + 2 * _ROW * place
        told = f"{points(row.paired.difference, row.measure)} ({_interval(row)})"
        texts = (_text("name", 0, y + 14, _name(row, words)), _text("interval", _PHONE, y + 14, told))
        parts.append(_line(row, words, scale, y + 32, texts))
    return _svg("forest narrow", _PHONE, bottom + _AXIS, parts, title)


def _reach(rows: Sequence[Row], steps: int) -> tuple[float, float]:
    """The end of the scale on either side, and the distance of its marks."""
    reach = max(max(abs(row.paired.low), abs(row.paired.high)) for row in rows)
    step = next((step for step in _STEPS if reach / step <= steps), 0.5)
    return max(step, math.ceil(reach / step - 1e-9) * step), step


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


def _line(row: Row, words: Words, scale: _Scale, y: float, texts: Sequence[str]) -> str:
    paired = row.paired
    low, mid, high = scale.x(paired.low), scale.x(paired.difference), scale.x(paired.high)
    told = (
        f"{_name(row, words)}: {points(paired.difference, row.measure)} ({_interval(row)}), "
        f"p {p_text(row.corrected)}"
    )
    return (
        f'<g class="{row.verdict}"><title>{escape(told)}</title>{"".join(texts)}'
        f'<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>'
        f'<line class="whisker" x1="{low:.1f}" x2="{low:.1f}" y1="{y - 4}" y2="{y + 4}"/>'
        f'<line class="whisker" x1="{high:.1f}" x2="{high:.1f}" y1="{y - 4}" y2="{y + 4}"/>'
        f'<rect class="mark" x="{mid - 4.5:.1f}" y="{y - 4.5}" width="9" height="9" rx="1.5"/></g>'
    )


def _name(row: Row, words: Words) -> str:
    return row.group or words.measure(row.measure.key)


def _interval(row: Row) -> str:
    return f"{points(row.paired.low, row.measure)} … {points(row.paired.high, row.measure)}"


def _text(kind: str, x: float, y: float, text: str, quiet: str = "") -> str:
    small = f'<tspan class="n">{escape(quiet)}</tspan>' if quiet else ""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(text)}{small}</text>'


def _svg(kind: str, width: float, height: float, parts: Sequence[str], title: str) -> Markup:
    inside = "".join(parts)
    return Markup(
        f'<svg class="{kind}" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{escape(title)}">{inside}</svg>'
    )
