"""Writes docs/guard-rules.md from the registry of the guard's rules. `--check` says whether it is up to date."""

from __future__ import annotations

import sys
from pathlib import Path

from remit.guard.rules.registry import RULES

PAGE = Path(__file__).parents[1] / "docs" / "guard-rules.md"
HEAD = """# Rules of the guard

The guard runs a tool call unless one of these rules stops it. Each rule has an action:

- `deny`: the call is refused. You cannot approve it.
- `ask`: Remit asks you once. It remembers a yes for this skill, this workspace and exactly this request (`remit guard answers`).
- `notice`: the call runs. Claude Code, Codex and Gemini show a note.

Unless a rule says "also without a skill", it applies only while a skill is active.

To change the action of a rule, edit `settings.json` in the state folder: `{"rules": {"not-understood": "notice"}}`. `remit guard rules` lists the actions on this machine.

This page is generated from `src/remit/guard/rules/` by `tools/guard_rule_page.py`.
"""


def page() -> str:
    """The text of the page."""
    parts = [HEAD]
    for rule in RULES:
        marks = [f"`{rule.action}`", f"code `{rule.reason_code}`"]
        marks += ["cannot be switched"] if rule.fixed else []
        marks += ["also without a skill"] if rule.always else []
        parts.append(
            f"## {rule.ident}\n\n{', '.join(marks)}\n\n{rule.summary}\n\n- stopped: {rule.fires}\n- not stopped: {rule.silent}\n"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        sys.exit(PAGE.read_text("utf-8") != page())
    PAGE.write_text(page(), "utf-8")
