"""Redirections: what they open, and where the streams then lead."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import BOTTOM, FILE, NUMERIC, Hole, Text, Value, hole, lit
from remit.analysis.each import each
from remit.analysis.file_runs import REDIRECTED
from remit.analysis.flows import Node
from remit.analysis.shell.lookup import DEVICES
from remit.analysis.shell.part import Run, ShellPart
from remit.analysis.shell.state import EITHER, ELSEWHERE, ERR, OUT, State, meeting
from remit.analysis.shell.values import EMPTY, NUMBER, TOP, cat, join, join_all, literal_of, texts
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.shell.syntax import ProcSub, Redirect

_SOCKET = lazy_pattern(r"/dev/(?:tcp|udp)/")
_DESCRIPTOR = lazy_pattern(r"/dev/fd/\d+")
_DUPLICATE = lazy_pattern(r"(\d+)?(-)?")
_STREAMS = {f"{name}{number}": number for number in (1, 2) for name in ("/dev/fd/", "/proc/self/fd/")} | {
    "/dev/stdout": 1,
    "/dev/stderr": 2,
}
_INPUTS = frozenset({"<", "<<", "<<<", "<&"})
_WRITES = frozenset({">", ">>", ">|", "&>", "&>>", "<>", ">&"})


class Saved(NamedTuple):
    """The streams before redirections. `target` is the file to which standard output goes, if its text is collected; `added` if it is
    added to what is there."""

    stdin: Value | None  # None: it is not changed
    fds: dict[int, str]  # those that are changed
    out: Value
    partial: bool
    target: tuple[Value, int] | None
    streams: tuple[Node | None, set[Node]]  # where data came from and went to
    aside: int = 0
    added: bool = False


class Redirects(ShellPart):
    """Opening of files around commands."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.streams: dict[str, Value] = {}  # what a process substitution's name yields
        self.aside = 0  # how many times something printed beside the command whose output is followed: `>(…)`, a trap

    def redirect(self, redirects: tuple[Redirect, ...], st: State, *, collect: bool = False) -> Saved:
        """Perform redirections on a state; returns the streams to restore. `collect` what is written to a file."""
        stdin, fds = st.stdin, st.fds
        streams = self.data_flow.fed, self.data_flow.outputs
        target: tuple[Value, int] | None = None
        added = False
        if redirects:
            st.fds = dict(st.fds)
        for item in redirects:
            opened = self._one_redirect(item, st)
            if collect and _takes_output(item, redirects) and st.fds[1] == ELSEWHERE and fds.get(2) != OUT:
                target, added = (opened, item.pos), item.op == ">>"
            elif item.op in _WRITES:  # what is not collected may be anything
                self.run.world.wrote(opened, TOP, self.lookup.site(item.pos))
        changed = {
            fd: fds.get(fd, ELSEWHERE) for fd, leads in st.fds.items() if leads != fds.get(fd) or (fd == 1 and target)
        }
        saved = Saved(
            None if stdin == st.stdin else stdin, changed, st.out, st.partial, target, streams, self.aside, added
        )
        if target is not None:
            st.fds[1], st.out, st.partial = OUT, EMPTY, False
        return saved

    def restore(self, st: State | None, saved: Saved) -> None:
        """Undo redirections."""
        self.data_flow.fed, self.data_flow.outputs = saved.streams
        if st is None:
            return
        if saved.target is not None:
            path, pos = saved.target
            text = TOP if self.aside > saved.aside else st.out
            self.run.world.wrote(path, text, self.lookup.site(pos), added=saved.added)
            st.out, st.partial = saved.out, saved.partial
        st.stdin = st.stdin if saved.stdin is None else saved.stdin
        st.fds = {**st.fds, **saved.fds}

    def _one_redirect(self, item: Redirect, st: State) -> Value:
        """Perform a redirection; returns what it names."""
        data, node = self.data_flow, Node()
        flows = data.flows
        outer, flows.context = flows.context, set(data.base)
        output = item.op not in _INPUTS
        if output:  # what is opened gets what the command prints
            flows.context.add(node)
        opened = self._open(item, st)
        if output:
            flows.names(self.lookup.site(item.pos).where.file).into |= flows.context - {node}
        if output and item.op != ">&":
            data.replaced |= data.outputs
            data.outputs = {node} if item.fd in (None, 1) else {*data.outputs, node}
        elif output and literal_of(opened) in ("1", "2", "-"):
            data.outputs = {*data.outputs, node}
        elif output:  # another descriptor: what it was made of, or a coprocess
            data.outputs = {*data.outputs, node, *data.replaced, *([data.aside] if data.aside else ())}
        elif item.op != "<&":
            node.into |= flows.context
            data.fed = node
        elif data.aside is not None:
            node.into |= {data.aside, *([data.fed] if data.fed else ())}
            data.fed = node
        flows.context = outer
        return opened

    def _open(self, item: Redirect, st: State) -> Value:
        op = item.op
        if isinstance(item.fd, str):
            self.lookup.assign(item.fd, NUMBER, st)
        fd = item.fd if isinstance(item.fd, int) else None
        if op == "<<":
            self._set_input(fd, self.expander.single(item.word, st), st)
            return BOTTOM
        target = self.expander.single(item.word, st)
        if op == "<<<":
            self._set_input(fd, cat(target, lit("\n")), st)
        elif op in ("<&", ">&"):
            self._duplicate(item, fd, target, st)
        elif op in ("<", "<>"):
            value = self.read_file(target, st, item.pos, write=op == "<>")
            self._set_input(fd, value, st)
        else:
            self.write_file(target, st, item.pos)
            leads = self._leads(target, st)
            st.fds[1 if fd is None else fd] = leads
            if op in ("&>", "&>>"):
                st.fds[2] = leads
        return target

    def _set_input(self, fd: int | None, value: Value, st: State) -> None:
        if fd is None or fd == 0:
            st.stdin = value or EMPTY
        else:
            st.fds[fd] = ELSEWHERE

    def _leads(self, target: Value, st: State) -> str:
        return meeting({st.fds.get(_STREAMS.get(item.literal or "", -1), ELSEWHERE) for item in texts(target)})

    def _duplicate(self, item: Redirect, fd: int | None, target: Value, st: State) -> None:
        if item.op == "<&":
            self._duplicate_input(fd, target, st)
            return
        changed = 1 if fd is None else fd
        leads, errors = set[str](), set[str]()
        for one in texts(target):
            match = _DUPLICATE.fullmatch(one.literal) if one.literal is not None else None
            numeric = all(isinstance(part, Hole) and part.alphabet == NUMERIC for part in one.parts)
            file = match is None and fd is None and not numeric
            errors.add(ELSEWHERE if file else st.fds.get(2, ERR))
            if match is not None:
                source = int(match.group(1)) if match.group(1) is not None and len(match.group(1)) < 7 else changed
                leads.add(st.fds.get(source, ELSEWHERE if source > 2 else ERR))
            elif file:
                self.write_file(frozenset({one}), st, item.pos)
                leads.add(ELSEWHERE)
            else:
                leads |= {OUT, ELSEWHERE}
        st.fds[changed] = meeting(leads)
        if fd is None:
            st.fds[2] = meeting(errors)

    def _duplicate_input(self, fd: int | None, target: Value, st: State) -> None:
        known = literal_of(target)
        match = _DUPLICATE.fullmatch(known) if known is not None else None
        source = int(match.group(1)) if match is not None and match.group(1) and len(match.group(1)) < 7 else None
        if fd not in (None, 0):
            st.fds[fd or 0] = st.fds.get(source, ELSEWHERE) if source is not None else EITHER
        elif source is None:
            st.stdin = st.stdin if match is not None else TOP
        elif source != 0:
            st.stdin = hole(FILE, exact=False)

    def write_file(self, target: Value, st: State, pos: int) -> None:
        """A file is opened for writing."""
        files = self._files(target, st, pos)
        if files:
            self.lookup.report("file.write", files, st, pos, REDIRECTED)

    def read_file(self, target: Value, st: State, pos: int, *, write: bool = False) -> Value:
        """A file is opened for reading; its text, if it is known."""
        files = self._files(target, st, pos)
        out: Value = BOTTOM
        for item in each(texts(target)):
            known = item.literal
            if known is not None and known in self.streams:
                out = join(out, self.streams[known])
            elif known in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
                out = join(out, st.stdin)
            elif known == "/dev/null":
                out = join(out, EMPTY)
            elif item in files:
                out = join(out, self.content(frozenset({item}), st))
            else:
                out = join(out, TOP)
        if files:
            self.lookup.report("file.read", files, st, pos, Via(Cause.REDIRECT, words="redirects input from a file"))
            if write:
                via = Via(Cause.REDIRECT, words="opens a file for reading and writing")
                self.lookup.report("file.write", files, st, pos, via)
        return out

    def content(self, path: Value, st: State) -> Value:
        """The text of a file: known if it can only be files of the skill."""
        files = self.run.world.skill_files(path, st.cwd)
        if not files:
            return join(hole(FILE, exact=False), self.run.world.written(path))
        return join_all(frozenset(texts(self.run.world.file_text(file))) for file in files)

    def _files(self, target: Value, st: State, pos: int) -> frozenset[Text]:
        """The targets that are files; sockets are reported, streams are nothing."""
        files = set[Text]()
        for item in each(texts(target)):
            first = item.parts[0] if item.parts else ""
            known = item.literal
            if known is not None and (known in DEVICES or _DESCRIPTOR.fullmatch(known) or known in self.streams):
                continue
            if isinstance(first, str) and _SOCKET.match(first):
                self._socket(item, first, st, pos)
            elif item.parts:
                files.add(item)
        return frozenset(files)

    def _socket(self, item: Text, first: str, st: State, pos: int) -> None:
        known = item.literal
        pieces = known.split("/") if known is not None else []
        if len(pieces) == 5:
            scope = lit(f"{pieces[3]}:{pieces[4]}")
        else:
            rest = first[len("/dev/tcp/") :]
            host = rest.split("/")[0] if "/" in rest else ""
            scope = lit(host) if host else frozenset({Text((Hole("any"),))})
        self.lookup.report("net.connect", scope, st, pos, Via(Cause.REDIRECT, words="opens a socket by redirection"))

    def process(self, piece: ProcSub, st: State) -> Value:
        """`<(…)` yields the name of a stream; `>(…)` reads what is written to it."""
        name = f"/dev/fd/{self.run.unit.line(piece.pos)}{piece.pos:06}"
        sub = st.copy()
        if piece.direction == "<":
            output = self.flow.capture(piece.body, st, trim=False)
            self.streams[name] = join(self.streams.get(name, BOTTOM), output)
            self.run.world.wrote(lit(name), output, self.lookup.site(piece.pos))
        else:
            sub.stdin = TOP
            self.streams[name] = TOP
            data, fed = self.data_flow, self.data_flow.fed
            data.fed = Node()
            data.targets.append(data.fed)
            self.aside += self.flow.capture(piece.body, sub) != EMPTY
            data.fed = fed
        return lit(name)


def _takes_output(item: Redirect, others: tuple[Redirect, ...]) -> bool:
    """Whether this redirection alone gets all that a command prints."""
    if item.op not in (">", ">|", ">>") or item.fd not in (None, 1):
        return False
    return all(
        other is item or other.op not in _WRITES or (other.op in (">", ">>") and other.fd == 2) for other in others
    )
