---------------------------- MODULE pairing_store ----------------------------
(* Pairing as it is kept: two operations at a time, with crashes, on two      *)
(* channels.                                                                  *)
EXTENDS _Store, _PairingLife
CONSTANTS Calls,  \* what may be begun at each place: a channel and an event
          Rules,
          Whose   \* the sender of each code
VARIABLES told, let_in
vars == <<memory, doing, told, let_in>>

Table == "pairing"
Mail == "mail"
Chat == "chat"
Channel(name) == LET found == Get(memory, Table, name) IN IF found = Nothing THEN Nobody ELSE found

Init == memory = <<>> /\ doing = <<Nothing, Nothing>> /\ told = {} /\ let_in = {}

--------------- (* store.apply, and how it is spoiled *) --------------------
Known(answer) == IF answer = Nothing THEN Nobody ELSE answer
Step(event, known) == IF event.kind = "ask" THEN Asks(Rules, Live(known, 0), event.sender, event.code, 0)
                                            ELSE Answered(Live(known, 0), event.code, TRUE)
Keeps(name, channel) == <<Write(Table, name, channel, Nothing, Nothing)>>

Apply(name, event, heard) ==
    <<Begin, Read(Table, name)>> \o
    IF heard = <<>> THEN <<>>
    ELSE LET known == Known(heard[1])
             found == Step(event, known)
         IN  If(found.channel # known, Keeps(name, found.channel)) \o <<Commit, Return(found.outcome)>>

\* Decides in one transaction, and inserts in another, which does not decide again.
ChecksThenInserts(name, event, heard) ==
    LET decides == WithoutWriting(Apply(name, event, heard), Table)
        asked   == IF heard = <<>> THEN FALSE ELSE Step(event, Known(heard[1])).outcome = "asked"
        known   == Known(heard[2])
        new     == [known EXCEPT !.waiting = @ \union {[sender |-> event.sender, code |-> event.code, until |-> Rules.lifetime]}]
    IN  IF ~asked THEN decides
        ELSE SubSeq(decides, 1, Len(decides) - 1) \o <<Begin, Read(Table, name)>>
             \o If(Len(heard) = 2, Keeps(name, new) \o <<Commit, Return("asked")>>)

Program(call, heard) ==
    LET real == Apply(call.channel, call.event, heard)
    IN  CASE Bug \in {"checks, then inserts", "checks who waits, then inserts"} /\ call.event.kind = "ask"
                 -> ChecksThenInserts(call.channel, call.event, heard)
          [] Bug \in {"reads and writes without a transaction", "approves without a transaction"} -> WithoutTransaction(real)
          [] Bug = "does not keep it" -> WithoutWriting(real, Table)
          [] Bug = "has one list for all channels" -> Apply(Chat, call.event, heard)
          [] OTHER -> real

------------------------- (* what can happen *) ------------------------------
Start == \E place \in DOMAIN doing : \E call \in Range(Calls[place]) : Starts(place, call) /\ UNCHANGED <<memory, told, let_in>>

Told(call, outcome) ==
    /\ told' = IF call.channel = Mail /\ outcome = "asked" THEN told \union {call.event.sender} ELSE told
    /\ let_in' = IF call.channel = Mail /\ outcome = "approved" THEN let_in \union {call.event.code} ELSE let_in
GoOn == \E place \in DOMAIN doing :
    /\ doing[place] # Nothing
    /\ LET call == doing[place].call
           program == Program(call, doing[place].heard)
       IN  IF Returned(place, program) THEN Leaves(place) /\ Told(call, Asked(place, program).value) /\ UNCHANGED memory
           ELSE GoesOn(place, program) /\ UNCHANGED <<told, let_in>>

Crash == \E place \in DOMAIN doing : doing[place] # Nothing /\ Leaves(place) /\ UNCHANGED <<memory, told, let_in>>

Next == Start \/ GoOn \/ Crash

----------------------------- (* what must hold *) ---------------------------
In(channel) == SendersOf(channel.waiting) \union Range(channel.allowed)

CapTogether == Cardinality(Channel(Mail).waiting) <= Rules.most
OnceTogether == LET channel == Channel(Mail)
                 IN  Cardinality(In(channel)) = Cardinality(channel.waiting) + Len(channel.allowed)
ToldIsKept == told \subseteq In(Channel(Mail))
ApprovalsAreKept == {Whose[code] : code \in let_in} \subseteq Range(Channel(Mail).allowed)
ChannelsApart == LET chat == Channel(Chat)
                  IN  chat # Nobody => In(chat) = {"ann"} /\ Cardinality(chat.waiting) + Len(chat.allowed) = 1
=============================================================================
