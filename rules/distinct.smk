# Rules of the room distinct.
