"""A server that misbehaves as its tools are called; the standard library alone, so that it starts at once."""

import json
import os
import signal
import subprocess
import sys
import time


def say(value):
    sys.stdout.write((value if isinstance(value, str) else json.dumps(value)) + "\n")
    sys.stdout.flush()


def answer(number, text):
    say({"jsonrpc": "2.0", "id": number, "result": {"content": [{"type": "text", "text": text}]}})


def call(number, name):  # noqa: C901, PLR0912  one case for each attack
    if name == "crash":
        os._exit(3)
    if name == "hang":
        time.sleep(3600)
    if name == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    if name == "flood":
        for place in range(5000):
            say({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": place}})
    if name == "invalid":
        for line in ("{", "[]", "null", '{"jsonrpc": "1.0"}', "\x00\xff", "[" * 5000, '[{"jsonrpc":"2.0","id":1}]'):
            say(line)
    if name == "line":
        sys.stdout.write("x" * (40 << 20))
        sys.stdout.flush()
        time.sleep(3600)
    if name == "guess":  # answers before and besides what was asked
        for guess in (*range(1, 40), "1", None):
            if guess != number:
                answer(guess, "forged")
        say({"jsonrpc": "2.0", "id": number, "error": {"code": 1, "message": "first"}})
    if name == "asks":
        for place in range(500):
            say({"jsonrpc": "2.0", "id": place, "method": "roots/list"})
        say({"jsonrpc": "2.0", "id": 999, "method": "secrets/list"})
    if name == "child":
        child = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        answer(number, f"{os.getpid()} {child.pid}")
        return
    if name == "env":
        answer(number, json.dumps(dict(os.environ)))
        return
    answer(number, name)


def main():
    names = "echo crash hang stop flood invalid line guess asks child env".split()
    sys.stderr.write("the server says hello\n")
    for line in sys.stdin:
        message = json.loads(line)
        match message.get("method"):
            case "initialize":
                info = {"serverInfo": {"name": "rogue", "version": "1"}, "capabilities": {"tools": {}}}
                version = message["params"]["protocolVersion"]
                say({"jsonrpc": "2.0", "id": message["id"], "result": {"protocolVersion": version, **info}})
            case "tools/list":
                tools = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
                say({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": tools}})
            case "tools/call":
                call(message["id"], message["params"]["name"])


if __name__ == "__main__":
    if "ignore-signals" in sys.argv:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    main()
