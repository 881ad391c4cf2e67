---- MODULE transactions ----
\* A transaction of the gateway: what was shown is committed once, by its caller, in its session, in time.
EXTENDS Naturals

CONSTANTS
    Nothing, Bug,
    Open, Taken, Done, Refused, \* how far a transaction has come
    Begun,                      \* what can be begun under one name
    Callers, Sessions, Requests, Previews, Right, Shown, Signed,
    Last                        \* the last second

VARIABLES
    kept,      \* what the store has
    now,
    first,     \* what was begun under this name
    confirmed, \* an approver signed what was shown
    refused,   \* a person said no
    taken,     \* the commit that went through
    handed     \* how often it went to the executor

vars == <<kept, now, first, confirmed, refused, taken, handed>>

Init ==
    /\ kept = Nothing
    /\ now = 0
    /\ first = Nothing
    /\ confirmed = FALSE
    /\ refused = FALSE
    /\ taken = Nothing
    /\ handed = 0

Begin ==
    \E one \in Begun:
        /\ kept = Nothing \/ Bug = "begins over what is there"
        /\ one.phase = Open
        /\ now < one.until
        /\ kept' = one
        /\ first' = IF first = Nothing THEN one ELSE first
        /\ UNCHANGED <<now, confirmed, refused, taken, handed>>

\* An approver's word is for one request and for what was shown of it.
IsFor(request, preview) ==
    \/ request = kept.commitment /\ preview = kept.preview
    \/ Bug = "takes an approver's word for anything"

Confirm ==
    \E request \in Requests, preview \in Previews:
        /\ kept # Nothing
        /\ now < kept.until
        /\ kept.phase = Open
        /\ kept.confirm
        /\ IsFor(request, preview)
        /\ kept' = [kept EXCEPT !.confirmation = Signed]
        /\ confirmed' = (confirmed \/ (request = Right /\ preview = Shown))
        /\ UNCHANGED <<now, first, refused, taken, handed>>

Refuse ==
    /\ kept # Nothing
    /\ kept.phase = Open
    /\ kept' = [kept EXCEPT !.phase = Refused, !.confirmation = Nothing]
    /\ refused' = TRUE
    /\ UNCHANGED <<now, first, confirmed, taken, handed>>

IsOpen == kept.phase = Open \/ Bug \in {"commits whatever the phase", "commits what was refused"}
InTime_ == now < kept.until \/ Bug = "does not look at the clock"
Word == IF Bug = "waits for no approver" THEN Signed ELSE kept.confirmation

Commit ==
    \E caller \in Callers, session \in Sessions, request \in Requests:
        /\ kept # Nothing
        /\ caller = kept.caller \/ Bug = "does not look at the caller"
        /\ session = kept.session \/ Bug = "does not look at the session"
        /\ IsOpen
        /\ InTime_
        /\ request = kept.commitment \/ Bug = "does not look at the request"
        /\ kept.confirm => Word # Nothing
        /\ kept' = [kept EXCEPT !.phase = Taken, !.confirmation = Word]
        /\ taken' = [caller |-> caller, session |-> session, commitment |-> request, now |-> now,
                     confirmed |-> confirmed, refused |-> refused]
        /\ UNCHANGED <<now, first, confirmed, refused, handed>>

\* No proofs could be had, and nothing was handed on.
Release ==
    /\ kept # Nothing
    /\ kept.phase = Taken \/ Bug = "releases what was handed over"
    /\ kept' = [kept EXCEPT !.phase = Open]
    /\ UNCHANGED <<now, first, confirmed, refused, taken, handed>>

HandOver ==
    /\ kept # Nothing
    /\ kept.phase = Taken
    /\ kept' = [kept EXCEPT !.phase = Done]
    /\ handed' = IF handed < 2 THEN handed + 1 ELSE 2 \* more than twice is the same
    /\ UNCHANGED <<now, first, confirmed, refused, taken>>

ASecondPasses ==
    /\ now < Last
    /\ now' = now + 1
    /\ UNCHANGED <<kept, first, confirmed, refused, taken, handed>>

Next == Begin \/ Confirm \/ Refuse \/ Commit \/ Release \/ HandOver \/ ASecondPasses

HandedOnce == handed < 2
ByItsCaller == taken # Nothing => taken.caller = first.caller
InItsSession == taken # Nothing => taken.session = first.session
WhatWasShown == taken # Nothing => taken.commitment = first.commitment
InTime == taken # Nothing => taken.now < first.until
Confirmed == taken # Nothing => (first.confirm => taken.confirmed)
ANoIsFinal == taken # Nothing => ~taken.refused

\* An approver's word and the phase are no part of what is bound.
Bound(one) == [one EXCEPT !.confirmation = Nothing, !.phase = Open]
NeverReplaced == first # Nothing => kept # Nothing /\ Bound(kept) = Bound(first)
====
