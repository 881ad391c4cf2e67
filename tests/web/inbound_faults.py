"""A gateway that does not wait long for who is lost, with or without a fault: `python inbound_faults.py FAULT gateway up …`. A storm must
notice every fault.
"""

import asyncio
import os
import signal
import sys

LEASE = 3  # seconds, in the place of two minutes: a trial waits for what was lost


def none():
    """As it is."""


def remembers_events_in_memory_alone():
    """What was heard is known to the process, and written after the platform was told."""
    from remit.gateway.inbound import intake

    known = set()

    def once(event, now):
        name = intake.key_of(intake.name_of(event))
        if name in known or (yield intake.Read(intake.ONCE, name)) is not None:
            return "SEEN"
        known.add(name)
        return ""

    intake.once = once


def acknowledges_before_it_keeps():
    from remit.gateway.inbound.channels.interface import Reply
    from remit.gateway.inbound.service import Inbound

    receive, tasks = Inbound.receive, set()

    async def hurried(self, name, incoming):
        async def later():
            await asyncio.sleep(0.3)
            await receive(self, name, incoming)

        tasks.add(asyncio.create_task(later()))
        return Reply()

    Inbound.receive = hurried


def sends_again_what_may_have_gone_out():
    from remit.gateway.inbound import delivery
    from remit.gateway.inbound.delivery import MaybeSent, NotSent

    step = delivery.step
    delivery.step = lambda known, event, now: step(
        known, NotSent(event.worker) if isinstance(event, MaybeSent) else event, now
    )


def ends_a_turn_before_its_answer_is_kept():
    from remit.gateway.inbound import service

    finish = service.turns.finish

    class Turns:
        def __getattr__(self, name):
            return getattr(real, name)

        @staticmethod
        def finish(key, worker, now, _, also=()):
            return finish(key, worker, now, (), also)

    real, service.turns = service.turns, Turns()


def answers_whoever_spoke_last():
    from remit.gateway.inbound import turns

    back_to, last = turns.back_to, []

    def back(event):
        last.append(event)
        return back_to(last[-2] if len(last) > 1 else event)

    turns.back_to = back


def remembers_all_in_one_session():
    from remit.gateway.inbound import intake

    intake.session_key = lambda *_: "main/main"


def keeps_the_log_in_memory_for_a_while():
    from remit.audit.log import Log

    append, held = Log.append, []

    def later(self, *entries, sync=False):
        held.extend(entries)
        if len(held) >= 40:
            append(self, *held, sync=sync)
            held.clear()
        return (0,)

    Log.append = later


FAULTS = (
    remembers_events_in_memory_alone, acknowledges_before_it_keeps, sends_again_what_may_have_gone_out,
    ends_a_turn_before_its_answer_is_kept, answers_whoever_spoke_last, remembers_all_in_one_session, keeps_the_log_in_memory_for_a_while,
)  # fmt: skip


def forks(words):
    """For each line that comes in, a process of its own: what takes seconds to import is imported once. Their numbers are printed."""
    import remit.cli.inbound_up
    import remit.cli.main
    import remit.web.server  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how they ended
    for _ in sys.stdin:
        number = os.fork()
        if number == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            sys.argv = [sys.argv[0], *words]
            os.dup2(2, 1)
            os._exit(main())
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


def main():
    if sys.argv[1] == "forks":
        return forks(sys.argv[2:])
    from remit.cli.main import main as remit
    from remit.gateway.inbound import delivery, turns

    turns.LEASE = delivery.LEASE = LEASE
    {one.__name__: one for one in (none, *FAULTS)}[sys.argv[1]]()
    return remit(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
