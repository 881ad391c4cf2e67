#!/usr/bin/env python3
"""Checks a bundle without Remit: python3 check_bundle.py SKILL --key author.key.pub [--drat-trim PROGRAM] [--write DIR]

It needs Python 3.11 or later and `cryptography`, and imports nothing of Remit. It finds out that the signature is that of the key, that the
files of the skill and of evidence/ are those that were signed, and, at the level `formal`, that the refutations of Method C hold: by unit
propagation here, and by drat-trim where there is one. --write leaves the DIMACS, DRAT and SMT-LIB files for other tools.

It does not find out that the clauses are those of this skill, nor what the skill's code does: `remit verify` generates and analyses both anew.
Exit status: 0 all of that holds, 1 something does not, 2 the command line is wrong.
"""

import argparse
import base64
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

LEVELS = {"declared": set(), "tested": {"tests.json"}, "formal": {"tests.json", "types.proof", "smt.unsat"}}
# without one of these clauses, counted from the last, an obligation must be satisfiable
RESTS_ON = {"base": [1], "step": [1, 3], "safe": [1, 2]}
MOST = 8 * 1024 * 1024


def need(holds, why):
    if not holds:
        raise ValueError(why)


def parsed(data):
    """JSON in which no key occurs twice."""

    def once(pairs):
        need(len(dict(pairs)) == len(pairs), "a key occurs twice in JSON")
        return dict(pairs)

    return json.loads(data, object_pairs_hook=once)


def signed(data, key):
    """The statement in an envelope, if the key signed it."""
    envelope = parsed(data)
    kind, payload = envelope["payloadType"], base64.b64decode(envelope["payload"], validate=True)
    need(kind == "application/vnd.in-toto+json", "the envelope holds something else than a statement")
    keyid = hashlib.sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()
    found = [base64.b64decode(one["sig"], validate=True) for one in envelope["signatures"] if one["keyid"] == keyid]
    need(found, f"the key {keyid} did not sign it")
    key.verify(found[0], b"DSSEv1 %d %b %d %b" % (len(kind), kind.encode(), len(payload), payload))
    return parsed(payload)


def walk(root):
    """Files, those that can be started, and links, by path. What no statement binds is refused."""
    files, executables, links = {}, [], {}
    for folder, folders, names in os.walk(root):
        here = Path(folder)
        need(names or folders or here == root, f"{here.relative_to(root)} is an empty folder")
        need(".git" not in {name.lower() for name in (*names, *folders)}, "a repository lies in the folder, unbound")
        for name in (*names, *(one for one in folders if (here / one).is_symlink())):
            path, inner = here / name, (here / name).relative_to(root).as_posix()
            state = path.lstat()
            need(stat.S_ISREG(state.st_mode) or stat.S_ISLNK(state.st_mode), f"{inner} is no plain file")
            if stat.S_ISLNK(state.st_mode):
                target = path.resolve()
                need(target.exists() and target.is_relative_to(root), f"{inner} leads out of the skill, or to nothing")
                links[inner] = target.relative_to(root).as_posix()
                if target.is_dir():
                    continue
            mode = path.stat().st_mode
            need(not mode & 0o6000, f"{inner} has a setuid or setgid bit")
            files[inner] = hashlib.sha256(path.read_bytes()).hexdigest()
            executables += [inner] * bool(mode & 0o111)
    return files, sorted(executables), links


def bound(root, statement):
    """The predicate, if the files and the evidence are those that were signed."""
    need(statement["_type"] == "https://in-toto.io/Statement/v1", "it is no statement of in-toto")
    need(statement["predicateType"] == "urn:remit:containment:v1", "it is no statement of a bundle")
    said = statement["predicate"]
    files, executables, links = walk(root)
    evidence = {path.removeprefix("evidence/"): files.pop(path) for path in list(files) if path.startswith("evidence/")}
    attested = {item["name"]: item["digest"]["sha256"] for item in statement["subject"]}
    need(len(attested) == len(statement["subject"]), "a file is attested twice")
    for path in sorted(files.keys() | attested.keys()):
        need(files.get(path) == attested.get(path), f"{path} is not what was signed")
    need(executables == said["executables"] and links == said["links"], "modes or links are not those that were signed")
    need(evidence.pop("manifest.attest.json", None), "there is no attestation")
    digests = {name: f"sha256:{found}" for name, found in evidence.items()}
    need(digests == said["evidence"], "evidence is not what was signed")
    need({"static.json"} | LEVELS[said["level"]] <= digests.keys(), "evidence of the level is missing")
    return said


def clauses(text):
    found = [list(map(int, line.split())) for line in text.splitlines() if line[:1] not in {"c", "p"}]
    need(all(line and line.index(0) == len(line) - 1 for line in found), "a clause does not end with its first 0")
    return [line[:-1] for line in found]


def refuted(given, proof):  # noqa: C901  one refusal for each reason
    """Whether each clause of a proof follows from those before it by unit propagation, and the last is empty."""
    units, falsified_by = [], {}  # clauses of one literal or none; and clauses by what makes a literal of them false

    def add(clause):
        if len(set(clause)) < 2:
            units.append(clause)
        for literal in set(clause):
            falsified_by.setdefault(-literal, []).append(clause)

    def contradicts(true):
        waiting, looked_at = list(true), units
        while True:
            for clause in looked_at:
                left = {literal for literal in clause if -literal not in true}
                if not left:
                    return True
                if len(left) == 1 and not left & true:
                    true |= left
                    waiting += left
            if not waiting:
                return False
            looked_at = falsified_by.get(waiting.pop(), [])

    for clause in given:
        add(clause)
    for clause in proof:
        if any(-literal in clause for literal in clause) or not contradicts({-literal for literal in clause}):
            return False
        if not clause:
            return True
        add(clause)
    return False


def certificates(found, trimmer, folder):
    """The refutations of Method C hold, and none of them holds only because its clauses say nothing."""
    need([one["obligation"] for one in found] == list(RESTS_ON), "the obligations are not `base`, `step` and `safe`")
    for one in found:
        name, given, models = one["obligation"], clauses(one["dimacs"]), one["models"]
        variables = max((abs(literal) for clause in given for literal in clause), default=0)
        need(one["dimacs"].startswith(f"p cnf {variables} {len(given)}\n"), f"{name}: the head of DIMACS is wrong")
        need([model["without"] for model in models] == RESTS_ON[name], f"{name}: it is not shown to rest on its claims")
        for model in models:
            at, true = len(given) - model["without"], set(model["true"])
            need(at >= 0 and len(given[at]) == 1, f"{name}: a claim is missing")
            rest = given[:at] + given[at + 1 :]
            satisfied = all(any((abs(literal) in true) == (literal > 0) for literal in clause) for clause in rest)
            need(satisfied, f"{name}: its clauses contradict each other without the claim, too")
        need(refuted(given, clauses(one["drat"])), f"{name}: the refutation does not follow")
        cnf, drat = folder / f"{name}.cnf", folder / f"{name}.drat"
        cnf.write_text(one["dimacs"])
        drat.write_text(one["drat"])
        if trimmer:
            done = subprocess.run([trimmer, cnf, drat], capture_output=True, text=True, check=False)
            need("s VERIFIED" in done.stdout, f"{name}: {trimmer} does not accept the refutation")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("skill", type=Path)
    parser.add_argument("--key", type=Path, required=True, help="the public key of the signer, as PEM")
    parser.add_argument("--drat-trim", default=shutil.which("drat-trim"), help="default: the one on PATH, if there is")
    parser.add_argument("--write", type=Path, help="a folder for the files of the proof")
    args = parser.parse_args()
    try:
        pem, root = args.key.read_bytes(), args.skill.resolve()
        key = load_pem_public_key(pem[pem.index(b"-----BEGIN") :])
        said = bound(root, signed((root / "evidence/manifest.attest.json").read_bytes()[:MOST], key))
        if said["level"] == "formal":
            proof = parsed((root / "evidence/smt.unsat").read_bytes()[:MOST])
            need(proof["verdict"] == {"name": "proved"}, "the evidence says that nothing is proved")
            need(proof["manifest"] == said["manifest"]["digest"], "the evidence is of another manifest")
            with tempfile.TemporaryDirectory() as name:
                folder = args.write or Path(name)
                folder.mkdir(exist_ok=True)
                certificates(proof["certificates"], args.drat_trim, folder)
                (folder / "sessions.smt2").write_text(proof["instance"]["text"])
            print(f"refutations: hold, {f'also by {args.drat_trim}' if args.drat_trim else 'drat-trim was not asked'}")
    except InvalidSignature:
        sys.exit("refused: the signature does not hold")
    except (OSError, KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        sys.exit(f"refused: {error}")
    print(f"{said['skill']} {said['version']}: signed at the level `{said['level']}`, and nothing was changed")


if __name__ == "__main__":
    main()
