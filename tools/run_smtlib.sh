#!/bin/sh
# Runs the SMT-LIB file of a bundle through z3 or cvc5: sh run_smtlib.sh sessions.smt2 [z3|cvc5]
# Each is the program on PATH, or else the module of that name in python3 (or $PYTHON).
# `check_bundle.py SKILL --key KEY --write FOLDER` writes sessions.smt2. Each obligation holds if every answer is `unsat`.
set -eu
python=${PYTHON:-python3}
case "${2:-z3}" in
    z3) set -- "$1" z3 ;;
    cvc5) set -- "$1" cvc5 --incremental --decision=internal --simplification=none ;;
    *) echo "give z3 or cvc5" >&2; exit 2 ;;
esac
file=$1 solver=$2
shift
if command -v "$solver" >/dev/null; then
    said=$("$@" "$file")
elif [ "$solver" = z3 ]; then
    said=$("$python" -c 'import sys, z3; print(z3.Z3_eval_smtlib2_string(z3.main_ctx().ref(), open(sys.argv[1]).read()), end="")' "$file")
else
    said=$("$python" - "$file" "$@" <<'END'
import sys, cvc5
solver, parser = cvc5.Solver(), None
for option in sys.argv[3:]:
    name, _, value = option.removeprefix("--").partition("=")
    solver.setOption(name, value or "true")
parser = cvc5.InputParser(solver)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, parser.getSymbolManager()), end="")
END
    )
fi
asked=$(grep -c '(check-sat)' "$file")
held=$(printf '%s\n' "$said" | grep -cx unsat || true)
echo "$held of $asked answers are unsat"
[ "$held" -eq "$asked" ] && [ "$(printf '%s\n' "$said" | wc -l)" -eq "$asked" ]
