------------------------------- MODULE _Buckets -------------------------------
(* A bucket that fills again with time (gateway/inbound/limits.py).           *)
EXTENDS Integers, _Twin

\* Take one. A bucket that is not known yet is full. Gives the bucket after it, and whether there was one.
TakeFrom(known, limit, now) ==
    LET old    == IF known = Nothing THEN [left |-> limit.most, since |-> now] ELSE known
        gained == (IF now > old.since THEN now - old.since ELSE 0) \div limit.seconds
        full   == old.left + gained >= limit.most
        left   == IF full THEN limit.most ELSE old.left + gained
        since  == IF full THEN now ELSE old.since + gained * limit.seconds
    IN  [bucket |-> [left |-> IF left > 0 THEN left - 1 ELSE left, since |-> since], found |-> left > 0]
=============================================================================
