"""Replay store in Redis, for executors on several machines. A server that may lose confirmed writes is refused.

A mark expires a minute after its proofs are too old. Unfinished actions of an owner are also in a set, which does not
expire. One script changes both, so no client sees one without the other. No mark is made that would already have
expired by the server's clock: a delayed executor does not repeat an action whose mark Redis has dropped.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from remit.core.errors import AuthorityError, PackageError
from remit.executor.replay.memory import State

_MARK = """
if tonumber(redis.call('TIME')[1]) >= tonumber(ARGV[2]) then return 0 end
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EXAT', ARGV[2]) then redis.call('SADD', KEYS[2], ARGV[3]) return 1 end
return 0
"""
_FINISH = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL') end
redis.call('SREM', KEYS[2], ARGV[3])
"""
_ADVANCE = """
local known = tonumber(redis.call('GET', KEYS[1]) or '0')
if tonumber(ARGV[1]) > known then redis.call('SET', KEYS[1], ARGV[1]) return tonumber(ARGV[1]) end
return known
"""
_IDENTITY, _EPOCH = "remit:identity", "remit:epoch"
_LONGER = 60  # seconds beyond the end of the proofs
_LASTING = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
_SET = f"set {', '.join(f'{name} {value}' for name, value in _LASTING.items())}"


class RedisMemory:
    """One server, by its address (`redis://…`, `rediss://…`, `unix://…`)."""

    def __init__(self, url: str) -> None:
        try:
            import redis  # noqa: PLC0415  only who uses it needs it
        except ImportError:
            raise PackageError("redis", "redis") from None
        self._error: type[Exception] = redis.RedisError
        # a command that failed is not sent again: the server may have carried it out
        self._server: Any = redis.Redis.from_url(url, socket_timeout=5, retry=None, decode_responses=True)
        try:
            self._refuse_forgetful()
        except BaseException:
            self._server.close()
            raise
        self._mark: Any = self._server.register_script(_MARK)
        self._finish: Any = self._server.register_script(_FINISH)
        self._advance: Any = self._server.register_script(_ADVANCE)

    def mark(self, action_id: str, owner: str, expires: int, now: int) -> bool:
        """See `Memory`."""
        if expires <= now:
            return False
        args = [f"{owner} {State.STARTED}", expires + _LONGER, action_id]
        return bool(self._asked(lambda: self._mark(keys=[_key(action_id), _owned(owner)], args=args)) == 1)

    def finish(self, action_id: str, owner: str, state: State) -> None:
        """See `Memory`."""
        args = [f"{owner} {State.STARTED}", f"{owner} {state}", action_id]
        self._asked(lambda: self._finish(keys=[_key(action_id), _owned(owner)], args=args))

    def unfinished(self, owner: str) -> tuple[str, ...]:
        """See `Memory`."""
        return tuple(sorted(self._asked(lambda: self._server.smembers(_owned(owner)))))

    def forget(self, now: int) -> int:  # noqa: ARG002  Redis forgets by its own clock
        """See `Memory`. Marks expire by themselves."""
        return 0

    def state(self, action_id: str) -> State | None:
        """See `Memory`."""
        found = self._asked(lambda: self._server.get(_key(action_id)))
        return State(found.rpartition(" ")[2]) if found else None

    def identity(self) -> str:
        """See `Memory`."""
        self._asked(lambda: self._server.set(_IDENTITY, secrets.token_hex(16), nx=True))
        return str(self._asked(lambda: self._server.get(_IDENTITY)))

    def advance(self, epoch: int) -> int:
        """See `Memory`."""
        return int(self._asked(lambda: self._advance(keys=[_EPOCH], args=[epoch])))

    def close(self) -> None:
        """See `Memory`."""
        self._server.close()

    def _refuse_forgetful(self) -> None:
        for name, value in _LASTING.items():
            found = self._asked(partial(self._server.config_get, name)).get(name)
            if found != value:
                raise AuthorityError(f"this Redis may forget: `{name}` is `{found}`", _SET)

    def _asked(self, call: Callable[[], Any]) -> Any:
        """Run a command. An error of the store never counts as success."""
        try:
            return call()
        except self._error as error:
            message = f"the memory of actions cannot be used: {type(error).__name__}"
            raise AuthorityError(message, "see that Redis runs") from None


def _key(action_id: str) -> str:
    return f"remit:action:{action_id}"


def _owned(owner: str) -> str:
    return f"remit:unfinished:{owner}"
