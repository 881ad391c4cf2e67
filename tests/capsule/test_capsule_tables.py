"""The data of the capsule: what is refused in it, and that it says what is meant."""

import struct
from pathlib import Path

import pytest

from remit.capsule import ambient
from remit.capsule.act import Act, Kind, Outcome
from remit.capsule.confinement import HOME, SKILL, confined, sensitive_in
from remit.capsule.discover import discover
from remit.capsule.observe import Content, _loading, observe
from remit.capsule.seccomp import seccomp_filter
from remit.core.errors import CapsuleError, DataError

CURL = "/usr/bin/curl"


def test_nothing_in_the_skill_or_home_is_ambient():
    for kind in (Kind.READ, Kind.LIST, Kind.WRITE, Kind.FOLDER, Kind.DELETE, Kind.CHMOD):
        for place in (SKILL, HOME):
            for name in ("", "/x", "/.curlrc", "/usr/x", "/.ssh/id_rsa", "/sh-thd.1", "/package.json"):
                for by in ("", CURL, "/usr/bin/python3.11", "/usr/bin/bash"):
                    assert not ambient.is_ambient(Act(kind, place + name, by=by)), (kind, place, name, by)


def test_a_start_up_file_that_is_looked_for_by_its_own_program_alone():
    looked = Act(Kind.READ, f"{HOME}/.curlrc", Outcome.ABSENT, by=CURL)
    assert ambient.is_own_settings(looked)
    for other in (
        looked._replace(outcome=Outcome.DONE),
        looked._replace(by="/skill/curl"),
        looked._replace(by="/usr/bin/python3.11"),
        looked._replace(object=f"{HOME}/.ssh/config"),
        looked._replace(kind=Kind.WRITE),
    ):
        assert not ambient.is_own_settings(other)


WRONG = {
    "[places]\nread | /skill/* | why\n": "could hide",
    "[places]\nread | * | why\n": "could hide",
    "[places]\nread | /h* | why\n": "could hide",
    "[places]\nread | /home/skill/.x | why\n": "could hide",
    "[places]\nread | /[hs]* | why\n": "could hide",
    "[places]\nfly | /usr/* | why\n": "not a kind",
    "[places]\nread | /usr/* | -\n": "a reason",
    "[places]\nread | /usr/* | why\nread | /usr/* | why\n": "twice",
    "[other]\nread | /usr/* | why\n": "a section",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_line_that_could_hide_an_effect_is_refused(text, tmp_path):
    path = tmp_path / "ambient.table"
    path.write_text(text)
    with pytest.raises(DataError, match=WRONG[text]):
        ambient._load(path)


def test_the_system_holds_no_sensitive_place_that_is_not_masked():
    found = confined(Path("/x"))
    assert found.masked == sensitive_in(found.readable)
    assert all(path.startswith(tuple(found.readable)) for path in found.masked)
    assert "/etc/passwd" not in found.readable
    assert not any(path in ("/", "/home", "/root", "/etc", "/var", "/tmp") for path in found.readable)


def run_filter(program, machine, number, first=0):
    """A reading of classic BPF, as small as the filter needs it."""
    data = struct.pack("<IIQQ", number, machine, 0, first)
    steps = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    value = at = 0
    while True:
        code, true, false, k = steps[at]
        at += 1
        if code == 0x20:
            (value,) = struct.unpack_from("<I", data, k)
        elif code == 0x15:
            at += true if value == k else false
        elif code == 0x35:
            at += true if value >= k else false
        else:
            return k


ALLOWED, KILLED = 0x7FFF0000, 0x80000000


@pytest.mark.parametrize(
    ("machine", "kind", "socket", "keyctl", "read"),
    [("x86_64", 0xC000003E, 41, 250, 0), ("aarch64", 0xC00000B7, 198, 219, 63), ("riscv64", 0xC00000F3, 198, 219, 63)],
)
def test_the_filter(machine, kind, socket, keyctl, read):
    program = seccomp_filter(machine)
    assert run_filter(program, kind, read) == ALLOWED
    assert run_filter(program, kind, keyctl) == 0x00050001
    assert run_filter(program, kind, 425) == 0x00050000 + 38
    assert run_filter(program, kind, read + 0x40000000) == 0x00050000 + 38
    assert run_filter(program, 0x40000003, read) == KILLED  # a program of 32 bits
    for family in range(60):
        expected = ALLOWED if family in (1, 2, 10, 16) else 0x00050000 + 97
        assert run_filter(program, kind, socket, family) == expected
        assert run_filter(program, kind, socket, family | 1 << 40) == expected  # the kernel reads 32 bits


def test_on_an_unknown_machine_nothing_is_run():
    with pytest.raises(CapsuleError, match="s390x"):
        seccomp_filter("s390x")


UNITTEST, PYTEST = b"import unittest\n", b"import pytest\n\n\ndef test_it():\n    pass\n"
DISCOVERED = [
    ({"tests/test_a.py": UNITTEST}, ["python3 -m unittest discover -s tests"]),
    ({"tests/deep/test_a.py": UNITTEST}, ["python3 -m unittest discover -s tests"]),
    ({"tests/test_a.py": PYTEST}, ["python3 -m pytest -q -p no:cacheprovider tests"]),
    ({"test/test_a.py": UNITTEST}, ["python3 -m unittest discover -s test"]),
    ({"test_a.py": UNITTEST}, ["python3 -m unittest discover"]),
    ({"package.json": b'{"scripts": {"test": "node --test"}}'}, ["sh -c node --test"]),
    ({"Makefile": b"all:\n\ttrue\ntest: all\n\ttrue\n"}, ["make test"]),
    ({"Makefile": b"test := x\ntests:\n"}, []),
    ({"package.json": b'{"scripts": {"test": 3}}'}, []),
    ({"package.json": b"{"}, []),
    ({"package.json": b"[" * 100_000}, []),
    ({"scripts/test_a.py": UNITTEST, "tests/helper.py": UNITTEST}, []),
]


@pytest.mark.parametrize(("files", "expected"), DISCOVERED)
def test_tests_are_found_where_they_lie_by_custom(files, expected):
    assert [" ".join(words) for words in discover(files, files.__getitem__)] == expected


def test_what_interpreters_look_for_is_named():
    assert "package.json" in _loading()
    assert not any("/" in name or name == "*" for name in _loading())


def test_scratch_files_of_programs_are_ambient_only_if_they_are_removed():
    made = Act(Kind.WRITE, "/tmp/abcdefgh", by="/usr/bin/python3.11")
    assert ambient.is_ambient(made, {"/tmp/abcdefgh"})
    assert not ambient.is_ambient(made)
    assert not ambient.is_ambient(made._replace(by="/skill/tool"), {"/tmp/abcdefgh"})
    assert not ambient.is_ambient(made._replace(object="/tmp/other.txt"), {"/tmp/other.txt"})


def test_who_starts_through_env_is_seen():
    assert not ambient.is_ambient(Act(Kind.START, "/usr/bin/git", by="/usr/bin/env"))
    content = Content(frozenset({"tool"}), frozenset({"tool"}), (), frozenset({("tool", "python3")}))
    start = Act(Kind.START, "/usr/bin/python3", by="/skill/tool")
    assert observe([start], content) == ()
    for other in (
        start._replace(by="/skill/other"),
        start._replace(object="/usr/bin/git"),
        start._replace(object="/skill/python3"),
        start._replace(object="/skill/bin/git", outcome=Outcome.ABSENT),
    ):
        assert observe([other, Act(Kind.START, "/usr/bin/git", by="/bin/sh")], content)[0].meanings[0]
        assert len(observe([other], content)) == 1
