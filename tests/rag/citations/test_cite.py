"""Answers are checked against their evidence: what is shown exists, what is verified stands there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.citations.cite import Cited, cite
from rag.citations.claims import claims
from rag.citations.markers import MARKER, clean
from rag.embedding.protocol import Embedder
from rag.records import Citation, Evidence
from rag.text.normal import find_quote

HANDBOOK = (
    "# Leave\n\nEmployees receive 25 days of annual leave per calendar year. Unused days may be carried over "
    "until 31 March of the following year. Carried-over days cannot be paid out.\n\n"
    "Parental leave lasts 14 weeks at full pay."
)
CONTRACT = (
    "The notice period is three months to the end of a quarter. The supplier shall not subcontract without "
    "written consent. Payment is due within 30 days of the invoice date. The total price is EUR 1,200,000."
)
CHINESE = "员工每年享有二十五天年假。未使用的年假可结转至次年三月三十一日。试用期为六个月，期间不得请年假。"


def evidence(n: int, text: str, path: str, start: int = 100) -> Evidence:
    return Evidence(
        n=n, document=f"sha{n}", path=path, collection="default", text=text, start=start,
        end=start + len(text), pages=(n, n + 1), heading=(), score=1.0, tokens=len(text) // 4,
    )  # fmt: skip


EVIDENCE = (
    evidence(1, HANDBOOK, "hr/handbook.pdf"),
    evidence(2, CONTRACT, "legal/contract.docx", 0),
    evidence(3, CHINESE, "人事/年假.md", 7),
)


def page_of(item: Evidence, offset: int) -> int | None:
    return item.n if offset < item.start + len(item.text) // 2 else item.n + 1


def checked(answer: str) -> Cited:
    return cite(clean(answer, len(EVIDENCE)), EVIDENCE, page_of=page_of)


def test_a_right_citation_is_verified_with_the_sentence_and_its_page() -> None:
    cited = checked("Employees get 25 days of annual leave per year [1].")
    assert cited.text == "Employees get 25 days of annual leave per year [1]."
    assert cited.unsupported == ()
    (citation,) = cited.citations
    sentence = "Employees receive 25 days of annual leave per calendar year."
    start = EVIDENCE[0].start + HANDBOOK.index(sentence)
    assert citation == Citation(
        1, "hr/handbook.pdf", 1, sentence, verified=True, start=start, end=start + len(sentence)
    )


def test_the_neighbours_number_is_put_right() -> None:
    cited = checked("Parental leave lasts 14 weeks at full pay [2].")
    assert cited.text == "Parental leave lasts 14 weeks at full pay [1]."
    assert [(c.n, c.page, c.verified) for c in cited.citations] == [(1, 2, True)]


def test_a_sentence_without_marker_gets_one() -> None:
    cited = checked("Unused days may be carried over until 31 March. Ask your manager about football.")
    assert (
        cited.text == "Unused days may be carried over until 31 March [1]. Ask your manager about football."
    )
    assert cited.unsupported == ("Ask your manager about football.",)


def test_chinese() -> None:
    cited = checked("员工每年有25天年假。未使用的年假可以结转到次年3月31日【3】。")
    assert cited.text == "员工每年有25天年假[3]。未使用的年假可以结转到次年3月31日[3]。"
    assert cited.unsupported == ()
    assert [c.quote for c in cited.citations] == [
        "员工每年享有二十五天年假。",
        "未使用的年假可结转至次年三月三十一日。",
    ]


@pytest.mark.parametrize(
    "false",
    [
        "Employees receive 30 days of annual leave per calendar year [1].",
        "Carried-over days can be paid out [1].",
        "The supplier shall subcontract with written consent [2].",
        "Unused days may not be carried over until 31 March of the following year [1].",
        "The notice period is two months to the end of a quarter [2].",
        "员工每年享有三十天年假[3]。",
        "试用期为六个月，期间可以请年假[3]。",
        "The total price is EUR 1,300,000 [2].",
    ],
)
def test_other_numbers_and_turned_statements_are_not_supported(false: str) -> None:
    cited = checked(false)
    assert cited.unsupported == (MARKER.sub("", false).replace(" .", "."),)
    assert not any(citation.verified for citation in cited.citations)


def test_quoted_words_are_found_where_they_stand() -> None:
    cited = checked("The contract says “shall not subcontract without written consent” [1].")
    (citation,) = cited.citations
    assert citation.n == 2
    assert citation.quote == "shall not subcontract without written consent"
    assert CONTRACT[citation.start : citation.end] == citation.quote
    assert cited.text.endswith("[2].")


def test_a_made_up_quotation_is_never_verified() -> None:
    cited = checked("The handbook says “all employees must come to the office on every single Friday” [1].")
    assert len(cited.unsupported) == 1
    assert [(c.n, c.verified, c.start) for c in cited.citations] == [(1, False, None)]


LEAVE = "Unused days may be carried over until 31 March of the following year."
PAID = "Carried-over days cannot be paid out."


@pytest.mark.parametrize(
    ("answer", "quotes"),
    [
        (f"“{LEAVE} {PAID}” [1]", [LEAVE, PAID]),
        (f"Annual leave: “{LEAVE} {PAID}” [1].", [LEAVE, PAID]),
        (f'It says "{LEAVE} {PAID}" [1].', [LEAVE, PAID]),
        (f"“Employees receive 25 days … {PAID} Parental leave lasts 14 weeks at full pay.” [1]",
         ["Employees receive 25 days", PAID, "Parental leave lasts 14 weeks at full pay."]),
        (f"> {LEAVE} {PAID} [1]", [LEAVE, PAID]),
    ],
)  # fmt: skip
def test_each_sentence_of_a_quotation_is_proved_under_its_one_mark(answer: str, quotes: list[str]) -> None:
    cited = checked(answer)
    assert cited.text == answer
    assert cited.unsupported == ()
    assert [c.quote.rstrip(".") for c in cited.citations] == [quote.rstrip(".") for quote in quotes]
    assert all(c.n == 1 and c.verified for c in cited.citations)
    assert all(claim.numbers == (1,) for claim in claims(answer) if claim.stating)


def test_a_sentence_put_into_a_quotation_is_not_proved_by_its_mark() -> None:
    made_up = "All employees must come to the office on every single Friday."
    for answer in (f"“{made_up} {LEAVE}” [1]", f"“{LEAVE} {made_up}” [1]"):
        cited = checked(answer)
        assert len(cited.unsupported) == 1
        assert made_up in cited.unsupported[0]
        assert [c.quote for c in cited.citations if c.verified] == [LEAVE.rstrip(".")]


def test_a_quotation_of_two_documents_has_the_mark_of_each() -> None:
    cited = checked(f"“{LEAVE} Payment is due within 30 days of the invoice date.” [1]")
    assert cited.unsupported == ()
    assert {(c.n, c.verified) for c in cited.citations} == {(1, True), (2, True)}
    cited = checked(f"“{LEAVE} {PAID}” [2]")
    assert {(c.n, c.verified) for c in cited.citations} == {(1, True)}
    assert "[2]" not in cited.text


def test_two_evidences_support_one_sentence_together() -> None:
    cited = checked(
        "Parental leave lasts 14 weeks, while payment is due within 30 days of the invoice [1][2]."
    )
    assert cited.unsupported == ()
    assert {c.n for c in cited.citations if c.verified} == {1, 2}


def test_headings_lead_ins_and_silence_are_not_claims() -> None:
    cited = checked(
        "## Leave\n\nThe rules are as follows:\n\n- Employees receive 25 days of annual leave [1].\n\n"
        "The documents do not mention sabbaticals. Would you like more detail?"
    )
    assert cited.unsupported == ()


def test_a_marker_behind_the_full_stop_belongs_to_what_it_follows() -> None:
    cited = checked("Employees receive 25 days of annual leave. [1] The notice period is three months. [2]")
    assert cited.unsupported == ()
    assert [c.n for c in cited.citations] == [1, 2]
    assert cited.text.count("[1]") == cited.text.count("[2]") == 1


def test_a_source_list_of_the_models_own_is_dropped() -> None:
    cited = checked("Parental leave lasts 14 weeks [1].\n\nSources:\n[1] handbook.pdf\n[2] other.pdf\n")
    assert cited.text == "Parental leave lasts 14 weeks [1]."


def test_a_quotation_is_found_across_the_documents_own_references() -> None:
    paper = evidence(1, "Retrieval helps [12] when the corpus is large [3, 4].", "paper.pdf")
    cited = cite("It says “Retrieval helps when the corpus is large” [1].", [paper], page_of=page_of)
    assert cited.citations[0].verified
    assert cited.citations[0].quote.startswith("Retrieval helps [12]")


@pytest.mark.parametrize(
    ("claim", "n", "supported"),
    [
        ("每年有二十五天年假可用[1]。", 1, True),
        ("Unused leave can be taken until 31 March of the next year [3].", 3, True),
        ("每年有三十天年假可用[1]。", 1, False),
        ("Leave that is left over lapses on 30 June [3].", 3, False),
        ("The canteen serves pizza on Fridays [1].", 1, False),
    ],
)
def test_another_language_is_supported_by_numbers_and_meaning(
    embedder: Embedder, claim: str, n: int, supported: bool
) -> None:
    foreign = EVIDENCE[:2] if n == 1 else EVIDENCE[1:]
    cited = cite(claim, foreign, page_of=page_of, embed=embedder.embed_queries)
    assert (cited.unsupported == ()) == supported
    assert [(c.n, c.verified) for c in cited.citations] == [(n, supported)]


SENTENCES = [
    *(HANDBOOK + " " + CONTRACT).replace("# Leave\n\n", "").replace("\n\n", " ").split(". "),
    *CHINESE.split("。"),
    "The moon is made of cheese",
    "It costs 7,000 euros",
    "“Parental leave lasts 14 weeks”",
    "“Parental leave lasts 99 weeks at double pay and more”",
    "“Unused days may be carried over until 31 March of the following year. They cannot be sold.”",
    "“The notice period is three months to the end of a quarter. It can be doubled at any time.”",
    "“员工每年享有二十五天年假。未使用的年假可结转至次年三月三十一日。”",
    "“Employees receive 25 days … cannot be paid out. The price is EUR 1,200,000 or more”",
    "\n> Payment is due within 30 days of the invoice date. Parental leave lasts 14 weeks at full pay.",
    "Yes",
    "## Heading",
    "The sources do not say",
    "| a | b |",
]
MARKS = [
    "",
    " [1]",
    "[2]",
    "【3】",
    " [1,9]",
    " [7]",
    "（2）",
    " (see [3])",
    "[1-3]",
    " [doc 2]",
    "[^1]",
    " [0]",
]
ENDS = [". ", "。", "\n", "\n\n- ", ".\n\n", "! "]


@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(SENTENCES), st.sampled_from(MARKS), st.sampled_from(ENDS)), max_size=6
    ),
    st.integers(0, 3),
)
def test_nothing_dangles_and_nothing_is_verified_that_is_not_there(
    parts: list[tuple[str, str, str]], count: int
) -> None:
    given_evidence = EVIDENCE[:count]
    answer = clean("".join(sentence + mark + end for sentence, mark, end in parts), count)
    cited = cite(answer, given_evidence, page_of=page_of)
    shown = {int(n) for n in MARKER.findall(cited.text)}
    assert shown <= {item.n for item in given_evidence}
    assert {citation.n for citation in cited.citations} == shown
    for citation in cited.citations:
        source = given_evidence[citation.n - 1]
        assert citation.path == source.path
        if citation.verified:
            assert citation.start is not None
            assert citation.end is not None
            here = source.text[citation.start - source.start : citation.end - source.start]
            assert here == citation.quote
            assert find_quote(citation.quote, source.text) is not None
            assert citation.page == page_of(source, citation.start)
        else:
            assert citation.start is citation.end is None
            assert citation.quote == "" or find_quote(citation.quote, source.text) is None
    # What is not a marker is never touched.
    squeeze = str.maketrans("", "", " \n")
    assert MARKER.sub("", cited.text).translate(squeeze) == MARKER.sub("", answer).translate(squeeze)


def test_a_sentence_in_bold_type_that_names_its_source_is_a_claim_a_title_is_none() -> None:
    said = CONTRACT.partition(".")[0]
    (found,) = checked(f"**{said}** [2]").citations
    assert (found.n, found.verified) == (2, True)
    assert checked("**Annual leave of everybody at the office**").citations == ()
