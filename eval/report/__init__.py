"""Runs → one page that says which is better, how surely, and where; the same as Markdown and JSON.

contents    what a report says, without words of any language
sentence    the summary in one sentence
words       the words in English and Chinese (words.toml)
pictures    forest plot and distribution as inline SVG
html, markdown
engine, enginecharts
            the same for measurements of an engine
"""
