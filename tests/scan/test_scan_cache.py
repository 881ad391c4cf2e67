"""Answers that are kept: found again by any worker, and never believed where they contradict themselves."""

import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scan_world import files, rows, scanned, write
from servers import redis_program, redis_store

from each_row import each_row
from remit.checker.cache import Cache, sealed, unsealed
from remit.core.errors import UsageError
from remit.scan import store
from remit.scan.finding import Finding
from remit.scan.rows import FoundEffect, FoundFinding, OpaquePlace
from remit.scan.store import RedisStore, open_store

GOOD = Finding(
    "n", "d", "undeclared", (FoundFinding("secret-to-network", "critical", "m", "a.py", 1, False),), ("no-network",), (FoundEffect("file.read", "x", "a.py", 1, "open", "script"),), (OpaquePlace("r", "a.py", 2),), 1, 9
)  # fmt: skip


@pytest.fixture
def registry(tmp_path):
    return registry_in(tmp_path)


def registry_in(folder):
    for number in range(4):
        write(folder / "r" / f"s{number}", files("same" if number % 2 else f"s{number}"))
    return folder / "r"


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A registry `r`, what a scan found in it, and its cache."""
    folder = tmp_path_factory.mktemp("first")
    scanned(folder / "one.parquet", registry_in(folder), cache=str(folder / "cache"))
    return folder


@pytest.fixture
def key(tmp_path):
    (tmp_path / "key").write_text("k" * 64)
    return str(tmp_path / "key")


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory):
    if not redis_program():
        pytest.skip("there is no redis-server")
    with redis_store(tmp_path_factory.mktemp("redis")) as held:
        yield held.address


def entries(folder):
    return sorted(Path(folder).rglob("*.json"))


def test_what_is_known_is_not_found_out_again(tmp_path, registry):
    cache = str(tmp_path / "cache")
    first = scanned(tmp_path / "one.parquet", registry, cache=cache)
    second = scanned(tmp_path / "two.parquet", registry, cache=cache)
    assert (first.cached, second.cached) == (0, 4)
    assert rows(tmp_path / "one.parquet") == rows(tmp_path / "two.parquet")


def test_a_change_of_content_is_found_out(tmp_path, registry):
    cache = str(tmp_path / "cache")
    scanned(tmp_path / "one.parquet", registry, cache=cache)
    (registry / "s0" / "scripts" / "main.py").write_text("import os\nos.remove('x')\n")
    assert scanned(tmp_path / "two.parquet", registry, cache=cache).cached == 3
    assert rows(tmp_path / "two.parquet")[0]["capabilities"] == ["file.delete"]


def test_a_redis_is_shared_by_scans(tmp_path, registry, redis_url, key):
    first = scanned(tmp_path / "one.parquet", registry, cache=redis_url, cache_key=key)
    second = scanned(tmp_path / "two.parquet", registry, cache=redis_url, cache_key=key)
    assert (first.cached, second.cached) == (0, 4)
    assert rows(tmp_path / "one.parquet") == rows(tmp_path / "two.parquet")


def test_a_redis_that_is_not_there_is_said_before_the_work(tmp_path, registry, key):
    with pytest.raises(UsageError, match="does not answer"):
        scanned(tmp_path / "out.parquet", registry, cache="redis://127.0.0.1:1", cache_key=key)
    with pytest.raises(UsageError, match="is no cache"):
        scanned(tmp_path / "out.parquet", registry, cache="http://x")


def test_a_redis_that_ends_meanwhile_only_makes_it_slower(redis_url):
    held = RedisStore(redis_url)
    held.put("k", {"a": 1})
    assert held.get("k") == {"a": 1}
    lost = RedisStore("redis://127.0.0.1:1")
    lost.put("k", {"a": 1})
    assert lost.get("k") is None


def test_what_others_can_write_to_is_no_cache_without_a_key(tmp_path, redis_url, key):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "theirs").mkdir()
    if os.geteuid() == 0:
        os.chown(tmp_path / "theirs", 65534, -1)
    for place in (redis_url, str(tmp_path / "open"), *([str(tmp_path / "theirs")] if os.geteuid() == 0 else [])):
        with pytest.raises(UsageError, match="could change what is reported about skills"):
            open_store(place)
        assert open_store(place, key) is not None


def test_an_entry_that_somebody_else_wrote_is_a_miss_if_entries_are_signed(tmp_path, redis_url, key):
    folder = str(tmp_path / "cache")
    for ours, theirs in (
        (open_store(redis_url, key), RedisStore(redis_url)),
        (open_store(folder, key), open_store(folder)),
    ):
        theirs.put("ab" * 32, {"verdict": "contained"})
        assert theirs.get("ab" * 32) == {"verdict": "contained"}
        assert ours.get("ab" * 32) is None
        ours.put("ab" * 32, {"verdict": "opaque"})
        assert ours.get("ab" * 32) == {"verdict": "opaque"}
        assert theirs.get("ab" * 32) is None


@pytest.mark.parametrize("text", [None, "short"])
def test_a_key_that_is_none_is_refused(tmp_path, text):
    if text:
        (tmp_path / "key").write_text(text)
    with pytest.raises(UsageError, match="key"):
        open_store(str(tmp_path), str(tmp_path / "key"))


@given(st.binary(max_size=40), st.binary(max_size=8))
def test_what_is_no_entry_of_its_key_is_a_miss(data, secret):
    assert unsealed("k", data, secret) is None
    entry = sealed("k", {"a": 1}, secret)
    assert unsealed("k", entry, secret) == {"a": 1}
    assert unsealed("other", entry, secret) is None
    assert unsealed("k", entry + b" ", secret) is None


def spoil(cache, change):
    """Every entry of a cache, changed, with a digest that fits."""
    for path in entries(cache):
        key = path.parent.name + path.stem
        data = json.loads(path.read_bytes().partition(b"\n")[2])
        path.write_bytes(sealed(key, change(data)))


WRONG = {
    "contained and opaque": lambda data: data | {"verdict": "contained", "opaque": [["r", "f", 1]]},
    "a verdict that is none": lambda data: data | {"verdict": "fine"},
    "unknown without an error": lambda data: data | {"verdict": "unknown"},
    "contained with an error": lambda data: data | {"verdict": "contained", "error": "e"},
    "a capability that is none": lambda data: data | {"effects": [["file.raed", "s", "f", 1, "w", "script"]]},
    "an origin that is none": lambda data: data | {"effects": [["file.read", "s", "f", 1, "w", "moon"]]},
    "a rule that is none": lambda data: data | {"findings": [["moon", "critical", "m", "f", 1, False]]},
    "a severity that is none": lambda data: data | {"findings": [["secret-to-network", "moon", "m", "f", 1, False]]},
    "accepted by text": lambda data: data | {"findings": [["secret-to-network", "high", "m", "f", 1, "no"]]},
    "too few fields": lambda data: data | {"effects": [["file.read", "s"]]},
    "another field": lambda data: data | {"more": 1},
    "a missing field": lambda data: {"name": data["name"]},
    "text for a number": lambda data: data | {"files": "4"},
    "a number below nothing": lambda data: data | {"bytes": -1},
    "a number for text": lambda data: data | {"name": 4},
    "nothing for a list": lambda data: data | {"effects": None},
    "a list for a capability": lambda data: data | {"effects": [[["file.read"], "s", "f", 1, "w", "script"]]},
}


@each_row("change", WRONG)
def test_an_entry_that_cannot_be_is_found_out_again(tmp_path, first, change):
    cache = shutil.copytree(first / "cache", tmp_path / "cache")
    spoil(cache, WRONG[change])
    again = scanned(tmp_path / "two.parquet", first / "r", cache=str(cache))
    assert again.cached == 0
    assert rows(tmp_path / "two.parquet") == rows(first / "one.parquet")


def test_what_follows_from_effects_and_findings_is_not_taken_from_the_cache(tmp_path, registry):
    """Capabilities, level and fingerprint of a row fit its effects and findings, whoever wrote the entry."""
    cache = tmp_path / "cache"
    scanned(tmp_path / "one.parquet", registry, cache=str(cache))
    effect = ["secret.read", "any", "f", 1, "w", "script"]
    finding = ["secret-to-network", "high", "m", "f", 1, False]
    spoil(cache, lambda data: data | {"effects": [effect], "findings": [finding]})
    scanned(tmp_path / "two.parquet", registry, cache=str(cache))
    assert {(row["level"], *row["capabilities"]) for row in rows(tmp_path / "two.parquet")} == {
        ("block", "secret.read")
    }


def test_a_finding_is_read_back_as_it_was():
    assert Finding.decode(json.loads(json.dumps(GOOD.encode()))) == GOOD


def test_a_cache_of_scans_holds_more_than_one_of_checks(tmp_path):
    assert open_store(str(tmp_path)).max_entries == store.MAX_ENTRIES > Cache(tmp_path).max_entries
