"""The tab as HTML: what to ask, how, how far it is, and the runs that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from eval.strategies import Strategy
from ui.evaluation.job import Progress
from ui.evaluation.runs import KnownRun
from ui.language import Texts
from ui.render.element import Html, button, element, joined
from ui.render.problems import problem

SAMPLES = (5, 10, 20, 50)
CHOSEN = ("quick", "complete")
"""Strategies that are ticked at first."""


def panel_html(
    datasets: Sequence[str],
    collections: Sequence[str],
    strategies: Sequence[Strategy],
    texts: Texts,
    *,
    chosen: str = "",
) -> Html:
    """The form. chosen: the data set that is selected."""
    return joined(
        element("h2", texts("evaluation.run")),
        element(
            "form",
            _field(
                texts("evaluation.dataset"),
                element(
                    "select",
                    *(element("option", name, value=name, selected=name == chosen) for name in datasets),
                    name="dataset",
                ),
                element(
                    "p",
                    button(texts("evaluation.upload"), "link choose-table"),
                    " ",
                    texts("evaluation.upload.hint"),
                    class_="hint",
                ),
                element("input", type="file", accept=".csv,.xlsx,.ods", class_="table-input", hidden=True),
            ),
            _field(
                texts("evaluation.collections"),
                element(
                    "div",
                    *(_tick("collection", name, name, "", True) for name in collections),
                    class_="ticks",
                ),
            ),
            _field(
                texts("evaluation.strategies"),
                element(
                    "div",
                    *(
                        _tick("strategy", s.name, s.name, s.told(texts.language), s.name in CHOSEN)
                        for s in strategies
                    ),
                    class_="ticks",
                ),
            ),
            _field(
                texts("evaluation.sample"),
                element(
                    "select",
                    *(element("option", texts("evaluation.sample.first", n=n), value=n) for n in SAMPLES),
                    element("option", texts("evaluation.sample.all"), value="", selected=True),
                    name="sample",
                ),
            ),
            element("button", texts("evaluation.start"), type="submit", class_="primary"),
            class_="evaluation-form",
        ),
    )


def state_html(progress: Progress, runs: Sequence[KnownRun], texts: Texts) -> Html:
    """How far it is, and the table of runs."""
    return joined(_progress(progress, texts), _runs(runs, progress.runs, texts))


def no_report_html(said: str, texts: Texts) -> Html:
    """A page that says why there is no report, in the report's own looks."""
    style = Html((files("eval.report") / "page.css").read_text(encoding="utf-8"))
    head = joined(
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", texts("evaluation.no_report")),
        element("style", style),
    )
    body = element("main", element("h1", texts("evaluation.no_report")), element("p", said))
    page = element("html", element("head", head), element("body", body), lang=texts.language)
    return joined(Html("<!doctype html>"), page)


def _progress(progress: Progress, texts: Texts) -> Html | None:
    if progress.state == "idle":
        return None
    fields = {"dataset": progress.dataset, "strategy": progress.strategy}
    state = "loading" if progress.state == "running" and not progress.strategy else progress.state
    title = texts(f"evaluation.state.{state}", **fields)
    details: list[Html | None] = []
    if progress.state == "running":
        counted = texts("evaluation.done", done=progress.done, total=progress.total) if progress.total else ""
        details = [
            element("progress", value=progress.done, max=progress.total)
            if progress.total
            else element("progress"),
            element("p", counted, class_="hint"),
            element("p", texts("evaluation.stopping"), class_="hint")
            if progress.stopping
            else button(texts("evaluation.stop"), "link stop-evaluation"),
        ]
    if progress.problem is not None:
        details = [element("p", " ".join(problem(progress.problem, texts)), class_="bad")]
    return element(
        "section", element("h3", title), *details, class_=f"evaluation-state {progress.state}", role="status"
    )


def _runs(runs: Sequence[KnownRun], fresh: Sequence[str], texts: Texts) -> Html:
    if not runs:
        return element("p", texts("evaluation.none"), class_="hint")
    rows = [
        element(
            "tr",
            element(
                "td",
                element(
                    "label",
                    element("input", type="checkbox", name="run", value=run.name, checked=run.name in fresh),
                    element("span", run.strategy, class_="name"),
                ),
            ),
            element("td", "–" if run.headline is None else f"{run.headline:.1%}", class_="figure"),
            element("td", str(run.questions), " ", _failed(run, texts), class_="figure"),
            element("td", run.dataset),
            element("td", run.created[:16].replace("T", " "), " ", _unfinished(run, texts)),
        )
        for run in runs
    ]
    heads = ("strategy", "headline", "questions", "dataset", "created")
    return joined(
        element("h2", texts("evaluation.runs")),
        element("p", texts("evaluation.runs.hint"), class_="hint"),
        element(
            "div",
            element(
                "table",
                element(
                    "thead",
                    element("tr", *(element("th", texts(f"evaluation.column.{head}")) for head in heads)),
                ),
                element("tbody", *rows),
            ),
            class_="table",
        ),
        button(
            texts("evaluation.compare"), "primary compare-runs", data_none=texts("evaluation.none_ticked")
        ),
    )


def _unfinished(run: KnownRun, texts: Texts) -> Html | None:
    return None if run.complete else element("span", texts("evaluation.unfinished"), class_="badge")


def _failed(run: KnownRun, texts: Texts) -> Html | None:
    return element("span", texts("evaluation.failed", n=run.failed), class_="badge") if run.failed else None


def _field(label: str, *inside: Html) -> Html:
    return element("fieldset", element("legend", label), *inside)


def _tick(name: str, value: str, label: str, about: str, checked: bool) -> Html:
    return element(
        "label",
        element("input", type="checkbox", name=name, value=value, checked=checked),
        element("span", label),
        element("small", about) if about else None,
    )
