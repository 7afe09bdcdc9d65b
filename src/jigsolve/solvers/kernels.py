"""Compiled kernels, ready before a run begins."""

from __future__ import annotations

import functools

import numpy as np

from jigsolve._kernels.fitting import costs_in_cell, costs_in_cells
from jigsolve._kernels.geometry import SIDES
from jigsolve._kernels.jit import are_compiled, note_compiled
from jigsolve.assembly.gaps import filled, with_rim
from jigsolve.assembly.population import Growing, Nursery
from jigsolve.assembly.segments import Segments
from jigsolve.core import Board, Puzzle
from jigsolve.execution.clock import Clock
from jigsolve.execution.crew import crew
from jigsolve.execution.work import working
from jigsolve.measures import DISSIMILARITY, EXTRAPOLATION, LEARNED, MGC
from jigsolve.measures.traces import Direction
from jigsolve.pricing.prepared import prepare
from jigsolve.pricing.pricing import priced
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.genetic.annealing import Annealing
from jigsolve.solvers.genetic.run import Run
from jigsolve.solvers.genetic.settings import Genetic
from jigsolve.solvers.genetic.solver import GeneticSolver
from jigsolve.solvers.protocol import Keeping, Solver
from jigsolve.solvers.registry import SOLVERS


def prepare_kernels(
    clock: Clock, solver: str = GeneticSolver.name, measure: str = LEARNED.name
) -> None:
    """Compile the kernels of a solver if this is its first run; later ones load what they need.

    The genetic algorithm's are those of all measures; boards and bags are found by them, too.
    A time limit is one for solving, and does not run out meanwhile.
    """
    which = solver if solver == GeneticSolver.name else f"{solver}-{measure}"
    with clock.stage("kernels"), clock.stop.uncounted():
        if not are_compiled(which):
            load_kernels(solver, measure)
            note_compiled(which)


@functools.cache
def load_kernels(solver: str = GeneticSolver.name, measure: str = LEARNED.name) -> None:
    """Load the kernels of a solver, compiling what was not compiled before."""
    if solver == GeneticSolver.name:
        _evolve_four_pieces()
    else:
        _solve_four_pieces(SOLVERS[solver], Pricing(measure=measure))


def _solve_four_pieces(solver: Solver, pricing: Pricing) -> None:
    """Have a solver solve four pieces."""
    puzzle = Puzzle(np.arange(48, dtype=np.uint8).reshape(4, 2, 2, 3), Board(2, 2))
    with working(1) as work:
        prepared = prepare(puzzle, pricing, 0, work)
        solver.solve(prepared, solver.options(), 0, work, Keeping())


def _evolve_four_pieces() -> None:
    """Evolve four pieces, whatever they are priced by."""
    pieces = np.arange(12, dtype=np.uint8).reshape(4, 1, 1, 3)
    order = np.arange(4)
    puzzle = Puzzle(pieces, Board(2, 2))
    options = Genetic(population=6, generations=1)
    with crew(1) as hands:
        # Measures of a user's own compile nothing new, and need not work on single pixels.
        for measure in (DISSIMILARITY, MGC, EXTRAPOLATION, LEARNED):
            pricing = Pricing(measure=measure.name, candidates=1)
            table = priced(puzzle, order, pricing, hands).table
            nursery = Nursery(table, puzzle.board, Growing(), hands)
            for segments in (None, Segments.assemble(table, puzzle.board, hands)):
                run = Run(puzzle.board, options, 0, order)
                run.evolve(nursery, segments)
            table.board_costs(run.best_arrangement())
        # Four pieces have no traces.
        Direction(np.ones((4, 1), np.float32), 1).log_ratios((order, order), shifted=True)
        # Only the last one's costs are logarithms.
        annealing = Annealing(table, np.array([[12, 0], [4, 8]]))
        annealing.run(1, np.random.default_rng(0), hands)
        # What a start, and a person's questions, need.
        grid = with_rim(filled(table, np.array([[12, -1], [4, 8]])))
        costs = np.empty((1, SIDES))
        costs_in_cell(table.arrays, 4, grid.ravel(), 5, np.zeros(1, np.int32), costs)
        costs_in_cells(table.arrays, 4, grid.ravel(), np.full(1, 5, np.int32), 0, costs)
