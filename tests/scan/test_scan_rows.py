"""Rows of a scan: what they say, and their form as Parquet."""

import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from remit.scan.rows import FoundEffect, FoundFinding, OpaquePlace, ScanRow, effect_fingerprint, schema, table

READ = FoundEffect("file.read", "notes.txt", "a.py", 3, "open", "script")
SENDS = FoundFinding("secret-to-network", "critical", "sends it", "a.py", 4, False)
ROW = ScanRow(
    "reg/pdf", "reg", "pdf", "pdf", "reads", "sha256:00", "block", (SENDS,), ("no-secrets",), "opaque", ("file.read",), (READ,),
    (OpaquePlace("eval", "a.py", 9),), effect_fingerprint([READ]), 2, 10, None, "remit 0", 0.5, False,
)  # fmt: skip


def test_a_row_is_read_back_from_parquet_as_it_was_written(tmp_path):
    path = tmp_path / "r.parquet"
    empty = ROW._replace(
        location="reg/x", digest=None, level=None, findings=(), fingerprint=None, effects=(), opaque=(), error="why"
    )
    pq.write_table(table([ROW, empty]), path)
    back = pq.read_table(path)
    assert back.schema.equals(schema())
    first, second = back.to_pylist()
    assert (first["level"], first["findings"], first["guarantees"]) == ("block", [SENDS._asdict()], ["no-secrets"])
    assert first["effects"] == [READ._asdict()]
    assert first["opaque"] == [{"reason": "eval", "file": "a.py", "line": 9}]
    assert (second["digest"], second["level"], second["fingerprint"], second["error"]) == (None, None, None, "why")


texts = st.text("abc/*", max_size=4)
effects = st.builds(
    FoundEffect, st.sampled_from(["file.read", "web.fetch"]), texts, texts, st.integers(0, 9), texts, texts
)


@given(st.lists(effects), st.randoms())
def test_a_fingerprint_depends_on_capabilities_and_scopes_alone(found, random):
    moved = [effect._replace(file="other.py", line=1, why="", origin="hook") for effect in found] * 2
    random.shuffle(moved)
    assert effect_fingerprint(moved) == effect_fingerprint(found)


@given(st.lists(effects, min_size=1))
def test_one_more_scope_is_another_fingerprint(found):
    assert effect_fingerprint([*found, READ._replace(scope="elsewhere")]) != effect_fingerprint(found)
