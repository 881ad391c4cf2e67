"""Write down what the models have now, in the record and in docs/models.md; for who has changed a model or the code, and means it.

python tests/models/explore/record.py
changes the two files and prints nothing: look at the difference before it is committed.
"""

import re
from pathlib import Path

from remit.models.explore.checking import check_all
from remit.models.explore.expected import FILE, Expected, read_expected
from remit.models.explore.properties import by_module, read_properties
from remit.models.explore.registry import models
from remit.models.explore.telling import markdown, record

PAGE = Path(__file__).parents[3] / "docs" / "models.md"


def main() -> None:
    every = models()
    head = [line for line in FILE.read_text("utf-8").splitlines(keepends=True) if line.startswith("#")]
    FILE.write_text("".join(head) + record(check_all(every, Expected({}, {}), lambda _: None)), "utf-8")
    text = PAGE.read_text("utf-8")
    for name, shown in (("models", markdown(every, read_expected())), ("properties", by_module(read_properties()))):
        text = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- end -->)",
            lambda found, shown=shown: found[1] + shown + found[2],
            text,
            flags=re.DOTALL,
        )
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
