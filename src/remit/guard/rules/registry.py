"""All rules of the guard, in the order in which they are evaluated."""

from __future__ import annotations

from collections.abc import Mapping

from remit.guard.rules import commands, guard_files, reported, rights, run_later
from remit.guard.rules.model import Action, CallView, Rule, Stop

RULES: tuple[Rule, ...] = (
    guard_files.RULE,
    rights.DENIED,
    reported.SECRET_LEAVES,
    reported.SKILL_LOAD,
    rights.ASKED_FIRST,
    rights.NOT_GRANTED,
    rights.UNTRUSTED_MANIFEST,
    run_later.RULE,
    commands.ELEVATED_RIGHTS,
    rights.UNNAMED_DESTINATION,
    reported.SECRET_FORMAT,
    reported.UNCHECKED_DATA,
    reported.OTHER_SKILL_LOCATION,
    reported.HARD_LINK,
    reported.DENIED_INSIDE,
    commands.NOT_UNDERSTOOD,
)


def stops(view: CallView, switches: Mapping[str, Action]) -> tuple[Stop, ...]:
    """Return what the rules find in a call, each with its consequence. Without an active skill only the rules marked so
    apply.
    """
    found: dict[tuple[str, str], Stop] = {}
    for rule in RULES:
        if not (view.skills or rule.always):
            continue
        usual = rule.action if rule.fixed else switches.get(rule.ident, rule.action)
        if usual is Action.OFF:
            continue
        for hit in rule.find(view) if rule.find else view.found(rule.ident):
            switched = rule.ident in switches and not rule.fixed
            action = usual if switched or hit.action is None else hit.action
            found.setdefault((rule.ident, hit.about), Stop(rule.ident, action, hit))
    return tuple(found.values())
