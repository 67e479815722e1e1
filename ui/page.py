"""The Blocks: what is where, and which function answers which event."""

from __future__ import annotations

from typing import Any

from ui.document_handlers import DocumentHandlers
from ui.evaluation.frame import tab_html
from ui.handlers import Handlers
from ui.language import LANGUAGES, catalog
from ui.render.frame import hint_html, title_html, top_html, uploader_html
from ui.render.system import frame_html
from ui.service import Service

_ANSWERS_AT_ONCE = 32
"""More than may be under way (ui.asking): one too many is to be told so, not kept waiting unseen."""

_BIND = "bonsai.bind({name!r}, element, trigger); /* {events} */"


def translations() -> Any:
    import gradio as gr

    return gr.I18n(**{language: catalog(language) for language in LANGUAGES})


def blocks(service: Service, i18n: Any) -> Any:
    """The page as gradio Blocks, not yet mounted."""
    import gradio as gr

    def html(name: str, value: str = "", *, events: tuple[str, ...] = (), **options: Any) -> Any:
        # gradio lets a component have an event of one's own if its quoted name occurs in js_on_load.
        quoted = " ".join(f'"{event}"' for event in events)
        return gr.HTML(
            value,
            elem_id=name,
            js_on_load=_BIND.format(name=name, events=quoted),
            apply_default_css=False,
            **options,
        )

    shelf = DocumentHandlers(service)
    act = Handlers(service, shelf)
    quiet: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}

    with gr.Blocks(
        title="Bonsai RAG",
        analytics_enabled=False,
        fill_width=True,
        fill_height=True,
        delete_cache=(3600, 3600),
    ) as page:
        html("top", top_html())
        html("banner", '<div class="live"></div>')
        with gr.Row(elem_id="body"):
            with gr.Column(elem_id="rail", min_width=0):
                new = gr.Button(i18n("rail.new"), elem_id="new")
                collections = gr.CheckboxGroup(
                    label=i18n("rail.collections"), elem_id="collections", choices=[]
                )
                with gr.Column(elem_id="narrowing", min_width=0):
                    only = gr.Textbox(
                        elem_id="only",
                        label=i18n("rail.only"),
                        placeholder=i18n("rail.only.hint"),
                        max_lines=1,
                    )
                    dates = html("dates")
                recent = html("recent", events=("pick", "forget", "rename"))
            with gr.Column(elem_id="ask", min_width=0):
                with gr.Column(elem_id="talk", min_width=0):
                    with gr.Column(elem_id="scroll", min_width=0):
                        transcript = html("transcript", events=("cite",))
                        live = html("live")
                    with gr.Column(elem_id="composer", min_width=0):
                        with gr.Column(elem_id="box", min_width=0):
                            question = gr.Textbox(
                                elem_id="question",
                                label=i18n("composer.label"),
                                show_label=False,
                                placeholder=i18n("composer.placeholder"),
                                lines=1,
                                max_lines=8,
                                container=False,
                                autofocus=True,
                            )
                            send = gr.Button(i18n("composer.send"), elem_id="send", variant="primary")
                            stop = gr.Button(i18n("composer.stop"), elem_id="stop", visible=False)
                        mode = gr.Radio(elem_id="mode", label=i18n("mode.label"), choices=[], container=False)
                        html("hint", hint_html())
                evidence = html("evidence")
            with gr.Column(elem_id="documents", min_width=0):
                html("title", title_html())
                if service.changeable:
                    html("uploader", uploader_html(service.settings.ui.max_upload_mib))
                wanted = gr.Textbox(
                    elem_id="filter",
                    label=i18n("documents.search"),
                    show_label=False,
                    placeholder=i18n("documents.search"),
                    max_lines=1,
                    container=False,
                )
                files = html("files", events=("refresh", "remove", "more"))
            with gr.Column(elem_id="evaluation", min_width=0):
                html("evaluation-box", tab_html())
            with gr.Column(elem_id="system", min_width=0):
                html("system-box", frame_html())
        # Only places for the script's answers to stand in: the address holds the conversation.
        conversation, days = gr.Textbox(visible=False), gr.Textbox(visible=False)
        chosen = gr.Textbox(visible=False)

        everything = [transcript, live, evidence, collections, recent, files, mode, dates]
        page.load(
            act.opened,
            [conversation, chosen],
            everything,
            js="() => [bonsai.conversation(), bonsai.mode()]",
            **quiet,
        )
        gr.on(
            [question.submit, send.click],
            act.ask,
            [question, conversation, days, collections, mode, only],
            [question, transcript, live, evidence, recent, send, stop],
            js="(question, _, __, ...chosen) => [question, bonsai.conversation(), bonsai.dates(), ...chosen]",
            concurrency_limit=_ANSWERS_AT_ONCE,
            concurrency_id="answers",
            trigger_mode="once",
            **quiet,
        )
        stop.click(act.stop, None, None, queue=False, **quiet)
        new.click(
            act.new,
            None,
            [transcript, live, evidence, recent],
            js="() => { bonsai.setConversation(''); bonsai.show('ask'); return []; }",
            **quiet,
        )
        recent.pick(act.pick, None, [transcript, live, evidence, recent], **quiet)
        recent.forget(
            act.forget,
            [conversation],
            [transcript, live, evidence, recent],
            js="(_) => [bonsai.conversation()]",
            **quiet,
        )
        recent.rename(act.rename, None, [recent], **quiet)
        transcript.cite(act.cite, [conversation], [evidence], js="(_) => [bonsai.conversation()]", **quiet)
        files.refresh(shelf.refresh, [wanted, collections], [files, collections], **quiet)
        files.more(shelf.more, [wanted], [files], **quiet)
        files.remove(shelf.remove, [wanted], [files], **quiet)
        wanted.change(shelf.filter, [wanted], [files], trigger_mode="always_last", **quiet)
        page.unload(act.left)

    page.queue(api_open=False, default_concurrency_limit=8, max_size=200)
    return page
