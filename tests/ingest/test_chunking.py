from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ingest.chunking import SMALLEST_LIMIT, chunk
from ingest.pieces import Cut, pieces, whole_character
from rag.embedding.protocol import Embedder
from rag.errors import UsageError
from rag.records import Chunk, Document, Heading, Page
from rag.text.context import embedding_text
from tests.ingest.words import WordEmbedder

WORDS = WordEmbedder()


def document(
    *texts: str, headings: tuple[Heading, ...] = (), title: str | None = None, paged: bool = False
) -> Document:
    pages = tuple(Page(number if paged else None, text) for number, text in enumerate(texts, start=1))
    return Document("0" * 64, "text", pages, headings, title)


def check(doc: Document, chunks: list[Chunk], limit: int, embedder: Embedder = WORDS) -> None:
    """Spans are exact, in order, whole, and no visible character is in none of them."""
    reached = 0
    for number, made in enumerate(chunks):
        assert made.ordinal == number
        assert doc.text[made.start : made.end] == made.text == made.text.strip()
        assert made.text
        assert not doc.text[reached : made.start].strip()
        assert made.start >= reached
        reached = made.end
        exact = len(embedder.token_offsets(embedding_text(made, doc.title)))
        assert exact <= limit
        assert abs(exact - made.tokens) <= 8
    assert not doc.text[reached:].strip()


ALPHABET = st.sampled_from(
    [*"ab  \n\n.。，!,|#é\t", "字", "库", "한", "👩\u200d👧", "e\u0301", "word ", "第一章\n", "x" * 30]
)


@settings(max_examples=120, deadline=None)
@given(st.lists(ALPHABET, max_size=400).map("".join), st.integers(SMALLEST_LIMIT, 90))
@example("x" * 5000, 16)
@example("\n" * 50 + "a" + "\n" * 50, 16)
def test_any_text_is_cut_without_loss(text: str, limit: int) -> None:
    doc = document(text)
    check(doc, chunk(doc, WORDS, limit_tokens=limit), limit)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(ALPHABET, max_size=60).map("".join), min_size=1, max_size=6),
    st.integers(30, 90),
    st.data(),
)
def test_pages_and_headings_keep_every_offset(texts: list[str], limit: int, data: st.DataObject) -> None:
    whole = "\n\n".join(texts)
    starts = data.draw(st.lists(st.integers(0, max(0, len(whole) - 1)), max_size=4, unique=True).map(sorted))
    headings = tuple(Heading(start, 1 + start % 3, f"part {start}") for start in starts)
    doc = document(*texts, headings=headings, paged=True)
    chunks = chunk(doc, WORDS, limit_tokens=limit)
    check(doc, chunks, limit)
    for made in chunks:
        touched = []
        position = 0
        for page in doc.pages:
            end = position + len(page.text)
            if doc.text[max(position, made.start) : min(end, made.end)].strip():
                touched.append(page.number)
            position = end + 2
        assert set(touched) <= set(made.pages)


@pytest.mark.parametrize(
    "text",
    [
        "中华人民共和国成立于一九四九年" * 334,
        "👩‍👩‍👧‍👦🏳️‍🌈👍🏽" * 400,
        "대한민국의수도는서울이다" * 300,
        "e\u0301\u0323" * 2000,
        "The depot keeps 420 metres of cable. " * 3000,
        "0123456789" * 3000,
        "a\n" * 5000,
    ],
    ids=["chinese", "emoji", "hangul", "accents", "one line", "figures", "short lines"],
)
@pytest.mark.parametrize("limit", [24, 320])
def test_with_the_real_tokenizer(embedder: Embedder, text: str, limit: int) -> None:
    doc = document(text)
    chunks = chunk(doc, embedder, limit_tokens=limit)
    check(doc, chunks, limit, embedder)
    assert sum(made.tokens for made in chunks) > 0.5 * limit * (len(chunks) - 1)


def test_a_line_of_two_megabytes() -> None:
    doc = document("The depot keeps four hundred metres of spare cable. " * 40_000)
    chunks = chunk(doc, WORDS, limit_tokens=320)
    assert len(chunks) > 1000
    assert max(made.tokens for made in chunks) <= 320
    ends = sum(made.text.endswith(".") for made in chunks)
    assert ends == len(chunks)


def test_a_heading_begins_a_chunk_and_names_it() -> None:
    body = "One sentence follows the other here. " * 12
    text = f"Rules\n\n{body}\n\nFees\n\n{body}\n\nLate return\n\n{body}"
    headings = (
        Heading(0, 1, "Rules"),
        Heading(text.index("Fees"), 2, "Fees"),
        Heading(text.index("Late return"), 3, "Late return"),
    )
    chunks = chunk(document(text, headings=headings), WORDS, limit_tokens=120)
    assert [made.text.split("\n")[0] for made in chunks] == ["Rules", "Fees", "Late return"]
    assert [made.heading for made in chunks] == [
        ("Rules",),
        ("Rules", "Fees"),
        ("Rules", "Fees", "Late return"),
    ]


def test_a_heading_is_not_left_at_the_end_of_a_chunk() -> None:
    body = "One sentence follows the other here. " * 8
    text = f"{body}\n\nFees\n\n{body}\n\nMore\n\n{body}"
    headings = (Heading(text.index("Fees"), 1, "Fees"), Heading(text.index("More"), 1, "More"))
    for limit in range(40, 140, 10):
        for made in chunk(document(text, headings=headings), WORDS, limit_tokens=limit):
            assert not made.text.endswith(("Fees", "More"))


def test_small_sections_are_put_together() -> None:
    parts = [f"Section {number}\n\nIt has few words." for number in range(12)]
    text = "\n\n".join(parts)
    headings = tuple(Heading(text.index(part), 1, part.split("\n")[0]) for part in parts)
    chunks = chunk(document(text, headings=headings), WORDS, limit_tokens=60)
    assert len(chunks) <= 4
    assert all(made.text.startswith("Section") for made in chunks)


def test_rows_of_a_table_stay_whole() -> None:
    rows = [f"Article {n} | {n * 7} pieces | shelf {n % 9} | in stock" for n in range(200)]
    chunks = chunk(document("\n".join(rows)), WORDS, limit_tokens=100)
    assert [row for made in chunks for row in made.text.split("\n")] == rows


def test_chinese_is_cut_at_the_ends_of_sentences() -> None:
    text = "仓库在每月第一个星期一盘点，盘点时暂停发货。请各部门提前两天提交清单！谢谢配合，祝工作顺利？" * 30
    chunks = chunk(document(text), WORDS, limit_tokens=120)
    assert all(made.text[-1] in "。！？" for made in chunks)


def test_abbreviations_and_decimals_end_no_sentence() -> None:
    text = "Mr. Lane asked Dr. Park about No. 7 and Fig. 3 of the U.S. report on 4.5 percent. " * 40
    chunks = chunk(document(text), WORDS, limit_tokens=100)
    assert all(made.text.endswith("percent.") for made in chunks)


def test_pages_that_cannot_be_trusted_give_no_chunk() -> None:
    pages = (
        Page(1, "first page"),
        Page(2, "\ue001\ue002", quality=0.1),
        Page(3, "third page"),
        Page(4, "", quality=0.0),
    )
    doc = Document("0" * 64, "pdf", pages)
    chunks = chunk(doc, WORDS, limit_tokens=100)
    assert [(made.text, made.pages) for made in chunks] == [("first page", (1,)), ("third page", (3,))]


def test_a_chunk_over_two_pages_names_both() -> None:
    doc = document("The sentence begins here and", "ends on the next page.", paged=True)
    (made,) = chunk(doc, WORDS, limit_tokens=100)
    assert made.pages == (1, 2)


def test_overlap_repeats_the_end_of_the_chunk_before() -> None:
    text = " ".join(f"Sentence number {n} stands here." for n in range(80))
    plain = chunk(document(text), WORDS, limit_tokens=80)
    overlapping = chunk(document(text), WORDS, limit_tokens=80, overlap_tokens=20)
    assert len(overlapping) > len(plain)
    for before, made in pairwise(overlapping):
        assert before.start < made.start < before.end
        assert made.tokens <= 80
    assert all(made.text.startswith("Sentence") for made in overlapping)


def test_long_titles_leave_room_for_text() -> None:
    doc = document("字" * 400, title="标题" * 200)
    chunks = chunk(doc, WORDS, limit_tokens=64)
    assert "".join(made.text for made in chunks) == "字" * 400
    assert all(len(made.text) >= 20 for made in chunks[:-1])


def test_limits_that_cannot_work_are_refused() -> None:
    with pytest.raises(UsageError, match="at least 16"):
        chunk(document("x"), WORDS, limit_tokens=5)
    with pytest.raises(UsageError, match="overlap"):
        chunk(document("x"), WORDS, limit_tokens=64, overlap_tokens=60)


def test_the_embedder_bounds_the_limit() -> None:
    doc = document("word " * 500)
    check(doc, chunk(doc, WordEmbedder(max_tokens=50), limit_tokens=300), 50)


def test_pieces_say_where_a_cut_is_good() -> None:
    text = "Title\n\nFirst sentence. Second one\ncell | cell\ncell | cell\n\nLast paragraph."
    doc = document(text, headings=(Heading(0, 1, "Title"),))
    got = [(text[piece.start : piece.end].strip(), piece.before) for piece in pieces(doc, 0, 1)]
    assert got == [
        ("Title", Cut.HEADING),
        ("First sentence. Second one", Cut.UNDER_HEADING),
        ("cell | cell", Cut.BROKEN_LINE),
        ("cell | cell", Cut.ROW),
        ("Last paragraph.", Cut.PARAGRAPH),
    ]


def test_characters_of_several_parts_are_not_divided() -> None:
    text = "e\u0301x👩‍👧👍🏽!"
    assert whole_character(text, 1, len(text)) == 2
    assert whole_character(text, 2, len(text)) == 2
    assert text[whole_character(text, 4, len(text)) :].startswith("👍")


@pytest.mark.parametrize("kind", ["pptx", "xlsx", "ods"])
def test_slides_and_sheets_are_not_run_together(kind: str) -> None:
    texts = ("Prices", "Pumps\n\nA pump costs 420 euros.", "", "Staff\n\nAnn leads the depot.")
    made = replace(document(*texts, paged=True), kind=kind)
    assert [(one.pages, one.text.split("\n")[0]) for one in chunk(made, WORDS, limit_tokens=80)] == [
        ((1, 2), "Prices"),
        ((4,), "Staff"),
    ]
    (whole,) = chunk(document(*texts, paged=True), WORDS, limit_tokens=80)
    assert whole.pages == (1, 2, 4)


def test_a_slide_without_a_title_has_not_that_of_the_slide_before() -> None:
    texts = ("Prices\n\nA pump costs 420 euros.", "Ann leads the depot.\n\nBob drives.")
    doc = document(*texts, headings=(Heading(0, 1, "Prices"),), paged=True)
    slides = chunk(replace(doc, kind="pptx"), WORDS, limit_tokens=80)
    assert [(one.pages, one.heading) for one in slides] == [((1,), ("Prices",)), ((2,), ())]
