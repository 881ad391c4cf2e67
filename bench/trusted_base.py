"""What must be right for admission to be right, counted: for each step the lines of our own code and data that it loads, and the
packages of others. Prints a Markdown table; docs/bundle.md holds it.

    python bench/trusted_base.py
"""

import json
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src/remit"
# what a step loads, the data that it reads, and the programs of others that it starts
STEPS = {
    "1 to 5 binding": (["remit.bundle.binding", "remit.bundle.versions", "remit.skill.walk", "cryptography"], [], []),
    "6 method A": (
        ["remit.skill.load", "remit.analysis.session", "remit.bundle.static"],
        ["analysis/data", "core/data", "skill/data"],
        ["google-re2", "markdown-it", "tree-sitter and its grammars"],
    ),
    "7 method B": (["remit.proof.types.prove"], ["core/data", "proof/types/data"], ["mypy", "ty"]),
    "8 method C": (["remit.proof.sessions"], ["core/data", "policy/data"], ["z3", "cvc5"]),
    "9 level": (["remit.bundle.recheck", "remit.bundle.tests_record"], [], []),
    "the command": (["remit.cli.verify"], [], []),
}
LOADED = """
import importlib, json, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ImportError:
        pass
own = [module.__file__ for name, module in sys.modules.items() if name.split(".")[0] == "remit" and module.__file__]
others = {name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"remit", "__main__", "__mp_main__"}
print(json.dumps([own, sorted(name for name in others if not name.startswith("_"))]))
"""
SILENT = {"sitecustomize", "usercustomize", "site", "cython_runtime"}


def lines(path: Path) -> int:
    """Lines that say something: neither blank nor comment."""
    texts = (line.strip() for line in path.read_text("utf-8").splitlines())
    return sum(1 for text in texts if text and not text.startswith("#"))


def measure(modules, data, programs) -> tuple[int, int, list[str]]:
    """Lines of code, lines of data, packages."""
    done = subprocess.run([sys.executable, "-c", LOADED, *modules], capture_output=True, text=True, check=True)
    own, others = json.loads(done.stdout)
    code = sum(lines(Path(file)) for file in own)
    files = [path for folder in data for path in (SOURCE / folder).rglob("*") if path.is_file()]
    return code, sum(map(lines, files)), sorted({*others, *programs} - SILENT)


def table() -> list[str]:
    """The rows, rounded to hundreds."""
    out = ["| step | lines of code | lines of data | packages of others |", "|---|---|---|---|"]
    for name, what in STEPS.items():
        code, data, packages = measure(*what)
        out.append(f"| {name} | {round(code, -2)} | {round(data, -2)} | {', '.join(packages) or 'none'} |")
    return out


if __name__ == "__main__":
    print("\n".join(table()))
