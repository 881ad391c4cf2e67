------------------------------- MODULE _Lines --------------------------------
(* What comes one after the other (gateway/inbound/stores/operations.py), and    *)
(* events and answers that stand in such lines: parts of programs. A part is  *)
(* given what was read from its first question on, and `Then`: the program    *)
(* that follows it, which is given the rest of what was read.                 *)
EXTENDS _Store, _Events

Put(table, key, value) == Write(table, key, value, Nothing, Nothing)

LineOfTurn(turn) == <<"turn " \o turn.agent \o " " \o turn.session>>
LineTo(route) == <<"to", route.channel, route.account, route.to, route.thread, route.kind>>

\* To the end of a line; `last`: who stood there, or Nothing.
Joins(line, name, last) == <<Put("lines", line, name)>> \o If(last # Nothing, <<Put("behind", last, name)>>)

\* The first of a line has done; what follows is given who is the first now, or Nothing.
Leave(line, name, heard, Then(_, _)) ==
    <<Read("lines", line)>> \o
    CASE heard = <<>> -> <<>>
      [] heard # <<>> /\ heard[1] = name -> <<Put("lines", line, Nothing)>> \o Then(Nothing, Tail(heard))
      [] OTHER -> <<Read("behind", name)>> \o
                  IF Len(heard) = 1 THEN <<>>
                  ELSE If(heard[2] # Nothing, <<Put("behind", name, Nothing)>>) \o Then(heard[2], Tail(Tail(heard)))

\* A new answer, behind all that go to the same place.
Queue(key, piece, heard, Then(_)) ==
    <<Read("lines", LineTo(piece.route))>> \o
    IF heard = <<>> THEN <<>>
    ELSE Joins(LineTo(piece.route), key, heard[1])
         \o <<Write("delivery", key, piece, IF heard[1] = Nothing THEN piece.after ELSE Nothing, Nothing)>> \o Then(Tail(heard))

\* An event is remembered; what follows is given why it is not heard, or nothing.
Remember(name, until, heard, Then(_, _)) ==
    <<Read("once", name)>> \o
    CASE heard = <<>> -> <<>>
      [] heard # <<>> /\ ~FirstTime(heard[1], 0) -> Then("SEEN", Tail(heard))
      [] OTHER -> <<Write("once", name, until, Nothing, until)>> \o Then("", Tail(heard))

TurnOf(routed, session) ==
    [session |-> session, agent |-> routed.agent, trace |-> Or(routed.event.trace, routed.event.event),
     phase |-> "waiting", worker |-> "", tries |-> 0]

\* An event is kept for its agent, behind those before it in its session; what follows is given why it is not, or nothing.
Keep(routed, name, kept, heard, Then(_, _)) ==
    LET event   == routed.event
        held    == heard[2]
        belongs == Belongs(event.what, routed.session, routed.speaker, held)
        turn    == TurnOf(routed, belongs.session)
        said    == Write("messages", MessageOf(event), Held(belongs.session, routed.speaker), Nothing, kept)
    IN  <<Read("heard", name)>> \o
        IF heard = <<>> THEN <<>>
        ELSE IF heard[1] # Nothing THEN Then("SEEN", Tail(heard))
        ELSE <<Read("messages", MessageOf(event))>> \o
             IF Len(heard) = 1 THEN <<>>
             ELSE IF belongs.reason # "" THEN Then(belongs.reason, Tail(Tail(heard)))
             ELSE If(event.what = "said" /\ held = Nothing, <<said>>) \o <<Read("lines", LineOfTurn(turn))>> \o
                  IF Len(heard) = 2 THEN <<>>
                  ELSE Joins(LineOfTurn(turn), name, heard[3])
                       \o <<Put("heard", name, event), Write("turns", name, turn, IF heard[3] = Nothing THEN 0 ELSE Nothing, Nothing)>>
                       \o Then("", Tail(Tail(Tail(heard))))
=============================================================================
