"""A shelf: what is kept is taken, what is damaged made anew, and results are those without it."""

import json
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest
from helpers import random_pieces
from skimage import data

from jigsolve import InputError, Puzzle, Settings, Stop, solve
from jigsolve.core.bag import Bag
from jigsolve.execution.crew import Alone, Crew, crew
from jigsolve.execution.spreading import are_arrays, digest_of
from jigsolve.io import shelf as shelves
from jigsolve.io.shelf import Shelf, Shelving
from jigsolve.seams.table import SeamTable
from jigsolve.solvers.bags import solve_bag
from jigsolve.solvers.foresight import foresee
from jigsolve.solvers.helped import kept_on

QUICK = {"population": 10, "generations": 3, "annealing": 20, "threads": 2}


class Powers:
    """A task that notes which of its shards are done."""

    name = "powers"
    memory = 0

    def __init__(self, base=2):
        self.base = base
        self.begun = 0
        self.done = []

    @property
    def digest(self):
        return digest_of(self.base)

    def begin(self, crew):
        self.begun += 1

        def work(shard, check):
            check()
            self.done.append(shard)
            return np.arange(shard) ** self.base, np.full((2, shard), 0.5, np.float32)

        return work

    def accepts(self, shard, value):
        return are_arrays(value, ((shard,), int), ((2, shard), np.float32))


def shelving(folder, hands=None):
    return Shelving(hands or Alone(), Shelf(folder, "us"))


def check_powers(values, shards, base=2):
    values = list(values)
    assert len(values) == len(shards)
    for (powers, halves), shard in zip(values, shards, strict=True):
        np.testing.assert_array_equal(powers, np.arange(shard) ** base)
        assert (halves == 0.5).all()
        assert halves.shape == (2, shard)


def place_of(folder, task, shard):
    return folder / task.digest / f"{shard:07}.npz"


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_what_is_kept_is_not_done_again(tmp_path, threads):
    with crew(threads or 1) as hands:
        for shards in ([3, 1, 7], [7, 2, 3, 0], [0, 1, 2, 3, 7]):
            task = Powers()
            executor = shelving(tmp_path / "shelf", hands if threads else None)
            check_powers(executor.spread(task, shards), shards)
            if shards[0] == 7:
                assert sorted(task.done) == [0, 2]
        assert (task.done, task.begun) == ([], 0)
        other = Powers(3)
        check_powers(executor.spread(other, [3]), [3], base=3)
        assert other.done == [3]


class Dies(Alone):
    """An executor that dies after some shards."""

    def __init__(self, after):
        self._left = after

    def spread(self, task, shards):
        for value in super().spread(task, shards):
            if not self._left:
                raise KeyboardInterrupt
            self._left -= 1
            yield value


def test_a_run_that_was_killed_goes_on(tmp_path):
    shards = [*range(10)]
    with pytest.raises(KeyboardInterrupt):
        list(shelving(tmp_path, Dies(4)).spread(Powers(), shards))
    task = Powers()
    check_powers(shelving(tmp_path).spread(task, shards), shards)
    assert task.done == [4, 5, 6, 7, 8, 9]


def cut_off(place):
    place.write_bytes(place.read_bytes()[:-60])


def emptied(place):
    place.write_bytes(b"")


def another_kind(place):
    with place.open("wb") as file:
        np.save(file, np.arange(5))


def one_bit(place):
    content = bytearray(place.read_bytes())
    content[content.index(np.float32(0.5).tobytes() * 5)] ^= 1
    place.write_bytes(content)


def of_another_task(place):
    other = Powers(3)
    list(shelving(place.parents[1]).spread(other, [5]))
    place.write_bytes(place_of(place.parents[1], other, 5).read_bytes())


def of_another_shape(place):
    name = np.array(f"{place.parent.name} 5")
    with place.open("wb") as file:
        np.savez(file, np.arange(5) ** 2, np.full((2, 6), 0.5, np.float32), of=name)


def of_another_type(place):
    name = np.array(f"{place.parent.name} 5")
    with place.open("wb") as file:
        np.savez(file, np.arange(5) ** 2, np.full((2, 5), 0.5), of=name)


def of_objects(place):
    name = np.array(f"{place.parent.name} 5")
    with place.open("wb") as file:
        np.savez(file, np.array([{}]), np.full((2, 5), 0.5), of=name)


def no_arrays(place):
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("of.npy", "nothing that NumPy can read")


@pytest.mark.parametrize(
    "damage",
    [
        cut_off,
        emptied,
        another_kind,
        one_bit,
        of_another_task,
        of_another_shape,
        of_another_type,
        of_objects,
        no_arrays,
    ],
)
def test_what_is_damaged_is_made_anew(tmp_path, damage):
    shards = [4, 5, 6]
    list(shelving(tmp_path).spread(Powers(), shards))
    whole = place_of(tmp_path, Powers(), 5).read_bytes()
    damage(place_of(tmp_path, Powers(), 5))
    assert place_of(tmp_path, Powers(), 5).read_bytes() != whole
    for expected in ([5], []):
        task = Powers()
        check_powers(shelving(tmp_path).spread(task, shards), shards)
        assert task.done == expected


def test_what_was_being_written_when_a_run_was_killed_is_in_nobodys_way(tmp_path):
    (tmp_path / ".jigsolve-abc.part.json").write_text("{")
    executor = shelving(tmp_path)
    list(executor.spread(Powers(), [1]))
    place_of(tmp_path, Powers(), 1).with_name(".jigsolve-abc.part.npz").write_bytes(b"half")
    task = Powers()
    check_powers(shelving(tmp_path).spread(task, [1]), [1])
    assert task.done == []


def test_several_runs_share_a_shelf_at_once(tmp_path):
    shards = [*range(40)]
    failures = []

    def run():
        try:
            check_powers(shelving(tmp_path / "shelf").spread(Powers(), shards), shards)
        except BaseException as error:
            failures.append(error)

    runs = [threading.Thread(target=run) for _ in range(4)]
    for one in runs:
        one.start()
    for one in runs:
        one.join()
    assert not failures
    assert not list(tmp_path.rglob(".jigsolve-*"))


def a_file(folder):
    folder.write_text("")


def a_link(folder):
    folder.symlink_to(folder.parent / "nowhere")


def photographs(folder):
    folder.mkdir()
    (folder / "1.png").write_text("")


def of_others(folder):
    Shelf(folder, "them")


def not_ours(folder):
    folder.mkdir()
    (folder / shelves.MARK).write_bytes(b"\xff")


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (a_file, "expected a folder, found a file"),
        (a_link, "expected a folder, found a link that leads nowhere"),
        (photographs, "expected an empty folder or a shelf, found 1.png in it"),
        (of_others, "expected a shelf of this version of jigsolve and its weights, found one of"),
        (not_ours, "expected a shelf of this version of jigsolve and its weights, found one of"),
    ],
)
def test_folders_that_are_no_shelf_are_refused(tmp_path, make, complaint):
    make(tmp_path / "shelf")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError, match=complaint) as refused:
        Shelf(tmp_path / "shelf", "us")
    assert str(refused.value).startswith(f"{tmp_path / 'shelf'}: ")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_without_a_parent_or_that_cannot_be_written_is_refused(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"b: cannot write there, .*a does not exist"):
        Shelf(tmp_path / "a" / "b", "us")

    def denied(**_):
        raise PermissionError(13, "Permission denied")

    Shelf(tmp_path / "shelf", "us")
    monkeypatch.setattr(shelves.tempfile, "TemporaryFile", denied)
    with pytest.raises(InputError, match="shelf: cannot write there: Permission denied"):
        Shelf(tmp_path / "shelf", "us")


def test_a_link_to_a_shelf_is_one(tmp_path):
    list(shelving(tmp_path / "shelf").spread(Powers(), [2]))
    (tmp_path / "link").symlink_to("shelf")
    task = Powers()
    check_powers(shelving(tmp_path / "link").spread(task, [2]), [2])
    assert task.done == []


def test_a_shelf_is_of_one_version_of_all_that_values_depend_on(tmp_path, monkeypatch):
    kept_on(tmp_path / "shelf")
    kept_on(tmp_path / "shelf")
    said = json.loads((tmp_path / "shelf" / shelves.MARK).read_text())["made_by"]
    assert all(word in said for word in ("jigsolve", "numpy", "numba", "sources", "weights"))
    monkeypatch.setattr("jigsolve.solvers.helped.sources_hash", lambda: "f" * 64)
    with pytest.raises(InputError, match="found one of another"):
        kept_on(tmp_path / "shelf")


def test_a_full_disk_is_said_in_one_line(tmp_path, monkeypatch):
    shelf = Shelf(tmp_path, "us")
    free = shelves.SPARED + 1000
    usage = shelves.shutil.disk_usage(tmp_path)._replace(free=free)
    monkeypatch.setattr(shelves.shutil, "disk_usage", lambda place: usage)
    shelf.keep("a", 0, (np.zeros(100),))
    with pytest.raises(InputError, match=r": expected 2 kB of free space, found 1 kB$"):
        shelf.keep("a", 1, (np.zeros(200),))
    with pytest.raises(InputError, match=r": expected 2 kB of free space, found 1 kB$"):
        shelf.empty((10, 20), np.float64)
    usage = usage._replace(free=5)
    with pytest.raises(InputError, match=r"found 0 bytes$"):
        shelf.empty((10, 20), np.float64)


def test_arrays_take_their_room_on_the_disk_at_once(tmp_path, monkeypatch):
    def full(file, offset, size):
        raise OSError(28, "No space left on device")

    shelf = Shelf(tmp_path, "us")
    before = [*tmp_path.iterdir()]
    array = shelf.empty((1000, 300), np.int32)
    array[:] = 7
    assert type(array) is np.ndarray
    assert array.sum() == 7 * 300_000
    assert [*tmp_path.iterdir()] == before  # what a killed run leaves
    assert shelf.empty((0, 3), np.int32).shape == (0, 3)
    monkeypatch.setattr(shelves.os, "posix_fallocate", full)
    with pytest.raises(InputError, match="cannot write there: No space left on device"):
        shelf.empty((1000, 300), np.int32)


def in_small_shards(monkeypatch):
    for module in ("seams.all_pairs", "seams.blocks", "seams.rows"):
        monkeypatch.setattr(f"jigsolve.{module}.TILE", 32)
    monkeypatch.setattr("jigsolve.measures.scorer.SEAMS_PER_ROUND", 300)


def check_same(one, other):
    for name, mine in one.prepared.table.arrays._asdict().items():
        np.testing.assert_array_equal(mine, getattr(other.prepared.table.arrays, name), name)
    np.testing.assert_array_equal(one.placement.pieces, other.placement.pieces)
    np.testing.assert_array_equal(one.placement.turns, other.placement.turns)
    assert one.cost == other.cost


def noting(noted):
    """Return a way of spreading that notes how many shards are done by threads."""
    usual = Crew.spread

    def spread(self, task, shards):
        noted.append((task.name, len(shards)))
        return usual(self, task, shards)

    return spread


@pytest.mark.parametrize(
    ("turns", "settings"),
    [
        ("none", {}),
        ("quarter", {}),
        ("none", {"damage": "jpeg"}),
        ("half", {"measure": "mgc"}),
    ],
)
def test_solutions_are_those_without_a_shelf(tmp_path, monkeypatch, turns, settings):
    in_small_shards(monkeypatch)
    puzzle = Puzzle.cut(data.chelsea()[:112, :168], 14).shuffle(3, turns=turns)[0]
    settings = Settings.of(**QUICK, **settings)
    expected = solve(puzzle, settings)
    for is_first in (True, False):
        noted = []
        monkeypatch.setattr(Crew, "spread", noting(noted))
        check_same(solve(puzzle, settings, helped=kept_on(tmp_path / "shelf")), expected)
        monkeypatch.undo()
        in_small_shards(monkeypatch)
        assert bool(sum(count for _, count in noted)) == is_first
    kinds = {name for name, _ in noted}
    assert kinds <= {"seams", "network"}


def test_bags_are_those_without_a_shelf(tmp_path):
    pictures = [data.chelsea()[:84, :112], data.coffee()[100:184, 200:312]]
    pieces = np.concatenate([Puzzle.cut(picture, 14).pieces for picture in pictures])
    pieces = pieces[np.random.default_rng(0).permutation(len(pieces))]
    settings = Settings.of(**QUICK)
    expected = solve_bag(Bag(pieces), settings, pictures=2)
    for _ in range(2):
        found = solve_bag(Bag(pieces), settings, pictures=2, helped=kept_on(tmp_path / "shelf"))
        assert [p.placement.pieces.tolist() for p in found.pictures] == [
            p.placement.pieces.tolist() for p in expected.pictures
        ]


def test_a_solve_that_was_killed_does_what_is_missing(tmp_path, monkeypatch):
    in_small_shards(monkeypatch)
    puzzle = Puzzle.cut(data.chelsea()[:112, :168], 14).shuffle(3)[0]
    settings = Settings.of(**QUICK)
    expected = solve(puzzle, settings)
    kept = []
    usual = Shelf.keep

    def keep(self, digest, shard, value):
        usual(self, digest, shard, value)
        kept.append((digest, shard))
        if len(kept) == 17:
            raise KeyboardInterrupt

    monkeypatch.setattr(Shelf, "keep", keep)
    with pytest.raises(KeyboardInterrupt):
        solve(puzzle, settings, helped=kept_on(tmp_path / "shelf"))
    check_same(solve(puzzle, settings, helped=kept_on(tmp_path / "shelf")), expected)
    assert len(kept) == len(set(kept)) > 17 + 8
    assert len([*tmp_path.rglob("0*.npz")]) == len(kept)


def test_a_stop_is_heeded_and_what_is_done_is_kept(tmp_path):
    stop = Stop()
    pieces = random_pieces(np.random.default_rng(0), 60, 14, 14)
    puzzle = Puzzle(pieces, (6, 10))

    def hear(event):
        if getattr(event, "stage", None) == "gradients":
            stop.ask()

    with pytest.raises(InputError, match="found that it was stopped before"):
        solve(
            puzzle, Settings.of(**QUICK), stop=stop, on_event=hear,
            helped=kept_on(tmp_path / "shelf"),
        )  # fmt: skip
    assert len([*tmp_path.rglob("0*.npz")]) == 4


def test_a_shelf_makes_room_for_tables_and_is_foreseen(tmp_path, monkeypatch):
    puzzle = Puzzle(np.broadcast_to(np.zeros((1, 28, 28, 3), np.uint8), (250_000, 28, 28, 3)),
                    (500, 500))  # fmt: skip
    settings = Settings.of(threads=2)
    executor = shelving(tmp_path / "shelf")
    monkeypatch.setattr("jigsolve.solvers.foresight.require_memory", lambda *_: None)
    without = foresee(puzzle, settings)
    assert (without.disk, without.room) == (0, None)
    usage = shelves.shutil.disk_usage(tmp_path)._replace(free=10**11)
    monkeypatch.setattr(shelves.shutil, "disk_usage", lambda place: usage)
    helped = foresee(puzzle, settings, executor)
    assert helped.memory == without.memory - 4 * 250_000 * 4 * 64 * 8
    assert helped.disk > 6 * 250_000 * 4 * 64 * 8
    assert "GB on the shelf" in str(helped)
    small = Puzzle(puzzle.pieces[:10_000], (100, 100))
    longer = foresee(small, settings, executor).seconds - foresee(small, settings).seconds
    assert longer > 1  # tables take twice the products
    kept = tmp_path / "shelf" / "a"
    kept.mkdir()
    with (kept / "0000001.npz").open("wb") as file:
        file.truncate(10**8)  # it has that already
    assert foresee(puzzle, settings, executor).disk == helped.disk - 10**8
    usage = usage._replace(free=10**9)
    with pytest.raises(InputError, match=r"shelf: expected 3\.\d GB of free space, found 731"):
        foresee(puzzle, settings, executor)


def test_tables_lie_on_the_shelf(tmp_path):
    given = []

    class Watched(Shelving):
        def empty(self, shape, dtype):
            given.append(super().empty(shape, dtype))
            return given[-1]

    borders = np.random.default_rng(0).integers(0, 99, (4 * 20, 32)).astype(np.int16)
    table = SeamTable.build(borders, 4, Watched(Alone(), Shelf(tmp_path, "us")))
    assert table.arrays.partners is given[0]
    assert table.arrays.costs is given[1]
    assert Path(tmp_path, shelves.MARK).exists()
