"""A release of the commit that is checked out: wheel, sdist, bill of materials, our own skill with its proof, sums, and a signed statement.

tools/release.py build OUT                 wheel, sdist and bill of materials; the same bytes wherever and whenever
tools/release.py sign OUT --key FILE       proves our skill, writes SHA256SUMS and attestation.json
tools/release.py verify OUT --key FILE     exit status 1 unless every byte is what the key signed (--rebuild: and what the source gives)
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import release_statement
from release_statement import ATTESTATION, SUMS, ReleaseError
from sbom import sbom

from remit.version import VERSION

ROOT = Path(__file__).resolve().parents[1]
WHEEL, SDIST = f"remit-{VERSION}-py3-none-any.whl", f"remit-{VERSION}.tar.gz"
SBOM, SKILL = f"remit-{VERSION}.cdx.json", f"remit-skill-{VERSION}.tar.gz"
ARTIFACTS = (WHEEL, SDIST, SBOM, SKILL)


def git(*words: str) -> bytes:
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True).stdout


def commit() -> tuple[str, int]:
    """The commit that is released, and its time."""
    name, _, seconds = git("log", "-1", "--format=%H %ct").decode().strip().partition(" ")
    return name, int(seconds)


def source(place: Path) -> None:
    """The committed files and nothing else: no file that somebody forgot, and modes that no umask changed."""
    with tarfile.open(fileobj=io.BytesIO(git("archive", "--format=tar", "HEAD"))) as archive:
        archive.extractall(place, filter="data")


def build(out: Path) -> None:
    """Wheel, sdist and bill of materials of the commit."""
    out.mkdir(parents=True, exist_ok=True)
    if left := [file.name for file in out.iterdir() if file.name not in (*ARTIFACTS, SUMS, ATTESTATION)]:
        raise ReleaseError(f"`{out}` holds {', '.join(sorted(left))}: give an empty folder")
    with tempfile.TemporaryDirectory(prefix="remit-release-") as place:
        source(Path(place))
        env = {**os.environ, "SOURCE_DATE_EPOCH": str(commit()[1]), "PYTHONHASHSEED": "0"}
        env.pop("PYTHONPATH", None)
        how = (
            "--offline",
            "--no-build-isolation",
            "--no-create-gitignore",
            "--sdist",
            "--wheel",
            "--python",
            sys.executable,
        )
        command = [Path(sys.executable).with_name("uv"), "build", "-q", *how, "-o", str(out.absolute())]
        done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ReleaseError(done.stderr[-2_000:])
        (out / SBOM).write_bytes(sbom(Path(place)))


def sign(out: Path, key: Path) -> None:
    """Prove our own skill, and sign for everything that lies in the folder."""
    with tempfile.TemporaryDirectory(prefix="remit-release-") as place:
        source(Path(place, "source"))
        skill = Path(place, "remit")
        shutil.copytree(Path(place, "source", "skills", "remit"), skill)
        record = Path(place, "record.json")
        run_remit("test", str(skill), "--quiet", "--output", str(record))
        run_remit("prove", str(skill), "--key", str(key), "--tests", str(record))
        (out / SKILL).write_bytes(packed(skill, commit()[1]))
    name, seconds = commit()
    release_statement.sign(out, ARTIFACTS, key, name, seconds)


def packed(folder: Path, seconds: int) -> bytes:
    """A folder as tar.gz in which nothing of the machine stands."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            info = archive.gettarinfo(path, f"{folder.name}/{path.relative_to(folder)}")
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            info.mtime, info.mode = seconds, 0o755 if path.is_dir() else 0o644
            archive.addfile(info, path.open("rb") if path.is_file() else None)
    return gzip.compress(plain.getvalue(), mtime=seconds)


def verify(out: Path, key: Path, *, rebuild: bool) -> None:
    """Every file is what was signed; our skill is what its proof says; the source gives the same wheel and sdist."""
    said = release_statement.verify(out, ARTIFACTS, key)
    with tempfile.TemporaryDirectory(prefix="remit-verify-") as place:
        with tarfile.open(out / SKILL) as archive:
            archive.extractall(place, filter="data")
        root = Path(place, "trust.json")
        state = {"XDG_STATE_HOME": str(Path(place, "state")), "XDG_CACHE_HOME": str(Path(place, "cache"))}
        run_remit(
            "keys", "trust", str(root), "--add", str(key), "--name", "release", "--level", "formal", "--root", **state
        )
        run_remit("verify", str(Path(place, "remit")), "--trust-root", str(root), **state)
        if rebuild:
            if said != commit()[0]:
                raise ReleaseError(f"the release is of commit {said}: check that out first")
            build(Path(place, "again"))
            for name in (WHEEL, SDIST, SBOM):
                if digest(out / name) != digest(Path(place, "again", name)):
                    raise ReleaseError(f"`{name}` is not what the source gives")


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def run_remit(*words: str, **env: str) -> None:
    command = [sys.executable, "-P", "-c", "import sys; from remit.cli import main; sys.exit(main())", *words]
    done = subprocess.run(command, env={**os.environ, **env}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"remit {words[0]}: {done.stdout[-1_000:]}{done.stderr[-1_000:]}")


def main() -> int:
    options = argparse.ArgumentParser(description="build, sign or verify a release")
    options.add_argument("action", choices=("build", "sign", "verify"))
    options.add_argument("out", type=Path)
    options.add_argument("--key", type=Path, help="sign: the private key; verify: the public one")
    options.add_argument("--rebuild", action="store_true", help="build anew, and compare")
    args = options.parse_args()
    if args.action != "build" and args.key is None:
        options.error("give a key: KEY=release.key (`remit keys new release.key` makes one)")
    try:
        match args.action:
            case "build":
                build(args.out)
            case "sign":
                sign(args.out, args.key)
            case _:
                verify(args.out, args.key, rebuild=args.rebuild)
    except ReleaseError as error:
        print(f"release: refused: {error}", file=sys.stderr)
        return 1
    for file in sorted(args.out.iterdir()):
        print(f"{digest(file)}  {file.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
