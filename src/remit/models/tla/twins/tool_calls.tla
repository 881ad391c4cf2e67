------------------------------ MODULE tool_calls -----------------------------
(* Calls of tools in one session: the policy is changed whenever it likes,    *)
(* the model calls what it likes.                                             *)
EXTENDS Integers, Sequences, FiniteSets, _Twin
CONSTANTS Tools, Ids  \* in their order
VARIABLES session, policy, ran, runs, asked
vars == <<session, policy, ran, runs, asked>>

Range(seq) == {seq[i] : i \in DOMAIN seq}
Places == DOMAIN Ids
Init == /\ policy \in SUBSET Range(Tools)
        /\ session = [allowed |-> policy, shown |-> {}, waiting |-> <<>>]
        /\ ran = Nothing /\ runs = [place \in Places |-> 0] /\ asked = [place \in Places |-> Nothing]

------------------- (* the step, and how it is spoiled *) --------------------
Is(after, refused) == [session |-> after, refused |-> refused]
Waiting(id) == SelectSeq(session.waiting, LAMBDA one : one.id = id)

Reloaded(allowed) ==
    CASE Bug = "goes on showing" -> [session EXCEPT !.allowed = allowed]
      [] Bug = "keeps what it had" -> [session EXCEPT !.allowed = @ \union allowed, !.shown = @ \intersect allowed]
      [] OTHER -> [session EXCEPT !.allowed = allowed, !.shown = @ \intersect allowed]

Shown == [session EXCEPT !.shown = IF Bug = "shows everything" THEN Range(Tools) ELSE session.allowed]

Adds(call) == Is([session EXCEPT !.waiting = Append(@, call)], "")
Called(call) ==
    LET few == Len(session.waiting) < 2
        in  == call.tool \in session.allowed
    IN  CASE Bug = "takes a name twice" -> IF few THEN Adds(call) ELSE Is(session, "X")
          [] Bug = "runs another tool" /\ in /\ few -> Adds(IF "read" \in session.allowed THEN [call EXCEPT !.tool = "read"] ELSE call)
          [] OTHER -> IF ~in THEN Is(session, "TOOL_DENIED")
                      ELSE IF Waiting(call.id) # <<>> THEN Is(session, "CALL_TWICE") ELSE Adds(call)

\* What was shown or called before grants nothing: what counts is what is allowed now.
RunOf(id) ==
    LET call    == Waiting(id)[1]
        trusted == IF Bug = "decides when it is called" THEN {one.tool : one \in Range(session.waiting)} ELSE {}
        rest    == [session EXCEPT !.waiting = SelectSeq(@, LAMBDA one : one # call)]
    IN  IF Waiting(id) = <<>> THEN Is(session, "CALL_UNKNOWN")
        ELSE Is(IF Bug = "runs a call again" THEN session ELSE rest, IF call.tool \in session.allowed \union trusted THEN "" ELSE "TOOL_DENIED")

------------------------- (* what can happen *) ------------------------------
ChangeThePolicy == \E allowed \in SUBSET Range(Tools) :
    session' = Reloaded(allowed) /\ policy' = allowed /\ ran' = Nothing /\ UNCHANGED <<runs, asked>>

Show == session' = Shown /\ ran' = Nothing /\ UNCHANGED <<policy, runs, asked>>

Call == \E place \in Places, tool \in Range(Tools) :
    LET call  == [id |-> Ids[place], tool |-> tool]
        found == Called(call)
    IN  /\ found.refused = "" /\ runs[place] = 0
        /\ session' = found.session /\ asked' = [asked EXCEPT ![place] = call] /\ ran' = Nothing /\ UNCHANGED <<policy, runs>>

Run == \E place \in Places :
    LET found == RunOf(Ids[place])
        waits == IF Waiting(Ids[place]) # <<>> THEN Waiting(Ids[place])[1] ELSE asked[place]
        did   == found.refused = "" /\ waits # Nothing
    IN  /\ session' = found.session
        /\ ran' = IF did THEN waits ELSE Nothing
        /\ runs' = IF did /\ runs[place] < 2 THEN [runs EXCEPT ![place] = @ + 1] ELSE runs
        /\ UNCHANGED <<policy, asked>>

Next == ChangeThePolicy \/ Show \/ Call \/ Run

----------------------------- (* what must hold *) ---------------------------
ByThePolicyOfNow == ran # Nothing => ran.tool \in policy
DeniedIsNotShown == session.shown \subseteq policy
WhatIsTakenBackIsGone == session.allowed = policy
ACallRunsOnce == \A place \in Places : runs[place] <= 1
ACallStaysWhatItWas == Cardinality({one.id : one \in Range(session.waiting)}) = Len(session.waiting)
OnlyWhatWasCalled == ran # Nothing => ran \in Range(asked)
=============================================================================
