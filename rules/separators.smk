# Rules of the room separators.
