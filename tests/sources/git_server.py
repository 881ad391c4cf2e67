"""A Git server on loopback: `git http-backend` behind a small web server, and repositories to serve."""

import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

AUTHOR = {f"GIT_{who}_{what}": "a@b.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
TEXT = "---\nname: {name}\ndescription: A small skill\n---\n# {name}\n"


def git(folder, *words, **how):
    done = subprocess.run(
        ["git", "-C", str(folder), *map(str, words)], check=True, capture_output=True, env={**os.environ, **AUTHOR}, **how
    )  # fmt: skip
    return done.stdout.decode().strip()


def write(folder: Path, files) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def commit(folder: Path, files=None, links=None) -> str:
    """Commit all that lies in a folder, and more; the commit."""
    write(folder, files or {})
    for name, target in (links or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(target)
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
        git(folder, "config", "uploadpack.allowFilter", "true")
        git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-qm", "more", "--allow-empty")
    return git(folder, "rev-parse", "HEAD")


def raw_tree(folder: Path, *lines: tuple[str, str, str]) -> str:
    """A tree object of `mode, object, name` as they are, which Git itself would not make."""
    data = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(found) for mode, found, name in lines)
    return git(folder, "hash-object", "-t", "tree", "-w", "--stdin", "--literally", input=data)


def commit_tree(folder: Path, tree: str) -> str:
    found = git(folder, "commit-tree", "-m", "made", tree)
    git(folder, "update-ref", "refs/heads/main", found)
    return found


class GitServer:
    """Serves the repositories of a folder. `answer` may be set to answer requests in another way."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.requests: list[str] = []
        self.answer = None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"owner": self}))
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # clients that go away in the middle are meant to

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/{name}"


class _Handler(BaseHTTPRequestHandler):
    owner: GitServer
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self._serve()

    def do_POST(self):
        self._serve()

    def _serve(self):
        self.owner.requests.append(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.owner.answer is not None:
            self.owner.answer(self)
            return
        path, _, query = self.path.partition("?")
        env = {
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": str(self.owner.root), "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }  # fmt: skip
        done = subprocess.run(["git", "http-backend"], input=body, env=env, capture_output=True, check=False).stdout
        head, _, content = done.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass
