"""The words that a command summary may use: capabilities, actions and functions of values."""

from __future__ import annotations

# What an action does is in `actions.py`; the two lists are compared by a test.
VERBS = frozenset(
    """
    run sh shell code script module opaque assume awk sed jq url post argfile curlconfig variable nested filter
    findrun chdir forget steered setting remote runpackage uvrun bunrun localpackage projectscript lifecycle
    ffinput ffoutput fffilter opentarget argurl sqlite makefile tests keys service credential metadata
    """.split()  # a table reads better than a list
)

FUNCTIONS = frozenset(
    """
    any num seg token ref none cwd temp tree into join under dirname basename stem series picture derived picked number row first built content echo printf decode before
    after local host spec suffix union only but written quoted env without date subst expand
    """.split()  # a table reads better than a list
)
