"""A line of a summary in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.analysis.summaries.model import Condition, EffectLine, Entry, Expr

_PLAIN = {"any": "anything", "sometext": "text", "somenum": "a number", "somebool": "true or false"}
_FLAGS = {
    "decorates": "as a decorator it calls the function with {}",
    "identity": "as a decorator it leaves the function as it is",
    "intrinsic": "its meaning is built in ({})",
    "assumes": "rests on the assumption {}",
    "mutates": "changes {} in an unknown way",
    "annotations": "importing it evaluates annotations",
}


def entry_words(entry: Entry) -> list[str]:
    """Return what an entry promises, one sentence per line, effects first."""
    out = [_effect(effect) for effect in entry.effects if effect.kind != "none"] or ["no effect"]
    if entry.result is not None:
        out.append(f"gives {expression(entry.result)}")
    return out + [_FLAGS[name].format(value or "anything") for name, value in entry.flags]


def _effect(effect: EffectLine) -> str:
    args = ", ".join(expression(arg) for arg in effect.args)
    words = {
        "cap": f"{effect.text} on {args or 'anything'}",
        "argv": f"runs a program: {args}",
        "sh": f"a shell runs {args}",
        "code": f"runs {effect.text} code: {args}",
        "loads": f"runs a file as {effect.text}: {args}",
        "imports": f"imports the module {args}",
        "setenv": f"sets a variable: {args}",
        "chdir": f"changes the current folder to {args}",
        "link": f"makes a link: {args}",
        "template": f"fills in a template: {args}",
        "opaque": f"opaque: {effect.text}",
        "calls": f"calls {expression(effect.args[0])} with ({', '.join(map(expression, effect.args[1:]))})"
        if effect.args
        else "",
    }[effect.kind]
    more = "".join(f", {name} {expression(value)}" for name, value in effect.keywords)
    return words + more + _conditions(effect.conditions)


def _conditions(tests: tuple[Condition, ...]) -> str:
    return " if " + " and ".join(map(_condition, tests)) if tests else ""


def _condition(test: Condition) -> str:
    subject = expression(test.subject)
    return {
        "true": f"{subject} may be true",
        "false": f"{subject} may be false",
        "given": f"{subject} is given",
        "chars": f"{subject} may hold one of `{test.value}`",
        "url": f"{subject} may be a URL",
        "eq": f"{subject} may be `{test.value}`",
        "ne": f"{subject} may be other than `{test.value}`",
        "kind": f"{subject} may be {test.value}",
    }[test.test]


def expression(expr: Expr) -> str:  # noqa: C901, PLR0911  one case for each kind of thing that is worded
    """Return an expression in words, or as the language of summaries writes it."""
    inner = ", ".join(expression(arg) for arg in expr.args)
    if expr.op in _PLAIN:
        return _PLAIN[expr.op]
    if expr.op in {"param", "const", "num"}:
        return f"`{expr.text}`" if expr.op == "param" else expr.text
    if expr.op == "lit":
        return f"'{expr.text}'"
    if expr.op == "hole":
        return f"<{expr.text}>"
    if expr.op == "data":
        return "plain data" if expr.text == "any" else f"plain data of <{expr.text}>"
    if expr.op == "instance":
        return f"a {expr.text}({inner})" if inner else f"a {expr.text}"
    if expr.op in {"class", "module", "member"}:
        return f"the {expr.op} {expr.text}"
    if expr.op in {"iter", "list", "dict"}:
        return f"{ {'iter': 'a series of', 'list': 'a list of', 'dict': 'a dictionary of'}[expr.op] } {inner}"
    if expr.op == "union":
        return " or ".join(expression(arg) for arg in expr.args)
    if expr.op == "when":
        return inner + _conditions(expr.conditions)
    if expr.op == "star":
        return f"*{inner}"
    if expr.op == "result":
        return f"what {expression(expr.args[0])} returns"
    return f"{expr.op}({inner})"
