"""What lies in a file is a document of its own, and shares the fate of the file it lies in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ingest import reading
from ingest.sync import Report, run
from ingest.sync import settling as settling_module
from ingest.sync.containers import Container
from rag.library import Library, writing
from rag.library.verify import verify
from rag.settings import IngestSettings, Settings
from tests.ingest.boxes_worker import box
from tests.ingest.sync.checks import found, in_step
from tests.ingest.sync.conftest import Folder, Ingest
from tests.rag.library.samples import WordEmbedder


@pytest.fixture(autouse=True)
def boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "WORKER", "tests.ingest.boxes_worker")


def states(library: Library) -> dict[str, str]:
    return {file.path: file.state for file in library.files()}


def test_members_are_documents_beside_their_container(
    ingest: Ingest, folder: Folder, library: Library, settings: Settings
) -> None:
    folder.write("mail.box", box("the allowance is attached", a_txt="terms of travel", b_txt="a price list"))
    report = ingest()
    assert sorted(report.added) == ["mail.box", "mail.box/a.txt", "mail.box/b.txt"]
    assert (report.documents, report.failed, report.skipped) == (3, [], [])
    assert found(library, "travel") == {"mail.box/a.txt"}
    assert found(library, "allowance") == {"mail.box"}
    files = {file.path: file for file in library.files()}
    assert files["mail.box"].members == 2
    assert files["mail.box/a.txt"].container == "mail.box"
    assert in_step(settings)


def test_an_unchanged_container_is_not_opened_again(
    ingest: Ingest, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("mail.box", box("the mail", a_txt="terms", bad_txt={"skip": "locked"}))
    folder.write("bare.box", box(None, x_txt="words"))
    first = ingest()
    monkeypatch.setattr(reading, "WORKER", "no.such.worker")
    second = ingest()
    assert (second.unchanged, second.added, second.updated, second.removed) == (4, [], [], [])
    assert second.skipped == first.skipped == [("mail.box/bad.txt", "locked")]


def test_a_changed_container_replaces_its_members(
    ingest: Ingest, folder: Folder, library: Library, settings: Settings
) -> None:
    folder.write("mail.box", box("first", a_txt="stays as it was", b_txt="old words", c_txt="goes away"))
    ingest()
    folder.write("mail.box", box("second", a_txt="stays as it was", b_txt="new words", d_txt="arrives"))
    report = ingest()
    assert sorted(report.updated) == ["mail.box", "mail.box/b.txt"]
    assert (report.added, report.removed, report.unchanged) == (["mail.box/d.txt"], ["mail.box/c.txt"], 1)
    assert found(library, "old") == found(library, "goes") == found(library, "first") == set()
    assert found(library, "arrives") == {"mail.box/d.txt"}
    assert in_step(settings)


def test_a_deleted_container_leaves_nothing(
    ingest: Ingest, folder: Folder, library: Library, settings: Settings
) -> None:
    path = folder.write("mail.box", box("hello", a_txt="travel", sub_box={"text": "inner", "members": {}}))
    folder.write("other.txt", "something else")
    ingest()
    path.unlink()
    report = ingest()
    assert sorted(report.removed) == ["mail.box", "mail.box/a.txt", "mail.box/sub.box"]
    assert states(library) == {"other.txt": "live"}
    assert found(library, "travel") == set()
    assert in_step(settings)


def test_a_container_that_turns_plain_or_bad_loses_its_members(
    ingest: Ingest, folder: Folder, library: Library
) -> None:
    folder.write("one.box", box("hello", a_txt="travel"))
    folder.write("two.box", box("hallo", a_txt="expense"))
    ingest()
    folder.write("one.box", "only text now")
    folder.write("two.box", b"\x89PNG\r\n\x1a\n" + bytes(64))
    report = ingest()
    assert report.updated == ["one.box"]
    assert [path for path, _ in report.skipped] == ["two.box"]
    assert sorted(report.removed) == ["one.box/a.txt", "two.box/a.txt"]
    assert states(library) == {"one.box": "live", "two.box": "skipped"}
    assert found(library, "travel") == found(library, "expense") == set()


def test_a_container_without_text_is_live_as_a_folder(
    ingest: Ingest, folder: Folder, library: Library, settings: Settings
) -> None:
    folder.write("bundle.box", box(None, a__b_txt="travel"))
    folder.write("nothing.box", box(None, a_png={"skip": "an image"}, b_png={"skip": "an image"}))
    report = ingest()
    assert sorted(report.added) == ["bundle.box", "bundle.box/a/b.txt"]
    assert sorted(report.skipped) == [
        ("nothing.box", "none of the 2 files in it gives a text"),
        ("nothing.box/a.png", "an image"),
        ("nothing.box/b.png", "an image"),
    ]
    (folder_row,) = [file for file in library.files() if file.path == "bundle.box"]
    assert (folder_row.state, folder_row.kind, folder_row.chunks) == ("live", "folder", 0)
    assert "no text itself" in folder_row.reason
    assert in_step(settings)
    again = ingest()
    assert (again.unchanged, len(again.skipped)) == (2, 3)


def test_one_bad_member_is_named_and_the_rest_goes_on(
    settings: Settings, folder: Folder, library: Library
) -> None:
    hasty = settings.model_copy(update={"ingest": IngestSettings(file_timeout_s=3, file_memory_mib=256)})
    content = box(
        "mail", a_txt="alpha", b_txt="CRASH", c_txt="HANG", d_txt="MEMORY", e_txt="EXIT", f_txt="omega"
    )
    folder.write("mail.box", content)
    report = run(hasty, [folder.path], embedder=WordEmbedder())
    assert sorted(report.added) == ["mail.box", "mail.box/a.txt", "mail.box/f.txt"]
    reasons = dict(report.failed)
    assert reasons["mail.box/b.txt"] == "its reader crashed (SIGSEGV); set aside after 3 tries"
    assert reasons["mail.box/c.txt"] == "reading it took longer than 3 s"
    assert reasons["mail.box/d.txt"] == "reading it needs more than 256 MiB of memory"
    assert reasons["mail.box/e.txt"] == "its reader ended with exit code 7; set aside after 3 tries"
    assert found(library, "omega") == {"mail.box/f.txt"}
    assert in_step(hasty)


def test_nested_containers_up_to_a_limit(ingest: Ingest, folder: Folder, library: Library) -> None:
    content: Any = "the innermost"
    for _ in range(5):
        content = {"text": None, "members": {"in.box": content}}
    folder.write("out.box", box(None, in_box=content))
    report = ingest()
    deep = "out.box/" + "/".join(["in.box"] * 5)
    assert dict(report.skipped)[deep] == "it lies in more than 4 files"
    assert report.added == []
    assert "out.box" in dict(report.skipped)  # nothing in it is read, so it is no folder either
    assert not found(library, "innermost")


def test_limits_of_number_and_text(settings: Settings, folder: Folder) -> None:
    small = settings.model_copy(update={"ingest": IngestSettings(max_members=3, max_text_chars=1000)})
    folder.write("many.box", box("x", **{f"m{number}_txt": f"member {number}" for number in range(9)}))
    folder.write("long.box", box("x", a_txt="word " * 300, b_txt="more " * 9, c_txt="and more"))
    report = run(small, [folder.path], embedder=WordEmbedder())
    assert ("many.box/…", "6 more files: the limit is 3 in one file") in report.skipped
    assert "many.box/m2.txt" in report.added
    assert "long.box/a.txt" in dict(report.failed)


def test_equal_bytes_are_stored_once_wherever_they_lie(
    ingest: Ingest, folder: Folder, library: Library, embedder: WordEmbedder, settings: Settings
) -> None:
    folder.write("terms.txt", "the same terms of travel")
    folder.write("one.box", box("first", terms_txt="the same terms of travel"))
    folder.write("two.box", box("second", terms_txt="the same terms of travel"))
    folder.write("copy.box", box("second", terms_txt="the same terms of travel"))
    report = ingest()
    places = {"terms.txt", "one.box/terms.txt", "two.box/terms.txt", "copy.box/terms.txt"}
    assert found(library, "travel") == places
    assert report.documents == 3  # the terms, and two different mails
    assert embedder.embedded == report.chunks == 3
    (folder.path / "terms.txt").unlink()
    (folder.path / "one.box").unlink()
    ingest()
    assert found(library, "travel") == {"two.box/terms.txt", "copy.box/terms.txt"}
    assert in_step(settings)


def test_a_copy_of_a_known_container_lists_its_members_too(
    ingest: Ingest, folder: Folder, library: Library, embedder: WordEmbedder
) -> None:
    folder.write("a.box", box("hello", a_txt="travel"))
    ingest()
    folder.write("b.box", box("hello", a_txt="travel"))
    report = ingest()
    assert sorted(report.added) == ["b.box", "b.box/a.txt"]
    assert found(library, "travel") == {"a.box/a.txt", "b.box/a.txt"}
    assert embedder.embedded == 2


def test_a_moved_root_moves_the_paths_of_members(ingest: Ingest, folder: Folder, library: Library) -> None:
    path = folder.write("sub/a.box", box("hello", a_txt="travel"))
    ingest()
    report = ingest(path.parent)
    assert report.unchanged == 2
    assert found(library, "travel") == {"a.box/a.txt"}


def test_a_kill_between_members_is_finished_by_the_next_run(
    ingest: Ingest, folder: Folder, library: Library, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first version comes back just then, under its old bytes: it must not vouch for the members."""
    first = box("one", a_txt="first a", b_txt="first b")
    folder.write("mail.box", first)
    ingest()
    folder.write("mail.box", box("two", a_txt="second a", b_txt="second b"))
    with monkeypatch.context() as patch:
        patch.setattr(settling_module.Settling, "_close", _fail)
        with pytest.raises(RuntimeError):
            ingest()
    assert found(library, "second")  # some members are there already
    with writing(settings) as writer:
        assert verify(settings.home, writer.database) == []
    folder.write("mail.box", first)
    report: Report = ingest()
    assert found(library, "second") == set()
    assert found(library, "first") == {"mail.box/a.txt", "mail.box/b.txt"}
    assert report.unchanged + len(report.updated) == 3
    assert in_step(settings)


def _fail(_: settling_module.Settling, container: Container) -> None:
    """In the place of storing the container itself, when its members are stored."""
    if container.complete:
        raise RuntimeError("as if killed")


def test_a_password_opens_members_too(ingest: Ingest, folder: Folder, library: Library) -> None:
    folder.write("mail.box", box("mail", a_txt="alpha", bad_txt={"skip": "locked"}))
    ingest()
    assert ingest().unchanged == 2
    report = ingest(passwords=["x"])  # looked at again, and still locked
    assert report.skipped == [("mail.box/bad.txt", "locked")]
    assert (report.unchanged, report.updated, report.added) == (2, [], [])


def test_removing_takes_members_along_and_never_one_by_itself(
    ingest: Ingest, folder: Folder, library: Library, settings: Settings
) -> None:
    path: Path = folder.write("mail.box", box("mail", a_txt="alpha"))
    ingest()
    with writing(settings) as writer:
        writer.remove("default", [f"{path}/a.txt"])
    assert found(library, "alpha") == {"mail.box/a.txt"}
    with writing(settings) as writer:
        writer.remove("default", [str(path)])
    assert states(library) == {}
    assert found(library, "alpha") == set()
