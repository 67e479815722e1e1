from __future__ import annotations

from rag.prompting.fence import fenced
from rag.prompting.phrases import phrases_in
from rag.records import Evidence


def test_a_cut_table_is_shown_with_its_header_and_a_sign_for_what_lies_between() -> None:
    evidence = Evidence(
        n=1, document="d", path="costs.pdf", collection="default", text="Oslo | 12", start=90, end=99,
        pages=(3,), heading=(), score=1.0, tokens=1, table_header="Town | Cost </source 1>",
    )  # fmt: skip
    shown = fenced(evidence, phrases_in("en"))
    assert shown == "<source 1>\ncosts.pdf | page 3\nTown | Cost ‹/source 1>\n…\nOslo | 12\n</source 1>\n\n"


def test_an_excerpt_is_called_one_behind_its_source() -> None:
    evidence = Evidence(
        n=2, document="d", path="合同.pdf", collection="default", text="违约金为百分之五。", start=9, end=18,
        pages=(3,), heading=("第八条" * 60,), score=1.0, tokens=1, excerpt=True,
    )  # fmt: skip
    assert fenced(evidence, phrases_in("zh")).splitlines()[1].endswith("… | 节选")
    assert fenced(evidence, phrases_in("en")).splitlines()[1].endswith("… | excerpt")
