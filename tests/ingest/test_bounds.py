"""What the settings allow for one file, in the units of those who keep to it."""

from __future__ import annotations

from ingest.reading import Bounds
from rag.settings import IngestSettings, Settings


def test_limits_are_those_of_the_settings_in_bytes() -> None:
    bounds = Bounds.of(
        Settings(ingest=IngestSettings(max_file_mib=3, max_expanded_mib=5, file_memory_mib=300, max_pages=7))
    )
    assert bounds.memory_bytes == 300 * 1024 * 1024
    assert (bounds.limits.file_bytes, bounds.limits.expanded_bytes) == (3 * 1024 * 1024, 5 * 1024 * 1024)
    assert bounds.limits.pages == 7


def test_no_page_may_take_the_whole_time_of_its_file() -> None:
    short = Bounds.of(Settings(ingest=IngestSettings(file_timeout_s=10, ocr_page_s=60)))
    assert short.limits.ocr_page_s < 10
    long = Bounds.of(Settings(ingest=IngestSettings(file_timeout_s=10_000, ocr_page_s=60)))
    assert long.limits.ocr_page_s == 60
