r"""Conversion of host tool rules (`git add:*`, `./docs/**`, `domain:example.com`) to scopes and constraints, and back.

A rule that cannot be expressed exactly is None: it grants nothing, and the reader reports it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from remit.core.errors import ManifestError
from remit.core.hosttools import HostTool, rule_words
from remit.core.scope import (
    ANY_SCOPE,
    HOME,
    ROOT,
    SKILL,
    WORKSPACE,
    AnyScope,
    HostScope,
    NameScope,
    PathScope,
    Scope,
    ScopeKind,
    parse_scope,
)
from remit.manifest.model import Constraints, Matching

# What `*` stands for in a command: anything but what joins, redirects or nests commands. A host checks each command of
# a line; a pattern over the whole line must not let a second one through.
_REST = r"[^;&|<>$`()\n\r]*"
_JOINS = re.compile(r"[;&|<>$`()\n\r]")
_SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$]")
_PLAIN_WORD = re.compile(r"[\w@%+=:,./~-]+\*?", re.ASCII)
_SKILL_FOLDER = re.compile(r"(?:\{baseDir\}|\$\{?CLAUDE_SKILL_DIR\}?)(?=/|$)")


class Narrowing(NamedTuple):
    """How a rule narrows a grant."""

    scope: Scope = ANY_SCOPE
    constraints: Constraints = Constraints()


def narrowing(tool: HostTool, rule: str | None) -> Narrowing | None:
    """Return what a rule after the name of a tool means; None if it is not understood."""
    if rule is None or rule == "*":
        return Narrowing()
    try:
        if tool.argument:
            return _argument(tool.argument, rule)
        return {"command": _command, "path": _path, "domain": _domain, "agent": _agent}[tool.rule](rule)
    except (ManifestError, KeyError):
        return None


def _command(rule: str) -> Narrowing | None:
    words = rule_words(_SKILL_FOLDER.sub("$SKILL", rule, count=1) if _SKILL_FOLDER.match(rule) else rule)
    if not words or words[0] == "any" or "=" in words[0] or words[0][0] in "\"'{<-" or "\\" in rule:
        return None  # `any` would be every program, and it is the name of one
    program = words[0]
    scope = ANY_SCOPE if program == "*" else parse_scope(ScopeKind.PROGRAM, program)
    if words[1:] == ["*"] or (len(words) == 1 and program.endswith("*")):
        return Narrowing(scope)
    if _JOINS.search(" ".join(words).removeprefix("$SKILL")):
        return None
    return Narrowing(scope, Constraints(arguments=(("command", Matching(command_pattern(words))),)))


def command_pattern(words: list[str]) -> str:
    """Return the pattern that the text of a command matches as a whole: a final `*` is any further words, or none."""
    last = words[-1] == "*" and not any("*" in word for word in words[:-1])
    text = " ".join(words[:-1] if last else words)
    pieces = (_SPECIAL.sub(r"\\\g<0>", piece) for piece in text.split("*"))
    return _REST.join(pieces) + (f"(?: {_REST})?" if last else "")


def command_rule(scope: Scope, constraints: Constraints) -> str | None:
    """Return the rule that `_command` reads as this scope and these constraints; empty if none is needed, None if none
    does.
    """
    program = scope_text(scope)
    if program is None:
        return None
    if constraints == Constraints():
        return f"{program}:*" if program else ""
    _, allowed = constraints.arguments[0] if constraints.arguments else ("", None)
    if not isinstance(allowed, Matching):
        return None
    pattern = allowed.pattern
    tail = f"(?: {_REST})?"
    text = pattern.removesuffix(tail) + (" *" if pattern.endswith(tail) else "")
    rule = re.sub(r"\\(.)", r"\1", text.replace(_REST, "*"))
    return rule if _command(rule) == Narrowing(scope, constraints) and rule_is_plain(rule) else None


def _path(rule: str) -> Narrowing | None:
    """Parse a path as Claude Code does: `//` is the root, `/` the project, a bare name matches at any depth, as in
    .gitignore.
    """
    text = _SKILL_FOLDER.sub("$SKILL", rule, count=1) if _SKILL_FOLDER.match(rule) else rule
    if not text or text[0] == "!" or "\\" in text or (text[0] == "$" and not text.startswith("$SKILL")):
        return None
    inner = text.rstrip("/")
    if text.startswith("//"):
        text = text[1:]
    elif text[0] == "/":
        text = "." + text
    elif "/" not in inner and inner not in (".", "~", "$SKILL"):
        text = "./**/" + text
    return Narrowing(parse_scope(ScopeKind.PATH, text + "**" if text.endswith("/") else text))


def path_rule(scope: Scope) -> str | None:
    """Return the rule that `_path` reads as this scope; empty for any, None if there is none."""
    if isinstance(scope, AnyScope):
        return ""
    if not isinstance(scope, PathScope) or scope.anchor not in (ROOT, HOME, WORKSPACE, SKILL):
        return None
    text = scope.render()
    rule = {ROOT: f"/{text}", SKILL: text.replace("$SKILL", "${CLAUDE_SKILL_DIR}", 1)}.get(scope.anchor, text)
    return rule if _path(rule) == Narrowing(scope) and rule_is_plain(rule) else None


def _domain(rule: str) -> Narrowing | None:
    word, _, host = rule.partition(":")
    return Narrowing(parse_scope(ScopeKind.HOST, host)) if word == "domain" and host not in ("any", "") else None


def domain_rule(scope: Scope) -> str | None:
    """Return the rule that `_domain` reads as this scope; empty for any, None if there is none."""
    if isinstance(scope, AnyScope):
        return ""
    if not isinstance(scope, HostScope) or scope.port is not None or ":" in scope.host:
        return None
    return f"domain:{scope.host}"


def _agent(rule: str) -> Narrowing | None:
    return Narrowing(parse_scope(ScopeKind.NAME, rule)) if _PLAIN_WORD.fullmatch(rule) and rule != "any" else None


def _argument(name: str, rule: str) -> Narrowing | None:
    """`Skill(pdf)`, `Skill(pdf:*)` and `Skill(pdf *)`: the skill is named, whatever it is given."""
    words = rule_words(rule)
    value = words[0] if words and words[1:] in ([], ["*"]) else ""
    if not value or "*" in value or not _PLAIN_WORD.fullmatch(value):
        return None
    return Narrowing(ANY_SCOPE, Constraints(arguments=((name, (value,)),)))


def scope_text(scope: Scope) -> str | None:
    """Return a program or name as a rule writes it; empty for any, None if a rule cannot."""
    if isinstance(scope, AnyScope):
        return ""
    text = scope.render()
    if isinstance(scope, PathScope) and scope.anchor == SKILL:
        text = text.replace("$SKILL", "${CLAUDE_SKILL_DIR}", 1)
    elif (
        not isinstance(scope, NameScope | PathScope) or not _PLAIN_WORD.fullmatch(text) or "=" in text or text[0] == "-"
    ):
        return None
    return text if rule_is_plain(text) else None


def rule_is_plain(rule: str) -> bool:
    """Whether a rule can be put between brackets in a list: hosts split at commas and count brackets."""
    return rule.isprintable() and not re.search(r"[(),#\\]", rule) and rule == rule.strip() and "  " not in rule
