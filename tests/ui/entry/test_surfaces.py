"""Every surface of the page × who asks, over the real server: one predicate decides everywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from ingest.sync import run
from rag import embedding
from rag import engine as engine_module
from rag.access import Asker
from rag.embedding.protocol import Embedder
from rag.engine.protocol import Engine
from rag.library import writing
from rag.records import Answer
from rag.settings import Settings
from tests.browser.corpus import pdf
from tests.ui.entry.serving import PASSWORD, Browser, Kept, served
from tests.ui.samples import citation, evidence
from ui.entry.users import Users
from ui.render.conversation import ShownTurn
from ui.service import Service

OPEN = "The gate of the north yard opens at seven in the morning, and Ingrid Halvorsen has the key."
SECRET = "The vault of the north yard opens with the number 4711, and Ingrid Halvorsen has the key."
QUESTION = "Who has the key of the north yard, and how does it open?"
TELLS = {"default": "seven in the morning", "closed": "4711"}
SHARED = {"default": "canteen.txt", "closed": "takeover-of-oslo.txt"}
PAPER = {"default": "gatehouse.pdf", "closed": "vault.pdf"}


class Place:
    """The server, and windows of bo, who may read everything, of eve, who may not, and of nobody."""

    def __init__(self, service: Service, url: str) -> None:
        self.service = service
        self.windows = {"bo": Browser(url, "bo"), "eve": Browser(url, "eve"), "": Browser(url)}
        self.sha256 = {
            name: next(file.sha256 for file in service.library.files([name]) if file.path == paper)
            for name, paper in PAPER.items()
        }

    def location(self, collection: str) -> str:
        files = self.service.library.files([collection])
        return str(next(file.absolute for file in files if file.path == PAPER[collection]))


@pytest.fixture(scope="module")
def place(embedder: Embedder, engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("surfaces")
    settings = Settings(home=folder / "home")
    for name, line in (("default", OPEN), ("closed", SECRET)):
        (folder / name).mkdir()
        pdf(folder / name / PAPER[name], [[line]])
        # The same bytes are in both.
        paper = folder / name / SHARED[name]
        paper.write_text("The canteen of the north yard serves soup on Fridays.")
        run(settings, [folder / name], name, embedder=embedder)
    with writing(settings) as writer:
        writer.set_readers("closed", ["bo"])
    users = Users(settings.home)
    for name in ("bo", "eve"):
        users.add(name, PASSWORD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedding, "load", lambda settings: Kept(embedder))
        patch.setattr(engine_module, "load", lambda settings: Kept(engine))
        service = Service(settings)
        with served(service) as url:
            yield Place(service, url)


Surface = Callable[[Place, Browser, str], "bool | int"]
"""(place, window, collection) → whether something of the collection was shown or done; or the status of the
refusal."""


def shown(given: object, collection: str) -> bool | int:
    return given if isinstance(given, int) else TELLS[collection] in json.dumps(given)


def answer(place: Place, window: Browser, collection: str) -> bool | int:
    return shown(window.event("ask", [QUESTION, "", "/", [collection], "quick", ""]), collection)


def answer_from_everywhere(place: Place, window: Browser, collection: str) -> bool | int:
    chosen = [each.name for each in place.service.library.collections()]
    given = window.event("ask", [QUESTION, "", "/", chosen, "quick", ""])
    if shown(given, collection) is False:  # what may not be read is refused, not left out in silence
        chosen = ["default"]
        given = window.event("ask", [QUESTION, "", "/", chosen, "quick", ""])
    return shown(given, collection)


def answer_about_a_document(place: Place, window: Browser, collection: str) -> bool | int:
    given = window.event("ask", [QUESTION, "", "/", [collection], "quick", PAPER[collection]])
    return shown(given, collection)


def page_image(place: Place, window: Browser, collection: str) -> bool | int:
    got = window.http.get(f"/pages/{place.sha256[collection]}/1.png")
    return got.content.startswith(b"\x89PNG") if got.status_code in (200, 404) else got.status_code


def place_in_the_text(place: Place, window: Browser, collection: str) -> bool | int:
    got = window.http.get(f"/places/{place.sha256[collection]}", params={"span": "0-20"})
    return TELLS[collection] in got.text if got.status_code in (200, 404) else got.status_code


def list_of_documents(place: Place, window: Browser, collection: str) -> bool | int:
    given = window.event("filter", [""])
    return given if isinstance(given, int) else PAPER[collection].partition(".")[0] in json.dumps(given)


def list_of_collections(place: Place, window: Browser, collection: str) -> bool | int:
    given = window.event("opened", ["", ""])
    return given if isinstance(given, int) else f'"{collection}"' in json.dumps(given)


def counts(place: Place, window: Browser, collection: str) -> bool | int:
    got = window.http.get("/healthz").json()
    if "documents" not in got:
        return 401 if set(got) == {"ok", "loading"} else 200
    return bool(got["documents"] >= {"default": 1, "closed": 3}[collection])


def state(place: Place, window: Browser, collection: str) -> bool | int:
    got = window.http.get("/status")
    return f'value=\\"{collection}\\"' in got.text if got.status_code == 200 else got.status_code


def upload(place: Place, window: Browser, collection: str) -> bool | int:
    got = window.http.put("/uploads", params={"name": "note.txt", "collection": collection}, content=b"note")
    return got.status_code == 202 if got.status_code in (202, 403) else got.status_code


def uploads_under_way(place: Place, window: Browser, collection: str) -> bool | int:
    name = f"ofbo{collection}.txt"
    sent = {"name": name, "collection": collection}
    assert place.windows["bo"].http.put("/uploads", params=sent, content=b"note").status_code == 202
    got = window.http.get("/status")
    return f"ofbo{collection}" in got.json()["jobs"] if got.status_code == 200 else got.status_code


def removing(place: Place, window: Browser, collection: str) -> bool | int:
    """(Of a file that is not there: that it may be asked for is what matters.)"""
    key = json.dumps([collection, "/nowhere/at/all.txt"])
    given = window.event("remove", [""], {"key": key})
    return given if isinstance(given, int) else "files" in json.dumps(given)


def kept(place: Place, window: Browser, collection: str) -> str:
    """A conversation of whoever asks, from a time when they could read the collection."""
    name = next(name for name, each in place.windows.items() if each is window)
    words = OPEN if collection == "default" else SECRET
    sha256, path = place.sha256[collection], PAPER[collection]
    item = evidence(
        text=words, document=sha256, path=path, collection=collection, start=0, end=len(words), pages=(1,)
    )
    said = Answer(QUESTION, f"{words} [1]", (item,), (citation(item, words),))
    asker = Asker(name or "nobody at all")
    number, _ = place.service.conversations.begin("", asker)
    turn = ShownTurn("0", QUESTION, "finished", answer=said)
    assert place.service.conversations.keep(number, asker, turn, [collection]) == "0"
    return number


def conversation(place: Place, window: Browser, collection: str) -> bool | int:
    return shown(window.event("opened", [kept(place, window, collection), ""]), collection)


def picked_conversation(place: Place, window: Browser, collection: str) -> bool | int:
    return shown(window.event("pick", [], {"id": kept(place, window, collection)}), collection)


def evidence_of_a_turn(place: Place, window: Browser, collection: str) -> bool | int:
    given = window.event("cite", [kept(place, window, collection)], {"turn": "0", "n": 1})
    return shown(given, collection)


def saved_conversation(place: Place, window: Browser, collection: str) -> bool | int:
    got = window.http.get(f"/conversations/{kept(place, window, collection)}.md")
    return TELLS[collection] in got.text if got.status_code == 200 else got.status_code


def next_answer(place: Place, window: Browser, collection: str) -> bool | int:
    """A follow-up question, asked of the open collection: what was told before is shown above it, and goes
    into its prompt."""
    number = kept(place, window, collection)
    given = window.event("ask", ["And who has it?", number, "/", ["default"], "quick", ""])
    return shown(given, collection)


def evaluation_of(place: Place, window: Browser, collection: str) -> bool | int:
    got = window.http.get("/evaluation/panel")
    return f'value="{collection}"' in got.text if got.status_code == 200 else got.status_code


def evaluation_begun(place: Place, window: Browser, collection: str) -> bool | int:
    wanted = {"strategies": [], "collections": [collection], "dataset": "samples"}
    got = window.http.post("/evaluation/run", json=wanted)
    # One without strategies is not begun; whether the collection may be asked is looked at before that.
    return "strategy" in got.text if got.status_code == 400 else got.status_code


def runs_of_evaluations(place: Place, window: Browser, collection: str) -> bool | int:
    from ui.evaluation.runs import Runs

    name = next(name for name, each in place.windows.items() if each is window)
    folder = Runs(place.service.settings, Asker(name or None)).folder
    folder.mkdir(parents=True, exist_ok=True)
    head = {
        "command": "answers",
        "collections": [collection],
        "dataset": "x",
        "strategy": {"name": f"over-{collection}"},
        "created": "2026-01-01T00:00",
    }
    (folder / f"{collection}.jsonl").write_text(json.dumps(head) + "\n")
    got = window.http.get("/evaluation/state")
    return f"over-{collection}" in got.text if got.status_code == 200 else got.status_code


SURFACES: list[Surface] = [
    answer,
    answer_from_everywhere,
    answer_about_a_document,
    page_image,
    place_in_the_text,
    list_of_documents,
    list_of_collections,
    counts,
    state,
    upload,
    uploads_under_way,
    removing,
    conversation,
    picked_conversation,
    evidence_of_a_turn,
    saved_conversation,
    next_answer,
    evaluation_of,
    evaluation_begun,
    runs_of_evaluations,
]
CASES = {
    "open": ("eve", "default", True),
    "closed, allowed": ("bo", "closed", True),
    "closed, denied": ("eve", "closed", False),
    "signed out": ("", "default", 401),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.__name__)
def test_who_sees_what(place: Place, surface: Surface, case: str) -> None:
    name, collection, expected = CASES[case]
    assert surface(place, place.windows[name], collection) == expected


def test_a_document_of_both_is_read_where_it_is_open_and_nothing_tells_that_it_lies_elsewhere(
    place: Place,
) -> None:
    bo, eve = place.windows["bo"], place.windows["eve"]
    question = [
        "What does the canteen of the north yard serve on Fridays?",
        "",
        "/",
        ["default"],
        "quick",
        "",
    ]
    told = json.dumps(eve.event("ask", question))
    assert "soup" in told
    (file,) = [file for file in place.service.library.files(["closed"]) if file.path == SHARED["closed"]]
    whole = eve.http.get(f"/places/{file.sha256}", params={"span": "0-10"})
    assert "soup" in whole.text
    for shown in (told, whole.text, json.dumps(eve.event("filter", [""])), eve.http.get("/status").text):
        assert "oslo" not in shown
        assert "closed" not in shown.replace("is-closed", "")
    assert "oslo" in json.dumps(bo.event("filter", [""]))
