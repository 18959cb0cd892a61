"""Which form of the linear programs to use."""

from pinetum.separators.dual import DualProgram
from pinetum.separators.lp import Cases, Program, SolverOptions
from pinetum.separators.primal import PrimalProgram


def make_program(points, positive, options: SolverOptions | None = None) -> Program:
    """The form the options ask for; `auto` is the dual form, but for CBC, which starts every LP
    afresh.
    """
    options = options or SolverOptions()
    cases = points if isinstance(points, Cases) else Cases(points, positive)
    dual = options.form == "dual" or (options.form == "auto" and options.name == "HiGHS")
    return (DualProgram if dual else PrimalProgram)(cases, options)
