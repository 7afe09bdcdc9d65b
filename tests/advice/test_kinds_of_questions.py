"""Blocks, pieces for a cell, and what lies near answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Constraints, InputError, Puzzle, Settings, solve
from jigsolve.advice import (
    KINDS,
    TOUCHING_UP,
    assessed,
    candidates,
    near,
    questions,
    staying,
)
from jigsolve.advice.alike import Alike
from jigsolve.advice.blocks import HELD, blocks_of
from jigsolve.advice.seams import SURE, BoardSeams
from jigsolve.core.constraints import merged


@given(st.integers(0, 2**32), st.integers(1, 5), st.integers(2, 5), st.sampled_from([0, 0.1]))
@settings(max_examples=80)
def test_blocks_hold_together_and_no_sure_border_is_left_between_them(seed, rows, columns, cut):
    rng = np.random.default_rng(seed)
    cells = np.arange(rows * columns).reshape(rows, columns)
    one = np.concatenate([cells[:, :-1].ravel(), cells[:-1].ravel()])
    other = np.concatenate([cells[:, 1:].ravel(), cells[1:].ravel()])
    chance = 1 - rng.integers(0, 9, len(one)) ** 2 / 64
    parted = rng.random(len(one)) < cut
    below, nothing = np.arange(len(one)) >= rows * (columns - 1), np.zeros(len(one), bool)
    seams = BoardSeams(one, other, below, chance, nothing, parted, cells.size, columns, True)
    blocks = blocks_of(seams)
    assert sorted(np.concatenate([block.cells for block in blocks])) == [*range(cells.size)]
    name = {int(cell): index for index, block in enumerate(blocks) for cell in block.cells}
    between, leading_out, held = {}, {}, dict.fromkeys(name, 0.0)
    for a, b, sure, is_parted in zip(one, other, chance, parted, strict=True):
        if name[a] == name[b]:
            held[a] += sure
            held[b] += sure
            continue
        assert sure < SURE or is_parted
        between.setdefault(frozenset((name[a], name[b])), []).append((sure, is_parted))
        for end in (a, b):
            leading_out.setdefault(name[end], []).append(sure)
    for met in between.values():
        assert np.mean([sure for sure, _ in met]) < HELD or any(is_parted for _, is_parted in met)
    for index, block in enumerate(blocks):
        assert block.chance == pytest.approx(np.mean(leading_out.get(index, [1.0])))
        assert held[block.firmest] == pytest.approx(max(held[int(c)] for c in block.cells))


@pytest.fixture(scope="module")
def cat():
    # A block and a single piece of a picture are in the wrong place, and what lay there instead.
    puzzle, truth = Puzzle.cut(data.chelsea()[:168, :224], 14).shuffle(3)
    prepared = solve(puzzle, Settings.of(population=12, generations=4, annealing=0)).prepared
    wrong = truth.copy()
    wrong[2:5, 2:6], wrong[7:10, 9:13] = truth[7:10, 9:13], truth[2:5, 2:6]
    wrong[[1, 10], [13, 3]] = wrong[[10, 1], [3, 13]]
    return prepared, truth, wrong


def test_a_block_is_asked_about_and_put_right_by_one_answer(cat):
    prepared, truth, wrong = cat
    found = assessed(prepared, wrong)
    [largest] = [each for each in questions(found, 100) if each.kind == "block"]
    assert len(largest.cells) > 100
    assert len(largest.held_by) == 1
    [cell] = largest.held_by
    row, column = divmod(cell, 16)
    known = Constraints(fixed=[(int(wrong[row, column]), row, column)])
    asked = [each for each in questions(found, 100, known) if each.kind == "block"]
    swapped = {
        tuple(16 * row + column for row in range(top, top + 3) for column in range(left, left + 4))
        for top, left in ((2, 2), (7, 9))
    }
    assert {each.cells for each in asked[:2]} == swapped
    assert asked[0].gain == pytest.approx(12 * (1 - asked[0].probability))
    assert asked[0].held_by == asked[0].cells
    by = (5, 7) if asked[0].cells[0] == 2 * 16 + 2 else (-5, -7)
    dragged = Constraints(
        fixed=[
            (int(wrong.ravel()[cell]), cell // 16 + by[0], cell % 16 + by[1])
            for cell in asked[0].cells
        ]
    )
    free = near(wrong, dragged, truth.size)
    known = merged([known, dragged])
    stays = staying(wrong, free, known)
    assert {piece for piece, *_ in stays.fixed} & {piece for piece, *_ in dragged.fixed} == set()
    again = solve(
        prepared,
        Settings.of(**TOUCHING_UP),
        constraints=merged([known, stays]),
        start=wrong,
    )
    right = again.arrangement == truth
    right[[1, 10], [13, 3]] = True  # too far from the answer
    assert right.all()


def test_the_right_piece_is_among_those_shown(cat):
    prepared, truth, wrong = cat
    found = assessed(prepared, wrong)
    asked = [each for each in questions(found, 100, kinds=["piece"]) if each.gain > 0.5]
    here = {(each.row, each.column): each for each in asked}
    assert {(1, 13), (10, 3)} <= here.keys()
    for (row, column), each in here.items():
        assert each.candidates[0].piece == truth[row, column]
        assert abs(each.beside[0] - row) + abs(each.beside[1] - column) == 1
        assert wrong[each.beside] == truth[each.beside]
        shown = sum(one.probability for one in each.candidates)
        assert 0.5 < each.gain <= shown + 1e-9 <= 1 + 2e-9
        assert each.probability == pytest.approx(shown)
    row, column = 1, 13
    joined = Constraints(joined=[(int(wrong[0, 13]), "bottom", int(truth[1, 13]))])
    later = questions(found, 100, joined, ["piece"])
    assert all((each.row, each.column, *each.beside) != (1, 13, 0, 13) for each in later)


def test_every_kind_is_in_the_queue_by_what_it_is_worth(cat):
    prepared, _, wrong = cat
    found = assessed(prepared, wrong)
    every = questions(found, 1000)
    assert {each.kind for each in every} == {*KINDS}
    assert every == sorted(every, key=lambda each: -each.gain)
    for kind in KINDS:
        own = questions(found, 1000, kinds=[kind])
        assert own == [each for each in every if each.kind == kind]
    for wrong_kinds in ([], ["blocks"]):
        with pytest.raises(InputError, match="kinds: expected some of seam, piece, block"):
            questions(found, kinds=wrong_kinds)


def test_of_pieces_that_look_the_same_nothing_is_asked():
    photo = data.chelsea()[:168, :224].copy()
    photo[14:28, 14:28] = photo[70:84, 126:140]  # cell 17 looks as cell 89 does
    puzzle = Puzzle.cut(photo, 14)
    alike = Alike(puzzle)
    assert np.flatnonzero(alike.has_twin).tolist() == [17, 89]
    prepared = solve(puzzle, Settings.of(population=6, generations=0, annealing=0)).prepared
    lies = np.arange(192).reshape(12, 16)
    lies[[1, 8], [1, 8]] = lies[[8, 1], [8, 1]]
    for each in questions(assessed(prepared, lies), 1000, kinds=["seam", "piece"]):
        if each.kind == "piece":
            assert {17, 89}.isdisjoint(one.piece for one in each.candidates)
            assert lies[each.row, each.column] not in (17, 89)
            assert lies[each.beside] not in (17, 89)
        elif each.gain < 1e-3:  # of a single piece
            down = each.direction == "below"
            pair = lies[each.row, each.column], lies[each.row + down, each.column + (not down)]
            assert {17, 89}.isdisjoint(pair)


def test_candidates_among_some_pieces(cat):
    prepared, _, wrong = cat
    every = candidates(prepared, wrong, 1, 13, 192)
    some = np.random.default_rng(0).choice(192, 60, replace=False)
    found = candidates(prepared, wrong, 1, 13, 192, some)
    expected = [each for each in every if each.piece in some]
    assert [each[:3] for each in found] == [each[:3] for each in expected]
    total = sum(each.probability for each in expected)
    for each, one in zip(found, expected, strict=True):
        assert each.probability == pytest.approx(one.probability / total)


@given(st.integers(0, 2**32), st.integers(1, 6), st.integers(1, 6), st.integers(0, 3))
@settings(max_examples=60)
def test_near_is_all_within_reach(seed, rows, columns, reach):
    rng = np.random.default_rng(seed)
    pieces = rows * columns + 2
    lies = rng.permutation(pieces)[: rows * columns].reshape(rows, columns)
    lies[rng.random(lies.shape) < 0.1] = -1
    said = Constraints(
        joined=[(0, "left", 1)] if rng.random() < 0.5 else [],
        parted=[(1, "top", pieces - 1)] if rng.random() < 0.5 else [],
        fixed=[(0, rows - 1, 0)] if rng.random() < 0.5 else [],
    )
    free = near(lies, said, pieces, reach)
    named = {0, 1} if said.joined else set()
    named |= {1, pieces - 1} if said.parted else set()
    named |= {0} if said.fixed else set()
    spots = [(r, c) for r in range(rows) for c in range(columns) if lies[r, c] in named]
    spots += [(rows - 1, 0)] if said.fixed else []
    for row in range(rows):
        for column in range(columns):
            within = any(max(abs(r - row), abs(c - column)) <= reach for r, c in spots)
            assert free[row, column] == within
    stays = staying(lies, free, said)
    expected = {
        (int(lies[r, c]), r, c)
        for r in range(rows)
        for c in range(columns)
        if not free[r, c] and lies[r, c] >= 0 and not (said.fixed and lies[r, c] == 0)
    }
    assert {tuple(each)[:3] for each in stays.fixed} == expected
