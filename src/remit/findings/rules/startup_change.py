"""A shell profile, a scheduled job or a service is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.core.scope import HOME, ROOT, SKILL, TEMP, WORKSPACE, PathScope, Scope, SymbolScope
from remit.core.scope.component import literal
from remit.core.sensitive import description_of
from remit.core.via import Cause
from remit.findings.evidence import by_effect
from remit.findings.later import harm_later, text_written
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

_HARMLESS = lazy_pattern(
    r"\bPATH\b|shellenv|\binit\b|completion|\bhook\b|\balias\b|export \w+=|_HOME\b|source ", re.IGNORECASE
)
_BATCH = frozenset({"srun", "sbatch", "salloc", "qsub", "bsub"})  # they queue one run of a job
_AT_START = lazy_pattern(r"[\w-]+\.pth\b|\b(?:site|user)customize\.py\b")  # Python runs them at every start
_LIFECYCLE = lazy_pattern(r"\b(?:pre|post)install\b|\bprepare\b\s*[:=]")
_TRUSTED = frozenset("sudo su ssh scp git gpg npm pip pip3 docker kubectl aws gh passwd login python3 node".split())


def find(subject: Subject) -> Iterator[Finding]:
    """Start-up files and jobs that are changed, and commands that are put in place of others."""
    for effect in subject.with_capability("profile.write", "schedule.create"):
        if effect.via.possible or effect.via.name.partition(" ")[0] in _BATCH:
            continue
        verb = "changes" if effect.capability == "profile.write" else "installs"
        harm = "" if effect.via.cause is Cause.SENTENCE else harm_later(subject, effect.where)
        severity = Severity.HIGH if harm else _severity(subject, effect)
        target = _start_up_file(effect.scope) if effect.capability == "profile.write" else "a job that runs by itself"
        what = f"{target}, which {harm}" if harm else target
        yield by_effect(RULE, subject, effect, severity, f"{verb} {what}")
    for effect in subject.with_capability("file.write", "source.write"):
        if effect.via.possible or effect.via.cause is Cause.SENTENCE:
            continue
        if _AT_START.search(subject.line(effect.where)) and not _is_inside(effect.scope):
            message = "changes what every Python program of yours runs at its start"
            yield by_effect(RULE, subject, effect, Severity.HIGH, message)
        elif _LIFECYCLE.search(_package_text(subject, effect)) and harm_later(subject, effect.where):
            message = "adds a command that every installation of your package runs"
            yield by_effect(RULE, subject, effect, Severity.HIGH, message)
        elif _is_setting(effect.scope) and (harm := harm_later(subject, effect.where, exact=True)):
            message = f"changes a file that your programs load, which {harm}: {effect.scope.render()}"
            yield by_effect(RULE, subject, effect, Severity.HIGH, message)
        elif _stands_for_command(effect.scope):
            message = f"replaces a command that you trust with its own program: {effect.scope.render()}"
            yield by_effect(RULE, subject, effect, Severity.HIGH, message)


def _package_text(subject: Subject, effect: Effect) -> str:
    """The line that writes; of what describes a package the lines around it as well."""
    scope = effect.scope
    package = isinstance(scope, PathScope) and scope.parts[-1:] == ("package.json",)
    return text_written(subject, effect.where) if package else subject.line(effect.where)


def _start_up_file(scope: Scope) -> str:
    """`the start-up file of R`; of your shell where the place is one of shells or not known."""
    what = description_of(scope)
    known = what.startswith("start-up file") and not what.endswith(("sh", "shells"))
    return f"the {what}" if known else "the start-up file of your shell"


def _is_inside(scope: Scope) -> bool:
    """Whether Python does not look there: a file of the skill or of the project, one that the user names, or, for a `.pth`,
    a place that has no packages: `model.pth` is a model there."""
    if isinstance(scope, SymbolScope):
        return True
    if not isinstance(scope, PathScope):
        return False
    if scope.parts[-1:] and scope.parts[-1].endswith(".pth") and all(literal(part) for part in scope.parts):
        return _PACKAGES.isdisjoint(scope.parts)
    return scope.anchor in (SKILL, WORKSPACE, TEMP) or scope.anchor.startswith("<")


_PACKAGES = frozenset({"site-packages", "dist-packages"})


def _is_setting(scope: Scope) -> bool:
    """Whether it is a file of settings in the home folder, by which programs run commands: `.vimrc`, `.tmux.conf`."""
    if not isinstance(scope, PathScope) or scope.anchor != HOME or not scope.parts:
        return False
    return scope.parts[0].startswith(".") and scope.parts[-1].rpartition(".")[2].endswith(_SETTINGS)


_SETTINGS = ("rc", "conf", "config", "vim", "lua", "el", "gitconfig", "profile", "toml", "desktop")


def _stands_for_command(scope: Scope) -> bool:
    return (
        isinstance(scope, PathScope)
        and scope.anchor in (HOME, ROOT)
        and len(scope.parts) > 1
        and scope.parts[-1] in _TRUSTED
        and not _FOLDERS.isdisjoint({*scope.parts[:-1], *(part.strip(".") for part in scope.parts[:-1])})
    )


_FOLDERS = frozenset({"bin", "sbin", "shims"})


def _severity(subject: Subject, effect: Effect) -> Severity:
    profile = effect.capability == "profile.write"
    if effect.via.cause is Cause.SENTENCE or is_about(subject, "profile" if profile else "schedule"):
        return Severity.LOW
    return Severity.LOW if profile and _HARMLESS.search(subject.line(effect.where)) else Severity.MEDIUM


RULE = Rule(
    "startup-change",
    "persistence",
    "the skill installs something that runs by itself later",
    Severity.HIGH,
    "A line in a shell profile, a scheduled job or a service runs long after the skill was used, without asking again.",
    "Skills whose description says that they schedule, monitor or set up something; lines that only extend the search path.",
    "Say in the description what will run by itself, and let the user install it.",
    find,
)
