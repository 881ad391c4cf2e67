"""Write the table of theorems into docs/models.md; for who has changed a theory, and means it.

python tests/models/proofs/theorem_table.py
"""

import re
from pathlib import Path

from remit.models.proofs.registry import theories

PAGE = Path(__file__).parents[3] / "docs" / "models.md"
TABLE = re.compile(r"(<!-- theorems -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def markdown(theories):
    """The table of theorems in docs/models.md."""
    lines = ["| theorem | says | mutants |", "| --- | --- | ---: |"]
    for theory in theories:
        for one in theory.theorems:
            mutants = sum(mutant.invariant == one.name for mutant in theory.mutants)
            lines.append(f"| {theory.name}: {one.name} | {one.says} | {mutants} |")
    return "\n".join(lines) + "\n"


def table() -> str:
    return markdown(theories())


if __name__ == "__main__":
    PAGE.write_text(TABLE.sub(lambda found: found[1] + table() + found[3], PAGE.read_text("utf-8")), "utf-8")
