"""Inclusion is exact: every answer is compared with a regular-language library."""

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from interegular import parse_pattern

from by_day import many
from each_row import each_row
from remit.core import ANY_SCOPE, ScopeKind, covers, overlaps, parse_scope
from remit.core.scope import HostScope, NameScope, NumberScope, PathScope, SymbolScope
from remit.core.scope import component as component_module
from remit.core.scope.parse import normal_parts, one_component

# `z` is never written in a pattern: it stands for all characters that are not
CHARS = "[abz.]"
COMPONENT = r"(?:[abz][abz.]*|\.[abz][abz.]*|\.\.[abz.]+)"

_fsms = {}


def fsm(regex):
    if regex not in _fsms:
        _fsms[regex] = parse_pattern(regex).to_fsm()
    return _fsms[regex]


def path_language(parts):
    def one(part):
        if part == "**":
            return f"(?:/{COMPONENT})*"
        return "/" + "".join({"*": CHARS + "*", "?": CHARS, ".": r"\."}.get(c, c) for c in part)

    return fsm("".join(map(one, parts))) & fsm(f"(?:/{COMPONENT})*")


def name_language(pattern):
    return fsm("".join({"*": CHARS + "*", "?": CHARS, ".": r"\."}.get(c, c) for c in pattern)) & fsm(f"{CHARS}+")


def empty(language):
    return language.empty()


pattern = st.text("aab.*?", min_size=1, max_size=4).filter(lambda p: p not in (".", "..", "**")).map(one_component)
parts = st.lists(st.one_of(pattern, st.just("**"), st.just("*"), st.just("**")), max_size=4).map(normal_parts)


@st.composite
def generalised(draw):
    """Two lists of components, of which the second was made from the first by widening: so that inclusion is common."""
    small = draw(parts)
    large = []
    for part in small:
        choice = draw(st.integers(0, 5))
        if choice == 0 and part != "**":
            large.append("*")
        elif choice == 1:
            large += ["**"]
        elif choice == 2 and part != "**":
            at = draw(st.integers(0, len(part) - 1))
            wide = part[:at] + "*" + part[at + 1 :]
            large.append(one_component(wide) if wide != "**" else "*")
        elif choice == 3:
            large += ["**", part]
        else:
            large.append(part)
    return small, normal_parts(large)


slow = settings(deadline=None, max_examples=many(300), suppress_health_check=[HealthCheck.too_slow])


@slow
@given(st.one_of(generalised(), st.tuples(parts, parts)))
@example((("aa", "*", "a"), ("**", "??*", "?", "**")))
@example(((".*",), (".?*",)))
@example((("*.*",), ("??*",)))
@example((("**", "a", "**"), ("**", "?", "**")))
@example((("*", "**"), ("**", "*")))
@example((("**",), ("*", "**")))
def test_paths_agree_with_the_oracle(pair):
    small, large = pair
    left, right = path_language(small), path_language(large)
    for inner, outer, within in ((small, large, left <= right), (large, small, right <= left)):
        assert covers(PathScope("~", outer), PathScope("~", inner)) is within
    assert overlaps(PathScope("~", small), PathScope("~", large)) is not empty(left & right)


@slow
@given(pattern, pattern)
@example("*.*", "*?.*")
@example(".", "?")
def test_names_agree_with_the_oracle(small, large):
    left, right = name_language(small), name_language(large)
    assert covers(NameScope(large), NameScope(small)) is (left <= right)
    assert overlaps(NameScope(large), NameScope(small)) is not empty(left & right)


@slow
@given(parts, parts)
def test_the_root_covers_every_place_wherever_it_lies(grant, inner):
    within = path_language(("**", *inner)) <= path_language(grant)
    assert covers(PathScope("/", grant), PathScope("~", inner)) is within
    assert covers(PathScope("/", grant), PathScope("workspace", inner)) is within


def test_the_oracle_tells_languages_apart():
    some, all_ = path_language(("*", "**")), path_language(("**",))
    assert some <= all_
    assert not all_ <= some
    assert some.accepts("/a/z")
    assert not some.accepts("/a/..")


@given(parts)
def test_every_scope_covers_itself_and_any_covers_it(items):
    scope = PathScope("skill", items)
    assert covers(scope, scope)
    assert covers(ANY_SCOPE, scope)
    assert not covers(scope, ANY_SCOPE)


def path(text):
    return parse_scope(ScopeKind.PATH, text)


@each_row(
    ("grant", "scope"),
    [
        ("./out/**", "./out"),
        ("./out/**", "./out/a/b.txt"),
        ("./*.txt", "./a*.txt"),
        ("/**", "$TMP/x"),
        ("/**/x", "~/y/x"),
        ("<arg>", "<arg>"),
        ("<arg>/**", "<arg>/out.txt"),
        ("<arg>/../**", "<arg>"),
        ("<arg>/../*/x", "<arg>/x"),
        ("<arg>/../*.b", "<arg>/../a.b"),
        ("**/.env", "./a/.env"),
    ],
)
def test_covered_paths(grant, scope):
    assert covers(path(grant), path(scope))


@each_row(
    ("grant", "scope"),
    [
        ("./out/*", "./out/a/b.txt"),
        ("./out/*", "./out"),
        ("./out", "./out/a"),
        ("./**", "~/x"),
        ("./**", "<arg>"),
        ("/**", "<arg>"),
        ("<arg>", "./x"),
        ("<arg>", "<arg>/x"),
        ("<arg>/**", "<arg>/../x"),
        ("<arg>/../*.b", "<arg>"),
        ("<arg>/../*", "<arg>/x"),
        ("<arg>/../**", "<env:A>"),
        ("<arg>", "<env:HOME_X>"),
        ("<env:A>", "<env:B>"),
        ("~/**", "/home/me/x"),
        ("./Out", "./out"),
        ("/x", "~/x"),
        ("./\\*", "./a"),
        ("./a", "./*"),
    ],
)
def test_paths_that_are_not_covered(grant, scope):
    assert not covers(path(grant), path(scope))


HOSTS = [
    ("example.com", "example.com", True),
    ("example.com", "example.com:443", True),
    ("example.com:443", "example.com", False),
    ("example.com:443", "example.com:80", False),
    ("*.example.com", "a.example.com", True),
    ("*.example.com", "a.b.example.com", True),
    ("*.example.com", "*.b.example.com", True),
    ("*.example.com", "*.example.com:443", True),
    ("*.example.com", "example.com", False),
    ("*.example.com", "evilexample.com", False),
    ("*.example.com", "a.example.com.evil.org", False),
    ("a.example.com", "*.example.com", False),
    ("*.b.example.com", "*.example.com", False),
    ("*:443", "a.org:443", True),
    ("*:443", "[::1]:443", True),
    ("*:443", "a.org", False),
    ("EXAMPLE.com.", "example.com", True),
    ("[::1]", "[0:0:0:0:0:0:0:1]:80", True),
    ("127.0.0.1", "localhost", False),
]


@each_row(("grant", "scope", "expected"), HOSTS)
def test_hosts(grant, scope, expected):
    assert covers(parse_scope("host", grant), parse_scope("host", scope)) is expected


label = st.sampled_from(["a", "b", "z"])
host_pattern = st.lists(label, min_size=1, max_size=3).flatmap(
    lambda ls: st.sampled_from([".".join(ls), "*." + ".".join(ls), "*"])
)


@slow
@given(host_pattern, host_pattern)
def test_hosts_agree_with_the_oracle(large, small):
    def language(host):
        text = host.replace(".", r"\.")
        return fsm(text.replace("*", r"(?:[abz]+\.)*[abz]+"))

    # ports differ only so that `*` is a host pattern and not `any`
    grant, scope = HostScope(large, 1), HostScope(small, 1)
    assert covers(grant, scope) is (language(small) <= language(large))
    assert overlaps(grant, scope) is not empty(language(small) & language(large))


@given(*[st.one_of(st.none(), st.integers(-3, 3))] * 4)
def test_numbers(a, b, c, d):
    def members(low, high):
        return {n for n in range(-9, 10) if (low is None or low <= n) and (high is None or n <= high)}

    if (a is not None and b is not None and a > b) or (c is not None and d is not None and c > d):
        return
    assert covers(NumberScope(a, b), NumberScope(c, d)) is (members(c, d) <= members(a, b))
    assert overlaps(NumberScope(a, b), NumberScope(c, d)) is bool(members(c, d) & members(a, b))


@each_row(
    ("grant", "scope"),
    [
        (NameScope("git"), PathScope("workspace", ("git",))),
        (PathScope("workspace", ("git",)), NameScope("git")),
        (NameScope("*"), PathScope("/", ("usr", "bin", "git"))),
        (NameScope("*"), SymbolScope("<arg>")),
        (SymbolScope("<arg>"), NameScope("x")),
        (HostScope("*", 1), SymbolScope("<arg>")),
        (NumberScope(None, 5), SymbolScope("<arg>")),
    ],
)
def test_scopes_of_different_nature_never_cover_each_other(grant, scope):
    assert not covers(grant, scope)


@each_row(
    ("left", "right", "expected"),
    [
        (PathScope("<arg>"), PathScope("~", (".ssh", "**")), True),
        (PathScope("workspace", ("**",)), PathScope("~", (".ssh", "id")), True),
        (PathScope("workspace", ("x",)), PathScope("~", (".ssh", "id")), False),
        (PathScope("workspace", ("id",)), PathScope("~", (".ssh", "id")), True),
        (PathScope("/", ("etc", "**")), PathScope("~", ("x",)), True),
        (PathScope("~", ("x",)), PathScope("/", ("etc", "y")), False),
        (SymbolScope("<arg>"), NameScope("x"), True),
        (PathScope("<arg>"), NameScope("git"), True),
        (PathScope("workspace", ("git",)), NameScope("git"), False),
        (ANY_SCOPE, NameScope("git"), True),
    ],
)
def test_what_may_overlap(left, right, expected):
    assert overlaps(left, right) is expected
    assert overlaps(right, left) is expected


def test_a_comparison_past_the_budget_grants_nothing_and_denies_all(monkeypatch):
    monkeypatch.setattr(component_module, "BUDGET", 3)
    component_module.signatures.cache_clear()
    small, large = NameScope("*a*b*"), NameScope("*b*a*b*")
    assert not covers(large, small)
    assert overlaps(large, small)
    assert not covers(PathScope("~", ("*a*b*?",)), PathScope("~", ("*a*b*c?",)))
