"""A small folder of real files that can be changed again and again, by a seed."""

from __future__ import annotations

import random
import shutil
from io import BytesIO
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

WORDS = [
    "holiday",
    "allowance",
    "travel",
    "expense",
    "engineer",
    "contract",
    "sensor",
    "supply",
    "年假",
    "差旅",
    "合同",
    "传感器",
]


def write(path: Path, seed: int) -> None:
    """A file of the kind that its name says, with a text of its own."""
    chance = random.Random(seed)
    lines = [" ".join(chance.choices(WORDS, k=12)) + f" mark{seed}x{line}." for line in range(12)]
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".pdf":
        made = BytesIO()
        canvas = Canvas(made, invariant=True)
        for page in range(2):
            for row, line in enumerate(lines[page::2]):
                canvas.drawString(40, 760 - 16 * row, line.encode("ascii", "ignore").decode())
            canvas.showPage()
        canvas.save()
        path.write_bytes(made.getvalue())
    elif path.suffix == ".html":
        path.write_text("<html><body><p>" + "</p><p>".join(lines) + "</p></body></html>", encoding="utf-8")
    else:
        path.write_text("\n\n".join(lines), encoding="utf-8")


def name(number: int) -> str:
    return f"{('a', 'b', '子')[number % 3]}/{number}{('.txt', '.md', '.html', '.pdf')[number % 4]}"


def make(folder: Path, files: int, seed: int) -> None:
    for number in range(files):
        write(folder / name(number), seed * 1000 + number)


def change(folder: Path, seed: int) -> None:
    """Some files are changed, some vanish, some move, some are new, some are copies of others."""
    chance = random.Random(seed)
    there = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in chance.sample(there, min(6, len(there))):
        match chance.randrange(4):
            case 0:
                path.unlink()
            case 1:
                path.rename(path.with_name(f"moved{seed}-{path.name}"))
            case 2:
                shutil.copy(path, path.with_name(f"copy{seed}-{path.name}"))
            case _:
                write(path, seed * 1000 + chance.randrange(1000))
    for number in range(3):
        write(folder / name(seed * 10 + number), seed * 1000 + 500 + number)
