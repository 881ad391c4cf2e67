"""What a policy server computes: keys expanded and looked up in a second, by table size, and one decision by its parts.

bench/authority_speed.py [--seconds N]
prints figures of one thread in processor time, each beside one AES pass over the same bytes in the same run; exit status 1 if a
target is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from remit.authority.shared.checking import checked, dealt_for
from remit.authority.shared.dealing import deal, expanded
from remit.authority.shared.products import Party
from remit.authority.shared.triples import Supply

from remit.authority.database import build_database
from remit.authority.dpf.blocks import hashed
from remit.authority.dpf.expand import expand
from remit.authority.dpf.keys import make_batches
from remit.authority.program.language import read_policy
from remit.authority.question.answering import decide, look, triples_for
from remit.authority.question.asking import questions
from remit.authority.question.layout import BUCKETS, question_size
from remit.authority.question.spoken import spoken
from remit.authority.tables.answer import answer, prepare
from remit.authority.tables.cuckoo import build
from remit.authority.values.request import make_request

LEAST = {16: 15_000, 20: 800}  # keys a second and thread
KEYS = {12: 490, 14: 490, 16: 256, 18: 64, 20: 16}
KEY = bytes(32)
POLICY = """policy bench
list recipients from recipients.txt
list domains    from domains.txt
list bad        bits 16 from bad.txt
list fragments  windows 12 from fragments.txt
intent SendMessage
allow recipient in recipients
deny domain in bad
deny text has fragments
confirm domain not in domains
redact text shows card
"""


def cpu(work, seconds):
    """Processor time of one run, over as many as fit."""
    work()
    rounds, begin = 0, time.thread_time()
    while (spent := time.thread_time() - begin) < seconds:
        work()
        rounds += 1
    return spent / rounds


def tables(seconds):
    """A line for each table size; whether the targets are met."""
    fine = True
    print(
        f"{'table':>6} {'keys':>5} {'made/s':>9} {'expanded/s':>11} {'looked up/s':>12} {'x AES':>6} {'x AES':>6}   target"
    )
    for bits, count in KEYS.items():
        points = np.random.default_rng(0).integers(0, 1 << bits, count)
        batch = make_batches(KEY[:16], bits, points)[0]
        table = prepare(build(KEY, "bench", (str(number).encode() for number in range(400)), bits))
        blocks = np.zeros((count << (bits - 7), 2), np.uint64)
        aes = cpu(lambda blocks=blocks: hashed("leaf", blocks), seconds)
        made = cpu(lambda bits=bits, points=points: make_batches(KEY[:16], bits, points), seconds)
        grown = cpu(lambda batch=batch: expand(batch), seconds)
        looked = cpu(lambda table=table, batch=batch: answer(table, batch), seconds)
        least = LEAST.get(bits, 0)
        missed = count / grown < least
        fine = fine and not missed
        told = f"{least:,} expanded/s{' MISSED' if missed else ''}" if least else ""
        print(
            f"{'2^' + str(bits):>6} {count:>5} {count / made:>9,.0f} {count / grown:>11,.0f} {count / looked:>12,.0f}"
            f" {grown / aes:>6.1f} {looked / aes:>6.1f}   {told}"
        )
    return fine


def spoken_together(*speakers):
    """Two protocols with one another."""
    heard = [None, None]
    while True:
        try:
            heard = [one.send(told) for one, told in zip(speakers, reversed(heard), strict=True)]
        except StopIteration as end:
            return end.value


def decision(folder, length, seconds):
    """The parts of one decision, in milliseconds of one server or of the asker."""
    for name, count in (("recipients", 200), ("domains", 200), ("bad", 20_000), ("fragments", 400)):
        values = {"recipients": "p{}@example.org", "fragments": "a forbidden fragment number {}"}.get(
            name, "h{}.example"
        )
        Path(folder, f"{name}.txt").write_text(
            "".join(values.format(number) + "\n" for number in range(count)), "utf-8"
        )
    path = Path(folder, "bench.policy")
    path.write_text(POLICY, "utf-8")
    database = build_database(read_policy(path), KEY, 1)
    layout, program = database.layout, database.layout.program
    prepared = {name: prepare(table) for name, table in database.tables.items()}
    request = make_request("SendMessage", "agent", "s", {"to": "p7@example.org", "text": "x" * length})
    said = spoken(program, request, lambda _: ())
    asked = questions(layout, said, KEY)
    bucket = asked[0].bucket
    size = (triples_for(program, bucket) + 7) // 8 * 8
    whole = dealt_for(size)
    blocks = [expanded(deal(KEY, 1, party, whole), whole) for party in (0, 1)]
    looked = [look(program, prepared, party, asked[party]) for party in (0, 1)]

    def check():
        spoken_together(*(checked(party, blocks[party]) for party in (0, 1)))

    def compute():
        spoken_together(
            *(decide(Party(party, Supply(blocks[party])), program, bucket, looked[party]) for party in (0, 1))
        )

    parts = {
        "say": cpu(lambda: spoken(program, request, lambda _: ()), seconds),
        "ask": cpu(lambda: questions(layout, said, KEY), seconds),
        "look": cpu(lambda: look(program, prepared, 0, asked[0]), seconds),
        "compute": cpu(compute, seconds) / 2,
        "deal": cpu(lambda: expanded(deal(KEY, 1, 1, whole), whole), seconds),
        "check": cpu(check, seconds) / 2,
    }
    figures = " ".join(f"{1000 * spent:>8.2f}" for spent in parts.values())
    print(f"{length:>6} {question_size(program, bucket) // 1024:>7} {figures}")
    return parts


def main():
    """All of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="of processor time for each figure")
    seconds = parser.parse_args().seconds
    print(f"load {os.getloadavg()[0]:.1f}; one thread, processor time\n")
    fine = tables(seconds)
    print("\none decision in ms; two look-ups in 2^12, one in 2^16, and every window of the text in 400 fragments")
    print(f"{'bytes':>6} {'KB each':>7} {'say':>8} {'ask':>8} {'look':>8} {'compute':>8} {'deal':>8} {'check':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for length in BUCKETS[:3]:
            decision(folder, length, seconds)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
