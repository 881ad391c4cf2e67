"""How rules name things: effects as a question names them (`send data to api.example.com`), and the beginning of a command by which an
answer is remembered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.digest import digest
from remit.core.scope import ANY_SCOPE

if TYPE_CHECKING:
    from remit.core.scope import Scope
    from remit.guard.call_analysis.requests import CallRequests

_WORDS = {
    "file.read": ("read", "files that are not known"),
    "source.read": ("read", "files that are not known"),
    "file.write": ("write", "files that are not known"),
    "source.write": ("write", "files that are not known"),
    "file.delete": ("delete", "files that are not known"),
    "source.delete": ("delete", "files that are not known"),
    "file.chmod": ("change the mode of", "files that are not known"),
    "web.fetch": ("fetch from", "a host that is not known"),
    "web.post": ("send data to", "a host that is not known"),
    "web.interact": ("use pages of", "a host that is not known"),
    "web.search": ("search the web for", "something"),
    "api.call": ("call the service", "that is not known"),
    "net.connect": ("connect to", "a host that is not known"),
    "net.listen": ("accept connections on", "every address"),
    "secret.read": ("read the secret", "of a place that is not known"),
    "secret.write": ("change the secret", "of a place that is not known"),
    "secret.delete": ("delete the secret", "of a place that is not known"),
    "profile.read": ("read the shell start-up file", ""),
    "profile.write": ("change the shell start-up file", ""),
    "memory.read": ("read the agent's instructions in", "its memory"),
    "memory.write": ("change the agent's instructions in", "its memory"),
    "hook.install": ("install code that runs by itself in", "a place that is not known"),
    "policy.expand": ("change settings of an agent or editor in", "a place that is not known"),
    "skill.install": ("install or change a skill in", "a place that is not known"),
    "schedule.create": ("schedule a job in", "the scheduler"),
    "package.install": ("install the package", "that is not known"),
    "commit.push": ("push commits to", "a remote that is not known"),
    "commit.create": ("commit in", "a repository that is not known"),
    "message.send": ("send a message to", "somebody"),
    "process.kill": ("end the process", "that is not known"),
    "container.run": ("run the container", "that is not known"),
    "tool.invoke": ("call the tool", "that is not known"),
    "env.read": ("read", "all environment variables"),
}
_SUBCOMMAND = re.compile(r"[A-Za-z][\w:.-]*")
_INLINE = frozenset({"-", "-c", "-e", "-p", "-r", "--eval", "--print"})  # what follows, or comes in, is the program


def effect_words(capability: str, scope: Scope) -> str:
    """What a skill wants to do, after `wants to`."""
    verb, unknown = _WORDS.get(capability, (f"use `{capability}` on", "something that is not known"))
    return f"{verb} {unknown}" if scope == ANY_SCOPE else f"{verb} `{scope.render()}`"


def command_prefix(drafted: CallRequests) -> str:
    """The program and subcommand of each simple command; a call that brings its own program is known by all of it."""
    commands = [words for known in drafted.understood for words in known.commands if words]
    if not commands or any(
        not _INLINE.isdisjoint(words) or "<any>" in words[:2] or "<<" in drafted.outgoing for words in commands
    ):
        return digest(drafted.outgoing)
    return "; ".join(dict.fromkeys(_prefix(words) for words in commands))


def _prefix(words: tuple[str, ...]) -> str:
    subcommand = words[1] if len(words) > 1 and _SUBCOMMAND.fullmatch(words[1]) else ""
    return f"{words[0]} {subcommand}".strip()
