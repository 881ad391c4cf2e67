---- MODULE server_actions ----
\* An action on a policy server: it signs only the answer to the question that was begun, for its commitment, in time.
EXTENDS Naturals

CONSTANTS
    Nothing, Bug,
    Commitments,
    Asked,  \* questions: pairs of a commitment and what is asked
    Until,  \* the second from which the action is over
    Last    \* the last second

VARIABLES
    entry,    \* what the server has under the action's name
    now,
    running,  \* computations that may still tell their answer
    begun,    \* what is being answered, and was not given up
    computed, \* and its answer was told
    replaced, \* something took its place while it lived
    signed    \* what was signed, when, of what, whether that was computed, and for whom

vars == <<entry, now, running, begun, computed, replaced, signed>>

Init ==
    /\ entry = Nothing
    /\ now = 0
    /\ running = {}
    /\ begun = Nothing
    /\ computed = FALSE
    /\ replaced = FALSE
    /\ signed = Nothing

\* The answer to a question is written as the question itself.
Entry(kind, asked, answer) ==
    [kind |-> kind, commitment |-> asked[1], question |-> asked[2], outputs |-> answer, tag |-> answer, until |-> Until]

Clock == IF Bug = "does not look at the clock" THEN 0 ELSE now
Known == IF entry # Nothing /\ Clock < entry.until THEN entry ELSE Nothing \* what is over is forgotten
Is(kind) == Known # Nothing /\ Known.kind = kind
About == <<Known.commitment, Known.question>>

Begin ==
    \E asked \in Asked:
        /\ Known = Nothing \/ Bug = "lets a new question replace the old"
        /\ Clock < Until
        /\ entry' = Entry("begun", asked, Nothing)
        /\ begun' = asked
        /\ computed' = FALSE
        /\ running' = running \cup {asked}
        /\ replaced' = (begun # Nothing /\ now < Until)
        /\ UNCHANGED <<now, signed>>

Answers(asked) == Is("begun") /\ (asked = About \/ Bug = "takes the answer to another question")

Decide ==
    \E asked \in running:
        /\ entry' = IF Answers(asked) THEN Entry("decided", About, asked) ELSE Known
        /\ computed' = (computed \/ (Answers(asked) /\ asked = begun))
        /\ running' = running \ {asked}
        /\ UNCHANGED <<now, begun, replaced, signed>>

\* It is given up here, and may still tell its answer later.
Fail ==
    \E asked \in Asked:
        /\ Is("begun")
        /\ asked = About
        /\ entry' = Nothing
        /\ begun' = Nothing
        /\ computed' = FALSE
        /\ UNCHANGED <<now, running, replaced, signed>>

Commit ==
    \E commitment \in Commitments:
        /\ \/ /\ Is("decided")
              /\ commitment = Known.commitment \/ Bug = "does not compare the commitment"
           \/ Is("begun") /\ Bug = "signs what is not decided"
        /\ signed' = <<[Known EXCEPT !.kind = "decided"], now, begun, computed, commitment>>
        /\ UNCHANGED <<entry, now, running, begun, computed, replaced>>

ASecondPasses ==
    /\ now < Last
    /\ now' = now + 1
    /\ UNCHANGED <<entry, running, begun, computed, replaced, signed>>

Next == Begin \/ Decide \/ Fail \/ Commit \/ ASecondPasses

SignedWhatWasComputed ==
    signed # Nothing =>
        LET asked == <<signed[1].commitment, signed[1].question>> IN
        /\ signed[4]
        /\ signed[3] = asked
        /\ signed[1].outputs # Nothing
        /\ signed[1].outputs = asked
        /\ signed[1].tag = asked

SignedInTime == signed # Nothing => signed[2] < Until
SignedForItsCommitment == signed # Nothing => signed[5] = signed[1].commitment
WhatIsBegunStays == begun # Nothing => ~replaced
====
