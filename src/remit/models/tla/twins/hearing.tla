------------------------------- MODULE hearing -------------------------------
(* From a stranger to the agent in one operation: gate, pairing, routing and  *)
(* keeping, while the operator approves and takes back, an event is sent      *)
(* again, and the gateway crashes.                                            *)
EXTENDS _Lines, _PairingLife
CONSTANTS Events, Sessions, Everybody,  \* sessions by their peers, and one of all of them
          Codes, Texts,                 \* the code that is made for each, and how it is told
          Rules, Kept, MessageKept
VARIABLES let_in, ever, told, taken_back
vars == <<memory, doing, let_in, ever, told, taken_back>>
around == <<let_in, ever, told, taken_back>>

Known(answer) == IF answer = Nothing THEN Nobody ELSE answer
People == Known(Get(memory, "pairing", "chat"))
Event(number) == Events[number + 1]

Init == /\ memory = <<>> /\ doing = <<Nothing, Nothing>>
        /\ let_in = FALSE /\ ever = FALSE /\ told = {} /\ taken_back = FALSE

------------------- (* hear.hear, and how it is spoiled *) -------------------
Routed(event) == [event |-> event, speaker |-> event.place.peer, agent |-> "main",
                  session |-> IF Bug = "puts all into one session" THEN Everybody ELSE Sessions[event.place.peer]]
End(fate) == <<Commit, Return(fate)>>

\* A stranger is told a code once, and nothing else of it is kept.
Back(event) == IF Bug = "sends a code to another" THEN [BackTo(event) EXCEPT !.to = IF event.place.peer = "ann" THEN "bob" ELSE "ann"] ELSE BackTo(event)
Strange(event, people, heard, Then(_, _)) ==
    LET peer    == event.place.peer
        forgets == Bug = "forgets who waits"
        found   == Asks(IF forgets THEN [Rules EXCEPT !.most = 9] ELSE Rules, IF forgets THEN [people EXCEPT !.waiting = {}] ELSE people,
                        peer, Codes[peer], 0)
        after(rest) == Then("pairing", rest)
        piece   == Piece("", Back(event), Texts[peer], Or(event.trace, event.event))
        code(rest) == IF found.outcome = "asked" THEN Queue(NameOf(event) \o <<"pairing">>, piece, rest, after) ELSE after(rest)
        new(seen, rest) == IF seen # "" THEN Then("dropped", rest) ELSE <<Put("pairing", "chat", found.channel)>> \o code(rest)
    IN  IF found.outcome = "code-used" THEN after(heard) ELSE Remember(NameOf(event), Kept, heard, new)

\* Who was let in is heard by its agent, in its own session.
Friendly(event, heard) ==
    LET end(reason, rest)  == End(IF reason = "" THEN "heard" ELSE "dropped")
        keep(seen, rest)   == IF seen # "" THEN End("dropped") ELSE Keep(Routed(event), NameOf(event), MessageKept, rest, end)
    IN  Remember(NameOf(event), Kept, heard, keep)

Hears(event, heard) ==
    LET people == Known(heard[1])
        rest   == Tail(heard)
        in     == event.place.peer \in (IF Bug = "takes everybody for paired" THEN {"ann", "bob"} ELSE Range(people.allowed))
        end(fate, left) == End(fate)
        too(fate, left) == LET over(reason, more) == End(fate) IN Keep(Routed(event), NameOf(event), MessageKept, left, over)
    IN  <<Begin, Read("pairing", "chat")>> \o
        IF heard = <<>> THEN <<>>
        ELSE IF in THEN Friendly(event, rest)
        ELSE IF Bug = "keeps what strangers say" THEN Strange(event, people, rest, too) ELSE Strange(event, people, rest, end)

\* pairing.store.apply
Decides(event, heard) ==
    <<Begin, Read("pairing", "chat")>> \o
    IF heard = <<>> THEN <<>>
    ELSE LET known == Known(heard[1])
             found == IF event.kind = "approve" THEN Answered(known, event.code, TRUE) ELSE Removed(known, event.sender)
         IN  If(found.channel # known, <<Put("pairing", "chat", found.channel)>>) \o End(found.outcome)

Program(call, heard) ==
    CASE call.name = "answer" -> Decides(call.event, heard)
      [] call.name = "hear" /\ Bug = "keeps nothing" -> WithoutWriting(Hears(Event(call.number), heard), "heard")
      [] call.name = "hear" /\ Bug = "does not remember what it heard" -> WithoutWriting(Hears(Event(call.number), heard), "once")
      [] OTHER -> Hears(Event(call.number), heard)

------------------------- (* what can happen *) ------------------------------
Send == \E number \in 0 .. Len(Events) - 1 : Starts(1, [name |-> "hear", number |-> number]) /\ UNCHANGED <<memory, around>>

Approve == /\ ~ever /\ Starts(2, [name |-> "answer", event |-> [kind |-> "approve", code |-> Codes["ann"]]])
           /\ UNCHANGED <<memory, around>>
TakeBack == /\ let_in /\ Starts(2, [name |-> "answer", event |-> [kind |-> "remove", sender |-> "ann"]])
            /\ taken_back' = TRUE /\ UNCHANGED <<memory, let_in, ever, told>>

Told(call, value) ==
    /\ told' = IF call.name = "hear" /\ value = "heard" THEN told \union {call.number} ELSE told
    /\ let_in' = IF call.name = "hear" THEN let_in ELSE IF value = "approved" THEN TRUE ELSE IF value = "removed" THEN FALSE ELSE let_in
    /\ ever' = (ever \/ (call.name = "answer" /\ value = "approved"))
    /\ UNCHANGED <<memory, taken_back>>
GoOn == \E place \in {1, 2} :
    /\ doing[place] # Nothing
    /\ LET call    == doing[place].call
           program == Program(call, doing[place].heard)
       IN  IF Returned(place, program) THEN Leaves(place) /\ Told(call, Asked(place, program).value)
           ELSE GoesOn(place, program) /\ UNCHANGED around

Crash == doing[1] # Nothing /\ Leaves(1) /\ UNCHANGED <<memory, around>>

Next == Send \/ Approve \/ TakeBack \/ GoOn \/ Crash

----------------------------- (* what must hold *) ---------------------------
Told_ == Values("delivery")  \* codes that are told

PairedFirst == Keys("heard") # {} => {event.place.peer : event \in Values("heard")} = {"ann"} /\ (ever \/ People.allowed # <<>>)
InItsSession == Keys("heard") # {} => \A turn \in Values("turns") : turn.agent = "main" /\ turn.session = Sessions["ann"]
CodeGoesBack == \A piece \in Told_ : piece.body = Texts[piece.route.to]
ToldIsKept == {Event(number).text : number \in told} \subseteq {event.text : event \in Values("heard")}
StrangersLeaveNoTurn == (Told_ # {} /\ ~ever /\ doing[2] = Nothing /\ People.allowed = <<>>) => Keys("turns") = {}
OneCode == ~taken_back => Cardinality({key \in Keys("delivery") : Get(memory, "delivery", key).route.to = "ann"}) <= 1
Whole == Keys("heard") \subseteq Keys("once")
=============================================================================
