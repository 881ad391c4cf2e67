"""When a draft asks: by irreversibility and reach; everything else is allowed on its scopes."""

import pytest
from draft_values import drafted, small

from each_row import each_row
from remit.core.capability import Level, vocabulary
from remit.core.errors import DataError
from remit.core.scope import ANY_SCOPE, parse_scope
from remit.manifest.draft.entries import asks, read_decisions
from remit.manifest.model import Decision

# Capabilities that are allowed whatever their scope, although they are more than normal: each effect of another agent is judged
# by itself, and the rest stays on the machine and can be undone.
FREE = {
    "subagent.delegate", "commit.create", "env.write", "context.load", "screen.capture", "clipboard.read", "clipboard.write",
    "repl.reset", "repl.terminate",
}  # fmt: skip


@each_row(
    ("capability", "scope", "asked"),
    [
        ("publish", "npm", True),
        ("message.send", "slack", True),
        ("commit.push", "origin", True),
        ("package.install", "requests", True),
        ("policy.expand", "./.mcp.json", True),
        ("memory.write", "./CLAUDE.md", True),
        ("web.post", "api.example.com", False),
        ("web.post", "<env:SERVICE_URL>", False),
        ("web.post", "<model>", True),
        ("web.post", "<net>", True),
        ("web.post", "any", True),
        ("api.call", "any", True),
        ("web.fetch", "any", False),
        ("shell.execute", "git", False),
        ("shell.execute", "any", True),
        ("file.read", "any", True),
        ("file.write", "~/notes.md", False),
        ("file.write", "<model>/x", False),
        ("file.write", "<net>/x", True),
        ("file.write", "<file>", True),
        ("file.delete", "./out/**", False),
        ("file.delete", "$TMP/*", False),
        ("file.delete", "<arg>", True),
        ("file.delete", "~/notes.md", True),
        ("secret.read", "env:SERVICE_API_KEY", False),
        ("secret.read", "~/.ssh/id_rsa", True),
    ],
)
def test_a_person_is_asked_where_it_matters(capability, scope, asked):
    assert asks(capability, parse_scope(vocabulary()[capability].scope_kind, scope)) is asked


def test_every_capability_that_is_more_than_normal_is_decided_about():
    undecided = {
        found.name for found in vocabulary() if found.level is not Level.NORMAL and not asks(found.name, ANY_SCOPE)
    }
    assert undecided == FREE


@each_row("row", ["web.post | sometimes", "web.pots | always", "pay | always\npay | always"])
def test_a_row_that_cannot_be_read_is_refused(tmp_path, row):
    table = tmp_path / "decisions.table"
    table.write_text(f"[ask]\n{row}\n")
    with pytest.raises(DataError):
        read_decisions(table)


def test_what_is_known_passes_and_the_rest_is_asked_about(tmp_path):
    script = (
        "import urllib.request as r\nr.urlopen('https://api.small.com/x', data=b'x')\n\n"
        "def send(url):\n    r.urlopen(url, data=b'x')\n"
    )
    made = drafted(small(tmp_path, "Run `python3 scripts/a.py`.\n", scripts__a_py=script))
    posts = [entry for entry in made.manifest.permissions if entry.capability == "web.post"]
    assert [(entry.effect, entry.priority) for entry in posts] == [(Decision.ALLOW, 1), (Decision.CONFIRM, 0)]
    assert [entry.place for entry in posts] == ["api.small.com:443", "any"]


@each_row(
    ("body", "effect"),
    [
        ("Run `curl -d @notes.txt https://api.small.com/in`.\n", "allow"),  # the skill is called `small`
        ("Run `curl -d @notes.txt http://localhost:8080/in`.\n", "allow"),
        ('Run `curl -d @notes.txt -H "x: $ACME_API_KEY" https://acme.com/in`.\n', "allow"),  # the key is Acme's
        ("Run `curl -d @notes.txt https://collector.com/in`.\n", "confirm"),
        ("Run `curl -d @notes.txt https://small.collector.com/in`.\n", "confirm"),
        ("Run `curl -d @notes.txt https://collector.co.uk/small`.\n", "confirm"),
    ],
)
def test_a_post_to_a_host_that_nothing_announces_is_asked_about(tmp_path, body, effect):
    made = drafted(small(tmp_path, f"## Steps\n\n{body}"))
    assert [entry.effect for entry in made.manifest.permissions if entry.capability == "web.post"] == [effect]


def test_a_typical_draft_asks_at_most_twice(tmp_path, snapshot):
    body = (
        "## Steps\n\n1. Run `pip install requests`.\n2. Read the CSV file that the user names.\n"
        "3. Run `python3 scripts/rates.py data.csv`, which asks api.rates.com.\n4. Save the report as `report.md`.\n5. Commit and push with `git push origin main`.\n"
    )
    script = (
        "import os, sys, requests\nrows = open(sys.argv[1]).read()\n"
        "requests.post('https://api.rates.com/v1/rates', data=rows, headers={'x': os.environ['RATES_API_KEY']})\n"
    )
    made = drafted(small(tmp_path, body, scripts__rates_py=script))
    grants = [entry for entry in made.manifest.permissions if entry.effect is not Decision.DENY]
    assert [f"{entry.effect} {entry.capability} {entry.place}" for entry in grants] == snapshot
    assert [entry.capability for entry in grants if entry.effect is Decision.CONFIRM] == [
        "commit.push",
        "package.install",
    ]
