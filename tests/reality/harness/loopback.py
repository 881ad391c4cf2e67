"""Runs inside of the sandbox: answers every name below `.example` on loopback, and runs one command under strace meanwhile.

loopback.py FOLDER        FOLDER holds run.json, server.pem; results.json, stdout, stderr and the logs of strace are written there

Every name gets an address of its own, so that a connection tells which host was meant. HTTP (with TLS if the client begins so),
WebSocket, SMTP, DNS, plain TCP and UDP are taken; what arrives is kept. This file needs the standard library alone.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import itertools
import json
import os
import re
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

TCP = (7, 25, 43, 80, 443, 587, 2003, 3128, 4444, 5044, 6379, 8000, 8080, 8888, 9000, 9001)
UDP = (69, 514, 8125, 9999)
MAIL = (25, 587)
WEB = (80, 443, 3128, 8000, 8080, 8888)
PACKET_INFO = 8  # IP_PKTINFO: which address a packet was sent to
KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # of RFC 6455
QUIET_SECONDS = 1.5  # how long open connections may be silent after the command has ended


class Server:
    """Takes what is sent, and keeps it."""

    def __init__(self, answers: dict[str, object], certificate: Path) -> None:
        self._answers = answers
        self._lock = threading.Lock()
        self._addresses: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(certificate)
        self.records: list[dict[str, object]] = []
        self.last = time.monotonic()
        self.open = 0

    def start(self) -> None:
        """Listen on all ports."""
        for port in TCP:
            self._thread(self._accept, _bound(socket.SOCK_STREAM, port))
        for port in (53, *UDP):
            self._thread(self._datagrams, _bound(socket.SOCK_DGRAM, port), port)

    def _thread(self, work, *args) -> None:
        threading.Thread(target=work, args=args, daemon=True).start()

    def _keep(self, kind: str, host: str, **data: bytes) -> None:
        shown = {key: base64.b64encode(value).decode() for key, value in data.items()}
        with self._lock:
            self.last = time.monotonic()
            self.records.append({"kind": kind, "host": host, **shown})

    def _address(self, name: str) -> str:
        with self._lock:
            if name not in self._addresses:
                number = len(self._addresses) + 1
                address = f"127.1.{number // 250}.{number % 250 + 1}"
                self._addresses[name] = address
                self._names[address] = name
            return self._addresses[name]

    # ── datagrams ──

    def _datagrams(self, link: socket.socket, port: int) -> None:
        link.setsockopt(socket.IPPROTO_IP, PACKET_INFO, 1)
        while True:
            data, extra, _, sender = link.recvmsg(65536, 256)
            here = next((socket.inet_ntoa(info[8:12]) for _, kind, info in extra if kind == PACKET_INFO), "")
            if port == 53:
                info = struct.pack(
                    "=i4s4s", 0, socket.inet_aton(here), bytes(4)
                )  # answer from the address that was asked
                link.sendmsg([self._resolve(data)], [(socket.IPPROTO_IP, PACKET_INFO, info)], 0, sender)
            else:
                self._keep("udp", self._names.get(here, here), body=data)

    def _resolve(self, question: bytes) -> bytes:
        at, labels = 12, []
        while size := question[at]:
            labels.append(question[at + 1 : at + 1 + size].decode("latin-1"))
            at += size + 1
        name, kind = ".".join(labels).lower(), int.from_bytes(question[at + 1 : at + 3], "big")
        ours, answer = name.endswith(".example"), b""
        if ours:
            self._keep("dns", name, target=".".join(labels).encode("latin-1"))
            data = {1: socket.inet_aton(self._address(name)), 16: b"\x02ok"}.get(kind)
            if data:
                answer = struct.pack(">HHHIH", 0xC00C, kind, 1, 60, len(data)) + data
        flags = b"\x81\x80" if ours else b"\x81\x83"
        counts = question[4:6] + struct.pack(">HHH", bool(answer), 0, 0)
        return question[:2] + flags + counts + question[12 : at + 5] + answer

    # ── connections ──

    def _accept(self, listening: socket.socket) -> None:
        while True:
            self._thread(self._serve, listening.accept()[0])

    def _serve(self, link: socket.socket) -> None:
        address, port = link.getsockname()
        host = self._names.get(address, "localhost")
        with self._lock:
            self.open += 1
        try:
            link.settimeout(20)
            if port in MAIL:
                self._mail(link, host)
                return
            first = link.recv(8, socket.MSG_PEEK)
            if first[:1] == b"\x16":
                link = self._tls.wrap_socket(link, server_side=True)
                self._web(link, host)
            elif port in WEB or re.match(rb"[A-Z]{3,7} ", first):
                self._web(link, host)
            else:
                self._plain(link, host, port)
        except OSError:
            pass
        finally:
            with contextlib.suppress(OSError):
                link.close()
            with self._lock:
                self.open -= 1

    def _mail(self, link: socket.socket, host: str) -> None:
        link.sendall(b"220 ready\r\n")
        everything, text = b"", False
        try:
            for line in link.makefile("rb"):
                everything += line
                if text:
                    if line.strip() == b".":
                        text = False
                        link.sendall(b"250 queued\r\n")
                    continue
                command = line[:4].upper()
                text = command == b"DATA"
                link.sendall({b"DATA": b"354 go\r\n", b"QUIT": b"221 bye\r\n"}.get(command, b"250 ok\r\n"))
                if command == b"QUIT":
                    break
        finally:
            self._keep("smtp", host, body=everything)

    def _plain(self, link: socket.socket, host: str, port: int) -> None:
        everything = b""
        link.settimeout(8)
        with contextlib.suppress(OSError):
            while data := link.recv(65536):
                everything += data
                if port == 6379:
                    link.sendall(b"+OK\r\n")
        self._keep("tcp", host, body=everything)

    def _web(self, link: socket.socket, host: str) -> None:
        stream = link.makefile("rb")
        while line := stream.readline():
            request = re.match(rb"([A-Z]+) (.*?) HTTP/1\.[01]\r?\n$", line, re.DOTALL)
            if not request:
                self._keep("tcp", host, body=line + stream.read())
                return
            head = b"".join(itertools.takewhile(lambda text: text.strip(), iter(stream.readline, b"")))
            pairs = (text.decode("latin-1").partition(":") for text in head.splitlines())
            fields = {name.strip().lower(): value.strip() for name, _, value in pairs}
            method, target = request[1].decode(), request[2]
            if fields.get("expect", "").lower() == "100-continue":
                link.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            body = _body(stream, fields)
            self._keep("http", host, target=target, head=head, body=body)
            if fields.get("upgrade", "").lower() == "websocket":
                self._messages(link, stream, host, fields["sec-websocket-key"])
                return
            if method == "CONNECT":
                link.sendall(b"HTTP/1.1 502 no\r\nContent-Length: 0\r\n\r\n")
                return
            link.sendall(self._answer(method, host, target.decode("latin-1")))
            if fields.get("connection", "").lower() == "close":
                return

    def _answer(self, method: str, host: str, target: str) -> bytes:
        whole = re.match(r"https?://([^/:]+)[^/]*(.*)", target)  # as a proxy is asked
        if whole:
            host, target = whole[1], whole[2]
        path = target.partition("?")[0]
        keys = (f"{method} {host}{target}", host + target, f"{method} {host}{path}", host + path, host)
        found = next((self._answers[key] for key in keys if key in self._answers), '{"ok": true}\n')
        answer = found if isinstance(found, dict) else {"body": found}
        body = base64.b64decode(answer["b64"]) if "b64" in answer else answer.get("body", "").encode()
        kind = "application/json" if body[:1] in (b"{", b"[") else "text/plain"
        fields = {"Content-Type": kind, **answer.get("headers", {}), "Content-Length": len(body)}
        head = f"HTTP/1.1 {answer.get('status', 200)} X\r\n" + "".join(
            f"{key}: {value}\r\n" for key, value in fields.items()
        )
        return head.encode("latin-1") + b"\r\n" + (b"" if method == "HEAD" else body)

    def _messages(self, link: socket.socket, stream, host: str, key: str) -> None:
        accepted = base64.b64encode(hashlib.sha1((key + KEY).encode()).digest())
        head = (
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        )
        link.sendall(head + accepted + b"\r\n\r\n")
        while len(start := stream.read(2)) == 2:
            kind, size = start[0] & 15, start[1] & 127
            if size > 125:
                size = int.from_bytes(stream.read(2 if size == 126 else 8), "big")
            mask = stream.read(4) if start[1] & 128 else bytes(4)
            data = bytes(byte ^ mask[at % 4] for at, byte in enumerate(stream.read(size)))
            if kind in (8, 9):  # closes, or asks whether this side is there
                link.sendall(bytes([0x88 if kind == 8 else 0x8A, len(data)]) + data)
                if kind == 8:
                    return
            else:
                self._keep("websocket", host, body=data)
                link.sendall(b"\x81\x02ok")


def _bound(kind: socket.SocketKind, port: int) -> socket.socket:
    link = socket.socket(socket.AF_INET, kind)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    link.bind(("0.0.0.0", port))
    if kind is socket.SOCK_STREAM:
        link.listen(64)
    return link


def _body(stream, fields: dict[str, str]) -> bytes:
    if "chunked" not in fields.get("transfer-encoding", ""):
        return stream.read(int(fields.get("content-length") or 0))
    body = b""
    while size := int(stream.readline().partition(b";")[0].strip() or b"0", 16):
        body += stream.read(size)
        stream.readline()
    while stream.readline().strip():
        pass
    return body


def run(folder: Path, told: dict[str, object]) -> int:
    """Run the command of the case; 124 if it took too long."""
    watched = ["strace", "-ff", "-qq", "--seccomp-bpf", "-xx", "-v", "-s", "200000", "-e", f"trace={told['trace']}"]
    command = [*watched, "-e", "signal=none", "-o", str(folder / "trace"), "--", *told["entry"]]
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        try:
            done = subprocess.run(
                command,
                env=told["env"],
                input=told["stdin"].encode(),
                stdout=out,
                stderr=err,
                timeout=told["seconds"],
                check=False,
            )
        except subprocess.TimeoutExpired:
            return 124
    return done.returncode


def main() -> None:
    folder = Path(sys.argv[1])
    told = json.loads((folder / "run.json").read_text("utf-8"))
    server = Server(told["web"], folder / "server.pem")
    server.start()
    status = run(folder, told)
    end = time.monotonic() + 3
    while server.open and time.monotonic() < min(end, server.last + QUIET_SECONDS):
        time.sleep(0.02)
    (folder / "results.json").write_text(json.dumps({"status": status, "records": server.records}))
    os._exit(0)


if __name__ == "__main__":
    main()
