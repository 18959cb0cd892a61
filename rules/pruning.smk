# Rules of the room pruning.
