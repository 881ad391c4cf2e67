------------------------------- MODULE delivery ------------------------------
(* Two answers that are to be sent: two workers that crash and are slow, and  *)
(* a platform that fails. They go to two places, or to one: then the second   *)
(* is made while the first is on its way. The store always says that it is    *)
(* now: what it keeps comes nearer.                                           *)
EXTENDS _Lines
CONSTANTS Pieces, Names,  \* answers by their names, and those in their order
          Workers, MostTries, FirstPause, LongestPause, Lease, Kept
VARIABLES platform, holds, out, wrong, failed, early, crashes, made, overtook
vars == <<memory, doing, platform, holds, out, wrong, failed, early, crashes, made, overtook>>
around == <<platform, holds, out, wrong, failed, early, crashes, made, overtook>>

Over == {"sent", "given-up", "unknown"}
First_ == Pieces[Names[1]].route
Made(name) == IF platform = "line" THEN [Pieces[name] EXCEPT !.route = First_] ELSE Pieces[name]

------------------------------- (* the step *) -------------------------------
Min(one, other) == IF one < other THEN one ELSE other
Pause(tries) == IF Bug = "does not wait" THEN 0 ELSE Min(FirstPause * 2 ^ (tries - 1), LongestPause)
Counts(piece) == [piece |-> piece, counted |-> TRUE]
Step(known, event) ==
    LET mine == known.phase = "taken" /\ known.worker = event.worker
        ends(phase) == Counts([known EXCEPT !.phase = phase, !.worker = ""])
    IN  CASE event.kind = "take" /\ known.phase = "waiting" /\ known.after <= 0 ->
                 Counts([known EXCEPT !.phase = "taken", !.tries = @ + 1, !.worker = event.worker])
          [] event.kind = "sent" /\ mine -> ends("sent")
          [] event.kind = "lost" /\ mine -> ends("unknown")
          [] event.kind = "failed" /\ mine ->
                 IF known.tries >= MostTries THEN ends("given-up")
                 ELSE Counts([known EXCEPT !.phase = "waiting", !.worker = "", !.after = IF event.pause > Pause(known.tries) THEN event.pause ELSE Pause(known.tries)])
          [] OTHER -> [piece |-> known, counted |-> FALSE]

Happens(known, event) ==
    LET real  == Step(known, event)
        fails == event.kind = "failed"
    IN  CASE Bug = "sends again what may have gone out" /\ event.kind = "lost" /\ real.counted -> [real EXCEPT !.piece.phase = "waiting"]
          [] Bug = "changes the route with a try" /\ fails /\ real.counted -> [real EXCEPT !.piece.route = First_]
          [] Bug = "counts no tries" /\ fails -> [Step([known EXCEPT !.tries = 1], event) EXCEPT !.piece.tries = known.tries]
          [] Bug = "calls a failure sent" /\ fails -> Step(known, [kind |-> "sent", worker |-> event.worker])
          [] OTHER -> real

------------------- (* delivery.store, and how it is spoiled *) --------------
Keeps(name, piece) ==
    Write("delivery", name, piece, CASE piece.phase = "waiting" -> piece.after [] piece.phase = "taken" -> Lease [] OTHER -> Nothing,
          IF piece.phase \in Over THEN Kept ELSE Nothing)

\* How far a piece has come is kept; when it is over, the one behind it is due. `after`: what the operation asks then.
Changes(name, piece, heard, after) ==
    LET due(next, rest) ==
            IF next = Nothing THEN after
            ELSE <<Read("delivery", next)>> \o If(rest # <<>>, <<Keeps(next, rest[1])>> \o after)
    IN  <<Keeps(name, piece)>> \o IF piece.phase \in Over THEN Leave(LineTo(piece.route), name, heard, due) ELSE after

Takes(worker, heard) ==
    LET name  == heard[1][1]
        known == heard[1][2]
        event == IF known.phase = "taken" THEN [kind |-> "lost", worker |-> known.worker] ELSE [kind |-> "take", worker |-> worker]
        piece == Happens(known, event).piece
        told  == IF Bug = "sends to the last one it sent to" THEN [piece EXCEPT !.route = First_] ELSE piece
    IN  <<Begin, First("delivery", Names)>> \o
        IF heard = <<>> THEN <<>>
        ELSE IF heard[1] = Nothing THEN <<Commit, Return(Nothing)>>
        ELSE Changes(name, piece, Tail(heard), <<Commit, Return(<<name, told>>)>>)

Hears(name, event, heard) ==
    LET found == Happens(heard[1], event)
    IN  <<Begin, Read("delivery", name)>> \o
        IF heard = <<>> THEN <<>>
        ELSE IF heard[1] = Nothing THEN <<Commit, Return(FALSE)>>
        ELSE IF ~found.counted THEN <<Commit, Return(FALSE)>>
        ELSE Changes(name, found.piece, Tail(heard), <<Commit, Return(TRUE)>>)

\* Whoever looks at nobody before it is due at once.
Queues(name, piece, heard) ==
    LET end(rest) == <<Commit, Return(Nothing)>>
        now(one)  == IF one.ask = "write" /\ Bug = "looks at nobody before it" THEN IF one.table = "delivery" THEN Keeps(name, piece) ELSE one ELSE one
        program   == <<Begin>> \o Queue(name, piece, heard, end)
    IN  [i \in DOMAIN program |-> now(program[i])]

Program(call, heard) ==
    CASE call.name = "take" /\ Bug \in {"does not write that it was taken", "takes without writing"} -> WithoutWriting(Takes(call.worker, heard), "delivery")
      [] call.name = "take" /\ Bug = "takes without a transaction" -> WithoutTransaction(Takes(call.worker, heard))
      [] call.name = "take" -> Takes(call.worker, heard)
      [] call.name = "apply" -> Hears(call.key, call.event, heard)
      [] call.name = "queue" -> Queues(call.key, call.piece, heard)

------------------------- (* what can happen *) ------------------------------
Queued(kept, name) == LET queues(heard) == Queues(name, Pieces[name], heard) IN AtOnce(kept, queues).memory
Begun(where, kept, count, may) ==
    /\ platform = where /\ memory = kept /\ made = count /\ crashes = may
    /\ doing = <<Nothing, Nothing, Nothing>> /\ holds = <<Nothing, Nothing>> /\ out = <<0, 0>> /\ wrong = "" /\ failed = {}
    /\ early = FALSE /\ overtook = FALSE
Init == LET both == Queued(Queued(<<>>, Names[1]), Names[2])
        IN  Begun("bad", both, 2, 1) \/ Begun("slow", both, 2, 1) \/ Begun("line", <<>>, 0, 0)

OneTakes(place) ==
    /\ doing[place] = Nothing /\ holds[place] = Nothing /\ FirstDue(memory, "delivery", Names) # Nothing
    /\ Starts(place, [name |-> "take", worker |-> Workers[place]]) /\ UNCHANGED <<memory, around>>

\* What a worker finds out about what it holds: `goes`: it went out.
Finds(place, goes, event) ==
    LET name   == holds[place][1]
        piece  == holds[place][2]
        number == CHOOSE i \in DOMAIN Names : Names[i] = name
        meant  == Made(name)
        before == IF platform = "line" /\ number = 2 THEN Get(memory, "delivery", Names[1]) ELSE Nothing
    IN  /\ holds' = [holds EXCEPT ![place] = Nothing]
        /\ overtook' = (overtook \/ (IF before = Nothing THEN FALSE ELSE before.phase \notin Over))
        /\ out' = IF goes /\ out[number] < 2 THEN [out EXCEPT ![number] = @ + 1] ELSE out
        /\ wrong' = IF goes /\ (piece.route # meant.route \/ piece.body # meant.body) THEN piece.body ELSE wrong
        /\ failed' = IF event.kind = "failed" THEN failed \union {name} ELSE failed
        /\ Starts(place, [name |-> "apply", key |-> name, event |-> event])
        /\ UNCHANGED <<memory, platform, early, crashes, made>>
OneSends(place) ==
    LET by(kind) == [kind |-> kind, worker |-> Workers[place]]
    IN  /\ holds[place] # Nothing /\ doing[place] = Nothing
        /\ \/ Finds(place, TRUE, by("sent"))
           \/ (platform # "slow" \/ holds[place][2].tries < MostTries) /\ Finds(place, FALSE, [kind |-> "failed", worker |-> Workers[place], pause |-> 0])
           \/ platform # "slow" /\ Finds(place, TRUE, by("lost"))

Told(place, name, value) ==
    LET has == IF name = "take" /\ value # Nothing THEN value[2].phase = "taken" ELSE FALSE
    IN  /\ holds' = IF has THEN [holds EXCEPT ![place] = value] ELSE holds
        /\ early' = (early \/ (IF has THEN value[1] \in failed ELSE FALSE))
        /\ made' = IF name = "queue" THEN made + 1 ELSE made
        /\ UNCHANGED <<memory, platform, out, wrong, failed, crashes, overtook>>
OneGoesOn(place) ==
    /\ doing[place] # Nothing
    /\ \E call \in {doing[place].call} : \E program \in {Program(call, doing[place].heard)} :
           IF Returned(place, program) THEN Leaves(place) /\ Told(place, call.name, Asked(place, program).value)
           ELSE GoesOn(place, program) /\ UNCHANGED around

VTakes == TRUE /\ OneTakes(1)
VGoesOn == TRUE /\ OneGoesOn(1)
VSends == TRUE /\ OneSends(1)
WTakes == TRUE /\ OneTakes(2)
WGoesOn == TRUE /\ OneGoesOn(2)
WSends == TRUE /\ OneSends(2)

MakeAnAnswer == /\ made < Len(Names)
                /\ Starts(3, [name |-> "queue", key |-> Names[made + 1], piece |-> Made(Names[made + 1])]) /\ UNCHANGED <<memory, around>>
WhoeverMakesItGoesOn == TRUE /\ OneGoesOn(3)

Crash == \E place \in DOMAIN Workers :
    /\ platform # "slow" /\ crashes > 0 /\ (doing[place] # Nothing \/ holds[place] # Nothing)
    /\ Leaves(place) /\ holds' = [holds EXCEPT ![place] = Nothing] /\ crashes' = crashes - 1
    /\ UNCHANGED <<memory, platform, out, wrong, failed, early, made, overtook>>

Sooner(time) == IF time = 0 THEN 0 ELSE time - 1
Aged(row) ==
    LET one == memory[row]
    IN  IF row[1] # "delivery" THEN [one EXCEPT !.due = Nothing, !.until = Nothing]
        ELSE [value |-> [one.value EXCEPT !.after = Sooner(@)], due |-> IF one.due = Nothing THEN Nothing ELSE Sooner(one.due),
              until |-> IF one.until = Nothing THEN Nothing ELSE one.until - 1]
Forgotten(row) == IF memory[row].until = Nothing THEN FALSE ELSE memory[row].until <= 1
ASecondPasses ==
    /\ doing = <<Nothing, Nothing, Nothing>> /\ (platform = "slow" => holds = <<Nothing, Nothing>>)
    /\ memory' = [row \in {any \in DOMAIN memory : ~Forgotten(any)} |-> Aged(row)] /\ failed' = {}
    /\ UNCHANGED <<doing, platform, holds, out, wrong, early, crashes, made, overtook>>

Next == VTakes \/ VGoesOn \/ VSends \/ WTakes \/ WGoesOn \/ WSends \/ MakeAnAnswer \/ WhoeverMakesItGoesOn \/ Crash \/ ASecondPasses

----------------------------- (* what must hold *) ---------------------------
Piece_(name) == Get(memory, "delivery", name)
InHand == {holds[place] : place \in {any \in DOMAIN holds : holds[any] # Nothing}}
SameStream(one, other) == one.session = other.session /\ one.route = other.route /\ one.body = other.body /\ one.trace = other.trace

AtMostOnce == \A i \in DOMAIN out : out[i] <= 1
TakenFirst == \A held \in InHand : IF Piece_(held[1]) = Nothing THEN TRUE ELSE Piece_(held[1]).phase # "waiting"
OneWorker == (holds[1] # Nothing /\ holds[2] # Nothing) => holds[1][1] # holds[2][1]
StableRoute == \A name \in Keys("delivery") : SameStream(Made(name), Piece_(name))
NoCrossStream == wrong = ""
BoundedTries == \A piece \in Values("delivery") : piece.tries <= MostTries
NotBeforeItsTime == InHand # {} => ~early
SentIsKept == \A i \in DOMAIN Names : Names[i] \in Keys("delivery") => (Piece_(Names[i]).phase = "sent" => out[i] = 1)
InOrder == (platform = "line" /\ out[2] > 0) => ~overtook
=============================================================================
