"""Fetch one of the known pages into .cache, and sum it up from there."""

import argparse
import html.parser
import pathlib
import urllib.request

PAGES = {
    "news": "https://news.example.com/today.html",
    "docs": "https://docs.example.com/index.html",
}
CACHE = pathlib.Path(".cache")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("page", choices=sorted(PAGES))
    page = arguments.parse_args().page
    fetch(page)
    for line in summarise(page):
        print(line)


def fetch(page):
    """Keep the page as it is now."""
    with urllib.request.urlopen(PAGES[page], timeout=10) as answer:
        keep(page, answer.read())


def keep(page, body):
    CACHE.mkdir(exist_ok=True)
    (CACHE / f"{page}.html").write_bytes(body)


def summarise(page):
    """Each heading, with the first sentence below it."""
    reader = Headings()
    reader.feed((CACHE / f"{page}.html").read_text("utf-8"))
    return [f"{heading}: {text.partition('. ')[0]}" for heading, text in reader.found]


class Headings(html.parser.HTMLParser):
    """Collects headings and the text that follows each."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.inside = False

    def handle_starttag(self, tag, attrs):
        self.inside = tag in ("h1", "h2", "h3")
        if self.inside:
            self.found.append(("", ""))

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.found:
            heading, text = self.found[-1]
            if self.inside:
                self.found[-1] = (heading + data.strip(), text)
            else:
                self.found[-1] = (heading, (text + " " + data.strip()).strip())


if __name__ == "__main__":
    main()
