"""What a judge says of one fact and one answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

Support = Literal["support", "partial", "none"]
SUPPORTS: tuple[Support, ...] = get_args(Support)

WORTH: dict[Support, float] = {"support": 1.0, "partial": 0.5, "none": 0.0}


@dataclass(frozen=True, slots=True)
class Verdict:
    """support: the answer states all of the fact; partial: a part, and nothing against it; none: not, or the
    opposite. where: the words of the answer that decided it, "" if none. agreement: of a judge that is asked
    several times, the share of its votes that say the same (1 for judges that cannot waver)."""

    support: Support
    where: str = ""
    agreement: float = 1.0


class Judge(Protocol):
    """Decides for each of `facts` whether `answer` states it. Says nothing of whether the fact is true.

    name: "exact", "semantic" or "model". id: the name with everything that can change a verdict.
    """

    name: str

    @property
    def id(self) -> str: ...

    def judge(self, question: str, facts: Sequence[str], answer: str) -> list[Verdict]: ...
