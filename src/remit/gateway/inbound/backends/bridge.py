"""Program inside the capsule that forwards a hook or the tools of a client to the gateway; needs only the system's
Python.

    python3 -I -S bridge.py SOCKET tools        standard input and output carry MCP
    python3 -I -S bridge.py SOCKET hook EVENT   standard input is the hook's input; prints the answer

A hook that cannot reach the gateway exits with 2. Clients take that for a refusal; with any other status they would
assume a broken hook and continue.
"""

import json
import os
import socket
import sys
import threading

REFUSED = 2
_PIECE = 1 << 16


def _copy(read, write) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    while piece := read(_PIECE):
        write(piece)


def tools(link: socket.socket) -> int:
    """Copy in both directions until one end closes."""

    def inward() -> None:
        _copy(lambda size: os.read(0, size), link.sendall)
        link.shutdown(socket.SHUT_WR)

    threading.Thread(target=inward, daemon=True).start()
    _copy(link.recv, lambda piece: os.write(1, piece))
    return 0


def hook(link: socket.socket) -> int:
    """Forward one hook and return its exit status."""
    _copy(lambda size: os.read(0, size), link.sendall)
    link.shutdown(socket.SHUT_WR)
    parts: list[bytes] = []
    _copy(link.recv, parts.append)
    told = json.loads(b"".join(parts))
    sys.stdout.write(told["out"])
    sys.stdout.flush()
    sys.stderr.write(told["err"])
    return 0 if told["exit"] == 0 else REFUSED


def main(words: list[str]) -> int:
    """Connect, send the purpose, and forward."""
    try:
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(words[0])
            link.sendall((" ".join(words[1:]) + "\n").encode())
            return tools(link) if words[1:] == ["tools"] else hook(link)
    except BaseException as error:  # noqa: BLE001  any error is a refusal
        sys.stderr.write(f"remit: the gateway does not answer: {type(error).__name__}: {error}\n")
        return REFUSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
