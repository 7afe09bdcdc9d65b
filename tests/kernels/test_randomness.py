import numpy as np

from jigsolve._kernels.randomness import below, next_word, seed_stream, shuffle, unit


def stream(seed=0, generation=0, child=0):
    words = np.zeros(1, np.uint64)
    seed_stream(words, seed, generation, child)
    return words


def test_splitmix64_matches_its_reference():
    words = np.array([1234567], np.uint64)
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [int(next_word(words)) for _ in expected] == expected


def test_streams_differ():
    starts = {int(stream(s, g, c)[0]) for s in range(9) for g in range(9) for c in range(9)}
    assert len(starts) == 9**3


def test_below_is_uniform():
    words = stream()
    counts = np.bincount([below(words, 7) for _ in range(14000)], minlength=7)
    assert len(counts) == 7
    assert (abs(counts - 2000) < 5 * np.sqrt(2000)).all()


def test_unit_is_uniform():
    words = stream()
    values = np.array([unit(words) for _ in range(10000)])
    assert ((values >= 0) & (values < 1)).all()
    assert abs(values.mean() - 0.5) < 0.02
    assert abs(values.var() - 1 / 12) < 0.005


def test_shuffle_reaches_every_order_equally():
    words, counts = stream(), {}
    for _ in range(6000):
        values = np.arange(3, dtype=np.int32)
        shuffle(words, values)
        counts[tuple(values)] = counts.get(tuple(values), 0) + 1
    assert len(counts) == 6
    assert all(abs(count - 1000) < 5 * np.sqrt(1000) for count in counts.values())
