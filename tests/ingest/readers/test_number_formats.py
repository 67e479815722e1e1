from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.readers.number_formats import BUILT_IN, plain, shown


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (3.0, None, "3"),
        (0.1 + 0.2, "General", "0.3"),
        (6222021234567890.0, None, "6222021234567890"),
        (0.125, "0%", "13%"),
        (2.5, "0", "3"),
        (1.005, "0.00", "1.01"),
        (0.285, "0%", "29%"),
        (0.125, "0.0%", "12.5%"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (-1234.5, "#,##0;(#,##0)", "(1,235)"),
        (2500, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "2.5K"),
        (3.5e6, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "3.5M"),
        (12, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "12"),
        (123456789, "000-00-0000", "123-45-6789"),
        (5551234, "(###) ###-####", "() 555-1234"),
        (12025551234, "+0 (000) 000-0000", "+1 (202) 555-1234"),
        (-5, "0;-0;nil", "-5"),
        (0, '0;-0;"nil"', "nil"),
        (7, "000", "007"),
        (2.5, "0.##", "2.5"),
        (2, "0.##", "2"),
        (1234567, '#,##0.0,,"M"', "1.2M"),
        (42, '[$¥-804]#,##0.00', "¥42.00"),
        (42, '[Red]"Nr. "0', "Nr. 42"),
        (45463, "yyyy-mm-dd", "2024-06-20"),
        (45463.75, "m/d/yyyy h:mm AM/PM", "6/20/2024 6:00 PM"),
        (45463, 'yyyy"年"m"月"d"日"', "2024年6月20日"),
        (45463.5, "dd.mm.yy hh:mm", "20.06.24 12:00"),
        (45463, "mmm-yy", "Jun-24"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        (0.0006944444, "mm:ss", "01:00"),
        (61, "yyyy-mm-dd", "1900-03-01"),
        (1, "yyyy-mm-dd", "1900-01-01"),
        (-1, "yyyy-mm-dd", "-1"),
        (0.5, "# ?/?", "0.5"),
        (12345, "0.00E+00", "12345"),
    ],
)  # fmt: skip
def test_as_a_cell_shows_it(value: float, code: str | None, text: str) -> None:
    assert shown(value, code) == text


def test_dates_from_1904() -> None:
    assert shown(0, "yyyy-mm-dd", from_1904=True) == "1904-01-01"


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.floats(allow_nan=True, allow_infinity=True),
    st.one_of(
        st.sampled_from(sorted(BUILT_IN.values())),
        st.text(alphabet='0#?.,%;"\\[]hmsyd/AMP E+-@', max_size=20),
    ),
)
def test_no_code_makes_it_fail(value: float, code: str) -> None:
    assert isinstance(shown(value, code), str)
    assert isinstance(plain(value), str)
