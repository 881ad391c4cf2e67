"""From abstract values to scopes: what each form means, and that no concrete run leaves the scope it was given."""

import posixpath
from urllib.parse import urlsplit

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from by_day import many
from each_row import each_row
from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NONE,
    SOME_TEXT,
    TRUE,
    Anything,
    Data,
    Hole,
    Instance,
    Num,
    Object,
    Text,
    lit,
    text,
)
from remit.analysis.scopes import file_url_paths, reported_scopes, scopes_of, written_scope
from remit.analysis.world import HERE
from remit.core import ANY_SCOPE, ManifestError, covers
from remit.core.scope import HostScope, NameScope, PathScope, SymbolScope
from remit.core.scope.component import escape, match

ARG, ENV, UNKNOWN = Hole("arg"), Hole("env:DATA_DIR"), Hole("any")
DERIVED = Hole("arg", exact=False)
SEG, NUM, TREE = Hole("any", "seg"), Hole("any", "num"), Hole("any", "tree")
SKILL, CWD, HOME, TEMP = Hole("skill"), Hole("cwd"), Hole("home"), Hole("temp")


def of(*parts):
    return frozenset({text(*parts)})


def rendered(capability, value, cwd=HERE, port=None):
    return sorted(scope.render() for scope in scopes_of(capability, value, cwd, port))


PATHS = [
    (["notes.txt"], "./notes.txt"),
    (["a//b/./c/"], "./a/b/c"),
    (["a/../b"], "./b"),
    ([""], "."),
    (["."], "."),
    (["/etc/passwd"], "/etc/passwd"),
    (["//etc/passwd"], "/etc/passwd"),
    (["/../etc"], "/etc"),
    (["../x"], "/**/x"),
    (["a/../../x"], "/**/x"),
    (["../../a/../b/c.md"], "/**/b/c.md"),
    ([".."], "any"),
    (["../", SEG], "any"),
    (["../a/", SEG], "/**/a/*"),
    (["../", DERIVED], "any"),
    (["~/x"], "./~/x"),
    (["$HOME/x"], "./$HOME/x"),
    (["*.txt"], "./\\*.txt"),
    (["a\0b"], "any"),
    ([HOME, "/.ssh/id_rsa"], "~/.ssh/id_rsa"),
    ([HOME], "~"),
    ([HOME, "-old/x"], "any"),
    ([HOME, "/.."], "any"),
    ([HOME, SEG], "any"),
    ([SKILL, "/scripts/../data.csv"], "$SKILL/data.csv"),
    ([SKILL, "/../x"], "/**/x"),
    ([TEMP, "/", SEG], "$TMP/*"),
    ([CWD, "/out"], "./out"),
    (["a/", HOME], "any"),
    ([Hole("env:HOME"), "/x"], "~/x"),
    ([Hole("env:TMPDIR")], "$TMP"),
    ([ARG], "<arg>"),
    ([ARG, "/out.txt"], "<arg>/out.txt"),
    ([ARG, "/a/../b"], "<arg>/b"),
    ([ARG, "/../b"], "any"),
    ([ARG, ".json"], "<arg>/../*.json"),
    ([ARG, SEG], "<arg>/../*"),
    ([ARG, "/", SEG, ".txt"], "<arg>/*.txt"),
    ([ENV, "/x"], "<env:DATA_DIR>/x"),
    ([Hole("env:A B")], "any"),
    ([Hole("stdin")], "<stdin>"),
    ([Hole("model"), "/x"], "<model>/x"),
    ([DERIVED], "any"),
    ([Hole("arg", "seg", exact=False)], "./*"),
    (["out/", DERIVED], "any"),
    (["out/", ARG, "/../x"], "any"),
    (["out/", UNKNOWN, ".txt"], "any"),
    (["out/", Hole("any", "quoted")], "any"),
    (["out/", SEG, ".txt"], "./out/*.txt"),
    (["out/", SEG, "-", NUM, ".txt"], "./out/*-*.txt"),
    (["out/", SEG, SEG], "./out/*"),
    (["out/", SEG, "/.."], "any"),
    (["out/\\", SEG, "/.."], "any"),
    ([NUM, ".txt"], "./*.txt"),
    ([SEG, "/x"], "./*/x"),
    (["out/", TREE], "./out/**"),
    (["out/", TREE, "/x"], "./out/**/x"),
    (["out/a", TREE], "./out/**"),
    (["out/.", TREE, "."], "any"),
    (["out/", TREE, "/.."], "any"),
    (["out/", TREE, "/", TREE, "/*"], "./out/**/\\*"),
    ([UNKNOWN], "any"),
    ([UNKNOWN, "/x"], "any"),
]


@each_row(("parts", "expected"), PATHS)
def test_a_path(parts, expected):
    assert rendered("file.read", of(*parts)) == [expected]


@each_row(
    ("parts", "cwd", "expected"),
    [
        (["x"], lit("/srv"), ["/srv/x"]),
        (["../x"], lit("/srv/a"), ["/srv/x"]),
        (["x"], lit("sub"), ["./sub/x"]),
        (["x"], of(SKILL, "/data"), ["$SKILL/data/x"]),
        (["x"], of(ARG), ["<arg>/x"]),
        (["x"], HERE | lit("/srv"), ["./x", "/srv/x"]),
        (["x"], ANY, ["any"]),
        (["x"], BOTTOM, ["any"]),
        (["/x"], ANY, ["/x"]),
        ([HOME, "/x"], ANY, ["~/x"]),
        ([ARG], lit("/etc"), ["any"]),
        ([ARG], HERE | lit("/etc"), ["any"]),
        ([TREE, "/x"], HERE, ["./**/x", "/x"]),
    ],
)
def test_relative_paths_start_from_each_folder(parts, cwd, expected):
    assert rendered("file.write", of(*parts), cwd) == expected


@each_row(
    ("value", "expected"),
    [
        (ANY, ["any"]),
        (BOTTOM, ["any"]),
        (frozenset({NONE}), ["any"]),
        (frozenset({NONE, TRUE}) | lit("x"), ["./x"]),
        (frozenset({Anything("arg")}), ["any"]),
        (frozenset({Object(1)}), ["any"]),
        (frozenset({Object(1)}) | lit("x"), ["any"]),
        (frozenset({Instance("pathlib.Path", frozenset({text(ARG)}))}), ["<arg>"]),
        (frozenset({Instance("pathlib.Path", frozenset({text("a"), text("b")}))}), ["./a", "./b"]),
        (frozenset({Instance("pathlib.Path")}), ["any"]),
        (frozenset({Data("file")}), ["<file>"]),
        (frozenset({Data("arg")}), ["any"]),
        (frozenset({Num(0, 0)}), []),  # a descriptor is a handle
        (frozenset({Num()}) | lit("x"), ["./x"]),
        (lit("x") | SOME_TEXT, ["any"]),
        (frozenset(text(f"out/{i}.txt") for i in range(8)), [f"./out/{i}.txt" for i in range(8)]),
        (frozenset(text(f"out/{i}.txt") for i in range(9)), ["./out/**"]),
        (frozenset(text(f"out/{i}/x") for i in range(9)) | of(ARG), ["./out/**", "<arg>"]),
    ],
)
def test_values_as_paths(value, expected):
    assert rendered("file.read", value) == expected


HOSTS = [
    (["https://api.example.com/v1"], "api.example.com:443"),
    (["https://API.Example.com./v1"], "api.example.com:443"),
    (["http://example.com"], "example.com:80"),
    (["http://example.com:8080?q"], "example.com:8080"),
    (["wss://example.com#x"], "example.com:443"),
    (["example.com"], "example.com"),
    (["example.com:25"], "example.com:25"),
    (["example.com/x"], "example.com"),
    (["localhost"], "localhost"),
    (["http://[::1]:8000/"], "[::1]:8000"),
    (["http://[::1]/"], "[::1]:80"),
    (["https://api.example.com/", UNKNOWN], "api.example.com:443"),
    (["https://api.example.com?q=", ARG], "api.example.com:443"),
    (["https://api.example.com", UNKNOWN], "any"),
    (["https://api.example.com:", UNKNOWN], "any"),
    (["https://api.example.com:", NUM, "/"], "api.example.com"),
    (["https://", NUM, ".example.com/"], "*.example.com:443"),
    (["https://s", NUM, "-x.example.com:80/"], "*.example.com:80"),
    (["https://s", NUM, "/"], "any"),
    (["https://s", NUM, "@a.example.com/"], "any"),
    (["https://a@", NUM, ".example.com/"], "any"),
    (["https://", NUM, ".0.0.1/"], "any"),
    (["https://", SEG, ".example.com/"], "any"),  # a segment may hold `#`
    (["https", UNKNOWN], "any"),
    (["https:", UNKNOWN], "any"),
    (["https://", UNKNOWN], "any"),
    ([ARG], "<arg>"),
    ([ENV, "/v1/", UNKNOWN], "<env:DATA_DIR>"),
    ([ARG, "?q"], "<arg>"),
    ([ARG, ".example.com"], "any"),
    ([ARG, ":80"], "<arg>"),
    ([ARG, ":", NUM], "<arg>"),
    ([ARG, ":", UNKNOWN], "any"),
    ([ARG, ":80@evil.org"], "any"),
    ([ARG, ":", NUM, ".evil.org"], "any"),
    ([":8080"], "*:8080"),
    ([":", NUM], "any"),
    ([DERIVED], "any"),
    (["https://user@example.com/"], "any"),
    (["https://example.com@evil.org/"], "any"),
    (["https://example.com\\@evil.org/"], "any"),
    (["https://example.com%2eevil.org/"], "any"),
    (["https://example.com\t.evil.org/"], "any"),
    ([" https://example.com/"], "any"),
    (["https:\\\\example.com/"], "any"),
    (["https:/example.com/"], "any"),
    (["//example.com/"], "any"),
    (["/var/run/docker.sock"], "any"),
    (["https://exämple.com/"], "any"),
    (["https://example.com:0x50/"], "any"),
    (["https://example.com:/"], "any"),
    (["https://127.1/"], "any"),
    (["https://2130706433/"], "any"),
    (["https://127.0.0.1/"], "127.0.0.1:443"),
    (["https://*.example.com/"], "any"),
    (["*.example.com"], "*.example.com"),
    (["*.example.com/x"], "any"),
    (["*.", ARG], "any"),
    (["file:///etc/passwd"], "any"),
    (["gopher://example.com/"], "any"),
    (["https:///x"], "any"),
    ([""], "any"),
]


@each_row(("parts", "expected"), HOSTS)
def test_a_host(parts, expected):
    assert rendered("web.fetch", of(*parts)) == [expected]


@each_row(
    ("host", "port", "expected"),
    [
        (lit("example.com"), frozenset({Num(25, 25)}), ["example.com:25"]),
        (lit("example.com"), lit("25"), ["example.com:25"]),
        (lit("example.com"), frozenset({Num(25, 25), Num(587, 587)}), ["example.com:25", "example.com:587"]),
        (lit("example.com"), frozenset({Num(1, 1024)}), ["example.com"]),
        (lit("example.com"), frozenset({Num(0, 0)}), ["example.com"]),
        (lit("example.com"), ANY, ["example.com"]),
        (lit("example.com"), None, ["example.com"]),
        (lit("example.com:80"), frozenset({Num(25, 25)}), ["example.com:80"]),
        (lit(""), frozenset({Num(8080, 8080)}), ["*:8080"]),
        (of(ARG), frozenset({Num(8080, 8080)}), ["<arg>"]),
        (ANY, frozenset({Num(8080, 8080)}), ["any"]),
    ],
)
def test_a_port_of_its_own(host, port, expected):
    assert rendered("net.listen", host, HERE, port) == expected


@each_row(
    ("capability", "parts", "expected"),
    [
        ("process.create", ["git"], "git"),
        ("process.create", ["./git"], "./git"),
        ("process.create", ["bin/git"], "./bin/git"),
        ("process.create", ["/usr/bin/git"], "git"),
        ("process.create", ["/opt/bin/git"], "/opt/bin/git"),
        ("process.create", [SKILL, "/run.sh"], "$SKILL/run.sh"),
        ("process.create", ["python", NUM], "python*"),
        ("process.create", ["./", SEG], "./*"),
        ("process.create", [SEG], "any"),
        ("process.create", [ARG], "<arg>"),
        ("process.create", [Hole("env:EDITOR")], "<env:EDITOR>"),
        ("process.create", [DERIVED], "any"),
        ("process.create", ["git-", UNKNOWN], "any"),
        ("process.create", ["git-", TREE], "any"),
        ("process.create", [""], "any"),
        ("process.create", ["any"], "\\any"),
        ("env.read", ["GITHUB_TOKEN"], "GITHUB_TOKEN"),
        ("env.read", ["AWS_", UNKNOWN], "AWS_*"),
        ("env.read", [UNKNOWN], "any"),
        ("env.read", [ARG], "<arg>"),
        ("env.read", ["A*"], "A\\*"),
        ("env.read", ["a\0"], "any"),
        ("env.read", [""], "any"),
        ("package.install", ["@types/node"], "@types/node"),
        ("tool.invoke", ["mcp__x__", SEG], "mcp__x__*"),
        ("clipboard.read", ["x"], "any"),
        ("pay", ["12.5"], "12.5"),
        ("pay", ["1..2"], "any"),
        ("pay", ["much"], "any"),
        ("pay", [ARG], "<arg>"),
    ],
)
def test_other_kinds(capability, parts, expected):
    assert rendered(capability, of(*parts)) == [expected]


@each_row(
    ("value", "expected"),
    [
        (frozenset({Num(1, 5)}), "1..5"),
        (frozenset({Num()}), "any"),
        (frozenset({NONE}), "any"),
        (frozenset({Num(7, 7)}), "7"),
    ],
)
def test_numbers(value, expected):
    assert rendered("pay", value) == [expected]


@pytest.mark.parametrize(("value", "expected"), [(frozenset({Num(9, 9)}), "9"), (frozenset({Num(1, 9)}), "any")])
def test_a_number_as_a_name(value, expected):
    assert rendered("process.kill", value) == [expected]


def test_many_names_are_any():
    assert rendered("env.read", frozenset(text(f"V{i}") for i in range(9))) == ["any"]
    assert len(rendered("env.read", frozenset(text(f"V{i}") for i in range(8)))) == 8


@each_row(
    ("parts", "expected"),
    [
        (["file:///etc/passwd"], of("/etc/passwd")),
        (["FILE://localhost/etc/passwd"], of("/etc/passwd")),
        (["file:/etc/passwd"], of("/etc/passwd")),
        (["file:///x/", NUM], of("/x/", NUM)),
        (["file:///x/", SEG], SOME_TEXT),
        (["file:///%65tc"], SOME_TEXT),
        (["file://host/x"], SOME_TEXT),
        (["file:x"], SOME_TEXT),
        ([" file:///x"], SOME_TEXT),
        (["<URL:file:///x>"], SOME_TEXT),
        (["url:file:///x"], SOME_TEXT),
        (["local_file:///x"], SOME_TEXT),
        ([ARG], SOME_TEXT),
        ([UNKNOWN, "://x"], SOME_TEXT),
        (["fi", UNKNOWN], SOME_TEXT),
        (["https://x/", UNKNOWN], BOTTOM),
        (["http", UNKNOWN], BOTTOM),
        (["x"], BOTTOM),
        ([NUM], BOTTOM),
        ([""], BOTTOM),
    ],
)
def test_urls_that_name_files(parts, expected):
    assert file_url_paths(of(*parts)) == expected


def test_a_value_that_may_be_anything_may_be_a_file_url():
    assert file_url_paths(ANY) == SOME_TEXT
    assert file_url_paths(frozenset({NONE})) == BOTTOM


@each_row(
    ("capability", "written", "expected"),
    [
        ("file.write", "~/.cache/torch/**", "~/.cache/torch/**"),
        ("file.write", "~", "~"),
        ("file.write", "/etc/*.d/x", "/etc/*.d/x"),
        ("file.write", "/", "/"),
        ("file.write", "$SKILL/a?c", "$SKILL/a*c"),
        ("file.write", "$TMP/**/*.txt", "$TMP/**/*.txt"),
        ("file.write", "<arg>/x", "<arg>/x"),
        ("file.write", "<arg>/../x", "<arg>/../x"),
        ("file.write", "x/**", "./x/**"),
        ("file.write", ".", "."),
        ("file.write", "./a\\*b", "./a\\*b"),
        ("file.write", "any", "any"),
        ("env.read", "AWS_*", "AWS_*"),
        ("env.read", "*", "any"),
        ("env.read", "<env:X>", "<env:X>"),
        ("env.read", "\\<env:X>", "\\<env:X>"),
        ("pay", "12", "12"),
        ("pay", "1..5", "1..5"),
        ("process.create", "python3", "python3"),
        ("process.create", "python*", "python*"),
        ("process.create", "~/bin/x", "~/bin/x"),
        ("api.call", "*.amazonaws.com", "*.amazonaws.com"),
        ("api.call", "https://api.openai.com", "api.openai.com:443"),
    ],
)
def test_a_scope_that_a_summary_writes(capability, written, expected):
    assert rendered(capability, written_scope(capability, written)) == [expected]


def test_a_relative_scope_of_a_summary_starts_from_the_current_folder():
    assert rendered("file.read", written_scope("file.read", ".env"), lit("/srv")) == ["/srv/.env"]


def test_a_scope_that_a_summary_cannot_write_is_refused():
    with pytest.raises(ManifestError):
        written_scope("file.read", "../x")
    with pytest.raises(ManifestError):
        written_scope("web.fetch", "127.1")


# Every concrete run lies inside.

PLACES = {"skill": "/s/k", "cwd": "/w/d", "home": "/h/u", "temp": "/t"}
NORMAL = {"~": "/h/u", "workspace": "/w/d", "skill": "/s/k", "temp": "/t", "/": "/"}
segments = st.sampled_from(["a", "b.c", ".x", "..x", "*", "~", "?q", "a b", "#f", "x:y@z"])
anything = st.sampled_from(
    ["", "a", "/", "..", "../..", "/etc", "a/../..", "~", ".", "a/b", "//x", "@evil.org", "http://e.org"]
)
FILL = {
    "seg": segments,
    "num": st.sampled_from(["0", "-1.5", "12", "1e5"]),
    "tree": st.lists(segments, max_size=2).map("/".join),
    "any": anything,
    "quoted": anything,
}
literals = st.text("a./-~*", min_size=1, max_size=5)
holes = st.sampled_from([ARG, ENV, SEG, NUM, TREE, UNKNOWN, DERIVED, Hole("any", "quoted")])
leads = st.sampled_from([SKILL, CWD, HOME, TEMP, ARG, TREE, SEG, "/", "a"])


@st.composite
def runs(draw):
    """A text with holes, what they are filled with, and the text that results."""
    parts = [*draw(st.lists(leads, max_size=1)), *draw(st.lists(st.one_of(literals, holes, st.just("/")), max_size=5))]
    abstract = text(*parts)
    filled = {}
    out = []
    for part in abstract.parts:
        if isinstance(part, str):
            out.append(part)
        elif part.origin in PLACES:
            out.append(PLACES[part.origin])
        elif part in (ARG, ENV):  # one variable has one value
            out.append(filled.setdefault(part.origin, draw(anything)))
        else:
            out.append(draw(FILL[part.alphabet]))
    return abstract, filled, "".join(out)


def absolute(path, cwd):
    return posixpath.normpath("/" + posixpath.join(cwd, path).lstrip("/"))


def placed(scope, filled, cwd):
    """The scope with its anchor replaced by the folder that it is in this run; the folder of an argument is that of its text."""
    if scope == ANY_SCOPE:
        return [scope]
    value = NORMAL.get(scope.anchor)
    given = "" if value else filled[scope.symbol[1:-1]]
    folders = [absolute(posixpath.dirname(given), cwd), posixpath.dirname(absolute(given, cwd))]
    values = [value] if value else folders if scope.is_beside else [absolute(given, cwd)]
    return [PathScope("/", (*(escape(c) for c in value.split("/") if c), *scope.parts)) for value in values]


@settings(max_examples=many(250), deadline=None)
@given(
    runs(),
    st.sampled_from([(HERE, "/w/d"), (lit("/etc/x"), "/etc/x"), (of(SKILL, "/a"), "/s/k/a"), (lit("sub"), "/w/d/sub")]),
)
@example((text("a/", ARG), {"arg": "b/c"}, "a/b/c"), (HERE, "/w/d"))
@example((text(ARG, ".b"), {"arg": "x/y"}, "x/y.b"), (HERE, "/w/d"))
def test_every_run_acts_inside_its_path_scope(run, where):
    abstract, filled, concrete = run
    cwd, folder = where
    # an empty argument before a slash names the root: an argument is not empty (a printed assumption)
    assume(filled.get("arg") != "" and filled.get("env:DATA_DIR") != "")
    target = PathScope("/", tuple(escape(c) for c in absolute(concrete, folder).split("/") if c))
    scopes = scopes_of("file.read", frozenset({abstract}), cwd)
    # a part of a path that the caller passes leads up only to what the caller means (a printed assumption)
    inside = {part.origin for part in abstract.parts[1:] if part in (ARG, ENV)} | {
        part.origin for part in abstract.parts[:1] if part in (ARG, ENV) and str(abstract.parts[1:2]).find("'/") != 1
    }
    assume(not any(".." in filled[origin] or filled[origin] in (".", "/") for origin in inside))
    assert any(covers(place, target) for scope in scopes for place in placed(scope, filled, folder)), (scopes, concrete)


host_literals = st.sampled_from(
    ["https://", "http://a.com", "a.com", ".b.com", ":80", "/", "?", "#", "@", "\\", "x", "[::1]", "%2e"]
)


@st.composite
def urls(draw):
    parts = draw(
        st.lists(
            st.one_of(host_literals, host_literals, st.sampled_from([ARG, SEG, NUM, UNKNOWN])), min_size=1, max_size=5
        )
    )
    abstract = text(*parts)
    filled = {"arg": draw(anything)}
    concrete = "".join(
        part if isinstance(part, str) else filled["arg"] if part == ARG else draw(FILL[part.alphabet])
        for part in abstract.parts
    )
    return abstract, filled["arg"], concrete


def host_of(url):
    try:
        return urlsplit(url if "://" in url.split("/", 1)[0] + "//" and ":/" in url else "//" + url).hostname
    except ValueError:
        return None


@settings(max_examples=many(250), deadline=None)
@given(urls())
def test_every_run_reaches_a_host_of_its_scope(run):
    abstract, arg, concrete = run
    assume(arg)
    host = host_of(concrete)
    assume(host)
    for scope in scopes_of("web.fetch", frozenset({abstract}), HERE):
        if isinstance(scope, SymbolScope):
            assert host_of(arg) in (host, None)
        elif isinstance(scope, HostScope):
            assert covers(HostScope(scope.host), HostScope(host.rstrip(".")))


@settings(max_examples=many(150), deadline=None)
@given(runs())
def test_every_run_acts_on_a_name_of_its_scope(run):
    abstract, filled, concrete = run
    assume(concrete)
    for scope in scopes_of("env.read", frozenset({abstract}), HERE):
        if isinstance(scope, NameScope):
            assert match(scope.pattern, concrete)
        elif isinstance(scope, SymbolScope):
            assert filled[scope.symbol[1:-1]] == concrete


def test_a_text_is_never_read_as_a_pattern():
    scope = PathScope("workspace", (escape("*"),))
    assert scopes_of("file.read", frozenset({Text(("*",))}), HERE) == {scope}
    assert not covers(scope, PathScope("workspace", ("a",)))


@each_row(
    ("capability", "value", "expected"),
    [
        ("web.fetch", lit("https://a.example/") | ANY, ["a.example:443", "any"]),
        ("web.fetch", lit("https://a.example/") | of("https://", Hole("file"), ".b/x"), ["a.example:443", "any"]),
        ("file.write", lit("x") | SOME_TEXT, ["./x", "any"]),
        ("file.write", frozenset(text(f"{i}") for i in range(9)) | SOME_TEXT, ["any"]),
    ],
)
def test_what_is_named_is_reported_beside_any(capability, value, expected):
    assert sorted(scope.render() for scope in reported_scopes(capability, value, HERE)) == expected
    assert rendered(capability, value) == ["any"]
