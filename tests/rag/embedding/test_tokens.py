"""Where tokens stand in the text: in order, inside it, and no visible character left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rag.embedding.tokens import Tokens, cover
from rag.errors import EmbeddingError
from rag.settings import Settings

AWKWARD = (
    "aé ㎏ﷺ①ﬁ…中文字，。３～5Ⅷ½℃\t\n\r\v\x01\x1f\x7f\u200b\u200d\ufeff\u0301\u3000"
    " 👨‍👩‍👧🇩🇪한각שלוםहिन्दी⼀\U0001f600\ud800"
)
TEXTS = st.one_of(st.text(alphabet=AWKWARD, max_size=60), st.text(max_size=40))


@pytest.fixture(scope="module", params=["multilingual-e5-small", "all-MiniLM-L6-v2"])
def tokens(request: pytest.FixtureRequest) -> Tokens:
    folder = Settings().packaged_models_dir / request.param
    return Tokens.from_folder(folder, 512)


def check(text: str, spans: list[tuple[int, int]]) -> None:
    seen = [False] * len(text)
    before = 0
    for start, end in spans:
        assert before <= start <= end <= len(text)
        before = start
        seen[start:end] = [True] * (end - start)
    assert not [char for char, covered in zip(text, seen, strict=True) if not covered and not char.isspace()]


@given(TEXTS)
@example("\x01\x02")
@example("\x01中\x02 x\x03")
@example("e\u0301\u0301 ㎏㎏")
@example("\u200b\u200b a")
def test_offsets_are_ordered_and_cover_everything_visible(tokens: Tokens, text: str) -> None:
    check(text, tokens.offsets(text))


@given(
    st.text(alphabet="ab \n", max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8),
)
def test_cover_mends_any_spans(text: str, spans: list[tuple[int, int]]) -> None:
    inside = [(min(a, len(text)), min(b, len(text))) for a, b in spans]
    mended = cover(text, inside)
    check(text, mended)
    assert len(mended) >= len(inside)


def test_offsets_fall_on_the_words_of_the_original() -> None:
    tokens = Tokens.from_folder(Settings().packaged_models_dir / "multilingual-e5-small", 512)
    text = "ＡＢＣ  sold 25 ㎏;\n合同期限为三年。"
    pieces = [text[start:end].strip() for start, end in tokens.offsets(text)]
    assert "ＡＢＣ" in pieces
    assert "sold" in pieces
    assert pieces.count("㎏") >= 1
    assert "合同" in "".join(pieces)
    assert pieces[-1].endswith("。")


def test_a_long_text_has_the_tokens_of_its_lines(tokens: Tokens) -> None:
    line = "第三条：The supplier delivers 25 units every month; 付款期限为三十天。"
    short = tokens.offsets(line)
    spans = tokens.offsets("\n".join([line] * 2000))
    assert len(spans) == 2000 * len(short)
    assert spans[-1] == (spans[-1][1] - 1, 2000 * len(line) + 1999)


def test_text_beyond_the_limit_is_refused_with_its_beginning(tokens: Tokens) -> None:
    with pytest.raises(EmbeddingError, match=r"does not fit.*begins 'word word"):
        tokens.encode("passage: ", ["word " * 600])


@pytest.mark.parametrize("count", [1, 3])
def test_room_is_exact(tokens: Tokens, count: int) -> None:
    """A text of exactly `room` tokens passes, one more does not."""
    prefix = "passage: " * count
    room = tokens.room(prefix)
    assert len(tokens.encode(prefix, ["a" + " a" * (room - 1)])[0]) == tokens.limit
    with pytest.raises(EmbeddingError):
        tokens.encode(prefix, ["a" + " a" * room])


def test_a_folder_without_a_tokenizer_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match=r"tokenizer\.json"):
        Tokens.from_folder(tmp_path, 512)
