"""How every kernel is compiled.

Kernels release the GIL, so a plain thread pool runs them side by side, Ctrl-C reaches the
main thread, and no global threading layer is involved. They never allocate: what they fill is
handed to them. That allows compiling without Numba's reference counting, whose atomic
increments at every helper call would cost more than all the rest. Compiled code is cached on
disk; on a machine where nothing can be written the kernels still work, compiled anew each time.

Numba takes a cached kernel for fresh while the file it stands in is unchanged, though what it calls
and the constants it reads are compiled into it, and may stand in another. Here a kernel is fresh
while no file of this package has changed. Nothing piles up: the files of a kernel's cache bear its
name and not its line, and are written over once they are stale.
"""

import contextlib
import functools
import hashlib
from collections.abc import Callable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, cast

import numba
from llvmlite import binding as llvm
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.registry import cpu_target
from numba.extending import register_jitable

from jigsolve._kernels.parts import Kernel

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "forceinline": True,
    "_nrt": False,  # no runtime for reference counting
}


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function`, from the cache if there is one."""
    return _compiled(function, OPTIONS)


def apart(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` as a kernel that is called and not taken in: for what is seldom needed.

    Taken into several callers, it would be compiled as often.
    """
    return _compiled(function, {**OPTIONS, "forceinline": False})


def _compiled(function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    compiled: Any = Kernel(function, targetoptions={"nopython": True, **options})
    with contextlib.suppress(RuntimeError):  # Numba found no place it may write its cache to.
        compiled._cache = KernelCache(function)  # as `cache=True` does with Numba's own
    return cast(Callable[..., Any], compiled)


class MachineCode(CompileResultCacheImpl):
    """What is kept of a kernel: what runs, and by which names Python calls it.

    Numba keeps the code before that as well, for others to take in; to them a kernel is a part.
    """

    def reduce(self, cres: Any) -> Any:
        """Return what is kept."""
        (name, kind, (machine_code, code)), *rest = super().reduce(cres)
        defined = {each.name for each in llvm.parse_bitcode(code).functions}
        called = cres.fndesc.llvm_cpython_wrapper_name, cres.fndesc.llvm_cfunc_wrapper_name
        names = [f'define void @"{each}"() {{ ret void }}' for each in called if each in defined]
        stub = llvm.parse_assembly("\n".join(names))
        return ((name, kind, (machine_code, stub.as_bitcode())), *rest)


class KernelCache(FunctionCache):
    """Numba's cache of a function, fresh while the sources of all kernels are the same.

    Where it lies is for Numba to find, by NUMBA_CACHE_DIR for instance.
    """

    _impl_class = MachineCode

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        locator = self._impl.locator
        line = f"-{locator.get_disambiguator()}."
        name = self._impl.filename_base.replace(line, ".", 1)
        stamp = locator.get_source_stamp(), _stamp_of_sources()
        self._cache_file = IndexDataCacheFile(self._cache_path, name, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return compiled code that was kept; None if there is none, or if it is damaged.

        Numba would first learn all that it can compile: what is compiled does not need it.
        """
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except Exception:  # whatever is wrong with the files, compiling it anew mends it
            with contextlib.suppress(OSError):
                self._cache_file.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code, if that is possible: the disk may be full."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def are_compiled(which: str) -> bool:
    """Whether some kernels were compiled before, from these sources, for such a machine."""
    note = _note_of_compiled(which)
    try:
        return note is not None and note.read_text(encoding="utf-8") == _maker()
    except (OSError, ValueError):
        return False


def note_compiled(which: str) -> None:
    """Note beside the cache that some kernels are compiled."""
    if note := _note_of_compiled(which):
        with contextlib.suppress(OSError):
            note.write_text(_maker(), encoding="utf-8")


def _note_of_compiled(which: str) -> Path | None:
    """Return where it is noted; None where nothing can be kept."""
    cache = getattr(_nothing, "_cache", None)
    name = "".join(sign if sign.isalnum() else "-" for sign in which)
    return (
        Path(cache.cache_path) / f"kernels-{name}.txt" if isinstance(cache, KernelCache) else None
    )


def _maker() -> str:
    """Return what compiled code depends on: sources, compiler, processor."""
    processor = cpu_target.target_context.codegen().magic_tuple()
    return "\n".join(map(str, (_stamp_of_sources(), numba.__version__, *processor)))


@functools.cache
def _stamp_of_sources() -> str:
    """Return a hash over the files of this package; they may be in an archive."""
    stamp = hashlib.sha256()
    for name, content in sorted(_sources(resources.files(__package__))):
        for part in (name.encode(), content):
            stamp.update(len(part).to_bytes(8, "big"))  # so that no two lists of files run together
            stamp.update(part)
    return stamp.hexdigest()


def _sources(folder: Traversable, within: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = f"{within}{entry.name}"
        if entry.is_dir():
            yield from _sources(entry, f"{name}/")
        # Some editors lock a file by a link beside it, hidden, that leads nowhere.
        elif name.endswith(".py") and not entry.name.startswith("."):
            yield name, entry.read_bytes()


def shared(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let kernels take `function` in, and leave it as it is: Python calls it with arrays, too."""
    inlined: Callable[..., Any] = register_jitable(**OPTIONS)(function)
    return inlined


@kernel
def _nothing():
    """Do nothing: it is asked where the cache of kernels lies."""
