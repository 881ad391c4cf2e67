"""Credentials of several services or of a browser are read together, or get a name that does not say what they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.core.scope import HOME, WORKSPACE, PathScope
from remit.core.scope.component import literal
from remit.core.via import Cause
from remit.findings.evidence import by_effect, by_flow
from remit.findings.model import Basis, Confidence, Finding, Role, Rule, Severity, Witness
from remit.findings.purpose import is_about
from remit.findings.wording import secret_words

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.core.location import Location
    from remit.findings.subject import Subject

_ENOUGH = 3  # different stores of credentials in one file
_SHARED = frozenset(
    {"gcloud", "gh", "Google", "google-chrome", "Firefox", "BraveSoftware", "Microsoft Edge", "solana", "Keychains"}
)
_SAME = {"google-chrome": "Google", ".mozilla": "Firefox"}  # the store of one program on different systems
_PLAIN = frozenset({".config", "Application Support", "Library", "AppData", ".local", "etc", "home", "root", "proc"})


def find(subject: Subject) -> Iterator[Finding]:
    """Files that read several stores of credentials or a browser's, and links under which a secret looks like something else."""
    yield from _renamed(subject)
    yield from _of_browser(subject)
    stores: dict[str, dict[str, Effect]] = {}
    for effect in subject.with_capability("secret.read"):
        if not effect.via.possible and (store := _store(effect)):
            stores.setdefault(effect.where.file, {}).setdefault(store, effect)
    sending = {effect.where.file for effect in subject.sending() if not effect.via.possible}
    for file, found in stores.items():
        if len(found) < _ENOUGH:
            continue
        about = is_about(subject, "attacks") or is_about(subject, "encrypt")
        severity = Severity.HIGH if file in sending and not about else Severity.MEDIUM
        effects = list(found.values())
        witnesses = tuple(Witness(Role.SOURCE, effect.where, f"reads {effect.scope.render()}") for effect in effects)
        basis = subject.basis_of(effects[0])
        if basis is Basis.CONDITION:
            continue
        message = f"collects the credentials in {', '.join(sorted(found)[:4])}"
        yield Finding(RULE.ident, severity, message, witnesses, basis, Confidence.HIGH, RULE.fix)


def _of_browser(subject: Subject) -> Iterator[Finding]:
    """Files in which a browser keeps logins and sessions, wherever its profile lies, where no text speaks of a browser."""
    found: dict[str, dict[str, Effect]] = {}
    for effect in subject.with_capability("file.read", "secret.read"):
        name = effect.scope.parts[-1] if isinstance(effect.scope, PathScope) and effect.scope.parts else ""
        if name in _KEPT_BY_BROWSER and not effect.via.possible and effect.via.cause is not Cause.SENTENCE:
            found.setdefault(effect.where.file, {}).setdefault(name, effect)
    if _BROWSER.search(f"{subject.description}\n{subject.prose}"):
        return
    for some in found.values():
        if len(some) > 1:
            effect = next(iter(some.values()))
            message = f"reads what a browser keeps in {', '.join(sorted(some))}, and no text speaks of a browser"
            yield by_effect(RULE, subject, effect, Severity.HIGH, message)


_KEPT_BY_BROWSER = frozenset(
    {
        "Login Data",
        "Local State",
        "Session Storage",
        "Local Storage",
        "Web Data",
        "Cookies",
        "Current Session",
        "Last Session",
    }
    | {"key4.db", "logins.json", "cookies.sqlite", "sessionstore.jsonlz4", "formhistory.sqlite"}
)
_BROWSER = lazy_pattern(r"\b(?:browsers?|chrom\w+|firefox|safari|edge|brave|cookies?|profiles?)\b")


def _renamed(subject: Subject) -> Iterator[Finding]:
    """Links to a file of secrets whose name hides that."""
    seen: set[Location] = set()
    for flow in subject.flows:
        source, sink = flow.source.scope, flow.sink.scope
        if flow.source.capability != "secret.read" or flow.sink.capability != "file.write":
            continue
        if flow.source.where != flow.sink.where or flow.sink.where in seen:
            continue
        if not isinstance(source, PathScope) or not isinstance(sink, PathScope) or not source.parts or not sink.parts:
            continue
        effects = subject.by_line.get(flow.sink.where, ())
        written = [effect for effect in effects if effect.capability == "file.write" and effect.scope == sink]
        if not any("link" in effect.via.name or effect.via.name.partition(" ")[0] == "ln" for effect in written):
            continue
        known = {effect.scope for effect in effects if effect.capability == "secret.write"}
        old, new = source.parts[-1].strip("."), sink.parts[-1]
        if sink not in known and literal(old) and literal(new) and old.partition(".")[0].lower() not in new.lower():
            seen.add(flow.sink.where)
            message = f"gives {secret_words(source)} the name {new}"
            yield by_flow(RULE, subject, flow, Severity.HIGH, message)


def _store(effect: Effect) -> str:
    """The folder or file that holds credentials of one service; empty for variables."""
    scope = effect.scope
    if not isinstance(scope, PathScope) or effect.via.cause is Cause.SENTENCE:
        return ""
    if scope.anchor == HOME:
        store = next((part for part in scope.parts if part not in _PLAIN and literal(part)), "")
        store = _SAME.get(store, store)
        return store if store.startswith(".") or store in _SHARED else ""
    name = scope.parts[-1] if scope.parts else ""
    return ".env" if scope.anchor == WORKSPACE and name.startswith(".env") else ""


RULE = Rule(
    "credentials-collected",
    "secrets",
    "credentials of several services or of a browser are read together, or linked under another name",
    Severity.HIGH,
    "No task needs SSH, cloud and registry keys at once. Collecting them, or the logins and sessions of a browser, is the first half of a theft. A link under which a secret looks like something else hides what is read.",
    "Secrets that the skill names one by one for its own services. The finding is medium if the script sends nothing, or if the skill is about security or encryption. Files of a browser in skills whose text speaks of one.",
    "Read the one credential that the task needs.",
    find,
)
