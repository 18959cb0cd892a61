# Rules of the room elimination.
