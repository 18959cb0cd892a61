"""The one decorator for compiled code, and where its machine code is kept.

numba's own disk cache does not notice an edit in another file: a cached kernel that calls a
kernel from an edited module keeps giving the old answer. So every package has a cache folder
whose name carries the digest of all kernel sources it may call and the numba version.

Kernels take arrays and numbers, return arrays and status codes, check nothing and raise nothing.
They never call themselves (a cached self-recursive function aborts when it is read back).

numba makes a kernel that another one calls twice over: optimised, translated to machine code and
cached on its own, and once more inside its caller, and so on up the calls. Here only what Python
calls is made in full; a kernel called by a kernel goes into it as intermediate code, which is
translated once, with the caller. That and one compilation for all constant arguments halve the time.
"""

import os
import tempfile
from functools import cache
from pathlib import Path

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.registry import CPUDispatcher

from arboretum.kernel_sources import source_digest


def cache_root() -> Path:
    """Folder of all kernel caches: $ARBORETUM_KERNEL_CACHE, else the user's cache, else a temporary one."""
    chosen = os.environ.get("ARBORETUM_KERNEL_CACHE")
    if chosen:
        return Path(chosen)
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    root = home / "arboretum" / "kernels"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return Path(tempfile.gettempdir()) / f"arboretum-kernels-{os.getuid()}"


@cache
def cache_folder(package: str) -> Path:
    name = f"{package or 'ground'}-{source_digest(package)}-numba{numba.__version__}"
    return cache_root() / name


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


def kernel(function=None, *, inline=False):
    """Compile a function without the interpreter; `inline` for tiny helpers of hot loops."""
    if function is None:
        return lambda wrapped: kernel(wrapped, inline=inline)
    if numba.config.DISABLE_JIT:
        return function
    parts = function.__module__.split(".")
    package = parts[1] if len(parts) > 2 else ""
    options = {
        "nopython": True,
        "error_model": "numpy",  # the Python model costs a branch per division, up to 10x in hot loops
        "inline": "always" if inline else "never",
    }
    made = Kernel(function, options)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(package))
    try:
        made.enable_caching()
    finally:
        numba.config.CACHE_DIR = before
    return made
