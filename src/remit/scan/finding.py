"""The result of scanning one skill, and its JSON form, in which it crosses processes and is cached.

Parsed results may come from a cache that others write to. They are trusted as little as possible: everything that can
be recomputed is recomputed (level, capabilities, fingerprint), and contradictions are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.capability import vocabulary
from remit.core.effect import Origin
from remit.findings.model import Severity, level_with
from remit.findings.registry import rules
from remit.scan.rows import UNKNOWN, VERDICTS, FoundEffect, FoundFinding, OpaquePlace, ScanRow, effect_fingerprint

if TYPE_CHECKING:
    from remit.checker.report import Report
    from remit.scan.places import Item
    from remit.skill.model import Skill

_MAX_TEXT = 4096  # characters of a name, a description or an error: they are shown, and an author may write any number
_ORIGINS = frozenset(Origin)
_SEVERITIES = frozenset(Severity)


class Finding(NamedTuple):
    """The columns of a row that are about the skill itself."""

    name: str
    description: str
    verdict: str
    findings: tuple[FoundFinding, ...] = ()
    guarantees: tuple[str, ...] = ()
    effects: tuple[FoundEffect, ...] = ()
    opaque: tuple[OpaquePlace, ...] = ()
    files: int = 0
    bytes: int = 0
    error: str | None = None

    def encode(self) -> dict[str, Any]:
        """Return JSON values; `decode` is the inverse."""
        return self._asdict() | {name: [list(item) for item in getattr(self, name)] for name in _LISTS}

    @classmethod
    def decode(cls, data: dict[str, Any]) -> Finding:
        """Parse JSON values; ValueError if they are invalid or contradictory."""
        try:
            out = cls(**data)
            lists: dict[str, Any] = {
                name: tuple(kind(*item) for item in getattr(out, name)) for name, kind in _LISTS.items()
            }
            out = out._replace(**lists, guarantees=tuple(out.guarantees))
        except TypeError as error:
            raise ValueError(str(error)) from None
        _check(out)
        return out


_LISTS = {"findings": FoundFinding, "effects": FoundEffect, "opaque": OpaquePlace}


class LocatedResult(NamedTuple):
    """A result, its location, and its cost."""

    finding: Finding
    digest: str | None
    seconds: float
    cached: bool

    def row(self, item: Item, toolchain: str) -> ScanRow:
        """Return the row of the table for the skill at a place."""
        finding = self.finding
        capabilities = tuple(sorted({effect.capability for effect in finding.effects}))
        known = finding.error is None or bool(finding.effects)
        return ScanRow(
            item.location,
            item.source,
            item.path,
            finding.name or item.called,
            finding.description,
            self.digest,
            str(level_with([(Severity(item.severity), item.accepted) for item in finding.findings], own=True))
            if finding.files
            else None,
            finding.findings,
            finding.guarantees,
            finding.verdict,
            capabilities,
            finding.effects,
            finding.opaque,
            effect_fingerprint(finding.effects) if known else None,
            finding.files,
            finding.bytes,
            finding.error,
            toolchain,
            self.seconds,
            self.cached,
        )


def finding(skill: Skill, report: Report) -> Finding:
    """Return the result of a check of a skill, against its own manifest."""
    found, failure = report.found, report.failure
    accepted = {item.finding for item in report.acceptances.accepted}
    return Finding(
        plain(skill.name),
        plain(skill.front_matter.text("description").strip()),
        UNKNOWN if failure else report.verdict.value,
        tuple(
            FoundFinding(item.rule, item.severity.value, plain(item.message), _text(item.where.file), item.where.line, item in accepted)
            for item in report.findings
        ),
        tuple(item.ident for item in report.guarantees if item.about),
        tuple(
            FoundEffect(item.capability, _text(item.scope.render()), _text(item.where.file), item.where.line, _text(item.why), item.origin.value)
            for item in found.effects
        ),
        tuple(OpaquePlace(_text(item.reason), _text(item.where.file), item.where.line) for item in report.found.opaque),
        len(skill.files),
        sum(file.size for file in skill.files),
        plain(f"the manifest cannot be read: {failure.message}") if failure else None,
    )  # fmt: skip


def unknown(error: str, seconds: float = 0.0, digest: str | None = None) -> LocatedResult:
    """Return a result for a failure, with the reason."""
    return LocatedResult(
        Finding("", "", UNKNOWN, error=plain(error) or "no reason is known"), digest, seconds, cached=False
    )


def plain(text: str) -> str:
    """Return a text for people: of a length that can be read."""
    return _text(text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…")


def _text(text: str) -> str:
    """Return a text that a table can hold: a lone surrogate, which a script may write, is spelled out."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _check(found: Finding) -> None:
    """Raise ValueError for anything that `finding` or `unknown` cannot have made."""
    items: list[Any] = [*found.findings, *found.effects, *found.opaque]
    texts = [found.name, found.description, found.verdict, *found.guarantees]
    numbers = [found.files, found.bytes, *(item.line for item in items)]
    texts += [text for item in items for name, text in item._asdict().items() if name not in ("line", "accepted")]
    if not all(type(text) is str for text in texts) or not all(type(count) is int and count >= 0 for count in numbers):
        raise ValueError("a value is of another kind")
    for one in found.findings:
        if one.rule not in rules() or one.severity not in _SEVERITIES or type(one.accepted) is not bool:
            raise ValueError(f"`{one.rule}` with `{one.severity}` is no finding")
    for effect in found.effects:
        if effect.capability not in vocabulary() or effect.origin not in _ORIGINS:
            raise ValueError(f"`{effect.capability}` by `{effect.origin}` is no effect")
    if found.verdict not in VERDICTS or (found.verdict == UNKNOWN) != (type(found.error) is str and found.error != ""):
        raise ValueError(f"the verdict `{found.verdict}` does not fit the error")
    if found.error is not None and type(found.error) is not str:
        raise ValueError("an error is text")
    if (found.opaque and found.verdict == "contained") or (found.verdict == "opaque" and not found.opaque):
        raise ValueError("an opaque skill is never contained")
