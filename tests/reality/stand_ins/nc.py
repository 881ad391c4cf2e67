#!/usr/bin/env python3
"""Stands for nc and ncat: sends its input to a host and port, and prints what comes back."""

import socket
import sys

WITH_VALUE = "wqi"
words, datagrams, skip = [], False, False
for word in sys.argv[1:]:
    if skip:
        skip = False
    elif word.startswith("-") and len(word) > 1:
        datagrams = datagrams or "u" in word
        skip = word[-1] in WITH_VALUE
    else:
        words.append(word)
link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM if datagrams else socket.SOCK_STREAM)
link.connect((words[0], int(words[1])))
while data := sys.stdin.buffer.read1(65536):
    link.sendall(data)
if not datagrams:
    link.shutdown(socket.SHUT_WR)
    link.settimeout(1)
    try:
        while data := link.recv(4096):
            sys.stdout.buffer.write(data)
    except OSError:
        pass
