"""A prepared bag on disk: what is loaded solves to the same bits, and nothing else is taken."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from helpers import random_pieces
from skimage import data

from jigsolve import Board, Constraints, InputError, Puzzle, Settings, solve
from jigsolve.core.layout import laid_out
from jigsolve.damage import Damage
from jigsolve.measures import MEASURES
from jigsolve.pricing.prepared import Prepared

QUICK = {"population": 12, "generations": 4, "annealing": 20}


def bag(**changes):
    pieces = Puzzle.cut(data.chelsea()[:112, :168], 14).shuffle(3)[0]
    return replace(pieces, **changes)


@pytest.fixture(scope="module")
def prepared():
    return solve(bag(), Settings.of(**QUICK)).prepared


@pytest.fixture
def saved(prepared, tmp_path):
    prepared.save(tmp_path / "bag.npz")
    return tmp_path / "bag.npz"


@pytest.mark.parametrize("measure", [name for name in MEASURES if name != "qr"])
@pytest.mark.parametrize("turns", ["none", "half", "quarter"])
def test_what_is_loaded_is_what_was_saved(measure, turns, tmp_path):
    puzzle = bag(turns=turns)
    first = solve(puzzle, Settings.of(**QUICK, measure=measure, seed=4))
    first.prepared.save(tmp_path / "bag.npz")
    loaded = Prepared.load(tmp_path / "bag.npz", puzzle)
    for name, mine in first.prepared.plain.arrays._asdict().items():
        theirs = getattr(loaded.table.arrays, name)
        if isinstance(mine, np.ndarray):
            assert mine.dtype == theirs.dtype, name
            np.testing.assert_array_equal(mine, theirs, err_msg=name)
        else:
            assert mine == theirs, name
    again = solve(loaded, Settings.of(**QUICK, seed=4))
    np.testing.assert_array_equal(again.arrangement, first.arrangement)
    assert again.cost == first.cost
    assert again.settings == first.settings


def test_damage_holes_and_constraints(tmp_path):
    pieces = random_pieces(np.random.default_rng(0), 12, 14, 14)
    puzzle = Puzzle(pieces, Board(3, 5), holes=3)
    first = solve(puzzle, Settings.of(**QUICK, damage="jpeg"))
    known = Constraints(joined=[(0, "right", 1)])
    ruled = first.prepared.ruled(laid_out(known, puzzle))
    ruled.save(tmp_path / "bag.npz")
    loaded = Prepared.load(tmp_path / "bag.npz", puzzle)
    assert loaded.layout is None
    assert loaded.puzzle.damage == first.prepared.puzzle.damage != Damage()
    np.testing.assert_array_equal(solve(loaded, first.settings).arrangement, first.arrangement)
    mine, theirs = (
        solve(each, first.settings, constraints=known).arrangement
        for each in (first.prepared, loaded)
    )
    np.testing.assert_array_equal(mine, theirs)


def test_it_belongs_to_one_puzzle(saved):
    for other in (
        bag(pieces=bag().pieces[::-1]),
        bag(board=Board(12, 8)),
        bag(turns="quarter"),
    ):
        with pytest.raises(InputError, match="expected this puzzle prepared, found another"):
            Prepared.load(saved, other)


def changed(path, **changes):
    """Write a file anew with some of its arrays, or of what its header says, changed."""
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    header = json.loads(arrays["header"].tobytes())
    for name, value in changes.items():
        if name in arrays:
            arrays[name] = value(arrays[name])
        else:
            header[name] = value(header[name])
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with path.open("wb") as file:
        np.savez(file, **arrays)


def test_other_weights_and_versions_are_refused(saved):
    def weigh(made_by):
        return {**made_by, "weights": {"seam-network": "0", "damaged-network": "0"}}

    changed(saved, made_by=weigh)
    with pytest.raises(InputError, match=r"expected seams priced by version 0.* other weights"):
        Prepared.load(saved, bag())


@pytest.mark.parametrize(
    "change",
    [
        {"format": lambda _: "something-else"},
        {"seed": lambda _: "five"},
        {"pricing": lambda pricing: {**pricing, "measure": "magic"}},
        {"order": lambda order: order[::-1][1:]},
        {"partners": lambda partners: partners + len(partners)},
        {"partners": lambda partners: partners[:-1]},
        {"costs": lambda costs: costs.astype(np.float64)},
        {"twins": lambda twins: twins - 1},
        {"equals": lambda equals: equals + 10**6},
        {"places": lambda places: places + 10**6},
        {"scored": lambda scored: scored + 10**6},
        {"rule": lambda _: 77},
        {"poses": lambda _: 3},
        {"borders": lambda borders: borders[:, :, None]},
    ],
)
def test_numbers_that_kernels_would_trust_are_checked(saved, change):
    changed(saved, **change)
    with pytest.raises(InputError, match=r"bag\.npz: expected"):
        Prepared.load(saved, bag())


def test_damaged_files_are_noticed(saved):
    whole = saved.read_bytes()
    rng = np.random.default_rng(0)
    first = Prepared.load(saved, bag()).table.arrays
    for at in rng.integers(0, len(whole), 60):
        damaged = bytearray(whole)
        damaged[at] ^= 0x55
        saved.write_bytes(damaged)
        try:
            loaded = Prepared.load(saved, bag()).table.arrays
        except InputError:
            continue
        for name, mine in first._asdict().items():  # only times or padding may differ
            np.testing.assert_array_equal(mine, getattr(loaded, name), err_msg=name)
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        saved.write_bytes(whole[:length])
        with pytest.raises(InputError, match="found a damaged file or another kind"):
            Prepared.load(saved, bag())


def test_other_files_are_refused(tmp_path):
    with pytest.raises(InputError, match="expected a prepared puzzle, found no such file"):
        Prepared.load(tmp_path / "none.npz", bag())
    with pytest.raises(InputError, match="expected a prepared puzzle, found something else"):
        Prepared.load(tmp_path, bag())
    path = tmp_path / "objects.npz"
    with path.open("wb") as file:
        np.savez(file, header=np.array([{"a": 1}], object))
    with pytest.raises(InputError, match="found a damaged file or another kind"):
        Prepared.load(path, bag())  # objects are never unpickled
    path.write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(InputError, match="found a damaged file or another kind"):
        Prepared.load(path, bag())


def test_a_file_that_cannot_be_written_says_so_and_leaves_nothing(prepared, tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        prepared.save(tmp_path / "no" / "bag.npz")
    assert [*tmp_path.iterdir()] == []
