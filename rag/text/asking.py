"""Words that ask, join and point rather than tell: every text has them, so they say nothing about any."""

from __future__ import annotations

_ENGLISH = """
a about after all am an and any are as at be been before being between both but by can could did do does
doing done during each else every few for from had has have having he her hers him his how i if in into is
it its just least less many may me might more most much must my no nor not of off on once one only or other
our out over per please s shall she should so some soon still such t tell than that the their them then
there these they this those through to too under until up upon us very was we were what when where whether
which while who whom whose why will with within without would you your
"""
_CHINESE = """
什么 甚么 怎么 怎样 如何 多少 哪些 哪个 哪里 哪儿 几个 为何 为什 是否 能否 可否 有没 没有 多久 多长 多大
请问 告诉 诉我 以及 或者 还是 并且 关于 对于 其中 这个 那个 这些 那些 一个 可以 应该 需要 必须 我们 他们
么时 时候 些什 是什 了什 有什 有哪 是哪 是多 有多 是谁 是如 有几 个什 在哪 的是 么样
的 了 是 在 和 与 或 吗 呢 吧
谁 几 哪 何 我 你 他 她 它 们 这 那 有 都 也 就 才 会 能 要 把 被 对 为 从 到 由 等 中 上 下
"""
ASKING = frozenset((*_ENGLISH.split(), *_CHINESE.split()))
"""As `rag.text.words.words` yields them: folded words, and pairs of Chinese characters."""
