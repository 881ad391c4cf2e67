"""What a manifest means is said twice: the second time it is never stricter than the rules that run, so that no skill is refuted for nothing."""

from sessions_values import EFFECTS, MANIFEST, effect, entry, scope
from skill_with_everything import EFFECTS as MANY
from skill_with_everything import MANIFEST as EVERYTHING

from each_row import each_row
from remit.core.capability import Change
from remit.core.scope import covers
from remit.manifest.model import Decision, Manifest
from remit.policy.gate import Standing
from remit.proof.sessions.kinds import alphabet
from remit.proof.sessions.manifest_semantics import is_member, meant, members
from remit.proof.sessions.promises import HOSTS, judge_promises, promises
from remit.proof.sessions.prove import pose, prove_sessions
from remit.proof.verdict import Proved, Refuted

FREE = {
    Standing.DENIED: 0, Standing.OUTSIDE: 0, Standing.ASK: 1, Standing.IRREVERSIBLE: 2, Standing.REVERSIBLE: 3,
    Standing.UNCHANGED: 4,
}  # fmt: skip


def too_free(manifest, effects):
    """Kinds that the rules treat more freely than the manifest means."""
    return [
        kind
        for kind in alphabet(manifest, effects, ()).kinds
        if FREE[kind.standing] > FREE[kind.meant] or (kind.change is Change.REVERSIBLE and not kind.undoable)
    ]


def test_every_rule_has_something_to_decide():
    kinds = alphabet(EVERYTHING, MANY, ()).kinds
    assert {kind.standing for kind in kinds} == {kind.meant for kind in kinds} == set(Standing)
    assert too_free(EVERYTHING, MANY) == []


@each_row(
    ("capability", "text", "line"),
    [
        ("file.read", "./data/a/b", Standing.UNCHANGED),
        ("file.read", "./database", Standing.OUTSIDE),
        ("file.write", "./out/x", Standing.REVERSIBLE),
        ("web.post", "api.example.com", Standing.IRREVERSIBLE),
        ("web.post", "evil.example", Standing.OUTSIDE),
        ("message.send", "any", Standing.ASK),
        ("file.delete", "./data/x", Standing.DENIED),
        ("pay", "1", Standing.OUTSIDE),
    ],
)
def test_what_a_manifest_means(capability, text, line):
    assert meant(MANIFEST, capability, scope(capability, text)).standing is line


@each_row("text", ["./a/*.py", "./**", "./**/x/?", "/etc/**", "~/a b", "<arg>/x/**", "./a\\*b"])
def test_what_stands_for_a_scope_lies_in_it(text):
    path = scope("file.read", text)
    for thing in members(path):
        assert is_member(path, thing)
        assert covers(path, thing)


def kept(manifest, effects):
    found = alphabet(manifest, effects, ())
    return dict(judge_promises(found, pose(found, 1).encoding))


def test_a_promise_is_proved_or_has_a_session_that_breaks_it():
    found = kept(MANIFEST, EFFECTS)
    assert found["never-deletes"] == found["never-pays"] == found[HOSTS] == Proved()
    broken = found["never-writes-files"]
    assert isinstance(broken, Refuted)
    assert "file.write ./out" in broken.trace[0]
    assert set(found) == {HOSTS, *(promise.name for promise in promises())}


def test_one_entry_more_breaks_a_promise():
    deleting = Manifest("remit.json", (*MANIFEST.permissions[:4], entry("file.delete", "./tmp/**", Decision.CONFIRM)))
    assert isinstance(kept(deleting, EFFECTS)["never-deletes"], Refuted)
    reading = Manifest("remit.json", (*MANIFEST.permissions, entry("secret.read", "~/.aws/**", Decision.CONFIRM)))
    found = kept(reading, EFFECTS)
    assert isinstance(found["never-reads-secrets"], Refuted)
    assert len(found["never-reads-secrets-and-sends"].trace) == 2
    quiet = Manifest("remit.json", (entry("secret.read", "~/.aws/**", Decision.CONFIRM),))
    assert kept(quiet, ())["never-reads-secrets-and-sends"] == Proved()


def test_a_skill_that_sends_elsewhere_breaks_the_proof_and_the_promise():
    elsewhere = (*EFFECTS, effect("web.post", "evil.example", 9))
    assert isinstance(prove_sessions(MANIFEST, elsewhere, bound=3).outcome, Refuted)
