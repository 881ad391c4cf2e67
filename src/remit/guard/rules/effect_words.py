"""Effects as a question names them: `send data to api.example.com`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.scope import ANY_SCOPE

if TYPE_CHECKING:
    from remit.core.scope import Scope

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


def effect_words(capability: str, scope: Scope) -> str:
    """What a skill wants to do, after `wants to`."""
    verb, unknown = _WORDS.get(capability, (f"use `{capability}` on", "something that is not known"))
    return f"{verb} {unknown}" if scope == ANY_SCOPE else f"{verb} `{scope.render()}`"
