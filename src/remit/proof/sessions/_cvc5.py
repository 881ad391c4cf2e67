"""Runs cvc5 on an SMT-LIB text from standard input, as a separate program so that it can be limited and killed."""

import sys

import cvc5

solver = cvc5.Solver()
solver.setOption("incremental", "true")
solver.setOption("produce-models", "true")
solver.setOption("rlimit-per", sys.argv[1])  # steps for each question
# without these, the time grows exponentially with the turns
solver.setOption("decision", "internal")
solver.setOption("simplification", "none")
parser = cvc5.InputParser(solver)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "sessions")
symbols = parser.getSymbolManager()
while not (command := parser.nextCommand()).isNull():
    print(str(command.invoke(solver, symbols)).strip())  # noqa: T201
