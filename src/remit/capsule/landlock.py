"""Landlock rights: which ones each kernel version handles, and which ones a place gets. Pure; the helper makes the
calls.
"""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple


class Files(IntFlag):
    """Rights below a path, as the kernel numbers them."""

    EXECUTE = 1 << 0
    WRITE_FILE = 1 << 1
    READ_FILE = 1 << 2
    READ_DIR = 1 << 3
    REMOVE_DIR = 1 << 4
    REMOVE_FILE = 1 << 5
    MAKE_CHAR = 1 << 6
    MAKE_DIR = 1 << 7
    MAKE_REG = 1 << 8
    MAKE_SOCK = 1 << 9
    MAKE_FIFO = 1 << 10
    MAKE_BLOCK = 1 << 11
    MAKE_SYM = 1 << 12
    REFER = 1 << 13
    TRUNCATE = 1 << 14
    IOCTL_DEV = 1 << 15


class Ports(IntFlag):
    """Rights on TCP ports."""

    BIND = 1 << 0
    CONNECT = 1 << 1


class Scopes(IntFlag):
    """Restrictions of signals and abstract sockets to the programs of one capsule."""

    ABSTRACT_UNIX_SOCKET = 1 << 0
    SIGNAL = 1 << 1


class Handled(NamedTuple):
    """All rights that a kernel can refuse."""

    files: Files
    ports: Ports
    scopes: Scopes


_SINCE = ((1, (1 << 13) - 1), (2, Files.REFER), (3, Files.TRUNCATE), (5, Files.IOCTL_DEV))
_ON_FILES = Files.EXECUTE | Files.WRITE_FILE | Files.READ_FILE | Files.TRUNCATE | Files.IOCTL_DEV

READ = Files.READ_FILE | Files.READ_DIR
RUN = Files.READ_FILE | Files.EXECUTE
_MAKE = Files.MAKE_REG | Files.MAKE_DIR | Files.MAKE_SYM | Files.MAKE_SOCK | Files.MAKE_FIFO
WRITE = Files.WRITE_FILE | Files.TRUNCATE | _MAKE | Files.REFER
DELETE = Files.REMOVE_FILE | Files.REMOVE_DIR | Files.REFER
SCRATCH = READ | WRITE | DELETE
DEVICE = Files.READ_FILE | Files.WRITE_FILE | Files.TRUNCATE | Files.IOCTL_DEV


def handled(abi: int) -> Handled:
    """Return what the kernel of a version handles: all of it is refused unless granted."""
    files = Files(sum(int(rights) for since, rights in _SINCE if since <= abi))
    return Handled(
        files,
        Ports.BIND | Ports.CONNECT if abi >= 4 else Ports(0),
        Scopes.ABSTRACT_UNIX_SOCKET | Scopes.SIGNAL if abi >= 6 else Scopes(0),
    )


def on_file(rights: Files) -> Files:
    """Return the rights that apply to a file; the kernel refuses a rule with others."""
    return rights & _ON_FILES
