"""Comparing what is remembered of skills: an algebra, and its corner cases."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.capability import vocabulary
from remit.core.errors import DataError, LockError
from remit.core.location import Location
from remit.core.scope import ScopeKind
from remit.manifest.drift.codec import decode, encode
from remit.manifest.drift.compare import compare
from remit.manifest.drift.lockfile import Lock, Locked, compact, parse, render
from remit.manifest.drift.model import NOTHING, Drift, Summary, Trait, TraitKind, in_order
from remit.manifest.drift.ranks import load, rank_of, ranks
from remit.manifest.drift.skill_pairs import SkillSide, pair

SCOPES = {
    ScopeKind.PATH: ["any", "<arg>", "./out/**", "./out/*.txt", "./out/a.txt", "~/.ssh/id_rsa", "/etc/**", "$TMP/*"],
    ScopeKind.HOST: ["any", "<arg>", "a.example", "*.example", "a.example:443", "evil.example"],
    ScopeKind.PROGRAM: ["any", "git", "curl", "python*", "./scripts/a.py"],
    ScopeKind.NAME: ["any", "HOME", "AWS_*"],
    ScopeKind.TOOL: ["any", "Bash", "mcp__x__*"],
    ScopeKind.NUMBER: ["any", "80", "1..1024"],
    ScopeKind.NONE: ["any"],
}
NAMES = sorted(capability.name for capability in vocabulary())
FILES = st.sampled_from(["SKILL.md", "scripts/a.py", "scripts/b.sh", "assets/x.bin"])
PLACES = st.builds(Location, FILES, st.integers(0, 50))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
MARKS = st.sampled_from(["", "sha256:00", "sha256:01"])


@st.composite
def capabilities(draw):
    name = draw(st.sampled_from(NAMES))
    scope = draw(st.sampled_from(SCOPES[vocabulary()[name].scope_kind]))
    origin = draw(st.sampled_from(["script", "instructed", "hook"]))
    return Trait(
        TraitKind.CAPABILITY,
        name,
        draw(PLACES),
        (scope,),
        origin,
        draw(TEXTS),
        tuple(draw(st.lists(PLACES, max_size=2))),
    )


@st.composite
def entries(draw):
    name = draw(st.sampled_from(["*", "file.*", "secret.read", "web.fetch", "web.post"]))
    kinds = {
        "file.*": ScopeKind.PATH,
        "secret.read": ScopeKind.PATH,
        "web.fetch": ScopeKind.HOST,
        "web.post": ScopeKind.HOST,
    }
    options = SCOPES[kinds[name]] if name in kinds else ["any"]
    scopes = draw(st.lists(st.sampled_from(options), min_size=1, max_size=2, unique=True))
    effect = draw(st.sampled_from(["", "allow", "confirm", "deny"]))
    return Trait(TraitKind.ENTRY, name, draw(PLACES), tuple(sorted(scopes)), effect, mark=draw(MARKS))


TRAITS = st.one_of(
    capabilities(),
    entries(),
    st.builds(Trait, st.just(TraitKind.COMMAND), TEXTS, PLACES, why=TEXTS),
    st.builds(Trait, st.just(TraitKind.HIDDEN), TEXTS, PLACES, why=TEXTS, mark=TEXTS),
    st.builds(Trait, st.just(TraitKind.OPAQUE), TEXTS, PLACES, origin=st.just("script"), mark=MARKS),
    st.builds(Trait, st.just(TraitKind.TOOL), TEXTS, PLACES),
    st.builds(Trait, st.just(TraitKind.PACKAGE), TEXTS, PLACES, st.sampled_from([(), ("1",), ("2",)])),
    st.builds(Trait, st.just(TraitKind.INSTRUCTION), TEXTS, PLACES, mark=TEXTS),
)


@st.composite
def summaries(draw):
    traits = draw(st.lists(TRAITS, max_size=8))
    files = draw(st.dictionaries(FILES, MARKS))
    traits += [Trait(TraitKind.FILE, path, Location(path), mark=mark) for path, mark in files.items()]
    return Summary(draw(TEXTS), draw(TEXTS), draw(MARKS), in_order(traits))


def apart(old, new):
    """The same bytes are the same skill; here only the rest is of interest."""
    return old._replace(content="1"), new._replace(content="2")


@given(summaries())
def test_a_skill_does_not_differ_from_itself(one):
    assert compare(one, one).empty
    drift = compare(*apart(one, one))
    assert drift.empty
    assert not drift.gains


@given(summaries(), summaries())
def test_back_is_forth_with_the_sides_changed(old, new):
    there, back = compare(old, new), compare(new, old)
    assert there == Drift(old, new, back.removed, back.added)


def alone(content, trait):
    return Summary("x", content, "", (trait,))


OPAQUE = Trait(TraitKind.OPAQUE, "nobody knows", Location("a.py", 1), origin="script")
TOOL = Trait(TraitKind.CAPABILITY, "tool.invoke", Location("a.py", 1), ("any",), "script", "why")


@example(alone("1", OPAQUE), alone("2", OPAQUE._replace(mark="sha256:00")))
@example(alone("1", TOOL), alone("2", TOOL._replace(scopes=("Bash",))))
@given(summaries(), summaries())
def test_what_is_added_comes_from_the_new_and_the_worst_stands_first(old, new):
    drift = compare(old, new)
    known = {(trait.subject, trait.scopes, trait.where) for trait in new.traits}
    known |= {
        (trait.where.file, (), trait.where) for trait in new.of(TraitKind.OPAQUE)
    }  # new code is said once for its file
    assert all((change.trait.subject, change.trait.scopes, change.trait.where) in known for change in drift.added)
    assert [change.rank for change in drift.added] == sorted(change.rank for change in drift.added)
    assert [change.rank for change in drift.gains] == sorted(change.rank for change in drift.gains)


@given(summaries(), st.lists(capabilities(), max_size=4))
def test_more_capabilities_are_never_overlooked(old, more):
    """Whatever is added is either shown, or covered by something that the old skill could do."""
    new = Summary("x", "2", "", in_order((*old.traits, *more)))
    old = old._replace(content="1")
    shown = {(change.trait.subject, change.trait.scopes) for change in compare(old, new).added}
    had = {trait.subject for trait in old.of(TraitKind.CAPABILITY)}
    for trait in more:
        covered = any(have == trait.subject or have.replace("file.", "source.") == trait.subject for have in had)
        assert covered or (trait.subject, trait.scopes) in shown


@given(summaries())
def test_everything_of_a_new_skill_is_new(one):
    drift = compare(NOTHING, one._replace(content="1"))
    assert {change.trait.subject for change in drift.added if change.trait.sort is TraitKind.CAPABILITY} == {
        trait.subject for trait in one.of(TraitKind.CAPABILITY)
    }
    assert not drift.removed


@given(summaries())
def test_json_gives_the_same_back(one):
    assert decode(json.loads(json.dumps(encode(one)))) == one


@given(st.dictionaries(TEXTS, summaries(), max_size=3), st.lists(TEXTS, max_size=2, unique=True))
def test_a_lock_gives_the_same_back(skills, roots):
    lock = Lock(tuple(sorted(roots)), tuple(Locked(path, skills[path]) for path in sorted(skills)))
    text = render(lock)
    assert text.isascii()
    read = parse(text.encode(), "x.lock")
    assert read == lock._replace(skills=tuple(Locked(path, compact(found)) for path, found in lock.skills))
    assert render(read) == text


@given(summaries(), summaries())
def test_a_lock_sees_the_same_gains(old, new):
    def words(drift):  # a lock file knows hidden text by its digest, and no text of a sentence
        known = {TraitKind.HIDDEN: lambda trait: trait.mark, TraitKind.REQUEST: lambda trait: trait.where.file}
        return [(c.trait.sort, known.get(c.trait.sort, lambda trait: trait.subject)(c.trait)) for c in drift.gains]

    assert words(compare(compact(old), compact(new))) == words(compare(old, new))


# ── single cases ──


def can(capability, scope="any", origin="script", file="a.py"):
    return Trait(TraitKind.CAPABILITY, capability, Location(file, 1), (scope,), origin, "why")


def gains(old, new):
    drift = compare(Summary("x", "1", "", in_order(old)), Summary("x", "2", "", in_order(new)))
    return [(change.trait.subject, change.trait.scope, change.before) for change in drift.gains]


@each_row(
    ("old", "new", "gained"),
    [
        ([can("file.read", "./out/*")], [can("file.read", "./out/**")], [("file.read", "./out/**", ("./out/*",))]),
        ([can("file.read", "./out/**")], [can("file.read", "./out/*")], []),
        ([can("file.read", "./a")], [can("file.read", "./a"), can("file.read", "./b")], [("file.read", "./b", ())]),
        ([can("file.read", "./a")], [can("source.read", "./a")], []),
        ([can("source.read", "./a")], [can("file.read", "./a")], [("file.read", "./a", ())]),
        ([can("file.read", "./a")], [can("file.read", "./a", "instructed")], []),
        ([can("file.read", "./a")], [can("file.read", "./a", "hook")], [("file.read", "./a", ())]),
        ([can("file.read", "./a", "hook")], [can("file.read", "./a")], []),
        ([can("web.fetch", "*.example")], [can("web.fetch", "a.example")], []),
        ([can("web.fetch")], [can("web.fetch", "evil.example")], [("web.fetch", "evil.example", ("any",))]),
        ([can("web.fetch")], [can("web.fetch", "<arg>")], []),
        ([can("web.fetch", "evil.example"), can("web.post")], [can("web.post", "evil.example")], []),
        ([can("file.read")], [can("file.read", "./a")], []),
        ([can("file.delete")], [can("file.delete", "~/Documents")], [("file.delete", "~/Documents", ("any",))]),
        ([can("file.read", "<arg>")], [can("file.read")], [("file.read", "any", ("<arg>",))]),
        ([can("tool.invoke")], [can("tool.invoke", "Bash")], [("tool.invoke", "Bash", ("any",))]),
    ],
)  # fmt: skip
def test_capabilities(old, new, gained):
    assert gains(old, new) == gained


def entry(capability, scope="any", effect="allow", mark=""):
    return Trait(TraitKind.ENTRY, capability, Location("remit.json", 1), (scope,), effect, mark=mark)


@each_row(
    ("old", "new", "gained"),
    [
        ([entry("file.*")], [entry("file.read", "./a")], 0),
        ([entry("file.read", "./a")], [entry("file.*")], 1),
        ([entry("file.read", effect="allow")], [entry("file.read", effect="confirm")], 0),
        ([entry("file.read", effect="confirm")], [entry("file.read", effect="allow")], 1),
        ([entry("file.read", mark="limited")], [entry("file.read")], 1),
        ([entry("file.read")], [entry("file.read", mark="limited")], 1),  # which is narrower is not for us to say
        ([entry("secret.*", effect="deny")], [], 1),
        ([], [entry("secret.*", effect="deny")], 0),
        ([entry("secret.*", effect="deny")], [entry("secret.read", effect="deny")], 1),
        ([entry("secret.read", effect="deny")], [entry("secret.*", effect="deny")], 0),
        ([entry("*", effect="deny")], [entry("*", effect="allow")], 2),
    ],
)
def test_entries(old, new, gained):
    assert len(gains(old, new)) == gained


def opaque(file="a.py", mark="1", line=1):
    return Trait(TraitKind.OPAQUE, "nobody knows", Location(file, line), origin="script", mark=mark)


@each_row(
    ("old", "new", "gained"),
    [
        ([opaque()], [opaque(line=9)], 0),
        ([opaque()], [opaque(), opaque(line=2)], 1),
        ([opaque()], [opaque(mark="2")], 1),
        ([opaque(), opaque(line=2)], [opaque(mark="2"), opaque(mark="2", line=2)], 1),  # once for the file
        ([opaque()], [opaque(mark="2"), opaque(mark="2", line=2)], 2),
        ([opaque()], [opaque(file="b.py")], 1),
        ([opaque(), opaque(line=2)], [opaque()], 0),
    ],
)
def test_opaque_places(old, new, gained):
    assert len(gains(old, new)) == gained


def test_a_renamed_file_is_the_same_file():
    def side(path):
        return [
            can("source.execute", f"./{path}", "instructed"),
            Trait(TraitKind.FILE, path, Location(path), mark="same"),
        ]

    assert gains(side("scripts/a.py"), side("scripts/b.py")) == []
    other = side("scripts/b.py")
    other[1] = other[1]._replace(mark="other")
    assert gains(side("scripts/a.py"), other) == [("source.execute", "./scripts/b.py", ())]


# ── ranks ──


def test_every_trait_has_a_rank_and_every_row_is_used():
    found = {rank_of(can(name, origin=origin)) for name in NAMES for origin in ("script", "hook")}
    found |= {rank_of(Trait(sort, "x", Location("x"))) for sort in TraitKind if sort is not TraitKind.CAPABILITY}
    missing = [ranks()[number] for number in range(len(ranks())) if number not in found]
    assert not missing, missing


def test_gains_stand_above_changes():
    assert [rank.gain for rank in ranks()] == sorted((rank.gain for rank in ranks()), reverse=True)


@each_row(
    ("text", "message"),
    [
        ("[gain]\nfrob | - | x\n", "ranks.table:2: `frob` is not a sort"),
        ("[other]\ntool | - | x\n", "ranks.table:2: `[other]`"),
        ("[gain]\ncapability | level=high | x\n", "ranks.table:2: `level=high`"),
        ("[gain]\ntool | level=system | x\n", "ranks.table:2: `level=system`"),
        ("[gain]\ntool | - | x\n", "fall under no row"),
        ("[gain]\ntool | -\n", "ranks.table:2: a row has 3 cells"),
    ],
)
def test_a_wrong_table_is_refused(tmp_path, text, message):
    path = tmp_path / "ranks.table"
    path.write_text(text)
    with pytest.raises(DataError) as error:
        load(path)
    assert message in error.value.message


# ── pairs, and locks that are wrong ──


def placed(name, path):
    return SkillSide(path, path, Summary(name, path))


@each_row(
    ("old", "new", "pairs"),
    [
        ([("a", ".")], [("b", "x")], [(".", "x")]),
        ([("a", "a"), ("b", "b")], [("a", "x/a"), ("b", "b")], [("a", "x/a"), ("b", "b")]),
        ([("a", "a"), ("b", "b")], [("c", "a"), ("b", "b")], [("b", "b"), ("a", "a")]),
        ([("a", "a"), ("b", "b")], [("a", "a"), ("a", "z")], [("a", "a"), (None, "z"), ("b", None)]),
        ([("a", "a")], [], [("a", None)]),
    ],
)
def test_pairs(old, new, pairs):
    found = pair([placed(*item) for item in old], [placed(*item) for item in new])
    assert [(one.path if one else None, other.path if other else None) for one, other in found] == pairs


def test_an_edited_lock_is_not_intact():
    text = render(Lock(("a",), (Locked("a", Summary("x", "1", "", (can("file.read", "./a"),))),)))
    assert parse(text.encode(), "x").intact
    assert not parse(text.replace("./a", "./b").encode(), "x").intact


@each_row("data", [b"\xff", b"{", b"[" * 100_000, b'{"lock": 1e400}', b"null", b'{"lock": 1, "skills": 1}'])
def test_what_is_not_a_lock_is_an_error(data):
    with pytest.raises(LockError):
        parse(data, "x")
