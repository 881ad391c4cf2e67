"""Entries for tests, and a log with a clock that is known."""

from pathlib import Path

from hypothesis import strategies as st

from remit.audit import Entry, Inferred, Log, Origin, Outcome, RecordKind
from remit.audit.head import Places, read_local_key
from remit.audit.verify import verify_log

START = 1_800_000_000_000_000
DIGEST = "sha256:" + "0" * 64
DECISIONS = [Outcome.ADMIT, Outcome.DENY, Outcome.PERSON_APPROVED, Outcome.PERSON_DENIED, Outcome.ASKED]
ENDS = [Outcome.EXECUTED, Outcome.FAILED, Outcome.UNDONE, Outcome.UNKNOWN]


def decision(number: int = 1, outcome: Outcome = Outcome.ADMIT, **more) -> Entry:
    values = {
        "host": "claude-code",
        "event": "PreToolUse",
        "session": "s1",
        "call": f"c{number}",
        "tool": "Write",
        "op": "write",
        "arguments": {"file_path": "./out/a.txt", "lines": number},
        "capability": "file.write",
        "scope": "./out/a.txt",
        "principal": "pdf",
        "policy": "manifest of pdf, entry 2",
        "reason": "inside the manifest",
        "judged": DIGEST,
    }
    return Entry(kind=RecordKind.DECISION, outcome=outcome, **(values | more))


def effect(number: int = 1, outcome: Outcome = Outcome.EXECUTED, **more) -> Entry:
    values = {
        "host": "claude-code",
        "event": "PostToolUse",
        "session": "s1",
        "call": f"c{number}",
        "tool": "Write",
        "op": "write",
        "capability": "file.write",
        "scope": "./out/a.txt",
        "principal": "pdf",
        "ran": DIGEST,
    }
    return Entry(kind=RecordKind.EFFECT, outcome=outcome, **(values | more))


def ticking(log: Log) -> Log:
    """A second passes at each look at the clock."""
    now = [START]

    def clock() -> int:
        now[0] += 1_000_000
        return now[0]

    log.clock = clock
    return log


def checkers(folder: Path):
    if not Places(folder).local_key.exists():
        return {}  # nothing was signed yet
    key = read_local_key(Places(folder))
    return {key.keyid: key}


def verified(folder: Path, kept=()):
    return verify_log(folder, checkers(folder), kept)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
_inferred = st.builds(Inferred, texts, texts, st.sampled_from(DECISIONS))
_fields = {
    "origin": st.sampled_from(Origin),
    "host": texts, "event": texts, "session": texts, "call": texts, "tool": texts, "op": texts,
    "arguments": st.dictionaries(texts, json_values, max_size=3),
    "capability": texts, "scope": texts, "principal": texts, "policy": texts, "reason": texts,
    "inferred": st.lists(_inferred, max_size=2).map(tuple),
    "judged": st.sampled_from(["", DIGEST]), "ran": st.sampled_from(["", DIGEST]),
}  # fmt: skip
entries = st.one_of(
    st.builds(Entry, kind=st.just(RecordKind.ENVELOPE), **_fields),
    st.builds(Entry, kind=st.just(RecordKind.DECISION), outcome=st.sampled_from(DECISIONS), **_fields),
    st.builds(Entry, kind=st.just(RecordKind.EFFECT), outcome=st.sampled_from(ENDS), **_fields),
)
