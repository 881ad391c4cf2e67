# What sentences tell the agent to do. Three kinds of lines:
#
#   do CAPABILITY [POINTS] : verbs : objects       a verb that is asked for, and what it is done to, later in the clause
#   make CAPABILITY [POINTS] : verbs : objects     the same, but the object follows at once: nothing behind a preposition counts
#                         [: words]               none of which may stand later in the clause: they speak against it
#   say CAPABILITY POINTS : phrase | phrase …      words that stand side by side, whatever the verb
#
# Verbs stand in their base form; the reader knows their other forms. Four points are enough alone; fewer are a hint.

do source.read : read review search analyze analyse inspect grep explore trace audit scan examine understand study locate find identify check map investigate navigate walk look_at look_for detect enumerate skim verify diff debug profile : @code ~source pattern_in import dependency diff change entry_point implementation usage call vulnerability code_path
do source.write : write create implement add modify edit refactor fix generate build develop scaffold update rewrite replace migrate port extend wire rename optimize optimise instrument define insert remove apply patch customize adapt convert configure integrate : @codewritten
say source.execute 4 : run the tests | run tests | run the test suite | run all tests | run the script | run scripts | execute the script | run the code | run the program | execute the code | run your tests
say source.execute 2 : test suite | tests pass
