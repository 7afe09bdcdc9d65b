"""What a processor offers and NumPy does not."""

from numba.core import cgutils, types
from numba.extending import intrinsic

ir = cgutils.ir  # type: ignore[attr-defined]


@intrinsic
def fetch_ahead(typing, rows, row, column):
    """Begin to load a number of a table of rows; it is not waited for."""

    def generate(context, builder, signature, values):
        array, row, column = values
        view = context.make_array(signature.args[0])(context, builder, array)
        place = cgutils.get_item_pointer(
            context,
            builder,
            signature.args[0],
            view,
            [row, column],
            wraparound=False,
            boundscheck=False,
        )
        byte = ir.IntType(8).as_pointer()
        word = ir.IntType(32)
        fetch = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [byte, word, word, word]),
            "llvm.prefetch.p0i8",
        )
        numbers = [ir.Constant(word, number) for number in (0, 3, 1)]  # read, keep it, data
        builder.call(fetch, [builder.bitcast(place, byte), *numbers])
        return context.get_dummy_value()

    return types.none(rows, types.intp, types.intp), generate


@intrinsic
def lowest_bit(typing, word):
    """Return the number of the lowest bit that is set; one must be."""

    def generate(context, builder, signature, values):
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate
