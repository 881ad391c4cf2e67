"""A small world for tests: it records effects and knows a handful of commands."""
# ruff: noqa: ARG002, ARG005

from __future__ import annotations

import base64
from posixpath import dirname, normpath

from remit.analysis.domain import ANY, ARG, BOTTOM, CWD, FILE, NET, NUMERIC, SKILL, TEMP, Hole, Text, hole, lit, text
from remit.analysis.flows import Flows
from remit.analysis.shell import run_shell
from remit.analysis.world import HERE, Child, Outcome, Site
from remit.core.location import Location


def show(value):
    if value == ANY:
        return "ANY"
    return "|".join(sorted(show_text(item) for item in value))


def show_text(item):
    if not isinstance(item, Text):
        return "ANY"
    out = ""
    for part in item.parts:
        if isinstance(part, str):
            out += part
        else:
            out += f"<{part.origin}{'' if part.alphabet == 'any' else ':' + part.alphabet}{'' if part.exact else '~'}>"
    return out


class FakeWorld:
    def __init__(self, files=None):
        self.flows = Flows()
        self.effects = []
        self.opaques = []
        self.assumed = []
        self.spawned = []
        self.files = files or {}

    def effect(self, capability, scope, site, why, *, cwd=HERE):
        self.effects.append((capability, show(scope), site.where.line, show(cwd)))

    def opaque(self, reason, site, remedy=""):
        self.opaques.append((reason, site.where.line))

    def assume(self, ident, site):
        self.assumed.append(ident)

    def names(self):
        return {(c, s) for c, s, _, _ in self.effects}

    def note_command(self, words, rest, site, *, cwd=HERE):
        pass

    def spawn(self, child, site):  # noqa: C901, PLR0911, PLR0912  one case for each command
        words = [show(word) for word in child.words]
        line = " ".join(words) + (f" [{show(child.rest)}]" if child.rest else "")
        self.spawned.append(line)
        name = words[0] if words else ""
        args = child.words[1:]
        known = [w for w in args if not show(w).startswith("-")]
        if name == "rm":
            for word in (*known, *((child.rest,) if child.rest else ())):
                self.effect("file.delete", word, site, "", cwd=child.cwd)
            return Outcome()
        if name == "touch":
            for word in (*known, *((child.rest,) if child.rest else ())):
                self.effect("file.write", word, site, "", cwd=child.cwd)
        elif name == "cat":
            if not known:
                return Outcome(child.stdin)
            return Outcome(hole(FILE))
        elif name == "curl":
            self.effect("web.fetch", bag_of(known), site, "", cwd=child.cwd)
            return Outcome(hole(NET))
        elif name in ("sh", "bash", "dash"):
            return self._shell(name, args, child, site)
        elif name in ("python3", "python"):
            code = args[1] if len(args) > 1 and show(args[0]) == "-c" else child.stdin
            self.effect("source.execute", code, site, "", cwd=child.cwd)
        elif name == "base64":
            return Outcome(
                frozenset(
                    text(base64.b64decode(item.literal + "===").decode("utf-8", "replace"))
                    if item.literal is not None
                    else Text((Hole("any"),))
                    for item in child.stdin
                )
            )
        elif name == "env":
            rest = args
            while rest and ("=" in show(rest[0]) or show(rest[0]).startswith("-")):
                rest = rest[1:]
            return self.spawn(child._replace(words=tuple(rest)), site) if rest else Outcome(hole("any"))
        elif name == "dirname":
            return Outcome(frozenset(_dirname(item) for item in known[0]))
        elif name == "basename":
            return Outcome(hole(ARG, "seg", exact=False))
        elif name == "mktemp":
            return Outcome(frozenset({text(Hole(TEMP), "/", Hole("any", "seg"), "\n")}))
        elif name in ("wc", "date", "stat"):
            return Outcome(hole("any", NUMERIC))
        elif name in (
            "true",
            "ls",
            "grep",
            "sort",
            "head",
            "tail",
            "sed",
            "awk",
            "sleep",
            "mkdir",
            "find",
            "jq",
            "tr",
            "cut",
            "git",
        ):
            return Outcome(hole(FILE, exact=False))
        elif name.startswith("<"):
            self.effect("shell.execute", child.words[0], site, "", cwd=child.cwd)
            if not name.startswith(("<arg", "<env")):
                self.opaque(f"unknown program {name}", site)
        else:
            self.opaque(f"unknown command {name}", site)
        return Outcome(hole("any"))

    def _shell(self, name, args, child, site):
        if args and show(args[0]) == "-c" and len(args) < 2:
            self.opaque("unknown command text", site)
            return Outcome(hole("any"))
        if args and show(args[0]) == "-c":
            return self.run_code("shell", args[1], site, args=args[3:], child=child)
        if not args or show(args[0]) in ("-", "-s"):
            return self.run_code("shell", child.stdin, site, child=child)
        return self.run_file("shell", args[0], site, args=args[1:], child=child)

    def run_code(self, language, code, site, *, args=(), child=None):
        if language != "shell":
            self.effect("source.execute", code, site, "")
            return Outcome(hole("any"))
        env = child.env if child else None
        cwd = child.cwd if child else HERE
        return run_shell(
            self,
            code,
            lambda line: site,
            args=tuple(args),
            child=Child((), cwd=cwd, env=env),
            own=False,
            script=lit("sh"),
        )

    def run_file(self, language, path, site, *, args=(), child=None):
        files = self.skill_files(path, child.cwd if child else HERE)
        if not files:
            origins = {p.origin for i in path for p in i.parts if isinstance(p, Hole)}
            if origins and all(o == ARG or o.startswith("env:") for o in origins):
                self.effect("source.execute", path, site, "")
            else:
                self.opaque(f"runs {show(path)}", site)
            return Outcome(hole("any"))
        for file in files:
            run_script(self, file, self.files[file], args=tuple(args))
        return Outcome(hole("any"))

    def skill_files(self, path, cwd=HERE):
        out = []
        for item in path:
            parts = item.parts
            if parts and parts[0] == Hole(SKILL) and all(isinstance(p, str) for p in parts[1:]):
                name = normpath("".join(parts[1:])).lstrip("/")
            elif item.literal is not None and not item.literal.startswith("/") and cwd == HERE:
                name = normpath(item.literal)
            else:
                return None
            if name not in self.files:
                return None
            out.append(name)
        return tuple(out)

    def wrote(self, path, content, site, *, added=False):
        pass

    def written(self, path):
        return frozenset()

    def knows(self, name):
        return True

    def matching(self, pattern, cwd):
        return None

    def is_folder(self, path):
        return False

    def shell_functions(self, name):
        return ()

    def file_text(self, file, site=None):
        return lit(self.files[file])

    def dump(self):
        for effect in self.effects:
            print("effect", *effect)
        for opaque in self.opaques:
            print("OPAQUE", *opaque)
        print("assumed", set(self.assumed))
        for line in self.spawned:
            print("spawn", line)


def bag_of(words):
    out = BOTTOM
    for word in words:
        out = out | word
    return out


def _dirname(item):
    if item.literal is not None:
        return text(dirname(item.literal) + "\n")
    last = item.parts[-1]
    if isinstance(last, str) and "/" in last:
        return text(*item.parts[:-1], last[: last.rfind("/")] + "\n")
    return text(Hole("any"))


def run_script(world, file, code, *, rest=BOTTOM, cwd=HERE, env=None, stdin=BOTTOM, **options):
    return run_shell(
        world,
        lit(code) if isinstance(code, str) else code,
        lambda line: Site(Location(file, line)),
        script=frozenset({text(Hole(SKILL), "/" + file)}),
        child=Child((), rest, cwd, env, stdin),
        **options,
    )


def run(code, files=None, **options):
    world = FakeWorld(files)
    world.outcome = run_script(world, "scripts/run.sh", code, **options)
    return world


__all__ = ["CWD", "FakeWorld", "run", "show"]
