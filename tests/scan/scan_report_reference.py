"""What a report on a scan must say, once more and slowly: every question of `scan/report/sql` over plain rows."""

import re
from collections import Counter, defaultdict

from remit.core import vocabulary
from remit.core.capability import Level
from remit.findings.model import Level as Answered
from remit.findings.model import Severity

WEIGHT = {one.name: list(Level).index(one.level) for one in vocabulary()}


def analysed(rows):
    return [one for one in rows if one.error is None]


def kind_of(text):
    return re.sub("`[^`]*`|[0-9]+", "…", text)


def traits(row):
    return frozenset((one.capability, one.scope) for one in row.effects)


def overview(rows):
    good = analysed(rows)
    return {
        "skills": len(rows), "analysed": len(good), "understood": sum(not one.opaque for one in good),
        "contents": len({one.digest for one in good}), "sources": len({one.source for one in rows}),
        "files": sum(one.files for one in rows), "bytes": sum(one.bytes for one in rows),
        "effects": sum(len(one.effects) for one in rows), "cached": sum(one.cached for one in rows),
        "seconds": sum(one.seconds for one in rows), "toolchains": tuple(sorted({one.toolchain for one in rows})),
    }  # fmt: skip


def verdicts(rows):
    return Counter(one.verdict for one in rows)


def levels(rows):
    return Counter(one.level or "" for one in rows)


def concerns(row):
    return [one for one in row.findings if not one.accepted]


def worst(rows):
    """The locations of skills to look at first, copies once, in their order."""
    first = {}
    for one in sorted(rows, key=lambda one: one.location):
        if one.level is not None:
            first.setdefault(one.digest, one)

    def rank(one):
        ranks = [tuple(Severity).index(found.severity) for found in concerns(one)]
        many = [-ranks.count(at) for at in range(3)]
        return tuple(Answered).index(one.level), min(ranks), *many, -len(ranks), one.location

    return [
        one.location
        for one in sorted((one for one in first.values() if one.level != "clear" and concerns(one)), key=rank)
    ]


def rules(rows):
    skills, contents, severity = defaultdict(set), defaultdict(set), defaultdict(set)
    for one in rows:
        for found in concerns(one):
            skills[found.rule].add(one.location)
            contents[found.rule].add(one.digest)
            severity[found.rule].add(found.severity)
    return {
        name: (min(severity[name], key=tuple(Severity).index), len(skills[name]), len(contents[name]))
        for name in skills
    }


def guarantees(rows):
    return Counter(name for one in analysed(rows) for name in one.guarantees)


def errors(rows):
    return Counter(kind_of(one.error) for one in rows if one.error is not None)


def capabilities(rows):
    skills, contents = Counter(), defaultdict(set)
    for one in analysed(rows):
        for name in one.capabilities:
            skills[name] += 1
            contents[name].add(one.digest)
    return {name: (skills[name], len(contents[name])) for name in skills}


def opaque(rows, *, kinds):
    found = defaultdict(lambda: [0, 0, 0])
    for one in analysed(rows):
        reasons = {kind_of(place.reason) if kinds else place.reason for place in one.opaque}
        for reason in reasons:
            alone = len(reasons) == 1
            found[reason][0] += 1
            found[reason][1] += alone
            found[reason][2] += alone and one.verdict == "opaque"
    return {reason: tuple(counts) for reason, counts in found.items()}


def reached(rows, kind, *, named):
    found = defaultdict(set)
    for one in analysed(rows):
        for effect in one.effects:
            if str(vocabulary()[effect.capability].scope_kind) == kind:
                found[re.sub(r":[0-9]+$", "", effect.scope)].add(one.location)
    fixed = {what: not (what == "any" or what[0] in "<$" or "*" in what) for what in found}
    return {what: len(skills) for what, skills in found.items() if fixed[what] is named}


def shapes(rows):
    """Skills by what they do."""
    found = defaultdict(list)
    for one in analysed(rows):
        if one.effects:
            found[traits(one)].append(one)
    return found


def twins(rows, least):
    groups = [
        found for shape, found in shapes(rows).items() if len({one.digest for one in found}) > 1 and len(shape) >= least
    ]
    return {frozenset(one.location for one in found) for found in groups}


def similarity(one, other):
    return len(one & other) / len(one | other)


def stars(rows, least, threshold):
    """Groups of similar sets of effects: how many skills, and how much the one that is least like the centre is like it."""
    found = shapes(rows)
    free = [shape for shape in found if len(shape) >= least]
    free.sort(key=lambda shape: (-len(found[shape]), found[shape][0].fingerprint))
    out = []
    while free:
        centre = free[0]
        near = [one for one in free[1:] if similarity(centre, one) >= threshold - 1e-9]
        free = [one for one in free[1:] if one not in near]
        if near:
            out.append((sum(len(found[one]) for one in (centre, *near)), min(similarity(centre, one) for one in near)))
    return out


def odd_names(rows):
    """Variants of a name (by the first location that is so) with what they have beyond the usual one, if that has weight."""
    named = defaultdict(lambda: defaultdict(list))
    for one in analysed(rows):
        key = re.sub(r"[\s_.-]+", "", one.name.lower())
        if key:
            named[key][one.capabilities].append(one)
    out = {}
    for variants in named.values():
        order = {one.location: number for number, one in enumerate(rows)}

        def rank(found, order=order):
            first = min(found, key=lambda one: one.location)
            return (
                len({one.source for one in found}), len({one.digest for one in found}), len(found), -order[first.location],
            )  # fmt: skip

        usual = max(variants.values(), key=rank)
        said = {one.description.strip().lower() for one in usual}
        for capabilities, found in variants.items():
            beyond = [name for name in capabilities if name not in usual[0].capabilities]
            if sum(WEIGHT[name] for name in beyond):
                alike = any(one.description.strip().lower() in said for one in found)
                out[min(one.location for one in found)] = (tuple(beyond), alike)
    return out


def changes(old, new):
    """The kind of change of each location, with what was gained, lost and widened."""
    old, new = ({one.location: one for one in rows} for rows in (old, new))
    out = {}
    for location in old.keys() | new.keys():
        was, now = old.get(location), new.get(location)
        kind, gained, lost, wider = _change(was, now), (), (), frozenset()
        if kind in ("effects", "analysis"):
            gained = tuple(name for name in now.capabilities if name not in was.capabilities)
            lost = tuple(name for name in was.capabilities if name not in now.capabilities)
        if kind == "effects":
            had = traits(was)
            wider = frozenset(
                one for one in traits(now) - had if one[0] in was.capabilities and (one[0], "any") not in had
            )
        out[location] = (kind, gained, lost, wider)
    return out


def _change(was, now):
    if was is None or now is None:
        return "gone" if now is None else "new"
    if was.error or now.error:
        return "same" if was.error and now.error else "unknown"
    if was.digest == now.digest:
        return "same" if traits(was) == traits(now) else "analysis"
    return "content" if traits(was) == traits(now) else "effects"


def worse(old, new):
    """The locations whose content changed and whose level is worse than before."""
    was = {one.location: one for one in old}
    changed = changes(old, new)
    return {
        one.location for one in new
        if changed[one.location][0] in ("content", "effects")
        and tuple(Answered).index(one.level) < tuple(Answered).index(was[one.location].level)
    }  # fmt: skip
