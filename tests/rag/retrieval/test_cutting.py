from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rag.records import Chunk, Document, Page, Passage
from rag.retrieval.cutting import part_of, window
from rag.text.sentences import sentences

TEXT = (
    "The office opens at nine. Late delivery costs a penalty. The penalty is five percent. Lunch is at noon."
)
RARITY = {"penalty": 3.0, "delivery": 2.0}


def cut(room: int, **more: object) -> str | None:
    spans = sentences(TEXT)
    costs = [len(TEXT[begin:end].split()) for begin, end in spans]
    found = window(TEXT, spans, costs, room, more.pop("rarity", RARITY), **more)  # type: ignore[arg-type]
    return TEXT[found[0] : found[1]].strip() if found else None


def test_the_sentences_that_say_most_are_taken() -> None:
    assert cut(5) == "Late delivery costs a penalty."
    assert cut(10) == "Late delivery costs a penalty. The penalty is five percent."
    assert cut(100) == TEXT
    assert cut(3) is None


def test_beside_a_neighbour_the_part_touches_it() -> None:
    assert cut(10, at="start") == "The office opens at nine. Late delivery costs a penalty."
    assert cut(9, at="end") == "The penalty is five percent. Lunch is at noon."


def test_without_a_word_of_the_question_it_is_the_beginning() -> None:
    assert cut(5, rarity={"holiday": 1.0}) == "The office opens at nine."
    assert cut(5, rarity={}) == "The office opens at nine."


@given(
    st.lists(st.sampled_from(["One penalty.", "Two late days.", "A delivery.", "Nothing."]), min_size=1),
    st.integers(0, 30),
    st.sampled_from([None, "start", "end"]),
)
def test_a_part_is_whole_sentences_and_never_dearer_than_the_room(
    said: list[str], room: int, at: object
) -> None:
    text = " ".join(said)
    spans = sentences(text)
    costs = [len(text[begin:end].split()) for begin, end in spans]
    found = window(text, spans, costs, room, RARITY, at=at)  # type: ignore[arg-type]
    if found is None:
        assert (
            room < min(costs)
            or (at == "start" and room < costs[0])
            or (at == "end" and room < costs[-1])
            or (room < costs[0])
        )
        return
    begins, ends = [begin for begin, _ in spans], [end for _, end in spans]
    first, last = begins.index(found[0]), ends.index(found[1])
    assert sum(costs[first : last + 1]) <= room
    assert at != "start" or first == 0
    assert at != "end" or last == len(spans) - 1


def test_the_pages_of_a_part_are_those_that_it_touches() -> None:
    document = Document("d", "pdf", (Page(1, "abcd"), Page(2, "efgh"), Page(None, "ijkl")))
    assert document.text == "abcd\n\nefgh\n\nijkl"
    assert document.pages_between(0, 4) == (1,)
    assert document.pages_between(3, 7) == (1, 2)
    assert document.pages_between(6, 16) == (2,)
    assert document.pages_between(12, 16) == ()


def part(room: int, beside: tuple[int, ...] = ()) -> Passage | None:
    """Of the second of three chunks, on pages 2 and 3; its sentences are of 3, 3, 1 and 2 words."""
    pages = (
        Page(1, "Before it."),
        Page(2, "Costs are paid. A late permit"),
        Page(3, "costs. Over now. Behind."),
    )
    document = Document("d", "pdf", pages)
    begin, end = document.text.index("Costs"), document.text.index(" Behind")
    chunk = Chunk("d", 1, begin, end, document.text[begin:end], pages=(2, 3), id=2, table_header="Town | Fee")
    passage = Passage(chunk, "d.pdf", "default", 1.0)
    spans = sentences(chunk.text)
    costs = [len(chunk.text[a:b].split()) for a, b in spans]
    neighbours = [replace(passage, chunk=replace(chunk, ordinal=ordinal)) for ordinal in beside]
    return part_of(passage, spans, costs, room, {"permit": 1.0}, neighbours, lambda _: document)


def test_a_part_knows_its_place_and_its_pages() -> None:
    found = part(4)
    assert found is not None
    assert found.chunk.text == "A late permit\n\ncosts."
    assert found.chunk.pages == (2, 3)
    assert found.chunk.table_header == ""
    joined = part(3, beside=(0,))
    assert joined is not None
    assert joined.chunk.text == "Costs are paid."
    assert (joined.chunk.pages, joined.chunk.table_header) == ((2,), "Town | Fee")
    behind = part(2, beside=(2,))
    assert behind is not None
    assert (behind.chunk.text, behind.chunk.pages) == ("Over now.", (3,))
    assert part(0) is None
