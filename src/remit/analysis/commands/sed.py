"""sed: which files a script reads and writes, and which commands it runs."""

from __future__ import annotations

from remit.analysis.commands.program_text import Program, is_hole
from remit.analysis.domain import lit
from remit.core.patterns import lazy_pattern

_STREAMS = frozenset({"/dev/stdout", "/dev/stderr", "/dev/stdin"})
_TEXT = "aic"  # commands whose argument is text up to the end of the line
_FILE = {"r": "file.read", "R": "file.read", "w": "file.write", "W": "file.write"}
_LABEL = ":btT"
_PLAIN = "dDgGhHlnNpPqQxzF="
_BRACKETS = lazy_pattern(r"\[\^?\]?(?:\[:\w+:\]|[^\]\n])*\]")
_NUMBER = lazy_pattern(r"[0-9]+")


def read_sed(program: Program) -> bool:
    """Report what a script does; False if it is not understood."""
    readings = (False, True) if "[" in program.text else (False,)
    understood = [_understood(program, brackets=brackets) for brackets in readings]
    return any(understood)


def _understood(program: Program, *, brackets: bool) -> bool:
    """Report what a script does; tools differ in whether the mark ends a pattern inside brackets (`s/[/]/x/`)."""
    try:
        _Scanner(program, brackets=brackets).run()
    except _NotUnderstoodError:
        return False
    return True


class _NotUnderstoodError(Exception):
    """The script has a form that is not known."""


class _Scanner:
    """Walks over the commands of a script."""

    def __init__(self, program: Program, *, brackets: bool) -> None:
        self.host, self.program, self.at, self.brackets = program, program.text, 0, brackets

    def run(self) -> None:
        while self._skip(" \t\n;{}"):
            self._addresses()
            if self.at < len(self.program):
                self._command()

    def _skip(self, chars: str) -> bool:
        while self.at < len(self.program) and self.program[self.at] in chars:
            self.at += 1
        return self.at < len(self.program)

    def _addresses(self) -> None:
        """Skip addresses: `1,/re/I!`. A hole with a command behind it is one."""
        start = self.at
        self._skip_addresses()
        if self.at < len(self.program) and self.program[self.at] not in ";}\n":
            self.host.place(self.program[start : self.at])

    def _skip_addresses(self) -> None:
        while self.at < len(self.program):
            char = self.program[self.at]
            number = _NUMBER.match(self.program, self.at)
            if number:
                self.at = number.end()
            elif char == "/":
                self.at += 1
                self._delimited("/", pattern=True)
                self._skip("IM")
            elif char == "\\":
                self.at += 2
                self._delimited(self.program[self.at - 1 : self.at], pattern=True)
                self._skip("IM")
            elif char in "$,~+! \t" or is_hole(char):
                self.at += 1
            else:
                return

    def _delimited(self, mark: str, *, pattern: bool = False) -> str:
        """Text up to an unescaped mark."""
        start = self.at
        while self.at < len(self.program):
            char = self.program[self.at]
            if pattern and self.brackets and char == "[" and (found := _BRACKETS.match(self.program, self.at)):
                self.at = found.end()
            elif char == "\\":
                self.at += 2
            elif char == mark:
                self.at += 1
                self.host.place(self.program[start : self.at], end=mark)
                return self.program[start : self.at - 1]
            else:
                self.at += 1
        raise _NotUnderstoodError

    def _line(self) -> str:
        """The rest of the line."""
        end = self.program.find("\n", self.at)
        end = len(self.program) if end < 0 else end
        out = self.program[self.at : end]
        self.at = end
        return out

    def _command(self) -> None:
        char = self.program[self.at]
        self.at += 1
        if char in "#v":
            self._line()
        elif char in "{}" or char in _PLAIN:
            self._skip(" \t0123456789")
        elif char == "s":
            self._substitute()
        elif char == "y":
            mark = self._mark()
            self._delimited(mark)
            self._delimited(mark)
        elif char in _TEXT:
            self._text()
        elif char in _FILE:
            self._file(_FILE[char], self._line().strip())
        elif char == "e":
            self._execute(self._line().strip())
        elif char in _LABEL:
            while self.at < len(self.program) and self.program[self.at] not in "\n;}":
                self.at += 1
        else:
            raise _NotUnderstoodError

    def _text(self) -> None:
        """Text of `a`, `i`, `c`: lines that end in a backslash go on."""
        start = self.at
        while self._line().endswith("\\") and self.at < len(self.program):
            self.at += 1
        self.host.place(self.program[start : self.at])

    def _mark(self) -> str:
        if self.at >= len(self.program):
            raise _NotUnderstoodError
        self.at += 1
        return self.program[self.at - 1]

    def _substitute(self) -> None:
        mark = self._mark()
        if is_hole(mark):
            raise _NotUnderstoodError
        self._delimited(mark, pattern=True)
        self._delimited(mark)
        while self.at < len(self.program):
            flag = self.program[self.at]
            if flag == "w":
                self.at += 1
                self._file("file.write", self._line().strip())
                return
            if flag == "e":
                self.host.effect("shell.execute", lit("sh"))
                self.host.opaque("`sed` runs the text that a substitution leaves", "do not use the flag `e`")
            elif flag not in "gpiImM0123456789":
                return
            self.at += 1

    def _file(self, capability: str, name: str) -> None:
        self.host.place(name)
        if name not in _STREAMS:
            self.host.effect(capability, self.host.value(name))

    def _execute(self, command: str) -> None:
        if command:
            self.host.place(command)
            self.host.shell(self.host.value(command))
        else:
            self.host.effect("shell.execute", lit("sh"))
            self.host.opaque("`sed` runs its input as commands", "do not use the command `e`")
