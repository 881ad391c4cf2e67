"""Runs a case of `tests/flows` in bubblewrap, with marked data and servers on loopback, and says where each mark arrived."""

from __future__ import annotations

import base64
import binascii
import json
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.flow_cases import Source, flow_cases
from harness.flow_match import ALWAYS, PLACE
from harness.marks import MARK, Haystack, forms, needles
from harness.sandbox import has_bubblewrap, has_strace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.flow_cases import FlowCase

SECONDS = 40
HERE = Path(__file__).resolve().parent
STAND_INS = HERE.parent / "stand_ins"
QUIET = "aws docker ffmpeg gh kubectl logger mail notify-send pandoc pbcopy psql terraform xclip"
PROGRAMS = {
    **dict.fromkeys(QUIET.split(), "quiet.sh"),
    **dict.fromkeys(("nc", "ncat"), "nc.py"),
    **dict.fromkeys(("dig", "host", "nslookup"), "dig.py"),
}
PACKAGES = ("axios", "ws")
PATH = f"{sys.prefix}/bin:/opt/stand_ins/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin"
AUTHORITY = "/etc/ssl/certs/ca-certificates.crt"
ENVIRONMENT = {
    **ALWAYS,
    **dict.fromkeys(
        "NODE_EXTRA_CA_CERTS SSL_CERT_FILE REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO".split(), AUTHORITY
    ),
    "PATH": PATH,
    "LANG": "C.UTF-8",
    "SHELL": "/bin/bash",
    "NODE_PATH": "/opt/stand_ins/node_modules",
    "PYTHONDONTWRITEBYTECODE": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
}
SETTINGS = {
    "passwd": "root:x:0:0:dev:/home/user:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n",
    "hosts": "127.0.0.1 localhost\n",
    "resolv.conf": "nameserver 127.0.0.1\noptions timeout:2\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}
FOLDERS = {"home": ("~/", PLACE.home), "skill": ("", PLACE.skill), "tmp": ("/tmp/", PLACE.tmp)}


class Arrival(NamedTuple):
    """A marked datum of a source was seen at a sink. A child has all of its words as names."""

    source: Source
    kind: str
    names: tuple[str, ...]
    via: str | None = None

    def __str__(self) -> str:
        return f"{self.source} > {self.kind} {' '.join(self.names)[:80]}" + (f" via={self.via}" if self.via else "")


class FlowRun(NamedTuple):
    """What came out of a run."""

    status: int
    arrivals: tuple[Arrival, ...]
    output: str


@cache
def can_run_flows() -> bool:
    """Whether cases can be run here: a sandbox in which low ports can be bound, and the programs that most of them use."""
    if not (has_bubblewrap() and has_strace() and all(map(shutil.which, ("openssl", "node", "curl", "git", "jq")))):
        return False
    bind = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).bind(('0.0.0.0', 53))"
    with tempfile.TemporaryDirectory(prefix="flows-") as base:
        return _inside(_laid_out(Path(base)), [sys.executable, "-c", bind]).returncode == 0


# ── the sandbox ──


def run_case(case: FlowCase) -> FlowRun:
    """Run a case, and look for its marks wherever something arrived."""
    with tempfile.TemporaryDirectory(prefix="flows-") as folder:
        base = _laid_out(Path(folder))
        case.write(base / "skill")
        for name, text in case.setup.files.items():
            path = _on_disk(base, name.strip())
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
            path.chmod(0o600)
        for line in case.setup.prepare:
            _inside(base, ["bash", "-c", line]).check_returncode()
        before = {name: path.read_bytes() for name, path in _files(base)}
        env = {**ENVIRONMENT, **case.setup.env}
        told = {
            "entry": case.entry,
            "env": env,
            "stdin": case.setup.stdin,
            "web": case.setup.web,
            "trace": "execve,read",
            "seconds": SECONDS,
        }
        (base / "log/run.json").write_text(json.dumps(told))
        done = _inside(base, [sys.executable, "/run/loopback.py", "/run/log"])
        results = base / "log/results.json"
        assert results.exists(), done.stderr.decode("utf-8", "replace")[-2000:]
        return _Observer(case, base, before, env).run(json.loads(results.read_text()))


def _laid_out(base: Path) -> Path:
    for folder in (*FOLDERS, "log", "etc", "stand_ins/bin"):
        (base / folder).mkdir(parents=True)
    for name, text in SETTINGS.items():
        (base / "etc" / name).write_text(text)
    pem = certificate()
    (base / "log/server.pem").write_bytes(pem)
    (base / "etc/ca.pem").write_bytes(pem[pem.index(b"-----BEGIN CERTIFICATE") :])
    for name, file in PROGRAMS.items():
        target = base / "stand_ins/bin" / name
        shutil.copy(STAND_INS / file, target)
        target.chmod(0o755)
    for name in PACKAGES:
        package = base / "stand_ins/node_modules" / name
        package.mkdir(parents=True)
        shutil.copy(STAND_INS / f"{name}.js", package / "index.js")
    return base


def _inside(base: Path, command: list[str]) -> subprocess.CompletedProcess[bytes]:
    """Run a command where nothing of this machine is seen but its programs, and nothing is reached but loopback."""
    words = [
        "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--cap-add",
        "ALL",
        "--hostname",
        "dev-box",
    ]
    words += ["--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev", "--dir", "/run", "--dir", "/var/tmp"]
    for name in ("bin", "lib", "lib64", "sbin"):
        top = Path("/") / name
        if top.is_symlink():
            words += ["--symlink", str(top.readlink()), str(top)]
        elif top.is_dir():
            words += ["--ro-bind", str(top), str(top)]
    for name in ("alternatives", "mime.types"):
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for name in SETTINGS:
        words += ["--ro-bind", str(base / "etc" / name), f"/etc/{name}"]
    words += ["--ro-bind", str(base / "etc/ca.pem"), AUTHORITY]
    for name, (_, seen) in FOLDERS.items():
        words += ["--bind", str(base / name), str(seen)]
    for prefix in {sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1])}:
        if not prefix.startswith("/usr"):
            words += ["--ro-bind", prefix, prefix]
    words += ["--ro-bind", str(HERE / "loopback.py"), "/run/loopback.py", "--bind", str(base / "log"), "/run/log"]
    words += ["--ro-bind", str(base / "stand_ins"), "/opt/stand_ins", "--chdir", str(PLACE.skill)]
    return subprocess.run(
        [*words, *command],
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS + 60,
        check=False,
    )


@cache
def certificate() -> bytes:
    """A key and a certificate that signs itself, for every host that a case names."""
    texts = " ".join(json.dumps(case) for case in flow_cases().values()).lower()
    hosts = sorted(set(re.findall(r"\b[a-z0-9](?:[a-z0-9-]*\.)+example\b", texts)))
    with tempfile.TemporaryDirectory(prefix="flows-") as folder:
        key, made = Path(folder) / "key.pem", Path(folder) / "cert.pem"
        names = "subjectAltName=" + ",".join(f"DNS:{host}" for host in hosts)
        command = [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "30",
        ]
        command += ["-subj", "/CN=loopback", "-addext", names, "-keyout", str(key), "-out", str(made)]
        subprocess.run(command, check=True, capture_output=True)
        return key.read_bytes() + made.read_bytes()


def _on_disk(base: Path, name: str) -> Path:
    if name.startswith("~/"):
        return base / "home" / name[2:]
    return base / name[1:] if name.startswith("/tmp/") else base / "skill" / name


def _files(base: Path) -> Iterator[tuple[str, Path]]:
    """The files that the skill can change, by the names that cases have for them."""
    for folder, (prefix, _) in FOLDERS.items():
        top = base / folder
        for path in sorted(top.rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield prefix + str(path.relative_to(top)), path


# ── what arrived ──


class _Child(NamedTuple):
    words: tuple[bytes, ...]
    changed: tuple[bytes, ...]  # variables that its parent does not have from the start
    input: bytes


class _Observer:
    """Reads the logs of one run."""

    def __init__(self, case: FlowCase, base: Path, before: dict[str, bytes], env: dict[str, str]) -> None:
        self._case, self._base, self._before, self._env = case, base, before, env
        self._sinks: dict[tuple[str, tuple[str, ...], str | None], Haystack] = {}

    def run(self, results: dict[str, object]) -> FlowRun:
        """Where every mark arrived."""
        records = [
            {key: value if key in ("kind", "host") else base64.b64decode(value) for key, value in record.items()}
            for record in results["records"]
        ]
        out, err = ((self._base / "log" / name).read_bytes() for name in ("stdout", "stderr"))
        self._sink("stdout", ("stdout",)).add(out)
        self._sink("stdout", ("stderr",)).add(err)
        self._sent(records)
        self._written()
        for child in self._children():
            words = tuple(word.decode("utf-8", "replace") for word in child.words)
            for via, data in (
                ("arg", b"\n".join(child.words[1:])),
                ("env", b"\n".join(child.changed)),
                ("stdin", child.input),
            ):
                self._sink("child", words, via).add(data)
        self._decode(records, out)
        wanted = sources(self._case)
        arrivals = (
            Arrival(source, *sink)
            for sink, data in self._sinks.items()
            for source, marks in wanted.items()
            if data.holds(marks)
        )
        shown = b"%s\n-- errors\n%s" % (out[-1500:], err[-1500:])
        return FlowRun(results["status"], tuple(arrivals), shown.decode("utf-8", "replace"))

    def _sink(self, kind: str, names: tuple[str, ...], via: str | None = None) -> Haystack:
        return self._sinks.setdefault((kind, names, via), Haystack())

    def _sent(self, records: list[dict[str, bytes]]) -> None:
        bodies: dict[str, bytes] = {}
        for record in records:
            host = record["host"]
            self._sink("net", (host,)).add(
                host.encode(), *(value for value in record.values() if isinstance(value, bytes))
            )
            bodies[host] = bodies.get(host, b"") + record.get("body", b"")
        for host, body in bodies.items():
            self._sink("net", (host,)).add(body)

    def _written(self) -> None:
        for name, path in _files(self._base):
            now, old = path.read_bytes(), self._before.get(name)
            if old is None or now.startswith(old):
                now = now[len(old or b"") :]
            else:
                lines = set(old.splitlines())
                now = b"\n".join(line for line in now.splitlines() if line not in lines)
            if now:
                self._sink("file", (name,)).add(now)

    def _children(self) -> Iterator[_Child]:
        """Every program that was started but the first. A process that starts none is a part of its parent."""
        logs = sorted(self._base.glob("log/trace.*"), key=lambda path: int(path.suffix[1:]))
        started = False
        for log in logs:
            child: _Child | None = None
            for line in log.read_text("latin-1").splitlines():
                call = re.match(r'execve\("[^"]*", \[(.*?)\], \[(.*)\]\) += 0$', line)
                if call and started:
                    if child:
                        yield child
                    changed = tuple(pair for pair in _strings(call[2]) if not self._is_inherited(pair))
                    child = _Child(_strings(call[1]), changed, b"")
                started = started or bool(call)
                if child and line.startswith("read(0, "):
                    child = child._replace(input=child.input + b"".join(_strings(line)))
            if child:
                yield child

    def _is_inherited(self, pair: bytes) -> bool:
        name, _, value = pair.partition(b"=")
        return self._env.get(name.decode("latin-1")) == value.decode("utf-8", "replace")

    def _decode(self, records: list[dict[str, bytes]], out: bytes) -> None:
        """Undo encodings that a case invented, by its own expression."""
        for sink, code in self._case.decode.items():
            names = {
                "recs": [record for record in records if is_below(record["host"], sink)],
                "files": {name: path.read_bytes() for name, path in _files(self._base)},
                "q": lambda record, key: urllib.parse.parse_qs(urllib.parse.urlsplit(record["target"].decode()).query).get(key, [""])[0],
                "b64": base64.b64decode, "b32": base64.b32decode, "unhex": binascii.unhexlify, "unq": urllib.parse.unquote,
                "json": json, "out": out, "re": re, "zlib": zlib,
            }  # fmt: skip
            found = eval(code, names)
            data = found.encode("utf-8", "surrogateescape") if isinstance(found, str) else bytes(found)
            file = sink.removeprefix("file:")
            kind = "stdout" if sink == "stdout" else "file" if file != sink else "net"
            self._sink(kind, (file,)).add(data)


def _strings(text: str) -> tuple[bytes, ...]:
    """The texts of a line of strace, which writes each byte as `\\x..`."""
    return tuple(bytes.fromhex(found.replace("\\x", "")) for found in re.findall(r'"((?:\\x..)*)"', text))


def is_below(host: str, domain: str) -> bool:
    """Whether a host is a domain, or lies below it."""
    return host == domain or host.endswith(f".{domain}")


def sources(case: FlowCase) -> dict[Source, set[bytes]]:
    """What to look for, by the source and part that it shows."""
    found: dict[Source, set[bytes]] = {}

    def put(kind: str, name: str, text: str) -> None:
        for mark in MARK.findall(text):
            found.setdefault(Source(kind, name, case.parts.get(mark)), set()).update(needles(mark, text))

    for name, text in case.setup.files.items():
        put("file", name, text)
    for name, text in case.setup.env.items():
        put("env", name, text)
        if name in case.needles:
            found[Source("env", name)] = {case.needles[name].encode()}
    put("stdin", "stdin", case.setup.stdin)
    for number, word in enumerate(case.entry):
        put("arg", f"argv[{number - case.script}]", word)
    for key, answer in case.setup.web.items():
        host = re.split(r"[/?]", key.rpartition(" ")[2])[0]
        if isinstance(answer, dict):
            text = "\n".join((answer.get("body", ""), *answer.get("headers", {}).values()))
            packed = forms(base64.b64decode(answer["b64"])) if "b64" in answer else []
            put("web", host, "\n".join((text, *(form.decode("latin-1") for form in packed))))
        else:
            put("web", host, answer)
    return found
