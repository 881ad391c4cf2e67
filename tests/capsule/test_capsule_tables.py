"""The data of the capsule: what is refused in it, and that it says what is meant."""

import struct
from pathlib import Path

import pytest

from each_row import each_row
from remit.capsule.confinement import HOME, SKILL, confined, sensitive_in
from remit.capsule.observe import Content, _load, _loading, is_ambient, is_own_settings, observe
from remit.capsule.seccomp import seccomp_filter
from remit.capsule.skill_tests import discover
from remit.capsule.trace import Act, ActKind, Outcome
from remit.core.errors import CapsuleError, DataError

CURL = "/usr/bin/curl"


def test_nothing_in_the_skill_or_home_is_ambient():
    for kind in (ActKind.READ, ActKind.LIST, ActKind.WRITE, ActKind.FOLDER, ActKind.DELETE, ActKind.CHMOD):
        for place in (SKILL, HOME):
            for name in ("", "/x", "/.curlrc", "/usr/x", "/.ssh/id_rsa", "/sh-thd.1", "/package.json"):
                for by in ("", CURL, "/usr/bin/python3.11", "/usr/bin/bash"):
                    assert not is_ambient(Act(kind, place + name, by=by)), (kind, place, name, by)


def test_a_start_up_file_that_is_looked_for_by_its_own_program_alone():
    looked = Act(ActKind.READ, f"{HOME}/.curlrc", Outcome.ABSENT, by=CURL)
    assert is_own_settings(looked)
    for other in (
        looked._replace(outcome=Outcome.DONE),
        looked._replace(by="/skill/curl"),
        looked._replace(by="/usr/bin/python3.11"),
        looked._replace(object=f"{HOME}/.ssh/config"),
        looked._replace(kind=ActKind.WRITE),
    ):
        assert not is_own_settings(other)


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


@each_row("text", WRONG)
def test_a_line_that_could_hide_an_effect_is_refused(text, tmp_path):
    path = tmp_path / "ambient.table"
    path.write_text(text)
    with pytest.raises(DataError, match=WRONG[text]):
        _load(path)


def test_the_system_holds_no_sensitive_place_that_is_not_masked():
    found = confined(Path("/x"))
    assert found.masked == sensitive_in(found.readable)
    assert all(path.startswith(tuple(found.readable)) for path in found.masked)
    assert "/etc/passwd" not in found.readable
    assert not any(path in ("/", "/home", "/root", "/etc", "/var", "/tmp") for path in found.readable)


def run_filter(program, machine, number, *arguments):
    """A reading of classic BPF, as small as the filter needs it."""
    data = struct.pack("<IIQ6Q", number, machine, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
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
        elif code == 0x45:
            at += true if value & k else false
        elif code == 0x54:
            value &= k
        else:
            return k


ALLOWED, KILLED = 0x7FFF0000, 0x80000000


@each_row(
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


REFUSED = 0x00050001
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7, "riscv64": 0xC00000F3}
NEW_USER, CREATE, SETUID = 0x10000000, 0x40, 0o4755
# call, its numbers, and arguments that are refused and that are not
ARGUMENTS = [
    ((56, 220, 220), (NEW_USER | 17,), (17,)),
    ((56, 220, 220), (0x00020000,), (0x003D0F00,)),  # a namespace of mounts; a thread
    ((272, 97, 97), (NEW_USER,), (0x400,)),
    ((272, 97, 97), (0x80,), (0,)),  # a namespace of time
    ((319, 279, 279), (0, 0), (0, 8)),
    ((319, 279, 279), (0, 1), (0, 9)),
    ((16, 29, 29), (0, 0x5412), (0, 0x5401)),
    ((16, 29, 29), (0, 0x5412 | 1 << 40), (0, 0x5413)),  # the kernel reads 32 bits
    ((41, 198, 198), (2, 3), (2, 1)),
    ((41, 198, 198), (10, 3 | 0x80000), (10, 2 | 0x80000)),
    ((41, 198, 198), (2, 10), (1, 3)),
    ((91, 52, 52), (0, SETUID), (0, 0o755)),
    ((268, 53, 53), (0, 0, 0o2755), (0, 0, 0o1755)),
    ((257, 56, 56), (0, 0, CREATE, SETUID), (0, 0, CREATE, 0o755)),
    ((257, 56, 56), (0, 0, CREATE | 1, SETUID), (0, 0, 0, SETUID)),  # without O_CREAT a mode is nothing
]


@each_row("machine", MACHINES)
@each_row(("numbers", "refused", "allowed"), ARGUMENTS)
def test_arguments_that_a_capsule_refuses(machine, numbers, refused, allowed):
    kind, number = MACHINES[machine], numbers[list(MACHINES).index(machine)]
    program = seccomp_filter(machine, capsule=True)
    assert run_filter(program, kind, number, *refused) == REFUSED
    assert run_filter(program, kind, number, *allowed) == ALLOWED
    assert run_filter(seccomp_filter(machine), kind, number, *allowed) == ALLOWED


@each_row("machine", MACHINES)
def test_a_capsule_refuses_more_calls_than_a_test(machine):
    column = list(MACHINES).index(machine)
    program = seccomp_filter(machine, capsule=True)
    assert len(program) // 8 < 4096  # the kernel takes no longer one
    for numbers in ((101, 117, 117), (165, 40, 40), (308, 268, 268), (250, 219, 219), (246, 104, 104), (321, 280, 280)):
        assert run_filter(program, MACHINES[machine], numbers[column]) == REFUSED
    for number in (435, 437, 425):  # clone3, openat2, io_uring_setup
        assert run_filter(program, MACHINES[machine], number) == 0x00050000 + 38
    for number in (470, 500, 512, 547, 4000):  # nobody has judged them
        assert run_filter(program, MACHINES[machine], number) == 0x00050000 + 38
        assert run_filter(seccomp_filter(machine), MACHINES[machine], number) == ALLOWED
    for family in range(60):
        expected = ALLOWED if family in (1, 2, 10) else 0x00050000 + 97
        assert run_filter(program, MACHINES[machine], (41, 198, 198)[column], family, 1) == expected


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


@each_row(("files", "expected"), DISCOVERED)
def test_tests_are_found_where_they_lie_by_custom(files, expected):
    assert [" ".join(words) for words in discover(files, files.__getitem__)] == expected


def test_what_interpreters_look_for_is_named():
    assert "package.json" in _loading()
    assert not any("/" in name or name == "*" for name in _loading())


def test_scratch_files_of_programs_are_ambient_only_if_they_are_removed():
    made = Act(ActKind.WRITE, "/tmp/abcdefgh", by="/usr/bin/python3.11")
    assert is_ambient(made, {"/tmp/abcdefgh"})
    assert not is_ambient(made)
    assert not is_ambient(made._replace(by="/skill/tool"), {"/tmp/abcdefgh"})
    assert not is_ambient(made._replace(object="/tmp/other.txt"), {"/tmp/other.txt"})


def test_who_starts_through_env_is_seen():
    assert not is_ambient(Act(ActKind.START, "/usr/bin/git", by="/usr/bin/env"))
    content = Content(frozenset({"tool"}), frozenset({"tool"}), (), frozenset({("tool", "python3")}))
    start = Act(ActKind.START, "/usr/bin/python3", by="/skill/tool")
    assert observe([start], content) == ()
    for other in (
        start._replace(by="/skill/other"),
        start._replace(object="/usr/bin/git"),
        start._replace(object="/skill/python3"),
        start._replace(object="/skill/bin/git", outcome=Outcome.ABSENT),
    ):
        assert observe([other, Act(ActKind.START, "/usr/bin/git", by="/bin/sh")], content)[0].meanings[0]
        assert len(observe([other], content)) == 1
