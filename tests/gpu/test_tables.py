"""Candidates found by whole rows on a GPU: the same as tile by tile, ties and all.

NumPy stands in for CuPy; where there is a GPU, it is tried as well.
"""

import sys
from contextlib import nullcontext

import numpy as np
import pytest
from helpers import random_pieces
from numpy_as_cupy import NumpyAsCupy

from jigsolve.core.turns import POSES
from jigsolve.execution.crew import ALONE, crew
from jigsolve.gpu import Gpu
from jigsolve.gpu.device import open_device
from jigsolve.io.shelf import Shelf, Shelving
from jigsolve.measures import EXTRAPOLATION, MGC
from jigsolve.seams import on_gpu
from jigsolve.seams.table import SeamTable


def built(pieces, measure, turns, gpu=None):
    with crew(1) as hands:
        borders = measure.borders(pieces, turns=turns)
        return SeamTable.build(borders, 6, hands, rule=measure.rule, turns=turns, gpu=gpu).arrays


@pytest.mark.parametrize("turns", POSES)
@pytest.mark.parametrize("measure", [EXTRAPOLATION, MGC], ids=lambda measure: measure.name)
@pytest.mark.parametrize("levels", [256, 2])
@pytest.mark.parametrize("pairs", [1, 500, 10**6])
def test_a_table_is_that_of_threads(monkeypatch, turns, measure, levels, pairs):
    pieces = random_pieces(np.random.default_rng(levels), 40, 3, 3, levels)
    pieces[5:9] = pieces[0]
    expected = built(pieces, measure, turns)
    monkeypatch.setitem(sys.modules, "cupy", cupy := NumpyAsCupy())
    monkeypatch.setattr(on_gpu, "AT_ONCE", pairs)
    gpu = Gpu(is_worth_it=True)
    found = built(pieces, measure, turns, gpu)
    gpu.close()
    selected = [len(given[0]) for name, given in cupy.ran if name.startswith("select")]
    assert sum(selected) == 160  # every side has looked once at all that face it
    members = 40 * POSES[turns]
    assert max(selected) == min(max(1, pairs // members), members)
    np.testing.assert_array_equal(found.costs, expected.costs)
    np.testing.assert_array_equal(found.partners, expected.partners)


def test_memory_bounds_how_many_rows_are_taken_at_once(monkeypatch):
    pieces = random_pieces(np.random.default_rng(0), 50)
    bytes_per_row = 50 * 4 + 22 * on_gpu.BYTES_PER_PLACE
    monkeypatch.setitem(sys.modules, "cupy", cupy := NumpyAsCupy(free=2 * 3 * bytes_per_row))
    gpu = Gpu(is_worth_it=True)
    found = built(pieces, EXTRAPOLATION, "none", gpu)
    assert max(len(given[0]) for name, given in cupy.ran if name.startswith("select")) == 3
    np.testing.assert_array_equal(found.partners, built(pieces, EXTRAPOLATION, "none").partners)


@pytest.mark.parametrize("fails_at", [None, "select_single"])
def test_a_shelf_has_what_threads_find_and_not_what_a_gpu_does(monkeypatch, tmp_path, fails_at):
    pieces = random_pieces(np.random.default_rng(0), 30)
    expected = built(pieces, EXTRAPOLATION, "none")
    monkeypatch.setitem(sys.modules, "cupy", NumpyAsCupy(fails_at=fails_at))
    borders, gpu = EXTRAPOLATION.borders(pieces), Gpu(is_worth_it=True)
    shelving = Shelving(ALONE, Shelf(tmp_path, "us"))
    warned = nullcontext() if fails_at is None else pytest.warns(RuntimeWarning)
    with warned:
        table = SeamTable.build(borders, 6, shelving, rule=EXTRAPOLATION.rule, gpu=gpu)
        gpu.close()
    np.testing.assert_array_equal(table.arrays.partners, expected.partners)
    np.testing.assert_array_equal(table.arrays.costs, expected.costs)
    assert table.arrays.costs.base is not None  # it lies on the disk
    assert bool(list(tmp_path.rglob("0*.npz"))) == (fails_at is not None)


def test_a_real_gpu_finds_the_same():
    pytest.importorskip("cupy")
    if open_device() is None:
        pytest.skip("no GPU")
    pieces = random_pieces(np.random.default_rng(0), 500, 5, 5, 4)
    for measure in (EXTRAPOLATION, MGC):
        gpu = Gpu(is_worth_it=True)
        found, expected = (built(pieces, measure, "none", each) for each in (gpu, None))
        gpu.close()
        np.testing.assert_array_equal(found.costs, expected.costs)
        np.testing.assert_array_equal(found.partners, expected.partners)
