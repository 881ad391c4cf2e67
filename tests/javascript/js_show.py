"""Programs as text, one fact a line, for tests to compare."""

from remit.analysis import ir
from remit.analysis.domain import Hole, Num, Text
from remit.analysis.javascript import lower_javascript


def lower(source, dialect="js", file="scripts/x.js", **options):
    return lower_javascript(source.encode() if isinstance(source, str) else source, file, dialect, **options)


def show(source, dialect="js", **options):
    """Each function as `index name(params) flags`, then its facts."""
    program = lower(source, dialect, **options)
    lines = []
    for function in program.functions:
        params = ", ".join(
            {"rest": "*"}.get(param.kind, "") + param.name + (f"={term(param.default)}" if param.default else "")
            for param in function.params
        )
        flags = [word for word in ("generator", "is_async", "decorated", "is_class_body") if getattr(function, word)]
        if function.class_index is not None:
            flags.append(f"class={function.class_index}/{function.binding}")
        if function.owner:
            flags.append(f"in {function.owner}")
        if function.index:
            lines.append(f"{function.index} {function.name}({params}) {' '.join(flags)}".rstrip())
        prefix = "  " if function.index else ""
        lines.extend(prefix + fact(item) for item in function.facts)
    lines.extend(
        f"class {info.name} body={info.body} bases=[{', '.join(map(term, info.bases))}]" for info in program.classes
    )
    lines.extend(f"opaque {reason}" for reason, _line in program.opaque)
    return "\n".join(lines)


def facts(source, dialect="js", **options):
    return [fact(item) for item in lower(source, dialect, **options).functions[0].facts]


def value(atoms):
    return "|".join(sorted(_atom(atom) for atom in atoms))


def _atom(atom):
    if isinstance(atom, Text):
        return "".join(f"<{part.origin}>" if isinstance(part, Hole) else part for part in atom.parts).join("''")
    if isinstance(atom, Num):
        return f"{atom.low}" if atom.low is not None and atom.low == atom.high else "num"
    return getattr(atom, "name", None) or atom.tag


def term(node):  # noqa: C901, PLR0911, PLR0912  one case for each form of the grammar
    match node:
        case ir.Known(value=atoms):
            return value(atoms)
        case ir.Var(owner=owner, name=name):
            return f"{owner}.{name}"
        case ir.Global(name=name):
            return f"${name}"
        case ir.Attr(base=base, name=name):
            return f"{term(base)}.{name}"
        case ir.Item(base=base, key=key):
            return f"{term(base)}[{term(key)}]"
        case ir.Star(term=inner):
            return f"*{term(inner)}"
        case ir.Call(callee=callee, args=args, new=new):
            return f"{'new ' if new else ''}{term(callee)}({', '.join(map(term, args))})"
        case ir.Concat(parts=parts):
            return f"cat({', '.join(map(term, parts))})"
        case ir.Binary(op=op, left=left, right=right):
            return f"({term(left)} {op} {term(right)})"
        case ir.Choice(options=options):
            return f"either({', '.join(map(term, options))})"
        case ir.Sequence(items=items):
            return f"[{', '.join(map(term, items))}]"
        case ir.Mapping(pairs=pairs):
            return "{" + ", ".join(f"{term(key) if key else '...'}: {term(item)}" for key, item in pairs) + "}"
        case ir.MakeFunction(index=index):
            return f"fn{index}"
        case ir.MakeClass(index=index):
            return f"class{index}"
        case ir.Catch():
            return "caught"
        case ir.Iterate(term=inner) | ir.Keys(term=inner) | ir.Await(term=inner) | ir.Throw(term=inner):
            return f"{type(node).__name__.lower()}({term(inner)})"
        case ir.Element(term=inner, index=index):
            return f"{term(inner)}@{index}"
        case ir.Rest(term=inner, start=start):
            return f"{term(inner)}@{start}.."
        case ir.Super(cls=cls):
            return f"super{cls}"
        case ir.Import(name=name, member=member):
            return f"import({name}{':' + member if member else ''})"
        case ir.DynamicImport(name=name):
            return f"import-dynamic({term(name)})"
        case ir.Unknown(reason=reason):
            return f"unknown({reason})"
    raise AssertionError(node)


def fact(item):
    match item:
        case ir.Bind(owner=owner, name=name, term=inner):
            return f"{owner}.{name} = {term(inner)}"
        case ir.SetAttr(base=base, name=name, term=inner):
            return f"{term(base)}.{name} := {term(inner)}"
        case ir.SetItem(base=base, key=key, term=inner):
            return f"{term(base)}[{term(key)}] := {term(inner)}"
        case ir.Delete(base=base, key=key):
            return f"delete {term(base)}[{term(key)}]"
        case ir.Evaluate(term=inner):
            return term(inner)
        case ir.Return(term=inner, yields=yields):
            return f"{'yield' if yields else 'return'} {term(inner)}"
        case ir.Export(name=name, term=inner):
            return f"export {name or '(all)'} = {term(inner)}"
    raise AssertionError(item)
