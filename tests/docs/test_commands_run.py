"""Every command that a page shows is run as it stands there, or has the reason in `commands.toml` for which it is not.

A page's commands run in their order in a copy of one prepared folder. The worked example and the tutorials, which show what is
printed too, have tests of their own.
"""

import shutil
import tomllib

import pytest
from walks import ROOT, Place, shown_commands

from by_day import but_by_night

PAGES = {
    str(page.relative_to(ROOT)): shown_commands(page.read_text("utf-8"))
    for pattern in ("*.md", "docs/*.md", "docs/adr/*.md")
    for page in sorted(ROOT.glob(pattern))
}
LISTED = tomllib.loads((ROOT / "tests/docs/commands.toml").read_text("utf-8"))
PREPARE = LISTED.pop("prepare")
SLOW = {f"docs/{name}.md" for name in ("audit", "authority", "bundle", "scan-report")}  # most of the time is theirs
RUN = sorted(page for page, rows in LISTED.items() if any(not isinstance(row, str) for row in rows.values()))


def test_every_command_is_listed_and_nothing_else_is():
    shown = {page: set(commands) for page, commands in PAGES.items() if commands}
    assert shown == {page: set(rows) for page, rows in LISTED.items()}, "list it in tests/docs/commands.toml"


def test_what_is_not_run_has_a_reason_and_a_test_that_is_there():
    for rows in LISTED.values():
        for command, row in rows.items():
            if isinstance(row, str):
                test, _, reason = row.partition(": ")
                assert len(reason) > 10, command
                assert test == "synopsis" or (ROOT / test).exists(), command


def test_most_are_run():
    rows = [row for page in LISTED.values() for row in page.values()]
    assert sum(not isinstance(row, str) for row in rows) > sum(isinstance(row, str) for row in rows)


def test_a_command_that_nobody_listed_would_be_seen():
    page = "# A page\n\n    remit new thing     # what it does\n\n```console\n$ remit more --deep  what\n```\n"
    assert shown_commands(page) == ["remit new thing", "remit more --deep"]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    here = tmp_path_factory.mktemp("here")
    with Place(here) as place:
        for name, text in PREPARE["files"].items():
            file = here / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        for command in PREPARE["commands"]:
            done = place.run(command)
            assert done.returncode == 0, (command, done.stdout, done.stderr)
        yield place


@pytest.mark.parametrize("page", but_by_night(RUN, SLOW))
def test_commands_of_a_page_do_what_it_says(page, prepared, tmp_path):
    with Place(shutil.copytree(prepared.here, tmp_path / "here")) as place:
        shutil.copytree(prepared.home, place.home, dirs_exist_ok=True)
        for command in dict.fromkeys(PAGES[page]):
            row = LISTED[page][command]
            if isinstance(row, str):
                continue
            status, before = (row, "true") if isinstance(row, int) else (row["status"], row["before"])
            assert place.run(before).returncode == 0, before
            done = place.run(command)
            assert done.returncode == status, (command, done.stdout[-2000:], done.stderr[-2000:])
