"""Users of a tailnet are let in by name: the name in the header, the settings, and the tailnet's own program must agree."""

import asyncio
import json

import pytest

from remit.gateway.inbound.access import user_of

FORWARDED = {
    "host": "gate.tail1.ts.net",
    "x-forwarded-for": "100.64.0.7", "x-forwarded-proto": "https", "x-forwarded-host": "gate", "tailscale-user-login": "anna@example.org",
}  # fmt: skip


@pytest.fixture
def tailscale(tmp_path, monkeypatch):
    def make(script):
        program = tmp_path / "tailscale"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    return make


def asked(address="100.64.0.7"):
    return asyncio.run(user_of(address))


def told(name):
    return "echo '" + json.dumps({"UserProfile": {"LoginName": name}}) + "'"


def test_the_tailnet_says_who_it_is(tailscale):
    tailscale(f'[ "$1 $2 $3" = "whois --json 100.64.0.7" ] && {told("anna@example.org")}')
    assert asked() == "anna@example.org"


@pytest.mark.parametrize(
    "script", ["exit 1", "echo no", "echo '{}'", told(7), told("anna") + "; exit 3", "exec sleep 60"]
)
def test_no_plain_answer_is_nobody(tailscale, script):
    tailscale(script)
    assert asked() == ""


@pytest.mark.parametrize("address", ["", "--help", "100.64.0.7; id", "gate"])
def test_what_is_no_address_is_not_asked_about(tailscale, address):
    tailscale(told("anna"))
    assert asked(address) == ""


def test_a_program_that_can_not_be_started_is_nobody(tailscale, tmp_path):
    tailscale("")
    (tmp_path / "tailscale").write_text("#!/no/such/shell\n")
    assert asked() == ""


def test_without_the_program_nobody(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert asked() == ""


class Connection:
    """As a server sees it."""

    def __init__(self, headers, peer="127.0.0.1"):
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        self.headers = type("Headers", (), {"raw": pairs})
        self.client = type("Client", (), {"host": peer})


def let_in(headers, vouched, users=("anna@example.org",), proxies=("127.0.0.1/32",), peer="127.0.0.1"):
    from remit.gateway.inbound.access import Access, fingerprint
    from remit.web.login import try_login

    access = Access(token=fingerprint("t" * 30), proxies=proxies, tailnet_users=users)
    return asyncio.run(try_login(access, Connection(headers, peer), "")).by


@pytest.mark.parametrize(
    ("change", "by"),
    [
        ({}, "tailnet:anna@example.org"),
        ({"headers": {"tailscale-user-login": "anna@example.org"}}, ""),
        ({"headers": {**FORWARDED, "tailscale-user-login": "bert@example.org"}}, ""),
        ({"users": ("bert@example.org",)}, ""),
        ({"proxies": ()}, ""),
        ({"peer": "100.64.0.9"}, ""),
        ({"vouched": "bert@example.org"}, ""),
    ],
)
def test_all_must_agree(tailscale, change, by):
    made = {"headers": FORWARDED, "vouched": "anna@example.org", **change}
    tailscale(told(made["vouched"]))
    assert let_in(**made) == by


def test_an_answer_without_an_end_is_nobody_s(tailscale, monkeypatch):
    tailscale(told("anna@example.org"))
    monkeypatch.setattr("remit.gateway.inbound.access._MOST_WHOIS", 20)
    assert asked() == ""
