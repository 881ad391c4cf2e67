"""Where words come from, and where values go."""

import base64
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.errors import DataError
from remit.core.scope import ScopeKind, parse_scope
from remit.guard.call_analysis.destinations import Destination, DestinationKind, destinations, load, table
from remit.guard.call_analysis.flows import Rule, flow
from remit.guard.session.followed_values import MOST, WIDTH, FollowedValues, find, follow, is_opaque
from remit.guard.session.layered_map import LayeredMap
from remit.guard.session.provenance import AuthorKind as From
from remit.guard.session.provenance import Source, empty, is_named, note, origins
from remit.guard.session.tokens import Token, TokenKind, tokens, url_host
from remit.policy.request import Nested, Request

KEY = bytes(range(32))
USER, SKILL, TOOL = (Source(kind) for kind in (From.USER, From.SKILL, From.TOOL))
MANIFEST, WORKSPACE = Source(From.MANIFEST), Source(From.WORKSPACE)
SECRET = Source(From.SECRET, "~/.aws/credentials")
VALUE = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"


def index(*notes, home="/home/ann"):
    out = empty(KEY, home)
    for text, source in notes:
        out = note(out, text, source)
    return out


def request(capability, target="", command="", **arguments):
    from remit.core.capability import vocabulary

    kind = vocabulary()[capability].scope_kind
    scope = parse_scope(kind, target) if kind is not ScopeKind.NONE and target else parse_scope(kind, "any")
    return Request(capability, scope, command, tuple(sorted(arguments.items())))


def host(name):
    return Destination(DestinationKind.HOST, name)


# ── tokens ──


@each_row(
    ("text", "expected"),
    [
        ("see https://Docs.Example.com/a?b", Token(TokenKind.HOST, "docs.example.com")),
        ("upload to docs.example.com.", Token(TokenKind.HOST, "docs.example.com")),
        ("url = git@github.com:acme/app.git", Token(TokenKind.HOST, "github.com")),
        ("post it on http://localhost:8080/x", Token(TokenKind.HOST, "localhost")),
        ("connect to 10.0.0.7:5432", Token(TokenKind.HOST, "10.0.0.7")),
        ("mail Ann@Example.com, please", Token(TokenKind.ADDRESS, "ann@example.com")),
        ("save it in ~/exports/", Token(TokenKind.PATH, "/home/ann/exports")),
        ("write /srv/out/report.txt.", Token(TokenKind.PATH, "/srv/out/report.txt")),
        ("ask @ann-b", Token(TokenKind.NAME, "ann-b")),
        ('[remote "origin"]', Token(TokenKind.NAME, "origin")),
        ("push to origin/release-2", Token(TokenKind.NAME, "release-2")),
        ("https://bücher.example/x", Token(TokenKind.HOST, "xn--bcher-kva.example")),
    ],
)
def test_tokens(text, expected):
    assert expected in set(tokens(text, "/home/ann"))


@each_row(
    ("text", "wrong"),
    [
        ("https://docs.example.com@evil.test/x", Token(TokenKind.HOST, "docs.example.com")),
        ("evil-docs.example.com", Token(TokenKind.HOST, "docs.example.com")),
        ("docs.example.com.evil.test", Token(TokenKind.HOST, "docs.example.com")),
        ("ann@example.com", Token(TokenKind.HOST, "example.com")),
        ("run setup.py and read README.md", Token(TokenKind.HOST, "setup.py")),
        ("run setup.py and read README.md", Token(TokenKind.HOST, "readme.md")),
        ("look into /home/ann", Token(TokenKind.PATH, "/home/ann")),
        ("look into /home", Token(TokenKind.PATH, "/home")),
        ("write ../x and /a/../etc/passwd", Token(TokenKind.PATH, "/etc/passwd")),
        ("https://docs.exаmple.com/", Token(TokenKind.HOST, "docs.example.com")),  # noqa: RUF001  a Cyrillic letter
    ],
)
def test_what_is_no_token(text, wrong):
    assert wrong not in set(tokens(text, "/home/ann"))


def test_the_host_of_an_address():
    assert url_host("https://user:pw@evil.test:8443/docs.example.com") == "evil.test"
    assert url_host("https://[::1]:80/") == "::1"
    assert not url_host("just words")


# ── where words come from ──


def test_only_who_may_name_a_destination_does():
    for source in (USER, MANIFEST, WORKSPACE):
        assert not flow(index(("send it to api.example.com", source)), [host("api.example.com")], "")
    for source in (SKILL, TOOL):
        found = flow(index(("send it to api.example.com", source)), [host("api.example.com")], "")
        assert [item.rule for item in found] == [Rule.DESTINATION]
        assert found[0].sources == (source,)
    (nowhere,) = flow(index(), [host("api.example.com")], "")
    assert "has no known origin" in nowhere.reason


def test_the_sentence():
    (found,) = flow(index(("curl https://x.test", Source(From.SKILL, "git"))), [host("x.test")], "")
    assert found.reason == (
        "the host `x.test` comes only from the text of the skill `git`: "
        "it is not named by you, the manifest or the configuration of the workspace"
    )


def test_a_pattern_counts_in_a_manifest_alone():
    below = Token(TokenKind.HOST, "a.b.example.com")
    assert is_named(index(("*.example.com", MANIFEST)), below)
    assert is_named(index(("*.example.com", MANIFEST)), below, {MANIFEST.name})
    assert not is_named(index(("*.example.com", MANIFEST)), below, {"another"})
    assert not is_named(index(("*.example.com", MANIFEST)), below, ())
    assert not is_named(index(("*.example.com", MANIFEST)), Token(TokenKind.HOST, "example.com"))
    assert not is_named(index(("*.example.com", MANIFEST)), Token(TokenKind.HOST, "evilexample.com"))
    assert not is_named(index(("*.example.com", USER)), below)
    assert not is_named(index(("*", MANIFEST)), below)


def test_a_folder_covers_what_is_in_it():
    known = index(("save it in ~/exports, not in /etc/app.d", USER))
    assert is_named(known, Destination(DestinationKind.PATH, "~/exports/2026/a.csv").token("/home/ann"))
    assert is_named(known, Destination(DestinationKind.PATH, "/etc/app.d/x").token("/home/ann"))
    assert not is_named(known, Destination(DestinationKind.PATH, "~/exports-old/a.csv").token("/home/ann"))
    assert not is_named(known, Destination(DestinationKind.PATH, "/etc/passwd").token("/home/ann"))
    assert not is_named(known, Destination(DestinationKind.PATH, "~/exports/../.ssh/x").token("/home/ann"))


def test_origins_names_every_source():
    known = index(("x.test", SKILL), ("x.test", USER), ("y.test", TOOL))
    assert origins(known, Token(TokenKind.HOST, "x.test")) == {SKILL, USER}


@each_row(
    ("said", "argument", "value"),
    [
        ("text me at +1 (212) 736-5000.", "phone", "+12127365000"),
        ("text me at 212-736-5000", "to", "212 736 5000"),
        ("pay to DE89 3704 0044 0532 0130 00, please", "iban", "DE89370400440532013000"),
        ("post it in #general", "channel", "general"),
        ("ask @ann for it", "assignee", "ann"),
        ("push it to feature/x", "branch", "feature/x"),
    ],
)
def test_numbers_and_names_are_compared_by_what_they_name(said, argument, value):
    places = destinations(request("tool.invoke", "mcp__x__y", **{argument: value}))
    assert places
    assert not flow(index((said, USER)), places, "")
    assert flow(index(("something else", USER)), places, "")


def test_a_number_is_not_named_by_a_part_of_it():
    places = destinations(request("tool.invoke", "mcp__x__y", phone="+1 212 736 5000"))
    assert len(flow(index(("my number begins with +1 212", USER)), places, "")) == 1


def test_a_secret_names_nothing():
    assert not origins(index(("host = vault.example.com", SECRET)), Token(TokenKind.HOST, "vault.example.com"))


def test_more_sources_than_are_told_apart_stay_of_their_kind():
    known = index(*((f"h{number}.test", Source(From.TOOL, str(number))) for number in range(300)), ("u.test", USER))
    assert is_named(known, Token(TokenKind.HOST, "u.test"))
    assert not is_named(known, Token(TokenKind.HOST, "h299.test"))
    assert origins(known, Token(TokenKind.HOST, "h299.test"))


# ── destinations ──


@each_row(
    ("asked", "expected"),
    [
        (request("web.post", "x.test"), [host("x.test")]),
        (request("web.fetch", "x.test", url="https://x.test/a"), []),
        (request("web.fetch", "x.test", url="https://x.test/a?d=1"), [host("x.test")]),
        (request("file.write", "/etc/hosts"), [Destination(DestinationKind.PATH, "/etc/hosts")]),
        (request("file.write", "~/x"), [Destination(DestinationKind.PATH, "~/x")]),
        (request("file.write", "./x"), []),
        (request("file.read", "/etc/hosts"), []),
        (
            request("process.create", "git", "git push origin main"),
            [Destination(DestinationKind.REMOTE, "origin"), Destination(DestinationKind.BRANCH, "main")],
        ),
        (request("process.create", "git", "git push"), []),
        (
            request("process.create", "git", "git push -o ci.skip --force origin HEAD:refs/heads/prod"),
            [Destination(DestinationKind.REMOTE, "origin"), Destination(DestinationKind.BRANCH, "prod")],
        ),
        (request("process.create", "git", "git push https://x.test/r.git"), [host("x.test")]),
        (
            request("process.create", "git", "git push git@x.test:a/r.git"),
            [host("x.test"), Destination(DestinationKind.ACCOUNT, "a")],
        ),
        (request("process.create", "git", "git remote add backup https://x.test/r"), [host("x.test")]),
        (request("process.create", "git", "git config remote.origin.url https://x.test/r"), [host("x.test")]),
        (
            request("process.create", "git", "git config url.https://x.test/.insteadOf https://y.test/"),
            [host("x.test"), host("y.test")],
        ),
        (
            request("process.create", "git", "git -c remote.origin.url=https://x.test/r push origin"),
            [host("x.test"), Destination(DestinationKind.REMOTE, "origin")],
        ),
        (request("process.create", "git", "git config user.name x"), []),
        (
            request("process.create", "git", "git remote add backup https://x.test/eve/r"),
            [host("x.test"), Destination(DestinationKind.ACCOUNT, "eve")],
        ),
        (request("message.send", "ann@example.com"), [Destination(DestinationKind.RECIPIENT, "ann@example.com")]),
        (request("process.create", "git", "git commit -m 'by ann@example.com, thanks'"), []),
        (
            request("process.create", "python", "python send.py --to ann@example.com --subject hi"),
            [Destination(DestinationKind.RECIPIENT, "ann@example.com")],
        ),
        (
            request("process.create", "python", "python send.py --bcc=ann@example.com"),
            [Destination(DestinationKind.RECIPIENT, "ann@example.com")],
        ),
        (
            request("process.create", "mail", "mail ann@example.com"),
            [Destination(DestinationKind.RECIPIENT, "ann@example.com")],
        ),
        (
            request("tool.invoke", "mcp__mail__send", to="Ann <ann@example.com>, bob@example.com"),
            [
                Destination(DestinationKind.RECIPIENT, "ann@example.com"),
                Destination(DestinationKind.RECIPIENT, "bob@example.com"),
            ],
        ),
        (
            request("tool.invoke", "mcp__mail__send", message=Nested('{"recipients":["ann@example.com"],"body":"x"}')),
            [Destination(DestinationKind.RECIPIENT, "ann@example.com")],
        ),
        (request("tool.invoke", "mcp__x__hook", webhook_url="https://x.test/h"), [host("x.test")]),
        (request("tool.invoke", "mcp__pay__send", to_account="DE1"), [Destination(DestinationKind.ACCOUNT, "DE1")]),
        (request("tool.invoke", "mcp__x__put", destination="/srv/a"), [Destination(DestinationKind.PATH, "/srv/a")]),
        (request("tool.invoke", "mcp__x__put", destination="left"), []),
        (request("tool.invoke", "mcp__x__put", text="ask ann@example.com", to=True), []),
        (request("file.read", "./x", to="ann@example.com"), []),
    ],
)
def test_destinations(asked, expected):
    assert list(destinations(asked)) == expected


@each_row("name", sorted(table().arguments))
def test_every_argument_of_the_table_is_a_destination(name):
    assert destinations(request("tool.invoke", "mcp__x__y", **{name.upper(): "https://x.test/a"})) == (host("x.test"),)


@each_row("capability", sorted(table().acting))
def test_every_acting_capability_of_the_table_is_looked_at(capability):
    assert host("x.test") in destinations(request(capability, webhook="https://x.test/a"))


@each_row(
    "line",
    [
        "[scopes]\nweb.fly | host",
        "[scopes]\nweb.post | moon",
        "[arguments]\nTo | host",
        "[else]\nto | host",
        "to | host",
    ],
)
def test_a_wrong_table_is_refused_with_its_line(tmp_path: Path, line):
    path = tmp_path / "destinations.table"
    path.write_text(line + "\n")
    with pytest.raises(DataError, match=r"destinations\.table:\d"):
        load(path)


# ── values ──


@each_row(
    "outgoing",
    [
        f"key={VALUE}",
        f"prefix{VALUE}suffix",
        "\n".join(VALUE[at : at + 7] for at in range(0, len(VALUE), 7)),
        base64.b64encode(VALUE.encode()).decode(),
        f"data: {base64.b64encode(f'a bit before {VALUE} and after'.encode()).decode()}",
        base64.urlsafe_b64encode(f"??>>{VALUE}".encode()).decode(),
        VALUE.encode().hex(),
        VALUE.encode().hex(":"),
        "".join(f"\\x{byte:02x}" for byte in VALUE.encode()),
        quote(VALUE, safe=""),
        "".join(f"%{byte:02X}" for byte in VALUE.encode()),
        base64.b64encode(base64.b64encode(VALUE.encode()).hex().encode()).decode(),
        base64.encodebytes((VALUE * 3).encode()).decode(),
    ],
)
def test_a_secret_is_found_in_every_encoding(outgoing):
    known = index((f"[default]\naws_secret_access_key = {VALUE}\n", SECRET), ("https://x.test", USER))
    (found,) = flow(known, [host("x.test")], outgoing)
    assert found.rule is Rule.VALUE
    assert found.reason == "a value that was read from the secret `~/.aws/credentials` would be sent to `x.test`"
    assert VALUE not in repr(known)


@each_row(
    "outgoing",
    [
        VALUE[:-1],
        VALUE[1:],
        f"a={VALUE[:17]}&b={VALUE[17:]}",
        f"-d x={VALUE[: len(VALUE) // 2]} -d y={VALUE[len(VALUE) // 2 :]}",
        base64.b64encode(VALUE[5:25].encode()).decode(),
    ],
)
def test_a_secret_in_pieces_is_found_by_a_piece(outgoing):
    (found,) = flow(index((f"key = {VALUE}", SECRET)), [], outgoing)
    assert found.rule is Rule.VALUE


def test_pieces_take_only_room_that_whole_values_leave():
    many = "\n".join(f"K{number}={sha256(str(number).encode()).hexdigest()}" for number in range(4000))
    known = index((many, SECRET))
    assert not known.followed.full
    assert flow(known, [], sha256(b"3999").hexdigest())
    assert not flow(index((f"key = {VALUE}", Source(From.HELD, "wages"))), [], VALUE[:20], whose=["wages"])


@each_row("outgoing", [VALUE[:11], VALUE[-11:], VALUE.swapcase(), "nothing of it", ""])
def test_what_is_not_the_secret_is_not_found(outgoing):
    assert not flow(index((f"key = {VALUE}", SECRET)), [], outgoing)


def test_names_and_addresses_in_a_secret_file_are_no_secrets():
    known = index(("DB_PASSWORD=correct-horse\nAPI_URL=https://api.example.com/v1\n", SECRET))
    assert not flow(known, [], "set DB_PASSWORD and call https://api.example.com/v1")
    assert flow(known, [], "it is correct-horse")


def test_what_one_skill_alone_may_read_goes_out_on_its_own_behalf_only():
    line = "Ada Lovelace earns 5200 crowns a month"
    known = index((f"{line}\nshort\n", Source(From.HELD, "wages")))
    (found,) = flow(known, [], f"note: {line}", whose=["board"])
    assert (found.rule, found.reason.count("`wages`"), line in found.reason) == (Rule.VALUE, 1, False)
    assert flow(known, [], line)
    assert flow(known, [], base64.b64encode(line.encode()).decode())
    assert not flow(known, [], line, whose=["wages"])
    assert not flow(known, [], "another line that nobody read by any right", whose=["board"])


def test_what_a_skill_holds_names_nothing():
    assert not origins(index(("see x.example.com", Source(From.HELD, "wages"))), Token(TokenKind.HOST, "x.example.com"))


def test_too_much_to_follow_is_said():
    followed = follow(FollowedValues(KEY), (f"{number:09}-value" for number in range(MOST + 1)), SECRET)
    assert followed.full
    found = flow(empty(KEY)._replace(followed=followed), [], "text")
    assert [item.rule for item in found] == [Rule.UNCHECKED]


def test_more_values_that_begin_alike_than_are_told_apart_is_said():
    assert follow(FollowedValues(KEY), (f"password{number}" for number in range(500)), SECRET).full


def test_a_text_that_is_too_large_is_said():
    known = index((f"key = {VALUE}", SECRET))
    assert [item.rule for item in flow(known, [], "a b " * 2_100_000)] == [Rule.UNCHECKED]


def test_what_is_opaque():
    assert is_opaque("ghp_16C7e42F292c6912E7710c838347Ae178B4a")
    assert not is_opaque("a-very-long-name-of-a-file-or-a-branch")
    assert not is_opaque("src/remit/guard/context/provenance.py")


def test_a_short_key_is_refused():
    with pytest.raises(ValueError, match="16 bytes"):
        empty(b"short")


# ── properties ──

_HOSTS = st.sampled_from(["a.test", "b.test", "evil-a.test", "a.test.evil.test", "docs.a.test", "xa.test"])
_TEXTS = st.lists(st.one_of(_HOSTS, st.sampled_from(["to", "@", ".", "-", "https://", "evil-", "/"])), max_size=8).map(
    " ".join
)
_NOTES = st.lists(st.tuples(_TEXTS, st.sampled_from([USER, SKILL, TOOL, MANIFEST, WORKSPACE])), max_size=6)


@given(_NOTES, _TEXTS, st.lists(_HOSTS, max_size=4))
def test_more_words_of_the_user_never_give_more_findings(notes, more, hosts):
    places = [host(name) for name in hosts]
    before = {item.destination for item in flow(index(*notes), places, "")}
    after = {item.destination for item in flow(index(*notes, (more, USER)), places, "")}
    assert after <= before


@given(_NOTES, _HOSTS)
def test_a_host_is_named_only_if_a_trusted_text_has_it_as_a_whole(notes, name):
    said = any(
        name in text.replace("https:// ", " ").split()
        for text, source in notes
        if source in (USER, MANIFEST, WORKSPACE)
    )
    if is_named(index(*notes), Token(TokenKind.HOST, name)):
        assert said


@given(
    st.text("abcdefXYZ0189/+é", min_size=WIDTH, max_size=60),
    st.text(max_size=30),
    st.text(max_size=30),
    st.integers(0, 5),
)
def test_every_encoding_of_every_value_is_found(value, before, after, way):
    followed = follow(FollowedValues(KEY), [value], SECRET)
    data = value.encode()
    written = [
        value,
        base64.b64encode(data).decode(),
        data.hex(),
        quote(value, safe=""),
        " ".join(value),
        base64.urlsafe_b64encode(data).decode(),
    ][way]
    assert find(followed, f"{before} {written} {after}").sources == (SECRET,)


@given(st.lists(st.dictionaries(st.integers(0, 50), st.integers(1, 9), max_size=6), max_size=12))
def test_layers_are_a_mapping(maps):
    layers, plain = LayeredMap(), {}
    for more in maps:
        layers = layers.plus(more)
        plain |= more
    assert all(layers.get(key) == plain.get(key) for key in range(51))
