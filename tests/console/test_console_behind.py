"""What goes on behind the pages: a look that fails is told and costs no page, and an answer is kept for its question."""

import asyncio

import pytest
from console_skills import KEEPER, write

from remit.core.errors import RemitError, UsageError
from remit.web.console.app import Jobs
from remit.web.console.library import Library, ident_of
from remit.web.console.rendering import place, told
from remit.web.console.work import AnalysedSkill, SkillRow


class Looks:
    """Work that answers what it is told to, in the order in which it is asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    async def look(self, folders):
        self.asked.append(folders)
        answer = self.answers.pop(0)
        for folder in folders:
            await asyncio.sleep(0)
            if isinstance(answer, Exception):
                raise answer
            yield AnalysedSkill(folder, SkillRow(folder.name, "clear", "clear"), b"", answer)


async def until(reached):
    for _ in range(3000):
        if reached():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it takes too long")


async def quiet(library):
    await until(lambda: not library.progress.busy and not library._single)


@pytest.fixture
def shelf(tmp_path):
    for name in ("one", "two"):
        write(tmp_path / name, name, "Keeps.", "Run it.", {"keep.py": KEEPER})
    return tmp_path


@pytest.mark.parametrize("error", [UsageError("broken"), OSError("broken")])
def test_a_look_that_fails_is_told_and_can_be_repeated(shelf, error):
    async def go():
        library = Library((shelf,), Looks(error, "a"))
        library.look()
        await quiet(library)
        assert library.progress.done == 0
        assert len(library.wrong) == 1
        library.look()
        await quiet(library)
        assert library.progress.done == 2
        assert library.wrong == ()

    asyncio.run(go())


def test_a_level_holds_for_the_content_that_was_verified_and_no_other(shelf):
    async def go():
        library = Library((shelf,), Looks("a", "a", "b"))
        library.look()
        await quiet(library)
        known = library.get(ident_of(shelf / "one"))
        library.holds(known, "formal")
        library.look_at(known)
        await quiet(library)
        assert library.get(known.ident).level == "formal"
        library.look_at(known)
        await quiet(library)
        assert library.get(known.ident).level == ""
        library.holds(known, "formal")  # that was of the old content
        assert library.get(known.ident).level == ""

    asyncio.run(go())


def test_a_skill_that_is_gone_is_gone_after_the_next_look(shelf):
    async def go():
        library = Library((shelf,), Looks("a", "a"))
        library.look()
        await quiet(library)
        for path in sorted((shelf / "two").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        library.look()
        await quiet(library)
        assert [one.name for one in library.skills()] == ["one"]

    asyncio.run(go())


def test_one_skill_is_looked_at_once_at_a_time(shelf):
    async def go():
        work = Looks("a", "b", "c")
        library = Library((shelf,), work)
        library.look()
        library.look()
        await quiet(library)
        known = library.get(ident_of(shelf / "one"))
        library.look_at(known)
        library.look_at(known)
        await quiet(library)
        assert len(work.asked) == 2
        await library.stop()

    asyncio.run(go())


def test_a_job_is_done_once_and_its_error_is_kept():
    async def go():
        jobs, begun = Jobs(), []

        async def work():
            begun.append(1)
            await asyncio.sleep(0)
            raise RemitError("no", "yes")

        jobs.begin("a", work)
        jobs.begin("a", work)
        assert jobs.answer("a") is None
        await until(lambda: jobs.answer("a"))
        assert begun == [1]
        assert jobs.answer("a").error.message == "no"
        assert jobs.known("a")
        assert not jobs.known("b")
        jobs.begin("a", work)  # somebody wants a new answer
        assert jobs.answer("a") is None
        for number in range(80):
            jobs.begin(f"n{number}", work)
        await asyncio.sleep(0.2)
        jobs.begin("last", work)
        assert sum(jobs.known(f"n{number}") for number in range(80)) <= 50
        await jobs.stop()

    asyncio.run(go())


def test_words_in_backticks_are_code_and_everything_is_escaped():
    assert told("run `a <b>` & see") == "run <code>a &lt;b&gt;</code> &amp; see"
    assert told("one ` <b>") == "one ` &lt;b&gt;"
    assert told("`\x1b[31m\u202e`") == "<code>\\x1b[31m\\u202e</code>"


def test_what_is_at_home_begins_with_a_tilde(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert place(tmp_path / "skills") == "~/skills"
    assert place(tmp_path) == str(tmp_path)
    monkeypatch.setenv("HOME", "/")
    assert place(tmp_path) == str(tmp_path)
