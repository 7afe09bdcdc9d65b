"""Slow, obvious versions of everything that is fast in the package.

Sides are 0 left, 1 right, 2 top, 3 bottom. An arrangement is a list of lists of piece ids.
"""

import math

import numpy as np
from skimage.color import rgb2lab

STEP = {0: (0, -1), 1: (0, 1), 2: (-1, 0), 3: (1, 0)}
OPPOSITE = {0: 1, 1: 0, 2: 3, 3: 2}


def side_pixels(piece, side, depth=0):
    """Pixels of a side, outermost (depth 0) or the line behind, if there is one."""
    turned = piece if side >= 2 else piece.swapaxes(0, 1)
    lines = turned if side % 2 == 0 else turned[::-1]
    return lines[min(depth, len(lines) - 1)]


def dissimilarity(piece, other, side):
    """Equation 1: `other` lies at `side` of `piece`. In L*a*b*, L from 0 to 100."""
    own = rgb2lab(piece.astype(np.uint8))
    facing = rgb2lab(other.astype(np.uint8))
    total = 0.0
    pixels = zip(side_pixels(own, side), side_pixels(facing, OPPOSITE[side]), strict=True)
    for pixel, other_pixel in pixels:
        for band in range(3):
            total += (pixel[band] - other_pixel[band]) ** 2
    return math.sqrt(total)


def extrapolation(piece, other, side):
    """Sum of magnitudes between both sides carried on by 0.35 pixels, in L*a*b*."""
    own = rgb2lab(piece.astype(np.uint8))
    facing = rgb2lab(other.astype(np.uint8))
    back = OPPOSITE[side]
    total = 0.0
    for pixel, inner, other_pixel, other_inner in zip(
        side_pixels(own, side),
        side_pixels(own, side, depth=1),
        side_pixels(facing, back),
        side_pixels(facing, back, depth=1),
        strict=True,
    ):
        for band in range(3):
            reached = 1.35 * pixel[band] - 0.35 * inner[band]
            total += abs(reached - (1.35 * other_pixel[band] - 0.35 * other_inner[band]))
    return total


def mgc(piece, other, side):
    """Gallagher's Mahalanobis gradient compatibility, both ways."""
    return foretelling(piece, other, side) + foretelling(other, piece, OPPOSITE[side])


def foretelling(piece, other, side):
    """How far `other` is from what the gradients of a side foretell."""
    outer = np.array(side_pixels(piece.astype(float), side))
    steps = outer - np.array(side_pixels(piece.astype(float), side, depth=1))
    dummies = [[0, 0, 0], [1, 1, 1], [-1, -1, -1]]
    dummies += [[0, 0, 1], [0, 1, 0], [1, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 0, -1]]
    inverse = np.linalg.inv(np.cov(np.vstack([steps, dummies]).T))
    facing = np.array(side_pixels(other.astype(float), OPPOSITE[side]))
    total = 0.0
    for pixel, other_pixel in zip(outer, facing, strict=True):
        d = other_pixel - pixel - steps.mean(axis=0)
        total += d @ inverse @ d
    return total


COUNTERCLOCKWISE = {0: 3, 3: 1, 1: 2, 2: 0}


def turned_toward(piece, side, toward):
    """Turn a piece until one of its sides points somewhere."""
    while side != toward:
        piece, side = np.rot90(piece), COUNTERCLOCKWISE[side]
    return piece


def may_touch(side, partner, turns):
    """Whether two sides, by their numbers, may touch where pieces may be turned."""
    if side // 4 == partner // 4:
        return False
    if turns == "none":
        return OPPOSITE[side % 4] == partner % 4
    return turns == "quarter" or side % 4 // 2 == partner % 4 // 2


def partners_of(side, pieces, turns):
    """All sides that a side may touch."""
    return [partner for partner in range(4 * pieces) if may_touch(side, partner, turns)]


def turned_pair(pieces, side, partner):
    """Two pieces turned so that two of their sides face: the seam is right of the first, or below.

    Returns them and the side of the first.
    """
    toward = 1 if side % 4 < 2 else 3
    first = turned_toward(pieces[side // 4], side % 4, toward)
    other = turned_toward(pieces[partner // 4], partner % 4, OPPOSITE[toward])
    return np.stack([first, other]), toward


def border_cost(borders, piece, side, other):
    own = borders[4 * piece + side].astype(object)
    facing = borders[4 * other + OPPOSITE[side]].astype(object)
    return np.float32(math.sqrt(sum((a - b) ** 2 for a, b in zip(own, facing, strict=True))))


def cost_table(borders):
    """Costs of all seams as {(piece, side, other): cost}."""
    n = len(borders) // 4
    return {
        (p, s, q): border_cost(borders, p, s, q)
        for p in range(n)
        for s in range(4)
        for q in range(n)
        if p != q
    }


def candidates(costs, n, piece, side):
    """All partners of a side, cheapest first, ties by id."""
    others = [q for q in range(n) if q != piece]
    return sorted(others, key=lambda q: (costs[piece, side, q], q))


def are_best_buddies(costs, n, piece, side, other):
    """Equation 3: each is the other's cheapest partner; equal ones count."""
    cheapest = min(costs[piece, side, q] for q in range(n) if q != piece)
    back = OPPOSITE[side]
    cheapest_back = min(costs[other, back, q] for q in range(n) if q != other)
    return costs[piece, side, other] == cheapest and costs[other, back, piece] == cheapest_back


def fitness(arrangement, costs):
    """Equation 2."""
    rows, columns = len(arrangement), len(arrangement[0])
    total = 0.0
    for row in range(rows):
        for column in range(columns):
            piece = arrangement[row][column]
            if column + 1 < columns:
                total += float(costs[piece, 1, arrangement[row][column + 1]])
            if row + 1 < rows:
                total += float(costs[piece, 3, arrangement[row + 1][column]])
    return total


def neighbours(arrangement):
    """{(piece, side): neighbour} of an arrangement."""
    rows, columns = len(arrangement), len(arrangement[0])
    found = {}
    for row in range(rows):
        for column in range(columns):
            for side, (down, right) in STEP.items():
                r, c = row + down, column + right
                if 0 <= r < rows and 0 <= c < columns:
                    found[arrangement[row][column], side] = arrangement[r][c]
    return found


def replay_crossover(mother, father, child, placed, phases, costs, use):
    """Check every step of a crossover against the paper's words; raise AssertionError if wrong.

    `placed` are the pieces in order, `phases` the names of the phases that placed them, `use` the
    phases in use. Returns the number of steps checked per phase.
    """
    rows, columns = len(child), len(child[0])
    n = rows * columns
    left, right = neighbours(mother), neighbours(father)
    where = {child[r][c]: (r, c) for r in range(rows) for c in range(columns)}
    assert sorted(placed) == list(range(n)), "every piece is placed once"
    kernel = {}  # cell -> piece
    checked = dict.fromkeys(phases, 0)
    for step, (piece, phase) in enumerate(zip(placed, phases, strict=True)):
        used = set(kernel.values())
        checked[phase] += 1
        if step == 0:
            assert phase == "first"
            kernel[where[piece]] = piece
            continue
        boundaries = [
            ((r + STEP[s][0], c + STEP[s][1]), owner, s)
            for (r, c), owner in kernel.items()
            for s in range(4)
            if fits(kernel, (r + STEP[s][0], c + STEP[s][1]), rows, columns)
        ]
        agreed = {
            (cell, left[owner, s])
            for cell, owner, s in boundaries
            if (owner, s) in left and left[owner, s] == right.get((owner, s))
            if left[owner, s] not in used
        }
        buddies = {
            (cell, parent[owner, s])
            for parent in (left, right)
            for cell, owner, s in boundaries
            if (owner, s) in parent and parent[owner, s] not in used
            if are_best_buddies(costs, n, owner, s, parent[owner, s])
        }
        cell = where[piece]
        assert cell in {b[0] for b in boundaries}, "the kernel stays whole and inside the frame"
        if "agreed" in use and agreed:
            assert phase in ("agreed", "mutation"), f"parents agree, yet {phase}"
            assert phase == "mutation" or (cell, piece) in agreed
            assert cell in {a[0] for a in agreed}
        elif "best-buddy" in use and buddies:
            assert phase == "best-buddy", f"a best buddy was there, yet {phase}"
            assert (cell, piece) in buddies
        elif "greedy" in use:
            assert phase in ("greedy", "mutation"), f"expected greedy, found {phase}"
            if phase == "greedy":
                free = [q for q in range(n) if q not in used]
                assert any(
                    costs[owner, s, piece] == min(costs[owner, s, q] for q in free)
                    for spot, owner, s in boundaries
                    if spot == cell
                ), "the most compatible available piece is taken"
        else:
            assert phase == "random"
        kernel[cell] = piece
    return checked


def fits(kernel, cell, rows, columns):
    """Whether a cell is free and the kernel with it would still fit the board."""
    if cell in kernel:
        return False
    all_rows = [r for r, _ in kernel] + [cell[0]]
    all_columns = [c for _, c in kernel] + [cell[1]]
    return max(all_rows) - min(all_rows) < rows and max(all_columns) - min(all_columns) < columns


def scores(found, truth, looks):
    """Direct and neighbour, strict and aware, by counting."""
    rows, columns = len(truth), len(truth[0])
    n = rows * columns
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    direct = sum(found[r][c] == truth[r][c] for r, c in cells) / n
    direct_aware = sum(looks[found[r][c]] == looks[truth[r][c]] for r, c in cells) / n

    def joins(grid, name):
        listed = []
        for r, c in cells:
            if c + 1 < columns:
                listed.append(("across", name(grid[r][c]), name(grid[r][c + 1])))
            if r + 1 < rows:
                listed.append(("down", name(grid[r][c]), name(grid[r + 1][c])))
        return listed

    def shared(name):
        there = joins(truth, name)
        total = len(there)
        hits = 0
        for join in joins(found, name):
            if join in there:
                there.remove(join)
                hits += 1
        return hits / total

    return {
        "neighbour": shared(lambda piece: piece),
        "direct": direct,
        "neighbour_aware": shared(lambda piece: looks[piece]),
        "direct_aware": direct_aware,
    }


class Segment(dict):
    """A segment as a dictionary from cell to piece."""

    def moved(self, down, right):
        return Segment({(r + down, c + right): piece for (r, c), piece in self.items()})

    def cell_of(self, piece):
        return next(cell for cell, other in self.items() if other == piece)


def joined(one, other, side, partner):
    """Move `other` so that two sides touch; return it moved, or None where they overlap."""
    steps = ((0, -1), (0, 1), (-1, 0), (1, 0))
    down, right = steps[side % 4]
    row, column = one.cell_of(side // 4)
    its_row, its_column = other.cell_of(partner // 4)
    moved = other.moved(row + down - its_row, column + right - its_column)
    return None if set(moved) & set(one) else moved


def touching_sides(one, other):
    """Return the pairs of sides along which two segments touch."""
    steps = ((0, -1), (0, 1), (-1, 0), (1, 0))
    return [
        (4 * piece + toward, 4 * other[r + down, c + right] + (toward ^ 1))
        for (r, c), piece in one.items()
        for toward, (down, right) in enumerate(steps)
        if (r + down, c + right) in other
    ]


def extent(cells):
    """Return how many rows and columns cells span."""
    rows, columns = zip(*cells, strict=True)
    return max(rows) - min(rows) + 1, max(columns) - min(columns) + 1


def two_cheapest(side, open_partners, cost):
    """Return the cheapest of some partners, and the costs of the two cheapest."""
    ranked = sorted((cost(side, partner), partner) for partner in open_partners)
    return ranked[0][1], ranked[0][0], ranked[1][0]


def seam_score(arrays, near, far, extrapolation, mgc):
    """Score one seam by the network, all four readings written out.

    Sides are (length, lines, 3), the outermost line first; `arrays` are the weights as trained.
    """
    opponent = np.array([[1 / 3, 1 / 3, 1 / 3], [1, 0, -1], [-0.5, 1, -0.5]])

    def scale(side):
        side = side.astype(float)
        steps = [np.abs(np.diff(side, axis=axis)) for axis in (0, 1)]
        return np.mean(np.concatenate([np.sqrt(step).ravel() for step in steps])) ** 2

    length = len(near)
    whole = (scale(near) + scale(far)) / 2 + 1
    tilt = math.log((scale(near) + 1) / (scale(far) + 1))
    near_colours, far_colours = near @ opponent.T, far @ opponent.T
    mean = np.mean([near_colours[:, :2], far_colours[:, :2]], axis=(0, 1, 2))
    near_in, far_in = (
        ((c - mean) / whole).reshape(length, -1) for c in (near_colours, far_colours)
    )
    by_scale, by_tilt = arrays["first_scale"]
    readings = []
    for one, other, lean in ((near_in, far_in, tilt), (far_in, near_in, -tilt)):
        told = one @ arrays["first"][0] + other @ arrays["first"][1] + arrays["first_bias"]
        readings.append(np.clip(told + math.log(whole) * by_scale + lean * by_tilt, 0, 32))
    hidden = [readings[0], readings[1], readings[0], readings[1]]
    layer = 1
    while f"convolution_{layer}" in arrays:
        weights = arrays[f"convolution_{layer}"]
        count, reach = weights.shape[1], weights.shape[3] // 2
        outcome = []
        for reading in range(4):
            total = np.tile(arrays[f"convolution_{layer}_bias"], (length, 1))
            for other in range(count):
                for at in range(length):
                    for tap in range(2 * reach + 1):
                        source = at + tap - reach
                        if 0 <= source < length:
                            seen = 2 * reach - tap if reading >= 2 else tap
                            kernel = weights[:, (reading ^ other) % count, :, seen]
                            total[at] += kernel @ hidden[other][source]
            outcome.append(np.maximum(total, 0))
        hidden = outcome if layer == 1 else [h + o for h, o in zip(hidden, outcome, strict=True)]
        layer += 1
    scalars = [math.log(extrapolation + 0.05), math.log(mgc + 0.05), math.log(whole) - 1.5]
    scalars += [abs(tilt), math.log(length / 28)]
    scores = []
    for reading in hidden:
        told = np.concatenate([reading.mean(axis=0), reading.max(axis=0), scalars])
        inner = np.maximum(arrays["head"] @ told + arrays["head_bias"], 0)
        scores.append(float(arrays["score"] @ inner + arrays["score_bias"].item()))
    return np.mean(scores) * (length / 28) ** float(arrays["length_power"])


def seam_costs(scores, near_none, far_none, alone):
    """Turn {(one, other): score} into {(one, other): cost}, as negative log-shares."""
    costs = dict.fromkeys(scores, 0.0)
    for which, none in ((0, near_none), (1, far_none)):
        totals = [
            math.log(sum(math.exp(s) for pair, s in scores.items() if pair[which] == side))
            for side in range(len(none))
        ]

        def without(shift, totals=totals, none=none):
            pairs = zip(totals, none, strict=True)
            return np.mean([1 / (1 + math.exp(t - n - shift)) for t, n in pairs])

        shift = -20.0
        for step in (1.0, 0.01, 1e-4):  # the larger the shift, the more are without
            while without(shift + step) < alone:
                shift += step
        for pair, score in scores.items():
            side = pair[which]
            costs[pair] += math.log(math.exp(totals[side]) + math.exp(none[side] + shift)) - score
    return costs


def kinds(keys):
    """Return for each of some things the first equal one, how many there are and which."""
    first = [keys.index(key) for key in keys]
    many = [first.count(i) for i in range(len(keys))]
    members = [[j for j, one in enumerate(first) if one == i] for i in range(len(keys))]
    return first, many, members


def body_moved(grid, body, down, right):
    """Return a copy of a grid, (rows, columns), with the pieces of some cells moved.

    A piece that lay where the body goes takes a cell the body leaves: it moves against the body's
    direction, step by step, until it finds one. None if the body would leave the grid.
    """
    body = set(body)
    aims = {(row + down, column + right) for row, column in body}
    if any(not (0 <= r < grid.shape[0] and 0 <= c < grid.shape[1]) for r, c in aims):
        return None
    moved = grid.copy()
    for row, column in body:
        moved[row + down, column + right] = grid[row, column]
    for row, column in aims - body:
        free = row - down, column - right
        while free in aims:
            free = free[0] - down, free[1] - right
        moved[free] = grid[row, column]
    return moved


def cut_groups(part, across, down, seeds, weak, visits, room, smallest, alike, unused):
    """Return the parts, (rows, columns), after groups that hold to theirs too little were cut off.

    Cells are pairs of row and column; empty ones have the part -1.
    """
    part = part.copy()
    tried = set()

    def seams_of(cell):
        row, column = cell
        for (r, c), firm in (
            ((row, column - 1), lambda: across[row, column - 1]),
            ((row, column + 1), lambda: across[row, column]),
            ((row - 1, column), lambda: down[row - 1, column]),
            ((row + 1, column), lambda: down[row, column]),
        ):
            if 0 <= r < part.shape[0] and 0 <= c < part.shape[1] and part[r, c] == part[cell]:
                yield (r, c), firm()

    for seed in seeds:
        if part[seed] == -1 or seed in tried:
            continue
        if visits <= 0:
            break
        group, best, least = [], 0, 0.0
        in_reach = {seed: 0.0}
        while in_reach and len(group) < room:
            group.append(max(in_reach, key=lambda cell: (in_reach[cell], (-cell[0], -cell[1]))))
            border = [(c, f) for own in group for c, f in seams_of(own) if c not in group]
            in_reach = {cell: sum(f for c, f in border if c == cell) for cell, _ in border}
            if len(group) >= smallest and sum(f for _, f in border) < least:
                best, least = len(group), sum(f for _, f in border)
        visits -= len(group)
        if least < weak and best < len(group):
            for cell in group[:best]:
                part[cell] = unused
            unused += 1
            tried.update(group[:best])
        else:
            tried.update(group[:alike])
    return part


def direction_of(own, turn):
    """Return where a side points once its piece is turned clockwise by so many quarters."""
    for _ in range(-turn % 4):
        own = COUNTERCLOCKWISE[own]
    return own


def seams_alongside(scored, part, shown, farthest):
    """Return the seams that scored ones between open sides would bring with them.

    `scored` are pairs of sides, by their numbers. `part` says for each cell, (row, column), which
    part it is of, `shown` for each cell which side points where, four numbers.
    """
    place = {side: (cell, toward) for cell, own in shown.items() for toward, side in enumerate(own)}

    def step(cell, toward):
        return cell[0] + STEP[toward][0], cell[1] + STEP[toward][1]

    def is_open(cell, toward):
        return part.get(step(cell, toward)) != part[cell]

    found = set()
    for side, partner in scored:
        (here, toward), (there, back) = place[side], place[partner]
        if not (is_open(here, toward) and is_open(there, back)):
            continue
        quarters = next(k for k in range(4) if direction_of(back, k) == OPPOSITE[toward])
        for way in (2, 3) if toward < 2 else (0, 1):
            its_way = direction_of(way, -quarters)
            one, other = here, there
            for _ in range(farthest):
                if is_open(one, way) or is_open(other, its_way):
                    break
                one, other = step(one, way), step(other, its_way)
                if not (is_open(one, toward) and is_open(other, back)):
                    break
                pair = shown[one][toward], shown[other][back]
                if pair[0] // 4 != pair[1] // 4:
                    found.add(pair)
    return found


def offset_ratio(offsets, one, other, shift, doubt=0.06):
    """How much likelier the offsets of two pieces are at a distance in pixels than by chance."""
    count, period = offsets.shape
    usual = [sum(offsets[p][k] for p in range(count)) / count for k in range(period)]
    both = by_chance = 0.0
    for offset in range(period):
        later = (offset + shift) % period
        both += float(offsets[one][offset]) * float(offsets[other][later])
        by_chance += float(usual[offset]) * float(usual[later])
    return doubt + (1 - doubt) * both / by_chance


def foretold(piece, other, side):
    """Return what remains between a side carried on and the one beside it, in L*a*b*."""
    own = rgb2lab(piece.astype(np.uint8))
    facing = rgb2lab(other.astype(np.uint8))
    outer = np.array(side_pixels(own, side))
    inner = np.array(side_pixels(own, side, depth=1))
    return 2 * outer - inner - np.array(side_pixels(facing, OPPOSITE[side]))


def one_sided(piece, other, side):
    """Paikin and Tal's dissimilarity of a side to the one beside it."""
    return float(np.abs(foretold(piece, other, side)).sum())


def prediction(piece, other, side):
    """Pomeranz's (L_p)^q with p = 0.3 and q = 1/16, in units of 1/32."""
    both = [foretold(piece, other, side), foretold(other, piece, OPPOSITE[side])]
    powers = sum(float((np.abs(32 * half) ** 0.3).sum()) for half in both)
    return (powers ** (1 / 0.3)) ** (1 / 16)
