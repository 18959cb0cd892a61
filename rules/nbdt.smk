# Rules of the room nbdt.
