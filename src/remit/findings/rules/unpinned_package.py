"""Packages are run without a version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.scope import NameScope
from remit.findings.model import Basis, Finding, Role, Rule, Severity, Witness

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

_RUNNERS = frozenset({"npx", "uvx", "bunx", "pnpm dlx", "yarn dlx", "pipx run", "uv tool run", "npm exec"})
_NAMED = 3  # packages in the message


def find(subject: Subject) -> Iterator[Finding]:
    """All such packages as one finding."""
    found: dict[str, Effect] = {}
    for effect in subject.with_capability("package.install"):
        name = effect.scope.pattern if isinstance(effect.scope, NameScope) else ""
        if effect.via.name not in _RUNNERS or effect.via.possible or not name or "://" in name or _pinned(name):
            continue
        if subject.basis_of(effect) is not Basis.SAMPLE:
            found.setdefault(name.removesuffix("@latest"), effect)
    if found:
        names = ", ".join(sorted(found)[:_NAMED]) + (" and others" if len(found) > _NAMED else "")
        witnesses = tuple(Witness(Role.SINK, effect.where, name) for name, effect in sorted(found.items()))
        basis = subject.basis_of(next(iter(found.values())))
        yield Finding(
            RULE.ident, Severity.LOW, f"runs {names} in whatever version is newest", witnesses, basis, fix=RULE.fix
        )


def _pinned(name: str) -> bool:
    version = name[1:].rpartition("@")[2] if "@" in name[1:] else name.partition("==")[2]
    return version[:1].isdigit()


RULE = Rule(
    "unpinned-package",
    "remote code",
    "a package runs in whatever version is newest",
    Severity.LOW,
    "The newest version of a package was not reviewed with the skill. A hijacked release runs at once.",
    "Packages with a version, and packages that the skill is about.",
    "Pin the version: `npx tool@1.2.3`, `uvx tool==1.2.3`.",
    find,
)
