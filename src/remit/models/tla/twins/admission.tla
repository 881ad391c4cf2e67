------------------------------ MODULE admission ------------------------------
(* Admission of skills: updates are offered one after the other, honest ones  *)
(* and such as a liar can make, to two processes that remember in one store   *)
(* what was admitted; meanwhile a key is revoked, or bundles are not required *)
(* any more. What a signature, a digest and an analysis would show is known   *)
(* of each offer.                                                             *)
EXTENDS Integers, Sequences, _Twin
CONSTANTS Offers, Digests,  \* what is offered, and the digest of its content
          Unverified, Level  \* of what has no bundle that holds, and of what has one
VARIABLES root, seen, looked, last
vars == <<root, seen, looked, last>>

Init == root = [revoked |-> FALSE, required |-> TRUE] /\ seen = Nothing /\ looked = <<Nothing, Nothing>> /\ last = Nothing

----------------- (* admission, and how it is spoiled *) ---------------------
Number(offer) == CHOOSE i \in DOMAIN Offers : Offers[i] = offer
Digest(offer) == Digests[Number(offer)]

\* (1) a key that the trust root has signed it, and (2) it is what was signed.
SignedByOurs(offer) ==
    CASE Bug = "looks at no signature" -> offer.signer # "nobody"
      [] Bug = "takes a key that was revoked" -> offer.signer = "ours"
      [] OTHER -> offer.signer = "ours" /\ ~root.revoked
Attested(offer) == offer.drift = "" \/ Bug = "compares no digest"
\* (3) the reader is cleared for it, and (4) nothing newer was admitted, nor this version with another content.
MayRead(offer) == ~offer.secret \/ Bug = "looks at no clearance"
Newer(offer) ==
    CASE Bug = "remembers no version" -> TRUE
      [] Bug = "refuses everything" -> FALSE
      [] OTHER -> IF seen = Nothing THEN TRUE ELSE offer.version > seen[1] \/ (offer.version = seen[1] /\ Digest(offer) = seen[2])
\* (5) what is found out here is what was attested: manifest and evidence are looked at once more.
FoundAgain(offer) == (~offer.hides \/ Bug = "believes what the author found") /\ offer.drift \notin {"manifest", "evidence"}

Answer(offer, level, refused) == [offer |-> offer, root |-> root, level |-> level, refused |-> refused, before |-> Nothing]
Refused(offer, refused) == Answer(offer, Unverified, refused /\ Bug # "loads whatever it finds")
Admits(offer) ==
    CASE ~(SignedByOurs(offer) /\ Attested(offer)) -> Refused(offer, root.required)
      [] SignedByOurs(offer) /\ Attested(offer) /\ ~(MayRead(offer) /\ Newer(offer)) -> Refused(offer, TRUE)
      [] SignedByOurs(offer) /\ Attested(offer) /\ MayRead(offer) /\ Newer(offer) ->
             IF FoundAgain(offer) THEN Answer(offer, Level, FALSE) ELSE Refused(offer, root.required)

------------------------- (* what can happen *) ------------------------------
Look == \E place \in DOMAIN looked, i \in DOMAIN Offers :
    /\ looked[place] = Nothing
    /\ LET answer == Admits(Offers[i])
       IN  IF answer.refused \/ answer.level = Unverified THEN last' = answer /\ UNCHANGED looked
           ELSE looked' = [looked EXCEPT ![place] = answer] /\ last' = Nothing
    /\ UNCHANGED <<root, seen>>

\* What was admitted is judged again in the step in which it is remembered.
Remember == \E place \in DOMAIN looked :
    /\ looked[place] # Nothing
    /\ LET answer == looked[place]
           offer  == answer.offer
       IN  IF Newer(offer) THEN seen' = <<offer.version, Digest(offer)>> /\ last' = [answer EXCEPT !.before = seen]
           ELSE last' = [answer EXCEPT !.level = Unverified, !.refused = TRUE] /\ UNCHANGED seen
    /\ looked' = [looked EXCEPT ![place] = Nothing] /\ UNCHANGED root

Revoke == ~root.revoked /\ root' = [root EXCEPT !.revoked = TRUE] /\ last' = Nothing /\ UNCHANGED <<seen, looked>>
BundlesAreRequired == root' = [root EXCEPT !.required = ~@] /\ last' = Nothing /\ UNCHANGED <<seen, looked>>

Next == Look \/ Remember \/ Revoke \/ BundlesAreRequired

----------------------------- (* what must hold *) ---------------------------
Said == last # Nothing
Held == IF last = Nothing THEN FALSE ELSE ~last.refused /\ last.level # Unverified
Plain == Offers[CHOOSE i \in DOMAIN Offers : Offers[i].version = 2 /\ \A j \in DOMAIN Offers : Offers[j].version = 2 => i <= j]
Honest ==
    LET before == IF Held THEN last.before ELSE seen
    IN  IF last = Nothing THEN FALSE ELSE last.offer = Plain /\ ~last.root.revoked /\ (IF before = Nothing THEN TRUE ELSE before[1] < last.offer.version)

Signed == Held => last.offer.signer = "ours" /\ ~last.root.revoked
AsItWasAttested == Held => last.offer.drift = ""
NeverBack == Held => IF last.before = Nothing THEN TRUE ELSE last.offer.version > last.before[1] \/ <<last.offer.version, Digest(last.offer)>> = last.before
Cleared == (IF Said THEN last.offer.secret ELSE FALSE) => ~Held
FoundOutAgain == (IF Said THEN last.offer.hides ELSE FALSE) => ~Held
Required == (IF Said THEN last.root.required /\ last.level = Unverified ELSE FALSE) => last.refused
HonestIsAdmitted == Honest => Held
=============================================================================
