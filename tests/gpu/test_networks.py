"""The network on a GPU: the same scores, in batches that fit, and threads where it fails.

NumPy stands in for CuPy; where there is a GPU, it is tried as well.
"""

import dataclasses
import importlib.machinery
import os
import subprocess
import sys
import types
import warnings

import numpy as np
import pytest
from helpers import seam_table
from numpy_as_cupy import NumpyAsCupy
from PIL import Image
from skimage import data

from jigsolve import InputError, Puzzle
from jigsolve.damage.words import resolved
from jigsolve.execution.crew import crew
from jigsolve.execution.stop import Stopped
from jigsolve.gpu import SWITCH, Gpu
from jigsolve.gpu.device import open_device
from jigsolve.measures import LEARNED
from jigsolve.measures.gpu import FLOATS_PER_ROW, GpuNetwork
from jigsolve.measures.network import DEPTH, SeamNetwork, Seams, Sides
from jigsolve.measures.scorer import Scorer
from jigsolve.pricing import pricing
from jigsolve.pricing.settings import Pricing


@pytest.fixture(autouse=True)
def _no_switch(monkeypatch):
    monkeypatch.delenv(SWITCH, raising=False)


@pytest.fixture
def stand_in(monkeypatch):
    def put(**how):
        monkeypatch.setitem(sys.modules, "cupy", cupy := NumpyAsCupy(**how))
        monkeypatch.setattr(pricing, "WORTH_A_GPU", 1)
        return cupy

    return put


def puzzle_of_sides(length, seams=300):
    rng = np.random.default_rng(length)
    noise = rng.integers(0, 256, (2, 40, length, DEPTH, 3)).astype(np.uint8)
    noise[:, :10] //= 64  # faint
    noise[:, 10] = 255
    cheap = rng.random((2, seams)).astype(np.float32)
    return *(Sides.of(lines) for lines in noise), Seams(*rng.integers(0, 40, (2, seams)), *cheap)


@pytest.mark.parametrize("length", [1, 2, 3, 7, 28, 45])
def test_whole_arrays_do_what_kernels_do(length):
    near, far, seams = puzzle_of_sides(length)
    network = SeamNetwork.load()
    expected = network.scores(near, far, seams)
    found = network.scores_of_arrays(near, far, seams, 100 * length)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=3e-5)


@pytest.mark.parametrize(("free", "at_once"), [(10**9, 300), (2 * 4 * FLOATS_PER_ROW * 28 * 7, 7)])
def test_batches_fit_half_of_the_free_memory(stand_in, free, at_once):
    cupy = stand_in(free=free)
    near, far, seams = puzzle_of_sides(28)
    network = SeamNetwork.load()
    found = GpuNetwork(network, open_device()).scores(near, far, seams)
    np.testing.assert_allclose(found, network.scores(near, far, seams), rtol=1e-5, atol=3e-5)
    batches = [len(given[-1]) for name, given in cupy.ran if name == "pool"]
    assert max(batches) == at_once
    assert sum(batches) == 300


def table_of_a_photo():
    puzzle, _ = Puzzle.cut(data.chelsea()[:140, :168], 28).shuffle(1)
    with crew(1) as hands:
        return seam_table(puzzle, np.arange(len(puzzle)), LEARNED, 8, hands).arrays


def test_a_table_made_with_a_gpu_is_that_of_threads(stand_in, monkeypatch):
    by_threads = table_of_a_photo()
    cupy = stand_in()
    by_gpu = table_of_a_photo()
    assert {name for name, _ in cupy.ran} >= {"select_single", "select_double", "enter_seams"}
    assert cupy.freed == 1
    np.testing.assert_array_equal(by_gpu.partners[:, 0], by_threads.partners[:, 0])
    np.testing.assert_allclose(by_gpu.costs, by_threads.costs, atol=2 / 1024)
    monkeypatch.setenv(SWITCH, "0")
    cupy.ran.clear()
    np.testing.assert_array_equal(table_of_a_photo().costs, by_threads.costs)
    assert not cupy.ran


@pytest.mark.parametrize("turns", ["none", "half"])
def test_so_is_one_of_damaged_pieces(stand_in, turns):
    puzzle, _ = Puzzle.cut(data.chelsea()[:140, :168], 28).shuffle(1, turns=turns)
    settings = Pricing(damage="jpeg", candidates=8)
    work = (
        dataclasses.replace(puzzle, damage=resolved("jpeg", puzzle.damage)),
        np.arange(30),
        settings,
    )

    def table():
        with crew(1) as hands:
            return pricing.priced(*work, hands).table.arrays

    by_threads = table()
    cupy = stand_in()
    by_gpu = table()
    assert {name for name, _ in cupy.ran} >= {"select_single", "magnitudes", "add_sides"}
    np.testing.assert_array_equal(by_gpu.partners[:, 0], by_threads.partners[:, 0])
    np.testing.assert_allclose(by_gpu.costs, by_threads.costs, atol=2 / 1024)


@pytest.mark.parametrize("kernel", ["select_single", "gradients", "pool"])
def test_a_gpu_that_fails_on_the_way_is_replaced_by_threads_with_one_warning(stand_in, kernel):
    by_threads = table_of_a_photo()
    cupy = stand_in(fails_at=kernel)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = table_of_a_photo()
    (warning,) = said
    assert str(warning.message) == (
        "the GPU cannot be used, going on without it (RuntimeError: out of order); "
        "JIGSOLVE_GPU=0 leaves it alone"
    )
    assert cupy.freed == 1
    assert [name for name, _ in cupy.ran].count(kernel) == 1
    for one, other in zip(found, by_threads, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("how", [{"free": 1000}, {"free": "broken"}])
def test_memory_that_does_not_do_is_said_once(stand_in, how):
    cupy = stand_in(**how)
    near, far, seams = puzzle_of_sides(9)
    gpu = Gpu(is_worth_it=True)
    with crew(1) as hands, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        expected = SeamNetwork.load().scores(near, far, seams)
        scoring = Scorer(SeamNetwork.load(), hands, gpu)
        for _ in range(2):
            np.testing.assert_array_equal(scoring.scores(near, far, seams), expected)
        scoring.close()
    (warning,) = said
    assert "\n" not in str(warning.message)
    assert cupy.freed == 1
    gpu.close()
    assert cupy.freed == 1


def test_a_stop_is_no_failure(stand_in):
    stand_in()
    gpu = Gpu(is_worth_it=True)

    def stopped(device):
        raise Stopped("asked to")

    with pytest.raises(Stopped):
        gpu.attempt(stopped)
    assert gpu.attempt(lambda device: "still there") == "still there"
    gpu.close()
    assert gpu.attempt(lambda device: "gone") is None


def test_a_broken_cupy_is_said_and_none_at_all_is_not(monkeypatch):
    broken = types.ModuleType("cupy")
    broken.__spec__ = importlib.machinery.ModuleSpec("cupy", None)
    monkeypatch.setitem(sys.modules, "cupy", broken)
    with pytest.warns(RuntimeWarning, match=r"AttributeError: .*; JIGSOLVE_GPU=0"):
        assert Gpu(is_worth_it=True).attempt(len) is None
    monkeypatch.setitem(sys.modules, "cupy", NumpyAsCupy(devices=0))
    assert Gpu(is_worth_it=True).attempt(len) is None  # pytest makes errors of warnings
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert Gpu(is_worth_it=True).attempt(len) is None


def test_the_command_warns_in_one_line_and_goes_on(tmp_path):
    (tmp_path / "cupy.py").write_text('raise ImportError("libcuda.so:\\nnot found")')
    Image.fromarray(data.chelsea()[:84, :84]).save(tmp_path / "puzzle.png")
    program = (
        "import sys; from jigsolve.cli import main; from jigsolve.pricing import pricing; "
        "pricing.WORTH_A_GPU = 10; sys.exit(main())"
    )
    command = ["solve", "puzzle.png", "-o", "solved.png", "--piece", "28", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", program, *command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == (
        "jigsolve: warning: the GPU cannot be used, going on without it (ImportError: libcuda.so: "
        "not found); JIGSOLVE_GPU=0 leaves it alone\n"
    )
    assert (tmp_path / "solved.png").exists()


def test_few_seams_do_not_even_look_for_cupy(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: pytest.fail("looked for CuPy"))
    table_of_a_photo()


def test_the_switch_is_0_or_1(monkeypatch):
    monkeypatch.setenv(SWITCH, "no")
    with pytest.raises(InputError, match="JIGSOLVE_GPU: expected 0 or 1, found"):
        Gpu(is_worth_it=True)


def test_a_real_gpu_scores_alike():
    pytest.importorskip("cupy")
    device = open_device()
    if device is None:
        pytest.skip("no GPU")
    network = SeamNetwork.load()
    near, far, seams = puzzle_of_sides(28)
    with device.in_use():
        found = GpuNetwork(network, device).scores(near, far, seams)
    np.testing.assert_allclose(found, network.scores(near, far, seams), rtol=1e-4, atol=1e-4)
