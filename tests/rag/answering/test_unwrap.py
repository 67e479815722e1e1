"""Answers in a JSON wrapping are taken out of it; everything else stays as it is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.unwrap import looks_wrapped, unwrapped, unwrapped_lines


@pytest.mark.parametrize(
    ("wrapped", "answer"),
    [
        ('{"answer": "Yes [1]."}', "Yes [1]."),
        ('{"answer": "Yes.", "citations": [1, 2]}', "Yes. [1][2]"),
        ('{"answer": "Yes.", "citations": "[{\\"n\\": 2}]"}', "Yes. [2]"),
        ('{"answer": "Yes.", "sources": [{"id": 3, "page": 4}]}', "Yes. [3]"),
        ('{"answer": ["One [1].", "Two [2]."]}', "- One [1].\n- Two [2]."),
        ('[{"answer": "One."}, {"answer": "Two."}]', "- One.\n- Two."),
        ('{"thoughts": "hm", "response": {"text": "Yes."}}', "Yes."),
        ('```json\n{"Answer": "Yes."}\n```', "Yes."),
        ('{"答案": "是[1]。"}', "是[1]。"),
        ('{"answer": "two\nlines"}', "two\nlines"),
        ('{"answer": "Yes."} and more', "Yes."),
        # Broken JSON: its numbers are still the answer's, unless it has some.
        ('{"answer": "Yes.", "citations": [1, 2', "Yes. [1][2]"),
        ('{"answer": "Yes [3].", "citations": [1, 2', "Yes [3]."),
        ('{"answer": "Yes.", "confidence": ', "Yes."),
    ],
)
def test_the_answer_is_taken_out(wrapped: str, answer: str) -> None:
    assert looks_wrapped(wrapped)
    assert unwrapped(wrapped) == answer


@pytest.mark.parametrize(
    "text", ['{"days": 25}', '{"answer": ', "{not json}", "{}", '{"answer": ""}', "[[]]"]
)
def test_what_holds_no_answer_stays(text: str) -> None:
    assert unwrapped(text) == text


@pytest.mark.parametrize(
    "text", ["Plain.", "[1] says so.", "[doc 1] …", "```python\nx = {}\n```", "- a list", "“{x}”"]
)
def test_other_text_is_not_held_back(text: str) -> None:
    assert looks_wrapped(text) is False


@pytest.mark.parametrize("text", ["", " ", "[", "`", "```", "```js", "```json\n"])
def test_too_little_to_tell(text: str) -> None:
    assert looks_wrapped(text) is None


@given(st.text(max_size=40), st.integers(0, 40))
def test_the_verdict_on_a_beginning_never_changes(text: str, cut: int) -> None:
    early = looks_wrapped(text[:cut])
    assert early is None or early == looks_wrapped(text)


@given(
    st.recursive(st.text() | st.integers() | st.none(), lambda x: st.lists(x) | st.dictionaries(st.text(), x))
)
def test_no_value_breaks_it(value: object) -> None:
    assert isinstance(unwrapped(json.dumps(value)), str)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            'First this.\n```json\n{"answer": "Then that.", "citations": [2]}\n```\nLast.',
            "First this.\nThen that. [2]\nLast.",
        ),
        ('So:\n```\n{\n "answer": "Yes."\n}\n``` More.', "So:\nYes.\nMore."),
        ('```json\n{"days": 25}\n```', '```json\n{"days": 25}\n```'),
    ],
)
def test_a_block_among_sentences_is_replaced_by_its_answer(text: str, answer: str) -> None:
    assert unwrapped_lines(text) == answer


def test_an_object_between_words_gives_its_answer() -> None:
    told = '{"answer": "The lease ends in {May} [1].", "thoughts": "a \\"b\\""}'
    assert unwrapped_lines(f"Here it is: {told} I hope it helps!") == (
        "Here it is: The lease ends in {May} [1]. I hope it helps!"
    )
    wide = told.replace(", ", ",\n  ")
    assert unwrapped_lines(f"结果如下：{wide}") == "结果如下：The lease ends in {May} [1]."


@pytest.mark.parametrize(
    "text",
    [
        'Set {"retries": 3} in the file.',
        'Write `{"answer": "a"}` there.',
        'So:\n```\nx = {"answer": "a"}\n```\nDone.',
        'It breaks off: {"answer": "a',
    ],
)
def test_an_object_that_is_no_answer_stays(text: str) -> None:
    assert unwrapped_lines(text) == text
