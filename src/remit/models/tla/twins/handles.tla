---- MODULE handles ----
\* A handle of the gateway: its value goes only to a sink that it may reach, for its caller in its session, while it lives.
EXTENDS Naturals

CONSTANTS
    Nothing, Bug,
    Low, High,               \* how much harm a value does in the wrong place
    Runtime, Anywhere, Nowhere,
    Minted,                  \* what can be minted under one name
    Callers, Sessions, Sinks,
    Last                     \* the last second

VARIABLES
    kept,  \* what the store has
    now,
    first, \* what was minted under this name
    gone,  \* its caller gave it back, or its session ended
    went   \* the value that was let go

vars == <<kept, now, first, gone, went>>

Init ==
    /\ kept = Nothing
    /\ now = 0
    /\ first = Nothing
    /\ gone = FALSE
    /\ went = Nothing

\* The second that the code looks at.
Clock == IF Bug = "does not look at the clock" THEN 0 ELSE now

Mint ==
    \E one \in Minted:
        /\ kept = Nothing \/ Bug = "mints over what is there"
        /\ Clock < one.until
        /\ kept' = one
        /\ first' = IF first = Nothing THEN one ELSE first
        /\ UNCHANGED <<now, gone, went>>

\* `*` is no agent, and no address without a host.
Within(sink, sinks) == sink \in sinks \/ (Anywhere \in sinks /\ sink \notin {Runtime, Nowhere})

Reaches(one, sink) ==
    \/ /\ Within(sink, one.sinks)
       /\ sink = Runtime => one.sensitivity # High \/ Bug = "shows values of high sensitivity"
    \/ Anywhere \in one.sinks /\ Bug = "counts the agent as anywhere"

Use ==
    \E session \in Sessions, caller \in Callers, sink \in Sinks:
        /\ kept # Nothing
        /\ session = kept.session \/ Bug = "does not look at the session"
        /\ caller = kept.caller \/ Bug = "does not look at the caller"
        /\ ~kept.revoked \/ Bug = "uses what was given back"
        /\ Clock < kept.until
        /\ Reaches(kept, sink)
        /\ went' = [session |-> session, caller |-> caller, sink |-> sink, now |-> now, gone |-> gone]
        /\ UNCHANGED <<kept, now, first, gone>>

GiveBack ==
    \E session \in Sessions, caller \in Callers:
        /\ kept # Nothing
        /\ \/ session = kept.session /\ caller = kept.caller /\ ~kept.revoked
           \/ Bug = "lets anyone give it back"
        /\ kept' = [kept EXCEPT !.revoked = TRUE]
        /\ gone' = (gone \/ (session = first.session /\ caller = first.caller))
        /\ UNCHANGED <<now, first, went>>

EndTheSession ==
    \E session \in Sessions:
        /\ IF Bug = "goes on after the session" THEN kept' = kept
           ELSE /\ kept # Nothing
                /\ session = kept.session
                /\ kept' = [kept EXCEPT !.revoked = TRUE]
        /\ gone' = (gone \/ session = "s")
        /\ UNCHANGED <<now, first, went>>

ASecondPasses ==
    /\ now < Last
    /\ now' = now + 1
    /\ UNCHANGED <<kept, first, gone, went>>

Next == Mint \/ Use \/ GiveBack \/ EndTheSession \/ ASecondPasses

ItsCallerAlone == went # Nothing => went.session = first.session /\ went.caller = first.caller
GoneIsGone == went # Nothing => ~went.gone
InTime == went # Nothing => went.now < first.until
HighIsNotShown == went # Nothing => (went.sink = Runtime => first.sensitivity = Low)
WithinItsSinks == went # Nothing => Within(went.sink, first.sinks)
OnlyItsCallerEndsIt == kept # Nothing => (kept.revoked => gone)
NeverReplaced == first # Nothing => kept # Nothing /\ [kept EXCEPT !.revoked = FALSE] = first
====
