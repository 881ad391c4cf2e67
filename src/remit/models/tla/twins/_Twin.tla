-------------------------------- MODULE _Twin ---------------------------------
(* What every twin has.                                                       *)
CONSTANTS Nothing,  \* what is not there: equal to nothing else
          Bug    \* the one way in which an operator is spoiled, by the name of the mutant; nothing in the model itself
=============================================================================
