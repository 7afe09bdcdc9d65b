"""Small products of matrices, in vector instructions.

NumPy hands products to a library, which Python has to call, one thread at a time. A kernel cannot
call it, and what Numba makes of three loops is far from what a processor can do: so the innermost
part is written in the language of its compiler. Each number of a product is summed up in the order
of its terms, each multiplied and added without rounding in between: how many threads there are, how
wide vectors are, and which rows are neighbours, changes no bit. Only processors that cannot do this
round twice: to call a function for each number takes twenty times as long, or more.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

COLUMNS = 24
"""Columns of a product; matrices are laid out in blocks of so many."""

SPARE_ROWS = 8
"""What follows the last row of a product may be overwritten, as far as so many rows."""

ROWS_BY_WIDTH = {16: 7, 8: 4}
"""Rows made together, by how many numbers a register holds: their sums just fit the registers."""

_NUMBER = ir.FloatType()
_INDEX = ir.IntType(64)


@intrinsic
def multiply(typing_context, left, rows, step, parts, between, depth, right, start, out):
    """Multiply rows by a matrix of 24 columns, and add `start` to each: single precision.

    The first row begins where `left` does, each other one `step` numbers after the one before. A
    row has `parts` parts, `between` numbers apart, of `depth` numbers each. What is made is written
    row after row. All arrays are without gaps; of their shapes nothing is asked.
    """
    numbers = [types.intp] * 5
    return types.void(left, *numbers, right, start, out), _multiplying


def _multiplying(context: Any, builder: Any, signature: Any, given: Any) -> Any:
    triple, _, features = context.codegen().magic_tuple()
    lanes = 16 if "+avx512f" in features else 8
    is_fused = "+fma" in features.split(",") or not triple.startswith("x86")
    rows, step, parts, between, depth = given[1:6]
    left, right, start, out = (
        context.make_array(signature.args[i])(context, builder, given[i]).data for i in (0, 6, 7, 8)
    )
    vectors = _vectors(builder, lanes, is_fused)
    together = ROWS_BY_WIDTH[lanes]
    with cgutils.for_range_slice(builder, _INDEX(0), rows, _INDEX(together)) as (row, _):
        sums = [
            [cgutils.alloca_once(builder, vector.kind) for vector in vectors]
            for _ in range(together)
        ]
        for of_row in sums:
            for vector, total in zip(vectors, of_row, strict=True):
                builder.store(vector.load(start), total)
        with cgutils.for_range(builder, parts) as part:
            begin = builder.add(builder.mul(row, step), builder.mul(part.index, between))
            begins = [
                builder.gep(left, [builder.add(begin, builder.mul(step, _INDEX(i)))])
                for i in range(together)
            ]
            weights = builder.gep(
                right, [builder.mul(builder.mul(part.index, depth), _INDEX(COLUMNS))]
            )
            with cgutils.for_range(builder, depth) as term:
                line = builder.gep(weights, [builder.mul(term.index, _INDEX(COLUMNS))])
                factors = [vector.load(line) for vector in vectors]
                for begins_at, of_row in zip(begins, sums, strict=True):
                    value = builder.load(builder.gep(begins_at, [term.index]))
                    for vector, factor, total in zip(vectors, factors, of_row, strict=True):
                        more = vector.times_plus(vector.filled(value), factor, builder.load(total))
                        builder.store(more, total)
        for i, of_row in enumerate(sums):
            line = builder.gep(out, [builder.mul(builder.add(row, _INDEX(i)), _INDEX(COLUMNS))])
            for vector, total in zip(vectors, of_row, strict=True):
                vector.store(builder.load(total), line)
    return context.get_dummy_value()


class _Vector:
    """Some columns of a product, as many as a register holds."""

    def __init__(self, builder: Any, lanes: int, column: int, is_fused: bool) -> None:
        self._builder, self._lanes, self._column = builder, lanes, column
        self.kind = ir.VectorType(_NUMBER, lanes)
        signature = ir.FunctionType(self.kind, [self.kind] * 3)
        name = f"llvm.fma.v{lanes}f32"
        self._fma = is_fused and cgutils.get_or_insert_function(builder.module, signature, name)

    def times_plus(self, one: Any, other: Any, more: Any) -> Any:
        if self._fma:
            return self._builder.call(self._fma, [one, other, more])
        return self._builder.fadd(self._builder.fmul(one, other), more)

    def filled(self, value: Any) -> Any:
        """Return a vector that has a value in all places."""
        nothing = ir.Constant(self.kind, ir.Undefined)
        first = self._builder.insert_element(nothing, value, ir.IntType(32)(0))
        places = ir.Constant(ir.VectorType(ir.IntType(32), self._lanes), [0] * self._lanes)
        return self._builder.shuffle_vector(first, nothing, places)

    def load(self, line: Any) -> Any:
        return self._builder.load(self._place(line), align=_NUMBER_BYTES)

    def store(self, value: Any, line: Any) -> None:
        self._builder.store(value, self._place(line), align=_NUMBER_BYTES)

    def _place(self, line: Any) -> Any:
        place = self._builder.gep(line, [_INDEX(self._column)])
        return self._builder.bitcast(place, self.kind.as_pointer())


_NUMBER_BYTES = 4


def _vectors(builder: Any, lanes: int, is_fused: bool) -> list[_Vector]:
    """Return vectors that have all columns together."""
    found, column = [], 0
    while column < COLUMNS:
        width = min(lanes, 1 << ((COLUMNS - column).bit_length() - 1))
        found.append(_Vector(builder, width, column, is_fused))
        column += width
    return found
