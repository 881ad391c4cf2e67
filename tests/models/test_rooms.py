"""Every room that has effects is in a list with its reason, and does no more than its line says."""

import pytest

from by_day import but_by_night
from each_row import each_row
from remit.core.errors import DataError
from self_analysis.doors import OwnEffect, own_effects
from self_analysis.rooms import Room, check_room, read_rooms, rooms
from self_analysis.source import own_source, room_of

ROOMS = sorted({room_of(path) for path in own_source()} | {room.name for room in rooms()})
SLOW = set(
    "analysis cli findings gateway guard manifest models proof report skill".split()
)  # which take most of the time
QUIET = {"remit/new/__init__.py": "def add(a: int, b: int) -> int:\n    return a + b\n"}


def found(files, listed=(), own=()):
    return [item.text for item in check_room(files, "new", listed, own)]


@pytest.mark.parametrize("room", but_by_night(ROOMS, SLOW))
def test_a_room_does_what_its_line_says(room):
    found = [" ".join(item) for item in check_room(own_source(), room, rooms(), own_effects())]
    assert found == [], "\n".join(
        ["add it to acting_rooms.table with its reason, or remove it (docs/doors.md):", *found]
    )


def test_a_new_room_without_effects_needs_no_line():
    assert found(QUIET) == []


@each_row(
    "text",
    [
        "import subprocess\ndef go(argv): subprocess.run(argv)\n",
        "import socket\ndef go(): socket.create_connection(('a', 1))\n",
        "import os\ndef go(path): os.remove(path)\n",
        "def go(path): return open(path)\n",
        "def _helper(path): return open(path, 'w')\n",
        "from os import environ\ndef go(): return environ['HOME']\n",
        "from remit.core.table import read_table\nimport nobody_knows_this\ndef go(): nobody_knows_this.go()\n",
        "def go(text): return eval(text)\n",
    ],
)
def test_a_new_room_with_effects_must_be_listed(text):
    assert found({**QUIET, "remit/new/act.py": text}) != []


def test_a_line_allows_what_it_says_and_no_more():
    files = {"remit/new/act.py": "def go(path): return open(path)\n"}
    assert found(files, (Room("new", False, frozenset({"file.read"}), "rooms:1"),)) == []
    assert found(files, (Room("new", False, frozenset({"file.write"}), "rooms:1"),)) == [
        "`file.read` of `any`, of which acting_rooms.table says nothing for `new`",
        "`new` does not do `file.write`",
    ]


def test_a_line_of_one_place_excuses_that_place():
    files = {"remit/new/act.py": "def go(text): return eval(text)\n"}
    rows = (
        OwnEffect("new", "opaque", "text that is not known is run as code", "remit/new/act.py", "why", "own:1"),
        OwnEffect("new", "source.execute", "any", "remit/new/act.py", "why", "own:2"),
    )
    assert found(files, own=rows) == []
    assert found(QUIET, own=rows) == ["nothing needs this line"] * 2


def test_a_line_without_its_room_is_found():
    assert found({}, (Room("new", False, frozenset(), "rooms:1"),)) == ["there is no room `new`"]


@each_row(
    ("text", "message"),
    [
        ("[rooms]\na | file.read | why\n", "`rooms` is no section"),
        ("[own]\na | file.read | -\n", "has no reason"),
        ("[own]\na | file.read | why\na | file.read | why\n", "occurs twice"),
        ("[own]\na | file.mutant | why\n", "`file.mutant` is no capability"),
    ],
)
def test_a_wrong_line_is_refused_with_its_place(text, message, tmp_path):
    path = tmp_path / "rooms.table"
    path.write_text(text)
    with pytest.raises(DataError, match=r"rooms\.table:\d") as caught:
        read_rooms(path)
    assert message in caught.value.message
