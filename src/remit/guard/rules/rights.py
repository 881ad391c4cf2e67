"""Rules about requests judged by rights: what an entry denies or asks about, what none grants, what only the skill
grants, and destinations that no request names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.capability import FILE_DELETES, FILE_READS, FILE_WRITES
from remit.core.scope import ANY_SCOPE, DEEP, HostScope, PathScope, Scope, SymbolScope
from remit.guard.rules.exemptions import is_about_prompts, is_named_package, is_plain_fetch, undeclared_packages
from remit.guard.rules.model import Action, CallView, Hit, Rule
from remit.guard.rules.question_words import command_prefix, effect_words
from remit.guard.rules.run_later import is_own_project_file
from remit.guard.session.marked_hosts import marked_hosts
from remit.guard.session.tokens import url_host
from remit.guard.walls.logins import uses_login
from remit.manifest.model import Verification
from remit.policy.gate import Standing
from remit.policy.judge import Allow, Ask, Deny
from remit.policy.principal import BASELINE, UNLISTED
from remit.policy.rules import Authority

if TYPE_CHECKING:
    from remit.policy.decide import JudgedRequest
    from remit.policy.request import Request

_SENDS = frozenset({"api.call", "net.connect", "web.interact", "web.post"})  # one question for one host
_REMOTE = re.compile(r'^\s*\[remote "([^"]+)"\]([^[]*)', re.MULTILINE)
_URL = re.compile(r"^\s*(?:push)?url\s*=\s*(\S+)", re.MULTILINE)
_PUSHES, _PROPOSES = ("git", "push"), ("gh", "pr", "create")
_FLAGS = frozenset(
    {"-u", "--set-upstream", "--follow-tags", "--tags", "-q", "--quiet", "-v", "--verbose", "--porcelain"}
)
_ELSEWHERE = frozenset({"-R", "--repo", "-H", "--head"})  # a pull request in another repository
_BESIDE = frozenset({"git", "cat", "cd", "echo", "head", "sleep", "tail", "true"})  # they speak to no service
_OBEYED = frozenset({"hook.install", "policy.expand"})
_OUTWARD = _SENDS | {"commit.push", "message.send", "publish"}
_BY_FOLDER = frozenset((*FILE_READS, *FILE_WRITES, *FILE_DELETES))


def _effect(one: JudgedRequest) -> str:
    return f"{one.request.capability} {one.request.scope.render()}"


def _crossed(view: CallView, one: JudgedRequest) -> tuple[str, ...]:
    """The capabilities of a request that no entry speaks of."""
    if not isinstance(one.judgement, Ask):
        return ()
    granting = view.live.policy.policy(one.principal).granting
    return tuple(name for name, member in one.judgement.held if granting[member][1].source == UNLISTED)


def _denied(view: CallView) -> Iterator[Hit]:
    """Each request that is denied."""
    for one in view.judged_as(Deny):
        if not is_about_prompts(view, one.request):
            yield Hit(_effect(one), getattr(one.judgement, "reason", ""))


def _asked_first(view: CallView) -> Iterator[Hit]:
    """Requests whose deciding entry says `confirm`."""
    for one in view.judged_as(Ask):
        if isinstance(one.judgement, Ask) and one.judgement.standing is Standing.ASK and not _crossed(view, one):
            said = f"{_wants(view, one)}{_with_login(view, one)}, which needs your approval{_line(view, one)}"
            yield Hit(f"{_effect(one)}{_with_login(view, one)}", said + _left_out(view, one))


def _with_login(view: CallView, one: JudgedRequest) -> str:
    """With which login of the user."""
    login = view.drafted.login
    used = login is not None and login.words and not login.left_out and uses_login(login, (one.request.capability,))
    return f" with {login.words}" if login and used else ""


def _left_out(view: CallView, one: JudgedRequest) -> str:
    """Why it gets none, although the program would use one."""
    login = view.drafted.login
    left_out = login is not None and login.left_out and uses_login(login, (one.request.capability,))
    return (
        f"; {login.words or 'the host'} cannot be used inside of the walls: {login.left_out}"
        if login and left_out
        else ""
    )


def _wants(view: CallView, one: JudgedRequest, capability: str = "") -> str:
    """Return who wants to do what."""
    who = f"`{one.principal}`" if one.principal else "the agent"
    words = effect_words(capability or one.request.capability, one.request.scope, view.live.workspace.root)
    return f"{who} wants to {words}"


def _contributed(view: CallView) -> str:
    """Return the remote to which a call plainly adds commits or a pull request, and nothing else goes: that named first, or the only one
    that the repository had when the session began. Empty if there is none.
    """
    remotes = [name for name, _ in _REMOTE.findall(view.live.workspace.configured)]
    commands = (words for one in view.drafted.understood for words in (*one.commands, *one.inner))
    sending = [words for words in commands if {"push", "pr"} & {*words} or "<any>" in words]
    named = {remote for words in sending for remote in _remote_of(words, remotes)}
    found = next(iter(named)) if len(named) == 1 else ""
    return found if found in remotes else ""


def _remote_of(words: tuple[str, ...], remotes: list[str]) -> tuple[str, ...]:
    """Return the remote of a plain push or pull request; an empty one for any other command."""
    only = remotes[0] if len(remotes) == 1 else ""
    if words[:3] == _PROPOSES:
        return (only if _ELSEWHERE.isdisjoint(word.partition("=")[0] for word in words) else "",)
    operands = [word for word in words[2:] if word not in _FLAGS]
    odd = any(word.startswith(("-", "+", ":")) or word == "<any>" for word in operands)
    return ("" if words[:2] != _PUSHES or odd else operands[0] if operands else only,)


def _goes_to_remote(view: CallView, request: Request, remote: str) -> bool:
    """Whether a request is the push, or speaks to the host of the remote for a pull request, in a call of nothing else that could."""
    if request.capability == "commit.push":
        return True
    if request.capability not in _SENDS or not isinstance(request.scope, HostScope):
        return False
    commands = (words for known in view.drafted.understood for words in (*known.commands, *known.inner) if words)
    if any(words[0] not in _BESIDE and words[:3] != _PROPOSES for words in commands):
        return False
    urls = (
        url
        for name, part in _REMOTE.findall(view.live.workspace.configured)
        if name == remote
        for url in _URL.findall(part)
    )
    return request.scope.host.removeprefix("api.") in map(url_host, urls)


def _line(view: CallView, one: JudgedRequest) -> str:
    """The line of the manifest that says `confirm`; nothing where something else does."""
    if not isinstance(one.judgement, Ask):
        return ""
    entry, layer = view.live.policy.policy(one.principal).granting[one.judgement.member]
    return f" (line {entry.line} of its manifest)" if entry.line and layer.authority is Authority.SKILL else ""


def _not_granted(view: CallView) -> Iterator[Hit]:
    """One hit for each capability and place."""
    remote = _contributed(view)
    for one in view.judged_as(Ask):
        names = _crossed(view, one)
        login = _with_login(view, one)
        if names and remote and _goes_to_remote(view, one.request, remote):
            who = f"`{one.principal}` wants to push commits to `{remote}`{login}, which its manifest does not grant"
            also = "a yes also covers later pushes and pull requests there"
            yield Hit(f"commit.push {remote}{' with a login' if login else ''}", f"{who}{_left_out(view, one)}; {also}")
            continue
        if not names or (names == ("web.fetch",) and not login and is_plain_fetch(view, one.request)):
            continue
        if is_named_package(view, one.request) or (
            _OBEYED.issuperset(names) and is_own_project_file(view, one.request)
        ):
            continue
        name = "web.post" if names[-1] in _SENDS else names[-1]  # a sensitive place says more than `file.write`
        sentence = f"{_wants(view, one, name)}{login}, which its manifest does not grant{_left_out(view, one)}"
        by = f" by {_command(view, one.request)}" if one.request.capability in _OUTWARD else ""
        yield Hit(f"{name} {_remembered(view, name, one.request.scope)}{by}{login}", sentence)
    if any(one.request.capability == "package.install" for one in view.judged_as(Allow)):
        for name in undeclared_packages(view):
            sentence = f"{view.skill} wants to install the package `{name}`, which became a dependency of the project during this session"
            yield Hit(f"package.install {name}", sentence)


def _remembered(view: CallView, name: str, scope: Scope) -> str:
    """Return the scope of a yes: the folder of a file or of a skill, the exact object, or the command if the object has
    no name.
    """
    if scope == ANY_SCOPE or isinstance(scope, SymbolScope):
        return f"by {_command(view)}"
    if isinstance(scope, HostScope):
        return scope.host
    if not isinstance(scope, PathScope):
        return scope.render()
    parts = scope.parts[:-1] if scope.parts[-1:] == (DEEP,) else scope.parts
    if name == "skill.install" and "skills" in parts[:-1]:
        parts = parts[: parts.index("skills") + 2]
    elif name in _BY_FOLDER and parts == scope.parts and len(parts) > 1:
        parts = parts[:-1]
    return PathScope(scope.anchor, parts).render()


def _command(view: CallView, request: Request | None = None) -> str:
    """Return the command that does it: a yes to `gh pr create` is not one to `curl`."""
    return command_prefix(view.drafted, request) if view.drafted.understood else view.event.tool


def _untrusted(view: CallView) -> Iterator[Hit]:
    """Requests that the level of the skill makes a question, and secrets that it would read."""
    for one in view.decided.judged:
        if _is_question(one) or _is_secret(view, one):
            sentence = (
                f"{_wants(view, one)}; only its manifest grants this, and you have not trusted it (`remit guard trust`)"
            )
            yield Hit(_effect(one), sentence)


def _is_question(one: JudgedRequest) -> bool:
    return isinstance(one.judgement, Ask) and one.judgement.standing is not Standing.ASK


def _is_secret(view: CallView, one: JudgedRequest) -> bool:
    """Whether a secret or another sensitive file is read by the word of the skill alone: the gate asks only about changes."""
    if not isinstance(one.judgement, Allow):
        return False
    rights = view.live.policy.policy(one.principal)
    used = one.judgement.uses if one.request.capability == "secret.read" else one.judgement.uses[1:]
    by_itself = any(rights.granting[member][1].authority is Authority.SKILL for member in used)
    return by_itself and rights.level is Verification.UNVERIFIED


def _unnamed_destination(view: CallView) -> Iterator[Hit]:
    """Return destinations that no other rule asks about, and that the workspace does not allow to everybody."""
    spoken = {one.request.scope for one in view.judged_as(Ask) if _crossed(view, one)}
    spoken |= {one.request.scope for one in view.judged_as(Allow) if one.source == BASELINE}
    hosts = {scope.host for scope in spoken if isinstance(scope, HostScope)}
    yield from (hit for hit in view.found("unnamed-destination") if hit.about not in hosts)
    for host, path in marked_hosts(view.live, view.drafted):
        said = f"`{path}` was written in this session and names `{host}`, which comes only from untrusted text"
        yield Hit(host, said)


DENIED = Rule(
    "denied",
    Action.DENY,
    "The workspace's trusted defaults, the skill's manifest or the task deny the call.",
    "a command that `remit-defaults.json` denies",
    "the same command where nothing denies it",
    _denied,
    fixed=True,
    always=True,
)
ASKED_FIRST = Rule(
    "asked-first",
    Action.ASK,
    "The workspace's trusted defaults or the manifest say `confirm`.",
    "a command for which `remit-defaults.json` says `confirm`",
    "the same command where no entry says `confirm`",
    _asked_first,
    always=True,
)
NOT_GRANTED = Rule(
    "not-granted",
    Action.ASK,
    "A skill wants to do something that is neither ordinary work in the workspace nor granted by its manifest.",
    "curl -d @report.txt https://api.example.com",
    "cat report.txt",
    _not_granted,
)
UNTRUSTED_MANIFEST = Rule(
    "untrusted-manifest",
    Action.ASK,
    "A skill uses a right that only its own, untrusted manifest gives.",
    "a write outside of the workspace that an untrusted manifest grants",
    "the same write after `remit guard trust`",
    _untrusted,
)
UNNAMED_DESTINATION = Rule(
    "unnamed-destination",
    Action.ASK,
    "A skill sends something to a destination that the user, its manifest and the workspace do not name.",
    "git remote add backup https://git.example.com/x/y",
    "git push origin main",
    _unnamed_destination,
)
