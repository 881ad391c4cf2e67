"""One live session: everything that decisions depend on, who loaded what, and the origins of words. Saved in the store.

The values inside are frozen; an event replaces them. What is saved is what a new daemon needs to be as strict as the
old one: the words of the user (as text, because they name destinations), skills by folder and digest, grants, uses of
entries with a rate, and whether secrets were read. Tracked secrets are not saved; after a restart a session that read
some counts as one that read too many to track.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.scope import PathScope
from remit.guard.paths import fixed_start
from remit.guard.session.provenance import READ, AuthorKind, Index, Source, empty, note, note_tokens
from remit.guard.session.tokens import Token, TokenKind, addresses
from remit.guard.store import read_entries
from remit.manifest.render import entry_value
from remit.policy.buffer import Buffer
from remit.policy.decide import Decided, Use
from remit.policy.principal import AGENT, PersonGrant, SessionPolicy

if TYPE_CHECKING:
    from remit.audit.entry import Entry
    from remit.audit.world import Picture
    from remit.core.scope import Scope
    from remit.guard.call_analysis.commands import CallPlace
    from remit.guard.call_analysis.requests import CallRequests
    from remit.guard.rules.model import Stop
    from remit.guard.session.workspace import Workspace
    from remit.guard.undo.transactions import StartedTransaction

_MOST_PROMPTS = 200
_MOST_PENDING = 1000
_MOST_RESULTS = 1000
_LONGEST_RESULTS = 100_000  # characters of all of them
_LONGEST_PROMPT = 100_000
_HEARD = 250_000  # characters at either end of a prompt: the middle names nothing
_LONGEST_RESULT = 2_000_000  # characters of a result that are searched for hosts
_MOST_HOSTS = 500


class Pending(NamedTuple):
    """A call that was let through, until the host reports its end."""

    content: str  # digest of tool and arguments as they were judged
    decided: Decided
    drafted: CallRequests
    asked: bool  # the host asked its user: that the call ran is the answer
    stops: tuple[Stop, ...] = ()  # what was asked
    skills: tuple[str, ...] = ()  # on whose behalf
    begun: StartedTransaction | None = None


@dataclass
class SessionState:
    """A session in memory."""

    host: str
    name: str
    workspace: Workspace
    policy: SessionPolicy
    noted: Index  # all words but those of the newest results; `index` has them all
    revision: int = 0  # revision in the store
    prompts: list[str] = field(default_factory=list)
    folders: dict[str, str] = field(default_factory=dict)  # of loaded skills
    heard: dict[str, str] = field(default_factory=dict)  # skills whose text was read without loading: folder and digest
    stacks: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by agent: the skills it loaded, in order
    pending: dict[str, Pending] = field(default_factory=dict)
    used: dict[Use, tuple[float, ...]] = field(default_factory=dict)
    buffer: Buffer = field(default_factory=Buffer)
    waiting: dict[str, Entry] = field(default_factory=dict)  # records of what is in the buffer
    picture: Picture | None = None  # the workspace at the last flush, if it is compared at all
    marked: int = 0  # the last record before that
    results: list[tuple[str, Source]] = field(default_factory=list)  # results of tools, whose words are not noted yet
    unheard: int = 0  # characters of them
    read_secrets: bool = False
    host_marks: dict[str, tuple[str, ...]] = field(default_factory=dict)  # files with hosts from untrusted text
    placed: tuple[object, CallPlace | None] = (None, None)  # where its last command would run, and what that depends on
    bound: tuple[tuple[object, ...], tuple[Scope, ...]] = ((), ())  # what its arguments may be, and what that hangs on

    def stack(self, agent: str) -> tuple[str, ...]:
        """Return the skills on whose behalf an agent may be acting. A subagent begins with those of the main one."""
        return self.stacks.get(agent, self.stacks.get(AGENT, ()))

    def await_end(self, key: str, pending: Pending) -> None:
        """Remember a call that was let through. Calls that never end are dropped eventually: their end then counts as
        not let through.
        """
        self.pending[key] = pending
        while len(self.pending) > _MOST_PENDING:
            del self.pending[next(iter(self.pending))]

    def hear(self, prompt: str) -> None:
        """Record a prompt of the user."""
        if len(self.prompts) < _MOST_PROMPTS:
            self.prompts.append(prompt[:_LONGEST_PROMPT])
        ends = prompt if len(prompt) <= 2 * _HEARD else f"{prompt[:_HEARD]}\n{prompt[-_HEARD:]}"
        own, quoted = own_words(ends)
        self.index = note(self.index, own, Source(AuthorKind.USER))
        if quoted:
            self.index = note(self.index, quoted, Source(AuthorKind.TOOL, "what the user quotes"))

    def listen(self, result: str, source: Source) -> None:
        """Record a tool's result, or what the code of a skill printed. Its words name nothing by themselves: they are indexed when a
        word's origin is looked up.
        """
        read = result if source.kind is AuthorKind.SKILL else result[:READ]
        if len(result) > len(read):  # of the rest only what can be reached
            more = dict.fromkeys(token.value for token in addresses(result[READ:_LONGEST_RESULT]))
            read = "\n".join((*(f"https://{host}/" for host in islice(more, _MOST_HOSTS) if "@" not in host), read))
        self.results.append((read, source))
        self.unheard += len(self.results[-1][0])
        if len(self.results) >= _MOST_RESULTS or self.unheard > _LONGEST_RESULTS:
            self.noted = self.index

    @property
    def index(self) -> Index:
        """Return the index of words, including all results of tools so far."""
        for text, source in self.results:
            self.noted = note(self.noted, text, source)
        self.results.clear()
        self.unheard = 0
        return self.noted

    @index.setter
    def index(self, index: Index) -> None:
        self.noted = index

    def skill_of(self, drafted: CallRequests) -> str:
        """Return the skill in whose folder a call runs or reads something; empty if there is none."""
        parts = (part.scope for known in drafted.understood for part in known.parts)
        paths = [
            fixed_start(one) for one in (*(one.scope for one in drafted.requests), *parts) if isinstance(one, PathScope)
        ]
        inside = (name for name, folder in self.folders.items() for path in paths if path.startswith(f"{folder}/"))
        return next(iter((*drafted.runs, *inside)), "")

    def document(self) -> dict[str, Any]:
        """Return what is saved."""
        return {
            "workspace": str(self.workspace.root),
            "started": self.policy.started,
            "prompts": self.prompts,
            "folders": self.folders,
            "heard": self.heard,
            "contents": {one.name: one.digest for one in self.policy.skills},
            "senders": {one.name: list(one.sent_by) for one in self.policy.skills},
            "stacks": {agent: list(stack) for agent, stack in self.stacks.items()},
            "granted": [_granted(one) for one in self.policy.granted if one.expires is None],
            "approved": sorted(self.policy.approved),
            "task": [entry_value(entry) for entry in self.policy.task],
            "read_secrets": self.read_secrets,
            "host_marks": {path: list(hosts) for path, hosts in self.host_marks.items()},
            "used": [[use.principal, use.entry, list(times)] for use, times in self.used.items()],
        }


def own_words(prompt: str) -> tuple[str, str]:
    """Return the lines of a prompt that are the user's own, and the quoted ones (`> `, as in mail), which name nothing."""
    lines = prompt.splitlines()
    quoted = [line for line in lines if line.lstrip().startswith(">")]
    return "\n".join(line for line in lines if not line.lstrip().startswith(">")), "\n".join(quoted)


def new_index(workspace: Workspace, home: str) -> Index:
    """Return the index of a new session: it contains the configuration of the workspace."""
    index = empty(secrets.token_bytes(32), home)
    source = Source(AuthorKind.WORKSPACE)
    index = note_tokens(index, (Token(TokenKind.PACKAGE, name) for name in workspace.packages), source)
    return note(index, workspace.configured, source) if workspace.configured else index


def recall(live: SessionState, document: Mapping[str, Any]) -> None:
    """Restore a saved session, except for its skills, which are loaded again."""
    live.folders = dict(document["folders"])
    live.heard = dict(document.get("heard", {}))
    live.stacks = {agent: tuple(stack) for agent, stack in document["stacks"].items()}
    live.read_secrets = bool(document["read_secrets"])
    live.host_marks = {path: tuple(hosts) for path, hosts in document.get("host_marks", {}).items()}
    live.used = {Use(principal, entry): tuple(times) for principal, entry, times in document.get("used", ())}
    for prompt in document["prompts"]:
        live.hear(prompt)
    if live.folders:  # what their code printed is not saved
        live.index = live.index._replace(cut=True)
    if live.read_secrets:
        live.index = live.index._replace(followed=live.index.followed._replace(full=True))
    live.policy = replace(
        live.policy,
        started=int(document["started"]),
        granted=tuple(map(_recalled, document["granted"])),
        approved=frozenset(document["approved"]),
        task=read_entries(document["task"]),
    )


def _granted(one: PersonGrant) -> list[Any]:
    return [one.principal, entry_value(one.entry), one.source, one.granted_at, one.content]


def _recalled(item: list[Any]) -> PersonGrant:
    principal, entry, source, granted_at, content = item
    return PersonGrant(principal, read_entries([entry])[0], source, granted_at, content=content)
