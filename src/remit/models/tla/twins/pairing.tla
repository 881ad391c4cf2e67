------------------------------- MODULE pairing -------------------------------
(* Pairing on one channel: strangers who ask as often as they like, an        *)
(* operator who answers codes, and time.                                      *)
EXTENDS _PairingLife
CONSTANTS Codes,  \* in their order
          Rules, Last
VARIABLES channel, now, asked, approved, refreshed
vars == <<channel, now, asked, approved, refreshed>>

Places == DOMAIN Senders
Init == /\ channel = Nobody /\ now = 0 /\ approved = {} /\ refreshed = Nothing
        /\ asked = [place \in Places |-> Nothing]

------------------- (* the step, and how it is spoiled *) --------------------
Now == Live(channel, IF Bug = "does not look at the clock" THEN 0 ELSE now)
With(found, waiting) == [found EXCEPT !.channel.waiting = waiting]

Asking(sender, code) ==
    LET real(rules, known, new) == Asks(rules, known, sender, new, now)
        others == [Now EXCEPT !.waiting = {one \in @ : one.sender # sender}]
        in     == sender \in Range(Now.allowed)
    IN  CASE Bug = "counts one too few" -> real([Rules EXCEPT !.most = @ + 1], Now, code)
          [] Bug = "forgets who waits" -> LET found == real(Rules, others, code) IN With(found, found.channel.waiting \union Now.waiting)
          [] Bug = "gives a code twice" ->
                 LET found == real(Rules, Now, "new")
                 IN  With(found, {IF one.code = "new" THEN [one EXCEPT !.code = code] ELSE one : one \in found.channel.waiting})
          [] Bug = "looks at the cap first" /\ Cardinality(Now.waiting) >= Rules.most /\ ~in -> Is(Now, "full")
          [] Bug = "lets those who are in ask" -> [real(Rules, [Now EXCEPT !.allowed = <<>>], code) EXCEPT !.channel.allowed = Now.allowed]
          [] OTHER -> real(Rules, Now, code)

Twice(allowed) == [i \in 1 .. 2 * Len(allowed) |-> allowed[(i + 1) \div 2]]
Answers(code, letIn) ==
    LET found == Answered(Now, code, letIn)
    IN  CASE Bug = "adds an entry for each approval" /\ found.outcome = "approved" -> [found EXCEPT !.channel.allowed = Twice(@)]
          [] Bug = "lets in who was denied" -> Is(Answered(Now, code, TRUE).channel, found.outcome)
          [] OTHER -> found

------------------------- (* what can happen *) ------------------------------
\* A code that nobody has, and one that somebody has.
First(codes) == LET left == SelectSeq(Codes, LAMBDA one : one \in codes) IN IF left = <<>> THEN {} ELSE {left[1]}
Offered == LET used == {one.code : one \in channel.waiting} IN First(Range(Codes) \ used) \union First(used)

Ask == \E place \in Places, code \in Offered :
    LET live  == LiveOf(channel.waiting, now)
        found == Asking(Senders[place], code)
        again == Cardinality(live) = Rules.most /\ Senders[place] \in SendersOf(live)
    IN  /\ channel' = found.channel
        /\ asked' = IF found.outcome \in {"asked", "again"} THEN [asked EXCEPT ![place] = now] ELSE asked
        /\ refreshed' = IF again THEN found.outcome ELSE Nothing
        /\ UNCHANGED <<now, approved>>

\* Who asked less than a lifetime ago: by right an approval lets in nobody else.
InTime == {Senders[place] : place \in {one \in Places : IF asked[one] = Nothing THEN FALSE ELSE now - asked[one] < Rules.lifetime}}

TheOperatorAnswers == \E code \in Range(Codes), letIn \in BOOLEAN :
    LET found == Answers(code, letIn)
        meant == SendersOf({one \in channel.waiting : one.code = code})
    IN  /\ found.outcome # "unknown"
        /\ channel' = found.channel
        /\ approved' = IF found.outcome = "approved" THEN approved \union (meant \intersect InTime) ELSE approved
        /\ refreshed' = Nothing
        /\ UNCHANGED <<now, asked>>

TheOperatorTakesBack == \E sender \in Range(channel.allowed) :
    /\ channel' = Removed(Now, sender).channel
    /\ approved' = approved \ {sender}
    /\ refreshed' = Nothing
    /\ UNCHANGED <<now, asked>>

ASecondPasses == now < Last /\ now' = now + 1 /\ refreshed' = Nothing /\ UNCHANGED <<channel, asked, approved>>

Next == Ask \/ TheOperatorAnswers \/ TheOperatorTakesBack \/ ASecondPasses

----------------------------- (* what must hold *) ---------------------------
Cap == Cardinality(LiveOf(channel.waiting, now)) <= Rules.most
OneRequestEach == Cardinality(SendersOf(channel.waiting)) = Cardinality(channel.waiting)
OneCodeEach == Cardinality({one.code : one \in channel.waiting}) = Cardinality(channel.waiting)
ApprovedInTime == channel.allowed # <<>> => Range(channel.allowed) = approved
OneEntry == Cardinality(Range(channel.allowed)) = Len(channel.allowed)
RefreshAtTheCap == refreshed # Nothing => refreshed = "again"
LetInDoesNotWait == SendersOf(channel.waiting) \intersect Range(channel.allowed) = {}
=============================================================================
