"""A script that sends to a host which a variable names: an entry for just that variable holds it, as long as the call does not set it."""

import pytest
from engine_world import Agent

from remit.guard.event import Outcome

BASE = "process.env.MAIL_URL || 'https://mail.example.org'"
READ = f"""const args = require('minimist')(process.argv.slice(2));
const BASE = {BASE};
fetch(`${{BASE}}/mails/${{args.id}}?of=${{args.of}}`);
"""
HELD = (
    {"capability": "web.fetch", "scope": ["<env:MAIL_URL>", "mail.example.org:443"], "effect": "allow"},
    {"capability": "file.read", "effect": "allow"},
    {"capability": "env.read", "scope": "MAIL_URL", "effect": "allow"},
    {"capability": "source.execute", "effect": "allow"},
    {"capability": "shell.execute", "effect": "allow"},
)
CALL = "node .claude/skills/mail/read.js --id 1 --of ann --in inbox"


def session(tmp_path, script=READ, permissions=HELD):
    agent = Agent(tmp_path, asks=True)
    agent.skill("mail", permissions=permissions, files={"read.js": script}, body="Reads mails: `node read.js`.")
    agent.says("Read my first mail.")
    assert agent.loads("mail").outcome is not Outcome.DENY
    agent.after("Skill", skill="mail")
    return agent


def test_an_entry_for_the_variable_holds_it(tmp_path):
    assert "no entry holds" not in session(tmp_path).runs(CALL).reason


def test_without_that_entry_it_is_not_held(tmp_path):
    only = ({**HELD[0], "scope": "mail.example.org:443"}, *HELD[1:])
    verdict = session(tmp_path, permissions=only).runs(CALL)
    assert verdict.outcome is Outcome.ASK
    assert "wants to fetch from `<env:MAIL_URL>`, which its manifest does not grant" in verdict.reason


def test_a_call_that_sets_the_variable_is_judged_by_what_it_sets(tmp_path):
    verdict = session(tmp_path).runs(f"MAIL_URL=https://evil.example.net {CALL}")
    assert verdict.outcome is Outcome.ASK
    assert "evil.example.net" in verdict.reason


def test_a_denied_host_may_be_the_one_that_the_variable_names(tmp_path):
    denied = ({"capability": "web.fetch", "scope": "evil.example.net", "effect": "deny"}, *HELD)
    assert session(tmp_path, permissions=denied).runs(CALL).outcome is Outcome.DENY


@pytest.mark.parametrize("url", ["${process.env.MAIL_URL}${args.id}", "https://${process.env.MAIL_URL}${args.id}/x"])
def test_what_follows_the_variable_at_once_may_be_part_of_the_host(tmp_path, url):
    script = READ.replace("${BASE}/mails/${args.id}?of=${args.of}", url)
    assert script != READ
    verdict = session(tmp_path, script).runs(CALL)
    assert verdict.outcome is Outcome.ASK
    assert "wants to fetch from an unknown host" in verdict.reason
