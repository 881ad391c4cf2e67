"""Answers of persons to questions of the guard, for a skill, a workspace and an exact object, so that none is asked
twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import GuardError

if TYPE_CHECKING:
    from remit.guard.store.database import Store

_COLUMNS = "id, principal, workspace, content, rule, about, sentence, created"


class RememberedAnswer(NamedTuple):
    """An approval. Times are in seconds since 1970."""

    id: str
    principal: str  # the skill; empty for the agent itself
    workspace: str
    content: str  # the digest of the skill then: if it changed, the question is asked again
    rule: str
    about: str
    sentence: str
    created: int


def remember_answer(store: Store, answer: RememberedAnswer) -> None:
    """Store an approval. Repeating it changes nothing."""
    store.change(
        f"INSERT OR IGNORE INTO answers ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",  # noqa: S608
        (answer.id or secrets.token_hex(5), *answer[1:]),
        durable=True,
    )


def answered(store: Store, principals: Iterable[tuple[str, str]], workspace: str) -> frozenset[tuple[str, str]]:
    """Return the rules and objects that persons approved, for principals by name and content, in a workspace."""
    found: set[tuple[str, str]] = set()
    for principal, content in principals:
        found |= set(
            store.rows(
                "SELECT rule, about FROM answers WHERE principal = ? AND workspace = ? AND content IN ('', ?)",
                (principal, workspace, content),
            )
        )
    return frozenset(found)


def all_answers(store: Store) -> tuple[RememberedAnswer, ...]:
    """Return all of them, the oldest first."""
    return tuple(RememberedAnswer(*row) for row in _rows(store))


def _rows(store: Store) -> list[tuple[Any, ...]]:
    return store.rows(f"SELECT {_COLUMNS} FROM answers ORDER BY created, id")  # noqa: S608


def remove_answer(store: Store, name: str) -> RememberedAnswer:
    """Delete one: the question is asked again."""
    rows = store.change(f"DELETE FROM answers WHERE id = ? RETURNING {_COLUMNS}", (name,), durable=True)  # noqa: S608
    if not rows:
        raise GuardError(f"there is no remembered answer `{name}`", "`remit guard answers` lists them")
    return RememberedAnswer(*rows[0])
