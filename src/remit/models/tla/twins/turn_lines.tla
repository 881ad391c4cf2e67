------------------------------ MODULE turn_lines -----------------------------
(* Turns of one session come one after the other: two workers, while events   *)
(* come in, two in one session or in two, and a crash. The store always says  *)
(* that it is now: what it keeps comes nearer.                                *)
EXTENDS _Turns
CONSTANTS Events,  \* by who says the second, in the order in which they come
          First_,  \* who says the first
          Workers, Agent, Sessions, Kept, MessageKept
VARIABLES second, thinks, heard, crashes
vars == <<memory, doing, second, thinks, heard, crashes>>
around == <<second, thinks, heard, crashes>>

Coming == Events[second]
Names == [i \in DOMAIN Coming |-> NameOf(Coming[i])]
Init == /\ second \in DOMAIN Events
        /\ memory = <<>> /\ doing = <<Nothing, Nothing>> /\ thinks = <<Nothing, Nothing>> /\ heard = 0 /\ crashes = 1

------------------- (* turns, and how they are spoiled *) --------------------
Routed(event) == [event |-> event, speaker |-> event.place.peer, agent |-> Agent, session |-> Sessions[event.place.peer]]

\* Whoever looks at nobody before it is due at once; one line for all is that of the name.
Joining(one) ==
    CASE one.ask = "write" /\ Bug \in {"looks at nobody before it", "lets all be due"} ->
             IF one.table = "turns" THEN [one EXCEPT !.kept.due = 0] ELSE one
      [] one.ask \in {"read", "write"} /\ Bug = "has one line for all" ->
             IF one.table # "lines" THEN one
             ELSE IF one.ask = "read" THEN Read("lines", <<"line">>) ELSE Put("lines", <<"line">>, one.kept.value)
      [] OTHER -> one
Accepts(event, read) ==
    LET end(reason, rest) == <<Commit, Return(reason)>>
        keep(seen, rest)  == IF seen # "" THEN end(seen, rest) ELSE Keep(Routed(event), NameOf(event), MessageKept, rest, end)
        program == <<Begin>> \o Remember(NameOf(event), Kept, read, keep)
    IN  [i \in DOMAIN program |-> Joining(program[i])]

Program(call, read) ==
    IF call.name = "take" THEN Takes(call.worker, Names, read, TurnStep, AsGiven, BackTo)
    ELSE Finishes(call.key, call.worker, <<>>, read, TurnStep, AsGiven)

------------------------- (* what can happen *) ------------------------------
Hear == /\ Alone /\ heard < Len(Coming)
        /\ LET accepts(read) == Accepts(Coming[heard + 1], read) IN memory' = AtOnce(memory, accepts).memory
        /\ heard' = heard + 1 /\ UNCHANGED <<doing, second, thinks, crashes>>

OneWorks(place) ==
    /\ IF thinks[place] # Nothing THEN Starts(place, [name |-> "finish", key |-> thinks[place], worker |-> Workers[place]])
       ELSE FirstDue(memory, "turns", Names) # Nothing /\ Starts(place, [name |-> "take", worker |-> Workers[place]])
    /\ UNCHANGED <<memory, around>>

Thinks(place, key) == thinks' = [thinks EXCEPT ![place] = key]
Told(place, name, value) ==
    /\ Thinks(place, IF name = "take" /\ value # Nothing THEN IF value[2].phase = "taken" THEN value[1] ELSE Nothing ELSE Nothing)
    /\ UNCHANGED <<memory, second, heard, crashes>>
OneGoesOn(place) ==
    /\ doing[place] # Nothing
    /\ \E call \in {doing[place].call} : \E program \in {Program(call, doing[place].heard)} :
           IF Returned(place, program) THEN Leaves(place) /\ Told(place, call.name, Asked(place, program).value)
           ELSE GoesOn(place, program) /\ UNCHANGED around

VWorks == TRUE /\ OneWorks(1)
VGoesOn == TRUE /\ OneGoesOn(1)
WWorks == TRUE /\ OneWorks(2)
WGoesOn == TRUE /\ OneGoesOn(2)

Crash == \E place \in DOMAIN Workers :
    /\ crashes > 0 /\ (doing[place] # Nothing \/ thinks[place] # Nothing)
    /\ Leaves(place) /\ Thinks(place, Nothing) /\ crashes' = crashes - 1 /\ UNCHANGED <<memory, second, heard>>

ASecondPasses == doing = <<Nothing, Nothing>> /\ memory' = Nearer /\ UNCHANGED <<doing, around>>

Next == Hear \/ VWorks \/ VGoesOn \/ WWorks \/ WGoesOn \/ Crash \/ ASecondPasses

----------------------------- (* what must hold *) ---------------------------
Same == second = First_
At(number, phases) == IF Get(memory, "turns", Names[number]) = Nothing THEN FALSE ELSE Get(memory, "turns", Names[number]).phase \in phases

OneAtATime == Same => ~(At(1, {"taken"}) /\ At(2, {"taken"}))
InTheirOrder == (Same /\ At(2, Over)) => At(1, Over)
OthersDoNotWait == (~Same /\ heard > 1) => \A key \in Keys("turns") :
    memory["turns", key].due # Nothing \/ memory["turns", key].value.phase \in Over
=============================================================================
