------------------------------ MODULE node_runs ------------------------------
(* Requests to a device: two of them, two of the gateway's workers, a person, *)
(* crashes, and rights that are taken back.                                   *)
EXTENDS _Store
CONSTANTS Requests,  \* as they were asked, by name
          Again,     \* what is asked later under the name of the first
          Answers,   \* what a person may say: a name and an event
          Digests, Until, Lifetime, Kept
VARIABLES late, allowed, meant, denied, ran
vars == <<memory, doing, late, allowed, meant, denied, ran>>
around == <<late, allowed, meant, denied, ran>>

Table == "runs"
Init == /\ memory = [row \in {<<Table, name>> : name \in DOMAIN Requests} |-> [value |-> Requests[row[2]], due |-> Nothing, until |-> Nothing]]
        /\ doing = <<Nothing, Nothing>> /\ late = FALSE /\ allowed = TRUE /\ meant = {} /\ denied = {} /\ ran = <<>>

------------------------------- (* the step *) -------------------------------
Is(request, refused) == [request |-> request, refused |-> refused]
Late(known, now) == IF now >= known.until /\ Bug # "does not look at the clock" THEN "RUN_EXPIRED" ELSE ""
NotReady(phase) == CASE phase = "ready" -> "" [] phase = "waiting" -> "APPROVAL_MISSING" [] phase = "denied" -> "APPROVAL_DENIED" [] OTHER -> "RUN_USED"

Refusal(known, event, now) ==
    LET late_   == Late(known, now)
        phase   == IF event.kind = "run" THEN NotReady(known.phase) ELSE IF known.phase = "waiting" THEN "" ELSE "RUN_USED"
        differs == IF event.digest = known.digest THEN "" ELSE "RUN_DIFFERS"
    IN  CASE late_ # "" -> late_
          [] late_ = "" /\ phase # "" -> phase
          [] late_ = "" /\ phase = "" /\ differs # "" -> differs
          [] OTHER -> IF event.kind = "run" /\ ~event.allowed THEN "COMMAND_DENIED" ELSE ""

AsksFor(event, now) ==
    [device |-> event.device, command |-> event.command, digest |-> event.digest, until |-> now + Lifetime,
     phase |-> IF event.approval THEN "waiting" ELSE "ready", approver |-> "", shown |-> event.shown]

Step(known, event, now) ==
    CASE event.kind = "ask" -> IF known # Nothing THEN Is(known, "RUN_USED") ELSE Is(AsksFor(event, now), "")
      [] event.kind # "ask" /\ known = Nothing -> Is(Nothing, "RUN_UNKNOWN")
      [] event.kind = "approve" /\ known # Nothing ->
            LET refused == Refusal(known, event, now)
            IN  Is(IF refused # "" THEN known ELSE [known EXCEPT !.phase = "ready", !.approver = event.approver], refused)
      [] event.kind = "run" /\ known # Nothing ->
            LET refused == Refusal(known, event, now) IN Is(IF refused # "" THEN known ELSE [known EXCEPT !.phase = "running"], refused)
      [] event.kind = "deny" /\ known # Nothing ->
            IF known.phase \in {"waiting", "ready"} THEN Is([known EXCEPT !.phase = "denied", !.approver = ""], "") ELSE Is(known, "RUN_USED")
      [] event.kind \in {"done", "lost"} /\ known # Nothing ->
            IF known.phase = "running" THEN Is([known EXCEPT !.phase = IF event.kind = "done" THEN "done" ELSE "unknown"], "") ELSE Is(known, "RUN_USED")

------------------ (* store.apply, and how it is spoiled *) ------------------
Ready(known, phases) == IF known.phase \in phases THEN [known EXCEPT !.phase = "ready"] ELSE known
Happens(known, event, now) ==
    CASE event.kind = "ask" /\ Bug = "asks over what is there" -> Step(Nothing, event, now)
      [] event.kind = "run" /\ Bug = "does not wait for a person" -> Step(Ready(known, {"waiting"}), event, now)
      [] event.kind = "run" /\ Bug = "runs what was denied" -> Step(Ready(known, {"denied"}), event, now)
      [] event.kind = "run" /\ Bug = "runs whatever the phase" -> Step(Ready(known, {"running", "done", "denied", "unknown"}), event, now)
      [] event.kind = "run" /\ Bug = "compares no content when it runs" -> Step(known, [event EXCEPT !.digest = known.digest], now)
      [] event.kind = "run" /\ Bug = "does not ask the settings again" -> Step(known, [event EXCEPT !.allowed = TRUE], now)
      [] OTHER -> Step(known, event, now)

Apply(name, event, now, heard) ==
    <<Begin, Read(Table, name)>> \o
    IF heard = <<>> THEN <<>>
    ELSE LET after == Happens(heard[1], event, now)
         IN  If(after.request # Nothing /\ after.request # heard[1], <<Write(Table, name, after.request, Nothing, now + Kept)>>)
             \o <<Commit, Return(after.refused)>>

Program(call, heard) ==
    LET real(name) == Apply(name, call.event, call.now, heard)
    IN  CASE Bug = "takes an approval for any request" /\ call.event.kind = "approve" -> real("r")
          [] Bug = "runs without a transaction" -> WithoutTransaction(real(call.name))
          [] Bug = "runs before it writes" /\ call.event.kind = "run" -> WithoutWriting(real(call.name), Table)
          [] OTHER -> real(call.name)

------------------------- (* what can happen *) ------------------------------
Started(place, name, event) == Starts(place, [name |-> name, event |-> event, now |-> IF late THEN Until ELSE 0]) /\ UNCHANGED memory
Idle == doing = <<Nothing, Nothing>>

AskAgain == ~late /\ meant = {} /\ Started(1, "r", Again) /\ UNCHANGED around

APersonAnswers == \E i \in DOMAIN Answers :
    LET name  == Answers[i][1]
        event == Answers[i][2]
    IN  /\ Started(2, name, event)
        /\ meant' = IF event.kind = "approve" THEN meant \union {<<name, event.digest>>} ELSE meant
        /\ UNCHANGED <<late, allowed, denied, ran>>

\* The second worker has the right content alone: one that comes with another is enough.
Run == \E place \in {1, 2} : \E i \in 1 .. 3 - place :
    Started(place, "r", [kind |-> "run", digest |-> Digests[i], allowed |-> allowed]) /\ UNCHANGED around

End == \E kind \in {"done", "lost"} :
    LET kept == Get(memory, Table, "r")
    IN  kept # Nothing /\ kept.phase = "running" /\ Started(1, "r", [kind |-> kind]) /\ UNCHANGED around

Ran(call) == [digest |-> call.event.digest, late |-> call.now > 0, allowed |-> call.event.allowed]
Told(call, refused) ==
    /\ denied' = IF refused = "" /\ call.event.kind = "deny" THEN denied \union {call.name} ELSE denied
    /\ ran' = IF refused = "" /\ call.event.kind = "run" /\ Len(ran) < 2 THEN Append(ran, Ran(call)) ELSE ran
    /\ UNCHANGED <<memory, late, allowed, meant>>
GoOn == \E place \in {1, 2} :
    /\ doing[place] # Nothing
    /\ LET call == doing[place].call
           program == Program(call, doing[place].heard)
       IN  IF Returned(place, program) THEN Leaves(place) /\ Told(call, Asked(place, program).value)
           ELSE GoesOn(place, program) /\ UNCHANGED around

Crash == ~Idle /\ doing' = <<Nothing, Nothing>> /\ UNCHANGED <<memory, around>>
TakeTheRightBack == Idle /\ allowed /\ allowed' = FALSE /\ UNCHANGED <<memory, doing, late, meant, denied, ran>>
TheTimeIsOver == Idle /\ ~late /\ late' = TRUE /\ UNCHANGED <<memory, doing, allowed, meant, denied, ran>>

Next == AskAgain \/ APersonAnswers \/ Run \/ End \/ GoOn \/ Crash \/ TakeTheRightBack \/ TheTimeIsOver

----------------------------- (* what must hold *) ---------------------------
Request == Get(memory, Table, "r")
Runs == Request # Nothing /\ Request.phase \in {"running", "done", "unknown"}

NothingRunsWhileItWaits == ran # <<>> => <<"r", "right">> \in meant
BoundToItsContent == \A i \in DOMAIN ran : ran[i].digest = "right"
BoundToItsRequest == (<<"s", "right">> \in meant /\ \A one \in meant : one[1] # "r") => ~Runs
NeverTwice == Len(ran) <= 1
NeverReplaced == doing[1] = Nothing => Request.digest = "right"
InTime == ran # <<>> => ~ran[Len(ran)].late
RevokedWhileWaiting == ran # <<>> => ran[Len(ran)].allowed
ANoIsFinal == "r" \in denied => ran = <<>>
RunningIsKeptFirst == ran # <<>> => Runs
=============================================================================
