"""`remit keys`: what is made, what is shown, and what is refused."""

import json
import os
import re
from datetime import UTC, datetime

import pytest
from cli_skills import run

from remit.bundle.refusal import Refusal
from remit.bundle.rotation import How, pin, read_signatures
from remit.bundle.trust_read import read_trust_root

NOW = datetime.now(UTC)


def shown(out: str, err: str = "") -> str:
    """Without what differs each time."""
    names: dict[str, str] = {}

    def name(found: re.Match[str]) -> str:
        return f"<keyid {names.setdefault(found[0][:16], str(len(names) + 1))}>"

    text = re.sub(r"sha256:[0-9a-f]{64}", "<digest>", out + err)
    text = re.sub(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{16}…", name, text)
    text = re.sub(r"[A-Za-z0-9+/]{43}=", "<public>", text)
    return re.sub(r"202\d-\d\d-\d\d(T[0-9:]+Z)?(?=: |\")", "<today>", text)


@pytest.fixture
def keys(capfd, work):
    """Three keys: a, b and c."""
    for name in "abc":
        assert run(capfd, "keys", "new", f"{name}.key", "--name", f"signer {name}")[0] == 0
    return work


def trust(capfd, *words):
    status, out, err = run(capfd, "keys", "trust", "trust.json", *words)
    assert status == 0, err
    return out


def opened(path, state):
    """The trust root in a file, and how it is accepted; or why it is not."""
    root = read_trust_root(path)
    found = pin(state, root, read_signatures(path), NOW)
    return found if isinstance(found, Refusal) else (root, found)


def ids(work) -> list[str]:
    return [key["keyid"] for key in json.loads((work / "trust.json").read_text())["keys"]]


def test_making_a_key(capfd, work, snapshot):
    status, out, err = run(capfd, "keys", "new", "release.key", "--name", "Acme release")
    assert (status, err) == (0, "")
    assert shown(out) == snapshot
    assert (work / "release.key").stat().st_mode & 0o777 == 0o600


def test_showing_keys(capfd, keys, snapshot):
    screens = [shown(*run(capfd, "keys", "show", name)[1:]) for name in ("a.key", "a.key.pub")]
    assert "\n".join(screens) == snapshot


def test_private_material_is_never_printed(capfd, keys):
    secret = (keys / "a.key").read_text().splitlines()[1]
    trust(capfd, "--add", "a.key.pub", "--level", "formal", "--root")
    commands = [
        ("show", "a.key"), ("show", "a.key", "--format", "json"), ("new", "a.key"), ("show", "a.key.pub"),
        ("trust", "trust.json", "--add", "a.key", "--level", "formal"), ("trust", "trust.json", "--sign", "a.key"),
        ("trust", "trust.json", "--certificate", "a.key", "--name", "x", "--level", "formal"),
        ("trust", "trust.json", "--sigstore", "a.key"),
    ]  # fmt: skip
    for words in commands:
        _, out, err = run(capfd, "keys", *words)
        assert secret not in out + err
    assert secret not in (keys / "trust.json").read_text()


def test_a_trust_root_from_the_first_key_to_the_second_version(capfd, keys, snapshot):
    screens = [
        trust(capfd, "--add", "a.key.pub", "--level", "formal", "--root"),
        trust(capfd, "--add", "b.key.pub", "--level", "tested", "--rank", "2", "--compartment", "crypto",
              "--releasable-to", "NLD", "--expires", "2099-12-31"),
        trust(capfd, "--add", "c.key.pub", "--level", "declared", "--name", "old CI", "--expires", "2020-01-01"),
        trust(capfd, "--identity", "ci@example.com", "--issuer", "https://accounts.example.com", "--name", "CI",
              "--level", "tested"),
        trust(capfd, "--accept"),
        trust(capfd, "--revoke", ids(keys)[1][:12], "--reason", "the laptop was lost", "--sign", "a.key"),
        run(capfd, "keys", "show", "trust.json")[1],
    ]  # fmt: skip
    for keyid in ids(keys):
        screens = [screen.replace(keyid[:12] + ":", "<part of a keyid>:") for screen in screens]
    assert shown("\n".join(screens)) == snapshot


def test_whoever_accepted_the_first_follows_signed_versions_only(capfd, keys):
    path, state = keys / "trust.json", keys / "state"
    trust(capfd, "--add", "a.key.pub", "--level", "formal", "--root")
    assert opened(path, state)[1].how is How.FIRST
    trust(capfd, "--add", "b.key.pub", "--level", "formal", "--root")
    refused = opened(path, state)
    assert isinstance(refused, Refusal)
    assert refused.code == "root-changed"
    trust(capfd, "--sign", "a.key")
    trust(capfd, "--revoke", ids(keys)[0], "--reason", "old", "--sign", "b.key")
    root, pinned = opened(path, state)
    assert (root.version, pinned.how) == (3, How.ROTATED)


def test_two_signers_one_after_the_other(capfd, keys):
    path, state = keys / "trust.json", keys / "state"
    for name in "ab":
        trust(capfd, "--add", f"{name}.key.pub", "--level", "formal", "--root")
    document = json.loads(path.read_text()) | {"root_threshold": 2}
    path.write_text(json.dumps(document))
    assert opened(path, state)[1].how is How.FIRST
    assert "1 of 2" in trust(capfd, "--add", "c.key.pub", "--level", "tested", "--sign", "a.key")
    assert opened(path, state).code == "root-unsigned"
    assert "2 of 2" in trust(capfd, "--sign", "b.key")
    assert opened(path, state)[1].how is How.ROTATED
    status, _, err = run(capfd, "keys", "trust", "trust.json", "--sign", "a.key")
    assert status == 2
    assert "has signed already" in err


def test_accepting_by_hand(capfd, keys):
    path, state = keys / "trust.json", keys / "state"
    trust(capfd, "--add", "a.key.pub", "--level", "formal")
    opened(path, state)
    trust(capfd, "--add", "b.key.pub", "--level", "formal", "--accept", "--state", state)
    assert opened(path, state)[1].how is How.SAME


def test_which_skills_a_key_may_sign(capfd, keys):
    assert "any skill that no other key names" in trust(capfd, "--add", "a.key.pub", "--level", "formal")
    assert "for acme/*, pdf" in trust(
        capfd, "--add", "b.key.pub", "--level", "formal", "--skills", "pdf", "--skills", "acme/*"
    )
    shown_root = run(capfd, "keys", "show", "trust.json")[1]
    assert "signs any skill that no other key names" in shown_root
    assert "signs acme/*, pdf" in shown_root
    keyid = ids(keys)[0]
    assert f"{keyid[:8]} signs docx from now on, and nothing else" in trust(
        capfd, "--scope", keyid[:8], "--skills", "docx"
    )
    assert json.loads((keys / "trust.json").read_text())["keys"][0]["skills"] == ["docx"]


def test_revoking_the_last_root_is_said(capfd, keys):
    trust(capfd, "--add", "a.key.pub", "--level", "formal", "--root")
    assert "fewer valid keys" in trust(capfd, "--revoke", ids(keys)[0], "--reason", "old")


def test_as_json(capfd, keys):
    made = json.loads(run(capfd, "keys", "new", "d.key", "--format", "json")[1])
    assert set(made) == {"keyid", "name", "private", "public"}
    shown_key = json.loads(run(capfd, "keys", "show", "d.key", "--format", "json")[1])
    assert (shown_key["kind"], shown_key["keyid"]) == ("private-key", made["keyid"])
    done = json.loads(trust(capfd, "--add", "d.key.pub", "--level", "formal", "--name", "D", "--format", "json"))
    assert (done["version"], len(done["done"])) == (1, 1)
    root = json.loads(run(capfd, "keys", "show", "trust.json", "--format", "json")[1])
    assert root["standing"] == {made["keyid"]: "valid"}
    assert root["digest"] == done["digest"]
    assert root["root"]["keys"][0]["name"] == "D"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "nothing to change"),
        (("--add", "b.key.pub"), "--level"),
        (("--add", "b.key", "--level", "formal"), "is a private key"),
        (("--add", "none.pub", "--level", "formal"), "cannot be read"),
        (("--add", "trust.json", "--level", "formal"), "not a public key"),
        (("--add", "a.key.pub", "--level", "formal"), "in the trust root already"),
        (("--add", "b.key.pub", "--level", "formal", "--expires", "soon"), "not a date"),
        (
            ("--add", "b.key.pub", "--level", "formal", "--starts", "2027-01-02", "--expires", "2027-01-01"),
            "never valid",
        ),
        (("--add", "b.key.pub", "--level", "formal", "--rank", "5000"), "from 0 to 1000"),
        (("--add", "b.key.pub", "--level", "formal", "--name", "x\u202ey"), "cannot be seen"),
        (("--add", "b.key.pub", "--level", "formal", "--reason", "x"), "--reason says nothing about --add"),
        (("--add", "b.key.pub", "--level", "formal", "--state", "x"), "--state goes with --accept"),
        (("--add", "b.key.pub", "--level", "formal", "--skills", "*"), "`*` names no skills"),
        (("--scope", "KEYID"), "which skills"),
        (("--scope", "KEYID", "--skills", "acme*"), "`acme*` names no skills"),
        (("--scope", "0" * 64, "--skills", "pdf"), "no key of the trust root"),
        (("--revoke", "KEYID", "--reason", "x", "--skills", "pdf"), "--skills says nothing"),
        (("--revoke", "0" * 64, "--reason", "x"), "no key of the trust root"),
        (("--revoke", "KEYID"), "for a reason"),
        (("--revoke", "KE", "--reason", "x"), "no key of the trust root"),
        (("--revoke", "KEYID", "--reason", "a\u200bb"), "invisible character"),
        (("--revoke", "KEYID", "--reason", "x", "--expires", "2027-01-01"), "--expires says nothing"),
        (("--certificate", "a.key.pub", "--name", "A", "--level", "formal", "--root"), "--root says nothing"),
        (("--certificate", "trust.json", "--name", "A", "--level", "formal"), "cannot be read"),
        (("--identity", "x", "--level", "formal", "--name", "x"), "--issuer"),
        (("--identity", "x", "--issuer", "y", "--level", "formal"), "--name"),
        (("--sigstore", "binary"), "not text"),
        (("--sign", "b.key"), "may not sign the next trust root"),
        (("--sign", "none.key"), "cannot be read"),
        (("--sign", "a.key", "--rank", "1"), "goes with a change"),
        (("--accept", "--state", "trust.json"), "the store in"),
    ],
)
def test_what_is_refused_changes_nothing(capfd, keys, words, reason):
    trust(capfd, "--add", "a.key.pub", "--level", "formal", "--root")
    (keys / "binary").write_bytes(b"\xff")
    before = {path.name: path.read_bytes() for path in keys.iterdir()}
    words = [word.replace("KEYID", ids(keys)[0]).replace("KE", ids(keys)[0][:7]) for word in words]
    status, out, err = run(capfd, "keys", "trust", "trust.json", *words)
    assert (status, out) == (2, "")
    assert reason in " ".join(err.split())
    assert {path.name: path.read_bytes() for path in keys.iterdir()} == before


def test_a_key_as_an_authority_for_models(capfd, keys):
    text = (keys / "a.key.pub").read_text()
    (keys / "a.pem").write_text(text[text.index("-----") :])  # without the name, as others write keys
    assert "added the authority A" in trust(capfd, "--certificate", "a.pem", "--name", "A", "--level", "declared")
    assert "authorities for skill.oms.sig" in run(capfd, "keys", "show", "trust.json")[1]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("new", "a.key"), "exists already"),
        (("new", "x/y.key"), "cannot be written"),
        (("new", "y.key", "--name", "a\nb"), "cannot be seen"),
        (("show", "none"), "cannot be read"),
        (("show", "."), "not a plain file"),
        (("show", "text"), "not a public key"),
        (("show", "broken.json"), "broken.json:1:2"),
        (("show", "open.key"), "can be opened by others"),
        (("trust", "none.json", "--sign", "a.key"), "there is no trust root"),
        (("trust", "none.json", "--accept"), "there is no trust root"),
        (("trust", "no/where.json", "--add", "a.key.pub", "--level", "formal"), "cannot be written"),
        (("trust", "broken.json", "--accept"), "broken.json:1:2"),
    ],
)
def test_what_is_refused(capfd, keys, words, reason):
    (keys / "text").write_text("hello")
    (keys / "broken.json").write_text("{")
    (keys / "open.key").write_bytes((keys / "a.key").read_bytes())
    os.chmod(keys / "open.key", 0o644)
    status, out, err = run(capfd, "keys", *words)
    assert (status, out) == (2, "")
    assert reason in " ".join(err.split())


@pytest.mark.parametrize("words", [("keys",), ("keys", "new"), ("keys", "show"), ("keys", "trust")])
def test_the_help_teaches(capfd, snapshot, words):
    status, out, _ = run(capfd, *words, "--help")
    assert status == 0
    assert out == snapshot
