"""Executors whose store is not one: `python store_faults.py FAULT SETTINGS`. The same trial must notice each."""

import sys
import time


def redis_looks_and_then_writes():
    from remit.executor.replay.redis import RedisMemory, _key, _owned

    def mark(self, action_id, owner, expires, now):
        if self._server.get(_key(action_id)):
            return False
        time.sleep(0.002)
        self._server.set(_key(action_id), f"{owner} started", exat=expires + 60)
        self._server.sadd(_owned(owner), action_id)
        return True

    RedisMemory.mark = mark


def redis_that_may_forget():
    from remit.executor.replay.redis import RedisMemory

    RedisMemory._refuse_forgetful = lambda _: None


def postgres_looks_and_then_writes():
    from remit.executor.replay import sql

    sql._FORM = sql._FORM.replace("PRIMARY KEY", "NOT NULL", 1)

    def mark(self, action_id, owner, expires, now):
        if self.state(action_id):
            return False
        time.sleep(0.002)
        with self._store.change() as link:
            link.execute("INSERT INTO action VALUES (?, ?, 'started', ?)", (action_id, owner, expires))
        return True

    sql.PostgresMemory.mark = mark


FAULTS = (redis_looks_and_then_writes, redis_that_may_forget, postgres_looks_and_then_writes)


def faulty(fault):
    """Executors have it from here on."""
    from kill_faults import faulty_by

    return faulty_by(__file__, "executor", fault)


if __name__ == "__main__":
    from remit.cli.main import main

    {one.__name__: one for one in FAULTS}[sys.argv[1]]()
    sys.exit(main(["serve", sys.argv[2]]))
