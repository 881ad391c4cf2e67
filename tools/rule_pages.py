"""Writes docs/rules/: a page for each rule and an index, from the registry. `python tools/rule_pages.py` writes them anew."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from remit.findings.registry import rules

if TYPE_CHECKING:
    from remit.findings.model import Rule

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs/rules"
SITE = ROOT / "zensical.toml"
_LEVELS = (
    "The rules of [`remit check`](../check.md). A `critical` or `high` finding means do not install, `medium` means look first, `low`"
    " and `info` are notes. A finding in a sample, or one that needs a value that begins with a dash, is one severity lower."
    " `remit explain RULE` prints the same pages."
)
_NOTE = "<!-- Made by tools/rule_pages.py from the registry of rules; do not edit. -->"


def pages() -> dict[str, str]:
    """The text of each page, by its file name."""
    return {"index.md": _index()} | {f"{rule.ident}.md": _page(rule) for rule in rules().values()}


def navigation() -> str:
    """The line of zensical.toml that names the pages."""
    names = ", ".join(f'"rules/{name}"' for name in pages())
    return f'    {{ "Rules" = [{names}] }},'


def _index() -> str:
    rows = [f"| [{rule.ident}]({rule.ident}.md) | {rule.severity} | {rule.title} |" for rule in rules().values()]
    head = ["# Rules", "", _NOTE, "", _LEVELS, "", "| rule | worst severity | finds |", "|---|---|---|"]
    return "\n".join([*head, *rows, ""])


def _page(rule: Rule) -> str:
    lines = [
        f"# {rule.ident}",
        "",
        _NOTE,
        "",
        f"{rule.title[:1].upper()}{rule.title[1:]}. Worst severity: **{rule.severity}**. Family: {rule.family}.",
        "",
        "## Why",
        "",
        rule.why,
        "",
        "## What it ignores",
        "",
        rule.quiet,
        "",
        "## Fix",
        "",
        rule.fix,
        "",
        "If the behaviour is intended, [accept the finding](../check.md#accepted-findings) with a reason.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Write every page, and remove those of rules that are gone."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for path in FOLDER.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, "utf-8")
    site = re.sub(r'^    \{ "Rules" = .*$', lambda _: navigation(), SITE.read_text("utf-8"), flags=re.MULTILINE)
    SITE.write_text(site, "utf-8")


if __name__ == "__main__":
    main()
