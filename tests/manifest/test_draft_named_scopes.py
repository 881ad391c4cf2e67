"""Scopes from evidence: what only words ask for gets what the skill names."""

from draft_values import drafted, small

from each_row import each_row
from remit.api import draft
from remit.manifest.model import Decision


def places(made, capability):
    return [
        entry.place
        for entry in made.manifest.permissions
        if entry.capability == capability and entry.effect is not Decision.DENY
    ]


@each_row(
    ("body", "capability", "scopes"),
    [
        ("Fetch the page https://rates.bank.test.com/today and read it.\n", "web.fetch", ["rates.bank.test.com:443"]),
        ("Search the web for the answer.\n", "web.fetch", ["any"]),
        ("Set `ACME_REGION` as an environment variable.\n\nRequires `ACME_REGION`.\n", "env.write", ["ACME_REGION"]),
        ("Requires `ACME_API_KEY`.\n", "secret.read", ["env:ACME_API_KEY"]),
        ("Log in with your password.\n", "secret.write", ["./.env"]),
        ("Store the API key `ACME_API_KEY`.\n", "secret.write", ["env:ACME_API_KEY"]),
        ("Call the `acme_lookup` tool.\n", "tool.invoke", ["acme_lookup"]),
        ("Send a message to the team on Slack.\n", "message.send", ["slack"]),
        ("Call the MCP tools.\n", "tool.invoke", ["mcp__*"]),
        ("Requires `OPENAI_API_KEY`, the API key.\n", "api.call", ["api.openai.com"]),
        ("Start a local server.\n", "net.listen", ["localhost"]),
        ("Create a list with TodoWrite.\n", "tool.invoke", ["TodoWrite"]),
        ("Use the `brewctl` CLI tool for it.\n", "shell.execute", ["brewctl"]),
        ("Install `tea@canary pot` with your package manager.\n", "package.install", ["pot, tea"]),
    ],
)
def test_words_get_what_they_name(tmp_path, body, capability, scopes):
    assert places(drafted(small(tmp_path, f"## Steps\n\n{body}")), capability) == scopes


def test_packages_of_a_build_file_are_named(tmp_path):
    body = "## Installation\n\n```xml\n<dependency>\n  <artifactId>tea</artifactId>\n</dependency>\n```\n"
    assert places(drafted(small(tmp_path, body)), "package.install") == ["tea"]


def test_the_checks_of_a_project_are_run_with_its_tools(tmp_path):
    [place] = places(drafted(small(tmp_path, "## Steps\n\nRun the linter.\n")), "shell.execute")
    assert {"make", "npm"} <= set(place.split(", "))
    assert places(drafted(small(tmp_path, "## Steps\n\nDo it in the terminal.\n")), "shell.execute") == ["any"]


@each_row(
    ("body", "capability", "held"),
    [
        ("Set up a cron job for the report.\n", "schedule.create", "/var/spool/cron/**"),
        ("Add the line to your shell profile.\n", "profile.write", "~/.bashrc"),
        ("Add it to your MCP configuration.\n", "policy.expand", "./.mcp.json"),
    ],
)
def test_settings_and_schedules_lie_in_known_places(tmp_path, body, capability, held):
    [place] = places(drafted(small(tmp_path, f"## Steps\n\n{body}")), capability)
    assert held in place.split(", ")


def test_a_schedule_that_a_command_names_needs_no_usual_place(tmp_path):
    body = "## Steps\n\n```bash\nlaunchctl load ~/Library/LaunchAgents/x.plist\n```\n"
    assert places(drafted(small(tmp_path, body)), "schedule.create") == ["~/Library/LaunchAgents/x.plist"]


@each_row(
    ("field", "capability", "scopes"),
    [
        ('{"x": {"requires": {"bins": ["jq", "rg"]}}}', "shell.execute", "jq, rg"),
        ('{"x": {"requires": {"env": ["ACME_API_KEY", "ACME_URL"]}}}', "env.read", "ACME_API_KEY, ACME_URL"),
        ('{"x": {"requires": {"env": ["ACME_API_KEY", "ACME_URL"]}}}', "secret.read", "env:ACME_API_KEY"),
        ('{"x": {"install": [{"kind": "brew", "formula": "jq"}]}}', "package.install", "jq"),
    ],
)
def test_front_matter_names_what_it_declares(tmp_path, field, capability, scopes):
    root = small(tmp_path, "")
    (root / "SKILL.md").write_text(f"---\nname: small\ndescription: Helps.\nmetadata: {field}\n---\nText.\n")
    assert places(drafted(root), capability) == [scopes]


def test_the_host_of_a_service_is_the_one_that_the_text_names(tmp_path):
    body = "Manage tasks via the Acme API.\n\nThe base is `https://api.acme.com/v2`; terms: https://lawyers.com/acme.\n"
    assert places(drafted(small(tmp_path, f"## Steps\n\n{body}")), "api.call") == ["api.acme.com"]


def test_a_tool_server_that_is_set_up_is_the_scope_of_its_tools(tmp_path):
    body = '## Steps\n\nUse the MCP tools.\n\n```json\n{"mcpServers": {"acme": {"command": "npx"}}}\n```\n'
    made = drafted(small(tmp_path, body))
    assert places(made, "tool.invoke") == ["mcp__acme__*"]


def test_settings_are_those_that_the_text_names(tmp_path):
    body = '## Steps\n\nAdd this to `~/.claude/settings.json`:\n\n```json\n{"mcpServers": {"acme": {"command": "npx"}}}\n```\n'
    assert places(drafted(small(tmp_path, body)), "policy.expand") == ["~/.claude/settings.json"]


def test_a_program_that_is_only_implied_is_what_runs_the_scripts(tmp_path):
    body = "## Steps\n\nRun the bundled script on the data.\n"
    assert places(drafted(small(tmp_path, body, scripts__a_py="print(1)\n")), "shell.execute") == ["python, python3"]


def test_the_hosts_in_a_script_pass_where_its_address_is_not_known(tmp_path):
    script = (
        "import urllib.request as r\nBASE = 'https://small.com/v1'\n\ndef send(url):\n    r.urlopen(url, data=b'x')\n"
    )
    made = drafted(small(tmp_path, "Run `python3 scripts/a.py`.\n", scripts__a_py=script))
    assert places(made, "web.post") == ["small.com", "any"]


def test_unknown_files_pass_in_the_workspace_and_are_asked_about_elsewhere(tmp_path):
    script = "def save(path):\n    open(path, 'w').write('x')\n"
    made = drafted(small(tmp_path, "Run `python3 scripts/a.py`.\n", scripts__a_py=script))
    assert places(made, "file.write") == ["$TMP/**, ./**", "any"]


def test_reads_of_anything_that_are_only_possible_are_asked_about_and_not_denied(tmp_path):
    skill = tmp_path / "skill"
    (skill / "scripts").mkdir(parents=True)
    (skill / "SKILL.md").write_text(
        "---\nname: pages\ndescription: Test pages.\n---\nSee `scripts/a.py` for a sample.\n"
    )
    (skill / "scripts/a.py").write_text(
        "import os\nfrom playwright.sync_api import sync_playwright\nwith sync_playwright() as p:\n"
        "    page = p.chromium.launch().new_page()\n    page.goto('file://' + os.path.abspath(input()))\n"
    )
    entries = [one for one in draft(skill, cache=False).manifest.permissions if one.capability == "file.read"]
    assert {one.effect for one in entries} == {Decision.ALLOW, Decision.CONFIRM}


@each_row(
    ("body", "place"),
    [
        ("Dispatch a subagent for each task.\n", "Explore, Plan, default, general, general-purpose, main"),
        (
            'Use the Task tool with subagent_type="leaf-counter". Hand the rest to the `oak-reader` agent.\n',
            "Explore, Plan, default, general, general-purpose, leaf-counter, main, oak-reader",
        ),
    ],
)
def test_an_agent_is_one_of_the_host_or_one_that_the_text_names(tmp_path, body, place):
    assert places(drafted(small(tmp_path, body)), "subagent.delegate") == [place]


def test_a_download_by_its_own_name_is_a_file_of_the_folder(tmp_path):
    body = "# Steps\n\n```bash\ncurl -LO https://files.small.org/tides.tar.gz\n```\n"
    assert places(drafted(small(tmp_path, body)), "file.write") == ["./tides.tar.gz"]


def test_arguments_of_a_tool_are_no_tools(tmp_path):
    call = 'mcporter call leaf.count --args \'{"trees": ["oak"], "limit": 10}\' depth=3'
    assert places(drafted(small(tmp_path, f"# Steps\n\n```bash\n{call}\n```\n")), "tool.invoke") == ["call, leaf.count"]
