"""Deliberate bugs of the rules that run, as changes of their source text: a file, what is there, and what is there instead.

`SEVEN` are those that only tests had noticed. Each is tried in a process of its own (`notice`): the mutated file is loaded in the place
of the real one, before anything else of Remit is.
"""

import importlib.abc
import importlib.util
import json
import sys
from pathlib import Path

INCLUSION, COVERING, JUDGE = "core/scope/inclusion.py", "policy/entry_matches.py", "policy/judge.py"
PROJECTOR, BUFFER, SESSION, GATE = "policy/projector.py", "policy/buffer.py", "policy/session.py", "policy/gate.py"
LIMITS, DECIDE, REMEMBERED = "policy/limits.py", "policy/decide.py", "policy/judgement_cache.py"
KINDS, RULES, FINDER, MODEL = "proof/sessions/kinds.py", "policy/rules.py", "policy/scope_index.py", "manifest/model.py"

SEVEN = {
    "every scope covers": (INCLUSION, "    if isinstance(grant, AnyScope) or grant == scope:\n        return True\n    try:\n        if isinstance(grant, PathScope) and isinstance(scope, PathScope):\n            return _path", "    return True\n    try:\n        if isinstance(grant, PathScope) and isinstance(scope, PathScope):\n            return _path"),
    "denials are ignored": (JUDGE, "    for rule in _met(rules.denials, forms, whole=looked_at):  # (2)", "    for rule in ():  # (2)"),
    "the projector permits everything": (PROJECTOR, "        judgement = judged(policy, request, situation)\n", "        judgement = judged(policy, request, situation)\n        return Considered(judgement, issue(Grant(policy.skill, 0, request, (0,), False)))\n"),
    "the buffer drops records": (BUFFER, "written = [ident for ident in record if ident not in opened.flush]", "written = []"),
    "confirm is treated as allow": (JUDGE, "    decision = decides(rule.entry, request) if rule.member >= 0 else Decision.CONFIRM\n", "    decision = Decision.ALLOW\n"),
    "an undeclared effect of a script is allowed": (KINDS, "    if not any(declares(entry, effect) for entry in granting):\n        return None\n", "    if not any(declares(entry, effect) for entry in granting):\n        return Decision.ALLOW\n"),
    "_snapshotted is always true": (KINDS, "    if covers(_SNAPSHOTTED, scope):\n        return (True,)\n", "    return (True,)\n"),
}  # fmt: skip

MORE = {
    # covering and inclusion
    "paths under any anchor cover": (INCLUSION, "            return _path_covers(grant, scope)", "            return True"),
    "names cover each other": (INCLUSION, "            return included(scope.pattern, grant.pattern, component=False)", "            return True"),
    "any port is covered, and any host": (INCLUSION, "return grant.port in (None, scope.port) and _host_covers(grant.host, scope.host)", "return grant.port in (None, scope.port)"),
    "any port is covered": (INCLUSION, "return grant.port in (None, scope.port) and _host_covers(grant.host, scope.host)", "return _host_covers(grant.host, scope.host)"),
    "an amount above is covered": (INCLUSION, "        return below and above", "        return below"),
    "an amount below is covered": (INCLUSION, "        return below and above", "        return above"),
    "an entry holds any scope": (COVERING, "    return _one_covers(entry.scopes, effect.scope) and (not resources", "    return (not resources"),
    "one scope that meets is enough to hold": (COVERING, "    return any(covers(one, scope) for one in scopes)", "    return any(overlaps(one, scope) for one in scopes)"),
    "an entry grants by any name": (COVERING, "        granted_as(entry, effect) is not None\n        and _holds", "        _holds"),
    "an entry stands for any capability": (COVERING, "    if matches(entry.capability, effect.capability):\n        return effect.capability\n", "    return effect.capability\n"),
    "a denial meets nothing": (COVERING, "        and _one_meets(entry.scopes, scope)\n", "        and False\n"),
    "a denial stands for nothing": (COVERING, "    if matches(entry.capability, capability):\n        return True\n", "    if matches(entry.capability, capability):\n        return False\n"),
    "a denial needs a resource": (COVERING, "        and (not limits.resource_scope or _one_meets(limits.resource_scope, scope))", "        and (_one_meets(limits.resource_scope, scope))"),
    "a denial counts in the workspace alone": (COVERING, "        and (not limits.workspace_only or overlaps(_INSIDE, scope))\n    )\n\n\ndef is_bound", "        and covers(_INSIDE, scope)\n    )\n\n\ndef is_bound"),
    "what an entry decides is to allow": (COVERING, "    return entry.decision(granted_as(entry, effect) or effect.capability)", "    from remit.manifest.model import Decision as D\n    return D.ALLOW"),
    "an entry without effect allows": (MODEL, "        return self.effect or usual_decision(vocabulary()[capability].level)", "        return self.effect or Decision.ALLOW"),
    # the judge
    "a denial is over before it begins": (JUDGE, '        if not _is_over(rule, situation) and may_be_met(rule.entry.constraints, request, situation):\n            return Deny("denied"', '        if _is_over(rule, situation) and may_be_met(rule.entry.constraints, request, situation):\n            return Deny("denied"'),
    "no entry need hold it": (JUDGE, "        if grants(rule.entry, request) and _means_it(rule.entry, request)\n", ""),
    "whoever holds something holds all": (JUDGE, "    if not holding:  # (4)", "    holding = holding or list(rules.grants.items)\n    if not holding:  # (4)"),
    "all is allowed formally": (JUDGE, "    level = policy.level if rule.authority is Authority.SKILL else Verification.FORMAL", "    level = Verification.FORMAL"),
    "nothing changes anything": (JUDGE, "    change = Change.NONE if known else vocabulary()[request.capability].change", "    change = Change.NONE"),
    "snapshots are taken everywhere": (JUDGE, "        covers(policy.resolve(root), request.scope) for root in policy.snapshotted\n", "        True for root in policy.snapshotted\n"),
    "snapshots are taken of what cannot be undone": (JUDGE, "    line = standing(decision, change, snapshotted=snapshotted)", "    line = standing(decision, Change.REVERSIBLE if change is Change.IRREVERSIBLE else change, snapshotted=True)"),
    "the least strict meaning counts": (JUDGE, "    strictest = max(chosen, key", "    strictest = min(chosen, key"),
    "to ask once is to allow": (JUDGE, "    if strictest.gate is Gate.ALLOW:", "    if strictest.gate in (Gate.ALLOW, Gate.ONCE):"),
    "to ask is to allow": (JUDGE, "    if strictest.gate is Gate.ALLOW:", "    if strictest.gate is not Gate.DENY:"),
    "every question is asked once": (JUDGE, "    once = strictest.gate is Gate.ONCE", "    once = True"),
    "only the last denial counts": (JUDGE, "    for rule in _met(rules.denials, forms, whole=looked_at):  # (2)", "    for rule in list(_met(rules.denials, forms, whole=looked_at))[1:]:  # (2)"),
    "a denial must hold the whole": (JUDGE, "                if whole and not any(_may_hold", "                if not any(_may_hold"),
    # rules made ready
    "denials of the manifest are not made ready": (RULES, "    denials = [_forgiving(entry, places, bound) for entry in sources.manifest if entry.effect is Decision.DENY]\n", "    denials: list[Rule] = []\n"),
    "denials grant": (RULES, "        if entry.effect is not Decision.DENY\n    ]\n\n\ndef make_rules", "    ]\n\n\ndef make_rules"),
    "a sensitive place is a place": (JUDGE, "    for other in may_touch(_as_file(name), scope):\n        if other != name:\n", "    for other in ():\n        if other != name:\n"),
    # the gate
    "what is asked about is unchanged": (GATE, "        return Standing.ASK\n", "        return Standing.UNCHANGED\n"),
    "what nobody grants is asked about": (GATE, "        return Standing.OUTSIDE\n    if decision is Decision.DENY", "        return Standing.ASK\n    if decision is Decision.DENY"),
    "what cannot be undone is reversible": (GATE, "    return Standing.REVERSIBLE if change is Change.REVERSIBLE and snapshotted else Standing.IRREVERSIBLE", "    return Standing.REVERSIBLE"),
    "no snapshot is needed": (GATE, "change is Change.REVERSIBLE and snapshotted else", "change is Change.REVERSIBLE else"),
    "every change is none": (GATE, "    if change is Change.NONE:\n", "    if True:\n"),
    # the projector
    "any answer is an answer": (PROJECTOR, "    return not same\n", "    return False\n"),
    "no answer is an answer": (PROJECTOR, "(answer is None or _unanswered(policy, request, judgement, answer))", "(answer is not None and _unanswered(policy, request, judgement, answer))"),
    "an answer by kind always counts": (PROJECTOR, "        answer.subject == request.digest(policy.skill) or (ask.once and answer.subject == ask.key)\n", "        answer.subject == request.digest(policy.skill) or answer.subject != ask.key\n"),
    "a denial is permitted": (PROJECTOR, "        if isinstance(judgement, Deny):\n            return Considered(judgement, None)\n", "        if isinstance(judgement, Deny):\n            return Considered(judgement, issue(Grant(policy.skill, 0, request, (0,), False)))\n"),
    "a question is permitted": (PROJECTOR, "        if isinstance(judgement, Ask) and (", "        if False and ("),
    # the buffer
    "the buffer forgets what waited": (BUFFER, "        _place(old, kept, record, restore).extend(buffer.waiting)\n", "        pass\n"),
    "the buffer forgets all but the oldest": (BUFFER, "extend(buffer.waiting)", "extend(buffer.waiting[:1])"),
    "the buffer forgets the oldest": (BUFFER, "extend(buffer.waiting)", "extend(buffer.waiting[1:])"),
    "the buffer forgets the newest": (BUFFER, "Buffer(tuple(kept), pending)", "Buffer(tuple(kept[:-1]), pending)"),
    "the buffer forgets all": (BUFFER, "Buffer(tuple(kept), pending)", "Buffer((), pending)"),
    "the buffer keeps what is recorded": (BUFFER, "Buffer(tuple(kept), pending)", "Buffer((*kept, *record), pending)"),
    "the buffer records what is flushed again": (BUFFER, "written = [ident for ident in record if ident not in opened.flush]", "written = record"),
    "a flush writes nothing": (BUFFER, "buffer.waiting if _flushed(rules, control) else ()", "()"),
    "a flush writes only the oldest": (BUFFER, "buffer.waiting if _flushed(rules, control) else ()", "buffer.waiting[:1] if _flushed(rules, control) else ()"),
    "a flush writes always": (BUFFER, "buffer.waiting if _flushed(rules, control) else ()", "buffer.waiting"),
    "new effects are not placed": (BUFFER, "        _place(stands, kept, record, restore).append(effect.ident)\n", "        pass\n"),
    "what waits is recorded at once": (BUFFER, "return kept if stands.waiting else record if", "return record if stands.waiting else record if"),
    "what is recorded waits": (BUFFER, "return kept if stands.waiting else record if stands.recorded else restore", "return kept if stands.waiting or stands.recorded else restore"),
    "what is undone is recorded": (BUFFER, "return kept if stands.waiting else record if stands.recorded else restore", "return kept if stands.waiting else record"),
    "what is recorded is restored": (BUFFER, "tuple(reversed(restore))", "tuple(reversed(restore + record))"),
    "nothing is restored": (BUFFER, "tuple(reversed(restore))", "()"),
    "effects of scripts are dropped": (BUFFER, "    for effect in done:\n", "    for effect in (one for one in done if not one.scripted):\n"),
    "only what a snapshot undoes is placed": (BUFFER, "    for effect in done:\n", "    for effect in (one for one in done if one.reversible):\n"),
    "everything new can be undone": (BUFFER, "control, effect.reversible, effect.scripted)", "control, True, effect.scripted)"),
    "nothing new can be undone": (BUFFER, "control, effect.reversible, effect.scripted)", "control, False, effect.scripted)"),
    # the rules of a session
    "an undo is an envelope": (SESSION, "        return all_of(logic, (logic.no(turn.undo), logic.no(self.gate(turn.own, Gate.DENY)), agreed))", "        return all_of(logic, (logic.no(self.gate(turn.own, Gate.DENY)), agreed))"),
    "nothing is denied": (SESSION, "        return all_of(logic, (logic.no(turn.undo), logic.no(self.gate(turn.own, Gate.DENY)), agreed))", "        return all_of(logic, (logic.no(turn.undo), agreed))"),
    "nobody is asked": (SESSION, "logic.no(self.gate(turn.own, Gate.DENY)), agreed))", "logic.no(self.gate(turn.own, Gate.DENY))))"),
    "who is asked each time agreed before": (SESSION, "                logic.either(logic.no(asks), turn.answer),", "                logic.either(logic.no(asks), logic.either(turn.answer, turn.before)),"),
    "questions of scripts are not asked": (SESSION, "        return self.logic.either(self.gate(turn.own, wanted), self.gate(turn.scripted, wanted))", "        return self.gate(turn.own, wanted)"),
    "a flush comes after what cannot be undone": (SESSION, "        return self.logic.both(admitted, turn.irreversible)", "        return self.logic.both(admitted, self.logic.no(turn.irreversible))"),
    "the horizon is never reached": (SESSION, "self.logic.is_at(count, self.horizon - 1))", "self.logic.is_at(count, self.horizon + 1))"),
    "what is irreversible waits": (SESSION, "        return self.logic.both(acts, subject.reversible)", "        return acts"),
    "what waits is recorded too": (SESSION, "        return self.logic.both(acts, self.logic.no(subject.reversible))", "        return acts"),
    "a flush loses records": (SESSION, "            logic.either(effect.recorded, settled),", "            effect.recorded,"),
    "a flush leaves what waits": (SESSION, "            logic.both(effect.waiting, logic.no(flush)),", "            effect.waiting,"),
    "what is refused acts": (SESSION, "        return all_of(self.logic, (subject.mine, control.admitted, turn.works))", "        return all_of(self.logic, (subject.mine, turn.works))"),
    "an agreement is remembered of who was not asked": (SESSION, "        return all_of(self.logic, (self.logic.no(turn.undo), asks, turn.answer))", "        return all_of(self.logic, (self.logic.no(turn.undo), turn.answer))"),
    "an undo resets the count": (SESSION, "        return Control(admitted, before, after, turn.undo), logic.choose(after, logic.zero, counted)", "        return Control(admitted, before, after, turn.undo), logic.choose(logic.either(after, turn.undo), logic.zero, counted)"),
    "a turn is not counted": (SESSION, "        counted = logic.more(begun, logic.no(turn.undo))", "        counted = logic.more(begun, admitted)"),
    # limits of entries
    "hours are not looked at": (LIMITS, '        if not in_window(limits.time_window, moment):\n            return "outside-hours"\n', ""),
    "a window closes a minute late": (LIMITS, "return window.start <= minute < window.end and", "return window.start <= minute <= window.end and"),
    "a window opens a minute early": (LIMITS, "return window.start <= minute < window.end and", "return window.start - 1 <= minute < window.end and"),
    "a window is open every day": (LIMITS, "    return not window.days or DAYS[day % len(DAYS)] in window.days", "    return True"),
    "days begin on a Friday": (LIMITS, '_EPOCH = DAYS.index("thu")', '_EPOCH = DAYS.index("fri")'),
    "a night belongs to the next day": (LIMITS, "(minute < window.end and _on(window, today - 1))", "(minute < window.end and _on(window, today))"),
    "one use more than the limit": (LIMITS, "if not time < begin) < limit.calls", "if not time < begin) <= limit.calls"),
    "earlier uses are forgotten": (LIMITS, "    begin = moment.seconds - limit.seconds\n", "    begin = moment.seconds\n"),
    "rates are not looked at": (LIMITS, '            return "too-often"\n', '            return ""\n'),
    "one argument is enough": (LIMITS, "if limits.arguments and not all(_has(", "if limits.arguments and not any(_has("),
    "any value of an argument": (LIMITS, "            return any(type(value) is type(one) and value == one for one in allowed)\n    return False", "            return True\n    return False"),
    "an argument may be missing": (LIMITS, "            return any(type(value) is type(one) and value == one for one in allowed)\n    return False", "            return any(type(value) is type(one) and value == one for one in allowed)\n    return True"),
    "a denial ends with its hours": (LIMITS, "window is None or situation.moment is None or in_window(window, situation.moment)", "window is None or situation.moment is None or not in_window(window, situation.moment)"),
    "a denial by argument never holds": (LIMITS, "            return any(not _forms(value).isdisjoint(_forms(one)) for one in allowed)\n", "            return False\n"),
    "the time is forgotten": (REMEMBERED, "    return not policy.varying or policy.varying.isdisjoint(_meant_by(capability))", "    return True"),
    # the decision on a call
    "every call is let through": (DECIDE, "    gate = Gate.CONFIRM if asked else Gate.ALLOW\n", "    gate = Gate.ALLOW\n"),
    "what is denied is asked about": (DECIDE, "return Decided(Gate.DENY, name, tuple(judged), reasons, code=worst.code)", "return Decided(Gate.CONFIRM, name, tuple(judged), reasons, code=worst.code)"),
    "a denial is no denial": (DECIDE, "    if denied:\n", "    if False:\n"),
    "doubts are not asked about": (DECIDE, "    asked = (*call.doubts, *call.flows, *call.besides)\n", "    asked = (*call.flows, *call.besides)\n"),
    "any approval is one of this call": (DECIDE, "    if subject in session.approved:  # (5)", "    if session.approved is not None:  # (5)"),
    "who sent the skill is not judged": (DECIDE, "for one in session.chain(principal)):", "for one in (principal,)):"),
    "the task is not judged": (DECIDE, "    if session.task:\n", "    if False:\n"),
    "the use of an entry is not counted": (DECIDE, "used.get(Use(policy.skill, entry), ())", "()"),
    "who may do it instead is not asked": (DECIDE, "            return found._replace(gate=Gate.CONFIRM, reasons=(reason, *found.reasons))", "            return found"),
    # what a permit says
    "a permit is for another skill": (PROJECTOR, "Grant(policy.skill, judgement.member,", 'Grant("another", judgement.member,'),
    "a permit is by another entry": (PROJECTOR, "Grant(policy.skill, judgement.member,", "Grant(policy.skill, judgement.member + 1,"),
    "a permit counts no use": (PROJECTOR, "request, judgement.uses, judgement.redact)", "request, (), judgement.redact)"),
    "a permit forgets to mask": (PROJECTOR, "request, judgement.uses, judgement.redact)", "request, judgement.uses, False)"),
    "whoever asks has agreed": (PROJECTOR, "        return _project(self.policy, request, situation, None)", "        return _project(self.policy, request, situation, Approval(request.digest(self.policy.skill)))"),
    "values are handed out as they are": (LIMITS, '    return "not-redacted" if limits.redact and not situation.redacts else ""', '    return ""'),
    "the workspace is anywhere": (JUDGE, '    if rule.inside is not None and not covers(rule.inside, request.scope):\n        return "outside-workspace"\n', ""),
    "any resource counts": (COVERING, "    return _one_covers(entry.scopes, effect.scope) and (not resources or _one_covers(resources, effect.scope))", "    return _one_covers(entry.scopes, effect.scope)"),
    "the workspace of an entry is not looked at": (COVERING, "        and (not entry.constraints.workspace_only or is_bound(effect.scope) or covers(_INSIDE, effect.scope))\n", ""),
    # the kinds of a session
    "a script is asked about nothing": (KINDS, "    return Decision.ALLOW if free else Decision.CONFIRM\n", "    return Decision.ALLOW\n"),
    "what a denial holds is allowed to scripts": (KINDS, "        return Decision.DENY\n    granting", "        return Decision.ALLOW\n    granting"),
    "nothing of a scope lies outside of the workspace": (KINDS, "    return (True, False) if overlaps", "    return (True,) if overlaps"),
}  # fmt: skip
MUTANTS = {**SEVEN, **MORE}
# those that only a skill with an effect outside of its manifest meets: it must be refuted all the same
HIDING = (
    "an undeclared effect of a script is allowed",
    "an entry grants by any name",
    "an entry stands for any capability",
    "what nobody grants is asked about",
    "one scope that meets is enough to hold",
    "the workspace of an entry is not looked at",
)
# not noticed, and nothing is freer by them: of one thing a denial holds the whole or nothing; what denies is asked before what grants;
# an undo comes without an envelope
HARMLESS = ("a denial must hold the whole", "denials grant", "an undo is an envelope")
ROOT = Path(__file__).parents[2] / "src" / "remit"


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from another text."""

    def __init__(self, name, path, text):
        self.name, self.path, self.text = name, path, text

    def find_spec(self, name, path=None, target=None):  # noqa: ARG002
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def exec_module(self, module):
        exec(compile(self.text, str(self.path), "exec"), module.__dict__)

    def get_filename(self, name):  # noqa: ARG002
        return str(self.path)


def notice(name):
    """What Method C says of a small skill under a mutant, in this process: the trace, or why there is none."""
    if name:
        file, old, new = MUTANTS[name]
        text = (ROOT / file).read_text("utf-8")
        if old not in text:
            return ["the text is not there"]
        module = f"remit.{file.removesuffix('.py').replace('/', '.')}"
        sys.meta_path.insert(0, _Changed(module, ROOT / file, text.replace(old, new, 1)))
    from skill_with_everything import EFFECTS, ESCAPING, MANIFEST

    from remit.proof.sessions.cnf import inductive
    from remit.proof.sessions.kinds import alphabet
    from remit.proof.sessions.prove import SEARCH, conclude, pose
    from remit.proof.sessions.refutation import refute
    from remit.proof.sessions.solvers import SolverRun
    from remit.proof.sessions.trace import Bug
    from remit.proof.verdict import Refuted

    question = pose(alphabet(MANIFEST, ESCAPING if name in HIDING else EFFECTS, ()), 8, Bug(horizon=4))
    open_steps = [step for step, clauses in inductive(question.encoding).items() if refute(clauses) is None]
    if not open_steps:
        return ["proved"]
    outcome = conclude(question, {"z3": SolverRun("z3", question.file, [SEARCH]).answer()}, open_steps)
    return list(outcome.trace) if isinstance(outcome, Refuted) else [f"not shown: {outcome}"]


if __name__ == "__main__":
    sys.stdout.write(json.dumps(notice(sys.argv[1] if len(sys.argv) > 1 else "")))
