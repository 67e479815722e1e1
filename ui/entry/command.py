"""`python -m ui users`: who may sign in to the page. What is done here holds for a running page at once."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rag.cli import frame
from rag.errors import NothingToWorkOn, UsageError
from ui.entry.users import Users

if TYPE_CHECKING:
    from rag.settings import Settings


def run(words: Sequence[str]) -> int:
    arguments = parser().parse_args(list(words))
    settings = frame.settings_of(arguments)
    users = Users(settings.home)
    if arguments.act == "list":
        return _listed(users, as_json=arguments.json)
    return _changed(users, settings, arguments.act, arguments.name, as_json=arguments.json)


def parser() -> frame.Parser:
    made = frame.Parser(
        prog="python -m ui users",
        description="Who may sign in to the page. As long as there is anybody, nobody else comes in. The "
        "password is asked for on the terminal, or is the first line of standard input.",
        parents=[frame.shared_options()],
    )
    acts = made.add_subparsers(dest="act", required=True, metavar="add|change|remove|list")
    for act, help_ in (
        ("add", "a person more"),
        ("change", "a new password for a person; wherever they are signed in they no longer are"),
        ("remove", "a person less"),
    ):
        acts.add_parser(act, help=help_, description=help_, parents=[frame.shared_options()]).add_argument(
            "name", metavar="NAME"
        )
    acts.add_parser("list", help="the names", parents=[frame.shared_options()])
    return made


def _listed(users: Users, *, as_json: bool) -> int:
    names = users.names()
    if as_json:
        frame.write_json({"users": names})
    elif names:
        print("\n".join(names))
    else:
        print("Nobody: the page asks nobody who they are.")
    return frame.DONE


def _changed(users: Users, settings: Settings, act: str, name: str, *, as_json: bool) -> int:
    first = not users.names()
    if act == "add":
        if first and settings.ui.proxy_header:
            raise UsageError(
                f"Who asks is told by a proxy (ui.proxy_header is {settings.ui.proxy_header!r}).",
                fix="Take that setting away first, or add people at the proxy's log-in.",
            )
        users.check_free(name)
        known = users.add(name, _password(f"Password for {name}: "))
        said = f"{known} may sign in."
        if first:
            said += " From now on nobody comes in who does not; pages that are open have to sign in, too."
    elif act == "change":
        users.check_known(name)
        known = users.change(name, _password(f"New password for {name}: "))
        said = f"{known} has a new password, and is signed out everywhere."
    else:
        known = users.remove(name)
        said = f"{known} may no longer sign in, and is signed out."
        if not users.names():
            said += (
                " That was the last one: a running page lets nobody in any more, and from its next start on "
                "it asks nobody who they are."
            )
    if as_json:
        frame.write_json({"act": act, "name": known, "users": users.names()})
    else:
        print(said)
    return frame.DONE


def _password(prompt: str) -> str:
    """Typed twice at a terminal, unseen; else the first line of standard input."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        if not line:
            raise NothingToWorkOn(
                "No password came on standard input.", fix="Run it at a terminal, or pipe the password in."
            )
        return line.rstrip("\r\n")
    first = getpass.getpass(prompt)
    if getpass.getpass("Once more: ") != first:
        raise UsageError("The two are not the same.", fix="Try again.")
    return first
