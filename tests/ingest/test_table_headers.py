from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.chunking import chunk
from ingest.readers import read_bytes
from rag.records import Chunk, Document, Page, Table
from rag.text.context import embedding_text
from tests.ingest.words import WordEmbedder

WORDS = WordEmbedder()
HEADER = "| Town | Inhabitants | Mayor |"


def town_table(rows: int, before: str = "# Towns\n\nAll of them.\n\n") -> str:
    lines = [HEADER, "|---|---:|---|"]
    lines += [f"| Town {number} | {1000 + number} | Mayor {number} |" for number in range(rows)]
    return before + "\n".join(lines) + "\n\nThis follows the table.\n"


def cut(text: str, limit: int, **options: int) -> tuple[Document, list[Chunk]]:
    document = read_bytes(text.encode(), "towns.md")
    return document, chunk(document, WORDS, limit_tokens=limit, **options)


def test_every_chunk_from_the_middle_of_a_table_has_its_header() -> None:
    document, chunks = cut(town_table(200), 100)
    (table,) = document.tables
    inside = [made for made in chunks if table.header_end <= made.start < table.end]
    assert len(inside) > 20
    assert {made.table_header for made in inside} == {HEADER}
    assert {made.table_header for made in chunks if made not in inside} == {""}
    for made in inside:
        assert embedding_text(made, None).count(HEADER) == 1
        assert len(WORDS.token_offsets(embedding_text(made, None))) <= 100
        # Rows stay whole.
        assert made.text.startswith("| Town ")


def test_a_header_never_ends_a_chunk() -> None:
    for words in range(40):
        _, chunks = cut(town_table(30, before="word " * words + "\n\n"), 60)
        for made in chunks:
            assert not made.text.endswith(("|---|---:|---|", HEADER))


def test_an_overlap_that_reaches_into_the_header_needs_no_second_one() -> None:
    document, chunks = cut(town_table(40), 120, overlap_tokens=40)
    (table,) = document.tables
    for made in chunks:
        assert bool(made.table_header) == (table.header_end <= made.start < table.end)
        assert len(WORDS.token_offsets(embedding_text(made, None))) <= 120


def test_a_wide_header_is_shortened_and_of_two_header_rows_the_nearer_one_stays() -> None:
    first, second = " | ".join(f"group{n}" for n in range(12)), " | ".join(f"col{n}" for n in range(12))
    rows = [" | ".join(str(n) for _ in range(12)) for n in range(40)]
    text = "\n".join([first, second, *rows])
    header_end = len(first) + 1 + len(second)
    document = Document("0" * 64, "text", (Page(None, text),), tables=(Table(0, len(text), header_end),))
    wide = chunk(document, WORDS, limit_tokens=200)
    assert {made.table_header for made in wide[1:]} == {f"{first}\n{second}"}
    narrower = chunk(document, WORDS, limit_tokens=100)
    assert {made.table_header for made in narrower[1:]} == {second}
    narrow = [made for made in chunk(document, WORDS, limit_tokens=50) if made.start >= header_end]
    assert len(narrow) > 10
    for made in narrow:
        assert made.table_header.startswith("col0 | col1")
        assert made.table_header.endswith("…")
        assert len(WORDS.token_offsets(embedding_text(made, None))) <= 50
    assert all(not made.table_header for made in chunk(document, WORDS, limit_tokens=16))


def test_a_table_without_a_header_gives_none() -> None:
    text = "\n".join(f"{n} | {n * n}" for n in range(60))
    document = Document("0" * 64, "text", (Page(None, text),), tables=(Table(0, len(text), 0),))
    assert {made.table_header for made in chunk(document, WORDS, limit_tokens=40)} == {""}


LINE = st.sampled_from(["a | b | c", "1 | 2 | 3", "x" * 50, "one two three", "", "字库 | 字 | 3", "|---|"])


@settings(max_examples=80, deadline=None)
@given(st.lists(LINE, max_size=60), st.integers(16, 80), st.integers(0, 8), st.data())
def test_spans_stay_exact_and_lengths_bounded(
    lines: list[str], limit: int, overlap: int, data: st.DataObject
) -> None:
    text = "\n".join(lines)
    places = data.draw(st.lists(st.integers(0, len(text)), min_size=6, max_size=6).map(sorted))
    tables = (Table(places[0], places[2], places[1]), Table(places[3], places[5], places[4]))
    document = Document("0" * 64, "text", (Page(None, text),), tables=tables)
    reached = 0
    for made in chunk(document, WORDS, limit_tokens=limit, overlap_tokens=overlap):
        assert document.text[made.start : made.end] == made.text
        assert not document.text[reached : made.start].strip()
        reached = made.end
        exact = len(WORDS.token_offsets(embedding_text(made, None)))
        assert exact <= limit
        assert abs(exact - made.tokens) <= 8
    assert not document.text[reached:].strip()
