"""A small data set made by rule: a card of four sentences for each machine, a question for each card.

Its questions are quick (a card is some ninety tokens), and a small model states some of the facts under one
seed and others under the next: what a comparison of a strategy with itself needs.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

MACHINES = (
    "Pump P-17", "Valve V-4", "Fan F-230", "Crane C-9", "Boiler B-31", "Mixer M-58", "Lift L-2",
    "Press R-640", "Lathe T-12", "Oven O-75", "Filter K-88", "Mill N-5", "Cutter S-41", "Dryer D-306",
    "Winch W-7", "Saw A-19", "Chiller H-52", "Feeder E-24", "Drill G-63", "Tank U-10",
)  # fmt: skip
CITIES = ("Bremen", "Osaka", "Leeds", "Turin", "Ghent", "Lyon", "Poznan", "Suzhou")
COLOURS = ("green", "grey", "yellow", "blue", "red", "white")
NAMES = ("Ada Novak", "Li Wei", "Tom Brandt", "Rosa Vidal", "Kenji Mori", "Ines Costa")


def write(folder: Path, *, seed: int = 0) -> Path:
    """docs/ and questions.jsonl in `folder`; the same for the same seed. Returns `folder`."""
    rng = random.Random(seed)
    docs = folder / "docs"
    docs.mkdir(parents=True, exist_ok=True)
    lines = []
    for machine in MACHINES:
        facts = _facts(machine, rng)
        asked = rng.sample(sorted(facts), 2)
        name = machine.lower().replace(" ", "-") + ".md"
        first, second = (facts[key][0] for key in asked)
        sentences = " ".join(fact for _, fact in facts.values())
        (docs / name).write_text(f"# {machine}\n\n{sentences}\n", encoding="utf-8")
        lines.append(
            {
                "id": name.removesuffix(".md"),
                "question": f"{first}, and {second.lower()}? This is about {machine}.",
                "answers": [" ".join(facts[key][1] for key in asked)],
                "nuggets": [{"text": facts[key][1], "vital": True} for key in asked],
                "evidence": [{"doc": name, "quote": facts[key][1]} for key in asked],
                "lang": "en",
                "kind": "fact",
                "answerable": True,
            }
        )
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (folder / "questions.jsonl").write_text(text, encoding="utf-8")
    return folder


def _facts(machine: str, rng: random.Random) -> dict[str, tuple[str, str]]:
    """Four of six, in an order of their own: name → (how it is asked for, the sentence)."""
    months = rng.randint(2, 18)
    every = {
        "weight": ("How much does it weigh", f"{machine} weighs {rng.randint(20, 900)} kg."),
        "pressure": ("At what pressure is it tested", f"{machine} is tested at {rng.randint(2, 60)} bar."),
        "paint": ("What colour is it painted", f"{machine} is painted {rng.choice(COLOURS)}."),
        "maker": ("Where was it made", f"{machine} was made in {rng.choice(CITIES)}."),
        "service": ("How often is it inspected", f"{machine} is inspected every {months} months."),
        "keeper": ("Who looks after it", f"{rng.choice(NAMES)} looks after {machine}."),
    }
    return {name: every[name] for name in rng.sample(sorted(every), 4)}
