"""The judgement of one request of a skill, in one numbered order. A pure function.

(1) All meanings of the request: its own capability, and that of each sensitive place that contains its target.
    Each meaning must pass (2) to (7); the strictest answer counts. A pattern whose runner spares sensitive and denied places
    inside of it does not mean those, and is denied only by what denies the whole of it; what is only read, by any part.
(2) A denial that may match it, in any spelling: denied. No grant, priority or level outweighs this.
(3) A denied pattern of an entry that may speak of it, found in its command: denied, whatever else grants it. So is a request
    that runs a command and does not say which.
(4) No single entry covers the capability and the whole scope: outside, denied. Entries are never combined.
(5) Of those that do, only the ones whose limits certainly hold now. None: denied.
(6) The minimum level for the capability is not reached: denied.
(7) Of what remains, and of the entries that only ask, the strongest authority decides (a person's grant, then the workspace,
    then the manifest), then the highest priority; at a tie an entry that asks outweighs one that allows.
(8) The gate table answers, by how the request stands and by the level of the skill. What the workspace or a person allows is allowed
    by people: it stands as if it were formally verified. The mere run of something whose effects are all judged changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from remit.core.capability import Change, Level, matches, vocabulary
from remit.core.scope import AnyScope, PathScope, Scope, ScopeKind, covers, overlaps
from remit.core.scope.component import literal
from remit.core.sensitive import may_touch, places, sensitive, variable_of
from remit.core.source import as_source, is_source
from remit.manifest.model import Decision, Permission, Verification
from remit.policy.entry_matches import decides, grants, may_deny
from remit.policy.gate import Gate, Standing, gate_table, standing
from remit.policy.limits import Situation, denied_pattern, first_unmet, may_be_met
from remit.policy.request import COMMANDS, Request
from remit.policy.rules import LAST, Authority, Rule, Rules
from remit.policy.skill_policy import LEVELS, SkillPolicy
from remit.policy.spelling import spellings

if TYPE_CHECKING:
    from remit.policy.scope_index import Finder

_LINES = tuple(Standing)
_STRICTNESS = {gate: number for number, gate in enumerate(Gate)}


class Allow(NamedTuple):
    """The request runs, by the granting entry with this ordinal."""

    member: int
    uses: tuple[int, ...]  # the ordinals of all entries that it needs: one for each meaning, its own first
    redact: bool = False  # the value is handed out masked or as a handle
    standing: Standing = Standing.UNCHANGED  # the line of the gate table


class Ask(NamedTuple):
    """Remit asks the user: about this request, or `once` a session about all with the same key."""

    member: int
    once: bool
    key: str
    reason: str
    uses: tuple[int, ...]
    redact: bool = False
    held: tuple[tuple[str, int], ...] = ()  # each capability that it means, and the ordinal of the entry that holds it
    standing: Standing = Standing.ASK


class Deny(NamedTuple):
    """The request is refused. The codes are in `data/refusals.table`."""

    code: str
    reason: str


Judgement: TypeAlias = "Allow | Ask | Deny"


class _MeaningOutcome(NamedTuple):
    """The outcome of one meaning of a request."""

    gate: Gate
    rule: Rule
    redact: bool
    standing: Standing


def judge(policy: SkillPolicy, request: Request, situation: Situation) -> Judgement:
    """Judge a request, in the order above."""
    if request.capability not in vocabulary():
        return Deny("unknown-capability", f"`{request.capability}` is not a capability")
    chosen: list[_MeaningOutcome] = []
    names: list[str] = []
    here = request._replace(scope=policy.resolve(request.scope))
    rules = policy.under(situation.bound)
    for meaning in meanings(here):  # (1)
        speaking = rules[meaning.capability]
        found = _one(policy, speaking, meaning, request.scope, situation, own=not chosen)
        if isinstance(found, Deny):
            return found
        chosen.append(found)
        names.append(meaning.capability)
    uses = tuple(dict.fromkeys(one.rule.member for one in chosen))
    redact = any(one.redact for one in chosen)
    strictest = max(chosen, key=lambda one: _STRICTNESS[one.gate])
    if strictest.gate is Gate.ALLOW:
        return Allow(uses[0], uses, redact, max((one.standing for one in chosen), key=_LINES.index))
    if strictest.gate is Gate.DENY:
        return Deny("gate", f"{_said(request, request.scope)} does not run at the level `{policy.level}`")
    once = strictest.gate is Gate.ONCE
    reason = _with_note(f"{_said(request, request.scope)} needs a person's word", strictest.rule.entry)
    held = tuple((name, one.rule.member) for name, one in zip(names, chosen, strict=True))
    key = _key(policy.skill, request) if once else ""
    return Ask(uses[0], once, key, reason, uses, redact, held, strictest.standing)


def _key(skill: str, request: Request) -> str:
    """Return the subject of a question once a session: skill, capability and scope. It is not a digest."""
    return f"once {len(skill)}:{skill} {request.capability} {request.scope.tag}:{request.scope.render()}"


def _one(
    policy: SkillPolicy, rules: Rules, request: Request, written: Scope, situation: Situation, *, own: bool
) -> _MeaningOutcome | Deny:
    """Judge one meaning of a request. `written` is its scope as the envelope wrote it, for messages."""
    capability = request.capability
    forms = _forms(request)
    looked_at = request.spared and vocabulary()[capability].change is not Change.NONE  # what was read stays read
    for rule in _met(rules.denials, forms, whole=looked_at):  # (2)
        if not _is_over(rule, situation) and may_be_met(rule.entry.constraints, request, situation):
            return Deny("denied", _with_note(f"{_said(request, written)} is denied by {rule.where}", rule.entry))
    if capability in COMMANDS:  # (3)
        for rule in _met(rules.patterned, forms):
            if not request.command:
                return Deny("command-missing", f"{rule.where} forbids some commands of {_said(request, written)}")
            pattern = denied_pattern(rule.entry.constraints.denied_command_patterns, request)
            if pattern is not None:
                what = f"the command matches `{pattern}` of {rule.where}"
                return Deny("command-denied", _with_note(what, rule.entry))
    holding = [
        rule
        for rule in rules.grants.near(request.scope)
        if grants(rule.entry, request) and _means_it(rule.entry, request)
    ]
    if not holding:  # (4)
        code = "sensitive" if not own else "outside" if rules.grants.items else "undeclared"
        return Deny(code, f"no entry holds {_said(request, written)}")
    unmet = [_unmet(rule, request, situation) for rule in holding]
    fitting = [rule for rule, code in zip(holding, unmet, strict=True) if not code]
    if not fitting:  # (5)
        what = f"{_said(request, written)} is outside the limits of {holding[0].where}"
        return Deny(unmet[0], _with_note(what, holding[0].entry))
    least = _least(policy, request)
    if LEVELS.index(policy.level) < least:  # (6)
        reason = f"{capability} needs the level `{LEVELS[least]}`, and the skill has `{policy.level}`"
        return Deny("below-minimum", reason)
    asking = [
        rule
        for rule in _met(rules.asks, forms, whole=request.spared)
        if not _is_over(rule, situation) and may_be_met(rule.entry.constraints, request, situation)
    ]
    every = [*fitting, *asking]
    first = min(every, key=lambda rule: _rank(rule, request)) if len(every) > 1 else every[0]  # (7)
    gate, line = _gate(policy, request, situation, first)  # (8)
    held = first if first.member >= 0 else min(fitting, key=lambda rule: _rank(rule, request))
    return _MeaningOutcome(gate, held, held.entry.constraints.redact or _is_redacted(capability), line)


def _rank(rule: Rule, request: Request) -> tuple[int, int, bool, int]:
    allows = rule.member >= 0 and decides(rule.entry, request) is Decision.ALLOW
    return -rule.authority, -rule.entry.priority, allows, rule.member


def meanings(request: Request) -> Iterator[Request]:
    """Yield a request under each of its meanings, its own first. Renaming it changes nothing about what it needs.

    `source.X` on what is not surely source code is `file.X`; and a path in a sensitive place means the capability of that place,
    whatever capability on paths it was asked for under.
    """
    name, scope = request.capability, request.scope
    if name.startswith("source.") and f"file.{name[7:]}" in vocabulary() and not is_source(scope):
        name = f"file.{name[7:]}"
    yield request if name == request.capability else request._replace(capability=name)
    if request.spared:
        return
    for other in may_touch(_as_file(name), scope):
        if other != name:
            yield request._replace(capability=other)


@cache
def _as_file(capability: str) -> str:
    """Return what a capability on paths does to the file; empty if it is not on paths."""
    found = vocabulary().get(capability)
    if found is None or found.scope_kind is not ScopeKind.PATH:
        return ""
    if capability.startswith(("file.", "source.")) and capability != "source.execute":
        return capability
    reads = found.change is Change.NONE or capability == "source.execute"
    return "file.read" if reads else "file.delete" if capability.endswith(".delete") else "file.write"


@cache
def _sensitive_names() -> frozenset[str]:
    return frozenset(name for place in places().rows for names in place.means for name in names)


def _means_it(entry: Permission, request: Request) -> bool:
    """Return whether an entry for a kind of sensitive place covers this target: a known one, or one in the entry's
    scope.
    """
    name = request.capability
    if (
        entry.priority == LAST  # it speaks of whatever no entry speaks of
        or name not in _sensitive_names()
        or variable_of(request.scope)
        or name in _known_as(_as_file(name), request.scope)
    ):
        return True
    named = (*entry.scopes, *entry.constraints.resource_scope)
    return any(not isinstance(scope, AnyScope) and covers(scope, request.scope) for scope in named)


def _known_as(action: str, scope: Scope) -> tuple[str, ...]:
    """Return the sensitive kinds that a target certainly is. A pattern that merely includes such a place is none."""
    if isinstance(scope, PathScope) and any(literal(part) is None for part in scope.parts):
        return sensitive(action, scope)
    return may_touch(action, scope)


def _forms(request: Request) -> tuple[Request, ...]:
    """Return a request in each spelling that a denial may use."""
    programs = vocabulary()[request.capability].scope_kind is ScopeKind.PROGRAM
    return tuple(Request(request.capability, form) for form in spellings(request.scope, programs=programs))


def _met(rules: Finder[Rule], forms: Sequence[Request], *, whole: bool = False) -> Iterator[Rule]:
    """Yield the rules that may match a request; with `whole`, only those that cover all of it, where places inside are
    spared.
    """
    for form in forms:
        for rule in rules.near(form.scope):
            if may_deny(rule.entry, form) and (rule.inside is None or overlaps(rule.inside, form.scope)):
                if whole and not any(_may_hold(scope, form.scope) for scope in rule.entry.scopes):
                    continue
                yield rule


def _may_hold(scope: Scope, asked: Scope) -> bool:
    """Return whether a denied scope covers everything that is asked for; for unknown folders it may."""
    unplaced = isinstance(scope, PathScope) and isinstance(asked, PathScope) and scope.anchor != asked.anchor
    return unplaced or covers(scope, asked)


def _is_over(rule: Rule, situation: Situation) -> bool:
    """Return whether a denial or a question has certainly expired."""
    return rule.expires is not None and situation.moment is not None and situation.moment.seconds >= rule.expires


def _unmet(rule: Rule, request: Request, situation: Situation) -> str:
    """Return the code of the first limit that does not certainly hold; empty if all do."""
    if rule.inside is not None and not covers(rule.inside, request.scope):
        return "outside-workspace"
    if rule.expires is not None and (situation.moment is None or situation.moment.seconds >= rule.expires):
        return "expired"
    if _is_redacted(request.capability) and not situation.redacts:
        return "not-redacted"
    return first_unmet(rule.entry.constraints, rule.member, request, situation)


def _is_redacted(capability: str) -> bool:
    return vocabulary()[capability].level is Level.REDACT


def _least(policy: SkillPolicy, request: Request) -> int:
    """Return the number of the minimum level of a capability; that of `source.X` applies to source code under any name."""
    if not policy.minimum:
        return 0
    names = {request.capability, as_source(request.capability, request.scope) or request.capability}
    found = (LEVELS.index(level) for pattern, level in policy.minimum if any(matches(pattern, name) for name in names))
    return max(found, default=0)


RUNS = COMMANDS | {"source.execute"}  # running a program is not an effect by itself: what it does is judged


def _gate(policy: SkillPolicy, request: Request, situation: Situation, rule: Rule) -> tuple[Gate, Standing]:
    decision = decides(rule.entry, request) if rule.member >= 0 else Decision.CONFIRM
    level = policy.level if rule.authority is Authority.SKILL else Verification.FORMAL
    known = situation.understood and request.capability in RUNS
    change = Change.NONE if known else vocabulary()[request.capability].change
    snapshotted = change is Change.REVERSIBLE and any(
        covers(policy.resolve(root), request.scope) for root in policy.snapshotted
    )
    line = standing(decision, change, snapshotted=snapshotted)
    return gate_table()[line, level], line


def _said(request: Request, written: Scope) -> str:
    return f"`{request.capability} {written.render()}`"


def _with_note(reason: str, entry: Permission) -> str:
    return f"{reason}: {entry.fallback_msg}" if entry.fallback_msg else reason
