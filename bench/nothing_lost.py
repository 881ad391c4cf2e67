"""Nothing of a person's is lost: calls, edits, commits, kills and undo, all at once.

bench/nothing_lost.py [--rounds N] [--seed N]
In each round a call runs as the guard lets it, inside of walls or without, while a person edits, makes, removes and commits files beside
it; the call, the guard or an undo may be killed at any moment. Then everything that the call did is undone, while the person goes on. It
holds after each round that
  - each file that only the person writes is as the person left it, and so are commits, tags and the index;
  - a file that both write has what the person wrote last, or the store still has it;
  - what an interrupted undo left half done is gone when it was run again, and so are folders that the guard made for itself.
Without walls a file that the person removed while the call ran may come back: that is counted, not hidden. Exit status 1 if anything is lost.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/guard"))

from engine_world import Agent

from remit.core.errors import RemitError
from remit.guard.event import Kind, Outcome
from remit.guard.state_folder import prepared
from remit.guard.undo import Store

FORK = multiprocessing.get_context("fork")
WRITES = {"capability": "file.write", "scope": "./**", "effect": "allow"}
GIT = ["git", "-c", "user.name=P", "-c", "user.email=p@example.org"]
TOOL = """import os, random, sys, time
rng = random.Random(int(sys.argv[1]))
for _ in range(rng.randrange(1, 8)):
    name = f"src/call{rng.randrange(6)}.txt"
    act = rng.randrange(5)
    if act == 0: open(name, "a").write("tool\\n")
    elif act == 1: open(name, "w").write(f"tool {rng.random()}\\n" * rng.randrange(2000))
    elif act == 2 and os.path.exists(name): os.replace(name, f"src/call{rng.randrange(6)}.txt")
    elif act == 3 and os.path.exists(name): os.unlink(name)
    else: os.makedirs(f"made{rng.randrange(3)}/deep", exist_ok=True); open(f"made{rng.randrange(3)}.txt", "w").write("x")
    time.sleep(rng.random() / 30)
"""


def git(root, *words):
    return subprocess.run([*GIT, *words], cwd=root, capture_output=True, text=True, check=False)


# --- who takes part; each is a process of its own ---


class Guard:
    """The guard in a process that can be killed, and begins anew on the same state."""

    def __init__(self, folder):
        self.folder, self.process = folder, None

    def start(self):
        ours, theirs = FORK.Pipe()
        self.process = FORK.Process(target=self._serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.pipe = ours

    def _serve(self, pipe):
        agent = Agent(self.folder, careful=False)
        agent.calls = time.time_ns()  # each call has a name of its own, whoever answers
        while True:
            session, name, args, fields = pipe.recv()
            agent.session = session
            found = getattr(agent, name)(*args, **fields)
            pipe.send((found.outcome, dict(found.changed) if found.changed else None, found.reason))

    def ask(self, session, name, *args, **fields):
        """The answer; None if the guard was killed before it gave one."""
        if self.process is None or not self.process.is_alive():
            self.start()
        try:
            self.pipe.send((session, name, args, fields))
            return self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            return None


def killed_later(pid, seconds, *, group=False):
    """Somebody who ends a process after a while."""

    def kill():
        time.sleep(seconds)
        with contextlib.suppress(OSError):
            (os.killpg if group else os.kill)(pid, signal.SIGKILL)

    process = FORK.Process(target=kill, daemon=True)
    process.start()
    return process


def person(root, files, seed, pipe):
    """Works on files of its own and on some that the call writes too; tells in the end what it left."""
    rng = random.Random(seed)
    commits = []
    removed = set()
    for step in range(rng.randrange(2, 9)):
        time.sleep(rng.random() / 12)
        name = rng.choice(
            [
                f"src/mine{rng.randrange(5)}.txt",
                f"mine{rng.randrange(3)}.txt",
                f"made0/mine{rng.randrange(2)}.txt",
                "shared.txt",
            ]
        )
        path = root / name
        act = rng.randrange(8)
        text = f"{seed} {step} {rng.random()}\n"
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            if act in (0, 1):
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
                files[name] = text
            elif act == 2 and files.get(name) is not None:
                with path.open("a") as file:
                    file.write(text)
                files[name] += text
            elif act == 3:  # as editors save
                draft = path.with_name(f".{path.name}.swp")
                path.parent.mkdir(exist_ok=True)
                draft.write_text(text)
                draft.rename(path)
                files[name] = text
            elif act == 4 and name != "shared.txt":
                path.unlink()
                files[name] = None
                removed.add(name)
            elif act >= 6:
                git(root, "add", "-A")
                if git(root, "commit", "-q", "-m", text).returncode == 0:
                    commits.append(git(root, "rev-parse", "HEAD").stdout.strip())
        removed -= {name for name in removed if files[name] is not None}
    pipe.send((files, commits, removed))


def commands(rng):
    """What a call does, in the words of a shell."""
    n = rng.randrange(6)
    return rng.choice([
        f"echo call > src/call{n}.txt",
        "sed -i s/l/L/ src/call*.txt",
        f"mkdir -p made0/deep && echo made > made0/deep/call{n}",
        f"mv src/call{n}.txt src/call{(n + 1) % 6}.txt",
        "rm -rf made0/deep",
        "for f in src/call*.txt; do tr a-z A-Z < $f > made.tmp && mv made.tmp $f; done",
        f"python3 tool.py {rng.randrange(1 << 30)}",
        "echo call >> shared.txt",
        "git add src/call0.txt; git commit -q -m call",
        f"head -c 300000 /dev/zero > src/call{n}.txt",
    ])  # fmt: skip


# --- one round, and what must hold after it ---


class World:
    """A workspace with a repository, a person and a guard."""

    def __init__(self, folder, seed):
        self.rng = random.Random(seed)
        self.folder, self.root = folder, folder / "project"
        self.state = folder / "state"
        self.guard = Guard(folder)
        self.files = {f"src/mine{n}.txt": f"mine {n}\n" for n in range(5)} | {"shared.txt": "shared\n"}
        self.commits, self.lost, self.epoch = [], [], 0
        self.counts = dict.fromkeys(
            ("walls", "plain", "not run", "call killed", "guard killed", "undo killed", "undone", "came back"), 0
        )
        (self.root / "src").mkdir(parents=True)
        for name, text in self.files.items():
            (self.root / name).write_text(text)
        for n in range(6):
            (self.root / f"src/call{n}.txt").write_text(f"call {n}\n")
        (self.root / "tool.py").write_text(TOOL)
        git(self.root, "init", "-q", "-b", "main")
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "-m", "first")
        first = Agent(folder, careful=False)
        first.skill("worker", permissions=(WRITES,))
        first.engine.close()
        self.guard.ask(self.session(walls=True), "loads", "worker")
        self.seen = set()  # snapshots that were put back, as far as they are
        self.gone, self.unseen_calls = (
            set(),
            False,
        )  # since then: what the person removed, and whether a call ran without walls

    def session(self, walls):
        return f"{'w' if walls else 'p'}{self.epoch}"

    def round(self, number):
        rng = self.rng
        walls = rng.random() < 0.6
        session = self.session(walls)
        command = "; ".join(f"{commands(rng)}; sleep 0.0{rng.randrange(10)}" for _ in range(rng.randrange(1, 4)))
        killers = []
        if rng.random() < 0.15 and self.guard.process is not None:
            killers.append(killed_later(self.guard.process.pid, rng.random() / 4))
            self.counts["guard killed"] += 1
        ours, theirs = FORK.Pipe()
        worker = FORK.Process(
            target=person, args=(self.root, dict(self.files), rng.randrange(1 << 30), theirs), daemon=True
        )
        worker.start()
        answer = self.guard.ask(session, "runs", command)
        if answer is None or answer[0] is not Outcome.PASS:
            self.counts["not run"] += 1
        else:
            self.counts["walls" if answer[1] else "plain"] += 1
            self.unseen_calls |= not answer[1]
            changed = answer[1] or {"command": command}
            environ = {"PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "LANG": "C.UTF-8"}
            process = subprocess.Popen(
                ["bash", "-c", changed["command"]], cwd=self.root, env=environ, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
            if rng.random() < 0.2:
                killers.append(killed_later(process.pid, rng.random() / 3, group=True))
                self.counts["call killed"] += 1
            process.wait()
            if rng.random() < 0.9:
                self.guard.ask(session, "after", "Bash", "", **changed)
        undone = rng.random() < 0.8
        if undone:
            self.undo()
        for one in killers:
            one.join()
        self.files, commits, removed = ours.recv()
        worker.join()
        self.commits += commits
        self.gone |= removed
        self.check(number, command)
        if undone:
            self.gone, self.unseen_calls = removed, False

    def undo(self):
        """Put back all that was not put back yet, the newest first; who does it may be killed, and then does it again."""
        rng = self.rng

        def restore():
            store = Store(prepared(self.state).snapshots)
            for one in store.all():
                if one.ident not in self.seen and not one.redoes:
                    with contextlib.suppress(RemitError):
                        store.restore(one.ident)

        for again in (False, True):
            process = FORK.Process(target=restore)
            process.start()
            if not again and rng.random() < 0.2:
                killed_later(process.pid, rng.random() / 20).join()
                self.counts["undo killed"] += 1
            process.join()
            if process.exitcode == 0:
                break
        self.counts["undone"] += 1
        self.seen |= {path.stem for path in (self.state / "snapshots/records").glob("*.json")}

    def check(self, number, command):
        found = {}
        for name, text in sorted(self.files.items()):
            path = self.root / name
            found[name] = path.read_text() if path.is_file() else None
            if found[name] == text or (name == "shared.txt" and self.is_kept(text)):
                continue
            if text is None and name in self.gone and self.unseen_calls:
                self.counts["came back"] += 1
            else:
                self.lose(f"round {number}: {name} is {found[name]!r}, not {text!r}; {command}")
        self.files |= found  # what is wrong is told once
        for commit in self.commits[-3:]:
            if git(self.root, "merge-base", "--is-ancestor", commit, "HEAD").returncode:
                self.lose(f"round {number}: commit {commit} is gone; {command}")
        if parts := list(self.root.rglob(".remit-undo-*")):
            self.lose(f"round {number}: {parts} is left")
        if number % 25 == 24:
            self.new_sessions(number)

    def lose(self, what):
        self.lost.append(what)
        print(what, flush=True)

    def is_kept(self, text):
        """Whether a content is there, wherever: in the file after other writes, or in the store."""
        now = (self.root / "shared.txt").read_text() if (self.root / "shared.txt").exists() else ""
        last = (text or "").splitlines()[-1:]
        known = [
            one.read_bytes() for one in (self.state / "snapshots/objects").iterdir() if one.stat().st_size < 10_000
        ]
        return all(line in now for line in last) or any(line.encode() in data for line in last for data in known)

    def new_sessions(self, number):
        for walls in (True, False):
            while self.guard.ask(self.session(walls), "tell", Kind.END) is None:
                pass
        if fsck := git(self.root, "fsck", "--strict", "--no-dangling").stderr.strip():
            self.lose(f"round {number}: the repository is damaged: {fsck}")
        end = time.monotonic() + 20
        while (
            left := [name for name in (".codex", ".gemini") if (self.root / name).exists()]
        ) and time.monotonic() < end:
            time.sleep(0.1)
        if left:
            self.lose(f"round {number}: {left} is left of a session that ended")
        self.epoch += 1
        while self.guard.ask(self.session(True), "loads", "worker") is None:
            pass
        print(f"round {number + 1}: {len(self.lost)} lost  {json.dumps(self.counts)}", flush=True)


def main(words=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="rl", ignore_cleanup_errors=True) as name:
        world = World(Path(name), args.seed)
        for number in range(args.rounds):
            world.round(number)
        world.new_sessions(args.rounds - 1)
    print(f"{args.rounds} rounds, {len(world.lost)} lost; {json.dumps(world.counts)}")
    return int(bool(world.lost))


if __name__ == "__main__":
    sys.exit(main())
