"""Slow, obvious versions of what turns do, all by turning labelled arrays with np.rot90.

A pose is 4 * piece + turn, clockwise. Sides are 0 left, 1 right, 2 top, 3 bottom; side s of piece p
has the number 4 p + s. A segment is a dictionary from cell to pose.
"""

from dataclasses import replace

import numpy as np
from helpers import texture
from naive import OPPOSITE, STEP, extent, fits, partners_of

from jigsolve import Puzzle
from jigsolve.core.turns import turned_pieces

EDGE = {0: (1, 0), 1: (1, 2), 2: (0, 1), 3: (2, 1)}
"""Where the middle of each side is in an array of 3 x 3."""
WAYS = {"none": (0,), "half": (0, 2), "quarter": (0, 1, 2, 3)}


def labelled(pose):
    """Return a piece of 3 x 3, turned, that has the numbers of its sides along its rim."""
    piece = np.full((3, 3), -1)
    for side, middle in EDGE.items():
        piece[middle] = 4 * (pose // 4) + side
    return np.rot90(piece, -(pose % 4))


def side_of(pose, toward):
    """Return the side that a pose has somewhere."""
    return int(labelled(pose)[EDGE[toward]])


def pose_with(side, toward):
    """Return the pose in which a side points somewhere."""
    poses = range(side // 4 * 4, side // 4 * 4 + 4)
    return next(pose for pose in poses if side_of(pose, toward) == side)


def way_of(side, pose):
    """Say where a side of a pose points."""
    return next(toward for toward in range(4) if side_of(pose, toward) == side)


def meetings(cells):
    """Return all pairs of sides that meet in {cell: pose}, as {side: partner}, both ways."""
    return {
        side_of(pose, toward): side_of(cells[r + down, c + right], OPPOSITE[toward])
        for (r, c), pose in cells.items()
        for toward, (down, right) in STEP.items()
        if (r + down, c + right) in cells
    }


def as_cells(poses):
    """Return an array of poses as {cell: pose}, empty cells left out."""
    return {cell: int(pose) for cell, pose in np.ndenumerate(poses) if pose >= 0}


def turned_whole(poses, turn):
    """Return an arrangement of poses, all of it turned."""
    turned = np.rot90(poses, -turn)
    return np.where(turned < 0, -1, turned // 4 * 4 + (turned + turn) % 4)


def wholes(poses, turns="quarter"):
    """Return an arrangement in all the ways up it may have on its board."""
    ways = WAYS[turns] if poses.shape[0] == poses.shape[1] else WAYS["half"]
    return [turned_whole(poses, turn) for turn in ways]


def same_whole(found, expected, turns="quarter"):
    """Whether two arrangements are the same but for which way up they are."""
    return any(np.array_equal(found, whole) for whole in wholes(expected, turns))


def random_board(rng, rows, columns, turns, pieces=None, empty=0):
    """Fill a board with poses of random pieces, some cells empty, -1."""
    cells = rows * columns
    filled = rng.permutation(pieces or cells)[: cells - empty]
    poses = 4 * filled + rng.choice(WAYS[turns], filled.size)
    return rng.permutation([*poses, *[-1] * empty]).reshape(rows, columns).astype(np.int32)


# Segments


def turned_segment(cells, turn):
    """Return a segment turned about some cell."""
    least_row, least_column = np.min([*cells], axis=0)
    poses = np.full(extent(cells), -1)
    for (row, column), pose in cells.items():
        poses[row - least_row, column - least_column] = pose
    return as_cells(turned_whole(poses, turn))


def cell_of(cells, piece):
    return next((cell, pose) for cell, pose in cells.items() if pose // 4 == piece)


def brought_to(one, other, side, partner):
    """Turn and move the segment `other` until two sides touch."""
    (row, column), pose = cell_of(one, side // 4)
    toward = way_of(side, pose)
    for turn in range(4):
        turned = turned_segment(other, turn)
        (its_row, its_column), its_pose = cell_of(turned, partner // 4)
        if side_of(its_pose, OPPOSITE[toward]) == partner:
            break
    down = row + STEP[toward][0] - its_row
    right = column + STEP[toward][1] - its_column
    return {(r + down, c + right): pose for (r, c), pose in turned.items()}


def seen_from(cells, piece):
    """Return a segment turned and moved until a piece lies upright in cell (0, 0)."""
    turned = turned_segment(cells, -cell_of(cells, piece)[1] % 4)
    row, column = cell_of(turned, piece)[0]
    return {(r - row, c - column): pose for (r, c), pose in turned.items()}


def has_room(height, width, rows, columns, turns):
    """Whether something of a size has room on a board, one way up or another."""
    ways = {np.rot90(np.empty((height, width)), turn).shape for turn in WAYS[turns]}
    return any(high <= rows and wide <= columns for high, wide in ways)


# Bodies


def body_turned(poses, body, pivot, aim, turn):
    """Return poses after a body turned about a pivot that goes to its aim; None if it cannot.

    Each pose that lay where the body goes is moved as the body is, backwards, again and again until
    it finds a cell that the body leaves.
    """
    reach = 2 * max(poses.shape) + 1
    alone = np.full((2 * reach + 1, 2 * reach + 1), -1)
    numbers = dict(enumerate(body))
    for number, (row, column) in numbers.items():
        alone[reach + row - pivot[0], reach + column - pivot[1]] = number
    goes = {
        numbers[int(number)]: (int(r) - reach + aim[0], int(c) - reach + aim[1])
        for (r, c), number in np.ndenumerate(np.rot90(alone, -turn))
        if number >= 0
    }
    if any(not (0 <= r < poses.shape[0] and 0 <= c < poses.shape[1]) for r, c in goes.values()):
        return None
    comes = {there: cell for cell, there in goes.items()}
    after = poses.copy()
    for cell, there in goes.items():
        after[there] = turned_pose(poses[cell], turn)
    for cell in set(comes) - set(goes):
        free, back = comes[cell], -turn
        while free in comes:
            free, back = comes[free], back - turn
        after[free] = turned_pose(poses[cell], back)
    return after


def turned_pose(pose, turn):
    return pose if pose < 0 else pose // 4 * 4 + (pose + turn) % 4


# Crossover


def replay_crossover(mother, father, child, placed, phases, cost, use, turns):
    """Check every step of a crossover of poses against the paper's words.

    The three are arrangements of poses, `placed` the pieces in order, `phases` the names of the
    phases that placed them, `use` the phases in use; `cost` says what two sides cost.
    """
    rows, columns = child.shape
    n = child.size
    one, two = meetings(as_cells(mother)), meetings(as_cells(father))
    where = {pose // 4: (cell, pose) for cell, pose in as_cells(child).items()}
    assert sorted(placed) == list(range(n)), "every piece is placed once"

    def cheapest(side, free):
        return min(cost(side, p) for p in partners_of(side, n, turns) if p // 4 in free)

    def are_buddies(side, partner):
        price = cost(side, partner)
        return all(price == cheapest(s, set(range(n))) for s in (side, partner))

    kernel = {}
    for step, (piece, phase) in enumerate(zip(placed, phases, strict=True)):
        free = set(range(n)) - {pose // 4 for pose in kernel.values()}
        cell, pose = where[piece]
        if step == 0:
            kernel[cell] = pose
            continue
        boundaries = [
            ((r + down, c + right), toward, side_of(owner, toward))
            for (r, c), owner in kernel.items()
            for toward, (down, right) in STEP.items()
            if fits(kernel, (r + down, c + right), rows, columns)
        ]
        assert cell in {b[0] for b in boundaries}, "the kernel stays whole and inside the frame"
        agreed, buddies = set(), set()
        for spot, toward, side in boundaries:
            for partner in {one.get(side), two.get(side)} - {None}:
                if partner // 4 in free:
                    proposal = spot, pose_with(partner, OPPOSITE[toward])
                    agreed |= {proposal} if one.get(side) == two.get(side) else set()
                    buddies |= {proposal} if are_buddies(side, partner) else set()
        if "agreed" in use and agreed:
            assert phase in ("agreed", "mutation"), f"parents agree, yet {phase}"
            assert phase == "mutation" or (cell, pose) in agreed
            assert cell in {a[0] for a in agreed}
        elif "best-buddy" in use and buddies:
            assert phase == "best-buddy", f"a best buddy was there, yet {phase}"
            assert (cell, pose) in buddies
        elif "greedy" in use:
            assert phase in ("greedy", "mutation"), f"expected greedy, found {phase}"
            assert phase == "mutation" or any(
                cost(side, side_of(pose, OPPOSITE[toward])) == cheapest(side, free)
                for spot, toward, side in boundaries
                if spot == cell
            ), "the most compatible available side is taken"
        else:
            assert phase == "random"
        kernel[cell] = pose


# Puzzles


def turned_puzzle(seed, rows, columns, size, turns, missing=0, foreign=0):
    """Cut a texture, shuffle and turn its pieces; return the puzzle and its picture in poses.

    Some pieces may be missing, and some of another texture be among them.
    """
    rng = np.random.default_rng(seed)
    height, width = size
    cells = rows * columns
    whole = Puzzle.cut(texture(rng, rows * height, columns * width), size).pieces
    other = Puzzle.cut(texture(rng, 2 * height, (foreign + 2) * width)[:, ::-1], size).pieces
    kept = np.sort(rng.permutation(cells)[: cells - missing])
    bag = np.concatenate([whole[kept], other[:foreign]])
    order = rng.permutation(len(bag))
    given = rng.choice(WAYS[turns], len(bag))
    truth = np.full(cells, -1, np.int32)
    truth[kept] = 4 * np.argsort(order)[: len(kept)]
    truth[kept] += (-given[truth[kept] // 4] % 4).astype(np.int32)
    pieces = turned_pieces(bag[order], given)
    puzzle = Puzzle(pieces, (rows, columns), holes=missing, strays=foreign, turns=turns)
    return puzzle, truth.reshape(rows, columns)


def picture_of(puzzle, poses):
    """Return the picture that poses make."""
    cells = poses.ravel()
    upright = turned_pieces(puzzle.pieces[cells // 4], cells % 4)
    return replace(puzzle, pieces=upright, turns="none").image()
