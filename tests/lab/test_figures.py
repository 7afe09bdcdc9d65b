"""Figures: that they show what happened."""

import numpy as np
import pytest
from skimage import data

from jigsolve import Puzzle, Settings, solve
from jigsolve._kernels.growing import PHASE_NAMES
from jigsolve.assembly.population import Nursery, Population, arrangement_of
from jigsolve.core.poses import pieces_of
from jigsolve.execution.crew import crew
from jigsolve.lab.figures.crossover import MOMENTS, draw_crossover
from jigsolve.lab.figures.generations import draw_generations
from jigsolve.lab.figures.panels import GAP, Panel, lay_out
from jigsolve.lab.figures.seams import MARK, draw_wrong_seams
from jigsolve.measures import DISSIMILARITY
from jigsolve.seams.table import SeamTable
from jigsolve.solvers.genetic.solver import growing_of


@pytest.fixture(scope="module")
def cat():
    return Puzzle.cut(data.chelsea(), 28).shuffle(3)


def test_panels_stand_in_rows():
    colours = [(250, 0, 0), (0, 250, 0), (0, 0, 250)]
    panels = [Panel(np.full((40, 60, 3), c, np.uint8), "x") for c in colours]
    sheet = lay_out(panels, columns=2)
    assert sheet.shape[1] == 2 * 60 + 3 * GAP
    places = [np.argwhere((sheet == c).all(axis=2)) for c in colours]
    assert [len(place) for place in places] == [2400] * 3
    first, second, third = (place.min(axis=0).tolist() for place in places)
    assert first == [GAP, GAP]
    assert second == [GAP, GAP + 60 + GAP]
    assert third[0] > GAP + 40
    assert third[1] == GAP


def test_large_pictures_are_reduced():
    sheet = lay_out([Panel(np.zeros((2000, 3000, 3), np.uint8), "x")], columns=1)
    assert max(sheet.shape) < 700


def test_generations_begin_with_the_original(cat):
    puzzle, truth = cat
    settings = Settings.of(population=20, generations=4, patience=None, seeding="random")
    solution = solve(puzzle, settings, keep_arrangements=True)
    sheet = draw_generations(solution, truth)
    height, width = puzzle.image().shape[:2]
    original = sheet[GAP : GAP + height, GAP : GAP + width]
    np.testing.assert_array_equal(original, puzzle.image(truth))
    second = sheet[GAP : GAP + height, 2 * GAP + width : 2 * GAP + 2 * width]
    np.testing.assert_array_equal(second, puzzle.image(solution.history[1].arrangement))
    fourth = sheet[-GAP - height - 29 : -GAP - 29, 2 * GAP + width : 2 * GAP + 2 * width]
    np.testing.assert_array_equal(fourth, puzzle.image(solution.history[4].arrangement))


def test_wrong_seams_are_marked_and_right_ones_are_not(cat):
    puzzle, truth = cat
    solution = solve(puzzle, Settings.of(population=40, generations=20))
    marked = (draw_wrong_seams(solution, truth) == MARK).all(axis=2)
    assert not marked.any()
    solution.arrangement[0, :2] = solution.arrangement[0, 1::-1]
    sheet = draw_wrong_seams(solution, truth)
    marked = (sheet == MARK).all(axis=2)
    width = puzzle.image().shape[1]
    left = np.flatnonzero(marked.any(axis=0))[0] - (sheet.shape[1] - 3 * GAP) // 2 - 2 * GAP
    rows, columns = np.nonzero(marked)
    assert abs(left) <= 28 + (sheet.shape[1] - 3 * GAP - 2 * width)
    # Between the two, after them, and below both: a seam of 28 pixels each, six thick.
    assert rows.min() == GAP
    assert rows.max() == GAP + 28 + 2
    assert columns.max() - columns.min() == 56 + 2
    assert 4 * 28 * 6 - 3 * 36 <= marked.sum() <= 4 * 28 * 6


def test_a_witnessed_child_is_the_one_that_is_bred(cat):
    puzzle, _ = cat
    settings = Settings.preset("paper", population=6, threads=1, seed=8)
    with crew(1) as hands:
        table = SeamTable.build(
            DISSIMILARITY.borders(puzzle.pieces), 16, hands, rule=DISSIMILARITY.rule
        )
        nursery = Nursery(table, puzzle.board, growing_of(settings.options), hands, seed=8)
        parents, children = Population.empty(6, 160), Population.empty(6, 160)
        nursery.random_population(parents)
        nursery.breed(np.array([[2, 3], [0, 1]]), 5, parents, children)
        growth = nursery.witness((2, 3), 5, parents)
    np.testing.assert_array_equal(growth.neighbours, children.neighbours[0])
    assert sorted(growth.placed.tolist()) == list(range(160))
    assert PHASE_NAMES[growth.phases[0]] == "first"
    # The kernel grows: every piece touches one that was placed before it.
    child = pieces_of(arrangement_of(growth.neighbours, puzzle.board, len(puzzle)))
    cell = {int(piece): at for at, piece in np.ndenumerate(child)}
    for count in range(1, 160):
        row, column = cell[int(growth.placed[count])]
        before = [cell[int(piece)] for piece in growth.placed[:count]]
        assert any(abs(row - r) + abs(column - c) == 1 for r, c in before)


@pytest.mark.parametrize("generation", [0, 2])
def test_a_crossover_shows_parents_stages_and_child(cat, generation):
    puzzle, _ = cat
    settings = Settings.preset("paper", population=20, seed=1)
    told = []
    sheet = draw_crossover(
        puzzle, settings, generation, progress=lambda done, total: told.append((done, total))
    )
    height, width = puzzle.image().shape[:2]
    rows = -(-(len(MOMENTS) + 4) // 3)
    assert sheet.shape[0] > rows * height
    assert sheet.shape[1] >= 3 * width
    assert told[-1] == (max(generation, 0), max(generation, 1))
    again = draw_crossover(puzzle, settings, generation)
    np.testing.assert_array_equal(sheet, again)
