"""Test files for what a change touches, one a line: `make quick` runs them.

A change is what differs from `main`, else the last commit. A test file is run if it was changed, or names a changed module of Remit or
a changed helper in its folder. Where no test names a module, its package counts, and so on up. Tests of whole systems are left
to `make test`.
"""

import subprocess
from pathlib import Path

WHOLE = {
    "attacks",
    "fuzz",
    "hosts",
    "mutation",
    "reality",
    "release",
    "web",
}  # seconds for each test, or all of Remit at once
BY_DATA = {
    "analysis/data/commands": "commands",
    "analysis/data": "analysis",
    "core/data": "core",
    "findings/data": "findings",
}
ALWAYS = "tests/rules/test_structure.py"
SLOW = (
    "test_commands_run",
    "test_doors",
    "test_mcp_program",
    "test_rooms",
    "test_sessions_agreement",
    "test_types_",
    "test_walls_",
)
MOST = 15  # files of tests; those of the folder of the changed package come first


def changed() -> list[str]:
    """The changed files, committed or not."""
    for base in ("main...HEAD", "HEAD", "HEAD~1"):
        found = git("diff", "--name-only", "--diff-filter=d", base) + git("ls-files", "-o", "--exclude-standard")
        found += git("diff", "--name-only", "--diff-filter=d", "HEAD")
        if found:
            return sorted(set(found))
    return []


def git(*words: str) -> list[str]:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=False).stdout.split("\n")[:-1]


def of_module(path: str, texts: dict[str, str]) -> list[str]:
    """Tests that name a module of Remit, or else the package that it lies in."""
    inner = path.removeprefix("src/remit/")
    folder = next((folder for start, folder in BY_DATA.items() if inner.startswith(f"{start}/")), None)
    if folder:
        return [test for test in texts if test.startswith(f"tests/{folder}/")]
    parts = Path(inner).with_suffix("").parts
    for end in range(len(parts), 0, -1):
        package, name = ".".join(("remit", *parts[: end - 1])), parts[end - 1]
        named = [
            test
            for test, text in texts.items()
            if f"{package}.{name}" in text or f"from {package} import {name}" in text
        ]
        if named:
            return sorted(named, key=lambda test: not test.startswith(f"tests/{parts[0]}/"))
    return []


def touched(files: list[str], texts: dict[str, str]) -> list[str]:
    """The test files for these changed files, the nearest first."""
    found = [file for file in files if file in texts]
    for file in files:
        if file.startswith("src/remit/"):
            found += of_module(file, texts)
        elif file.startswith("tests/") and file not in texts:
            near = f"{Path(file).parent}/"
            found += [test for test, text in texts.items() if test.startswith(near) and Path(file).stem in text]
        elif file.endswith(".md"):
            found.append("tests/docs/test_docs.py")
    return [*dict.fromkeys(found)][:MOST]


def main() -> None:
    tests = {str(path): path.read_text("utf-8") for path in sorted(Path("tests").rglob("test_*.py"))}
    near = {
        path: text
        for path, text in tests.items()
        if path.split("/")[1] not in WHOLE and not Path(path).name.startswith(SLOW)
    }
    files = changed()
    own = {file: tests[file] for file in files if file in tests}
    print("\n".join(dict.fromkeys([*touched(files, {**near, **own}), ALWAYS])))


if __name__ == "__main__":
    main()
