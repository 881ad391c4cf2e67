"""Enclawed's manifests: skill.json and `caps:`; tokens, arguments, labels; and what is refused."""

import json

import pytest

from each_row import each_row
from remit.core import vocabulary
from remit.core.errors import ManifestError
from remit.core.scope import ScopeKind, parse_scope
from remit.manifest.foreign.enclawed_read import read_enclawed
from remit.manifest.foreign.enclawed_write import write_enclawed, write_enclawed_json
from remit.manifest.foreign.result import LossKind
from remit.manifest.foreign.tokens import argument_kind, parse_token
from remit.manifest.model import Classification, Decision, Manifest, Metadata, Permission, Verification


def front(text: str):
    return read_enclawed(f"---\nname: demo\n{text}---\nText.\n".encode(), "SKILL.md")


def document(**fields):
    return read_enclawed(json.dumps({"id": "demo", "caps": [], **fields}).encode(), "skill.json")


def shown(reading):
    return [(found.capability, found.place) for found in reading.manifest.permissions]


def test_the_front_matter_is_a_manifest():
    found = front(
        'caps: ["net.egress", "fs.read"]\nversion: 1.2.0\nverification: tested\ndescription: other fields stay out\n'
    )
    assert {name for name, _ in shown(found)} >= {"web.fetch", "api.call", "file.read", "secret.read"}
    assert all(entry.effect is Decision.ALLOW for entry in found.manifest.permissions)
    assert found.manifest.verification is Verification.TESTED
    assert found.manifest.skill_metadata == Metadata("demo", "1.2.0")
    assert found.manifest.permissions[0].line == 3


def test_a_list_over_several_lines_has_their_numbers():
    found = front("caps:\n  - fs.read\n  - pay\n")
    assert {entry.capability: entry.line for entry in found.manifest.permissions}["pay"] == 5


def test_the_full_form():
    found = front(
        "v: 1\nid: report_publisher\nlabel:\n  level: 1\n  compartments: [finance]\n  releasability: [us]\n"
        'caps: [publish]\nsigner: "ops-2026"\nversion: 3\nverification: declared\n'
    )
    label = Classification("1", 1, ("finance",), ("us",))
    assert found.manifest.skill_metadata == Metadata("report_publisher", "3", None, label)
    assert [loss.kind for loss in found.losses] == [LossKind.LOST]  # the signer
    assert shown(found) == [("commit.push", "any"), ("message.send", "any"), ("publish", "any")]


def test_the_form_of_the_paper():
    found = document(
        label={"rank": "public", "compartments": [], "releasability": []},
        caps=["net.egress(*.example.com)", "fs.read(./.cache/)"],
        version=7,
    )
    assert ("web.fetch", "*.example.com") in shown(found)
    assert ("file.read", "./.cache/**") in shown(found)
    assert found.manifest.skill_metadata == Metadata("demo", "7", None, Classification("public", 0))


def test_tokens_of_one_name_join_their_scopes():
    found = document(caps=["fs.read(./a)", "fs.read(./b)"])
    assert ("file.read", "./a, ./b") in shown(found)
    assert ("file.read", "any") in shown(document(caps=["fs.read(./a)", "fs.read"]))


def test_an_argument_grants_nothing_of_another_kind():
    found = document(caps=["spawn.proc(git)"])
    assert ("shell.execute", "git") in shown(found)
    assert not {"package.install", "container.run", "source.execute"} & {name for name, _ in shown(found)}
    assert [loss.kind for loss in found.losses] == [LossKind.UNSURE]


@each_row("token", sorted(vocabulary().enclawed))
def test_a_token_is_all_that_it_stands_for(token):
    found = {entry.capability for entry in document(caps=[token]).manifest.permissions}
    assert {name for entry in found for name in vocabulary().expand(entry)} == set(vocabulary().expand_enclawed(token))
    assert argument_kind(token) in ScopeKind


def test_a_token_that_stands_twice_says_nothing_new():
    assert shown(document(caps=["pay", "pay"])) == shown(document(caps=["pay"]))


@each_row(
    ("token", "reason"),
    [
        ("net.ingress", "is not a token"),
        ("NET.EGRESS", "is not a token"),
        ("net.egress ", "is not a token"),
        ("*", "is not a token"),
        ("fs.*", "is not a token"),
        ("net.egress(a)(b)", "is not a token"),
        ("net.egress(a", "is not a token"),
        ("net.egress\u200b", "is not a token"),
        ("__proto__", "is not a token"),
        ("net.egress()", "a scope is empty"),
        ("net.egress(any)", "narrows nothing"),
        ("net.egress(a.com, b.com)", "several arguments"),
        ("net.egress(http://a.com)", "is not a host"),
        ("fs.read(../x)", "goes up"),
        ("fs.read(./{a,b})", "several arguments"),
        ("pay(lots)", "is not a number"),
        ("", "is not a token"),
        ("x" * 100_000, "is not a token"),
    ],
)
def test_what_is_no_token_is_refused(token, reason):
    with pytest.raises(ManifestError, match=reason) as error:
        parse_token(token)
    assert error.value.remedy
    assert len(error.value.message) < 300
    with pytest.raises(ManifestError, match=r"skill\.json:1:"):
        document(caps=[token])


REFUSED_FRONT = [
    ("caps: net.egress\n", "SKILL.md:3:1: `caps` is text"),
    ("caps: {net.egress: true}\n", "SKILL.md:3:1: `caps` is an object"),
    ("caps: [[pay]]\n", "`caps` is a list"),
    ("caps: [null]\n", "`caps` is null"),
    ("caps: [yes]\n", "`caps` is true or false"),
    ("caps: [1]\n", "`1` is not a token"),
    ("caps: [pay]\ncaps: []\n", "SKILL.md:3: the key `caps` occurs twice"),
    ("caps: [pay]\nlabel: {level: 1, level: 0}\n", "the key `level` occurs twice"),
    ("x: &a [pay]\ncaps: *a\n", "SKILL.md:3: the front matter holds an anchor"),
    ("caps: [&b pay]\n", "holds an anchor"),
    ("<<: {caps: [pay]}\n", "holds an anchor, an alias or a merged key"),
    ("caps: !!python/object/apply:os.system [id]\n", "(in the front matter)"),
    ("caps: [pay]\nv: 2\n", "`v` is not 1"),
    ("caps: [pay]\nverification: proven\n", "`proven` is not a verification"),
    ("caps: [pay]\nlabel: {level: -1}\n", "`level` is text"),
    ("caps: [pay]\nlabel: {}\n", "exactly one of"),
    ("caps: [pay]\nlabel: {level: 1, rank: public}\n", "exactly one of"),
    ("caps: [pay]\nlabel: {rank: cosmic}\n", "`cosmic` is not a known rank"),
    ('caps: [pay]\nid: "a\\u202eb"\n', "U+202E"),
    ("caps: [" + "pay, " * 200 + "]\n", "more than 100 items"),
    ("other: 1\n", "there is no `caps`"),
]


@each_row(("text", "reason"), REFUSED_FRONT, ids=[reason for _, reason in REFUSED_FRONT])
def test_front_matter_that_others_could_read_otherwise_is_refused(text, reason):
    with pytest.raises(ManifestError) as error:
        front(text)
    assert reason in error.value.message
    assert error.value.message.startswith("SKILL.md:")
    assert error.value.remedy


@each_row(
    ("data", "reason"),
    [
        (b'{"caps": []}', "has no `id`"),
        (b'{"id": "x", "caps": [], "extra": 1}', "`extra` is not a field"),
        (b'{"id": "x", "caps": [], "caps": ["pay"]}', "occurs twice"),
        (b'{"id": "x", "caps": [], "__proto__": {}}', "`__proto__` is not a field"),
        (b'{"id": "x", "caps": [], "version": -1}', "`version` is -1"),
        (b'{"id": "x", "caps": [], "version": 1.5}', "`version` is a number"),
        (b'{"id": "x", "caps": [], "v": true}', "`v` is not 1"),
        (b'{"id": "", "caps": []}', "`id` is empty"),
        (b'{"id": "x", "caps": [], "label": {"level": "1"}}', "`level` is text"),
        (b"\xff", "not UTF-8"),
    ],
)  # fmt: skip
def test_a_document_of_another_form_is_refused(data, reason):
    with pytest.raises(ManifestError) as error:
        read_enclawed(data, "skill.json")
    assert reason in error.value.message


def test_there_must_be_front_matter():
    with pytest.raises(ManifestError, match="no front matter"):
        read_enclawed(b"# Title\ncaps: [pay]\n", "SKILL.md")


# ── writing ──


def write(*entries, **more):
    return write_enclawed(Manifest("remit.json", entries, **more))


def allow(capability, *scopes):
    kind = vocabulary()[capability].scope_kind
    return Permission(capability, tuple(parse_scope(kind, scope) for scope in scopes or ("any",)), Decision.ALLOW)


def test_a_token_that_allows_more_is_said():
    found = write(allow("file.delete"))
    assert found.text == 'caps: ["fs.write.irrev"]\n'
    assert found.losses[0].kind is LossKind.WIDENED
    assert found.losses[0].message.startswith("`fs.write.irrev` also allows `file.write`")


def test_the_narrowest_token_is_chosen():
    assert write(allow("file.write")).text == 'caps: ["fs.write.rev"]\n'
    assert write(allow("file.write"), allow("file.delete")).text == 'caps: ["fs.write.irrev"]\n'


def test_scopes_are_arguments_where_they_can_be():
    found = write(allow("web.fetch", "a.example", "b.example"), allow("message.send"))
    assert found.text == 'caps: ["net.egress(a.example)", "net.egress(b.example)", "publish"]\n'
    assert LossKind.UNSURE in {loss.kind for loss in found.losses}
    assert write(allow("package.install", "left-pad")).text == 'caps: ["spawn.proc"]\n'  # an argument is a program


def test_questions_and_denials_cannot_be_said():
    asked = write(Permission("pay", effect=Decision.CONFIRM))
    assert [(loss.kind, loss.capabilities) for loss in asked.losses] == [(LossKind.WIDENED, ("pay",))]
    denied = write(Permission("pay", effect=Decision.DENY))
    assert [loss.kind for loss in denied.losses] == [LossKind.LOST]


def test_what_enclawed_cannot_count_or_name():
    label = Classification("secret", 3)
    found = write(skill_metadata=Metadata("x", "1.0", 2, label), verification=Verification.FORMAL)
    assert found.text == 'id: "x"\nlabel: {"level": 3}\ncaps: []\nverification: "formal"\n'
    assert {loss.kind for loss in found.losses} == {LossKind.LOST}
    assert len(found.losses) == 3


def test_a_file_lacks_its_signer():
    found = write_enclawed_json(Manifest("m", (allow("pay", "..10"),), Metadata("x", "3")))
    assert json.loads(found.text) == {
        "v": 1, "id": "x", "label": {"level": 0}, "caps": ["pay(..10)"], "version": 3, "verification": "unverified",
    }  # fmt: skip
    assert any("signer" in loss.message for loss in found.losses)


@each_row("name", ["a: b # c", "[x]", '"', "*a", "!!str", "---", "{{x}}", "null", "é"])
def test_a_name_stays_a_name_in_yaml(name):
    text = write(skill_metadata=Metadata(name)).text
    found = read_enclawed(f"---\n{text}---\n".encode(), "SKILL.md")
    assert found.manifest.skill_metadata == Metadata(name)
