"""Hypothesis strategies for manifests: every field, every form of scope."""

from hypothesis import strategies as st

from remit.core import parse_scope, vocabulary
from remit.core.scope import ANY_SCOPE
from remit.manifest.constraints_read import DAYS
from remit.manifest.model import (
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
anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
visible = anything.map(lambda text: HIDDEN.sub("", text))
names = visible.filter(bool)
digests = st.text("0123456789abcdef", min_size=64, max_size=64).map("sha256:".__add__)


def sets(items, **limits):
    return st.lists(items, unique=True, **limits).map(tuple)


@st.composite
def windows(draw):
    days = draw(st.sets(st.sampled_from(DAYS)))
    start, end = draw(st.tuples(st.integers(0, 1439), st.integers(0, 1440)).filter(lambda pair: pair[0] != pair[1]))
    found = TimeWindow(tuple(day for day in DAYS if day in days), start, end)
    return found if found != TimeWindow() else None


def scopes_for(capability: str):
    kinds = {vocabulary()[name].scope_kind for name in vocabulary().expand(capability)}
    kinds = kinds - {"none"} or kinds
    written = [parse_scope(kind, text) for kind in kinds for text in SCOPES[kind]] if len(kinds) == 1 else []
    return sets(st.sampled_from([ANY_SCOPE, *written]), min_size=1, max_size=4)


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
    grants = effect is not Decision.DENY
    constraints = Constraints(
        workspace_only=draw(st.booleans()),
        resource_scope=draw(st.just(()) | scopes_for(capability)),
        denied_command_patterns=draw(sets(st.sampled_from(PATTERNS), max_size=3)) if grants else (),
        arguments=draw(arguments),
        time_window=draw(st.none() | windows()),
        rate_limit=draw(st.none() | st.builds(RateLimit, st.integers(1, 10**6), st.integers(1, 10**6)))
        if grants
        else None,
        redact=grants and draw(st.booleans()),
    )
    return Permission(
        capability,
        draw(scopes_for(capability)),
        effect,
        draw(st.integers(-(10**6), 10**6)),
        draw(st.just(Constraints()) | st.just(constraints)),
        draw(visible),
        tuple(draw(st.lists(evidence, max_size=2))),
    )


evidence = st.builds(Evidence, anything.filter(bool), st.integers(0, 10**7), anything, visible)
classifications = st.builds(
    Classification,
    names,
    st.integers(0, 1000),
    sets(names, max_size=3).map(lambda found: tuple(sorted(found))),
    sets(names, max_size=3).map(lambda found: tuple(sorted(found))),
)
metadata = st.builds(Metadata, names, visible, st.none() | st.integers(1, 4), st.none() | classifications)
entries = st.lists(permissions(), max_size=3).map(tuple)
manifests = st.builds(
    Manifest,
    st.just("remit.json"),
    entries,
    st.none() | metadata,
    st.sampled_from(Verification),
    sets(digests, max_size=2),
)
defaults = st.builds(Defaults, st.just("defaults.json"), entries, visible)
