"""The types say what the policy says: on every capability and scope that occurs, for random manifests and for hostile ones."""

import ast
import keyword
import re
import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st
from typed import CACHE, WHERE, effect, manifest

from by_day import many
from each_row import each_row
from remit.core import Effect, parse_scope, vocabulary
from remit.core.scope import NameScope, PathScope, ScopeKind
from remit.core.via import recorded
from remit.manifest import Decision, Permission
from remit.manifest.model import Constraints
from remit.policy.entry_matches import denies_wholly, grants
from remit.proof.types.generated_names import LONGEST, class_name, quoted, written
from remit.proof.types.module import write_module
from remit.proof.types.probes import _HEAD, write_probes
from remit.proof.types.prove import pose, prove_types
from remit.proof.types.universe import outsiders
from remit.proof.verdict import Proved, Refuted

SCOPES = {
    "path": [
        "any",
        "./a",
        "./a/b.py",
        "./**",
        "./a/*",
        "~/x",
        "/etc/hosts",
        "/**",
        "<arg>",
        "<arg>/x",
        "./src/**/*.py",
    ],
    "host": ["any", "example.com", "*.example.com", "api.example.com:443", "*:443", "<net>"],
    "program": ["any", "git", "g*", "./run.sh", "/usr/bin/env", "<arg>"],
    "name": ["any", "HOME", "H*", "<env:X>", "PATH"],
    "tool": ["any", "mcp__github__*", "mcp__github__get"],
    "number": ["any", "1..10", "5", "..3", "<arg>"],
    "none": ["any"],
}
NAMES = ["file.read", "file.write", "source.read", "source.write", "web.fetch", "process.create", "env.read", "pay"]
NAMES += ["tool.invoke", "clipboard.read"]


def scopes(name):
    kind = vocabulary()[vocabulary().expand(name)[0]].scope_kind
    return st.sampled_from(SCOPES[kind]).map(lambda text: parse_scope(kind, text))


@st.composite
def entries(draw):
    name = draw(st.sampled_from([*NAMES, "file.*", "source.*", "*"]))
    held = (parse_scope("none", "any"),) if name == "*" else tuple(draw(st.lists(scopes(name), min_size=1, max_size=3)))
    inside = tuple(draw(st.lists(scopes(name), max_size=1))) if name != "*" and draw(st.booleans()) else ()
    limits = Constraints(workspace_only=draw(st.booleans()) and draw(st.booleans()), resource_scope=inside)
    decision = draw(st.sampled_from([Decision.ALLOW, Decision.ALLOW, Decision.CONFIRM, Decision.DENY, None]))
    return Permission(name, held, decision, constraints=limits)


@st.composite
def effects(draw):
    name = draw(st.sampled_from(NAMES))
    return Effect(name, draw(scopes(name)), WHERE, recorded("why"))


def inside(given, capability, scope):
    """What the policy says."""
    asked = Effect(capability, scope, WHERE, recorded(""))
    granted = any(entry.effect is not Decision.DENY and grants(entry, asked) for entry in given.permissions)
    return granted and not any(
        entry.effect is Decision.DENY and denies_wholly(entry, asked) for entry in given.permissions
    )


def agrees(given, asked, accepted, rejected):
    """Every capability on every scope that occurs is accepted or rejected as the policy says."""
    asked = list(asked)
    universe = pose(given, asked).universe
    for capability in vocabulary():
        held = {
            text: inside(given, capability.name, scope)
            for text, scope in universe.scopes[capability.scope_kind].items()
        }
        if not any(held.values()):
            assert f"undeclared {capability.name}" in rejected
            continue
        assert f"undeclared {capability.name}" not in rejected
        for text, good in held.items():
            sort = (
                "effect" if any(e.capability == capability.name and written(e.scope) == text for e in asked) else "held"
            )
            escapes = sort == "effect" and (capability.name, text) in universe.escaping
            assert (f"{sort} {capability.name} {text}" in accepted) == (good or escapes)
            assert (f"scope {capability.name} {text}" in rejected) == (not good and not escapes)


@given(st.lists(entries(), max_size=5), st.lists(effects(), max_size=5))
def test_the_probes_say_what_the_policy_says(permissions, asked):
    given = manifest()._replace(permissions=tuple(permissions))
    probes = {probe.sort: set() for probe in pose(given, asked).probes}
    for probe in pose(given, asked).probes:
        probes[probe.sort].add(probe.ident)
    accepted = probes.get("effect", set()) | probes.get("held", set())
    agrees(given, asked, accepted, {ident for found in probes.values() for ident in found} - accepted)


@settings(max_examples=many(8, least=4))
@given(st.lists(entries(), max_size=5), st.lists(effects(), max_size=5))
def test_the_checkers_say_what_the_policy_says(permissions, asked):
    given = manifest()._replace(permissions=tuple(permissions))
    escaping = set(pose(given, asked).universe.escaping)
    if escaping:
        assert isinstance(prove_types(given, asked, cache_dir=CACHE).outcome, Refuted)
        asked = [one for one in asked if (one.capability, written(one.scope)) not in escaping]
    proof = prove_types(given, asked, cache_dir=CACHE)
    assert proof.outcome == Proved()
    agrees(given, asked, set(proof.obligations), {ident for ident, _ in proof.rejected})


@given(st.lists(entries(), max_size=4), st.lists(effects(), max_size=4), st.randoms())
def test_the_order_of_entries_and_effects_is_no_part_of_it(permissions, asked, random):
    first = pose(manifest()._replace(permissions=tuple(permissions)), asked)
    random.shuffle(permissions)
    random.shuffle(asked)
    second = pose(manifest()._replace(permissions=tuple(permissions)), asked)
    assert (first.module, first.probes) == (second.module, second.probes)


HOSTILE = [
    "' + __import__('os').system('id') + '",
    '"""',
    "'''\n    | Pay",
    "x']\nPermitted = object #",
    "# type: ignore",
    "x  # type: ignore[arg-type]",
    "# mypy: ignore-errors",
    "# ty: ignore",
    "# pyright: ignore",
    "\\",
    "\\'",
    "a\\x27]",
    "{0.__class__}",
    "%s%n",
    "\r",
    "a\u2028b",
    "a\u202eb",
    "\N{FULLWIDTH APOSTROPHE}",
    "\N{GRINNING FACE}",
    "\ufeff",
    "e\u0301",
    "sha256:" + "0" * 64,
    "x" * 1000,
    "\N{GRINNING FACE}" * 300,
    "# coding: utf-7",
    "any",
    "Held1",
    "]",
]


def names(text):
    """A scope that names exactly this, as a program and as a path."""
    from remit.core.scope.component import escape

    return NameScope(escape(text)), PathScope("workspace", (escape(text.replace("/", "-")),))


def test_no_text_is_code():
    found = [names(text) for text in HOSTILE]
    given = manifest()._replace(
        permissions=(
            Permission("process.create", tuple(name for name, _ in found[::2]), Decision.ALLOW),
            Permission("file.read", tuple(path for _, path in found[::2]), Decision.ALLOW),
        )
    )
    asked = [
        Effect(capability, scope, WHERE, recorded(""))
        for name, path in found[::2]
        for capability, scope in (("process.create", name), ("file.read", path))
    ]
    question = pose(given, asked)
    for text in (question.module, write_probes(question.probes)):
        assert text.isascii()
        assert "#" not in text
        assert "\r" not in text
        assert max(map(len, text.splitlines())) < 20_000
    plain = pose(manifest("process.create a", "file.read ./a"), ())
    assert shape(question.module) == shape(plain.module)  # but for texts, it is the module of any other manifest
    proof = prove_types(given, asked, cache_dir=CACHE)
    assert proof.outcome == Proved()
    agrees(given, asked, set(proof.obligations), {ident for ident, _ in proof.rejected})


def shape(module):
    """The syntax of a module without its texts."""
    tree = ast.parse(module)
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple) and all(isinstance(item, ast.Constant) for item in node.elts):
            node.elts = node.elts[:1]
        if isinstance(node, ast.Constant):
            node.value = ""
    return ast.dump(tree)


@given(st.text(max_size=30))
def test_a_quoted_text_is_the_text(text):
    assert ast.literal_eval(quoted(text)) == text
    assert quoted(text).isascii()
    assert not set(quoted(text)[1:-1]) & set("'\"#\n\r")


def test_no_scope_is_taken_for_the_digest_of_another():
    long = NameScope("x" * (LONGEST + 1))
    digest = written(long)
    assert digest.startswith("sha256:")
    assert written(NameScope(digest)) != digest
    assert written(NameScope("x" * LONGEST)) == "x" * LONGEST


def test_capabilities_have_names_of_their_own():
    every = [capability.name for capability in vocabulary()]
    found = [class_name(name) for name in every]
    assert len(set(found)) == len(found)
    assert all(name.isidentifier() and not keyword.iskeyword(name) for name in found)
    bare = pose(manifest(), ())
    taken = {word for text in (write_module("", bare.universe), _HEAD) for word in re.findall(r"\b[A-Z]\w*", text)}
    assert not (taken - set(found)) & {class_name(name) for name in every}
    imported = {word for line in _HEAD.splitlines() if " import " in line for word in re.findall(r"\b[A-Z]\w*", line)}
    assert not imported & set(found)


@each_row("kind", [kind for kind in ScopeKind if kind is not ScopeKind.NONE])
def test_every_kind_has_outsiders_and_foreign_texts(kind):
    universe = pose(manifest(), ()).universe
    assert set(universe.foreign[kind]) < set(outsiders())
    assert len(universe.scopes[kind]) > 1


WRITE = """
import sys
from pathlib import Path
from remit.manifest import parse_manifest
from remit.core import Effect, Location, parse_scope
from remit.proof.types.prove import prove_types
from remit.proof.types.evidence import write_types_proof
from remit.core.via import recorded
given = parse_manifest(Path(sys.argv[1]).read_bytes(), sys.argv[1])
effects = [Effect("file.read", parse_scope("path", text), Location("a", 1), recorded("")) for text in {"./a", "./b", "/c", "~/d"}]
sys.stdout.buffer.write(write_types_proof(prove_types(given, effects, cache_dir=None)))
"""


def test_evidence_is_the_same_everywhere_nightly(tmp_path):
    """By day with the other proofs (test_cli_prove.py)."""
    said = []
    for number, (seed, zone, umask) in enumerate(
        [("0", "UTC", 0o022), ("1", "Asia/Tokyo", 0o077), ("77", "America/Lima", 0)]
    ):
        here = tmp_path / f"checkout {number}"
        here.mkdir()
        (here / "remit.json").write_text('{"permissions": [{"capability": "file.read", "scope": ["./**", "~/d"]}]}')
        (here / "mypy.ini").write_text("[mypy]\nignore_errors = True\n")
        (here / "ty.toml").write_text('[rules]\nall = "ignore"\n')
        environment = {
            "HOME": str(here),
            "TMPDIR": str(here),
            "TZ": zone,
            "PYTHONHASHSEED": seed,
            "MYPYPATH": str(here),
        }
        environment |= {"PATH": "/usr/bin", "PYTHONPATH": ":".join(path for path in sys.path if path.endswith("src"))}
        run = subprocess.run(
            [sys.executable, "-c", WRITE, "remit.json"],
            cwd=here,
            env=environment,
            umask=umask,
            capture_output=True,
            check=True,
        )
        said.append(run.stdout)
    assert said[0] == said[1] == said[2]
    assert b'"name":"proved"' in said[0]
    assert str(tmp_path).encode() not in said[0]


def test_settings_of_the_user_count_for_nothing(tmp_path, monkeypatch):
    """Folders above the run, the home folder and the environment try to hush up every error."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in ("pyproject.toml", "ty.toml", ".mypy.ini", "setup.cfg"):
        rules = '[tool.ty.rules]\nall = "ignore"\n[tool.mypy]\nignore_errors = true\n'
        (tmp_path / name).write_text(rules if name == "pyproject.toml" else '[rules]\nall = "ignore"\n')
    settings_of_ty = tmp_path / ".config" / "ty"
    settings_of_ty.mkdir(parents=True)
    (settings_of_ty / "ty.toml").write_text('[rules]\nall = "ignore"\n')
    (tmp_path / "typing.py").write_text("def final(given): return given\n")
    for name in ("HOME", "XDG_CONFIG_HOME", "MYPYPATH", "MYPY_CACHE_DIR", "VIRTUAL_ENV", "PYTHONPATH"):
        monkeypatch.setenv(name, str(tmp_path / ".config" if name == "XDG_CONFIG_HOME" else tmp_path))
    monkeypatch.setenv("TY_CONFIG_FILE", str(settings_of_ty / "ty.toml"))
    proof = prove_types(manifest("file.read ./a"), [effect("file.read ./a")], cache_dir=CACHE)
    assert proof.outcome == Proved()
