"""Figures across their ways of writing."""

from __future__ import annotations

import pytest

from eval.judges.figures import compared
from eval.judges.quantities import figures

SAME = [
    ("within 90 minutes", "after 1.5 hours"),
    ("二十四个月", "two years"),
    ("3.2亿元", "320 million yuan"),
    ("€1,200.50", "1200.5 euros"),
    ("31 March 2027", "2027-03-31"),
    ("March 31st, 2027", "二〇二七年三月三十一日"),
    ("下午五点", "17:00"),
    ("5 pm", "17:00"),
    ("三分之一", "1/3"),
    ("百分之五", "5 %"),
    ("twenty-five days", "25天"),
    ("一千二百人", "1,200 people"),
    ("half an hour", "30 min"),
    ("半年", "6 months"),
    ("2.5 km", "2500 m"),
    ("valve V3", "阀门V3"),
    ("0.5 GB", "512 MB"),
    ("３０％", "30%"),
]
OTHER = [
    ("25 days", "30 days"),
    ("3.2亿元", "3.2万元"),
    ("€140", "$140"),
    ("31 March 2027", "31 May 2027"),
    ("three months", "six weeks"),
    ("valve V3", "valve V5"),
    ("500小时", "5000小时"),
    ("10 %", "11 %"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_figure_in_another_way(one: str, other: str) -> None:
    for statement, text in ((one, other), (other, one)):
        counts = compared(figures(statement), figures(text))
        assert counts.found >= 1, (statement, text)
        assert not counts.missing
        assert not counts.replaced


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_figure_of_the_same_kind_stands_in_its_place(one: str, other: str) -> None:
    counts = compared(figures(one), figures(other))
    assert (counts.found, counts.replaced) == (0, 1)


def test_a_figure_that_is_left_out_is_missing_not_replaced() -> None:
    counts = compared(figures("costs 12 euros and takes 3 days"), figures("costs 12 euros"))
    assert (counts.found, counts.missing, counts.replaced) == (1, 1, 0)


def test_a_number_answers_without_its_unit() -> None:
    assert compared(figures("25 days of leave"), figures("25")).found == 1


def test_markers_list_words_and_idioms_are_no_figures() -> None:
    assert not figures("一般情况下，零部件由一个部门统一管理[12]。").quantities
    assert not figures("One of the reasons [3]").quantities
    assert not figures("第二天再说").quantities


def test_a_year_alone_is_less_than_a_date() -> None:
    assert compared(figures("on 12 October 1968"), figures("in October 1968")).missing == 1
    assert compared(figures("in October 1968"), figures("on 12 October 1968")).found == 1
