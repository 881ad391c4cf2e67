"""What is personal goes to a host that the text of the skill does not name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.effect import Origin
from remit.core.flow import fetches_for_itself
from remit.core.patterns import lazy_pattern
from remit.core.scope import DEEP, HOME, WORKSPACE, PathScope
from remit.findings.destinations import NAME_SERVERS, authenticates, effects_of, is_own_file, leaving
from remit.findings.evidence import by_flow
from remit.findings.model import Finding, Rule, Severity
from remit.findings.trust import HostStanding, standing
from remit.findings.wording import host_words

if TYPE_CHECKING:
    from remit.core.flow import Endpoint, Flow
    from remit.findings.subject import Subject

_RECORDED = {
    "clipboard.read": "your clipboard",
    "screen.capture": "pictures of your screen",
    "microphone.record": "sound from your microphone",
    "camera.capture": "pictures of your camera",
    "input.access": "what you type",
    "memory.read": "what your agent remembers",
    "db.read": "the content of your database",
    "commit.read": "the history of your repository",
}
_AGENTS = frozenset(".claude .codex .gemini .cursor .openclaw .clawdbot .moltbot .aider .continue".split())
_TALK = frozenset("projects sessions history.jsonl transcripts conversations todos agents chats tmp".split())
_BROWSERS = "google-chrome chromium Chrome firefox Firefox .mozilla Safari BraveSoftware"
_BELOW_HOME = {
    "your browser's data": frozenset(_BROWSERS.split()),
    "your personal files": frozenset("Documents Desktop Downloads Pictures Movies Music Videos notes Notes".split()),
    "your mail and messages": frozenset("Mail Messages AddressBook .thunderbird Contacts Calendars".split()),
    "your SSH hosts": frozenset({".ssh"}),
    "your Git settings": frozenset({".gitconfig"}),
}


def find(subject: Subject) -> Iterator[Finding]:
    """Flows from personal data to a host."""
    for flow, sink in leaving(subject):
        if (
            sink is NAME_SERVERS
            and flow.source.capability == "file.read"
            and _SUFFIX.search(subject.line(flow.sink.where))
        ):
            message = "hides the content of files in names that it looks up"
            yield by_flow(RULE, subject, flow, Severity.HIGH, message)
            continue
        what = _RECORDED["db.read"] if _is_database(subject, flow.source) else _personal(flow.source)
        if not what or is_own_file(subject, flow.source.scope) or authenticates(subject, flow):
            continue
        if what == _PROJECT and fetches_for_itself(flow, subject.by_line.get(flow.sink.where, ())):
            continue
        if what == _RECORDED["db.read"] and _is_server(subject, flow):
            continue
        who = standing(subject, sink.host.removeprefix("*."), instructed=flow.origin is Origin.INSTRUCTED)
        if who.hidden or (who is HostStanding.ECHOED and what not in _EXPECTED):
            yield by_flow(RULE, subject, flow, Severity.HIGH, f"sends {what} to {host_words(sink)}")
        elif who is HostStanding.STATED:
            yield by_flow(RULE, subject, flow, Severity.LOW, f"sends {what} to {host_words(sink)}")


def _is_database(subject: Subject, source: Endpoint) -> bool:
    """Whether what comes from a host comes by a program that reads a database there."""
    here = subject.by_line.get(source.where, ())
    readers = {effect.via.name for effect in here if effect.capability == "db.read"}
    return source.capability == "net.connect" and any(
        effect.via.name in readers for effect in effects_of(subject, source)
    )


def _is_server(subject: Subject, flow: Flow) -> bool:
    """Whether the program that reads a database reaches the host for that: the data comes from there."""
    here = subject.by_line.get(flow.source.where, ())
    readers = {effect.via.name for effect in here if effect.capability == "db.read"}
    reaching = {effect.via.name for effect in effects_of(subject, flow.sink)}
    return flow.source.where == flow.sink.where and bool(reaching) and reaching <= readers


_SUFFIX = lazy_pattern(
    r"[})\w\"']\.[\w-]+(?:\.[\w-]+)+[\"']?"
)  # a name whose first part is data: "$(cat x).t.example.net"
_PROJECT = "everything in the project"
_NAMES = "the names of the files in your home folder"
_EXPECTED = frozenset({_PROJECT, _NAMES})  # at a host that has a name of the description


def _personal(source: Endpoint) -> str:
    """What personal data a flow begins with, in words; empty if it is none."""
    scope = source.scope
    if isinstance(scope, PathScope) and scope.anchor == HOME:
        if not scope.parts:
            return _NAMES
        if scope.parts[-1].endswith(".pub") or (".ssh" in scope.parts and source.capability == "secret.read"):
            return ""  # a public key is made to be handed out, and `secret-to-network` reports a private one
        if scope.parts[-1].endswith("_history"):
            return "the history of your shell"
        if _AGENTS & {scope.parts[0]} and (_TALK & set(scope.parts) or scope.parts[1:2] in ((), (DEEP,), ("*",))):
            return "your conversations with the agent"
        return next((words for words, names in _BELOW_HOME.items() if not names.isdisjoint(scope.parts)), "")
    if isinstance(scope, PathScope) and scope.anchor == WORKSPACE:
        if scope.parts[:1] == (".git",):
            return "the whole repository with its history"
        if scope.parts == (DEEP,) and source.capability in ("file.read", "source.read"):
            return _PROJECT
    return _RECORDED.get(source.capability, "")


RULE = Rule(
    "personal-data-to-network",
    "secrets",
    "personal data goes to a host that the text of the skill does not name",
    Severity.HIGH,
    "Conversations, histories, recordings, private folders and whole repositories contain data that their owner would not give to a third party.",
    "Hosts that the text of the skill names, well-known services, and a program that reads the project for its own work and downloads something.",
    "Send only what the task needs, and name the recipient in the text.",
    find,
)
