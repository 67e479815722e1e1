"""What found no room in a budget, as a note for a person at a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rag.text.language import Language


def room_note(told: Mapping[str, Any], of: Language = "en") -> str:
    """told: "excerpts", the passages of which only a part is shown, and "left_out", those not shown at all.
    of: the language of the note.

    "" if everything relevant is shown whole.

    >>> room_note({"excerpts": 1, "left_out": 3})
    '(1 passage was shortened to the sentences around the match; 3 more relevant passages did not fit: \
raise --budget.)'
    >>> room_note({"left_out": 3}, "zh")
    '（另有 3 段相关内容放不下：请调大 --budget。）'
    """
    excerpts, left_out = told.get("excerpts", 0), told.get("left_out", 0)
    notes = []
    if of == "zh":
        notes += [f"有 {excerpts} 段只保留了匹配处前后的句子"] if excerpts else []
        notes += [f"另有 {left_out} 段相关内容放不下"] if left_out else []
        return f"（{'；'.join(notes)}：请调大 --budget。）" if notes else ""
    if excerpts:
        were = "passage was" if excerpts == 1 else "passages were"
        notes.append(f"{excerpts} {were} shortened to the sentences around the match")
    if left_out:
        more = "passage" if left_out == 1 else "passages"
        notes.append(f"{left_out} more relevant {more} did not fit")
    return f"({'; '.join(notes)}: raise --budget.)" if notes else ""
