# Rules of the room induction.
