---- MODULE acceptance ----
\* Two executors with one memory, and a gateway that presents whatever it can put together of what was signed.
EXTENDS Integers, Sequences

CONSTANTS
    Nothing, Bug,
    Started, Done, Failed, Unknown, \* how far a mark has come
    Deeds,       \* what the servers were asked to decide, by the name of the action: for which request, about which they were asked ...
    Place,       \* the number of an action
    Requests, Words,
    Executors,   \* their names
    Clock,       \* moments; states name them by their number from 0 on
    Lasts, Skew, Lifetime, Epoch

VARIABLES
    now,
    doing,    \* how far each executor is
    marks,    \* the common memory, by action
    happened, \* how often, by action
    last      \* what happened last, and when that was accepted

vars == <<now, doing, marks, happened, last>>

Init ==
    /\ now = 0
    /\ doing = [place \in DOMAIN Executors |-> Nothing]
    /\ marks = [action \in 1..Len(Place) |-> Nothing]
    /\ happened = [action \in 1..Len(Place) |-> 0]
    /\ last = Nothing

\* What the gateway has: the proofs that a server signed, or that it forged, are triples of server, action and moment.
Names == DOMAIN Deeds
Proofs(server) == UNION {{<<server, name, moment>>: moment \in Deeds[name].moments}: name \in Names}
Firsts == Proofs(0) \cup {<<1, "plain", 0>>}
Seconds == Proofs(1) \cup {<<0, "plain", 0>>, Nothing}
Presentings == \* a word is added where a request wants one
    {one \in {[request |-> request, first |-> first, second |-> second, word |-> word]:
                  request \in Requests, first \in Firsts, second \in Seconds, word \in Words}:
        one.request = "stranger" \/ one.word = ""}
Has(one, at) == one.first[3] <= at /\ (one.second # Nothing => one.second[3] <= at)

\* The predicate, numbered as that of the executor. (9) is the mark.
At(moment) == Clock[moment + 1]
Born == At(0)
LastSecond == Born + Lasts + Skew + IF Bug = "lets actions live for ever" THEN 1000000 ELSE Lifetime
Parsed(one) == one.second # Nothing /\ one.first[1] = 0 /\ one.second[1] = 1 \* (1)
Signed(proof) == proof[1] \in Deeds[proof[2]].servers \/ Bug = "verifies no signature" \* (2), (3)
Fresh(proof, at) == \* (4)
    \/ /\ At(at) - At(proof[3]) >= -Skew
       /\ At(at) - At(proof[3]) <= Lasts
       /\ Born - Skew <= At(at)
       /\ At(at) <= LastSecond
    \/ Bug = "does not look at the clock"
ToEve == {"denied", "changed"} \* requests to whom the policy does not name
Bound(one) == \* (5)
    LET deed == Deeds[one.first[2]] IN
    \/ /\ one.first[2] = one.second[2]
       /\ deed.epoch = Epoch
       /\ deed.opening = one.request
       /\ deed.asked = one.request
    \/ /\ Bug = "does not compare what is bound" \* rows are of one look-up, and for this recipient, all the same
       /\ one.first[2] = one.second[2]
       /\ (one.request \in ToEve) = (deed.asked \in ToEve)
Rows(one) == ~Deeds[one.first[2]].forged \/ Bug = "takes rows without their tags" \* (7)
Decision(one) == \* what follows from the request and both answers, if they are rows of the tables
    [allow |-> one.request \notin ToEve, confirm |-> one.request = "stranger"]
Confirmed_(one) ==
    \/ one.word = "for it" /\ one.first[2] = "confirmed"
    \/ one.word = "for another preview" /\ Bug = "takes a word for another preview"
    \/ Bug = "wants no approver"
Decided(one) == \* (7)
    /\ \/ Decision(one).allow
       \/ Bug = "takes every decision for a yes"
       \/ Deeds[one.first[2]].forged \* then the rows say yes
    /\ Decision(one).confirm => Confirmed_(one)
Accepts(one, at) ==
    /\ Parsed(one)
    /\ Signed(one.first) /\ Signed(one.second)
    /\ Fresh(one.first, at) /\ Fresh(one.second, at)
    /\ Bound(one)
    /\ Rows(one)
    /\ Decided(one)
Acceptable == [at \in 0..Len(Clock) - 1 |-> {one \in Presentings: Has(one, at) /\ Accepts(one, at)}]

Does(place, phase) == doing[place] # Nothing /\ doing[place].phase = phase
Doing(phase, action, one, since, expires) ==
    [phase |-> phase, action |-> action, presented |-> one, since |-> since, expires |-> expires]

\* The number of an action counts from 0 on, and its place in a sequence from 1 on.
Number(one) == (CHOOSE place \in DOMAIN Place: Place[place] = one.first[2]) - 1

Present ==
    \E place \in DOMAIN Executors, one \in Acceptable[now]:
        /\ doing[place] = Nothing
        /\ doing' = [doing EXCEPT ![place] = Doing("accepted", Number(one), one, now, LastSecond + Skew + 1)]
        /\ UNCHANGED <<now, marks, happened, last>>

\* By the time of the mark, not by that of the acceptance: others may have acted and been forgotten in between.
Mark ==
    \E place \in DOMAIN Executors:
        /\ Does(place, "accepted")
        /\ LET action == doing[place].action + 1
               before == IF Bug = "marks twice" THEN Nothing ELSE marks[action]
               free == before = Nothing /\ doing[place].expires > At(now)
               mark == [owner |-> Executors[place], state |-> Started, expires |-> doing[place].expires]
           IN  /\ marks' = [marks EXCEPT ![action] = IF free THEN mark ELSE before]
               /\ doing' = [doing EXCEPT ![place] = IF free THEN [@ EXCEPT !.phase = "marked"] ELSE Nothing]
        /\ UNCHANGED <<now, happened, last>>

Act ==
    \E place \in DOMAIN Executors:
        /\ Does(place, "marked")
        /\ LET one == doing[place] IN
           /\ happened' = [happened EXCEPT ![one.action + 1] = IF @ < 2 THEN @ + 1 ELSE 2] \* more than twice is the same
           /\ last' = [presented |-> one.presented, since |-> one.since]
           /\ doing' = [doing EXCEPT ![place] = Doing("acted", one.action, Nothing, 0, 0)]
        /\ UNCHANGED <<now, marks>>

Ended(mark, place, state) ==
    IF mark # Nothing /\ mark.state = Started /\ mark.owner = Executors[place] THEN [mark EXCEPT !.state = state] ELSE mark

Finish ==
    \E place \in DOMAIN Executors:
        /\ Does(place, "acted")
        /\ marks' = [marks EXCEPT ![doing[place].action + 1] = Ended(@, place, Done)]
        /\ doing' = [doing EXCEPT ![place] = Nothing]
        /\ UNCHANGED <<now, happened, last>>

Die ==
    \E place \in DOMAIN Executors:
        /\ doing[place] # Nothing
        /\ doing[place].phase # "down"
        /\ doing' = [doing EXCEPT ![place] = Doing("down", 0, Nothing, 0, 0)]
        /\ UNCHANGED <<now, marks, happened, last>>

\* What it left is written down as unknown.
Start ==
    \E place \in DOMAIN Executors:
        /\ Does(place, "down")
        /\ doing' = [doing EXCEPT ![place] = Nothing]
        /\ marks' = [action \in DOMAIN marks |-> Ended(marks[action], place, Unknown)]
        /\ UNCHANGED <<now, happened, last>>

Old(mark) == (mark.expires <= At(now) /\ mark.state # Started) \/ Bug = "forgets too early"

Forget ==
    /\ marks' = [action \in DOMAIN marks |->
                    IF marks[action] # Nothing THEN (IF Old(marks[action]) THEN Nothing ELSE marks[action]) ELSE Nothing]
    /\ UNCHANGED <<now, doing, happened, last>>

TimePasses ==
    /\ now + 1 < Len(Clock)
    /\ now' = now + 1
    /\ UNCHANGED <<doing, marks, happened, last>>

Next == Present \/ Mark \/ Act \/ Finish \/ Die \/ Start \/ Forget \/ TimePasses

Deed == Deeds[last.presented.first[2]]

BothForThisRequest ==
    last # Nothing =>
        /\ Parsed(last.presented)
        /\ last.presented.first[2] = last.presented.second[2]
        /\ Deed.servers = {0, 1}
        /\ Deed.opening = last.presented.request
        /\ Deed.asked = last.presented.request
        /\ Deed.epoch = Epoch

Allowed == last # Nothing => Deed.decision.allow

NeverStale ==
    last # Nothing =>
        /\ \A proof \in {last.presented.first, last.presented.second} \ {Nothing}: At(last.since) - At(proof[3]) <= Lasts
        /\ At(last.since) - Born <= Lifetime + Lasts + Skew

Confirmed == last # Nothing => (Deed.decision.confirm => last.presented.word = "for it")

NeverTwice == \A action \in DOMAIN happened: happened[action] <= 1
====
