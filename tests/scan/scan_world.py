"""Small registries for the tests of scans: folders, archives and repositories, and the rows that come of them."""

import io
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pyarrow.parquet as pq

from remit.scan.conduct import Order, scan
from remit.scan.look import ScanSettings
from remit.scan.rows import TIMES

HEAD = "---\nname: {name}\ndescription: A skill for a test.\n---\n\n# Text\n\nSee `scripts/main.py`.\n"
READS = "print(open('notes.txt').read())\n"
GIT = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"]


class Quiet:
    """A watcher that remembers what it was told."""

    def __init__(self):
        self.steps = []

    def begin(self, total, done):
        self.total, self.before = total, done

    def step(self, name, total):
        self.steps.append((name, total))


def files(name="demo", script=READS):
    return {"SKILL.md": HEAD.format(name=name), "scripts/main.py": script}


def write(folder, held):
    for path, text in held.items():
        place = Path(folder) / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return Path(folder)


def zipped(path, held):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in held.items():
            out.writestr(name, text)
    return path


def tarred(path, held, mode="w:gz"):
    with tarfile.open(path, mode) as out:
        for name, text in held.items():
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            data = text.encode()
            info.size = len(data) if info.isreg() else 0
            out.addfile(info, io.BytesIO(data))
    return path


def git(folder, *words):
    return subprocess.run([*GIT, "-C", str(folder), *words], check=True, capture_output=True, text=True).stdout.strip()


def committed(folder):
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all")
    return folder


def scanned(out, *sources, workers=2, ray="", fresh=False, watcher=None, **settings):
    order = Order(tuple(map(str, sources)), Path(out), ScanSettings(**settings), workers, ray, fresh)
    return scan(order, watcher or Quiet())


def rows(out):
    """Rows without times, in the order of the file."""
    return [{name: row[name] for name in row if name not in TIMES} for row in pq.read_table(out).to_pylist()]


def by_path(out):
    return {row["path"]: row for row in rows(out)}
