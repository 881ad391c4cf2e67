"""Takes from Python, at its start, what Windows lacks: modules, functions, flags, signals, and descriptors of folders.

What the standard library needs of them itself is imported before. Processes that a test starts with this folder on PYTHONPATH are
without them too.
"""

import asyncio.unix_events
import getpass  # noqa: F401
import multiprocessing.popen_fork  # noqa: F401
import os
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile  # noqa: F401

MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")
FUNCTIONS = """
    chown confstr ctermid eventfd fchdir fchmod fchown fork forkpty getegid geteuid getgid getgroups getloadavg getpgid getpgrp getpriority
    getresuid getsid getuid getxattr initgroups killpg lchown lockf memfd_create mkfifo mknod nice pidfd_open pipe2 posix_spawn pread preadv
    pwrite pwritev register_at_fork removexattr sched_getaffinity sched_setaffinity sendfile setegid seteuid setgid setgroups setpgid
    setpriority setregid setreuid setsid setuid setxattr splice statvfs sysconf uname unshare wait wait3 wait4 waitid
""".split()
FLAGS = """
    O_ACCMODE O_ASYNC O_CLOEXEC O_DIRECT O_DIRECTORY O_DSYNC O_LARGEFILE O_NDELAY O_NOATIME O_NOCTTY O_NOFOLLOW O_NONBLOCK O_PATH O_RSYNC
    O_SYNC O_TMPFILE P_ALL P_PGID P_PID P_PIDFD WEXITED WNOHANG WNOWAIT
""".split()
SIGNALS = (
    "SIGALRM",
    "SIGCHLD",
    "SIGHUP",
    "SIGKILL",
    "SIGPIPE",
    "SIGQUIT",
    "SIGSTOP",
    "SIGUSR1",
    "SIGUSR2",
    "setitimer",
    "alarm",
    "pthread_sigmask",
)

_open, _scandir, _pair, _popen = os.open, os.scandir, socket.socketpair, subprocess.Popen.__init__


def open_without_folders(path, flags, mode=0o777, *, dir_fd=None):
    if dir_fd is not None:
        raise NotImplementedError("dir_fd unavailable on this platform")
    if stat.S_ISDIR(os.stat(path).st_mode) if os.path.exists(path) else False:
        raise PermissionError(13, "Permission denied", path)
    return _open(path, flags, mode)


def scandir_of_names(path="."):
    if isinstance(path, int):
        raise TypeError("scandir: path should be string, bytes, os.PathLike or None, not int")
    return _scandir(path)


def start_as_windows_does(self, args, *words, preexec_fn=None, pass_fds=(), **how):
    if preexec_fn is not None or pass_fds:
        raise ValueError("preexec_fn and pass_fds are not supported on Windows platforms")
    _popen(self, args, *words, **how)


for name in MODULES:
    sys.modules[name] = None
for module, names in (
    (os, [*FUNCTIONS, *FLAGS]),
    (signal, SIGNALS),
    (select, ["poll", "epoll"]),
    (socket, ["AF_UNIX"]),
):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
os.open, os.scandir = open_without_folders, scandir_of_names
os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks = set(), set(), {os.stat}
shutil._use_fd_functions = shutil._USE_CP_SENDFILE = False
socket.socketpair = lambda *words: _pair(*(words or (1,)))
subprocess.Popen.__init__ = start_as_windows_does
subprocess.Popen.kill = lambda self: self.send_signal(9)
asyncio.unix_events.os = subprocess.os = type(sys)("os")
subprocess.os.__dict__.update({name: getattr(os, name) for name in dir(os)}, WNOHANG=1)
