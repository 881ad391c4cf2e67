"""What a look-up of a text costs: time and memory by the size of the text and the number of fragments in the list.

bench/look_ups.py [--entries 10 14 18 20] [--rounds N]
Both policy servers run as processes of their own, at the same time, and say how much memory they took at most. Exit status 1 if 16 KB
against 2^18 entries take more than 500 ms, or both servers more than 300 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from remit.authority.database import build_database, new_keys
from remit.authority.policy_files import read_tables, write_tables
from remit.authority.program.decision import decision
from remit.authority.program.language import read_policy
from remit.authority.question.answers import look_up
from remit.authority.question.questions import ServerQuestion, ask
from remit.authority.question.slots import spoken
from remit.authority.values.request import make_request

TEXTS = (200, 1_000, 4_000, 16_000, 64_000)
ENTRIES = (10, 14, 18, 20)
MOST_MS, MOST_MB, LIMITED = 500, 300, (18, 16_000)
POLICY = "policy bench\nlist fragments windows 12 from fragments.txt\nintent FinalizeOutput\nallow always\ndeny text has fragments\n"


def best(work, rounds):
    """The least processor time and the least time of some rounds, in milliseconds, and the result."""
    spent, passed = [], []
    for _ in range(rounds):
        begin, own = time.perf_counter(), time.thread_time()
        result = work()
        passed.append(time.perf_counter() - begin)
        spent.append(time.thread_time() - own)
    return 1000 * np.array([min(spent), min(passed)]), result


def peak():
    """The most memory of this process, in MB."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def serve(folder, server, rounds):
    """One policy server: answers the questions whose names come on standard input."""
    held = read_tables(folder / "tables")
    for line in sys.stdin:
        bucket, name = line.split()
        question = ServerQuestion(int(bucket), (folder / name).read_bytes())
        spent, answer = best(lambda question=question: look_up(held.program, held.tables, server, question), rounds)
        (folder / f"answer{server}").write_bytes(answer)
        print(json.dumps({"ms": spent.tolist(), "mb": peak()}), flush=True)


def measured(folder, layout, servers, length, rounds):
    """One row of the table: parts in milliseconds, sizes in KB, memory in MB."""
    words = random.Random(length)
    text = "".join(words.choices("abcdefghijklmnopqrstuvwxyz     ", k=length))
    request = make_request("FinalizeOutput", "agent", "s", {"text": text})
    program = layout.program
    said_ms, said = best(lambda: spoken(program, request, lambda _: ()), rounds)
    ask_ms, asked = best(lambda: ask(layout, said, bytes(32)), rounds)
    for number, question in enumerate(asked.questions):
        (folder / f"question{number}").write_bytes(question.body)
        servers[number].stdin.write(f"{question.bucket} question{number}\n")
        servers[number].stdin.flush()
    told = [json.loads(one.stdout.readline()) for one in servers]
    answers = tuple((folder / f"answer{number}").read_bytes() for number in (0, 1))
    check_ms, outputs = best(lambda: decision(layout, said, asked, answers), rounds)
    assert outputs.allow
    server_ms = np.max([one["ms"] for one in told], axis=0)
    parts = (said_ms, ask_ms, server_ms, check_ms)
    sizes = len(asked.questions[0].body) / 1024, len(answers[0]) / 1024
    return (*(one[0] for one in parts), *sum(parts), *sizes, sum(one["mb"] for one in told))


def table(bits, rounds, first):
    """The rows for a number of entries; whether the limits are kept, and the first whole of all."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        values = (f"a fragment that must not leave, number {number}\n" for number in range(1 << bits))
        (folder / "fragments.txt").write_text("".join(values), "utf-8")
        (folder / "bench.policy").write_text(POLICY, "utf-8")
        build_ms, built = best(lambda: build_database(read_policy(folder / "bench.policy"), new_keys(), 1), 1)
        (folder / "tables").write_bytes(write_tables(built.holdings))
        size = built.holdings.tables["fragments"].nbytes / 2**20
        print(f"2^{bits} entries: tables of {size:.1f} MB, built in {build_ms[1] / 1000:.1f} s")
        run = [sys.executable, __file__, "--rounds", str(rounds), "--folder", name, "--serve"]
        servers = [
            subprocess.Popen([*run, str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for number in (0, 1)
        ]
        fine = True
        for length in TEXTS:
            row = measured(folder, built.gateway, servers, length, rounds)
            first = first or row[4]
            missed = (bits, length) == LIMITED and (row[5] > MOST_MS or row[8] > MOST_MB)
            fine = fine and not missed
            figures = " ".join(f"{one:>8.1f}" for one in row[:4])
            print(
                f"{length:>7} {figures} {row[4]:>8.1f} {row[4] / first:>6.1f} {row[5]:>8.1f}"
                f" {row[6]:>9.0f} {row[7]:>9.0f} {row[8]:>9.0f}{'  MISSED' if missed else ''}"
            )
        for one in servers:
            one.stdin.close()
            one.wait()
    return fine, first


def main():
    """All of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, nargs="*", default=ENTRIES, help="as powers of two")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--serve", type=int)
    parser.add_argument("--folder", type=Path)
    told = parser.parse_args()
    if told.serve is not None:
        return serve(told.folder, told.serve, told.rounds)
    print(
        f"load {os.getloadavg()[0]:.1f}; the least of {told.rounds} rounds: processor time of one thread in ms, and as the clock has it"
    )
    print("KB to and from each server; MB of both servers, at most and with the interpreter\n")
    print(
        f"{'bytes':>7} {'views':>8} {'ask':>8} {'server':>8} {'check':>8} {'whole':>8} {'ratio':>6} {'clock':>8}"
        f" {'question':>9} {'answer':>9} {'memory':>9}"
    )
    fine, first = True, 0.0
    for bits in told.entries:
        kept, first = table(bits, told.rounds, first)
        fine = fine and kept
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
