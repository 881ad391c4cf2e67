-------------------------------- MODULE turns --------------------------------
(* One event until its agent has done with it: two workers that crash, or are *)
(* slower than their lease. The store always says that it is now: what it     *)
(* keeps comes nearer.                                                        *)
EXTENDS _Turns
CONSTANTS Event, Turn, Workers, Answer_  \* how an answer begins
VARIABLES at, acted, finished, crashes, says
vars == <<memory, doing, at, acted, finished, crashes, says>>
around == <<at, acted, finished, crashes, says>>

Key == <<"event">>
Keeps(value, due) == [value |-> value, due |-> due, until |-> Nothing]
Init == /\ memory = (<<"turns", Key>> :> Keeps(Turn, 0)) @@ (<<"heard", Key>> :> Keeps(Event, Nothing))
        /\ doing = <<Nothing, Nothing>> /\ at = <<"", "">> /\ acted = 0 /\ finished = "" /\ crashes = 1 /\ says = 1

------------------- (* turns, and how they are spoiled *) --------------------
Steps(known, event) ==
    LET lost == TurnStep(known, event)
    IN  CASE Bug = "repeats acting" /\ event.kind = "lost" /\ lost.counted -> [lost EXCEPT !.turn.phase = "waiting"]
          [] Bug = "ends a turn of another" /\ event.kind = "finish" -> TurnStep([known EXCEPT !.phase = "taken", !.worker = event.worker], event)
          [] OTHER -> TurnStep(known, event)
Says(turn, answers) ==
    CASE Bug = "answers for each who finishes" -> answers \o answers
      [] Bug = "tells nobody" /\ turn.phase # "done" -> <<>>
      [] Bug = "says that it is done when it was interrupted" -> [i \in DOMAIN answers |-> [answers[i] EXCEPT !.body = Answer_]]
      [] OTHER -> answers
Back(event) == IF Bug = "answers somebody else" THEN BackTo([event EXCEPT !.place.peer = "bob"]) ELSE BackTo(event)
Answered(worker) == Piece(Turn.session, BackTo(Event), Answer_ \o " by " \o worker, Turn.trace)

Program(call, heard) ==
    LET ends == Finishes(Key, call.worker, <<Answered(call.worker)>>, heard, Steps, Says)
        has  == StillHas(Key, call.worker, call.name = "act", heard, Steps)
    IN  CASE call.name = "take" -> Takes(call.worker, <<Key>>, heard, Steps, Says, Back)
          [] call.name = "finish" /\ Bug = "keeps no answer" -> WithoutWriting(ends, "delivery")
          [] call.name = "finish" /\ Bug = "keeps answers in a step of their own" -> WithoutTransaction(ends)
          [] call.name = "finish" -> ends
          [] call.name # "finish" /\ Bug \in {"does not write that it acts", "writes nothing before it acts"} -> WithoutWriting(has, "turns")
          [] OTHER -> has

------------------------- (* what can happen *) ------------------------------
Begins(place, name) == Starts(place, [name |-> name, worker |-> Workers[place]])
OneWorks(place) ==
    /\ doing[place] = Nothing
    /\ \/ /\ at[place] = "" /\ FirstDue(memory, "turns", <<Key>>) # Nothing /\ Begins(place, "take") /\ UNCHANGED <<memory, around>>
       \/ /\ at[place] = "thinks" /\ Begins(place, "act") /\ UNCHANGED <<memory, around>>
       \/ /\ at[place] \in {"thinks", "acted"} /\ Begins(place, "finish") /\ UNCHANGED <<memory, around>>
       \/ /\ at[place] = "acts" /\ at' = [at EXCEPT ![place] = "acted"] /\ acted' = IF acted = 2 THEN 2 ELSE acted + 1
          /\ UNCHANGED <<memory, doing, finished, crashes, says>>

Is(place, now) == at' = [at EXCEPT ![place] = now]
Told(place, name, value) ==
    /\ CASE name = "take" -> Is(place, IF value = Nothing THEN "" ELSE IF value[2].phase = "taken" THEN "thinks" ELSE "")
         [] name = "act" -> Is(place, IF value THEN "acts" ELSE "")
         [] name = "lives" -> IF value THEN UNCHANGED at ELSE Is(place, "")
         [] name = "finish" -> Is(place, "")
    /\ finished' = IF name = "finish" /\ finished = "" THEN IF value THEN Workers[place] ELSE "" ELSE finished
    /\ UNCHANGED <<memory, acted, crashes, says>>
OneGoesOn(place) ==
    /\ doing[place] # Nothing
    /\ \E call \in {doing[place].call} : \E program \in {Program(call, doing[place].heard)} :
           IF Returned(place, program) THEN Leaves(place) /\ Told(place, call.name, Asked(place, program).value)
           ELSE GoesOn(place, program) /\ UNCHANGED around

VWorks == TRUE /\ OneWorks(1)
VGoesOn == TRUE /\ OneGoesOn(1)
WWorks == TRUE /\ OneWorks(2)
WGoesOn == TRUE /\ OneGoesOn(2)

SayThatItGoesOn == \E place \in DOMAIN Workers :
    says > 0 /\ at[place] # "" /\ Begins(place, "lives") /\ says' = says - 1 /\ UNCHANGED <<memory, at, acted, finished, crashes>>

Crash == \E place \in DOMAIN Workers :
    /\ crashes > 0 /\ (doing[place] # Nothing \/ at[place] # "")
    /\ Leaves(place) /\ Is(place, "") /\ crashes' = crashes - 1 /\ UNCHANGED <<memory, acted, finished, says>>

ASecondPasses == doing = <<Nothing, Nothing>> /\ memory' = Nearer /\ UNCHANGED <<doing, around>>

Next == VWorks \/ VGoesOn \/ WWorks \/ WGoesOn \/ SayThatItGoesOn \/ Crash \/ ASecondPasses

----------------------------- (* what must hold *) ---------------------------
Known == Get(memory, "turns", Key)
Told_ == Values("delivery")
Bodies == {piece.body : piece \in Told_}

ActsOnce == acted <= 1
OneAnswer == Cardinality(Keys("delivery")) <= 1
AnsweredIfDone == Known.phase \in Over <=> Told_ # {}
ToldIsKept == finished # "" => Known.phase = "done" /\ Bodies = {Answer_ \o " by " \o finished} /\ OneAnswer
InterruptedIsTold == Known.phase = "interrupted" => Bodies = {Interrupted} /\ OneAnswer
ActingIsKeptFirst == (\E place \in DOMAIN at : at[place] = "acts") => Known.phase \notin {"waiting", "taken"}
ItsOwnStream == \A piece \in Told_ : piece.session = Turn.session /\ piece.trace = Turn.trace /\ piece.route = BackTo(Event)
=============================================================================
