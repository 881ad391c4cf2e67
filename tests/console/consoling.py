"""A console that serves, and a tab of Chromium that notices whatever is wrong with a page."""

import asyncio
import os
import threading
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import uvicorn

from remit.cli.arguments import parser
from remit.cli.console_work import OwnProcesses
from remit.web.console.app import Console, make_console
from remit.web.console.server import listen
from remit.web.console.sessions import COOKIE, Sessions

_ANYBODYS = """home => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(home, "/home/user");
}"""
PICTURES = Path(__file__).parents[2] / "docs/pictures"


def make(settings, *words):
    """A console as the command makes it; `words` are options of the command."""
    return Console(settings, Sessions(), OwnProcesses(parser().parse_args(["console", *words])))


class Running:
    """A console that serves in a thread of its own."""

    def __init__(self, console):
        self.console = console
        self._socket = listen(console.settings._replace(port=0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._server = uvicorn.Server(
            uvicorn.Config(make_console(console), log_level="error", timeout_graceful_shutdown=1)
        )
        self._thread = threading.Thread(target=lambda: asyncio.run(self._server.serve([self._socket])))

    def __enter__(self):
        self._thread.start()
        for _ in range(3000):
            if self._server.started:
                return self
            threading.Event().wait(0.01)
        raise AssertionError("the console did not start")

    def __exit__(self, *_):
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()

    @property
    def base(self):
        """The address below which its pages are."""
        return self.url + self.console.sessions.base

    def code(self):
        """A code that lets one browser in."""
        return self.console.sessions.new_code()

    @contextmanager
    def client(self):
        """Somebody who was let in, and asks as a page of ours does."""
        with httpx.Client(headers={"origin": self.url}, timeout=300) as client:
            answer = client.post(f"{self.url}/enter", data={"code": self.code()})
            assert answer.status_code == 200
            client.base_url = self.base
            yield client

    def token(self, client):
        """The token of a client's session, as its pages hold it."""
        return self.console.sessions.of(client.cookies[COOKIE]).token


class Tab:
    """A tab that was let in. What it must never see is in `wrong`, and fails the test at its end."""

    def __init__(self, page, running):
        self.page = page
        self.running = running
        self.wrong = []
        page.on("console", lambda one: one.type == "error" and self.wrong.append(f"console: {one.text}"))
        page.on("pageerror", lambda error: self.wrong.append(f"script: {error}"))
        page.on("request", self._asked)

    def _asked(self, request):
        if urlsplit(request.url).scheme not in {"data", "blob"} and urlsplit(request.url).hostname != "127.0.0.1":
            self.wrong.append(f"left this machine: {request.url}")

    def enter(self):
        """Be let in, as a person who opens the printed address."""
        self.page.goto(f"{self.running.url}/#{self.running.code()}")
        self.page.wait_for_url(f"{self.running.base}/")

    def visit(self, path):
        """Go to a page."""
        self.page.goto(self.running.base + path)

    def clean(self):
        """No fault that axe finds, and nothing wider than the screen."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page)
        assert found.violations_count == 0, found.generate_report()
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"the page is {wide} pixels wider than the screen"

    def press(self, *keys):
        """Keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def picture(self, name, home=None):
        """For the documentation, where REMIT_UPDATE_DOCS asks for it; a home that was made for the test is shown as anybody's."""
        if os.environ.get("REMIT_UPDATE_DOCS"):
            PICTURES.mkdir(exist_ok=True)
            if home:
                self.page.evaluate(_ANYBODYS, str(home))
            self.page.screenshot(path=str(PICTURES / f"{name}.png"), animations="disabled")
