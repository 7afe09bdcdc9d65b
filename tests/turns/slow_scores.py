"""Scores of turned pieces by the words of their definition, pixel by pixel."""

import numpy as np

STEPS = {"left": (0, -1), "right": (0, 1), "top": (-1, 0), "bottom": (1, 0)}
CLOCKWISE = ("top", "right", "bottom", "left")


def cells_of(pieces, placement):
    """Return {(row, column): (piece, turn)} of cells that are not empty."""
    return {
        cell: (int(piece), int(placement.turns[cell]))
        for cell, piece in np.ndenumerate(placement.pieces)
        if piece >= 0
    }


def pixels(pieces, posed):
    piece, turn = posed
    return np.rot90(pieces[piece], -turn)


def own_side(turn, toward):
    """Return which side of a piece, as it is called unturned, points somewhere once turned."""
    return CLOCKWISE[(CLOCKWISE.index(toward) - turn) % 4]


def strict_seams(pieces, placement):
    """Return the pairs of sides that touch."""
    cells = cells_of(pieces, placement)
    found = []
    for (row, column), (piece, turn) in cells.items():
        for toward, back in (("right", "left"), ("bottom", "top")):
            down, across = STEPS[toward]
            if (row + down, column + across) in cells:
                other, its_turn = cells[row + down, column + across]
                sides = {(piece, own_side(turn, toward)), (other, own_side(its_turn, back))}
                found.append(frozenset(sides))
    return found


def seen_seams(pieces, placement, possible):
    """Return for every seam all pictures of its two pieces, turned in every possible way."""
    cells = cells_of(pieces, placement)
    found = []
    for (row, column), posed in cells.items():
        for axis, (down, across) in ((1, (0, 1)), (0, (1, 0))):
            if (row + down, column + across) in cells:
                other = cells[row + down, column + across]
                pair = np.concatenate([pixels(pieces, posed), pixels(pieces, other)], axis=axis)
                views = [np.rot90(pair, -turn) for turn in possible]
                found.append(frozenset((view.shape, view.tobytes()) for view in views))
    return found


def in_common(found, truth):
    left = list(truth)
    for seam in found:
        if seam in left:
            left.remove(seam)
    return len(truth) - len(left)


def scores(pieces, found, truth, possible):
    """Return all four scores, whether it is perfect, and the turn."""
    true = cells_of(pieces, truth)
    best = None
    for turn in possible:
        turned = found.turned(turn)
        if turned.pieces.shape != truth.pieces.shape:
            continue
        mine = cells_of(pieces, turned)
        strict = sum(mine.get(cell) == posed for cell, posed in true.items())
        alike = sum(
            cell in mine and np.array_equal(pixels(pieces, mine[cell]), pixels(pieces, posed))
            for cell, posed in true.items()
        )
        perfect = alike == len(true) == len(mine)
        if best is None or (alike, strict) > best[:2]:
            best = alike, strict, perfect, turn
    seams = strict_seams(pieces, truth)
    seen = seen_seams(pieces, truth, possible)
    return {
        "neighbour": in_common(strict_seams(pieces, found), seams) / len(seams),
        "direct": best[1] / len(true),
        "neighbour_aware": in_common(seen_seams(pieces, found, possible), seen) / len(seen),
        "direct_aware": best[0] / len(true),
        "perfect": best[2],
        "turn": best[3],
    }


def dealt(pieces, placement, possible, rng):
    """Return a placement that looks the same, which of the look-alikes lies where drawn anew."""
    ids, turns = placement.pieces.copy(), placement.turns.copy()
    free = list(range(len(pieces)))
    rng.shuffle(free)
    for cell, posed in cells_of(pieces, placement).items():
        shown = pixels(pieces, posed)
        for piece in free:
            fitting = [t for t in possible if np.array_equal(pixels(pieces, (piece, t)), shown)]
            if fitting:
                ids[cell], turns[cell] = piece, rng.choice(fitting)
                free.remove(piece)
                break
    return type(placement)(ids, turns)
