"""What the core and each extra bring: the packages that are installed for them, and how much disk they take.

tools/extras.py          a line for each: megabytes on disk without byte code, and how many packages

What a package needs is read from what is installed in this environment, which holds all extras; no index is asked.
"""

from __future__ import annotations

import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BLOCK = 512


def extras() -> list[str]:
    return [name for name in PROJECT["optional-dependencies"] if name != "all"]


def packages(extra: str = "") -> dict[str, Distribution]:
    """What is installed with the core, and with one extra, by name."""
    wanted = [Requirement(text) for text in PROJECT["dependencies"] + PROJECT["optional-dependencies"].get(extra, [])]
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, str]] = set()
    while wanted:
        one = wanted.pop()
        for of in ("", *sorted(one.extras)):
            key = canonicalize_name(one.name), of
            if key in seen:
                continue
            seen.add(key)
            found[key[0]] = dist = distribution(one.name)
            for text in dist.requires or ():
                needs = Requirement(text)
                if needs.marker is None or needs.marker.evaluate({"extra": of}):
                    wanted.append(needs)
    return found


def files(dist: Distribution) -> list[Path]:
    """The files of a package below site-packages, without byte code and programs."""
    named = dist.files or ()
    return [Path(str(file)) for file in named if ".." not in file.parts and "__pycache__" not in file.parts]


def size(names: dict[str, Distribution]) -> int:
    """Bytes on disk."""
    found = [Path(str(dist.locate_file(file))) for dist in names.values() for file in files(dist)]
    return sum(path.lstat().st_blocks * BLOCK for path in found if path.exists())


def own_size() -> int:
    """Bytes on disk of Remit itself."""
    found = [path for path in (ROOT / "src/remit").rglob("*") if "__pycache__" not in path.parts]
    return sum(path.lstat().st_blocks * BLOCK for path in found)


def main() -> None:
    own, core = own_size(), packages()
    print(
        f"{'core':10} {(own + size(core)) / 1e6:7.1f} MB  {len(core):3} packages, and Remit itself with {own / 1e6:.1f} MB"
    )
    for extra in extras():
        more = {name: dist for name, dist in packages(extra).items() if name not in core}
        print(f"{extra:10} {size(more) / 1e6:+7.1f} MB  {len(more):3} packages")


if __name__ == "__main__":
    main()
