---- MODULE approvals ----
\* A question of the guard to a person: it is answered once, and an answer for one call admits one call.
EXTENDS Naturals

CONSTANTS
    Nothing, Bug,
    Pending, Once, Session, Denied, Spent, Expired, \* where a question can stand
    Answers, \* what may be answered
    Most     \* so many admitted calls are counted

VARIABLES
    state,
    answer,        \* the first that counted
    answered_late, \* an answer counted after the time was over
    over,
    admitted,      \* how many calls ran
    late           \* a call ran after the time was over

vars == <<state, answer, answered_late, over, admitted, late>>

Init ==
    /\ state = Pending
    /\ answer = Nothing
    /\ answered_late = FALSE
    /\ over = FALSE
    /\ admitted = 0
    /\ late = FALSE

Open(now) == now = Pending \/ (now = Denied /\ Bug = "lets a no be answered again")

Answer ==
    \E said \in Answers:
        /\ Open(state)
        /\ state' = said
        /\ state' # state
        /\ answer' = IF answer = Nothing THEN said ELSE answer
        /\ answered_late' = over
        /\ UNCHANGED <<over, admitted, late>>

Admits(now) == now \in {Once, Session} \/ (now = Pending /\ Bug = "admits what waits")

Try ==
    /\ Admits(state)
    /\ state' = IF state = Once /\ Bug # "does not spend an answer" THEN Spent ELSE state
    /\ admitted' = IF admitted < Most THEN admitted + 1 ELSE Most
    /\ late' = (late \/ over)
    /\ UNCHANGED <<answer, answered_late, over>>

TheTimeIsOver ==
    /\ over' = TRUE
    /\ state' = IF state \in {Pending, Once, Session} /\ Bug # "has no end" THEN Expired ELSE state
    /\ UNCHANGED <<answer, answered_late, admitted, late>>

Next == Answer \/ Try \/ TheTimeIsOver

OnceIsOnce == answer = Once => admitted <= 1

OnlyAYesAdmits == answer \notin {Once, Session} => admitted = 0

ANoIsFinal == answer = Denied => state = Denied

OverIsOver == over => ~late /\ ~answered_late
====
