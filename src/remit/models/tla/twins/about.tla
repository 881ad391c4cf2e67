-------------------------------- MODULE about --------------------------------
(* Edits, deletions and reactions: settings that change in between, others    *)
(* who try. Each is kept at once: what goes on at the same time is looked at  *)
(* in `ingress`.                                                              *)
EXTENDS _Events
CONSTANTS Sessions,  \* in which something new would be heard, before and after the settings change
          People, Rooms, Threads, MessageKept
VARIABLES memory, settings, first, last
vars == <<memory, settings, first, last>>

Range(seq) == {seq[i] : i \in DOMAIN seq}
Init == memory = <<>> /\ settings = 0 /\ first = [place \in DOMAIN Rooms |-> Nothing] /\ last = Nothing

------------------ (* where it belongs, and how that is spoiled *) -----------
Where(what, fresh, speaker, held) ==
    LET real(who, known) == Belongs(what, fresh, who, known)
        about == held # Nothing
    IN  CASE Bug = "hears edits as something new" /\ what = "edited" /\ about -> Heard(fresh)
          [] Bug = "hears deletions as something new" /\ what = "deleted" /\ about -> Heard(fresh)
          [] Bug = "hears reactions as something new" /\ what = "reacted" /\ about -> Heard(fresh)
          [] Bug = "hears edits of what was never said" -> real(speaker, IF about THEN held ELSE Held(fresh, speaker))
          [] Bug = "lets anyone edit" -> real(IF about THEN held.speaker ELSE speaker, held)
          [] Bug = "hears a name again as another message" -> real(speaker, IF what = "said" THEN Nothing ELSE held)
          [] Bug = "moves the reactions of others" /\ what = "reacted" /\ about /\ held.speaker # speaker -> Heard(fresh)
          [] OTHER -> real(speaker, held)

------------------------- (* what can happen *) ------------------------------
Happens(what) == \E speaker \in Range(People), place \in DOMAIN Rooms, thread \in Range(Threads) :
    LET room  == Rooms[place]
        row   == <<"messages", <<"chat", "us", "group", room, "m">> >>
        held  == IF row \in DOMAIN memory THEN memory[row].value ELSE Nothing
        fresh == Sessions[settings + 1] \o "/" \o room \o "/" \o thread
        found == Where(what, fresh, speaker, held)
        kept  == [value |-> Held(found.session, speaker), due |-> Nothing, until |-> MessageKept]
    IN  /\ found.reason = ""
        /\ memory' = IF held = Nothing THEN (row :> kept) @@ memory ELSE memory
        /\ first' = IF what = "said" /\ first[place] = Nothing THEN [first EXCEPT ![place] = Held(fresh, speaker)] ELSE first
        /\ last' = [what |-> what, speaker |-> speaker, room |-> room, thread |-> thread, session |-> found.session, said |-> first[place]]
        /\ UNCHANGED settings

Say == TRUE /\ Happens("said")
Edit == TRUE /\ Happens("edited")
Delete == TRUE /\ Happens("deleted")
React == TRUE /\ Happens("reacted")
ChangeTheSettings == settings = 0 /\ settings' = 1 /\ last' = Nothing /\ UNCHANGED <<memory, first>>

Next == Say \/ Edit \/ Delete \/ React \/ ChangeTheSettings

----------------------------- (* what must hold *) ---------------------------
Was(whats) == IF last = Nothing THEN FALSE ELSE last.what \in whats
Bound == last.said # Nothing /\ last.session = last.said.session
ItsSpeaker == last.said = Nothing \/ last.said.speaker = last.speaker

EditsAreBound == Was({"edited"}) => Bound
DeletionsAreBound == Was({"deleted"}) => Bound
ReactionsAreBound == Was({"reacted"}) => Bound
ItsSpeakerAlone == Was({"edited", "deleted"}) => ItsSpeaker
ANameIsOneMessage == (Was({"said"}) /\ last.said # Nothing) => (Bound /\ ItsSpeaker)
OthersMayReact == (Was({"reacted"}) /\ ~ItsSpeaker) => Bound
=============================================================================
