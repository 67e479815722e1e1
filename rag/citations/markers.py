"""Text as the model writes it → text whose only markers are [n] with 1 ≤ n ≤ number of evidence.

Works on a stream: text is passed on as soon as nothing that may follow can change it, so a reader never
sees half a marker, nor one that is taken away again.
"""

from __future__ import annotations

import re

from rag.citations import grammar
from rag.citations.fenced import CLOSING_WITH_TEXT, MAY_OPEN, block_at

MARKER = re.compile(r"\[(\d{1,9})\]")
"""A marker in cleaned text."""

_CLINGING = '.,;:!?。，；：！？、)）]】"”’…'
_SENTENCE_END = ".;!?。；！？\n\r|"
_LINK_TARGET = re.compile(r"\([^()\s]*\)")
_CODE_SPAN = 200
_VALUE_BEFORE = re.compile(
    r"(?:\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|sixty"
    r"|ninety|is|are|was|were|of|by|to|than|equals?|section|article|clause|item|step|note|appendix)"
    r"|[一二三四五六七八九十百零两为是至第款条项]|[$€£¥=+\-−])\s*$",
    re.IGNORECASE,
)
"""What stands before a "(7)" that repeats or gives a value instead of naming a source."""
_RAISED_BEHIND = re.compile(r"(?:[^\W\d_]{4}|[一-鿿]|[.。!！?？;；\"”’」』)）*\]])$")
"""What a ¹ that names a source stands behind: no unit ("m²"), no number."""
_NAMED_BEFORE = re.compile(
    r"(?:步骤|步|第|图|表|式|例|注|类|种|点|选|\b(?:step|figure|table|case|option|note))\s*$", re.I
)
"""What stands before a "①" that is a name within the text."""


def clean(text: str, count: int) -> str:
    """The whole of `text` with its markers as [n]; those outside 1 … count are removed."""
    markers = MarkerFilter(count)
    return markers.feed(text) + markers.finish()


class MarkerFilter:
    """`feed` the pieces of an answer as they come, show what it returns, and `finish`.

    count: number of evidence. However the text is cut into pieces, the same text comes out. Code
    (fenced blocks of it, and spans in backticks unless markers are all they hold) passes unchanged; a fence
    around sentences is taken away.

    >>> markers = MarkerFilter(2)
    >>> markers.feed("Leave is 25 days 【") + markers.feed("1】[7]. Ask HR") + markers.finish()
    'Leave is 25 days [1]. Ask HR'
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._rest = ""
        self._line = ""  # the end of the current line, as shown
        self._blank = ""  # white space that is shown once something follows which wants it
        self._removed = False  # whether a marker was taken out behind that white space,
        self._after = ""  # and the white space behind the marker
        self._run: list[int] = []  # the markers shown last, as long as no text has followed them
        self._fence = ""  # the sign of the fence that opened the current code block

    def feed(self, piece: str) -> str:
        self._rest += piece
        return self._advance(final=False)

    def finish(self) -> str:
        """What was held back. A marker that the text ends in the middle of is completed or dropped."""
        shown = self._advance(final=True)
        return shown + ("" if self._removed else self._blank)

    def _advance(self, *, final: bool) -> str:
        out: list[str] = []
        while self._rest:
            taken = self._step(out, final)
            if taken == 0:
                break
            self._rest = self._rest[taken:]
        return "".join(out)

    def _step(self, out: list[str], final: bool) -> int:
        """Handle the front of the rest; returns how many characters are done with, 0 to wait for more."""
        rest = self._rest
        if self._fence:
            return self._code_block(out, final)
        if rest[0] in "`~":
            return self._code(out, final)
        if rest[0].isspace():
            if self._removed:
                self._after += rest[0]
            else:
                self._blank += rest[0]
            return 1
        if rest[0] in grammar.OPENERS:
            return self._bracket(out, final)
        if rest[0] in grammar.CIRCLED:
            return self._circled(out, final)
        if rest[0] in grammar.RAISED:
            return self._raised(out, final)
        end = 1
        while end < len(rest) and not (
            rest[end].isspace()
            or rest[end] in grammar.OPENERS
            or rest[end] in grammar.CIRCLED + grammar.RAISED + "`~"
        ):
            end += 1
        self._show(out, rest[:end])
        return end

    def _show(self, out: list[str], text: str) -> None:
        blank = self._settle(text[0])
        if blank:
            out.append(blank)
            self._line = blank.rpartition("\n")[2] if "\n" in blank else self._line + blank
        self._run = []
        out.append(text)
        self._line = (self._line + text)[-40:]

    def _settle(self, following: str) -> str:
        """The white space to be shown before `following`: one gap, not two, where a marker was removed."""
        before, after, removed = self._blank, self._after, self._removed
        self._blank, self._after, self._removed = "", "", False
        if not removed:
            return before
        if following in _CLINGING and "\n" not in after:
            return before if "\n" in before else ""
        return before if "\n" in before or not after else after

    @property
    def _line_so_far(self) -> str:
        gap = self._blank + self._after
        return gap.rpartition("\n")[2] if "\n" in gap else self._line + gap

    def _bracket(self, out: list[str], final: bool) -> int:
        rest = self._rest
        opener = rest[0]
        square = opener in grammar.SQUARE
        closer = grammar.find_closer(rest, 0)
        if closer is None:
            return self._cut_off(out) if final else 0
        inside, taken = rest[1:closer], closer + 1
        numbers = grammar.numbers_inside(opener, inside, self._count) if closer > 0 else None
        if numbers is None:
            self._show(out, opener)
            return 1
        follows = rest[taken : taken + 1]
        if not follows and not final:
            return 0  # the end of the sentence or a link's target may follow
        if grammar.is_bare(opener, inside) and not self._ends_a_sentence(opener, follows):
            self._show(out, rest[:taken])
            return taken
        if square and follows == "(":
            target = _LINK_TARGET.match(rest, taken)
            if target is None and not final and _may_be_target(rest[taken + 1 :]):
                return 0
            if target is not None and not target.group()[1:-1].isdigit():
                taken = target.end()
        self._mark(out, numbers)
        return taken

    def _circled(self, out: list[str], final: bool) -> int:
        """At ①: a marker at the end of a sentence or behind another marker, else the sign of a list."""
        rest = self._rest
        length = len(rest) - len(rest.lstrip(grammar.CIRCLED))
        if length == len(rest) and not final:
            return 0
        named = _NAMED_BEFORE.search(self._line_so_far) is not None
        if named or not self._ends_a_sentence("（", rest[length : length + 1]):
            self._show(out, rest[:length])
        else:
            found = [grammar.CIRCLED.index(char) + 1 for char in rest[:length]]
            self._mark(out, [n for n in dict.fromkeys(found) if n <= self._count])
        return length

    def _raised(self, out: list[str], final: bool) -> int:
        """At ¹: a marker where a sentence ends, else a power, or a note of the text's own."""
        rest = self._rest
        length = len(rest) - len(rest.lstrip(grammar.RAISED))
        if length == len(rest) and not final:
            return 0
        follows = rest[length : length + 1]
        number = int("".join(str(grammar.RAISED.index(char) + 1) for char in rest[:length]))
        line = self._line_so_far
        behind, stopped = _RAISED_BEHIND.search(line) is not None, line[-1:] in (*".。!！?？",)
        if behind and number <= self._count and (not follows or follows in _SENTENCE_END or stopped):
            self._mark(out, [number])
        else:
            self._show(out, rest[:length])
        return length

    def _cut_off(self, out: list[str]) -> int:
        """The text ends inside what could have become a marker."""
        opener, inside = self._rest[0], self._rest[1:]
        if opener in grammar.ROUND:
            self._show(out, opener)
            return 1
        self._mark(out, grammar.numbers_inside(opener, inside, self._count) or [])
        return len(self._rest)

    def _ends_a_sentence(self, opener: str, follows: str) -> bool:
        line = self._line_so_far
        before = line.rstrip()
        if not before or before[-1] in ":：,，、(（" or _VALUE_BEFORE.search(before):
            return False
        if opener == "(" and before == line and before[-1].isascii() and before[-1].isalnum():
            return False  # f(1), 3(2)
        return not follows or follows in _SENTENCE_END or follows in grammar.OPENERS

    def _mark(self, out: list[str], numbers: list[int]) -> None:
        run = self._run
        new = [n for n in numbers if n not in run]
        if new:
            self._show(out, "".join(f"[{n}]" for n in new))
            self._run = run + new
        else:
            self._blank = self._settle("x")
            self._removed = True

    def _code(self, out: list[str], final: bool) -> int:
        """At a backtick or a tilde: a fence, a code span, or just the sign."""
        rest = self._rest
        sign = rest[0]
        length = len(rest) - len(rest.lstrip(sign))
        if length == len(rest) and length < 3 and not final:
            return 0
        opens = length >= 3 and self._opens(rest, final)
        if opens is None:
            return 0
        if opens:
            block = block_at(rest, final=final)
            if block is None:
                return 0
            apart = "\n" if self._line_so_far.strip() else ""
            if block.sentences is not None:
                # Its sentences go on as text; the lines of the fence itself are dropped.
                self._rest = rest[: block.opening] + apart + block.sentences + rest[block.length :]
                return block.opening
            self._blank += apart
            self._fence = sign * 3
            self._show(out, sign * 3)
            return 3
        if sign == "~" or length > 1:
            self._show(out, rest[:length])
            return length
        close = rest.find("`", 1, _CODE_SPAN)
        line_end = rest.find("\n", 1, _CODE_SPAN)
        if close < 0 and line_end < 0 and len(rest) < _CODE_SPAN and not final:
            return 0
        if close < 0 or 0 <= line_end < close:
            self._show(out, sign)
            return 1
        inside = rest[1:close].strip()
        cleaned = clean(inside, self._count) if inside[:1] in grammar.SQUARE else inside
        if inside and not MARKER.sub("", cleaned).strip(" ,"):
            self._mark(out, [int(n) for n in MARKER.findall(cleaned)])
        else:
            self._show(out, rest[: close + 1])
        return close + 1

    def _opens(self, rest: str, final: bool) -> bool | None:
        """Whether three signs begin a block: at the start of a line, and where their line has nothing but a
        word behind them. None while that cannot be told."""
        if not self._line_so_far.strip():
            return True
        line, ended, _ = rest.partition("\n")
        if MAY_OPEN.fullmatch(line) is None:
            return False
        return True if ended else (False if final else None)

    def _code_block(self, out: list[str], final: bool) -> int:
        rest = self._rest
        end = rest.find("\n")
        line = rest if end < 0 else rest[: end + 1]
        sign = self._fence[0]
        fence_so_far = self._line == "" and not line.strip().strip(sign)
        if end < 0 and fence_so_far and not final:
            return 0
        closing = CLOSING_WITH_TEXT[self._fence].match(line) if self._line == "" else None
        if closing:
            # Text on the line of the closing fence would keep the block open where the answer is shown.
            self._show(out, closing["fence"] + "\n")
            self._line = self._fence = ""
            return closing.end()
        self._show(out, line)
        self._line = "" if end >= 0 else "code"
        if fence_so_far and len(line.strip()) >= 3:
            self._fence = ""
        return len(line)


def _may_be_target(rest: str) -> bool:
    return len(rest) < grammar.MAX_LENGTH and not re.search(r"[()\s]", rest)
