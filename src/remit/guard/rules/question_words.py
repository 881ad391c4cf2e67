"""Names in questions: effects (`send data to api.example.com`), and the command prefixes by which answers are
remembered.
"""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.digest import digest
from remit.core.scope import ANY_SCOPE, Scope

if TYPE_CHECKING:
    from remit.guard.call_analysis.requests import CallRequests
    from remit.policy.request import Request

_WORDS = {
    "file.read": ("read", "files that Remit cannot name"),
    "source.read": ("read", "files that Remit cannot name"),
    "file.write": ("write", "files that Remit cannot name"),
    "source.write": ("write", "files that Remit cannot name"),
    "file.delete": ("delete", "files that Remit cannot name"),
    "source.delete": ("delete", "files that Remit cannot name"),
    "file.chmod": ("change the mode of", "files that Remit cannot name"),
    "web.fetch": ("fetch from", "an unknown host"),
    "web.post": ("send data to", "an unknown host"),
    "web.interact": ("use pages of", "an unknown host"),
    "web.search": ("search the web for", "something"),
    "api.call": ("call", "an unknown service"),
    "net.connect": ("connect to", "an unknown host"),
    "net.listen": ("accept connections on", "every address"),
    "secret.read": ("read", "a secret at an unknown location"),
    "secret.write": ("change", "a secret at an unknown location"),
    "secret.delete": ("delete", "a secret at an unknown location"),
    "profile.read": ("read the shell start-up file", ""),
    "profile.write": ("change the shell start-up file", ""),
    "memory.read": ("read the agent's instructions in", "its memory"),
    "memory.write": ("change the agent's instructions in", "its memory"),
    "hook.install": ("install code that runs by itself in", "an unknown location"),
    "policy.expand": ("change settings of an agent or editor in", "an unknown location"),
    "skill.install": ("install or change a skill in", "an unknown location"),
    "schedule.create": ("schedule a job in", "the scheduler"),
    "package.install": ("install", "a package that Remit cannot name"),
    "commit.push": ("push commits to", "an unknown remote"),
    "commit.create": ("commit in", "an unknown repository"),
    "message.send": ("send a message to", "an unknown recipient"),
    "process.kill": ("end", "an unknown process"),
    "container.run": ("run", "an unknown container"),
    "tool.invoke": ("call", "an unknown tool"),
    "env.read": ("read", "all environment variables"),
}
_NOUNS = {  # what stands before a name
    "secret.read": " the secret",
    "secret.write": " the secret",
    "secret.delete": " the secret",
    "api.call": " the service",
    "package.install": " the package",
    "process.kill": " the process",
    "container.run": " the container",
    "tool.invoke": " the tool",
}
_SUBCOMMAND = re.compile(r"[A-Za-z./][\w:./-]*(?<!/)")  # or a script
_NESTED = frozenset({"aws", "az", "gcloud", "gh", "glab"})  # their subcommands have subcommands
_INLINE = frozenset({"-", "-c", "-e", "-p", "-r", "--eval", "--print"})  # what follows, or comes in, is the program


def effect_words(capability: str, scope: Scope, workspace: Path) -> str:
    """Return what a skill wants to do, after `wants to`; paths are as a person would write them."""
    verb, unknown = _WORDS.get(capability, (f"use `{capability}` on", "something that Remit cannot name"))
    return (
        f"{verb} {unknown}"
        if scope == ANY_SCOPE
        else f"{verb}{_NOUNS.get(capability, '')} `{_short(scope.render(), workspace)}`"
    )


def _short(path: str, workspace: Path) -> str:
    """A path from the workspace or the home folder."""
    for folder, sign in ((str(workspace), "."), (str(Path.home()), "~")):
        if path == folder or path.startswith(f"{folder}/"):
            return sign + path[len(folder) :]
    return path


def command_prefix(drafted: CallRequests, request: Request | None = None) -> str:
    """The program and subcommand, or script, of each simple command that does what is requested; without a request, of each one. A call
    that brings its own program is known by all of it."""
    commands = [words for known in drafted.understood for words in known.commands if words]
    if request is not None:
        parts = (part for known in drafted.understood for part in known.parts)
        doing = {part.command for part in parts if (part.capability, part.scope) == (request.capability, request.scope)}
        commands = [words for words in commands if any(one.startswith(words[0]) for one in doing)] or commands
    if not commands or any(
        not _INLINE.isdisjoint(words) or "<any>" in words[:2] or "<<" in drafted.outgoing for words in commands
    ):
        return digest(drafted.outgoing)
    return "; ".join(dict.fromkeys(_prefix(words) for words in commands))


def _prefix(words: tuple[str, ...]) -> str:
    depth = 3 if words[0] in _NESTED else 2
    return " ".join((words[0], *takewhile(_SUBCOMMAND.fullmatch, words[1:depth])))
