------------------------------- MODULE ingress -------------------------------
(* Events that come in: a platform that sends again until it is told that we  *)
(* have it, two of us, an agent that hears one of them, and a crash.          *)
EXTENDS _Turns
CONSTANTS Events, Order,  \* numbers of the events in the order of their names
          Sessions, Agent, Kept, MessageKept
VARIABLES sent, told, turns, crashes, over
vars == <<memory, doing, sent, told, turns, crashes, over>>
around == <<sent, told, turns, crashes, over>>

Numbers == 0 .. Len(Events) - 1
Event(number) == Events[number + 1]
Init == /\ memory = <<>> /\ doing = <<Nothing, Nothing>>
        /\ sent = {} /\ told = {} /\ turns = [i \in DOMAIN Events |-> 0] /\ crashes = 1 /\ over = ""

------------------ (* store.accept, and how it is spoiled *) -----------------
Name(event) == NameOf(CASE Bug = "believes the name alone" -> [event EXCEPT !.digest = ""]
                        [] Bug = "leaves out the part" -> [event EXCEPT !.part = 0]
                        [] OTHER -> event)
Names == [i \in DOMAIN Order |-> Name(Event(Order[i]))]
Routed(event) == [event |-> IF Bug = "gives all parts the trace of one" THEN [event EXCEPT !.trace = "t1"] ELSE event,
                  speaker |-> event.place.peer, agent |-> Agent, session |-> Sessions[event.place.peer]]
Drops(event) == Bug = "says that it has what it did not keep" /\ event.event = "e"

Accepts(event, heard) ==
    LET end(reason, rest) == <<Commit, Return(reason)>>
        keep(seen, rest)  == IF seen # "" THEN end(seen, rest) ELSE Keep(Routed(event), Name(Routed(event).event), MessageKept, rest, end)
    IN  <<Begin>> \o IF Drops(event) THEN keep("SEEN", heard)
                     ELSE Remember(Name(event), IF Bug = "forgets at once" THEN 0 ELSE Kept, heard, keep)

Program(call, heard) ==
    LET real == Accepts(Event(call.number), heard)
    IN  CASE Bug = "does not remember" -> WithoutWriting(real, "once")
          [] Bug = "keeps no content" -> WithoutWriting(real, "heard")
          [] Bug \in {"looks, then writes", "writes one thing after the other"} -> WithoutTransaction(real)
          [] OTHER -> real

------------------------- (* what can happen *) ------------------------------
Happen == \E number \in Numbers :
    /\ number \notin sent /\ Cardinality(sent) < 2 /\ sent' = sent \union {number}
    /\ UNCHANGED <<memory, doing, told, turns, crashes, over>>

Send(place) == \E number \in sent \ told : Starts(place, [name |-> "accept", number |-> number]) /\ UNCHANGED <<memory, around>>

Told(number, reason) ==
    /\ told' = told \union {number}
    /\ turns' = IF reason # "" \/ turns[number + 1] = 2 THEN turns ELSE [turns EXCEPT ![number + 1] = @ + 1]
    /\ UNCHANGED <<memory, sent, crashes, over>>
OneGoesOn(place) ==
    /\ doing[place] # Nothing
    /\ \E call \in {doing[place].call} : \E program \in {Program(call, doing[place].heard)} :
           IF Returned(place, program) THEN Leaves(place) /\ Told(call.number, Asked(place, program).value)
           ELSE GoesOn(place, program) /\ UNCHANGED around

SendToTheFirst == TRUE /\ Send(1)
TheFirstGoesOn == TRUE /\ OneGoesOn(1)
SendToTheSecond == TRUE /\ Send(2)
TheSecondGoesOn == TRUE /\ OneGoesOn(2)

AnAgentHears ==
    /\ Alone /\ over = "" /\ FirstDue(memory, "turns", Names) # Nothing
    /\ LET takes(heard)  == Takes("worker", Names, heard, TurnStep, AsGiven, BackTo)
           taken         == AtOnce(memory, takes)
           ends(heard)   == Finishes(taken.value[1], "worker", <<>>, heard, TurnStep, AsGiven)
           event         == taken.value[3]
       IN  /\ memory' = AtOnce(taken.memory, ends).memory
           /\ over' = IF event = Nothing THEN "nothing" ELSE event.text
    /\ UNCHANGED <<doing, sent, told, turns, crashes>>

Crash == /\ crashes > 0 /\ doing # <<Nothing, Nothing>> /\ doing' = <<Nothing, Nothing>> /\ crashes' = crashes - 1
         /\ UNCHANGED <<memory, sent, told, turns, over>>

Next == Happen \/ SendToTheFirst \/ TheFirstGoesOn \/ SendToTheSecond \/ TheSecondGoesOn \/ AnAgentHears \/ Crash

----------------------------- (* what must hold *) ---------------------------
Texts == {event.text : event \in Values("heard")} \union {over}  \* kept for an agent, or heard by one
Waiting == {key \in Keys("turns") : Get(memory, "turns", key).phase = "waiting"}
Has(numbers) == {Event(number).text : number \in numbers} \subseteq Texts

Once == \A i \in DOMAIN turns : turns[i] <= 1
ToldIsKept == Has(told)
AllOrNothing == Keys("heard") = Waiting /\ Waiting \subseteq Keys("once") /\ Keys("once") = Keys("turns")
PartsKeepTheirTrace == \A key \in Keys("heard") :
    LET event == Get(memory, "heard", key)
        turn  == Get(memory, "turns", key)
    IN  /\ \E i \in DOMAIN Events : event = Events[i]
        /\ turn.trace = Or(event.trace, event.event) /\ turn.session = Sessions[event.place.peer] /\ turn.agent = Agent
NamesThatCollide == {2, 3} \subseteq told => Has({2, 3})
WithoutAName == {0, 1} \subseteq told => Has({0, 1})
=============================================================================
