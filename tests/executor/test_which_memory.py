"""Which store an executor uses follows from its settings, and what is not understood is refused."""

import json

import pytest
import servers

from remit.authority.settings import read_settings
from remit.core.errors import AuthorityError, UsageError
from remit.executor.replay.backends import open_memory
from remit.executor.replay.redis import RedisMemory
from remit.executor.replay.sql import PostgresMemory, SqliteMemory
from remit.gateway.deployment.folders import make_folder

needs_postgres = pytest.mark.skipif(servers.postgres_folder() is None, reason="PostgreSQL of Debian is not installed")
needs_redis = pytest.mark.skipif(servers.redis_program() is None, reason="Redis of Debian is not installed")


@pytest.fixture
def made(tmp_path):
    make_folder(tmp_path / "up", None)
    return tmp_path / "up"


def at(made, address, *, mode=0o600, besides=False):
    """The settings of an executor whose memory is a server at an address."""
    told = json.loads((made / "executor.json").read_text())
    if not besides:
        del told["files"]["memory"]
    told["files"]["memory-server"] = "keys/memory"
    (made / "keys/memory").write_text(address + "\n")
    (made / "keys/memory").chmod(mode)
    (made / "executor.json").write_text(json.dumps(told))
    return read_settings(made / "executor.json")


def opened(settings):
    memory = open_memory(settings)
    memory.close()
    return type(memory)


def test_a_file_is_the_default(made):
    assert opened(read_settings(made / "executor.json")) is SqliteMemory


@needs_redis
def test_a_redis(made):
    with servers.redis(made) as address:
        assert opened(at(made, address)) is RedisMemory


@needs_redis
def test_an_executor_does_not_begin_with_a_redis_that_may_forget(made):
    with servers.redis(made, appendfsync="everysec") as address, pytest.raises(AuthorityError, match="may forget"):
        open_memory(at(made, address))


@needs_postgres
def test_a_postgres(made):
    with servers.postgres() as address:
        host = dict(part.split("=", 1) for part in address.split())["host"]
        assert opened(at(made, f"postgresql:///postgres?host={host}&user=remit")) is PostgresMemory


@pytest.mark.parametrize(
    "address",
    [
        "",
        "mysql://here",
        "redis",
        "/var/actions.db",
        "host=here user=remit",
        "REDIS://here",
        "redis://here:x/",
        "redis://here/?db=y",
    ],
)
def test_what_is_no_address_is_refused(made, address):
    with pytest.raises(UsageError, match="no address"):
        open_memory(at(made, address))


def test_two_memories_are_none(made):
    with pytest.raises(UsageError, match="both"):
        open_memory(at(made, "redis://localhost", besides=True))


def test_an_address_that_others_can_read_is_refused(made):
    with pytest.raises(UsageError, match="opened by others"):
        open_memory(at(made, "redis://:word@localhost", mode=0o644))


@pytest.mark.parametrize(
    "address",
    [
        "redis://127.0.0.1:1",
        "rediss://127.0.0.1:1",
        "unix:///nowhere",
        "postgres://127.0.0.1:1",
        "postgresql://127.0.0.1:1",
    ],
)
def test_a_server_that_is_away_is_no_wrong_address(made, address):
    with pytest.raises(AuthorityError):
        open_memory(at(made, address))
