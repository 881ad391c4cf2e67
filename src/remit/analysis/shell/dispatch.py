"""Simple commands: functions, builtins, programs, and text that becomes code."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from remit.analysis.domain import Hole, Text, Value, env_origin, hole, lit
from remit.analysis.each import each
from remit.analysis.shell.conditions import SAME
from remit.analysis.shell.data_flow import LAST_WORD
from remit.analysis.shell.expand import combine, dedupe, spelled
from remit.analysis.shell.interp import INTEGER_TESTS
from remit.analysis.shell.parser import DECLARES, parse
from remit.analysis.shell.part import Builtin, Run, ShellPart
from remit.analysis.shell.patterns import regex_of
from remit.analysis.shell.state import (
    EITHER,
    OUT,
    UNEXPANDED,
    Flag,
    Result,
    Shadow,
    State,
    Var,
    each_way,
    either,
    fork,
    join_all_states,
    join_options,
    join_results,
    join_states,
    widen_states,
)
from remit.analysis.shell.syntax import (
    FIRST_HOLE,
    STAR,
    Assign,
    Function,
    Lit,
    Simple,
    Unit,
    Word,
    make_unit,
    report_raw,
    unit_raw,
)
from remit.analysis.shell.values import (
    EMPTY,
    TOP,
    Fields,
    bag,
    cat,
    join,
    join_fields,
    literal_of,
    texts,
    widen,
    widen_against,
    within,
)
from remit.analysis.steering_variables import find_program, judge, usually_set
from remit.analysis.world import Child, Site
from remit.core.effect import Origin
from remit.core.via import Cause, Via

# Functions of a shell program: defined, called, and settled where they call themselves.

MAX_CALLS = 24


class _Call(NamedTuple):
    """An active call of a function: how it was entered, and what it has returned so far."""

    function: Function
    entry: State
    result: list[State | None]
    used: list[bool]


class Calls(ShellPart):
    """What a call of a function does."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.active: list[_Call] = []
        self.called: set[int] = set()
        self.defined: list[Function] = []
        self.depth = 0  # of calls, and of commands with variables of their own
        self.frame = 0  # the depth of the function that runs; 0: none does

    def define(self, node: Function, st: State) -> Result:
        """A function is defined; a definition on one branch only leaves the other in place (states join)."""
        st.funcs[node.name] = (node,)
        if node.unit is self.run.home_unit:
            self.defined.append(node)
        return st, None

    def call(self, name: str, args: Fields, st: State, pos: int) -> Result:
        """Call a function of the program."""
        definitions = [function for function in st.funcs[name] if function is not None]
        return join_results(self.enter(function, args, way, pos) for function, way in each_way(definitions, st))

    def enter(self, function: Function, args: Fields, st: State, pos: int) -> Result:
        """Run the body of a function."""
        with self.data_flow.inside(function.name):
            return self._enter(function, args, st, pos)

    def _enter(self, function: Function, args: Fields, st: State, pos: int) -> Result:
        self.loops.step()
        self.called.add(id(function))
        caller_args = st.args
        st.args = args
        active = [c for c in self.active if c.function is function]
        for call in active:
            if _covers(call.entry, st):
                call.used[0] = True
                result = call.result[0]
                end = result.copy() if result is not None else None
                if end is not None:
                    end.args, end.stdin, end.fds = caller_args, st.stdin, st.fds
                return end, end
        if len(self.active) >= MAX_CALLS:
            self.lookup.opaque("functions call each other too deeply", pos, "make the recursion shallower")
            st.args = caller_args
            return st, st
        if len(active) >= 2:
            before, hard = active[-1].entry, len(active) >= 3
            args = _widened(before.args, st.args, hard=hard)
            st = widen_states(before, st, hard=hard)
            st.args = args
        end = self._settle(function, st)
        if end is not None:
            end.args = caller_args
        return end, end

    def _settle(self, function: Function, st: State) -> State | None:
        """Run the body until its result no longer changes what its recursive calls return."""
        result: State | None = None
        for number in range(8):
            call = _Call(function, st.copy(), [result], [False])
            self.active.append(call)
            end = self._body(function, st.copy())
            self.active.pop()
            if not call.used[0]:
                return end
            new = join_states(result, end)
            if new is None or (result is not None and new.same(result)):
                return new
            result = new if result is None else widen_states(result, new, hard=number >= 2)
        reason = f"the recursion of `{function.name}` does not settle"
        self.run.world.opaque(reason, function.unit.site(function.pos), "use a loop")
        return result

    def _body(self, function: Function, st: State) -> State | None:
        saved = (self.loops.open_loops, self.flow.returns, self.run.unit, self.frame)
        self.loops.open_loops, self.flow.returns, self.run.unit = [], None, function.unit
        self.depth += 1
        self.frame, options = self.depth, st.options

        def leave(way: State) -> None:
            if (self.depth, "-") in way.shadows:  # `local -`
                way.options = join_options(options, way.options)
            self.unhide(way)

        end = join_states(*self.flow.undone(lambda: self.flow.last(function.body, st), leave))
        end = join_states(end, self.flow.returns)
        self.loops.open_loops, self.flow.returns, self.run.unit, self.frame = saved
        self.depth -= 1
        return end.copy() if end is not None and end is self.flow.exits else end

    def hide(self, name: str, st: State, depth: int) -> None:
        """A variable gets a local one before it, until this depth is left."""
        before, var = st.shadows.get((depth, name)), st.vars.get(name)
        if before is None:
            st.shadows = {**st.shadows, (depth, name): Shadow(var)}
        elif not before.sure:
            st.shadows = {**st.shadows, (depth, name): Shadow(either(before.var, var))}

    def unhide(self, st: State) -> None:
        """The call is left: what its variables hid is there again."""
        if not any(depth >= self.depth for depth, _ in st.shadows):
            return
        for (depth, name), shadow in sorted(st.shadows.items(), reverse=True, key=lambda item: item[0]):
            if depth >= self.depth:
                var = shadow.var if shadow.sure else either(shadow.var, st.vars.get(name))
                if var is None:
                    st.vars.pop(name, None)
                else:
                    st.vars[name] = var
        st.shadows = {key: shadow for key, shadow in st.shadows.items() if key[0] < self.depth}


def _widened(before: Fields, args: Fields, *, hard: bool) -> Fields:
    """The arguments of a recursive call, each by its place; of another number they are anything."""
    if len(before.words) != len(args.words) or before.rest or args.rest:
        return Fields((), TOP) if hard else join_fields(before, args)
    return Fields(tuple(widen_against(a, b, hard=hard) for a, b in zip(before.words, args.words, strict=True)))


def _covers(entry: State, st: State) -> bool:
    """Whether an active call was entered with at least this."""
    if not _args_within(st.args, entry.args) or not within(st.cwd, entry.cwd) or not within(st.stdin, entry.stdin):
        return False
    if (st.fds, st.options, st.aliases) != (entry.fds, entry.options, entry.aliases):
        return False
    if any(set(definitions) - set(entry.funcs.get(name, ())) for name, definitions in st.funcs.items()):
        return False
    for name, var in st.vars.items():
        mine = entry.vars.get(name)
        if mine is var or mine == var:
            continue
        if mine is None or var.arrays is not None or mine.arrays is not None or not within(var.value, mine.value):
            return False
        if (var.unset and not mine.unset) or var.flags != mine.flags:
            return False
    return True


def _args_within(args: Fields, entry: Fields) -> bool:
    """Whether every place of one list of arguments holds no more than that of another."""
    if entry.rest and not entry.words:
        return within(bag(args), entry.rest)
    if len(args.words) != len(entry.words) or not within(args.rest, entry.rest):
        return False
    return all(within(mine, theirs) for mine, theirs in zip(args.words, entry.words, strict=True))


MAX_CANDIDATES = 4
_MAX_CODE = 12
# Builtins whose every word says what is changed, and those that look at their words themselves.
_BY_WORD = frozenset(
    {"unset", "read", "mapfile", "readarray", "shift", "shopt", "alias", "unalias", "break", "continue"} | DECLARES
)
_BY_THEMSELVES = frozenset({"test", "["})
# After these a shell that is not bash keeps the variables that stand before the command.
_SPECIAL = frozenset({":", ".", "eval", "set", "shift", "times", "trap", "unset", "exec", "return", "exit"})
_PREFIXES = frozenset({"command", "builtin"})
_READING = frozenset({"read", "mapfile", "readarray", "source", "."})


class Dispatch(ShellPart):
    """What a simple command does."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.escaped: dict[Function, None] = {}  # in the order in which they were met
        self.table: dict[str, Builtin] = {}  # the builtins

    # -- simple commands --------------------------------------------------------------------------------------------

    def simple(self, node: Simple, st: State) -> Result:
        """Assignments, redirections and a command."""
        first = node.words[0] if node.words else None
        if isinstance(first, Word) and first.bare is not None and first.bare in st.aliases:
            expanded = self._alias(first.bare, node, st)
            if expanded is not None:
                return expanded
        if not node.words:
            return self._assignments(node, st)
        if isinstance(first, Word) and first.bare == "exec" and len(node.words) == 1:
            self.redirects.redirect(node.redirects, st)
            return self._command(node, st)
        if not node.redirects:
            return self._command(node, st)
        saved = self.redirects.redirect(node.redirects, st, collect=True)
        return self.flow.undone(
            lambda: self.data_flow.printing(self._command(node, st)), lambda way: self.redirects.restore(way, saved)
        )

    def _assignments(self, node: Simple, st: State) -> Result:
        saved = self.redirects.redirect(node.redirects, st, collect=True)
        self.run.assigning = True
        flows = self.data_flow.flows
        for assign in node.assigns:
            flows.context = set(self.data_flow.base)
            self.assignments.assignment(assign, st)
        flows.context = set()
        self.run.assigning = False
        self.redirects.restore(st, saved)
        # A failing substitution makes the assignment fail, so the status is open.
        open_ = any(not isinstance(a.value, Word) or a.value.const is None for a in node.assigns)
        return st, st if open_ else None

    def _command(self, node: Simple, st: State) -> Result:
        skip = next((i for i, w in enumerate(node.words) if not (isinstance(w, Word) and w.bare in _PREFIXES)), 0)
        head = node.words[skip] if node.words else None
        if isinstance(head, Word) and head.bare in DECLARES and None in st.funcs.get(head.bare, (None,)):
            result = self.declarations.declare(head.bare, node.words[skip + 1 :], self._declaring(node, st), node.pos)
            if result[0] is not None:
                self._declared_aloud(head.bare, node.words[skip + 1 :], result[0], node.pos)
            return result
        words = [w for w in node.words if isinstance(w, Word)]
        options = self.expander.fields(words, st) if words[0].const is not None else self._named(words, st)
        temporary = self._temporary(node, st)
        if self._injected(words[0]):
            return st, st
        result = join_results(
            self._alternative(fields, way, node.pos, temporary) for fields, way in each_way(options, st)
        )
        return self._tested(words, *result) if words[0].bare in ("[", "test") else result

    def _declaring(self, node: Simple, st: State) -> State:
        """`NAME=value export NAME`: the variable may be set for the declaration alone, or stay."""
        if not node.assigns:
            return st
        before = st.copy()
        for assign in node.assigns:
            self.assignments.assignment(assign, st)
        return join_states(before, st) or st

    def _declared_aloud(self, name: str, words: tuple[Word | Assign, ...], st: State, pos: int) -> None:
        """`export NAME=value` of a document, with the value as it is afterwards."""
        shown: list[Value] = [lit(name)]
        for word in words:
            if isinstance(word, Word):
                shown.append(word.const if isinstance(word.const, frozenset) else TOP)
            else:
                if name == "export" and self.lookup.site(pos).hosted:
                    via = Via(Cause.VARIABLE, word.name, words="sets the variable {}")
                    self.lookup.report("env.write", lit(word.name), st, pos, via)
                var = st.vars.get(word.name)
                shown.append(cat(lit(f"{word.name}="), var.value if var is not None and var.arrays is None else TOP))
        self.run.world.note_command(tuple(shown), frozenset(), self.lookup.site(pos), cwd=st.cwd)

    def _tested(self, words: list[Word], ok: State | None, fail: State | None) -> Result:
        """What `[ … ]` says about the variables in it, if its outcome is open."""
        if ok is None or ok is not fail or (words[0].bare or "") in ok.funcs:
            return ok, fail
        operands = words[1:-1] if words[0].bare == "[" else words[1:]
        first = operands[0].bare if operands else None
        one_word = self.refinements.one_word
        if len(operands) == 2 and first in ("-z", "-n") and (first == "-z" or one_word(operands[1], ok)):
            return self.refinements.filled(ok, operands[1], first == "-n")
        if len(operands) == 3 and one_word(operands[0], ok) and one_word(operands[2], ok):
            left, op, right = operands
            if op.bare in SAME:
                return self.refinements.compared(ok, left, (right,), op.bare != "!=")
            if op.bare in INTEGER_TESTS:  # `[` accepts only numbers here
                return self.refinements.refined(ok, fail, [left, right], "ok")
        return ok, fail

    def _named(self, words: list[Word], st: State) -> list[Fields]:
        """The words of a command whose name is expanded: it may vanish, and then the next word is the name."""
        self.run.naming = True
        heads = self.expander.word_fields(words[0], st)
        self.run.naming = False
        tails = self.expander.fields(words[1:], st)
        out: list[Fields] = []
        for head in heads:
            if head.words:
                out += combine([head], tails)
                continue
            if head.rest:  # its first word is the name, and what follows is in any order
                out += [Fields((head.rest,), join(head.rest, bag(tail))) for tail in tails]
            out += [tail for tail in tails if self._runs(tail, st)]
        return dedupe(out)

    def _runs(self, fields: Fields, st: State) -> bool:
        """Whether the first word can be a command at all, and not only an unknown word behind an empty variable."""
        name = literal_of(fields.words[0]) if fields.words else None
        if name is None:
            return True
        return "/" in name or name in st.funcs or name in self.table or self.run.world.knows(name)

    def _injected(self, word: Word) -> bool:
        piece = word.pieces[0] if word.pieces else None
        return isinstance(piece, Lit) and piece.text[:1] >= FIRST_HOLE and piece.text[:1] in self.run.injected

    def _temporary(self, node: Simple, st: State) -> dict[str, Var]:
        """`NAME=value command`: variables for this command alone."""
        if not node.assigns:
            return {}
        scratch = st.copy()
        history, self.lookup.ever_held = self.lookup.ever_held, None
        for assign in node.assigns:
            self.assignments.assignment(assign, scratch)
        self.lookup.ever_held = history
        return {
            a.name: scratch.vars[a.name]._replace(flags=Flag.EXPORTED) for a in node.assigns if a.name in scratch.vars
        }

    def _alternative(self, fields: Fields, st: State, pos: int, temporary: dict[str, Var]) -> Result:
        self.loops.step()
        if not fields.words:
            if not fields.rest:
                return st, st
            fields = Fields((fields.rest,), fields.rest)
        names = texts(fields.words[0])
        args = fields._replace(words=fields.words[1:])
        if len(names) > 1:
            self.loops.step(len(names))
        return join_results(self.invoke(name, args, way, pos, temporary) for name, way in each_way(each(names), st))

    def invoke(
        self, name: Text, args: Fields, st: State, pos: int, temporary: dict[str, Var], *, functions: bool = True
    ) -> Result:
        """Run a command by its name: a function, a builtin, or a program."""
        known = name.literal
        if known is None:
            return self._computed(name, args, st, pos, temporary)
        if not known.strip("\r"):
            return None, st  # there is no command without a name
        if functions and known in st.funcs:
            return self._function_or_program(name, known, args, st, pos, temporary)
        if known in self.table:
            self.run.world.note_command((frozenset({name}), *args.words), args.rest, self.lookup.site(pos), cwd=st.cwd)
            return self._builtin(known, args, st, pos, temporary)
        return self.external(frozenset({name}), args, st, pos, temporary)

    def _function_or_program(
        self, name: Text, known: str, args: Fields, st: State, pos: int, temporary: dict[str, Var]
    ) -> Result:
        """A function; on a way on which it was not defined, the program of its name."""
        program: Result = (None, None)
        if None in st.funcs[known] and (known in self.table or self.run.world.knows(known)):
            program = self.invoke(name, args, st.copy(), pos, temporary, functions=False)
        return join_results((program, self._with(temporary, st, lambda s: self.calls.call(known, args, s, pos))))

    def _builtin(self, name: str, args: Fields, st: State, pos: int, temporary: dict[str, Var]) -> Result:
        """A builtin, for each way to spell out the words that it looks at."""
        cases = [args] if name in _BY_THEMSELVES else spelled(args, every=name in _BY_WORD)
        if cases is None:
            self.lookup.opaque(f"`{name}` has too many possible words", pos, "write the words themselves")
            cases = [args]
        return join_results(self._builtin_case(name, case, way, pos, temporary) for case, way in each_way(cases, st))

    def _builtin_case(self, name: str, args: Fields, st: State, pos: int, temporary: dict[str, Var]) -> Result:
        builtin = self.table[name]
        if name in _READING:
            self.data_flow.take_input()
        if name == "exec":
            return builtin(args, st, pos, temporary)
        if self.run.dialect != "bash" and name in _SPECIAL:
            st.vars.update(temporary)
            temporary = {}
        return self._with(temporary, st, lambda s: builtin(args, s, pos))

    def _with(self, temporary: dict[str, Var], st: State, body: Callable[[State], Result]) -> Result:
        if not temporary:
            return body(st)
        self.calls.depth += 1
        for name, var in temporary.items():
            self.calls.hide(name, st, self.calls.depth)
            st.vars[name] = var
        result = self.flow.undone(lambda: body(st), self.calls.unhide)
        self.calls.depth -= 1
        return result

    def _computed(self, name: Text, args: Fields, st: State, pos: int, temporary: dict[str, Var]) -> Result:
        """A name with a hole: every function that it may be, and the program that it may be."""
        shape = regex_of("".join(STAR if isinstance(part, Hole) else part for part in name.parts))
        candidates = [f for f in st.funcs if shape is None or shape.fullmatch(f)]
        program = fork(*self.external(frozenset({name}), args, st.copy(), pos, temporary))
        if len(candidates) > MAX_CANDIDATES or isinstance(name.parts[0], Hole):
            # Any function may be meant: each is run once, at the end, with any arguments.
            self.escaped.update(dict.fromkeys(f for c in candidates for f in st.funcs[c] if f is not None))
            return program
        return join_results((program, *(self.calls.call(function, args, st.copy(), pos) for function in candidates)))

    # -- programs ---------------------------------------------------------------------------------------------------

    def environment(self, st: State, temporary: dict[str, Var]) -> dict[str, Value]:
        """What children see of the variables that the skill has set."""
        usual = usually_set()
        env = {
            name: join(var.value, hole(env_origin(name))) if var.unset or var.flags & Flag.PERHAPS_HIDDEN else var.value
            for name, var in st.vars.items()
            if (var.flags & Flag.EXPORTED or name in usual)
            and var.arrays is None
            and not (var.flags & Flag.UNSET and var.value == EMPTY)
        }
        env.update({name: var.value for name, var in temporary.items()})
        for name, functions in st.funcs.items():
            exported = st.vars.get(f"BASH_FUNC_{name}%%")
            if exported is not None:
                env[f"BASH_FUNC_{name}%%"] = frozenset(Text(("() " + f.source,)) for f in functions if f is not None)
                if exported.unset or None in functions:
                    env[f"BASH_FUNC_{name}%%"] |= EMPTY
        return env

    def external(self, name: Value, args: Fields, st: State, pos: int, temporary: dict[str, Var]) -> Result:
        """Start a program."""
        self.loops.step(2)
        site = self.lookup.site(pos)
        env = self.environment(st, temporary)
        for variable, value in env.items():
            mine = st.vars.get(variable)
            if variable not in temporary and mine is not None and mine.flags & Flag.INHERITED:
                continue  # whoever started this program with it was judged
            judge(self.run.world, variable, value, site)
        if "PATH" in env:
            found = find_program(name, env["PATH"], self.run.world, st.cwd)
            if found is None:
                self.run.world.opaque(
                    "the program may be found in a folder that the skill put into `PATH`", site, "call it by its path"
                )
            elif found:
                name = found
        if (elsewhere := self._elsewhere(name)) is not None:
            st.funcs = {**st.funcs, elsewhere: self.run.world.shell_functions(elsewhere)}
            return self.calls.call(elsewhere, args, st, pos)
        ends = args[1:] if args.last else None
        child = Child((name, *args.words), args.rest, st.cwd, env or None, st.stdin, True, ends)
        self.data_flow.take_input()
        flows = self.data_flow.flows
        given, exported = set(flows.context), flows.exported
        self.data_flow.stored(LAST_WORD)
        flows.exported = self.data_flow.exported(env)
        outcome = self.run.world.spawn(child, site)
        flows.exported = exported
        flows.context -= given  # it prints them only by way of the program
        st.emit(outcome.stdout, partial=True)
        if st.fds.get(2) in (OUT, EITHER):
            st.out = join(st.out, TOP)
        return st, st

    def _elsewhere(self, name: Value) -> str | None:
        """The name of a function that another file of the skill defines: this file is sourced beside that one."""
        known = literal_of(name)
        if not self.run.own or not known or "/" in known or self.run.world.knows(known):
            return None
        return known if self.run.world.shell_functions(known) else None

    # -- text that becomes code -------------------------------------------------------------------------------------

    def run_text(self, code: Value, st: State, site_of: Callable[[int], Site]) -> State | None:
        """Run texts in this shell."""
        base, self.data_flow.base = self.data_flow.base, self.data_flow.base | self.data_flow.flows.context
        items = each(texts(code))
        if len(items) > _MAX_CODE:
            items = texts(widen(code))
        out: State | None = None
        for item in items:
            unit = make_unit(item, site_of)
            report_raw(self.run.world, item, site_of(1), st.cwd)
            self.run.injected.update(ch for ch, found in unit.holes.items() if ch >= FIRST_HOLE and unit_raw(found))
            out = join_states(out, self.flow.items(parse(unit), st if len(items) == 1 else st.copy()))
        self.data_flow.base = base
        return out

    def _alias(self, name: str, node: Simple, st: State) -> Result | None:
        always = self.run.dialect in ("sh", "dash")
        perhaps = self.lookup.site(node.pos).origin is Origin.INSTRUCTED  # the shells of agents expand them
        here = self.run.unit.line(node.pos)
        expanded = [
            alias
            for alias in st.aliases[name]
            if alias is not None and (alias.unit is not self.run.unit or alias.line < here or self.calls.active)
        ]
        if not expanded or not (always or perhaps or "expand_aliases" in st.options):
            return None
        saved, st.aliases = st.aliases, {k: v for k, v in st.aliases.items() if k != name}
        ends = [self._expanded(alias.value, name, node, st.copy()) for alias in expanded]
        unsure = UNEXPANDED in st.options or "expand_aliases" not in st.options
        if len(expanded) < len(saved[name]) or (unsure and not always):
            ends.append(join_states(*self.simple(node, st)))
        end = join_all_states(ends)
        if end is not None:
            end.aliases = saved
        return end, end

    def _following(self, text: str, start: int, words: tuple[Word | Assign, ...], end: int, st: State) -> str:
        """What stands behind a word that an alias replaced: after an alias that ends in a blank the next word is looked up too."""
        word = words[0] if words else None
        if not text.endswith((" ", "\t")) or not isinstance(word, Word) or word.bare not in st.aliases:
            return self.run.unit.text[start:end]
        known = [literal_of(alias.value) if alias is not None else None for alias in st.aliases[word.bare]]
        if len(known) != 1 or known[0] is None:
            self.lookup.opaque(f"the alias `{word.bare}` is computed", word.pos, "use a function")
            return self.run.unit.text[start:end]
        rest = self._following(known[0], word.pos + len(word.bare), words[1:], end, st)
        return self.run.unit.text[start : word.pos] + known[0] + rest

    def _expanded(self, value: Value, name: str, node: Simple, st: State) -> State | None:
        """A command with its alias replaced by what that stands for."""
        text = literal_of(value)
        if text is None:
            self.lookup.opaque(f"the alias `{name}` is computed", node.pos, "use a function")
        head = node.words[0]
        assert isinstance(head, Word)
        rest = self._following(text or "", head.pos + len(name), node.words[1:], node.end, st)
        code = self.run.unit.text[node.pos : head.pos] + (text or "") + rest
        return self.flow.items(
            parse(Unit(code, self.run.unit.site_of, self.run.unit.line(node.pos), self.run.unit.holes)), st
        )
