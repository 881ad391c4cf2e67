---- MODULE connection ----
\* A connection to the inbound gateway: nothing is heard before the login, and who guesses or comes too early is cut off.
EXTENDS Naturals

CONSTANTS
    Nothing, Bug,
    New, In, Closed, \* how far a connection has come
    Logins,          \* what can become of a login
    MostGuesses

VARIABLES
    known,   \* what the gateway has of the connection
    let_in,  \* by what it was let in first
    guesses,
    ended,   \* it was cut off, or went away
    heard,   \* for whom a command was heard just now
    early    \* a command was sent before the login

vars == <<known, let_in, guesses, ended, heard, early>>

Init ==
    /\ known = [phase |-> New, by |-> "", guesses |-> 0]
    /\ let_in = ""
    /\ guesses = 0
    /\ ended = FALSE
    /\ heard = ""
    /\ early = FALSE

\* What is there after a step, and what is to be done.
To(connection, answer) ==
    /\ known' = connection
    /\ heard' = IF answer = "hear" THEN (IF connection.by = "" THEN "nobody" ELSE connection.by) ELSE ""
    /\ ended' = (ended \/ answer = "close")

Right(login) == login.by # "" /\ login.refused = ""
IsIn(login) == [phase |-> In, by |-> login.by, guesses |-> 0]
CutOff == [known EXCEPT !.phase = Closed, !.by = ""]
Most == IF Bug = "counts no guesses" THEN MostGuesses + 9 ELSE MostGuesses

Guessed ==
    LET over == known.guesses + 1 >= Most IN
    To([phase |-> IF over THEN Closed ELSE New, by |-> "", guesses |-> known.guesses + 1], IF over THEN "close" ELSE "refuse")

LogsIn(login) ==
    CASE known.phase = Closed /\ Bug = "opens again what was closed" -> To(IsIn(login), "")
      [] known.phase = Closed /\ Bug # "opens again what was closed" -> To(known, "refuse")
      [] known.phase = In /\ Bug = "lets who is in become another" -> To(IsIn(login), "")
      [] known.phase = In /\ Bug # "lets who is in become another" -> To(CutOff, "close")
      [] known.phase = New -> IF Right(login) THEN To(IsIn(login), "") ELSE Guessed

LogIn ==
    \E login \in Logins:
        /\ LogsIn(login)
        /\ guesses' = IF Right(login) \/ guesses > MostGuesses THEN guesses ELSE guesses + 1
        /\ let_in' = IF let_in = "" /\ Right(login) /\ ~ended THEN login.by ELSE let_in
        /\ UNCHANGED early

Send ==
    /\ CASE known.phase = Closed -> To(known, "refuse")
         [] known.phase = In -> To(known, "hear")
         [] known.phase = New ->
                IF Bug = "hears before the login" THEN To(known, "hear")
                ELSE IF Bug = "lets go on who sends too early" THEN To(known, "refuse")
                ELSE To(CutOff, "close")
    /\ early' = (early \/ let_in = "")
    /\ UNCHANGED <<let_in, guesses>>

End ==
    /\ known' = IF known.phase = Closed \/ (known.phase = In /\ Bug = "goes on after the end") THEN known ELSE CutOff
    /\ heard' = ""
    /\ ended' = TRUE
    /\ UNCHANGED <<let_in, guesses, early>>

Next == LogIn \/ Send \/ End

NothingBeforeTheLogin == heard # "" => heard = let_in
EarlyIsCutOff == early => known.phase = Closed
FewGuesses == guesses >= MostGuesses => known.phase = Closed \/ let_in # ""
OverIsOver == ended => known.phase = Closed /\ heard = ""
OneLogin == known.phase = In => known.by = let_in
====
