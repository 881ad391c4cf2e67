"""Digests of workspace files that a person reviewed: a file counts only while it is unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.guard.store.database import Store


def trusted_digest(store: Store, path: str) -> str | None:
    """Return the digest under which a file is trusted; None if it is not."""
    rows = store.rows("SELECT digest FROM trusted WHERE path = ?", (path,))
    return str(rows[0][0]) if rows else None


def trust_file(store: Store, path: str, digest: str, *, now: int, said: str = "") -> None:
    """Trust a file's present content, replacing the former one. `said` is its text, to show later changes."""
    store.change(
        "INSERT INTO trusted (path, digest, created, said) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (path) DO UPDATE SET digest = excluded.digest, created = excluded.created, said = excluded.said"
        " RETURNING path",
        (path, digest, now, said),
        durable=True,
    )


def trusted_text(store: Store, path: str) -> str:
    """Return the text of a file when it was trusted; empty if it was not stored."""
    rows = store.rows("SELECT said FROM trusted WHERE path = ?", (path,))
    return str(rows[0][0]) if rows else ""


def forget_file(store: Store, path: str) -> bool:
    """Remove trust in a file; return whether it was trusted."""
    return bool(store.change("DELETE FROM trusted WHERE path = ? RETURNING path", (path,), durable=True))


def trusted_files(store: Store) -> dict[str, str]:
    """Return every trusted file, with its digest."""
    return {str(path): str(digest) for path, digest in store.rows("SELECT path, digest FROM trusted ORDER BY path")}
