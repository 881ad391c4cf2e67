"""`remit explain`: the meaning of a term in a report."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.assumption import Assumption, assumptions
from remit.core.capability import Capability, Change, Level, vocabulary
from remit.core.errors import UsageError
from remit.core.scope import ScopeKind
from remit.findings.registry import rules
from remit.report.screen import Screen
from remit.report.wording import SEVERITY_STYLE

if TYPE_CHECKING:
    import argparse

    from remit.findings.model import Rule

_LEVELS = {
    Level.NORMAL: "normal: ordinary work",
    Level.DANGEROUS: "dangerous: it can do harm or give something away",
    Level.SYSTEM: "system: it reaches beyond the task, to the machine, other services or other sessions",
    Level.REDACT: "redact: the value must not be seen; it is handed out masked, or as a handle",
}
_CHANGES = {
    Change.NONE: "changes nothing",
    Change.REVERSIBLE: "reversible inside a snapshotted folder, irreversible elsewhere",
    Change.IRREVERSIBLE: "irreversible",
}
_SCOPES = {
    ScopeKind.PATH: ("paths", ("./out/**", "~/.config/tool/*.json", "/etc/hosts", "$TMP/**", "<arg>")),
    ScopeKind.HOST: ("hosts", ("api.example.com", "*.example.com", "localhost:8080", "<arg>")),
    ScopeKind.PROGRAM: ("programs", ("git", "python*", "./scripts/tool", "<arg>")),
    ScopeKind.NAME: ("names", ("NAME", "NAME_*", "<arg>")),
    ScopeKind.TOOL: ("tools", ("Bash", "mcp__github__*")),
    ScopeKind.NUMBER: ("numbers", ("8080", "1024..65535")),
    ScopeKind.NONE: ("nothing: it has no scope", ()),
}


def explain(args: argparse.Namespace) -> int:
    """Print what a rule, a capability, a foreign name or an assumption means; without a name, the list of all."""
    name: str | None = args.name
    screen = Screen.of(sys.stdout, "auto")
    words = vocabulary()
    if name is None:
        screen.write(_all(screen))
    elif name == "assumptions":
        for item in assumptions().values():
            screen.write(_assumption(screen, item))
    elif name in rules():
        screen.write(_rule(screen, rules()[name]))
    elif name in words:
        screen.write(_capability(screen, words[name]))
    elif name in assumptions():
        screen.write(_assumption(screen, assumptions()[name]))
    elif found := words.expand_skillguard(name) or words.expand_enclawed(name):
        whose = "SkillGuard" if words.expand_skillguard(name) else "enclawed"
        screen.write([f"{name} is a name of {whose} for {_listed(found)}", ""])
        for inner in found:
            screen.write([*_capability(screen, words[inner]), ""])
    elif found := words.expand(name):
        screen.write([f"{name} stands for {_listed(found)}"])
    else:
        raise _unknown(name)
    return 0


def _unknown(name: str) -> UsageError:
    known = [
        *rules(),
        *(capability.name for capability in vocabulary()),
        *vocabulary().skillguard,
        *vocabulary().enclawed,
        *assumptions(),
    ]
    close = difflib.get_close_matches(name, known, 3, 0.6) or [word for word in known if name and name in word][:3]
    remedy = f"did you mean {_listed(close, 'or')}?" if close else "`remit explain` lists all"
    return UsageError(f"`{name}` is neither a rule, nor a capability, nor an assumption", remedy)


def _all(screen: Screen) -> Iterator[str]:
    yield screen.style("rules", "bold")
    wide = max(map(len, rules()))
    for rule in rules().values():
        severity = screen.style(f"{rule.severity:<9}", SEVERITY_STYLE[rule.severity])
        first, *rest = screen.wrap(rule.title, wide + 15)
        yield f"  {rule.ident:<{wide}}  {severity}  {first.lstrip()}"
        yield from rest
    yield ""
    group = ""
    width = max(len(capability.name) for capability in vocabulary())
    for capability in vocabulary():
        if capability.group != group:
            if group:
                yield ""
            group = capability.group
            yield screen.style(group, "bold")
        first, *rest = screen.wrap(capability.meaning, width + 15)
        yield f"  {capability.name:<{width}}  {screen.style(f'{capability.level:<9}', 'dim')}  {first.lstrip()}"
        yield from rest
    yield ""
    yield from screen.wrap(
        "`remit explain NAME` shows details; `remit explain assumptions` lists the assumptions of results.", 0
    )


def _rule(screen: Screen, rule: Rule) -> Iterator[str]:
    yield f"{screen.style(rule.ident, 'bold')}  {screen.style(rule.severity, SEVERITY_STYLE[rule.severity])}"
    yield from screen.wrap(rule.title, 2)
    for label, text in (("why", rule.why), ("ignores", rule.quiet), ("fix", rule.fix), ("family", rule.family)):
        first, *rest = screen.wrap(text, 15)
        yield f"  {screen.style(f'{label:<13}', 'dim')}{first.lstrip()}"
        yield from rest


def _capability(screen: Screen, found: Capability) -> Iterator[str]:
    yield screen.style(found.name, "bold")
    yield from screen.wrap(found.meaning, 2)
    yield ""
    kind, examples = _SCOPES[found.scope_kind]
    rows = [
        ("level", _LEVELS[found.level]),
        ("change", _CHANGES[found.change]),
        ("group", found.group),
        ("scope", kind),
        ("examples", ", ".join(f"{found.name} {example}" for example in examples)),
        ("SkillGuard", _foreign(found.skillguard)),
        ("enclawed", " ".join(found.enclawed)),
    ]
    for label, text in rows:
        if text:
            first, *rest = screen.wrap(text, 14)
            yield f"  {screen.style(f'{label:<12}', 'dim')}{first.lstrip()}"
            yield from rest
    if found.scope_kind is not ScopeKind.NONE:
        yield ""
        yield from screen.wrap(
            f'in a manifest: {{"capability": "{found.name}", "scope": "{examples[0]}", "effect": "allow"}}', 4, 2
        )


def _foreign(names: tuple[str, ...]) -> str:
    entries = [vocabulary().skillguard[name] for name in names]
    return ", ".join(f"{entry.name} ({entry.constant})" if entry.constant else entry.name for entry in entries)


def _assumption(screen: Screen, found: Assumption) -> Iterator[str]:
    yield f"{screen.style(found.ident, 'bold')}  {screen.style('assumption', 'dim')}"
    yield from screen.wrap(found.meaning, 2)
    yield from screen.wrap(f"made true by {found.layer}", 4, 2)


def _listed(words: tuple[str, ...] | list[str], last: str = "and") -> str:
    *most, final = [f"`{word}`" for word in words]
    return f"{', '.join(most)} {last} {final}" if most else final
