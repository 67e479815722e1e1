"""The rule by which a gold quote counts as found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from eval.datasets import Gold
from eval.matching import LENGTH, Shown, first_ranks, found

QUOTE = "The notice period is three months; it begins at the end of the month in which notice is given."


def shown(text: str, *, path: str = "a.pdf", pages: tuple[int, ...] = (4,)) -> Shown:
    return Shown(frozenset({path}), pages, text)


def test_white_space_width_and_ligatures_do_not_matter() -> None:
    gold = Gold("a.pdf", 4, "合同期限：3年，ﬁnal")
    assert found([gold], [shown("… 合同\n期限: 3 年,final …")]) == [True]
    assert found([gold], [shown("合同期限：4年，final")]) == [False]


def test_the_first_sixty_characters_decide() -> None:
    gold = Gold("a.pdf", None, QUOTE)
    kept = ""
    for char in QUOTE:
        if len("".join(kept.split())) == LENGTH:
            break
        kept += char
    assert found([gold], [shown(kept + " and then something else")]) == [True]
    assert found([gold], [shown(kept[:-1])]) == [False]


def test_document_and_page_must_be_right_where_they_are_known() -> None:
    gold = Gold("a.pdf", 4, QUOTE)
    assert found([gold], [shown(QUOTE, path="b.pdf")]) == [False]
    assert found([gold], [shown(QUOTE, pages=(5, 6))]) == [False]
    assert found([gold], [shown(QUOTE, pages=(3, 4))]) == [True]
    assert found([gold], [shown(QUOTE, pages=())]) == [True]
    assert found([Gold("a.pdf", None, QUOTE)], [shown(QUOTE, pages=(9,))]) == [True]
    both = Shown(frozenset({"copy.pdf", "a.pdf"}), (4,), QUOTE)
    assert found([gold], [both]) == [True]


def test_a_copy_counts_with_its_own_place_and_words() -> None:
    gold = Gold("a.pdf", 4, QUOTE)

    def told(copy: Shown) -> Shown:
        return Shown(frozenset({"minutes.md"}), (1,), f"It was read out: {QUOTE}", (copy,))

    assert found([gold], [told(shown(QUOTE))]) == [True]
    assert first_ranks([gold], [shown("other"), told(shown(QUOTE))]) == [2]
    assert found([gold], [told(shown(QUOTE, pages=(5,)))]) == [False]
    assert found([gold], [told(shown(QUOTE, path="c.pdf"))]) == [False]
    assert found([gold], [told(shown(QUOTE[:40]))]) == [False]


def test_a_quote_must_stand_in_one_passage() -> None:
    assert found([Gold("a.pdf", None, QUOTE)], [shown(QUOTE[:30]), shown(QUOTE[30:])]) == [False]


def test_without_a_quote_nothing_is_found() -> None:
    assert found([Gold("a.pdf", None, None), Gold("a.pdf", None, " ")], [shown(QUOTE)]) == [False, False]


@given(st.lists(st.sampled_from(["one", "two", "three", "four"]), max_size=8))
def test_ranks_agree_with_found_at_every_depth(texts: list[str]) -> None:
    golds = [Gold("a.pdf", None, word) for word in ("one", "two", "three")]
    ranked = [shown(text) for text in texts]
    ranks = first_ranks(golds, ranked)
    for depth in range(len(texts) + 1):
        assert [rank is not None and rank <= depth for rank in ranks] == found(golds, ranked[:depth])
