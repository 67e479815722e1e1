"""Gradio's own variables, bound to the colours and system fonts of static/colours.css."""

from __future__ import annotations

from typing import Any

_FONTS = [
    "system-ui",
    "-apple-system",
    "Segoe UI",
    "PingFang SC",
    "Microsoft YaHei",
    "Noto Sans CJK SC",
    "sans-serif",
]
_MONO = ["ui-monospace", "Menlo", "Consolas", "Liberation Mono", "monospace"]

_VARIABLES = {
    "body_background_fill": "var(--ground)",
    "body_text_color": "var(--ink)",
    "body_text_color_subdued": "var(--ink-3)",
    "background_fill_primary": "var(--surface)",
    "background_fill_secondary": "var(--sunk)",
    "block_background_fill": "transparent",
    "block_border_width": "0px",
    "block_border_color": "var(--line)",
    "block_shadow": "none",
    "block_padding": "0px",
    "block_label_background_fill": "transparent",
    "block_label_text_color": "var(--ink-3)",
    "block_title_text_color": "var(--ink-3)",
    "border_color_primary": "var(--line)",
    "border_color_accent": "var(--leaf)",
    "color_accent": "var(--leaf)",
    "color_accent_soft": "var(--leaf-soft)",
    "input_background_fill": "var(--surface)",
    "input_background_fill_focus": "var(--surface)",
    "input_border_color": "var(--line-strong)",
    "input_border_color_focus": "var(--leaf)",
    "input_placeholder_color": "var(--ink-3)",
    "input_shadow": "none",
    "input_shadow_focus": "none",
    "checkbox_background_color": "var(--surface)",
    "checkbox_background_color_selected": "var(--leaf)",
    "checkbox_border_color": "var(--line-strong)",
    "checkbox_border_color_selected": "var(--leaf)",
    "checkbox_label_background_fill": "transparent",
    "checkbox_label_background_fill_hover": "var(--sunk)",
    "checkbox_label_background_fill_selected": "transparent",
    "checkbox_label_text_color": "var(--ink)",
    "checkbox_label_text_color_selected": "var(--ink)",
    "checkbox_label_border_width": "0px",
    "button_primary_background_fill": "var(--leaf)",
    "button_primary_text_color": "var(--on-leaf)",
    "button_secondary_background_fill": "var(--surface)",
    "button_secondary_text_color": "var(--ink)",
    "link_text_color": "var(--leaf)",
    "link_text_color_hover": "var(--leaf-strong)",
    "link_text_color_visited": "var(--leaf)",
    "link_text_color_active": "var(--leaf)",
    "loader_color": "var(--leaf)",
    "error_background_fill": "var(--bad-soft)",
    "error_text_color": "var(--bad)",
}


def theme() -> Any:
    """A gradio theme that loads no font file from anywhere."""
    import gradio as gr

    # A variable without a value for dark mode falls back to the base theme's: give both the same reference.
    both = {**_VARIABLES, **{f"{name}_dark": value for name, value in _VARIABLES.items()}}
    base = gr.themes.Base(font=list(_FONTS), font_mono=list(_MONO), radius_size="md", text_size="md")
    known = {name: value for name, value in both.items() if hasattr(base, name)}
    return base.set(**known)
