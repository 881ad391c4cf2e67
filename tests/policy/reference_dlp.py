"""What must not leave unseen, in the plain way: RE2 alone, every end of every value tried, nothing remembered."""

import re

from remit.policy.dlp.checks import CHECKS
from remit.policy.dlp.rows import table
from remit.policy.dlp.scan import Hit, _stands_alone
from remit.policy.dlp.severity import Severity

JOINT = re.compile(r"[ -]")
WINDOW = 64
GROUPS = ([4, 4, 4, 4], [4, 6, 5], [4, 6, 4], [4, 4, 4, 4, 3])


def card(value, known):
    digits = re.sub(r"[ -]", "", value)
    groups = re.split(r"[ -]", value)
    if len(groups) > 1 and (
        len({char for char in value if char in " -"}) > 1 or [len(group) for group in groups] not in GROUPS
    ):
        return False
    if len(set(digits)) < 2 or not known.issued(digits):
        return False
    doubled = [int(char) * (1 + at % 2) for at, char in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


def find(text):
    order = list(Severity)
    covered = bytearray(len(text))
    taken = []
    for hit in sorted(everything(text), key=lambda hit: (order.index(hit.severity), hit.start - hit.end, hit.start)):
        if not any(covered[hit.start : hit.end]):
            covered[hit.start : hit.end] = b"\x01" * (hit.end - hit.start)
            taken.append(hit)
    return tuple(sorted(taken, key=lambda hit: hit.start))


def everything(text):
    known = table()
    for pattern in known.patterns:
        check = card if pattern.check is CHECKS["card"] else pattern.check
        done = 0
        for found in pattern.words.finditer(text):
            start, end = found.span(pattern.words.groups)
            if start < done:
                rest = pattern.words.search(text[done : end + WINDOW]) if done < end else None
                if rest is None or done + rest.start() >= end:
                    continue
                start, end = (done + place for place in rest.span(pattern.words.groups))
            while True:
                stop = accepted(text, check, start, end, known)
                done = stop or end
                if stop:
                    yield Hit(pattern.kind, start, stop, pattern.severity)
                joint = JOINT.search(text, stop or start, end)
                if check is None or joint is None:
                    break
                again = pattern.words.search(text[joint.end() : end + WINDOW])
                if again is None or joint.end() + again.start() >= end:
                    break
                start, end = (joint.end() + place for place in again.span(pattern.words.groups))


def accepted(text, check, start, end, known):
    while end > start:
        if _stands_alone(text, start, end) and (check is None or check(text[start:end], known)):
            return end
        end = text.rfind(" ", start, end) if check else start
    return 0
