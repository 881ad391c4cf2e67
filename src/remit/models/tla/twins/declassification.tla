---- MODULE declassification ----
\* Showing a value to an agent: a preview, an approver's word, and a commit; servers that are down and an executor that is silent.
EXTENDS Naturals

CONSTANTS
    Nothing, Bug,
    Open, Taken, Done, Refused, \* how far a transaction has come
    Low, High,                  \* how much harm a value does in the wrong place
    Handles,                    \* the handle that there is, one of these
    Callers, Sessions, Signed, Lives,
    Answers, Fine, Down,        \* what servers and executor say
    Items, Size,                \* so many values may be shown, and each has so many bytes
    Last                        \* the last second

VARIABLES
    handle,
    asks,      \* whether the policy wants an approver asked
    kept,      \* the transaction
    spent,     \* of the channel's budget
    now,
    confirmed, \* an approver signed what is previewed, and nobody said no
    gone,      \* the handle was given back, or its session is over
    shown,     \* what an agent saw, and how things stood
    often,     \* it was shown
    by_this    \* and by the transaction that is there

vars == <<handle, asks, kept, spent, now, confirmed, gone, shown, often, by_this>>

Init ==
    /\ handle \in Handles
    /\ asks \in BOOLEAN
    /\ kept = Nothing
    /\ spent = [items |-> 0, size |-> 0]
    /\ now = 0
    /\ confirmed = FALSE
    /\ gone = FALSE
    /\ shown = Nothing
    /\ often = 0
    /\ by_this = 0

\* The handle lets its value go to an agent.
Opens(caller, session) ==
    /\ (caller = handle.caller /\ session = handle.session) \/ Bug = "opens for every caller"
    /\ (~handle.revoked /\ now < handle.until) \/ Bug = "opens what is over"
    /\ handle.sensitivity # High \/ Bug = "shows values of high sensitivity"

\* A policy by which nobody is asked shows nothing.
Preview ==
    \E caller \in Callers, session \in Sessions:
        /\ IF kept = Nothing THEN TRUE ELSE kept.phase \in {Done, Refused}
        /\ Opens(caller, session)
        /\ asks \/ Bug = "asks nobody where the policy does not"
        /\ kept' = [caller |-> caller, session |-> session, confirm |-> asks, confirmation |-> Nothing,
                    phase |-> Open, until |-> now + Lives]
        /\ confirmed' = FALSE
        /\ by_this' = 0
        /\ UNCHANGED <<handle, asks, spent, now, gone, shown, often>>

Word == IF Bug = "waits for no approver" THEN Signed ELSE kept.confirmation

Commits(caller, session) ==
    /\ kept # Nothing
    /\ caller = kept.caller
    /\ session = kept.session
    /\ kept.phase = Open \/ Bug = "commits whatever the phase"
    /\ now < kept.until
    /\ kept.confirm => Word # Nothing

\* What the executor is handed is spent, whatever becomes of it.
Affordable == spent.items < Items \/ Bug = "does not count"
Spend == IF Bug = "does not count" THEN spent ELSE [items |-> spent.items + 1, size |-> spent.size + Size]

\* Until the executor is handed something, the transaction may be committed again; after that, never.
Commit ==
    \E caller \in Callers, session \in Sessions, answer \in Answers:
        /\ Commits(caller, session)
        /\ LET opened == Opens(caller, session) /\ Affordable
               handed == opened /\ answer # Down
               seen == handed /\ answer = Fine
           IN  /\ kept' = [kept EXCEPT !.phase = IF handed THEN Done ELSE Open, !.confirmation = Word]
               /\ spent' = IF handed THEN Spend ELSE spent
               /\ shown' = IF seen THEN [caller |-> caller, session |-> session, now |-> now, confirmed |-> confirmed,
                                         gone |-> gone] ELSE shown
               /\ often' = IF seen /\ often <= Items THEN often + 1 ELSE often
               /\ by_this' = IF seen /\ by_this < 2 THEN by_this + 1 ELSE by_this
        /\ UNCHANGED <<handle, asks, now, confirmed, gone>>

Confirm ==
    /\ kept # Nothing
    /\ now < kept.until
    /\ kept.phase = Open
    /\ kept.confirm
    /\ kept' = [kept EXCEPT !.confirmation = Signed]
    /\ confirmed' = TRUE
    /\ UNCHANGED <<handle, asks, spent, now, gone, shown, often, by_this>>

Refuse ==
    /\ kept # Nothing
    /\ kept.phase = Open
    /\ kept' = [kept EXCEPT !.phase = Refused, !.confirmation = Nothing]
    /\ confirmed' = FALSE
    /\ UNCHANGED <<handle, asks, spent, now, gone, shown, often, by_this>>

EndTheHandle ==
    /\ handle' = [handle EXCEPT !.revoked = TRUE]
    /\ gone' = TRUE
    /\ UNCHANGED <<asks, kept, spent, now, confirmed, shown, often, by_this>>

ASecondPasses ==
    /\ now < Last
    /\ now' = now + 1
    /\ UNCHANGED <<handle, asks, kept, spent, confirmed, gone, shown, often, by_this>>

Next == Preview \/ Commit \/ Confirm \/ Refuse \/ EndTheHandle \/ ASecondPasses

ShownWhenConfirmed == shown # Nothing => shown.confirmed
HighIsNotShown == shown # Nothing => handle.sensitivity = Low
ToItsCaller == shown # Nothing => shown.caller = handle.caller /\ shown.session = handle.session
WhileItLives == shown # Nothing => shown.now < handle.until /\ ~shown.gone
OnceForAWord == by_this <= 1
WithinTheBudget == often <= Items
====
