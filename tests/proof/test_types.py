"""Method B: what the manifest grants is accepted, everything else is rejected, and both checkers say so."""

import re

import pytest
from typed import CACHE, effect, entry, manifest

from remit.core import vocabulary
from remit.core.errors import PackageError
from remit.proof import installed as installed_module
from remit.proof.types import Attempt, prove_types
from remit.proof.types import checkers as checkers_module
from remit.proof.types import prove as prove_module
from remit.proof.verdict import Proved, Unknown

ORDINARY = manifest(
    "file.read ./**", "-file.read ./secret/**", "web.fetch *.example.com", "process.create git", "source.write ./src/**"
)

NOTHING = ("exact dispatch",)  # it is a dispatch, and takes no call at all


def prove(given, *effects):
    return prove_types(given, map(effect, effects), cache_dir=CACHE)


def rejected(proof, sort):
    return {ident.removeprefix(sort + " ") for ident, _ in proof.rejected if ident.startswith(sort + " ")}


def test_an_ordinary_manifest_is_proved():
    proof = prove(
        ORDINARY, "file.read ./a", "file.read ./secret/key", "web.fetch api.example.com", "web.fetch evil.net"
    )
    assert proof.outcome == Proved()
    assert {"effect file.read ./a", "effect web.fetch api.example.com"} <= set(proof.obligations)
    assert {"file.read ./secret/key", "web.fetch evil.net", "web.fetch any"} <= rejected(proof, "scope")
    assert {found.name for found in proof.checkers} == {"mypy", "ty"}
    assert proof.missing == ()


def test_a_probe_for_every_capability_outside_of_the_manifest():
    proof = prove(ORDINARY)
    declared = {"file.read", "file.write", "source.read", "source.write", "web.fetch", "process.create"}
    every = {capability.name for capability in vocabulary()}
    assert rejected(proof, "undeclared") == rejected(proof, "unhosted") == every - declared


def test_an_empty_manifest_permits_nothing():
    proof = prove(manifest(), "pay")
    assert proof.outcome == Proved()
    assert proof.obligations == NOTHING
    assert len(rejected(proof, "undeclared")) == len(vocabulary())
    assert (proof.members, proof.bits) == (0, "0.000")


def test_a_manifest_that_only_denies_permits_nothing():
    assert prove(manifest("-*")).obligations == NOTHING
    assert prove(manifest("file.read ./a", "-file.*")).obligations == NOTHING


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
    proof = prove(manifest()._replace(permissions=(narrow, anywhere)), "file.read ./a/b", "file.write /etc/x")
    assert proof.outcome == Proved()
    assert {"held file.read ./a/**", "effect file.read ./a/b", "held file.write ./**"} <= set(proof.obligations)
    assert {"file.read ./**", "file.write /etc/x", "file.write any"} <= rejected(proof, "scope")


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
    exec(compile(module, "dispatch.py", "exec"), names)  # the module as a runtime would have it
    outcome = names["dispatch"](names["FileRead"]("./a"))
    assert (outcome.capability, outcome.scope) == ("file.read", "./a")
    assert re.search(r"^manifest sha256:[0-9a-f]{64}$", module, re.MULTILINE)
