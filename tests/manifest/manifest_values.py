"""Hypothesis strategies for manifests: every field, every form of scope."""

from functools import cache

from hypothesis import strategies as st

from remit.core import parse_scope, vocabulary
from remit.core.scope import ANY_SCOPE
from remit.manifest.constraints_read import DAYS
from remit.manifest.model import (
    AcceptedFinding,
    Classification,
    Constraints,
    Decision,
    Defaults,
    Evidence,
    Manifest,
    Matching,
    Metadata,
    Permission,
    RateLimit,
    TimeWindow,
    Verification,
)
from remit.manifest.words import HIDDEN

SCOPES = {
    "path": [
        "./a",
        "./a/**",
        "~/x*",
        "/etc/hosts",
        "$SKILL/**",
        "$TMP/?",
        "<arg>",
        "<arg>/x",
        "<env:OUT>/a",
        "./a\\[1]",
    ],
    "host": ["a.example", "*.b.example", "c.example:443", "[::1]:80", "<arg>", "*:443"],
    "program": ["git", "./run.sh", "py*", "/bin/true"],
    "name": ["HOME", "A_*", "<arg>", "\\any"],
    "tool": ["mcp__github__*", "Read"],
    "number": ["1..10", "..5", "3", "<arg>"],
    "none": [],
}
PATTERNS = ["rm -rf", "^git push", r"\bcurl\b.*\|\s*sh", "(?i)drop table", "é+"]
WORDS = [
    "a",
    "b",
    "main",
    "-rf",
    "läuft",
    "\u4e16\u754c",
    "\U0001f600",
    'say "so"',
    "back\\slash",
    "a\nb",
    "\x1b[2J",
    "\u202eabc",
    "\x7f",
]
anything = st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
visible = anything.map(lambda text: HIDDEN.sub("", text))
names = visible.filter(bool)
digests = st.integers(0, 2**256 - 1).map(lambda number: f"sha256:{number:064x}")


def sets(items, **limits):
    return st.lists(items, unique=True, **limits).map(tuple)


windows = st.builds(
    TimeWindow,
    st.sets(st.sampled_from(DAYS)).map(lambda days: tuple(day for day in DAYS if day in days)),
    st.sampled_from([0, 1, 8 * 60 + 30, 1439]),
    st.sampled_from([2, 17 * 60, 1440]),
).filter(lambda window: window != TimeWindow())


@cache
def scopes_for(capability: str):
    kinds = {vocabulary()[name].scope_kind for name in vocabulary().expand(capability)}
    kinds = kinds - {"none"} or kinds
    written = [parse_scope(kind, text) for kind in kinds for text in SCOPES[kind]] if len(kinds) == 1 else []
    return sets(st.sampled_from([ANY_SCOPE, *written]), min_size=1, max_size=3)


values = anything | st.integers(-(2**53) + 1, 2**53 - 1) | st.booleans()
arguments = st.dictionaries(
    anything.filter(bool),
    st.builds(Matching, st.sampled_from(PATTERNS))
    | st.lists(values, min_size=1, max_size=3, unique_by=lambda value: (type(value), value)).map(tuple),
    max_size=3,
).map(lambda found: tuple(sorted(found.items())))


@st.composite
def permissions(draw):
    capability = draw(
        st.sampled_from([*(found.name for found in vocabulary()), "*", "file.*", "secret.*", "web.*", "repl.*"])
    )
    effect = draw(st.none() | st.sampled_from(Decision))
    return Permission(
        capability,
        draw(scopes_for(capability)),
        effect,
        draw(st.sampled_from([0, 1, -(10**6), 10**6])),
        draw(constraints(capability, effect)) if draw(st.booleans()) else Constraints(),
        draw(visible),
        tuple(draw(st.lists(evidence, max_size=2))),
    )


@st.composite
def constraints(draw, capability, effect):
    grants = effect is not Decision.DENY
    return Constraints(
        workspace_only=draw(st.booleans()),
        resource_scope=draw(st.just(()) | scopes_for(capability)),
        denied_command_patterns=draw(sets(st.sampled_from(PATTERNS), max_size=3)) if grants else (),
        arguments=draw(arguments),
        time_window=draw(st.none() | windows),
        rate_limit=draw(st.none() | st.builds(RateLimit, st.integers(1, 10**6), st.integers(1, 10**6)))
        if grants
        else None,
        redact=grants and draw(st.booleans()),
    )


evidence = st.builds(Evidence, anything.filter(bool), st.integers(0, 10**7), anything, visible)
classifications = st.builds(
    Classification,
    names,
    st.integers(0, 1000),
    sets(names, max_size=2).map(lambda found: tuple(sorted(found))),
    sets(names, max_size=2).map(lambda found: tuple(sorted(found))),
)
metadata = st.builds(Metadata, names, visible, st.none() | st.integers(1, 4), st.none() | classifications)
entries = st.lists(permissions(), max_size=2).map(tuple)
accepted = st.builds(
    AcceptedFinding,
    st.sampled_from(["secret-to-network", "hides-from-user"]),
    anything.filter(bool),
    st.sampled_from(["0123456789abcdef", "fedcba9876543210"]),
    visible.filter(bool),
    st.sampled_from(["", "2026-02-28", "2031-12-31"]),
    st.just(0),
)
manifests = st.builds(
    Manifest,
    st.just("remit.json"),
    entries,
    st.none() | metadata,
    st.sampled_from(Verification),
    sets(digests, max_size=2),
    sets(st.sampled_from(["make test", "python3 -m unittest discover -s tests", "sh -c 'node a.js | sort'"])),
    st.lists(accepted, max_size=2).map(tuple),
)
defaults = st.builds(Defaults, st.just("defaults.json"), entries, visible)
