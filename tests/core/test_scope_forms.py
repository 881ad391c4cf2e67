"""Writing and reading scopes: each is the inverse of the other, and what means nothing is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core import ANY_SCOPE, ManifestError, ScopeKind, parse_scope
from remit.core.scope import HostScope, NameScope, NumberScope, PathScope, SymbolScope
from remit.core.scope.component import escape, literal, match, normal
from remit.core.scope.parse import normal_parts, one_component

LETTERS = "ab.*?\\[{<~$ /-é\n\u202e"
ANCHORS = ("/", "~", "workspace", "skill", "temp", "<arg>", "<env:HOME_X>", "<model>")


@st.composite
def components(draw):
    pieces = draw(st.lists(st.sampled_from(["*", "?", *LETTERS.replace("/", "")]), min_size=1, max_size=5))
    wild = [draw(st.booleans()) for _ in pieces]
    pattern = "".join(p if w and p in "*?" else escape(p) for p, w in zip(pieces, wild, strict=True))
    return "a" if pattern in (".", "..") else one_component(pattern)


paths = st.builds(
    lambda anchor, parts: PathScope(anchor, normal_parts(parts)),
    st.sampled_from(ANCHORS),
    st.lists(st.one_of(components(), st.just("**")), max_size=4),
)
names = st.text("ab*?<~$\\[{ x/\n.", min_size=1).map(lambda text: NameScope(escape(text)))
hosts = st.builds(
    HostScope,
    st.sampled_from(["example.com", "*.example.com", "127.0.0.1", "::1", "localhost", "a_b.x-y.org"]),
    st.one_of(st.none(), st.integers(1, 65535)),
    tag=st.just("host"),
)
bounds = st.one_of(st.none(), st.integers(-99, 10**6), st.floats(allow_nan=False, allow_infinity=False))


@given(paths)
def test_a_path_reads_back(scope):
    assert parse_scope(ScopeKind.PATH, scope.render()) == scope


@given(names)
def test_a_name_reads_back(scope):
    assert parse_scope(ScopeKind.NAME, scope.render()) == scope
    assert parse_scope(ScopeKind.TOOL, scope.render()) == scope


@given(st.one_of(paths, names.filter(lambda scope: "/" not in scope.pattern)))
def test_a_program_reads_back(scope):
    assert parse_scope(ScopeKind.PROGRAM, scope.render()) == scope


@given(hosts)
def test_a_host_reads_back(scope):
    assert parse_scope(ScopeKind.HOST, scope.render()) == scope


@given(bounds, bounds)
def test_a_number_reads_back(low, high):
    if low is None and high is None:
        return
    if low is not None and high is not None and low > high:
        low, high = high, low
    scope = NumberScope(low, high)
    assert parse_scope(ScopeKind.NUMBER, scope.render()) == scope


@given(st.text())
def test_an_escaped_text_matches_only_itself(text):
    if "\0" in text:
        return
    pattern = escape(text)
    assert literal(pattern) == text
    assert match(pattern, text)
    assert not match(pattern, text + "x")
    assert normal(pattern) == pattern


@given(st.sampled_from(list(ScopeKind)), st.text(LETTERS + "any<arg>:0123", max_size=12))
def test_whatever_is_read_is_written_in_normal_form(kind, text):
    try:
        scope = parse_scope(kind, text)
    except ManifestError:
        return
    assert parse_scope(kind, scope.render()) == scope
    assert scope.render().isprintable()


@each_row(
    ("kind", "text", "scope"),
    [
        ("path", "./out/**", PathScope("workspace", ("out", "**"))),
        ("path", "out/**", PathScope("workspace", ("out", "**"))),
        ("path", "$WORKSPACE/**", PathScope("workspace", ("**",))),
        ("path", "./a//b/./c/", PathScope("workspace", ("a", "b", "c"))),
        ("path", "~", PathScope("~")),
        ("path", "$HOME/x", PathScope("~", ("x",))),
        ("path", "/", PathScope("/")),
        ("path", "$SKILL/data/*.csv", PathScope("skill", ("data", "*.csv"))),
        ("path", "$TMP/x", PathScope("temp", ("x",))),
        ("path", "<arg>/out.txt", PathScope("<arg>", ("out.txt",))),
        ("path", "<arg>/../*.b", PathScope("<arg>/..", ("*.b",))),
        ("path", "<arg>/..", PathScope("<arg>/..")),
        ("path", "./<arg>", PathScope("workspace", ("<arg>",))),
        ("path", "./~/x", PathScope("workspace", ("~", "x"))),
        ("path", "./**/**/*/x", PathScope("workspace", ("*", "**", "x"))),
        ("path", "./a***b", PathScope("workspace", ("a*b",))),
        ("path", "./*?*", PathScope("workspace", ("*",))),
        ("path", "./any", PathScope("workspace", ("any",))),
        ("path", "./\\[id]", PathScope("workspace", ("\\[id]",))),
        ("program", "git", NameScope("git")),
        ("program", "./git", PathScope("workspace", ("git",))),
        ("program", "/usr/bin/git", NameScope("git")),
        ("program", "<arg>", PathScope("<arg>")),
        ("name", "<arg>", SymbolScope("<arg>")),
        ("name", "\\<arg>", NameScope("<arg>")),
        ("name", "@scope/pkg", NameScope("@scope/pkg")),
        ("name", "*", ANY_SCOPE),
        ("name", "\\any", NameScope("any")),
        ("tool", "mcp__github__*", NameScope("mcp__github__*")),
        ("host", "API.Example.COM.", HostScope("api.example.com")),
        ("host", "*.example.com:443", HostScope("*.example.com", 443)),
        ("host", "[0:0::1]:80", HostScope("::1", 80)),
        ("host", "*:443", HostScope("*", 443)),
        ("host", "*", ANY_SCOPE),
        ("host", "<arg>", SymbolScope("<arg>")),
        ("number", "8080", NumberScope(8080, 8080)),
        ("number", "..10", NumberScope(None, 10)),
        ("number", "-1.5..1e3", NumberScope(-1.5, 1000.0)),
        ("path", "any", ANY_SCOPE),
        ("none", "any", ANY_SCOPE),
    ],
)
def test_what_a_text_means(kind, text, scope):
    assert parse_scope(kind, text) == scope


@each_row(
    ("kind", "text"),
    [
        ("path", ""),
        ("path", "../x"),
        ("path", "./a/../b"),
        ("path", "\\.\\."),
        ("path", "~root/x"),
        ("path", "$FOO/x"),
        ("path", "<argument>"),
        ("path", "<arg>.txt"),
        ("path", "<env:A B>"),
        ("path", "./[ab]"),
        ("path", "./{a,b}"),
        ("path", "./a\\"),
        ("path", "./\\x41"),
        ("path", "./\\x{}"),
        ("path", "./\\x{110000}"),
        ("path", "./\\x{0}"),
        ("path", "./a\0b"),
        ("path", "./a\\x{2f}b"),
        ("program", ".."),
        ("host", "exa mple.com"),
        ("host", "example.com:0"),
        ("host", "example.com:65536"),
        ("host", "example.com:"),
        ("host", "example.com:٣"),
        ("host", "user@example.com"),
        ("host", "https://example.com"),
        ("host", "exämple.com"),
        ("host", "a..b"),
        ("host", "-a.com"),
        ("host", "127.1"),
        ("host", "0x7f.0.0.1"),
        ("host", "010.0.0.1"),
        ("host", "256.0.0.1"),
        ("host", "1.2.3.4."),
        ("host", "*.0.0.1"),
        ("host", "a.*.com"),
        ("host", "*.*.com"),
        ("host", "[::1%eth0]"),
        ("host", "[::1"),
        ("host", "::1"),
        ("host", "a" * 64 + ".com"),
        ("name", "<arg"),
        ("number", "ten"),
        ("number", "10..1"),
        ("number", ".."),
        ("number", "1..2..3"),
        ("number", "nan"),
        ("none", "x"),
    ],
)
def test_what_means_nothing_is_refused_with_a_remedy(kind, text):
    with pytest.raises(ManifestError) as caught:
        parse_scope(kind, text)
    assert caught.value.remedy
    assert not caught.value.message.endswith(".")
