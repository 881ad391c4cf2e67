------------------------------- MODULE _Events -------------------------------
(* Events that come in (gateway/inbound/intake.py), as far as they need no    *)
(* store. A name is the tuple of its parts, where the code joins them.        *)
EXTENDS Integers, Sequences, TLC, _Twin

Or(first, second) == IF first # "" THEN first ELSE second

\* By the platform's name; without one by the request that brought it; without that by the content.
NameOf(event) ==
    <<event.place.channel, event.place.account>>
    \o (IF event.event # "" THEN <<"event", event.event>> ELSE IF event.trace # "" THEN <<"trace", event.trace>> ELSE <<"content", "">>)
    \o <<ToString(event.part), event.digest>>
\* A room may have the name of a person.
Named(place) == IF place.kind = "group" THEN place.room ELSE place.peer
MessageOf(event) == <<event.place.channel, event.place.account, event.place.kind, Named(event.place), event.message>>

\* Where an answer to an event goes.
BackTo(event) ==
    [channel |-> event.place.channel, account |-> event.place.account, to |-> Or(event.back, Named(event.place)),
     thread |-> event.place.thread, kind |-> event.place.kind]
Piece(session, route, body, trace) ==
    [session |-> session, route |-> route, body |-> body, trace |-> trace, phase |-> "waiting", tries |-> 0, after |-> 0, worker |-> "", replaces |-> ""]

FirstTime(until, now) == IF until = Nothing THEN TRUE ELSE now >= until

\* Where something is heard, or why it is not. `fresh`: where something new would be; `held`: what is known of its message.
Heard(session) == [session |-> session, reason |-> ""]
NotHeard(reason) == [session |-> "", reason |-> reason]
Held(session, speaker) == [session |-> session, speaker |-> speaker]
Belongs(what, fresh, speaker, held) ==
    IF what = "said"
    THEN IF held = Nothing \/ held = Held(fresh, speaker) THEN Heard(fresh) ELSE NotHeard("MESSAGE_TAKEN")
    ELSE IF held = Nothing THEN NotHeard("MESSAGE_UNKNOWN")
    ELSE IF what # "reacted" /\ held.speaker # speaker THEN NotHeard("NOT_ITS_SPEAKER")
    ELSE Heard(held.session)
=============================================================================
