"""Trying pieces in cells, cell after cell, as long as check sums stay even."""

from jigsolve._kernels.geometry import SIDES, opposite
from jigsolve._kernels.jit import kernel


@kernel
def try_pieces(
    choices, kinds, left, sums, start, checked, sides, beside, budget, taken, path, found
):
    """Find arrangements whose check sums are all even; stop at two, or when the budget is spent.

    Parameters
    ----------
    choices
        Where the choices of each step begin among all, (steps + 1,).
    kinds
        The kind of piece of each choice, (all,).
    left
        How many pieces of each kind there are; changed and restored.
    sums
        What each choice adds to the sums, as bits, (all, words) uint64.
    start
        The sums before the first step, (words,).
    checked
        The sums that must be even after each step, as bits, (steps, words).
    sides
        How the sides of each choice look, (all, 4).
    beside
        For each step and side the earlier step that shows the same modules, or -1, (steps, 4).
    budget
        How many pieces are tried at most.
    taken, path
        Room for the choice of each step, (steps,), and the sums after it, (steps + 1, words).
    found
        The choices of up to two arrangements, (2, steps).

    Returns
    -------
    How many were found, up to two; and how many pieces were tried, more than the budget if not all.
    """
    steps = choices.shape[0] - 1
    words = start.shape[0]
    many = 0
    tried = 0
    for word in range(words):
        path[0, word] = start[word]
    if steps == 0:
        return 1, 0
    step = 0
    choice = choices[0]
    while step >= 0:
        if choice == choices[step + 1]:
            step -= 1
            if step >= 0:
                left[kinds[taken[step]]] += 1
                choice = taken[step] + 1
            continue
        fits = left[kinds[choice]] > 0
        for side in range(SIDES):
            other = beside[step, side]
            if fits and other >= 0:
                fits = sides[choice, side] == sides[taken[other], opposite(side)]
        if fits:
            tried += 1
            for word in range(words):
                total = path[step, word] ^ sums[choice, word]
                path[step + 1, word] = total
                if total & checked[step, word]:
                    fits = False
                    break
        if not fits:
            choice += 1
            continue
        taken[step] = choice
        if step == steps - 1:
            for each in range(steps):
                found[many, each] = taken[each]
            many += 1
            choice += 1
        else:
            left[kinds[choice]] -= 1
            step += 1
            choice = choices[step]
        if many == 2 or tried > budget:
            while step > 0:
                step -= 1
                left[kinds[taken[step]]] += 1
            break
    return many, tried
