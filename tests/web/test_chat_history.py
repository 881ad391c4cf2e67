"""The web chat keeps what was said: over reloads and restarts, and for who is away."""

import json

from websockets.sync.client import connect

from remit.gateway.inbound.chat_history import MOST, MOST_CHARACTERS, History, Line, Side
from visiting import Visitor, let_in


class Window(Visitor):
    """A window that shows what was said before."""

    def __init__(self, socket):
        self.socket, self.number = socket, 100
        self.send(login="")
        assert self.hear() == {"in": True}
        self.send(secret="ad" * 32, history=True)
        self.name = self.hear()["you"]
        self.history = [(line["side"], line["text"]) for line in self.hear()["history"]]


def chat(running):
    return connect(f"ws://127.0.0.1:{running.port}/chat")


def test_a_reload_and_a_restart_show_what_was_said(start_gateway):
    running = start_gateway()
    with chat(running) as socket:
        visitor = Visitor(socket)
        let_in(running, visitor)
        visitor.say("roses")
        visitor.answer()
    said = [("visitor", "hello"), ("visitor", "roses")]
    with chat(running) as socket:
        shown = Window(socket).history
        assert [one for one in shown if one[0] == "visitor"] == said
        assert shown[-1][1].startswith("You said: roses")
    running.close()
    running = start_gateway()
    with chat(running) as socket:
        assert Window(socket).history == shown


def test_an_answer_to_a_visitor_who_left_is_there_when_it_is_back(running):
    with chat(running) as socket:
        visitor = Visitor(socket)
        let_in(running, visitor)
        running.node("--declare", "system.run")
        visitor.say("devices")
        device = json.loads(visitor.answer())[0]["device"]
        visitor.say(f"run system.run echo it ran on {device}")
    run = running.until(lambda: running.run("gateway", "runs")[1].split()[0].replace("nothing", ""))
    assert running.run("gateway", "runs", run, "--unattended")[0] == 0
    running.until(lambda: "sent" in _delivered(running))
    with chat(running) as socket:
        assert Visitor(socket).answer() == "status 0\nit ran\n"
    with chat(running) as socket:
        assert Window(socket).history[-1] == ("gateway", "status 0\nit ran\n")
    with chat(running) as socket:
        visitor = Visitor(socket)
        visitor.number = 50
        visitor.say("again")
        assert visitor.answer().startswith("You said: again"), "what was seen is not said again"


def _delivered(running):
    from remit.gateway.inbound.delivery import TABLE
    from remit.gateway.inbound.settings.values import Settings
    from remit.gateway.inbound.stores.operations import listed
    from remit.gateway.inbound.stores.sql import open_store

    store = open_store(Settings(), running.folder / "inbound")
    try:
        return [str(piece.phase) for _, piece in store.run(listed(TABLE)) if "it ran" in piece.body]
    finally:
        store.close()


def test_another_window_shows_what_was_said_and_no_other_visitor_sees_it(running, visitor):
    let_in(running, visitor)
    with chat(running) as socket, chat(running) as other:
        window, stranger = Window(socket), Visitor(other, secret="be" * 32)
        visitor.say("roses")
        assert window.hear() == {"yours": "roses"}
        assert window.answer().startswith("You said: roses")
        stranger.send(say="hello", id="00000001")
        told = [stranger.hear() for _ in range(2)]
        assert "roses" not in json.dumps(told)


def line(text, side=Side.GATEWAY):
    return Line(side, text, "e", 1)


def test_the_oldest_lines_go_and_the_last_stays():
    known = History()
    for number in range(MOST + 3):
        known = known.with_line(line(str(number)), seen=False)
    assert (len(known.lines), known.lines[0].text, known.unseen) == (MOST, "3", MOST)
    known = known.with_line(line("x" * MOST_CHARACTERS), seen=False)
    assert (len(known.lines), known.unseen) == (1, 1)
    known = known.with_line(line("y" * (MOST_CHARACTERS + 1)), seen=True)
    assert ([one.text[0] for one in known.lines], known.unseen) == (["y"], 0)
