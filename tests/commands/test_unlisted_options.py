"""No summary calls an option harmless that it does not list."""

from each_row import each_row
from remit.analysis.commands.catalog import DATA, default_catalog


@each_row("file", sorted(path.name for path in DATA.glob("*.cmd")))
def test_unlisted_options_mean_something(file):
    catalog = default_catalog()
    blocks = {id(block): block for name in catalog.names() if (block := catalog.get(name))}.values()
    harmless = [block.label for block in blocks if block.fallback == () and block.file.endswith(file)]
    assert harmless == []
