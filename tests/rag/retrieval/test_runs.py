from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rag.retrieval.runs import runs_of
from tests.rag.retrieval.shelf import Shelf

SHELF = Shelf({"a": list("abcdef"), "b": list("uvwx")})
EVERY = [chunk for chunks in SHELF.by_document.values() for chunk in chunks]


def test_order_of_runs_and_of_their_members() -> None:
    a, b = SHELF.by_document["a"], SHELF.by_document["b"]
    runs = runs_of([a[4], b[0], a[1], a[3], b[0]])
    assert [[chunk.text for chunk in run.chunks] for run in runs] == [["d", "e"], ["u"], ["b"]]
    assert [chunk.text for chunk in runs[0].ranked] == ["e", "d"]


@given(st.lists(st.sampled_from(EVERY), max_size=12))
def test_runs_part_the_chunks_and_never_touch(chunks: list) -> None:  # type: ignore[type-arg]
    runs = runs_of(chunks)
    assert sorted(c.id for run in runs for c in run.chunks) == sorted({c.id for c in chunks})
    for run in runs:
        ordinals = [c.ordinal for c in run.chunks]
        assert ordinals == list(range(ordinals[0], ordinals[0] + len(ordinals)))
        assert {c.document for c in run.chunks} == {run.document}
        for other in runs:
            if other is not run and other.document == run.document:
                assert other.chunks[0].ordinal != ordinals[-1] + 1
