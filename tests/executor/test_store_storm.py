"""Two executors with one PostgreSQL or Redis, killed and started again with it: no action happens twice.

REMIT_STORE_ATTEMPTS sets how many presentations (the default is small; docs/authority.md has the figure of the long run),
REMIT_STORE_LOG a file for progress.
"""

import asyncio
import os

import pytest
import servers
from slow_mail import slow_mail
from store_faults import faulty
from store_storm import judge, started, stopped, storm, told_in, two_executors

ATTEMPTS = int(os.environ.get("REMIT_STORE_ATTEMPTS", "400"))
LOG = os.environ.get("REMIT_STORE_LOG", os.devnull)
needs_postgres = pytest.mark.skipif(servers.postgres_folder() is None, reason="PostgreSQL of Debian is not installed")
needs_redis = pytest.mark.skipif(servers.redis_program() is None, reason="Redis of Debian is not installed")


def opened(kind, folder, **settings):
    return servers.postgres_store(**settings) if kind == "postgres" else servers.redis_store(folder, **settings)


def address_of(kind, store):
    if kind == "redis":
        return store.address
    words = dict(part.split("=", 1) for part in store.address.split())
    return f"postgresql:///{words['dbname']}?host={words['host']}&user={words['user']}"


def played(kind, folder, attempts, every=(0.5, 12.0), **settings):
    tell = told_in(LOG)
    with opened(kind, folder, **settings) as store, slow_mail(0.005) as (port, taken):
        up, executors = two_executors(folder, address_of(kind, store), port)
        try:
            started(executors)
            count = asyncio.run(
                storm(up, executors, store, attempts, every, lambda told: tell(f"{kind} {told.line(taken)}"))
            )
            stopped(executors)
            started(executors)  # what has no end is recorded now
        finally:
            stopped(executors)
        faults = judge(executors, taken, count)
        tell(f"{kind} {count.line(taken)} faults {faults}")
    return faults, count, taken


@pytest.mark.parametrize(
    "kind",
    [pytest.param("redis", marks=needs_redis), pytest.param("postgres", marks=needs_postgres, id="postgres_nightly")],
)
def test_two_executors_with_one_store_do_nothing_twice(kind, tmp_path):
    faults, count, taken = played(kind, tmp_path, ATTEMPTS)
    assert faults == {}
    assert count.attempts - count.answers["no answer"] >= ATTEMPTS
    assert count.restarts["executor"] + count.restarts["store"] >= 1
    assert len(taken) >= count.actions * 0.5  # of the others, an executor or the store was killed meanwhile
    assert count.answers["REPLAY_DENY"] > count.actions


def noticed(kind, fault, folder, **settings):
    with faulty(fault):
        faults, _, _ = played(kind, folder, 400, (0.2, 0.8), **settings)
    assert "left twice" in faults


@needs_redis
def test_a_store_that_is_none_is_noticed_nightly(tmp_path):
    noticed("redis", "redis_looks_and_then_writes", tmp_path)


@needs_redis
def test_a_redis_that_forgets_is_noticed_nightly(tmp_path):
    noticed("redis", "redis_that_may_forget", tmp_path, appendonly="no")


@needs_postgres
def test_a_postgres_without_a_key_is_noticed_nightly(tmp_path):
    noticed("postgres", "postgres_looks_and_then_writes", tmp_path)
