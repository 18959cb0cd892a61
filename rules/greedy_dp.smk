# Rules of the room greedy_dp.
