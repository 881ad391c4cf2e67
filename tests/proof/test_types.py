"""Method B: what the manifest grants is accepted, everything else is rejected, and both checkers say so."""

import importlib
import re
from pathlib import Path

import pytest
from typed import CACHE, effect, entry, manifest

import remit
from remit.core import vocabulary
from remit.core.errors import PackageError
from remit.policy import projector as projector_module
from remit.proof import installed as installed_module
from remit.proof.types import checkers as checkers_module
from remit.proof.types import prove as prove_module
from remit.proof.types.dispatch import doors, running
from remit.proof.types.prove import Attempt, prove_types
from remit.proof.verdict import Proved, Refuted, Unknown

ORDINARY = manifest(
    "file.read ./**", "-file.read ./secret/**", "web.fetch *.example.com", "process.create git", "source.write ./src/**"
)


def about_calls(proof):
    """What is accepted of calls; the rest speaks of the dispatch, whatever is granted."""
    return tuple(
        one for one in proof.obligations if one.partition(" ")[0] in ("effect", "held") or one.endswith(" call")
    )


def prove(given, *effects):
    return prove_types(given, map(effect, effects), cache_dir=CACHE)


def rejected(proof, sort):
    return {ident.removeprefix(sort + " ") for ident, _ in proof.rejected if ident.startswith(sort + " ")}


def test_an_ordinary_manifest_is_proved():
    proof = prove(ORDINARY, "file.read ./a", "file.read ./secret/key", "web.fetch api.example.com")
    assert proof.outcome == Proved()
    assert {"effect file.read ./a", "effect web.fetch api.example.com"} <= set(proof.obligations)
    assert {"file.read ./secret/key", "web.fetch any"} <= rejected(proof, "scope")
    assert {found.name for found in proof.checkers} == {"mypy", "ty"}
    assert proof.missing == ()


def test_an_effect_that_escapes_is_a_call_that_does_not_type_check():
    escapes = ["file.read ~/x", "file.write ./x", "pay 3", "web.fetch evil.net"]
    outcome = prove(ORDINARY, "file.read ./a", *escapes).outcome
    assert isinstance(outcome, Refuted)
    assert sorted(step.partition(": ")[0] for step in outcome.trace) == [
        f"mypy rejects `effect {escape}`" for escape in escapes
    ]


def test_a_probe_for_every_capability_outside_of_the_manifest():
    proof = prove(ORDINARY)
    declared = {"file.read", "file.write", "source.read", "source.write", "web.fetch", "process.create"}
    every = {capability.name for capability in vocabulary()}
    assert rejected(proof, "undeclared") == every - declared


def test_an_empty_manifest_permits_nothing():
    proof = prove(manifest())
    assert proof.outcome == Proved()
    assert about_calls(proof) == ()
    assert len(rejected(proof, "undeclared")) == len(vocabulary())
    assert (proof.members, proof.bits) == (0, "0.000")


def test_a_manifest_that_only_denies_permits_nothing():
    for given in (manifest("-*"), manifest("file.read ./a", "-file.*")):
        proof = prove(given)
        assert proof.outcome == Proved()
        assert about_calls(proof) == ()


def test_all_capabilities_declared():
    proof = prove(manifest("*"), "pay 3", "file.write ./x")
    assert proof.outcome == Proved()
    assert not rejected(proof, "undeclared")
    assert not rejected(proof, "scope")
    assert all(f"held {capability.name} any" in proof.obligations for capability in vocabulary())


def test_what_a_denial_only_may_meet_is_left_to_the_run():
    proof = prove(ORDINARY)
    assert "held file.read ./**" in proof.obligations
    assert "file.read ./secret/**" in rejected(proof, "scope")


def test_constraints_narrow_what_is_held():
    narrow = entry("file.read ./**")
    narrow = narrow._replace(constraints=narrow.constraints._replace(resource_scope=entry("file.read ./a/**").scopes))
    anywhere = entry("file.write")
    anywhere = anywhere._replace(constraints=anywhere.constraints._replace(workspace_only=True))
    proof = prove(manifest()._replace(permissions=(narrow, anywhere)), "file.read ./a/b")
    assert proof.outcome == Proved()
    assert {"held file.read ./a/**", "effect file.read ./a/b", "held file.write ./**"} <= set(proof.obligations)
    assert {"file.read ./**", "file.write any"} <= rejected(proof, "scope")


def test_the_bits_of_an_envelope():
    assert prove(manifest("pay ..3", "?pay ..9", "-pay 1")).bits == "1.585"  # two entries grant, or none does


def test_too_many_scopes_are_not_judged():
    many = entry("file.* ./a")._replace(scopes=tuple(entry(f"file.read ./a{n}").scopes[0] for n in range(4_000)))
    proof = prove(manifest()._replace(permissions=(many,)))
    assert isinstance(proof.outcome, Unknown)
    assert "more than" in proof.outcome.reason
    assert proof.module == ""


def test_intricate_scopes_are_not_judged():
    proof = prove(manifest(*(f"file.read ./*a?b*a?b*{n}" for n in range(120))))
    assert isinstance(proof.outcome, Unknown)
    assert "too intricate" in proof.outcome.reason


def test_without_mypy_nothing_is_judged(monkeypatch):
    monkeypatch.setattr(installed_module, "_record", lambda _: None)
    with pytest.raises(PackageError, match="mypy") as error:
        prove(ORDINARY)
    assert "remit[prove]" in error.value.remedy


def test_an_opinion_that_is_missing_is_listed(monkeypatch):
    monkeypatch.setattr(checkers_module, "installed_program", lambda _: None)
    proof = prove(ORDINARY)
    assert proof.outcome == Proved()
    assert proof.missing == ("ty",)


def test_other_things_can_be_done_while_the_checkers_work():
    with Attempt(ORDINARY, (), CACHE) as attempt:
        assert attempt.finish().outcome == Proved()


def test_whoever_leaves_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    started = []
    real = prove_module.begin
    monkeypatch.setattr(prove_module, "begin", lambda *given: started.append(real(*given)) or started[-1])
    with pytest.raises(KeyboardInterrupt), Attempt(ORDINARY, (), None):
        raise KeyboardInterrupt
    assert len(started) == 2
    assert all(running._child.poll() is not None for running in started)
    assert not list(tmp_path.iterdir())


def test_the_module_is_python_and_runs():
    module = prove(ORDINARY, "file.read ./a").module
    names: dict = {}
    exec(compile(module, "request.py", "exec"), names)  # the module as a runtime would have it
    request = names["FileRead"]("./a")
    assert (request.capability, request.scope.render()) == ("file.read", "./a")
    assert re.search(r"^manifest sha256:[0-9a-f]{64}$", module, re.MULTILINE)


def test_the_dispatch_is_the_one_that_runs():
    found = running()
    assert found.objections == ()
    assert prove(ORDINARY).dispatch == found.digests
    for name, text in found.sources.items():
        module = importlib.import_module(f"remit.{name.removesuffix('.py').replace('/', '.')}")
        assert Path(module.__file__).read_text("utf-8") == text


def test_a_dispatch_that_was_changed_while_it_runs_is_refuted(monkeypatch):
    monkeypatch.setattr(projector_module, "_unanswered", lambda *_: False)
    monkeypatch.setattr(projector_module._unanswered, "__module__", projector_module.__name__)
    running.cache_clear()
    try:
        assert running().objections == ("policy/projector.py: what runs is not what the file holds",)
        assert isinstance(prove(ORDINARY).outcome, Refuted)
    finally:
        running.cache_clear()


def test_every_door_is_listed():
    """Every function outside of a class that takes a permit first and is no part of another one's work."""
    listed = set(doors())
    found = set()
    for path in sorted(Path(remit.__file__).parent.rglob("*.py")):
        name = path.relative_to(Path(remit.__file__).parent).as_posix()
        for function in re.findall(r"^def ([a-z]\w*)\(\s*permit: Permit,", path.read_text("utf-8"), re.MULTILINE):
            found.add((name, function))
    assert found <= listed | {("capsule/probes.py", "world")}
    assert len(listed) == len(doors())
