"""The engine's measurements as a table, and as a page with pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from eval.enginebench import Line
from eval.report.enginecharts import CHARTS, drawn
from eval.report.words import Language, Words

_COLUMNS: tuple[tuple[str, Callable[[Line], str]], ...] = (
    ("engine_column_context", lambda line: f"{line.context:,}"),
    ("engine_column_kv", lambda line: line.kv),
    ("engine_column_batch", lambda line: str(line.batch)),
    ("engine_column_predicted", lambda line: f"{line.predicted_mib:,.0f}"),
    ("engine_column_used", lambda line: _plain(line.used_mib, 0)),
    ("engine_column_host", lambda line: _plain(line.host_mib, 0)),
    ("engine_column_load", lambda line: _plain(line.load_s, 1)),
    ("engine_column_prompt", lambda line: _plain(line.prompt_tokens, 0)),
    ("engine_column_prompt_speed", lambda line: _plain(line.prompt_per_s, 0)),
    ("engine_column_decode_speed", lambda line: _plain(line.decode_per_s, 1)),
    ("engine_column_cold", lambda line: _plain(line.first_cold_s, 2)),
    ("engine_column_warm", lambda line: _plain(line.first_warm_s, 2)),
)
_STYLE = """
svg .head { font-weight: 600; fill: var(--ink-2); } svg .figure { fill: var(--ink-2); font-size: 12px; }
svg .gain { fill: var(--leaf); opacity: 0.75; } svg .predicted { stroke: var(--ink); stroke-width: 1.5; }
svg .failed { fill: var(--bad); font-size: 12px; } td.problem { text-align: left; white-space: normal;
color: var(--bad); min-width: 24em; }
"""


def table(lines: Sequence[Line]) -> str:
    """Aligned text, a line a combination; what failed says why."""
    words = Words("en")
    rows = [[words(title) for title, _ in _COLUMNS]]
    rows += [[cell(line) for _, cell in _COLUMNS] for line in lines]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_COLUMNS))]
    text = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    problems = [f"{line.context:,} {line.kv} {line.batch}: {line.problem}" for line in lines if line.problem]
    return "\n".join([*text, *problems])


def page(head: Mapping[str, Any], lines: Sequence[Line], language: Language) -> str:
    """One self-contained HTML page."""
    words = Words(language)
    style = Markup((files("eval.report") / "page.css").read_text(encoding="utf-8") + _STYLE)
    title = words("engine_title", model=lines[0].model if lines else head["dataset"])
    heads = _joined("<th>{}</th>", [words(name) for name, _ in _COLUMNS])
    body = Markup("").join(_row(line) for line in lines)
    pictures = Markup("").join(
        Markup('<h2>{}</h2><p class="note">{}</p><div class="card scroll">{}</div>').format(
            words(chart.key), words(f"{chart.key}_note"), picture
        )
        for chart in CHARTS
        if (picture := drawn(chart, lines, words))
    )
    return str(
        Markup(
            '<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>'
            "<style>{style}</style></head><body><main><h1>{title}</h1>"
            '<p class="made">{made}</p>{pictures}<h2>{every}</h2>'
            '<div class="card scroll"><table><thead><tr>{heads}</tr></thead>'
            "<tbody>{body}</tbody></table></div></main></body></html>\n"
        ).format(
            language="zh-Hans" if language == "zh" else "en",
            title=title,
            style=style,
            made=_made(head, lines, words),
            pictures=pictures,
            every=words("engine_every"),
            heads=heads,
            body=body,
        )
    )


def _row(line: Line) -> Markup:
    if not line.problem:
        return Markup("<tr>{}</tr>").format(_joined("<td>{}</td>", [cell(line) for _, cell in _COLUMNS]))
    known = 4
    rest = Markup('<td class="problem" colspan="{}">{}</td>').format(len(_COLUMNS) - known, line.problem)
    return Markup("<tr>{}{}</tr>").format(
        _joined("<td>{}</td>", [cell(line) for _, cell in _COLUMNS[:known]]), rest
    )


def _joined(template: str, values: Sequence[str]) -> Markup:
    return Markup("").join(Markup(template).format(value) for value in values)


def _made(head: Mapping[str, Any], lines: Sequence[Line], words: Words) -> str:
    """When, with what, on what."""
    machine = head["system"]
    gpu = any(line.device == "gpu" for line in lines)
    parts = [
        head["created"][:10],
        *dict.fromkeys(line.engine for line in lines),
        words("engine_on_gpu" if gpu else "engine_on_cpu"),
        *machine.get("gpus", ()),
        words("engine_machine", machine=machine["machine"], cpus=machine["cpus"]),
        words("engine_filled", share=f"{head['filled']:.0%}"),
    ]
    return " · ".join(parts)


def _plain(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"
