"""A description of a program for people: its rules, the look-ups of every request, and their cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.authority.program.language import WORDS, Policy
from remit.authority.question.layout import BUCKETS, answer_size, look_ups, question_size
from remit.core.counting import counted

if TYPE_CHECKING:
    from remit.authority.program.compiled import Program

_SAID = {
    "allow": "happens if",
    "deny": "never if",
    "confirm": "a person is asked if",
    "redact": "secrets are taken out if",
    "clamp": "the text is cut if",
    "rewrite": "it goes through the proxy if",
}


def explained(policy: Policy, program: Program) -> Iterator[str]:
    """Yield the description line by line."""
    yield f"policy {policy.name}   {program.digest()}"
    for intent, rules in policy.rules.items():
        yield f"\n{intent}"
        if "allow" not in rules:
            yield "    never happens: no line allows it"
        for word in WORDS:
            for number, condition in enumerate(rules.get(word, ())):
                yield f"    {_SAID[word] if number == 0 else 'or if':29}{condition}   ({condition.where})"
    yield "\nEvery other intent never happens.\n\nFor every request, whatever it is, both servers look up"
    for slot, name in program.look_ups:
        kept = program.kept(name)
        what = (
            f"windows of {kept.window} bytes of its {slot}, one of {kept.span}"
            if kept.window
            else _value(slot, kept.wide)
        )
        yield f"    {what:45} in {name} ({counted(len(policy.lists[name].values), 'value')}, table of 2^{kept.bits})"
    yield f"\n{'text up to':>12}{'rows':>10}{'question':>14}{'answer':>14}"
    for bucket, most in enumerate(BUCKETS):
        asked, answered = question_size(program, bucket), answer_size(program, bucket)
        yield f"{most:>6} bytes{look_ups(program, bucket):>10}{asked:>8} bytes{answered:>8} bytes"


def _value(slot: str, wide: bool) -> str:  # noqa: FBT001
    above = {"domain": " and the domains above it", "token": " and the folders above it", "amount": " and its prefixes"}
    return f"its {slot}{above.get(slot, '') if wide else ''}"
