#!/usr/bin/env python3
"""Stands for dig, host and nslookup: asks a name server for one name."""

import socket
import struct
import sys

kind, server, name = 1, "127.0.0.1", ""
for word in sys.argv[1:]:
    if word.startswith("@"):
        server = word[1:]
    elif word.upper() in ("A", "TXT"):
        kind = 16 if word.upper() == "TXT" else 1
    elif not word.startswith(("-", "+")):
        name = word
labels = b"".join(bytes([len(label)]) + label.encode() for label in name.rstrip(".").split("."))
link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
link.settimeout(3)
question = struct.pack(">HHHHHH", 0x1234, 0x0100, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">HH", kind, 1)
link.sendto(question, (socket.gethostbyname(server), 53))
answer = link.recv(512)
print('"ok"' if kind == 16 else socket.inet_ntoa(answer[-4:]))
