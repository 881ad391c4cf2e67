"""No host effect of a room that acts is reachable without a Permit, and a bypass that is planted is found."""

import re
import tomllib
from pathlib import Path

import pytest
from planting import OWN, TABLE

from by_day import but_by_night
from each_row import each_row
from remit.core.errors import DataError
from self_analysis.doors import Finding, OwnEffect, check_doors, own_effects, read_own_effects
from self_analysis.reach import doors_to, reached
from self_analysis.rooms import rooms

ACTING = [room for room in rooms() if room.acts]
NAMED = [room.name for room in ACTING]
RUN = "subprocess.run(['ls'], check=False)"

# One line for each way to reach an effect without a permit: what is planted at the end of a module of the room.
BYPASSES = {
    "a public function": f"def go() -> None:\n    {RUN}\n",
    "an unknown program": "def go(argv: list[str]) -> None:\n    subprocess.run(argv)\n",
    "an alias": f"_go = subprocess.run\n\ndef go() -> None:\n    {RUN.replace('subprocess.run', '_go')}\n",
    "a public alias": "go = subprocess.run\n",
    "a private function with a public name": "go = _started\n",
    "getattr": "def go() -> None:\n    getattr(subprocess, 'r' + 'un')(['ls'])\n",
    "a computed getattr": "def go(name: str) -> None:\n    getattr(subprocess, name)(['ls'])\n",
    "getattr of the module itself": "def go(name: str) -> object:\n    import remit.acting.start as own\n    return getattr(own, name)\n",
    "globals": "def go(name: str) -> object:\n    return globals()[name]\n",
    "the dictionary of the module itself": "def go(name: str) -> object:\n    import remit.acting.start as own\n    return own.__dict__['_started'](['ls'])\n",
    "a value of an enumeration": f"import enum\n\nclass _Go(enum.Enum):\n    A = 1\n    @classmethod\n    def _missing_(cls, value):\n        {RUN}\n\ndef go(value: object) -> object:\n    return _Go(value)\n",
    "an object that is closed": f"import contextlib\n\nclass _Go:\n    def close(self):\n        {RUN}\n\ndef go() -> None:\n    with contextlib.closing(_Go()):\n        pass\n",
    "vars of a module": "def go(name: str) -> object:\n    return vars(subprocess)[name](['ls'])\n",
    "sys.modules": "def go() -> None:\n    import sys\n    sys.modules['subprocess'].run(['ls'])\n",
    "a re-export": "from subprocess import run as start\nstart = start\n",
    "a listed import": "from subprocess import run as _start\n__all__ = ['_start']\n",
    "a default argument": f"def go(done=({RUN})) -> None:\n    pass\n",
    "a default argument that is a function": "def go(start=subprocess.run) -> None:\n    start(['ls'])\n",
    "a method": f"class Go:\n    def go(self) -> None:\n        {RUN}\n",
    "a class method": f"class Go:\n    @classmethod\n    def go(cls) -> None:\n        {RUN}\n",
    "a static method": f"class Go:\n    @staticmethod\n    def go() -> None:\n        {RUN}\n",
    "a constructor": f"class Go:\n    def __init__(self) -> None:\n        {RUN}\n",
    "a property": f"class Go:\n    @property\n    def go(self) -> None:\n        {RUN}\n",
    "a setter": f"class Go:\n    go = property(lambda self: 1)\n    @go.setter\n    def go(self, value) -> None:\n        {RUN}\n",
    "a descriptor": f"class _Get:\n    def __get__(self, *_) -> None:\n        {RUN}\n\nclass Go:\n    go = _Get()\n",
    "a finaliser": f"class _Last:\n    def __del__(self) -> None:\n        {RUN}\n\ndef go() -> None:\n    _Last()\n",
    "a context manager": "def go() -> None:\n    with _Running(['ls']):\n        pass\n",
    "a subclass hook": f"class Go:\n    def __init_subclass__(cls) -> None:\n        {RUN}\n",
    "a metaclass": f"class _Meta(type):\n    def __call__(cls) -> None:\n        {RUN}\n\nclass Go(metaclass=_Meta):\n    pass\n",
    "a module attribute": "def __getattr__(name: str) -> object:\n    return _started\n",
    "a subscript of a class": "class Go:\n    def __class_getitem__(cls, item: object) -> object:\n        return _started\n",
    "a decorator": f"def _kept(function):\n    {RUN}\n    return function\n\n@_kept\ndef go(permit: Permit) -> None:\n    pass\n",
    "a wrapper around a function with a permit": (
        f"def _kept(function):\n    def inner(*words):\n        {RUN}\n    return inner\n\n"
        "@_kept\ndef go(permit: Permit) -> None:\n    pass\n"
    ),
    "the body of the module": f"{RUN}\n",
    "the body of a class": f"class Go:\n    done = {RUN}\n",
    "a main block": f"if __name__ == '__main__':\n    {RUN}\n",
    "a nested helper": "def go() -> None:\n    def inner() -> None:\n        _started(['ls'])\n    inner()\n",
    "a helper that is returned": "def go():\n    def inner() -> None:\n        _started(['ls'])\n    return inner\n",
    "a chain of helpers": f"def go() -> None:\n    _one()\n\ndef _one() -> None:\n    _two()\n\ndef _two() -> None:\n    {RUN}\n",
    "a thread": "def go() -> None:\n    import threading\n    threading.Thread(target=_started, args=(['ls'],)).start()\n",
    "a thread of one's own": (
        f"import threading\n\nclass _Go(threading.Thread):\n    def run(self) -> None:\n        {RUN}\n\ndef go() -> None:\n    _Go().start()\n"
    ),
    "a handler at exit": "import atexit\natexit.register(_started, ['ls'])\n",
    "a table of functions": "TABLE = {'go': _started}\n",
    "a private table behind a function": "_TABLE = {'go': _started}\n\ndef go(name: str) -> object:\n    return _TABLE[name](['ls'])\n",
    "a partial": "import functools\ngo = functools.partial(_started, ['ls'])\n",
    "a lambda": "go = lambda: _started(['ls'])\n",
    "a generator": f"def go():\n    yield {RUN}\n",
    "a comprehension": f"GO = [{RUN} for _ in range(1)]\n",
    "a coroutine": "import asyncio\n\nasync def go() -> None:\n    await asyncio.create_subprocess_exec('ls')\n",
    "a global name": "def _fill() -> None:\n    global go\n    go = _started\n\n_fill()\n",
    "a permit that may be missing": f"def go(permit: Permit | None = None) -> None:\n    {RUN}\n",
    "a permit with a default": f"def go(permit: Permit = None) -> None:\n    {RUN}\n",
    "a permit or something else": f"def go(permit: Permit | str) -> None:\n    {RUN}\n",
    "a permit in the second place": f"def go(argv: list[str], permit: Permit) -> None:\n    {RUN}\n",
    "a permit by keyword": f"def go(*, permit: Permit) -> None:\n    {RUN}\n",
    "a permit for the language": f"class Go:\n    def __exit__(self, permit: Permit, *_) -> None:\n        {RUN}\n",
    "a permit for a constructor": f"class Go:\n    def __init__(self, permit: Permit) -> None:\n        {RUN}\n",
    "a permit in the second place of an inner function": (
        f"class Go:\n    async def go(self):\n        def inner(x: object, permit: Permit) -> None:\n            {RUN}\n        return inner\n"
    ),
    "a permit that is anything": f"def go(permit: Any) -> None:\n    {RUN}\n",
    "a list of permits": f"def go(*permit: Permit) -> None:\n    {RUN}\n",
    "importlib": "def go() -> None:\n    import importlib\n    importlib.import_module('sub' + 'process').run(['ls'])\n",
    "a module of any name": "def go(name: str) -> None:\n    import importlib\n    importlib.import_module(name).run(['ls'])\n",
    "__import__": "def go() -> None:\n    __import__('os').system('ls')\n",
    "ctypes": "def go() -> None:\n    import ctypes\n    ctypes.CDLL(None).system(b'ls')\n",
    "eval": "def go(text: str) -> object:\n    return eval(text)\n",
    "exec": "exec('import os; os.system(\"ls\")')\n",
    "compile": "def go(text: str) -> object:\n    exec(compile(text, '', 'exec'))\n",
    "pickle": "def go(data: bytes) -> object:\n    import pickle\n    return pickle.loads(data)\n",
    "a fork": "def go() -> None:\n    import os\n    os.fork()\n",
    "a written file": "def go(path: Path) -> None:\n    path.write_text('x')\n",
    "a removed file": "def go(path: Path) -> None:\n    path.unlink()\n",
    "a socket": "def go() -> None:\n    import socket\n    socket.create_connection(('example.com', 80))\n",
    "a variable of the environment": "def go() -> None:\n    import os\n    os.environ['PATH'] = '/x'\n",
    "a signal": "def go(pid: int) -> None:\n    import os\n    os.kill(pid, 9)\n",
    "another room of ours": "def go() -> object:\n    from remit.proof.bounded import Bounds, run\n    return run(['ls'], Bounds())\n",
    "another table": "def go(path: Path) -> object:\n    return list(read_table(path, 1))\n",
    "an extension that has no summary": "def go() -> None:\n    import nobody_knows_this\n    nobody_knows_this.go()\n",
}  # fmt: skip

# What mypy has no objection to, and what is found without an analysis.
LOOSE = {
    "a cast": "from typing import cast\n\ndef go() -> object:\n    return run(cast('Permit', None), ['ls'])\n",
    "a silenced checker": "def go() -> object:\n    return run(None, ['ls'])  # type: ignore[arg-type]\n",
    "an unchecked function": "from typing import no_type_check\n\n@no_type_check\ndef go() -> object:\n    return run(given(), ['ls'])\n",
    "unpacked arguments": "from typing import Any\n\ndef go(words: Any) -> object:\n    return run(*words)\n",
    "arguments by name": "from typing import Any\n\ndef go(words: Any) -> object:\n    return run(**words)\n",
    "a thread with a permit function": "def go() -> None:\n    import threading\n    threading.Thread(target=run, args=(None, ['ls'])).start()\n",
    "a permit function as a value": "_GO = run\n",
    "a permit method as a value": "def go(folder: Folder) -> object:\n    return folder.make\n",
    "nothing for a permit": "def go() -> object:\n    return run(None, ['ls'])\n",
}  # fmt: skip


@pytest.mark.parametrize("room", ACTING, ids=NAMED)
def test_no_effect_of_a_room_that_acts_is_reachable_without_its_key(room, source):
    found = [" ".join(item) for item in check_doors(source, room.name, own_effects(), room.key)]
    message = f"take a{room.key.article}, or add a line with its reason (docs/doors.md):"
    assert found == [], "\n".join([message, *found])


# Those of which each leads to a program of its own, so that many can be planted at once.
AT_ONCE = [
    "a public function", "an alias", "getattr", "a default argument", "a default argument that is a function", "a method", "a class method",
    "a static method", "a constructor", "a property", "a context manager", "a subclass hook", "a decorator", "the body of the module", "a main block",
    "a nested helper", "a chain of helpers", "a thread", "a thread of one's own", "a lambda", "a generator", "a coroutine", "a handler at exit",
    "a permit that may be missing", "a permit with a default", "a permit in the second place", "a permit that is anything", "importlib", "__import__",
]  # fmt: skip
PRELUDE = """
import subprocess
from remit.policy.permit import Permit


def _started(argv):
    with _Running(argv):
        pass


class _Running:
    def __init__(self, argv):
        self.child = subprocess.Popen(argv)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


"""


@pytest.mark.parametrize("room", but_by_night(ACTING, {"executor"}, lambda room: room.name))
def test_bypasses_planted_into_a_room_that_acts_are_found(room, source):
    """Into a copy of the real source; each starts a program of its own name, which must be in a finding."""
    file = next(path for path in source if path.startswith(f"remit/{room.name}/") and not path.endswith("__init__.py"))
    plants = [
        re.sub(r"\b(_?)(go|Go|_one|_two|_kept)\b", rf"\1\g<2>{number}", BYPASSES[name]).replace(
            "ls", f"planted{number}x"
        )
        for number, name in enumerate(AT_ONCE)
    ]
    planted = (PRELUDE + "\n\n".join(plants)).replace("remit.policy.permit", room.key.homes[-1])
    changed = {**source, file: source[file] + planted.replace("Permit", room.key.name)}
    found = " ".join(item.text for item in check_doors(changed, room.name, own_effects(), room.key))
    assert [name for number, name in enumerate(AT_ONCE) if f"planted{number}x" not in found] == []


def test_a_room_as_it_should_be_passes(planted):
    assert planted() == ()


# Those that are found elsewhere than in their own file, or let others be found in theirs: each is planted alone.
APART = (
    "a public alias", "a re-export", "a listed import", "a default argument that is a function", "getattr of the module itself", "globals", "sys.modules", "a module of any name",
    "a variable of the environment", "another room of ours", "another table",
)  # fmt: skip
alone = lambda name: name if name in APART else f"{name}_nightly"  # noqa: E731  by day they are planted together


@pytest.mark.parametrize("name", BYPASSES, ids=alone)
def test_a_planted_bypass_is_found(name, planted):
    assert planted(BYPASSES[name]) != ()


@pytest.mark.parametrize("name", LOOSE, ids=alone)
def test_a_way_around_the_types_is_found(name, planted):
    assert planted(LOOSE[name]) != ()


@pytest.mark.parametrize("plants", [BYPASSES, LOOSE], ids=["bypasses", "ways around the types"])
def test_what_is_planted_is_found_in_its_own_module_and_nowhere_else(plants, source):
    """Each into a module of its own, which is a copy of that of the room; a copy into which nothing was planted stays clean."""
    module = "remit/acting/start.py"
    texts = {f"copy_{number}": plants[name] for number, name in enumerate(plants) if name not in APART}
    copies = {
        module.replace("start", copy): source[module] + text.replace("remit.acting.start", f"remit.acting.{copy}")
        for copy, text in {"clean": "", **texts}.items()
    }
    items = check_doors({**source, **copies}, "acting", OWN)
    found = {item.where.rpartition(":")[0] for item in items}
    assert found == set(copies) - {"remit/acting/clean.py"}


def test_a_permit_of_another_kind_is_none(planted):
    assert planted(replace=("from remit.policy.permit import Permit", "from remit.acting.other import Permit")) != ()
    assert planted("\n\nclass Permit:\n    pass\n") != ()


def test_a_name_that_is_no_door_may_not_be_used_elsewhere(planted):
    for text in (
        "from remit.acting.start import _started\n",
        "from remit.acting import start\n\nstart._started(['ls'])\n",
        "import remit.acting.start\n\nremit.acting.start._started(['ls'])\n",
    ):
        assert planted(text, file="remit/cli/planted.py") == (
            Finding(
                f"remit/cli/planted.py:{text.count(chr(10), 0, text.index('_started')) + 1}",
                "`_started` is no door of the room",
            ),
        )


def test_users_of_a_room_keep_to_the_types(planted):
    text = "from remit.acting.start import run\n\n\ndef go(words: tuple[Any, ...]) -> object:\n    return run(*words)\n"
    assert [item.where for item in planted(text, file="remit/cli/planted.py")] == ["remit/cli/planted.py:5"]
    good = "from remit.acting.start import run\n\n\ndef go(permit: Permit) -> object:\n    return run(permit, [])\n"
    assert planted(good, file="remit/cli/planted.py") == ()


def test_the_doors_that_lead_to_an_effect_are_named(source):
    file = "remit/acting/start.py"
    changed = {**source, file: source[file] + BYPASSES["a chain of helpers"]}
    effect = next(item for item in reached(changed, "acting") if item.capability == "process.create")
    assert [door.shown for door in doors_to(changed, "acting", effect)] == ["remit.acting.start.go"]


def test_a_line_that_nothing_needs_is_found(source):
    stale = OwnEffect("acting", "file.write", "any", "remit/acting/start.py", "gone", "own:2")
    assert check_doors(source, "acting", (*OWN, stale)) == (Finding("own:2", "nothing needs this line"),)


def test_a_line_excuses_its_own_scope_file_and_room_only(source):
    for other in (
        TABLE._replace(scope="$SKILL/remit/core/data/*"),
        TABLE._replace(file="remit/acting/start.py"),
        TABLE._replace(room="cli"),
        TABLE._replace(capability="file.write"),
    ):
        assert any("file.read" in item.text for item in check_doors(source, "acting", (other, *OWN[1:])))


@each_row(
    ("row", "message"),
    [
        ("file.mutant | any | remit/a.py | why", "`file.mutant` is no capability"),
        ("file.read | any | remit/a.py | -", "the reason is missing"),
        ("file.read | any | remit/a.py", "4 cells"),
    ],
)
def test_a_wrong_line_of_the_table_is_refused_with_its_place(row, message, tmp_path):
    path = tmp_path / "own.table"
    path.write_text(f"[acting]\n{row}\n")
    with pytest.raises(DataError, match=r"own\.table:2") as caught:
        read_own_effects(path)
    assert message in caught.value.message


def test_mypy_is_strict_everywhere_in_our_source():
    """`loose` and the Permit itself rest on it."""
    settings = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text("utf-8"))["tool"][
        "mypy"
    ]
    assert (settings["strict"], settings["files"]) == (True, ["src", "tests/self_analysis"])
    assert set(settings) == {"strict", "files", "python_version", "overrides"}
    for override in settings["overrides"]:
        assert not any(name.startswith("remit") or name == "*" for name in override["module"])
