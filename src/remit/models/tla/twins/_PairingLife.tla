----------------------------- MODULE _PairingLife ----------------------------
(* Who waits to be let in on a channel, and who is let in, as a pure step     *)
(* (gateway/inbound/pairing.py). Waiting is a set, for the code keeps it               *)
(* sorted; who is let in is a sequence, so that it could stand there twice.   *)
EXTENDS Integers, Sequences, FiniteSets, _Buckets
CONSTANT Senders  \* in their order

Range(seq) == {seq[i] : i \in DOMAIN seq}
Nobody == [waiting |-> {}, allowed |-> <<>>, asked |-> Nothing]
SendersOf(waiting) == {one.sender : one \in waiting}
LiveOf(waiting, now) == {one \in waiting : now < one.until}
Live(channel, now) == [channel EXCEPT !.waiting = LiveOf(@, now)]
Is(channel, outcome) == [channel |-> channel, outcome |-> outcome]

\* A stranger asks. Who waits already is looked at before the cap: whoever waits may ask again.
Asks(rules, channel, sender, code, now) ==
    LET until  == now + rules.lifetime
        takes  == TakeFrom(channel.asked, rules.often, now)
        mine   == {one \in channel.waiting : one.sender = sender}
        new    == [sender |-> sender, code |-> code, until |-> until]
    IN  IF sender \in Range(channel.allowed) THEN Is(channel, "known")
        ELSE IF mine # {} THEN Is([channel EXCEPT !.waiting = (@ \ mine) \union {[one EXCEPT !.until = until] : one \in mine}], "again")
        ELSE IF Cardinality(channel.waiting) >= rules.most THEN Is(channel, "full")
        ELSE IF \E one \in channel.waiting : one.code = code THEN Is(channel, "code-used")
        ELSE IF ~takes.found THEN Is([channel EXCEPT !.asked = takes.bucket], "often")
        ELSE Is([channel EXCEPT !.waiting = @ \union {new}, !.asked = takes.bucket], "asked")

\* The operator answers a code.
Answered(channel, code, letIn) ==
    LET found == {one \in channel.waiting : one.code = code}
        one   == CHOOSE any \in found : TRUE
        rest  == [channel EXCEPT !.waiting = @ \ {one}]
    IN  IF found = {} THEN Is(channel, "unknown")
        ELSE IF ~letIn THEN Is(rest, "denied")
        ELSE Is([rest EXCEPT !.allowed = SelectSeq(Senders, LAMBDA any : any \in Range(@) \union {one.sender})], "approved")

\* The operator takes it back.
Removed(channel, sender) ==
    IF sender \in Range(channel.allowed)
    THEN Is([channel EXCEPT !.allowed = SelectSeq(@, LAMBDA one : one # sender)], "removed")
    ELSE Is(channel, "unknown")
=============================================================================
