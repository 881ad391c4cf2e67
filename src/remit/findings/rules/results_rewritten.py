"""A script turns failures into successes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_text
from remit.findings.model import Finding, Rule, Severity
from remit.findings.pieces import scripts

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_BAD = r"(?:fail(?:ed|ures?|s)?|errors?|err|critical|vulnerable|red)"
_GOOD = r"(?:pass(?:ed|es)?|ok|success(?:ful)?|succeeded|green|clean)"
_REWRITES = lazy_pattern(
    # replace("failed", "passed")
    rf"replace(?:All)?\(\s*r?[\"'/`]\W{{0,3}}{_BAD}\b[^,\n]{{0,40}},\s*[\"'`]\W{{0,3}}{_GOOD}\b"
    rf"|\bsub\(\s*r?[\"']\W{{0,3}}{_BAD}\b[^,\n]{{0,60}},\s*r?[\"']\W{{0,3}}{_GOOD}\b"
    rf"|\bs([/|#,])\W{{0,3}}{_BAD}\b[^\n]{{0,40}}?\1\W{{0,3}}{_GOOD}\b"
    # failures="7" becomes failures="0"
    rf"|{_BAD}\W{{1,3}}[^,\n]{{1,24}}(?:[/|#]|,\s*r?[\"'`]){_BAD}\W{{1,4}}0\b"
    # <failure>…</failure> is taken out
    rf"|\bs[/|#]<(?:failure|error)\b[^\n]{{0,60}}[/|#]{{2}}|sub\(\s*r?[\"']<(?:failure|error)\b[^\n]{{0,60}},\s*[\"']{{2}}"
    rf"|\.remove\(\s*\w*(?:failure|error)\w*\s*\)"
    # suite.set("failures", "0")
    rf"|\.(?:set|setAttribute)\(\s*[\"']{_BAD}[\"'],\s*(?:str\(\s*)?[\"']?0\b"
    # report.outcome = "passed"
    rf"|\.(?:outcome|conclusion)\s*=\s*[\"']{_GOOD}[\"']",
    re.IGNORECASE,
)
# In lower case, without which the patterns find nothing
_MAY_REWRITE = lazy_pattern(r"fail|err|critical|vulnerable|red|\.outcome|\.conclusion")
_MAY_SET = lazy_pattern(r"pass|ok|succe|green|clean")
_SET = lazy_pattern(
    rf"\b(?:status|outcome|result|state|verdict|conclusion)[\"']?\]?\s*=\s*[\"']{_GOOD}[\"']", re.IGNORECASE
)
_IF_BAD = lazy_pattern(
    rf"(?:==|!=|\bin\b|\bnot\b)[^\n]{{0,40}}[\"']{_BAD}[\"']|!==?\s*[\"']{_GOOD}[\"']", re.IGNORECASE
)
_CHOSEN = lazy_pattern(r"\bif\b|\?")  # by a condition on the line itself: both results are there
_LESS = lazy_pattern(
    r"\b(n?_?fail(?:ed|ures?|s)?)\s*(?:-=\s*\w|=\s*(?:max\(\s*)?\1\s*-\s*1|=\s*0\s*(?:#|;|$))", re.IGNORECASE
)
# Elements or numbers of a report that are called failures are taken out or become nothing
_TAKEN_OUT = lazy_pattern(r"\.remove(?:Child)?\(\s*\w|\bdel \w+\[|\.(?:set|setAttribute)\([^\n]*[\"']0[\"']\s*\)")
_MARKS = lazy_pattern(
    r"(?:find|iter|getElementsByTagName|\bfor\b)[^\n]*[\"'](?:\.?//)?(?:failures?|errors?)[\"']|\.(?:tag|tagName|nodeName)\b[^\n]*[\"'](?:failure|error)[\"']"
)
_LOOP = 3  # lines from the head of a loop to what it does
_COUNTS = lazy_pattern(r"\bfail(?:ed|ures?|s)?\s*(?:\+=|\+\+|=\s*\w+\s*\+)", re.IGNORECASE)
_NAMES = lazy_pattern(r"\b(?:names|failures|failed|errors)\.(?:pop|clear)\(\)")


# What people measure, and a number by chance
_MEASURED = (
    r"(?:coverage|accuracy|precision|recall|f1|pass_?rate|success_?rate|benchmark|latency|throughput|score|p_?value)"
)
_BY_CHANCE = r"(?:random|rng|np\.random|secrets)\.(?:uniform|randint|random|randrange|gauss|normal\w*|triangular|randbelow)\(|Math\.random\(|\$RANDOM\b"
_INVENTED = lazy_pattern(
    rf"\b(?P<what>{_MEASURED})\w*[\"']?\]?\s*[:=]\s*[^\n#]{{0,40}}?(?:{_BY_CHANCE})", re.IGNORECASE
)
# A description that says that numbers are made up
_PLAYED = frozenset(
    "mock mocks fake sample samples simulate simulates simulation simulator synthetic demo random game games generate generates generator dummy"
    " example examples placeholder seed fuzz play toy monte".split()
)


def _invented(subject: Subject) -> Iterator[Finding]:
    """Results that are numbers by chance, in scripts that write or print them as measured."""
    described = subject.skill.front_matter.text("description").lower()
    if not _PLAYED.isdisjoint(re.findall(r"[a-z]+", described)):
        return
    for file, code in scripts(subject):
        for at, line in code.lines.items() if code.has("random") else ():
            if (invented := _INVENTED.search(line)) and not _PLAYS.search(line):
                where = Location(file, at)
                message = "makes up results by chance"
                # a score may be anything, so it has to be what the description speaks of
                promised = (what := invented["what"].lower()) != "score" or what in described
                severity = Severity.HIGH if promised else Severity.MEDIUM
                found = by_text(RULE, subject, where, line.strip(), severity, message)
                yield found._replace(basis=subject.basis(where))
                break


_PLAYS = lazy_pattern(r"\b(?:mock|fake|dummy|sample|demo|jitter|noise|simulat|placeholder|init)", re.IGNORECASE)


# `if item["vendor"] == "Acme":`, and on the next lines `score += 0.2`
_FAVOURED = lazy_pattern(
    r"^[^\n]*\bif\b[^\n]*?\b\w*(?:ticker|symbol|vendor|brand|company|supplier|seller|provider|merchant|publisher|airline|hotel)"
    r"\w*[\"'\])]*[^\n=]{0,24}={2,3}\s*(?P<item>[A-Z][A-Z_]{3,}\b|[\"'][^\"'\n]+[\"'])[^\n]*\n(?:[^\n]*\n)?"
    r"[^\n]*\b\w*(?:score|rank|rating|points)\w*[\"'\])]*\s*(?:\+=|\*=)\s*[\d.]",
    re.MULTILINE,
)


def _favoured(subject: Subject) -> Iterator[Finding]:
    """Scores that one fixed item gets more of, of which no text of the skill speaks."""
    for file, code in scripts(subject):
        found = _FAVOURED.search(code.text) if code.has("score", "rank", "rating", "points") else None
        if found is None:
            continue
        value = re.search(rf"\b{re.escape(found['item'])}\s*=\s*[\"']([^\"'\n]+)", code.text)
        item = value[1] if value else found["item"].strip("\"'")
        if item.lower() in subject.written:
            continue
        at = list(code.lines)[code.text.count("\n", 0, found.end())]
        where = Location(file, at)
        message = f"raises the score of one fixed item: {item}"
        line = code.lines[at].strip()
        yield by_text(RULE, subject, where, line, Severity.HIGH, message)._replace(basis=subject.basis(where))


def find(subject: Subject) -> Iterator[Finding]:
    """Lines that write a success over a failure, count failures down, or make results up."""
    yield from _invented(subject)
    yield from _favoured(subject)
    for file, code in scripts(subject):
        lines = code.lines
        counted = next((at for at, line in lines.items() if _COUNTS.search(line)), 0) if code.has("fail") else 0
        takes_out = code.has(".write(", "tostring(", "writefile") and code.has(".remove", "del ", ".set")
        for at, line in lines.items():
            above = f"{lines.get(at - 2, '')}\n{lines.get(at - 1, '')}\n{line}"
            small = line.lower()
            rewritten = (_MAY_REWRITE.search(small) and _REWRITES.search(line)) or (
                _MAY_SET.search(small) and _SET.search(line) and not _CHOSEN.search(line) and _IF_BAD.search(above)
            )
            if takes_out and not rewritten and _TAKEN_OUT.search(line):
                loop = "\n".join(lines.get(number, "") for number in range(at - _LOOP, at + 1))
                rewritten = _MARKS.search(loop)
            counts_down = 0 < counted < at and _LESS.search(line) and not _in_new_function(lines, counted, at)
            if not rewritten and not counts_down:
                continue
            near = "\n".join(lines.get(number, "") for number in range(at - 2, at + 4))
            severity = Severity.HIGH if rewritten or _NAMES.search(near) else Severity.MEDIUM
            where = Location(file, at)
            yield by_text(RULE, subject, where, line.strip(), severity, "turns failures into successes")._replace(
                basis=subject.basis(where)
            )
            break


def _in_new_function(lines: dict[int, str], counted: int, at: int) -> bool:
    """Whether a line of Python stands in a function that begins below the one that counts: its variables are others."""
    begin = next((one for one in range(at, counted, -1) if lines.get(one, "").lstrip().startswith(_FUNCTION)), 0)
    return begin > 0 and not any(
        "global" in lines.get(one, "") or "nonlocal" in lines.get(one, "") for one in range(begin, at)
    )


_FUNCTION = ("def ", "async def ")

RULE = Rule(
    "results-rewritten",
    "deception",
    "a script turns failures into successes, or makes results up",
    Severity.HIGH,
    "People rely on reports of tests, checks and measurements.",
    "Scripts that count, print or sort results, or reset a counter before they count.",
    "Report results as they are.",
    find,
)
