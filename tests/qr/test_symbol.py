"""What is known of codes, against codes that another encoder made."""

import numpy as np
import pytest
from qr_codes import code_modules

from jigsolve.qr.codewords import data_order, parity_matrix
from jigsolve.qr.contents import Content, as_modules, content_bits, contents
from jigsolve.qr.symbol import UNKNOWN, Format, data_places, known_modules, mask_bits, size_of

KINDS = [(version, level) for version in (1, 2, 3, 6, 7, 9, 10, 14) for level in "LMQH"]


def odd_sums(modules, version, chosen):
    bits = modules[*data_places(version).T] ^ mask_bits(version, chosen.mask)
    return parity_matrix(version, chosen.level).astype(int) @ bits % 2


@pytest.mark.parametrize(("version", "level"), [*KINDS, (21, "L"), (32, "Q"), (40, "H")])
def test_known_modules_and_check_sums_are_those_of_real_codes(version, level):
    modules, mask = code_modules("flag{}", version, level)
    chosen = Format(level, mask)
    known = known_modules(version, chosen)
    assert known.shape == modules.shape == (size_of(version),) * 2
    assert (known == modules)[known != UNKNOWN].all()
    assert (known == UNKNOWN).sum() == len(data_places(version))
    if version < 20:
        assert not odd_sums(modules, version, chosen).any()
        row, column = data_places(version)[-8 * 3]
        modules[row, column] ^= 1
        assert odd_sums(modules, version, chosen).any()


@pytest.mark.parametrize("version", [1, 7])
def test_other_formats_contradict(version):
    modules, mask = code_modules("flag{}", version, "M")
    for chosen in (Format("M", mask ^ 1), Format("L", mask)):
        known = known_modules(version, chosen)
        assert (known != modules)[known != UNKNOWN].any()


@pytest.mark.parametrize(
    ("text", "mode"), [("flag{abc}", "byte"), ("FLAG ABC", "alphanumeric"), ("3141592", "numeric")]
)
@pytest.mark.parametrize(("version", "level"), [(1, "L"), (3, "Q"), (5, "Q"), (10, "M")])
def test_contents_are_those_of_real_codes(text, mode, version, level):
    modules, mask = code_modules(text, version, level, mode=mode)
    bits = modules[*data_places(version).T] ^ mask_bits(version, mask)
    said = bits[data_order(version, level)]

    def agrees(content):
        known = content_bits(version, level, content)
        return (known == said)[known != UNKNOWN].all()

    right = [content for content in contents(version, level) if agrees(content)]
    assert {(content.mode, content.length) for content in right} == {(mode, len(text))}
    numbers, values = as_modules(
        version, Format(level, mask), content_bits(version, level, right[0])
    )
    assert (np.diff(numbers) > 0).all()
    assert (modules.ravel()[numbers] == values).all()


def test_padding_is_known():
    bits = content_bits(1, "L", Content("byte", 1, 0))
    assert np.packbits(bits[24:]).tobytes().startswith(b"\xec\x11\xec\x11")
    assert (bits[:12] == [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]).all()
    full = contents(1, "L")[-1]
    assert len(content_bits(1, "L", full)) == 19 * 8
