"""A small library for the browser: English and Chinese, a PDF with pages, and names that try something."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

EVIL = "<img src=x onerror=alert(1)>.txt"
LONG = (
    "quarterly-report-of-the-northern-division_with_all_annexes_and_corrections_"
    "final_version_seventeen_approved_and_signed_by_everybody_who_had_to_sign_it.md"
)
PUMP = "The pump P-7 in the north hall carries a warranty of thirty months from the day of delivery."
LEAVE = "每位员工每年享有十五天带薪年假，须提前两周申请。"
PRICE = "One replacement filter for the cooling tower costs 418 euros including delivery."

PUMP_QUESTION = "How long is the warranty of pump P-7 in the north hall?"
_PLAN = (
    (
        "Maintenance plan of the north hall.",
        "This plan names every machine and the person who looks after it.",
    ),
    (
        PUMP,
        "The pump is inspected every six months by the maintenance team.",
        "Oil is changed once a year.",
    ),
    (
        "The crane is inspected by an outside company every spring.",
        "Its logbook lies in the foreman's office.",
    ),
)
LEAVE_QUESTION = "员工每年有多少天年假？"
PRICE_QUESTION = "What does a replacement filter for the cooling tower cost?"


def write(folder: Path) -> Path:
    """Writes the papers and returns their folder."""
    folder.mkdir(parents=True)
    pdf(folder / "maintenance-plan.pdf", _PLAN, "Maintenance plan")
    (folder / "人事").mkdir()
    (folder / "人事" / "【员工手册】(终稿)#1.txt").write_text(
        f"第一章 假期\n\n{LEAVE}\n\n病假须提交医院证明，三天以内由部门经理批准。\n\n"
        "第二章 办公时间\n\n公司实行弹性工作制，核心时间为上午十点到下午四点。",
        encoding="utf-8",
    )
    (folder / EVIL).write_text(
        f"Spare parts. {PRICE} <script>alert(2)</script> Orders are placed by the store keeper.",
        encoding="utf-8",
    )
    (folder / LONG).write_text(
        "# Northern division\n\n## Visitors\n\nVisitors report to the gate house and get a blue badge.\n\n"
        "## Parking\n\nParking is free on the gravel field behind the north hall.",
        encoding="utf-8",
    )
    (folder / "empty.txt").write_text("", encoding="utf-8")
    return folder


def pdf(path: Path, pages: Sequence[Sequence[str]], title: str = "") -> None:
    """A PDF of these lines, page by page."""
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path))
    canvas.setTitle(title)
    for lines in pages:
        for place, line in enumerate(lines):
            canvas.drawString(60, 760 - 22 * place, line)
        canvas.showPage()
    canvas.save()
