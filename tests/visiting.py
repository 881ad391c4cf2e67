"""Somebody with a browser, and how it is let in."""

import json
import re


class Visitor:
    """The other end of the web chat's socket."""

    def __init__(self, socket, secret="ad" * 32, login=""):
        self.socket = socket
        self.number = 0
        self.send(login=login)
        assert self.hear() == {"in": True}
        self.send(secret=secret)
        self.name = self.hear()["you"]

    def send(self, **told):
        self.socket.send(json.dumps(told))

    def hear(self):
        return json.loads(self.socket.recv(timeout=300))

    def say(self, text, number=None):
        self.number += 1
        self.send(say=text, id=f"{number or self.number:08x}")
        return self.hear()

    def answered(self):
        return self.answer()

    def answer(self):
        """What is said next; what was shown of it before is in `shown`."""
        self.shown = []
        while "said" not in (told := self.hear()):
            self.shown.append(told["showing"])
        return told["said"]


def let_in(running, visitor):
    assert visitor.say("hello")["fate"] == "pairing"
    code = re.search(r"[A-Z0-9]{8}$", visitor.answered())[0]
    assert code in running.run("gateway", "pair")[1]
    assert running.run("gateway", "pair", "web", code, "--unattended") == (0, "web: approved\n")
