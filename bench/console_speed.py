"""How soon the console shows its first page, with many skills and a long log: while they are analysed, and when all are known.

The pages are asked for over HTTP, and, where there is a Chromium, loaded in it (until everything on the page is there). Each figure is
also given as a ratio to that of a console with one skill and an empty log, measured in the same run. The target is 300 ms.

    .venv/bin/python bench/console_speed.py [--skills N] [--records N] [--times N]
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import httpx

from audit_speed import entry
from remit.audit import Log
from remit.web.console.sessions import COOKIE

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-dev-shm-usage".split()
TARGET = 300  # milliseconds
SCRIPT = """\
import json, sys, urllib.request
from pathlib import Path

def rate(name):
    with urllib.request.urlopen(f"https://rates{number}.example/v1/eur") as answer:
        return json.load(answer)[name]

Path("./out/{number}.txt").write_text(str(rate(sys.argv[1])))
"""


def skills(folder, count):
    """So many small skills, every third with a manifest."""
    for number in range(count):
        place = folder / f"skill-{number}"
        (place / "scripts").mkdir(parents=True)
        head = f"---\nname: skill-{number}\ndescription: A small skill.\n---\n"
        (place / "SKILL.md").write_text(f"{head}# Skill {number}\nRun `python3 scripts/run.py`.\n")
        (place / "scripts/run.py").write_text(SCRIPT.replace("{number}", str(number)))
        if number % 3 == 0:
            (place / "remit.json").write_text('{"permissions": [{"capability": "file.write", "scope": "./out/**"}]}')


def log(state, count):
    """So many records."""
    state.mkdir(mode=0o700)
    with Log.open(state) as records:
        for first in range(0, count, 1000):
            records.append(*[entry(number) for number in range(first, min(first + 1000, count))])


class Visit:
    """A console that runs, and a client that was let in."""

    def __init__(self, url, code, client):
        self.url = url
        self.client = client
        answer = client.post(f"{url}/enter", data={"code": code}, headers={"origin": url})
        self.base = url + answer.json()["to"].rstrip("/")

    def progress(self):
        return self.client.get(f"{self.base}/skills/state").json()


@contextmanager
def console(folder, state):
    """`remit console`, as a person starts it."""
    words = [sys.executable, "-m", "remit.cli", "console", "--port", "0", "--state", str(state), str(folder)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process, httpx.Client(timeout=60) as client:
        try:
            url, _, code = process.stdout.readline().split()[-1].partition("/#")
            yield Visit(url, code, client)
        finally:
            process.terminate()


def loaded(visits, times):
    """Milliseconds until a browser has the whole page, in the middle of many, for each console in turn; each in a window of its own."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  not where there is no browser

    taken = [[] for _ in visits]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        for _ in range(times):
            for visit, found in zip(visits, taken, strict=True):
                context = browser.new_context()
                context.add_cookies([{"name": COOKIE, "value": visit.client.cookies[COOKIE], "url": visit.base}])
                page = context.new_page()
                page.goto(f"{visit.base}/", wait_until="load")
                found.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
                context.close()
        browser.close()
    return [statistics.median(found) for found in taken]


def first(visit):
    """Milliseconds until the first page of a console that has just begun to look."""
    before = time.perf_counter()
    assert visit.client.get(f"{visit.base}/").status_code == 200
    return (time.perf_counter() - before) * 1000


def pages(visits, times):
    """The same in the middle of many, for each console in turn."""
    taken = [[first(visit) for visit in visits] for _ in range(times)]
    return [statistics.median(found) for found in zip(*taken, strict=True)]


def until_known(visit):
    """Seconds until all skills are known."""
    start = time.perf_counter()
    while visit.progress()["busy"]:
        time.sleep(0.1)
    return time.perf_counter() - start


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--skills", type=int, default=1000)
    asked.add_argument("--records", type=int, default=10_000)
    asked.add_argument("--times", type=int, default=20)
    args = asked.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        for kind, count, records in (("small", 1, 0), ("large", args.skills, args.records)):
            skills(folder / kind, count)
            log(folder / f"{kind}-state", records)
        with console(folder / "small", folder / "small-state") as small:
            begun = [first(small)]
            until_known(small)
            with console(folder / "large", folder / "large-state") as large:
                begun.append(first(large))
                known = large.progress()["done"]
                look = until_known(large)
                rows = [(f"first page, while skills are analysed ({known} known)", begun)]
                rows.append(("first page, when all are known", pages([small, large], args.times)))
                if CHROMIUM.exists():
                    rows.append(("first page in Chromium, all loaded", loaded([small, large], max(3, args.times // 2))))
    print(f"{args.skills} skills, {args.records} records; ratios to 1 skill, 0 records, in turn with it")
    for title, (least, found) in rows:
        print(f"  {title:56} {found:7.1f} ms   ratio {found / least:5.2f}   {'ok' if found < TARGET else 'MISSED'}")
    print(f"  all skills known after {look:.1f} s")
    return 0 if all(found < TARGET for _, (_, found) in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
