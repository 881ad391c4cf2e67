# What sentences tell the agent to run: see systems.lex for the kinds of lines.

make shell.execute : run execute invoke re-run rerun launch : command commands ~command cli shell_command bash_command build builds build_command test_command verification verifications verification_command linter linters lint type_checker typecheck formatter benchmark benchmarks harness eval_harness suite binary profiler compiler scanner
make shell.execute : build compile : project solution binary
do shell.execute : use call invoke run : cli command-line_tool gh_cli bash terminal
say shell.execute 4 : cli tool | in the terminal | shell out to | bash tool | run the cli | from the command line
say shell.execute 4 : project compiles | project builds | build succeeds | build passes
say shell.execute 2 : shell commands | cli | command line | command-line
