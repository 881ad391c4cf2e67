---- MODULE limits ----
\* How often something may happen: a bucket that fills again with time, alone and for new requests of pairing.
EXTENDS Naturals, Sequences

CONSTANTS
    Nothing, Bug,
    Limits, \* so many at once, and one more after so many seconds
    Last    \* the last second

VARIABLES
    limit,
    bucket,  \* what is left, and since when that is counted
    channel, \* of pairing, with a bucket of its own; nobody waits there, since each request is answered at once
    now,
    taken,   \* when one was taken
    asked,   \* when a new request was heard
    full     \* what waited long enough was let through

vars == <<limit, bucket, channel, now, taken, asked, full>>

Init ==
    /\ limit \in Limits
    /\ bucket = Nothing
    /\ channel = [waiting |-> <<>>, allowed |-> <<>>, asked |-> Nothing]
    /\ now = 0
    /\ taken = <<>>
    /\ asked = <<>>
    /\ full = TRUE

\* A bucket at a moment, with what it gained by then.
Filled(known, at) ==
    LET before == IF known = Nothing THEN [left |-> limit.most, since |-> at] ELSE known
        gained == (at - before.since) \div limit.seconds
    IN  IF before.left + gained >= limit.most THEN [left |-> limit.most, since |-> at]
        ELSE [left |-> before.left + gained, since |-> before.since + gained * limit.seconds]

Less(one) == IF one.left > 0 THEN [one EXCEPT !.left = @ - 1] ELSE one

Bucket ==
    CASE Bug = "is full again with each second" /\ bucket # Nothing /\ bucket.since < now -> Filled(Nothing, now)
      [] Bug = "never fills again" /\ bucket # Nothing -> Filled(bucket, bucket.since)
      [] OTHER -> Filled(bucket, now)

Rested == taken = <<>> \/ now - taken[Len(taken)] >= limit.seconds * limit.most

Take ==
    /\ asked = <<>>
    /\ bucket' = Less(Bucket)
    /\ taken' = IF Bucket.left > 0 THEN Append(taken, now) ELSE taken
    /\ full' = (Bucket.left > 0 \/ ~Rested)
    /\ UNCHANGED <<limit, channel, now, asked>>

Ask ==
    /\ taken = <<>>
    /\ LET one == Filled(channel.asked, now) IN
       IF Bug = "counts no requests"
       THEN /\ channel' = [channel EXCEPT !.asked = [left |-> limit.most, since |-> now]]
            /\ asked' = Append(asked, now)
       ELSE /\ channel' = [channel EXCEPT !.asked = Less(one)]
            /\ asked' = IF one.left > 0 THEN Append(asked, now) ELSE asked
    /\ UNCHANGED <<limit, bucket, now, taken, full>>

ASecondPasses ==
    /\ now < Last
    /\ now' = now + 1
    /\ full' = TRUE
    /\ UNCHANGED <<limit, bucket, channel, taken, asked>>

Next == Take \/ Ask \/ ASecondPasses

\* In no stretch of time more than there may be: as many as at once, and one more for each pause.
Within(times) ==
    \A start \in 1..Len(times): \A end \in start..Len(times):
        end - start + 1 <= limit.most + (times[end] - times[start]) \div limit.seconds

NeverMore == Within(taken)
PairingIsLimited == Within(asked)
WhoWaitsIsLetThrough == taken # <<>> => full
====
