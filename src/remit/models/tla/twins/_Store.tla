-------------------------------- MODULE _Store -------------------------------
(* A store and the operations on it (gateway/inbound/stores/operations.py),   *)
(* one question after the other, with others in between. What an operation    *)
(* wrote since it began is seen by itself alone, and by all after it commits; *)
(* who wants to begin waits while another has begun. One that does not begin  *)
(* writes at once.                                                            *)
(*                                                                            *)
(* An operation is what it was asked to do (`call`), what it read up to now   *)
(* (`heard`), and how many of its questions were answered (`at`): its place   *)
(* in its program. The program is all that it asks, as far as that is known   *)
(* from what it has read, and ends with `Return`.                             *)
EXTENDS Integers, Sequences, FiniteSets, TLC, _Twin
VARIABLES memory,  \* what is kept, by table and key
          doing    \* the operation at each place, or Nothing

Begin == [ask |-> "begin"]
Commit == [ask |-> "commit"]
Read(table, key) == [ask |-> "read", table |-> table, key |-> key]
First(table, keys) == [ask |-> "next", table |-> table, keys |-> keys]  \* keys: all there may be, in their order
Write(table, key, value, due, until) ==
    [ask |-> "write", table |-> table, row |-> <<table, key>>, kept |-> [value |-> value, due |-> due, until |-> until]]
Return(value) == [ask |-> "return", value |-> value]
If(holds, program) == IF holds THEN program ELSE <<>>

\* For spoiled operators: a program that neither begins nor commits, and one that keeps nothing in a table.
WithoutTransaction(program) == SelectSeq(program, LAMBDA one : one.ask \notin {"begin", "commit"})
WithoutWriting(program, table) == SelectSeq(program, LAMBDA one : IF one.ask = "write" THEN one.table # table ELSE TRUE)

------------------------------ (* memory *) ----------------------------------
Get(kept, table, key) == IF <<table, key>> \in DOMAIN kept THEN kept[table, key].value ELSE Nothing
Keys(table) == {row[2] : row \in {any \in DOMAIN memory : any[1] = table}}
Values(table) == {memory[table, key].value : key \in Keys(table)}

\* The key and value of what is due first at the time 0, or Nothing; among equals the first by its key.
FirstDue(kept, table, keys) ==
    LET due(i) == kept[table, keys[i]].due
        found  == {i \in DOMAIN keys : <<table, keys[i]>> \in DOMAIN kept /\ due(i) # Nothing /\ due(i) <= 0}
        first  == CHOOSE i \in found : \A other \in found : due(i) < due(other) \/ (due(i) = due(other) /\ i <= other)
    IN  IF found = {} THEN Nothing ELSE <<keys[first], Get(kept, table, keys[first])>>

After(kept, writes) ==
    LET wrote == {writes[i].row : i \in DOMAIN writes}
        last  == [row \in wrote |-> writes[CHOOSE i \in DOMAIN writes : writes[i].row = row /\ \A later \in i + 1 .. Len(writes) : writes[later].row # row]]
        there == {row \in wrote : last[row].kept.value # Nothing}
    IN  IF writes = <<>> THEN kept ELSE [row \in there \union (DOMAIN kept \ wrote) |-> IF row \in wrote THEN last[row].kept ELSE kept[row]]

----------------------------- (* operations *) -------------------------------
Operation(call) == [call |-> call, heard |-> <<>>, at |-> 0, began |-> FALSE]
Alone == \A place \in DOMAIN doing : IF doing[place] = Nothing THEN TRUE ELSE ~doing[place].began
Asked(place, program) == program[doing[place].at + 1]

\* What the operation at a place wrote since it began.
Wrote(place, program) ==
    LET at    == doing[place].at
        first == CHOOSE i \in 1 .. at : program[i].ask = "begin" /\ \A later \in i + 1 .. at : program[later].ask # "begin"
    IN  If(doing[place].began, SelectSeq(SubSeq(program, first, at), LAMBDA one : one.ask = "write"))

Answer(seen, asks) == IF asks.ask = "read" THEN Get(seen, asks.table, asks.key) ELSE FirstDue(seen, asks.table, asks.keys)

\* The operation at a place, which asks what its program says and has not returned, goes on by one answer. (Of `\E` with
\* one value TLC keeps that value, and need not evaluate it again wherever it stands.)
GoesOn(place, program) ==
    \E op \in {doing[place]}, asks \in {Asked(place, program)}, wrote \in {Wrote(place, program)} : \E seen \in {After(memory, wrote)} :
        /\ asks.ask = "begin" => Alone
        /\ memory' = CASE asks.ask = "commit" -> seen
                       [] asks.ask = "write" /\ ~op.began -> After(memory, <<asks>>)
                       [] OTHER -> memory
        /\ doing' = [doing EXCEPT ![place] =
                         [op EXCEPT !.at = @ + 1, !.began = CASE asks.ask = "begin" -> TRUE [] asks.ask = "commit" -> FALSE [] OTHER -> @,
                                    !.heard = IF asks.ask \in {"read", "next"} THEN Append(@, Answer(seen, asks)) ELSE @]]

\* All of a program at once, with nobody in between: the memory after it, and what it returned. The program is given what was read.
AtOnce(kept, Program(_)) ==
    LET RECURSIVE from(_)
        from(heard) ==
            LET program == Program(heard)
                last    == program[Len(program)]
                seen    == After(kept, SelectSeq(program, LAMBDA one : one.ask = "write"))
            IN  IF last.ask = "return" THEN [memory |-> seen, value |-> last.value] ELSE from(Append(heard, Answer(seen, last)))
    IN  from(<<>>)

Returned(place, program) == Asked(place, program).ask = "return"
Leaves(place) == doing' = [doing EXCEPT ![place] = Nothing]
Starts(place, call) == doing[place] = Nothing /\ doing' = [doing EXCEPT ![place] = Operation(call)]
=============================================================================
