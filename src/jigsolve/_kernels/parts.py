"""Kernels within kernels: what a kernel takes in is compiled as far as that needs, no further.

Numba compiles every function that another one calls as if Python would call it, too: with wrappers,
optimised by itself and turned into machine code, though all of it is taken in and optimised anew.
For kernels that take each other in over many levels that is most of the time. Here a kernel has two
sides: called from Python it is compiled and kept, as Numba does; to other kernels it is a part, of
which they need no more than the code before it is optimised.
"""

import functools
from typing import Any

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher


class Kernel(CPUDispatcher):
    """A function that is compiled when it is called, from Python or by another kernel."""

    @functools.cached_property
    def part(self) -> "Part":
        """The function as other kernels take it in."""
        return Part(self.py_func, targetoptions=self.targetoptions, pipeline_class=PartCompiler)

    @property
    def _numba_type_(self) -> Any:
        return types.Dispatcher(self.part)


class Part(CPUDispatcher):
    """A function that is compiled for other kernels only."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return how it is called with such arguments: numbers that are known are like others.

        Numba would compile it for each of them; where it is taken in they are known anyway.
        """
        named = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(types.unliteral, args)), named)

    def add_overload(self, compiled: Any) -> None:
        """Let kernels call what was compiled; there is no pointer to it by which Python could."""
        named = compiled._replace(entry_point=object())
        self.targetctx.insert_user_function(named.entry_point, named.fndesc, [named.library])
        self.overloads[tuple(named.signature.args)] = named


class PartLibrary(JITCodeLibrary):
    """The code of a part and of its own parts."""

    def finalize(self) -> None:
        """Put parts together, for whoever takes them in to optimise."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class PartCompiler(Compiler):
    """Compile a part."""

    def __init__(
        self,
        typingctx: Any,
        targetctx: Any,
        library: Any,
        args: Any,
        return_type: Any,
        flags: Any,
        locals: Any,
    ) -> None:
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library = PartLibrary(targetctx.codegen(), "part")
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)
