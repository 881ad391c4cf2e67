"""A deterministic scan of a text that is about to enter an agent's context.

What is found is a place with its sentence and what it would make the agent do, never a score. Sentences, headings, lists, code
and comments are told apart by the readers that `remit check` uses; whether a sentence asks for something is judged by the same
rules of context (denied, quoted, a section of warnings).
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.findings.invisible import HIDDEN_ORDER
from remit.guard.context import hidden
from remit.guard.context.finding import Finding
from remit.guard.context.rules import rules
from remit.manifest.drift.words import unseen
from remit.policy.dlp.severity import Severity
from remit.skill.commands import is_warning_heading
from remit.skill.document import parse
from remit.skill.prose.context import FULL, list_worth, negated, quoted, section_worth, verb_worth
from remit.skill.prose.sentences import inner_sentences, sentences
from remit.skill.prose.spans import Bundled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.context.rules import Rule
    from remit.guard.context.source import Source
    from remit.skill.document import Document, Fence
    from remit.skill.prose.sentences import Sentence

_REQUEST = 2  # quarters: a verb that is worth less is mentioned, not asked for
_GRAVITY = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
_FEWEST = 3  # words: fewer ask for nothing that a rule is about, and tables are full of them
_SHELLS = frozenset({"", "bash", "sh", "shell", "zsh", "console", "text", "powershell"})
_LONG = 300  # characters that are shown
_LONGEST = 4000  # characters of a line of code that are looked at
_WHEN = frozenset("after as before if once unless until when whenever while".split())
_RUNS = frozenset(
    "run runs running execute executing use using call calling invoke invoking do doing type enter by".split()
)
# Sections in which a code block shows what attackers write
_SPECIMENS = re.compile(
    r"\b(?:attack|injection|jailbreak|malicious|exploit|intrusion|red flag|threat|vulnerab|detect|hacking|forensic)",
    re.IGNORECASE,
)
_NO_FILES: Any = SimpleNamespace(files=(), main="")  # a text alone: no file of a skill is known beside it
_COMMENT = "in a comment that no page shows: "
# What code in a sentence names, where the rules need to know more than that it is a file
_NAMED = (
    (
        "~private",
        re.compile(
            r"\.ssh\b|\bid_(?:rsa|ed25519|ecdsa)\b|\.aws\b|\.gnupg\b|\.netrc\b|\.git-credentials\b|/etc/shadow\b|\.pem\b|\.kube/config\b"
        ),
    ),
    ("~env", re.compile(r"(?:\A|/)\.env\b")),
    (
        "~agents",
        re.compile(
            r"\b(?:SKILL|AGENTS|CLAUDE|GEMINI|copilot-instructions)\.md\b|\.cursorrules\b|\.mdc\b|\.claude/(?:agents|commands|skills)\b"
        ),
    ),
)


class _Words(NamedTuple):
    """A sentence as the rules read it."""

    sentence: Sentence
    text: str
    lead: int  # words of the announcement before it

    def word_at(self, place: int) -> int:
        """The number of the word at a place of the text, counted in the sentence; negative in the announcement."""
        return self.text.count(" ", 0, place) - self.lead


def scan(text: str, source: Source) -> tuple[Finding, ...]:
    """Everything in a text that tells an agent what it must not be told, in the order of lines; each rule once a line, as grave as it is."""
    found = [*hidden.in_lines(text)]
    plain = hidden.unmasked(text)
    data = plain.encode("utf-8", "replace")
    document = parse(f"{source.name or source.kind}.md", data)
    found += [*hidden.in_styles(document), *_in_comments(document, data), *_in_document(document)]
    once: dict[tuple[int, str], Finding] = {}
    for item in sorted(found, key=lambda one: _GRAVITY.index(one.severity)):
        once.setdefault((item.line, item.rule), item)
    return tuple(once[key] for key in sorted(once))


def _in_comments(document: Document, data: bytes) -> Iterator[Finding]:
    """A comment is scanned as a text of its own; what it asks for is hidden besides, and that is grave."""
    for text, line, _ in unseen(document, data):
        inner = parse("comment.md", text.encode())
        asked = next(_in_document(inner), None)
        if asked is None and HIDDEN_ORDER.search(text):
            asked = Finding("hidden-comment", 1, text, "follows an instruction", Severity.HIGH)
        if asked is not None:
            yield Finding("hidden-comment", line, text[:_LONG], _COMMENT + asked.does, Severity.HIGH)


def _in_document(document: Document) -> Iterator[Finding]:
    for sentence in sentences(document, Bundled(_NO_FILES)):
        yield from _in_sentence(sentence)
    title = document.headings[0][1] if document.headings else ""
    for sentence in inner_sentences(document, Bundled(_NO_FILES)):
        if not _SPECIMENS.search(f"{title} / {sentence.heading}"):
            yield from _in_sentence(sentence)
    for fence in document.fences:
        yield from _in_fence(fence)
    for paragraph in document.paragraphs:
        yield from _turns(paragraph.text, paragraph.line)


def _in_sentence(sentence: Sentence) -> Iterator[Finding]:
    known = rules()
    worth = FULL if sentence.place == "about" else min(section_worth(sentence.heading), list_worth(sentence))
    if (
        not worth
        or (len(sentence.words) < _FEWEST and not sentence.codes)
        or is_warning_heading(sentence.heading)
        or "\u274c" in sentence.words
    ):
        return
    lead = sentence.lead.words if sentence.lead else ()
    words = _Words(sentence, " ".join((*lead, *_spelled(sentence))), len(lead))
    order = known.standing.search(words.text)
    kinds = ("asked", "said") if worth > 1 else ("said",)
    for rule in chain.from_iterable(known.perhaps(kind, words.text) for kind in kinds):
        if _holds(rule, words, order.end() if order else len(words.text)):
            yield _finding(rule, sentence.line, sentence.text)
    if worth > 1 and sentence.codes:
        ways = ("command", "spoken", *(("standing",) if order else ()))
        seen: Counter[str] = Counter()
        for word, code in sentence.codes:
            seen[word] += 1
            if word != "~url" and _is_asked_for(sentence, word, seen[word]):
                yield from _commands(code, sentence.line, ways, sentence.text)


def _spelled(sentence: Sentence) -> tuple[str, ...]:
    """The words of a sentence, in which code that names a place of keys or a text for agents says so."""
    words = sentence.words
    seen: Counter[str] = Counter()
    for word, code in sentence.codes:
        seen[word] += 1
        named = next((name for name, pattern in _NAMED if pattern.search(code)), None)
        if named is not None:
            places = [place for place, spoken in enumerate(sentence.words) if spoken == word]
            at = places[min(seen[word], len(places)) - 1] if places else -1
            words = (*words[:at], named, *words[at + 1 :]) if at >= 0 else words
    return words


def _holds(rule: Rule, words: _Words, order: int) -> bool:
    """Whether a sentence says what a rule is about, and means it. `order`: where its standing order ends, after which it asks."""
    for found in rule.words.finditer(words.text):
        place = found.start(rule.words.groups)
        at = words.word_at(place)
        if at < 0:
            continue  # the announcement is a sentence of its own
        spoken = words.sentence.words
        if quoted(spoken, at) or _is_condition(spoken, at):
            continue
        if rule.kind == "said":
            return True
        asks = place > order or verb_worth(words.sentence, at, _form(spoken[at])) >= _REQUEST
        if asks and not negated(spoken, at):
            return True
    return False


def _is_condition(words: tuple[str, ...], at: int) -> bool:
    """Whether a verb says when something else is asked for: `before you delete`."""
    return at > 1 and words[at - 1] == "you" and words[at - 2] in _WHEN


def _form(word: str) -> str:
    return "ing" if word.endswith("ing") else "base"


def _is_asked_for(sentence: Sentence, word: str, count: int) -> bool:
    """Whether a sentence asks for the code in it: a verb of running stands before it, or nothing or a colon does."""
    words = sentence.words
    places = [place for place, spoken in enumerate(words) if spoken == word]
    at = places[min(count, len(places)) - 1] if places else 0
    return not negated(words, at) and (not at or words[at - 1] == ":" or not _RUNS.isdisjoint(words[:at]))


def _in_fence(fence: Fence) -> Iterator[Finding]:
    """The commands of a code block. A block of another language is an example of it."""
    if fence.language not in _SHELLS or section_worth(fence.heading) <= 1 or is_warning_heading(fence.heading):
        return
    standing = rules().standing.search(" ".join(fence.before.lower().split())[-1000:]) is not None
    kinds = ("command", *(("standing",) if standing else ()))
    for index, line in enumerate(fence.text.split("\n")):
        yield from _commands(line, fence.line + index, kinds, line)


def _commands(text: str, line: int, kinds: tuple[str, ...], shown: str) -> Iterator[Finding]:
    command = text.strip().removeprefix("$ ")[:_LONGEST]
    for kind in kinds:
        for rule in rules().perhaps(kind, command):
            if rule.words.fullmatch(command):
                yield _finding(rule, line, shown)._replace(by_command=True)


def _turns(text: str, line: int) -> Iterator[Finding]:
    """Marks of turns in prose. In code they are spoken of."""
    for index, row in enumerate(text.split("\n")):
        bare = "".join(row.split("`")[::2]) if "`" in row else row
        for rule in rules().perhaps("turn", bare):
            if rule.words.search(bare):
                yield _finding(rule, line + index, row)


def _finding(rule: Rule, line: int, shown: str) -> Finding:
    return Finding(rule.name, line, " ".join(shown.split())[:_LONG], rule.does, rule.severity)
