"""The live parts of the page: engine light, banner, and the jobs of adding documents."""

from __future__ import annotations

from collections.abc import Sequence

from rag.engine.protocol import EngineInfo
from ui.jobs import FileJob, Mine
from ui.language import Texts
from ui.render.element import Html, button, element, joined, path_html
from ui.render.reasons import reason_text

_PULL = "python -m rag model pull bonsai-27b"
_SERVE = "RAG_ENGINE_MODEL=bonsai-27b python -m ui"


def engine_html(info: EngineInfo | None, loading: bool, texts: Texts) -> Html:
    """The light in the header. `loading`: the service is still busy loading."""
    state = "starting" if info is None or loading else info.state
    label = texts(f"engine.{state}")
    return element(
        "span",
        element("i"),
        element("span", label, class_="label"),
        element("span", info.model, class_="model") if info else None,
        class_=f"light {state}",
        role="status",
        data_state=state,
        title=label,
    )


def banner_html(info: EngineInfo | None, problems: Sequence[tuple[str, str]], texts: Texts) -> Html:
    """Problems first, then the notice that a demo model is at work."""
    banners = [
        element(
            "div",
            element("p", element("b", message), " ", fix),
            class_="banner problem",
            role="alert",
        )
        for message, fix in problems
    ]
    if info is not None and info.demo:
        how = element(
            "div",
            element("p", texts("demo.how.pull")),
            element("pre", element("code", _PULL)),
            element("p", texts("demo.how.set")),
            element("pre", element("code", _SERVE)),
            element("p", texts("demo.how.needs")),
            class_="how",
        )
        banners.append(
            element(
                "div",
                element("p", element("b", texts("demo.title")), " ", texts("demo.text")),
                element("details", element("summary", texts("demo.how")), how),
                class_="banner demo",
            )
        )
    return joined(*banners)


def jobs_html(jobs: Sequence[FileJob], texts: Texts, mine: Mine = lambda job: True) -> Html:
    """One line a file that was handed in, the newest first; while some of the reader's own are under way they
    can be stopped."""
    if not jobs:
        return Html("")
    done = sum(job.finished for job in jobs)
    act = None
    if any(mine(job) and not job.finished for job in jobs):
        act = button(texts("jobs.stop"), "link stop-jobs")
    elif any(map(mine, jobs)):
        act = button(texts("jobs.clear"), "link clear-jobs")
    title = element("h3", texts("jobs.title", done=done, n=len(jobs)))
    rows = element("ul", *(_job(job, texts) for job in jobs))
    return element("section", element("header", title, act), rows, class_="jobs")


def _job(job: FileJob, texts: Texts) -> Html:
    line = texts("job.added.counts", n=job.chunks) if job.state == "added" else texts(f"job.{job.state}")
    bar = None
    if job.state == "working":
        bar = element("progress", max="1", value=f"{job.share:.3f}" if job.share else None)
    return element(
        "li",
        element("div", path_html(job.name), class_="name"),
        element("span", line, class_="result"),
        bar,
        element("span", reason_text(job.reason, texts), class_="reason") if job.reason else None,
        class_=f"job {job.state}",
        data_state=job.state,
    )
