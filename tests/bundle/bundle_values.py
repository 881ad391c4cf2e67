"""A small skill, its bundle, and admission as the command does it, but in this process and with remembered analyses."""

import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from trust_values import key, trusted

from remit.analysis.result import Effects
from remit.analysis.session import analyse
from remit.bundle.admission_state import Analysed
from remit.bundle.admit import FailedStep, Inputs, admit
from remit.bundle.install import install
from remit.bundle.proof_evidence import Attempt, Proofs
from remit.bundle.prove import ProvingRequest, show, subject_of
from remit.bundle.snapshot import manifest_of, snapshot
from remit.bundle.statement import moment
from remit.bundle.trust import TrustRoot
from remit.capsule.run import Ending
from remit.capsule.verdict import Finding, Run, Source, TestRecord, record_bytes
from remit.capsule.verdict import units as granted
from remit.checker.fingerprint import fingerprint
from remit.core.errors import InputError
from remit.manifest.identity import manifest_digest
from remit.manifest.model import Verification
from remit.skill.load import load_skill
from remit.skill.model import Limits
from remit.skill.walk import Walker

MADE = datetime(2027, 5, 1, tzinfo=UTC)
NOW = datetime(2027, 6, 1, tzinfo=UTC)
UNVERIFIED, DECLARED, TESTED, FORMAL = Verification
SCRIPT = """\
import urllib.request

body = urllib.request.urlopen("https://www.example.com/").read()
with open("cache/page.html", "wb") as out:
    out.write(body)
print(len(open("cache/page.html").read()))
"""
MANIFEST = {
    "skill_metadata": {"name": "demo", "version": "1.2.0"},
    "permissions": [
        {"capability": "file.read", "scope": "./cache/**", "effect": "allow"},
        {"capability": "file.write", "scope": "./cache/**", "effect": "allow"},
        {"capability": "source.execute", "scope": "./scripts/fetch.py", "effect": "allow"},
        {"capability": "web.fetch", "scope": "*.example.com:443", "effect": "allow"},
    ],
}
LABEL = {"label": "internal", "rank": 2, "compartments": ["red"], "releasability": ["us"]}
ROOT = TrustRoot(1, (trusted(1), trusted(2, DECLARED)))
_known: dict[str, Effects] = {}


def labelled(**label) -> dict:
    """The manifest with a label."""
    metadata = {**MANIFEST["skill_metadata"], "classification": {**LABEL, **label}}
    return {**MANIFEST, "skill_metadata": metadata}


def write_skill(place: Path, manifest=MANIFEST, script: str = SCRIPT) -> Path:
    """The skill on disk."""
    (place / "scripts").mkdir(parents=True)
    (place / "SKILL.md").write_text(
        "---\nname: demo\ndescription: Fetch a page and keep it.\n---\n# Demo\nRun `python3 scripts/fetch.py`.\n"
    )
    (place / "scripts/fetch.py").write_text(script)
    (place / "remit.json").write_text(json.dumps(manifest, indent=2))
    return place


def looked(folder: Path):
    """The folder as the command sees it, and its fingerprint."""
    try:
        tree = Walker(folder, Limits(), shipped=True).run()
    except InputError as error:
        return FailedStep(error.message), ""
    return snapshot(tree), fingerprint(tree.files, tree.links)


def analysed(folder: Path, content: str) -> Analysed:
    """Method A; the same content is analysed once."""
    if content not in _known:
        found = analyse(load_skill(folder, shipped=True))
        _known[content] = Effects.decode(found.encode(), ".")
    return Analysed(_known[content])


@cache
def _sessions(told: tuple, bound: int) -> Attempt:
    from remit.proof.sessions.evidence import write_sessions_proof
    from remit.proof.sessions.prove import prove_sessions

    proof = prove_sessions(*told, bound=bound, search=False)
    return Attempt(proof.outcome, write_sessions_proof(proof))


@cache
def _types(told: tuple) -> Attempt:
    from remit.proof.types.evidence import write_types_proof
    from remit.proof.types.prove import prove_types

    manifest, effects = told
    proof = prove_types(manifest, effects, cache_dir=None)
    return Attempt(proof.outcome, write_types_proof(proof))


def prove(manifest, effects, bound) -> Proofs:
    """Methods B and C; the same question is asked once."""
    told = (manifest, effects.effects)
    return Proofs(_types(told), _sessions(told, bound))


def make(folder: Path, level=DECLARED, seeds=(1,), bound=100, time=MADE, tests=None, place=None):
    """Make a bundle; the evidence is installed if the level holds."""
    held, content = looked(folder)
    if level is FORMAL and tests is None:
        tests = record_for(folder)
    wanted = ProvingRequest(level, bound, moment(time.timestamp()), [key(seed) for seed in seeds], tests)
    shown = show(subject_of(held), analysed(folder, content), wanted, prove)
    if shown.files is not None:
        install(shown.files, place or folder / "evidence")
    return shown


def never(*_):
    raise AssertionError("this step must not be reached")


def admitted(folder: Path, root: TrustRoot = ROOT, now=NOW, **more):
    """Admission of a folder."""
    held, content = looked(folder)
    given = Inputs(held, root, now, lambda *_: None, lambda: analysed(folder, content), prove)
    return admit(given._replace(**more))


def codes_of(answer) -> set[str]:
    return {reason.code.name for reason in answer.reasons}


LEVEL = FORMAL  # of a bundle with every file of evidence


def record_for(folder: Path, **changed) -> bytes:
    """A record of tests, as `remit test` writes it for a skill whose tests exercise everything."""
    held, _ = looked(folder)
    _, manifest = manifest_of(held)
    units = tuple(sorted((unit.capability, unit.scope.render()) for unit, _ in granted(manifest)))
    record = TestRecord(
        skill="demo",
        content=held.content,
        manifest=manifest_digest(manifest),
        tools=(("bwrap", "bubblewrap 0.8.0"), ("strace", "strace 6.1")),
        runs=(Run(("python3", "-m", "unittest"), Source.DISCOVERED, Ending.EXITED, 0),),
        observed=tuple(Finding(*unit, "done", (0,)) for unit in units),
        loaded=("$SKILL/tests/test_demo.py",),
        looked_for=(),
        outside=(),
        denied=(),
        exercised=units,
        untested=(),
    )
    return record_bytes(record._replace(**changed))
