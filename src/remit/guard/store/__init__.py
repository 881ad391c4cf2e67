"""The guard's database: sessions, approvals, grants, trusted files. One SQLite file, `guard.db`.

Values go in and come out, with one function for each query. The time is passed in, never looked up. A store that cannot
be read or written raises GuardError, and the caller denies: an attacker would like the guard to forget.
"""

from remit.guard.store.approvals import (
    Approval,
    Asked,
    State,
    answer_approval,
    approval,
    approvals,
    ask_approval,
    expire_approvals,
    spend_approval,
    standing_approval,
)
from remit.guard.store.database import Store, open_store
from remit.guard.store.grants import Grant, add_grant, all_grants, grants, revoke_grant
from remit.guard.store.remembered_answers import RememberedAnswer, all_answers, answered, remember_answer, remove_answer
from remit.guard.store.sessions import SessionSummary, StoredSession, list_sessions, load_session, save_session
from remit.guard.store.trusted_digests import forget_file, trust_file, trusted_digest, trusted_files, trusted_text

__all__ = [
    "Approval",
    "Asked",
    "Grant",
    "RememberedAnswer",
    "SessionSummary",
    "State",
    "Store",
    "StoredSession",
    "add_grant",
    "all_answers",
    "all_grants",
    "answer_approval",
    "answered",
    "approval",
    "approvals",
    "ask_approval",
    "expire_approvals",
    "forget_file",
    "grants",
    "list_sessions",
    "load_session",
    "open_store",
    "remember_answer",
    "remove_answer",
    "revoke_grant",
    "save_session",
    "spend_approval",
    "standing_approval",
    "trust_file",
    "trusted_digest",
    "trusted_files",
    "trusted_text",
]
