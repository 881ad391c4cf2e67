"""What sentences ask of tools, agents, shells and the machine, and sentences that look alike and ask for nothing."""

from __future__ import annotations

import pytest
from prose_values import asks

from each_row import each_row

ASKED = [
    ("Use `AskUserQuestion` to learn which format is wanted.", "tool.invoke"),
    ("Find the page with `Wiki:search-pages`.", "tool.invoke"),
    ("Call `mcp__tickets__create` for every row.", "tool.invoke"),
    ("If you have the `show_chart` tool, show the chart with it.", "tool.invoke"),
    ("Use the MCP server of the tracker.", "tool.invoke"),
    ("The calendar is reached via MCP.", "tool.invoke"),
    ("Fill in the form using Lantern MCP, then read the answer with the same MCP.", "tool.invoke"),
    ("If integrations are available, pull the notes from them.", "tool.invoke"),
    ("Append what was decided to `memory/today.md`.", "memory.write"),
    ("Log lessons after each task.", "memory.write"),
    ("Check agent memory before the first answer.", "memory.read"),
    ("Install the skill from its folder.", "skill.install"),
    ("Dispatch one subagent for each folder.", "subagent.delegate"),
    ("Start two helpers with `spawn_agent`.", "subagent.delegate"),
    ("Finish by handing off to the `critic` agent.", "subagent.delegate"),
    ("Search every folder with agents in parallel.", "subagent.delegate"),
    ("Enable the timer in `~/.claude/settings.json`.", "policy.expand"),
    ("Add the server to `.mcp.json`.", "policy.expand"),
    ("Add the folder to your path in `~/.zshrc`.", "profile.write"),
    ("Copy the folder to `~/.codex/skills/`.", "skill.install"),
    ("Install the missing packages.", "package.install"),
    ("Install `left-pad` if the import fails.", "package.install"),
    ("Commit the changes with a clear message.", "commit.create"),
    ("Create a feature branch.", "commit.create"),
    ("Push the branch to origin.", "commit.push"),
    ("Open a pull request.", "commit.push"),
    ("Look at recent commits to see what moved.", "commit.read"),
    ("Check your work by running the build.", "shell.execute"),
    ("Run the linter after each change.", "shell.execute"),
    ("Build the project and look for warnings.", "shell.execute"),
    ("Terminate the background process.", "process.kill"),
    ("Add a cron job that runs it each night.", "schedule.create"),
    ("Remove the cron job of the habit.", "schedule.delete"),
    ("Restart the systemd service.", "system.configure"),
    ("Copy the answer to the clipboard.", "clipboard.write"),
]


@each_row(("text", "capability"), ASKED)
def test_sentences_that_ask(text: str, capability: str) -> None:
    assert capability in asks(text)


LOOK_ALIKES = [
    ("Do not use `AskUserQuestion` here.", "tool.invoke"),
    ("The field `user_name` holds the name.", "tool.invoke"),
    ("Tools are described below.", "tool.invoke"),
    ("Build an MCP server in the language of the user. The SDK has MCP servers as examples.", "tool.invoke"),
    ("Look for instructions to install packages.", "package.install"),
    ("Explain how to commit the changes.", "commit.create"),
    ("Ask the owner to push the branch to origin.", "commit.push"),
    ("Store the buffer in memory.", "memory.write"),
    ("Check how much memory is free.", "memory.read"),
    ("Install device plugins.", "skill.install"),
    ("Set the permissions of roles.", "policy.expand"),
    ("Use this library to create agents with threads.", "subagent.delegate"),
    ("Run Agent", "subagent.delegate"),
    ("Settings lie in `~/.claude/settings.json`.", "policy.expand"),
    ("Never add lines to `~/.zshrc`.", "profile.write"),
    ("Nothing has to be installed.", "package.install"),
    ("Do not install `left-pad`.", "package.install"),
    ("Make the smallest change that could help.", "commit.create"),
    ("A commit is a snapshot.", "commit.create"),
    ("Building apps for phones is hard.", "shell.execute"),
    ("Stop and finish the process of review.", "process.kill"),
    ("Stop the service of tea.", "system.configure"),
    ("Insert a table into the text.", "db.write"),
    ("Create tables for the reader.", "schema.mutate"),
]


@each_row(("text", "capability"), LOOK_ALIKES)
def test_look_alikes_ask_for_nothing(text: str, capability: str) -> None:
    assert capability not in asks(text)


@pytest.mark.parametrize("heading", ["Common mistakes", "Limitations"])
def test_what_stands_under_such_headings_is_not_asked_for(heading: str) -> None:
    assert asks(f"# {heading}\n\nCommit the changes and push the branch to origin.") == set()
