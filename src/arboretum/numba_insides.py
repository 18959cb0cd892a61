"""What is taken from numba's insides, so that a first run waits less for its compiler.

numba makes a kernel that another one calls twice over: optimised, translated to machine code and
cached on its own, and once more inside its caller, and so on up the calls. Here only what Python
calls is made in full; a kernel called by a kernel goes into it as intermediate code, which is
translated once, with the caller, and so do numba's own functions. That, one compilation for all constant
arguments, and a few things that numba reckons again and again and here are reckoned once, halve the time.

These names are numba's own business: pyproject.toml therefore bounds its version.
"""

import numba
import numba.np.linalg
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.registry import CPUDispatcher
from numba.core.target_extension import CPU, jit_registry
from numba.core.targetconfig import TargetConfig
from numba.core.transforms import canonicalize_cfg
from numba.core.types.functions import BaseFunction


def no_linear_algebra():
    """Every process that loads a kernel would import scipy.linalg, for products of matrices that no kernel takes."""
    raise ImportError("kernels take no products of matrices")


numba.np.linalg.ensure_blas = no_linear_algebra


def same_options(one, other):
    """numba compares all options, set or not, once per call it types: a tenth of the time."""
    return one._values == other._values if isinstance(other, TargetConfig) else NotImplemented


TargetConfig.__eq__ = same_options
TargetConfig.__hash__ = lambda options: 0  # as good as numba's, which is the same for all options too

typed_anew = BaseFunction.get_call_type
known_types: dict = {}


def call_type(function, context, args, kws):
    """What an operator or a function of numba's makes of these types: numba tries all it has at every place of use."""
    key = function, tuple(args), tuple(kws.items())
    if key not in known_types:
        known_types[key] = typed_anew(function, context, args, kws)
    return known_types[key]


BaseFunction.get_call_type = call_type

processed_whole = PostProcessor.run


def processed(processor, emit_dels=False, extend_lifetimes=False):
    """After a pass: numba also lists the live variables of every block, which only the last pass asks for."""
    if emit_dels or processor.func_ir.is_generator:
        return processed_whole(processor, emit_dels, extend_lifetimes)
    processor.func_ir.blocks = canonicalize_cfg(processor.func_ir.blocks)
    processor.func_ir.variable_lifetime = VariableLifetime(processor.func_ir.blocks)  # reckons when asked
    processor.func_ir.generator_info = None


PostProcessor.run = processed


def optimise_functions(library, module):
    """A light turn of every function before its module has the full one; numba has a full one here too."""
    module.data_layout = library._codegen._data_layout
    passes, builder = library._codegen._function_pass_manager(opt=1, loop_vectorize=False)
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)


CPUCodeLibrary._optimize_functions = optimise_functions


class Part(JITCodeLibrary):
    """Intermediate code of a kernel inside another: never machine code, so there is nothing to call."""

    @property
    def codegen(self):
        return self

    def set_env(self, name, env):
        """The environment of an interpreter's call."""

    def _optimize_final_module(self):
        """The first half of what numba does here; all of it comes with the kernel that Python calls.

        Without it the same passes inline otherwise, and some searches take a twelfth longer.
        """
        cheap, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=self._codegen._opt_level, cost="cheap"
        )
        cheap.run(self._final_module, builder)

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True


class PartCompiler(CompilerBase):
    def define_pipelines(self):
        self.state.library = Part(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


def numba_part(**options):
    """What numba compiles of its own, such as np.empty, is only ever called by kernels."""
    return numba.jit(pipeline_class=PartCompiler, **options)


dict.__setitem__(jit_registry, CPU, numba_part)  # it refuses a second entry


class Kernel(CPUDispatcher):
    """What Python calls is compiled in full and cached; kernels that call it see its part instead."""

    def __init__(self, function, options):
        super().__init__(function, targetoptions=options)
        no_entry = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        self.part = CPUDispatcher(function, targetoptions=options | no_entry, pipeline_class=PartCompiler)

    def get_call_template(self, args, kws):
        # A constant argument is a type of its own to numba, which would compile once more for every one.
        args = tuple(numba.types.unliteral(arg) for arg in args)
        return self.part.get_call_template(args, {name: numba.types.unliteral(arg) for name, arg in kws.items()})

    def get_overload(self, sig):
        return self.part.get_overload(sig)
