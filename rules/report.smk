# Rules of the room report.
