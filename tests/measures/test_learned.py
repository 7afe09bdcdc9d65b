"""The learned measure: the network against its definition, and the costs made of its scores."""

from dataclasses import replace
from importlib.resources import files

import naive
import numpy as np
import pytest
from asking import seam_cost
from helpers import random_pieces, seam_table
from skimage import data

from jigsolve import Board, Puzzle, Settings, score, solve
from jigsolve._kernels.costs import FAR, LOOKUP, far_cost, sum_of_magnitudes
from jigsolve.execution.crew import crew
from jigsolve.measures import LEARNED
from jigsolve.measures.judges import WholeBorders, outer_lines
from jigsolve.measures.network import DEPTH, SeamNetwork, Seams, Sides
from jigsolve.measures.shares import STEPS
from jigsolve.seams.table import SeamTable


@pytest.fixture(scope="module")
def weights():
    with (files("jigsolve") / "data" / "seam-network.npz").open("rb") as file:
        return {name: array.astype(float) for name, array in np.load(file).items()}


def sides(rng, count, length):
    """Noise, smooth slopes and flat sides."""
    noise = rng.integers(0, 256, (count, length, DEPTH, 3))
    slope = 40 + 5 * np.arange(length)[:, None, None] + np.arange(DEPTH)[:, None] + np.arange(3)
    flat = np.full((length, DEPTH, 3), 255)
    chosen = np.where(
        rng.random((count, 1, 1, 1)) < 0.5, noise, np.broadcast_to(slope, noise.shape)
    )
    chosen[0] = flat
    return np.clip(chosen, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("length", [1, 2, 7, 28, 45])
def test_scores_are_those_of_the_network_written_out(weights, length):
    rng = np.random.default_rng(length)
    near, far = sides(rng, 4, length), sides(rng, 4, length)
    ones, others = np.array([0, 1, 2, 3, 0]), np.array([0, 2, 1, 3, 1])
    cheap = rng.random((2, 5)).astype(np.float32)
    seams = Seams(ones, others, *cheap)
    found = SeamNetwork.load().scores(Sides.of(near), Sides.of(far), seams)
    expected = [
        naive.seam_score(weights, near[i], far[j], float(e), float(m))
        for i, j, e, m in zip(ones, others, *cheap, strict=True)
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=2e-4)


def test_layers_that_are_no_whole_blocks_are_no_network_for_kernels():
    trunk = SeamNetwork.load().trunk
    narrow = replace(trunk, biases=[bias[:16] for bias in trunk.biases])
    with pytest.raises(AssertionError, match="whole blocks"):
        _ = narrow.blocks


def test_many_seams_are_scored_as_few(weights):
    rng = np.random.default_rng(1)
    near, far = (Sides.of(sides(rng, 30, 9)) for _ in range(2))
    seams = Seams(*rng.integers(0, 30, (2, 500)), *rng.random((2, 500)).astype(np.float32))
    network = SeamNetwork.load()
    together = network.scores(near, far, seams)
    apart = [network.scores(near, far, seams.part(i, i + 1))[0] for i in range(0, 500, 50)]
    np.testing.assert_array_equal(together[::50], apart)


def table(puzzle, candidates=16, threads=1):
    order = np.arange(len(puzzle))
    with crew(threads) as hands:
        cheap = SeamTable.build(
            LEARNED.borders(puzzle.pieces), candidates, hands, rule=LEARNED.rule
        )
        return cheap, seam_table(puzzle, order, LEARNED, candidates, hands)


@pytest.fixture(scope="module")
def cat():
    return Puzzle.cut(data.chelsea(), 28).shuffle(1)


@pytest.fixture(scope="module")
def tables(cat):
    return table(cat[0])


@pytest.mark.parametrize("alike", [1, 3])
def test_costs_are_negative_log_shares(alike):
    """With few pieces, where every seam is scored, and the right sides of some look the same."""
    rng = np.random.default_rng(2)
    pieces = random_pieces(rng, 6, 9, 30)
    pieces[:alike, :, DEPTH:] = pieces[0, :, DEPTH:]
    puzzle = Puzzle(pieces, Board(2, 3))
    _, reranked = table(puzzle, candidates=5)
    network = SeamNetwork.load()
    order = np.arange(6)
    for side, alone in ((1, 1 / 3), (3, 1 / 2)):
        near, far = (Sides.of(outer_lines(puzzle.pieces, order, s)) for s in (side, side ^ 1))
        # Where others have the same side, a piece is told from them by nothing: not even when it
        # is asked what fits it.
        themselves = range(alike) if side == 1 and alike > 1 else ()
        pairs = [(i, j) for i in range(6) for j in range(6) if i != j or i in themselves]
        ones, others = (np.array(part) for part in zip(*pairs, strict=True))
        mgc, extrapolation = _cheap_costs(puzzle, ones, others, side)
        scores = network.scores(near, far, Seams(ones, others, extrapolation, mgc))
        expected = naive.seam_costs(
            dict(zip(pairs, scores.tolist(), strict=True)),
            network.none_of_these(near).tolist(),
            network.none_of_these(far).tolist(),
            alone + WholeBorders.unlisted,
        )
        for (i, j), cost in expected.items():
            if i != j:
                found = seam_cost(reranked.arrays, 4 * i + side, 4 * j + (side ^ 1))
                assert found == pytest.approx(min(cost, FAR), abs=2e-3)


def _cheap_costs(puzzle, ones, others, side):
    costs = {"mgc": [], "extrapolation": []}
    length = puzzle.piece_size.height if side == 1 else puzzle.piece_size.width
    for i, j in zip(ones, others, strict=True):
        pair = puzzle.pieces[i], puzzle.pieces[j], side
        costs["mgc"].append(naive.mgc(*pair) / (3 * length))
        costs["extrapolation"].append(naive.extrapolation(*pair) / (3 * length))
    return (np.array(costs[name], np.float32) for name in ("mgc", "extrapolation"))


def test_candidates_are_sorted_and_different(tables):
    cheap, reranked = tables
    arrays = reranked.arrays
    assert arrays.rule == LOOKUP
    assert (np.diff(arrays.costs, axis=1) >= 0).all()
    assert all(len(set(row)) == len(row) for row in arrays.partners.tolist())
    assert (arrays.partners % 4 == (np.arange(len(arrays.partners)) % 4 ^ 1)[:, None]).all()
    scored = arrays.costs[np.arange(16) < arrays.scored[:, None]]
    assert (scored <= FAR).all()
    assert (scored >= 0).all()
    assert (scored * STEPS == np.rint(scored * STEPS)).all()
    assert (arrays.costs[np.arange(16) >= arrays.scored[:, None]] > FAR).all()
    assert (arrays.scored <= 16).all()
    assert (cheap.arrays.rule, cheap.arrays.scored.sum()) == (LEARNED.rule, 0)


def test_a_seam_costs_the_same_from_both_sides(tables):
    _, reranked = tables
    arrays = reranked.arrays
    rng = np.random.default_rng(5)
    for side in rng.integers(0, len(arrays.partners), 300):
        for partner in (*arrays.partners[side, :4], 4 * rng.integers(0, 160) + (side % 4 ^ 1)):
            assert seam_cost(arrays, side, partner) == seam_cost(arrays, partner, side)


def test_what_was_not_scored_costs_more_the_worse_it_fits(tables):
    _, reranked = tables
    arrays = reranked.arrays
    side = 4 * 7 + 1
    listed = set(arrays.partners[side, : arrays.scored[side]].tolist())
    listed |= {p for p in range(0, 640, 4) if side in arrays.partners[p, : arrays.scored[p]]}
    strangers = [partner for partner in range(0, 640, 4) if partner not in listed and partner != 28]
    for partner in strangers:
        cheap = sum_of_magnitudes(arrays.borders, side, partner)
        assert seam_cost(arrays, side, partner) == far_cost(cheap) > FAR


def test_threads_do_not_change_the_table(cat, tables):
    _, again = table(cat[0], threads=2)
    for name in ("partners", "costs", "scored", "twins"):
        np.testing.assert_array_equal(getattr(again.arrays, name), getattr(tables[1].arrays, name))


@pytest.mark.parametrize("axis", [0, 1])
def test_mirroring_a_puzzle_mirrors_its_costs(cat, tables, axis):
    puzzle = cat[0]
    mirrored = Puzzle(np.flip(puzzle.pieces, axis + 1), puzzle.board)
    _, other = table(mirrored)
    exchanged = [0, 1, 3, 2] if axis == 0 else [1, 0, 2, 3]
    arrays, mirror = tables[1].arrays, other.arrays
    for side in range(0, 640, 7):
        image = 4 * (side // 4) + exchanged[side % 4]
        first, same = arrays.partners[side, 0], mirror.partners[image, 0]
        assert mirror.costs[image, 0] == pytest.approx(arrays.costs[side, 0], abs=3 / STEPS)
        assert same == 4 * (first // 4) + exchanged[first % 4]


def test_the_right_partner_is_more_often_first(cat, tables):
    _, truth = cat
    right = truth[:, :-1].ravel(), truth[:, 1:].ravel()
    cheap, reranked = (np.mean(t.arrays.nearest[4 * right[0] + 1] == 4 * right[1]) for t in tables)
    assert reranked > cheap
    assert reranked > 0.99


@pytest.mark.parametrize("shape", [(2, 9), (9, 2), (5, 30)])
def test_any_piece_size_is_solved(shape):
    ramp = np.add.outer(np.arange(0, 180, 3), np.arange(90)).astype(np.uint8)
    puzzle, truth = Puzzle.cut(ramp[: 6 * shape[0], : 5 * shape[1]], shape).shuffle(1)
    solution = solve(puzzle, Settings.of(measure="learned", population=20, generations=5))
    assert score(solution, truth).perfect


def test_single_pixels_are_arranged_though_nothing_tells_where_they_belong():
    ramp = np.add.outer(np.arange(0, 18, 3), np.arange(5)).astype(np.uint8)
    puzzle, truth = Puzzle.cut(ramp, 1).shuffle(1)
    solution = solve(puzzle, Settings.of(measure="learned", population=20, generations=5))
    assert sorted(solution.arrangement.ravel()) == list(range(30))
    assert 0 < solution.cost <= solution.cost_of(truth)


def test_more_is_solved_than_by_the_cheap_measure():
    puzzle, truth = Puzzle.cut(data.rocket()[100:420, 100:480], 12).shuffle(3)
    found = {}
    for measure in ("extrapolation", "learned"):
        solution = solve(puzzle, Settings.of(measure=measure, repairs=0, annealing=0))
        found[measure] = score(solution, truth).neighbour_aware
    assert found["learned"] > found["extrapolation"] + 0.05, found
