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

    def page(self, times):
        """Milliseconds until a page is here; the first alone, and in the middle of many."""
        taken = []
        for _ in range(times):
            before = time.perf_counter()
            assert self.client.get(f"{self.base}/").status_code == 200
            taken.append((time.perf_counter() - before) * 1000)
        return taken[0], statistics.median(taken)


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


def loaded(visit, times):
    """Milliseconds until a browser has the whole page, in the middle of many; each in a window of its own."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  not where there is no browser

    cookie = {"name": COOKIE, "value": visit.client.cookies[COOKIE], "url": visit.base}
    taken = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        for _ in range(times):
            context = browser.new_context()
            context.add_cookies([cookie])
            page = context.new_page()
            page.goto(f"{visit.base}/", wait_until="load")
            taken.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
            context.close()
        browser.close()
    return statistics.median(taken)


def measure(folder, state, times):
    """First page while skills are analysed, a page when all are known, the same in a browser, and how long the look took."""
    start = time.perf_counter()
    with console(folder, state) as visit:
        busy, _ = visit.page(1)
        known = visit.progress()["done"]
        while visit.progress()["busy"]:
            time.sleep(0.1)
        look = time.perf_counter() - start
        _, middle = visit.page(times)
        in_browser = loaded(visit, max(3, times // 4)) if CHROMIUM.exists() else None
    return busy, known, look, middle, in_browser


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
        small = measure(folder / "small", folder / "small-state", args.times)
        large = measure(folder / "large", folder / "large-state", args.times)
    print(f"{args.skills} skills, {args.records} records; ratios to 1 skill, 0 records")
    says = f"first page, while skills are analysed ({large[1]} known)"
    rows = [(says, large[0], small[0]), ("first page, when all are known", large[3], small[3])]
    if large[4] is not None:
        rows.append(("first page in Chromium, all loaded", large[4], small[4]))
    for title, found, least in rows:
        print(f"  {title:56} {found:7.1f} ms   ratio {found / least:5.2f}   {'ok' if found < TARGET else 'MISSED'}")
    print(f"  all skills known after {large[2]:.1f} s")
    return 0 if all(found < TARGET for _, found, _ in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
