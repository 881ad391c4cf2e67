"""A sample of generated programs, the same each time; and the check itself can fail."""

from dataclasses import replace

import pytest
from harness.check import Program, check, explain
from harness.generate import generated
from harness.observe import Event
from harness.predict import Given, covered
from harness.sandbox import has_node, has_strace, prepare, sandboxed

from each_row import each_row
from remit.core.scope import AnyScope, PathScope
from remit.core.via import recorded

SAMPLE = {"python": 40, "shell": 60, "js": 30}
CASES = [(language, seed) for language, count in SAMPLE.items() for seed in range(count)]


def needed(language):
    if not has_strace():
        pytest.skip("strace is not usable here")
    if language == "js" and not has_node():
        pytest.skip("node is not installed")


PARTS = [(language, at) for language, count in SAMPLE.items() for at in range(0, count, 10)]
NAMES = [f"{language}-{at}" if at < 20 else f"{language}-{at}_nightly" for language, at in PARTS]


@pytest.mark.parametrize(("language", "first"), PARTS, ids=NAMES)
def test_what_generated_programs_do_was_predicted_needs_strace(language, first):
    needed(language)
    for seed in range(first, first + 10):
        program = generated(language, seed)
        verdict = check(program)
        assert not verdict.missing, f"seed {seed}\n{explain(program, verdict)}"


HIDDEN = {
    "main.py": "import os\nos.remove('a.tmp')\n",
    "main.sh": "rm a.tmp\n",
    "main.js": "require('fs').unlinkSync('a.tmp')\n",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_an_effect_that_was_not_predicted_is_seen_needs_strace(name, monkeypatch):
    """The analysis is made blind; the check has to notice."""
    needed("js" if name.endswith("js") else "")
    import harness.check as module

    real = module.predict
    monkeypatch.setattr(module, "predict", lambda place: _without(real(place), "file.delete"))
    verdict = check(Program({name: HIDDEN[name]}))
    assert {(event.capability, event.object.rpartition("/")[2]) for event in verdict.missing} == {
        ("file.delete", "a.tmp")
    }


def test_an_effect_that_was_not_predicted_is_seen_by_the_audit_hook(monkeypatch):
    import harness.check as module
    from harness import sandbox

    for name in ("has_strace",):
        monkeypatch.setattr(sandbox, name, lambda: False)
        monkeypatch.setattr(module, name, lambda: False)
    real = module.predict
    monkeypatch.setattr(module, "predict", lambda place: _without(real(place), "file.delete"))
    verdict = check(Program({"main.py": HIDDEN["main.py"]}))
    assert {(event.capability, event.object.rpartition("/")[2]) for event in verdict.missing} == {
        ("file.delete", "a.tmp")
    }


BREAKING = {
    "deletes-no-files": ("import os\nos.remove('a.tmp')\n", "file.delete"),
    "no-programs": ("import subprocess\nsubprocess.run(['true'])\n", "process.create"),
    "reads-named-files": ("print(open('a.tmp').read())\n", "file.read"),
    "no-network": ("import socket\nsocket.socket().connect_ex(('127.0.0.1', 9))\n", "net.connect"),
}


@pytest.mark.parametrize("ident", BREAKING)
def test_a_guarantee_that_is_broken_is_seen_needs_strace(ident, monkeypatch):
    """Guarantees are given that do not hold; the check has to notice, though every effect was predicted."""
    needed("")
    import harness.promises as module

    given = module.guarantees
    monkeypatch.setattr(
        module,
        "guarantees",
        lambda effects: [item._replace(ident=_kept(item), broken_by=()) for item in given(effects)],
    )
    code, capability = BREAKING[ident]
    verdict = check(Program({"main.py": code}))
    assert {event.capability for event in verdict.missing if f"breaks `{ident}`" in event.raw} == {capability}


def _kept(item):
    return "no-network" if item.ident == "only-hosts" else item.ident


def test_a_secret_and_a_setting_are_known_wherever_they_lie(tmp_path):
    from harness.promises import _denied_by

    place = prepare(tmp_path)
    read = Event("file.read", f"{place.home}/.ssh/id_rsa")
    write = Event("file.write", f"{place.home}/.claude/settings.json")
    assert set(_denied_by(read, place, Given(), ())) == {"no-secrets", "reads-named-files"}
    assert set(_denied_by(write, place, Given(), ())) == {"no-agent-settings"}
    assert not set(_denied_by(Event("file.write", f"{place.work}/a"), place, Given(), ()))
    assert set(_denied_by(Event("net.connect", "127.0.0.1:80"), place, Given(), ("localhost",))) == {
        "no-network",
        "only-installs",
    }


def test_a_scope_that_is_too_narrow_is_seen(tmp_path):
    from remit.core.effect import Effect
    from remit.core.location import Location
    from remit.core.scope import WORKSPACE, PathScope

    place = prepare(tmp_path)
    narrow = [Effect("file.delete", PathScope(WORKSPACE, ("b.tmp",)), Location("main.py", 1), recorded(""))]
    assert covered(Event("file.delete", f"{place.work}/b.tmp"), narrow, place, Given())
    assert not covered(Event("file.delete", f"{place.work}/a.tmp"), narrow, place, Given())
    assert not covered(Event("file.write", f"{place.work}/b.tmp"), narrow, place, Given())
    argument = [Effect("file.write", PathScope("<arg>"), Location("main.py", 1), recorded(""))]
    assert covered(Event("file.write", f"{place.work}/out"), argument, place, Given(("out",)))
    assert not covered(Event("file.write", f"{place.work}/out/x"), argument, place, Given(("out",)))


def test_programs_are_kept_inside_needs_bubblewrap():
    if not sandboxed():
        pytest.skip("bubblewrap is not usable here")
    verdict = check(Program({"main.sh": "echo x > /etc/remit-was-here || echo kept\n"}))
    assert "kept" in verdict.ran.output


def _without(effects, capability):
    from dataclasses import replace

    return replace(effects, effects=tuple(e for e in effects.effects if e.capability != capability))


BESIDE_ARGUMENT = {
    "main.py": (
        "open(sys.argv[1] + '.bak', 'w')",
        "open(f'{sys.argv[1]}.bak', 'w')",
        "Path(sys.argv[1]).with_suffix('.bak').write_text('')",
        "(Path(sys.argv[1]).parent / 'b').write_text('')",
        "open(os.path.join(os.path.dirname(sys.argv[1]), 'b'), 'w')",
        "open(os.path.join('dir', sys.argv[1] + '.bak'), 'w')",
    ),
    "main.sh": (
        'touch "${1}.copy"',
        'cat data.txt > "$1.copy"',
        'cp data.txt "$(dirname "$1")/b"',
        'cd "$(dirname "$1")" && touch b',
    ),
    "main.js": (
        "fs.writeFileSync(`${process.argv[2]}.bak`, '')",
        "fs.writeFileSync(process.argv[2] + '.bak', '')",
        "fs.writeFileSync(path.join(path.dirname(process.argv[2]), 'b'), '')",
    ),
}
_HEADS = {
    "main.py": "import os, sys\nfrom pathlib import Path\n",
    "main.sh": "",
    "main.js": "const fs = require('fs'), path = require('path')\n",
}


@each_row("argument", ["victim.txt", "dir/x.txt", "./dir/../data.txt", "dir/"])
@each_row("name", BESIDE_ARGUMENT)
def test_what_is_written_beside_an_argument_was_predicted_needs_strace(name, argument):
    needed("js" if name.endswith("js") else "")
    for line in BESIDE_ARGUMENT[name]:
        program = Program({name: f"{_HEADS[name]}{line}\n"}, (argument,))
        verdict = check(program)
        written = [effect.scope for effect in verdict.effects.effects if effect.capability == "file.write"]
        assert not verdict.missing, explain(program, verdict)
        assert written, line
        assert not any(isinstance(scope, AnyScope) for scope in written), line


def test_what_lies_inside_of_an_argument_is_not_beside_it_needs_strace(monkeypatch):
    """The analysis takes one for the other; the check has to notice."""
    needed("")
    import harness.check as module

    real = module.predict
    inside = PathScope("<arg>", ("*.copy",))

    def confused(place):
        found = real(place)
        return replace(found, effects=tuple(effect._replace(scope=inside) for effect in found.effects))

    monkeypatch.setattr(module, "predict", confused)
    assert check(Program({"main.sh": ': > "${1}.copy"\n'}, ("victim.txt",))).missing
