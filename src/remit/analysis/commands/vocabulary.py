"""The words that a command summary may use: capabilities, actions and functions of values."""

from __future__ import annotations

# What an action does is in `actions.py`; the two lists are compared by a test.
VERBS = frozenset(
    """
    run sh shell code script module opaque assume program url post argfile upload curlconfig variable nested filter
    findrun chdir link forget steered setting settings remote runpackage uvrun bunrun localpackage projectscript lifecycle
    ffinput ffoutput opentarget argurl makefile tests keys service credential metadata field maybefile workfiles
    """.split()  # a table reads better than a list
)

FUNCTIONS = frozenset(
    """
    any num seg token ref none cwd temp tree found into join under dirname basename stem series picture derived picked number row first built content echo printf decode before
    ending numbered page parents pattern after local host spec suffix union only but written quoted env without shown database date subst expand vendor registry
    """.split()  # a table reads better than a list
)
