------------------------------- MODULE _Turns --------------------------------
(* What an agent does about an event (gateway/inbound/turns.py): the pure step, *)
(* and the operations on what is kept. What a mutant may spoil is given: the     *)
(* step (`Steps`), what is answered at an end (`Says`), and where the word    *)
(* goes that a turn was interrupted (`Back`).                                 *)
EXTENDS _Lines
CONSTANTS MostTries, Lease, EndKept, Interrupted

Over == {"done", "interrupted"}

------------------------------- (* the step *) -------------------------------
Counts(turn) == [turn |-> turn, counted |-> TRUE]
TurnStep(known, event) ==
    LET mine   == known.phase \in {"taken", "acting"} /\ known.worker = event.worker
        again  == known.phase = "taken" /\ known.tries < MostTries
    IN  CASE event.kind = "take" /\ known.phase = "waiting" -> Counts([known EXCEPT !.phase = "taken", !.worker = event.worker, !.tries = @ + 1])
          [] event.kind = "act" /\ mine -> Counts([known EXCEPT !.phase = "acting"])
          [] event.kind = "finish" /\ mine -> Counts([known EXCEPT !.phase = "done", !.worker = ""])
          [] event.kind = "lost" /\ mine -> Counts([known EXCEPT !.phase = IF again THEN "waiting" ELSE "interrupted", !.worker = ""])
          [] OTHER -> [turn |-> known, counted |-> FALSE]
By(worker, kind) == [kind |-> kind, worker |-> worker]
AsGiven(turn, answers) == answers

----------------------------- (* operations *) -------------------------------
\* A turn is over: its answers are kept with that, and who stands behind it is due. `after`: what the operation asks then.
Ended(key, turn, answers, heard, after) ==
    LET due(next, rest) ==
            IF next = Nothing THEN after
            ELSE <<Read("turns", next)>> \o If(rest # <<>>, <<Write("turns", next, rest[1], 0, Nothing)>> \o after)
        RECURSIVE answered(_, _)
        answered(number, rest) ==
            LET more(left) == answered(number + 1, left)
            IN  IF number > Len(answers) THEN Leave(LineOfTurn(turn), key, rest, due)
                ELSE Queue(key \o <<"000" \o ToString(number - 1)>>, answers[number], rest, more)
    IN  <<Write("turns", key, turn, Nothing, EndKept), Put("heard", key, Nothing)>> \o answered(1, heard)

\* What is due is taken, or found lost: then it waits again, or is over and its speaker is told. `names`: of all turns, in their order.
Takes(worker, names, heard, Steps(_, _), Says(_, _), Back(_)) ==
    LET key    == heard[1][1]
        known  == heard[1][2]
        event  == heard[2]
        taken  == Steps(known, By(worker, "take")).turn
        lost   == Steps(known, By(known.worker, "lost")).turn
        word   == Piece(lost.session, Back(event), Interrupted, lost.trace)
        end(turn) == <<Commit, Return(<<key, turn, event>>)>>
    IN  <<Begin, First("turns", names)>> \o
        IF heard = <<>> THEN <<>>
        ELSE IF heard[1] = Nothing THEN <<Commit, Return(Nothing)>>
        ELSE <<Read("heard", key)>> \o
             IF Len(heard) = 1 THEN <<>>
             ELSE IF known.phase = "waiting" THEN <<Write("turns", key, taken, Lease, Nothing)>> \o end(taken)
             ELSE IF lost.phase = "waiting" THEN <<Write("turns", key, lost, 0, Nothing)>> \o end(lost)
             ELSE Ended(key, lost, Says(lost, <<word>>), Tail(Tail(heard)), end(lost))

\* A worker still has it; `acts`: a tool is about to run.
StillHas(key, worker, acts, heard, Steps(_, _)) ==
    <<Begin, Read("turns", key)>> \o
    IF heard = <<>> THEN <<>>
    ELSE LET known == heard[1]
             mine  == IF known = Nothing THEN FALSE ELSE known.phase \in {"taken", "acting"} /\ known.worker = worker
             turn  == IF acts THEN Steps(known, By(worker, "act")).turn ELSE known
         IN  If(mine, <<Write("turns", key, turn, Lease, Nothing)>>) \o <<Commit, Return(mine)>>

\* The agent has done.
Finishes(key, worker, answers, heard, Steps(_, _), Says(_, _)) ==
    LET after == Steps(heard[1], By(worker, "finish"))
    IN  <<Begin, Read("turns", key)>> \o
        IF heard = <<>> THEN <<>>
        ELSE IF heard[1] = Nothing THEN <<Commit, Return(FALSE)>>
        ELSE IF ~after.counted THEN <<Commit, Return(FALSE)>>
        ELSE Ended(key, after.turn, Says(after.turn, answers), Tail(heard), <<Commit, Return(TRUE)>>)

\* A second later, where the store always says that it is now. That an end is forgotten some day is left out.
Nearer == [row \in DOMAIN memory |-> [memory[row] EXCEPT !.due = IF @ \in {Nothing, 0} THEN @ ELSE @ - 1, !.until = Nothing]]
=============================================================================
