"""A sample of generated programs, the same each time; and the check itself can fail."""

import pytest
from harness.check import Program, check, explain
from harness.generate import generated
from harness.observe import Event
from harness.predict import Given, covered
from harness.sandbox import has_node, has_strace, prepare, sandboxed

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
    assert [(event.capability, event.object.rpartition("/")[2]) for event in verdict.missing] == [
        ("file.delete", "a.tmp")
    ]


def test_an_effect_that_was_not_predicted_is_seen_by_the_audit_hook(monkeypatch):
    import harness.check as module
    from harness import sandbox

    for name in ("has_strace",):
        monkeypatch.setattr(sandbox, name, lambda: False)
        monkeypatch.setattr(module, name, lambda: False)
    real = module.predict
    monkeypatch.setattr(module, "predict", lambda place: _without(real(place), "file.delete"))
    verdict = check(Program({"main.py": HIDDEN["main.py"]}))
    assert [(event.capability, event.object.rpartition("/")[2]) for event in verdict.missing] == [
        ("file.delete", "a.tmp")
    ]


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
