"""The report as one self-contained page: no script, no request to anywhere, readable on paper."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from eval.comparing import FEWEST, Comparison, Run, is_drawn
from eval.measures import Measure
from eval.report.contents import Case, Contents
from eval.report.pictures import distribution, forest
from eval.report.sentence import alone, made, sentence
from eval.report.words import Language, Words, number, p_text, points
from eval.strategies import described

_MOST_COLUMNS = 8
_KEPT = ("created", "strategy", "settings", "model", "embedder", "judges", "sample", "collections", "hashes")


@dataclass(frozen=True, slots=True)
class _Shown:
    """One comparison, drawn."""

    found: Comparison
    cases: Sequence[Case]
    sentence: str
    forest: Markup
    groups: Markup
    bars: Markup
    wins: int
    ties: int
    losses: int


def page(found: Contents, language: Language) -> str:
    """The whole HTML document."""
    import jinja2

    words = Words(language)
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, undefined=jinja2.ChainableUndefined)
    template = environment.from_string((files("eval.report") / "page.html").read_text(encoding="utf-8"))
    compared = [_shown(one, cases, words) for one, cases in zip(found.comparisons, found.cases, strict=False)]
    return template.render(
        found=found,
        base=found.runs[0],
        compared=compared,
        level=2 if len(compared) == 1 else 3,
        words=words,
        style=Markup((files("eval.report") / "page.css").read_text(encoding="utf-8")),
        made=made(found, words),
        alone=alone(found, words),
        shown=shown_measures(found),
        fewest=FEWEST,
        number=number,
        points=points,
        p_text=p_text,
        hidden=hidden,
        about=partial(_about, language=language),
        settings=_settings,
    )


def shown_measures(found: Contents) -> list[Measure]:
    """The columns of the table of strategies: shares, as many as stand beside each other."""
    shares = [measure for measure in found.measures if measure.unit == "share"]
    return [measure for measure in shares if not measure.key.endswith("_half")][:_MOST_COLUMNS]


def hidden(run: Run) -> int:
    return sum(bool(line.get("withheld")) for line in run.lines.values())


def _about(run: Run, language: Language) -> str:
    return described((run.head.get("strategy") or {}).get("about", ""), language)


def _shown(one: Comparison, cases: Sequence[Case], words: Words) -> _Shown:
    headline = one.headline
    key = headline.measure.key
    sign = -1.0 if headline.measure.better == "less" else 1.0
    differences = [
        sign * (one.b.lines[place]["figures"][key] - one.a.lines[place]["figures"][key])
        for place in one.keys
        if key in one.a.lines[place]["figures"] and key in one.b.lines[place]["figures"]
    ]
    draw = partial(forest, words=words)
    return _Shown(
        found=one,
        cases=cases,
        sentence=sentence(one, words.language),
        forest=draw([row for row in one.rows if is_drawn(row)], title=words("differences")),
        groups=draw(one.groups, title=words("groups")),
        bars=distribution(differences, title=words("distribution")),
        wins=headline.gains,
        ties=headline.paired.ties,
        losses=headline.setbacks,
    )


def _settings(run: Run) -> str:
    kept: dict[str, Any] = {name: run.head[name] for name in _KEPT if run.head.get(name)}
    return json.dumps({**kept, "versions": run.head["versions"]}, ensure_ascii=False, indent=2)
