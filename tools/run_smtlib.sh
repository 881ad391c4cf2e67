#!/bin/sh
# Runs the SMT-LIB file of a bundle through z3 or cvc5: sh run_smtlib.sh sessions.smt2 [z3|cvc5]
# `check_bundle.py SKILL --key KEY --write FOLDER` writes sessions.smt2. Each obligation holds if every answer is `unsat`.
set -eu
case "${2:-z3}" in
    z3) said=$(z3 "$1") ;;
    cvc5) said=$(cvc5 --incremental --decision=internal --simplification=none "$1") ;;
    *) echo "give z3 or cvc5" >&2; exit 2 ;;
esac
asked=$(grep -c '(check-sat)' "$1")
held=$(printf '%s\n' "$said" | grep -cx unsat || true)
echo "$held of $asked answers are unsat"
[ "$held" -eq "$asked" ] && [ "$(printf '%s\n' "$said" | wc -l)" -eq "$asked" ]
