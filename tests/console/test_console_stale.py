"""What the console found out holds for what it looked at, and is never shown for what lies there now."""

import asyncio
import time

import pytest
from console_skills import KEEPER, shelf, signed, write
from consoling import Running, make
from test_console_behind import Looks, quiet
from test_console_skills import hidden, known, patiently, post

from remit.core.errors import RemitError
from remit.web.console.library import Library, ident_of
from remit.web.console.settings import ConsoleSettings

HARM = '\nimport os\nos.remove("x")\n'


@pytest.fixture
def root(tmp_path):
    return shelf(tmp_path / "shelf")


@pytest.fixture
def settings(root, tmp_path):
    (tmp_path / "state").mkdir(mode=0o700)
    return ConsoleSettings(
        (root,), tmp_path / "state", tmp_path / "state", signed(tmp_path / "state", root / "page-keeper")
    )


@pytest.fixture
def running(settings):
    with Running(make(settings)) as found:
        known(found)
        yield found


@pytest.fixture
def at(root):
    return lambda name: f"/skill/{ident_of(root / name)}"


@pytest.fixture
def script(root):
    return root / "page-keeper/scripts/keep.py"


def settled(running):
    for _ in range(600):
        if not running.console.library._single:
            return
        time.sleep(0.05)
    raise AssertionError("the look does not end")


@pytest.mark.parametrize("error", [RemitError("ended with status 3", "look there"), OSError("x")])
def test_a_skill_whose_look_fails_is_not_contained_because_it_was(tmp_path, error):
    write(tmp_path / "one", "one", "Keeps.", "Run it.", {"keep.py": KEEPER})

    async def go():
        library = Library((tmp_path,), Looks("a", error, "c"))
        library.look()
        await quiet(library)
        (one,) = library.skills()
        assert one.looked.row.answer == "clear"
        library.holds(one, "formal")
        library.look_at(one)
        await quiet(library)
        (one,) = library.skills()
        assert (one.looked.row.answer, one.level, one.looked.effects) == ("failed", "", b"")
        library.look_at(one)
        await quiet(library)
        assert next(iter(library.skills())).looked.row.answer == "clear"

    asyncio.run(go())


def test_a_skill_that_changed_is_shown_as_changed_and_not_as_it_was(running, client, at, script):
    assert ">contained" in client.get(at("page-keeper")).text
    settled(running)
    script.write_text(script.read_text() + HARM)
    text = client.get(at("page-keeper")).text
    assert "changed" in text
    assert ">contained" not in text
    settled(running)
    assert "file.delete" in client.get(at("page-keeper")).text


def test_a_level_that_held_is_not_shown_for_what_came_after(running, client, at, script):
    page = f"{at('page-keeper')}/bundle"
    assert "declared holds" in patiently(client, page).text
    script.write_text(script.read_text() + HARM)
    assert "declared holds" not in client.get(page).text
    assert "declared holds" not in patiently(client, page).text


def test_a_level_that_held_is_judged_again_by_another_trust_root_and_after_some_minutes(
    running, client, at, settings, monkeypatch
):
    page = f"{at('page-keeper')}/bundle"
    assert "declared holds" in patiently(client, page).text
    monkeypatch.setattr(running.console.jobs, "_clock", lambda: time.monotonic() + 400)
    assert 'id="waiting"' in client.get(page).text
    assert "declared holds" in patiently(client, page).text
    settings.trust_root.write_text("{}")
    assert patiently(client, page).status_code == 422


def test_what_changes_while_it_is_verified_is_not_verified(running, client, at, script, monkeypatch):
    verify = running.console.work.verify

    async def meanwhile(*words):
        found = await verify(*words)
        script.write_text(script.read_text() + HARM)
        return found

    monkeypatch.setattr(running.console.work, "verify", meanwhile)
    content, ident = script.read_text(), f"{at('page-keeper')}/bundle"
    client.get(ident)
    for _ in range(400):
        if script.read_text() != content:
            break
        time.sleep(0.05)
    script.write_text(content)  # what is asked for is what was verified again
    for _ in range(400):
        answer = client.get(ident)
        if 'id="waiting"' not in answer.text:
            break
        time.sleep(0.05)
    assert "declared holds" not in answer.text


def test_an_answer_to_the_question_about_another_skill_than_it_is_now_writes_nothing(running, client, at, root, script):
    page, file = f"{at('page-keeper')}/manifest", root / "page-keeper/remit.json"
    form = {
        "text": '{"skill_metadata": {"name": "page-keeper"}, "permissions": []}',
        "seen": hidden(client.get(page), "seen"),
    }
    asked = post(running, client, page, **form)
    before = file.read_text()
    script.write_text(script.read_text() + HARM)
    again = post(running, client, page, **form, sure=hidden(asked, "sure"))
    assert "Write this manifest?" in again.text
    assert "the skill changed" in again.text
    assert file.read_text() == before


def test_no_title_reverses_text(tmp_path):
    write(tmp_path / "s/\u202eexe.", "one", "Keeps.", "Run it.", {"keep.py": KEEPER})
    with Running(make(ConsoleSettings((tmp_path / "s",), tmp_path, tmp_path))) as running, running.client() as client:
        known(running)
        (one,) = running.console.library.skills()
        assert "\u202e" not in client.get(f"/skill/{one.ident}").text
