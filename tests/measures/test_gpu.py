"""The network on a GPU: the same scores, in batches that fit, and a CPU where it fails.

Tests need no GPU: NumPy stands in for CuPy. Where there is one, it is tried as well.
"""

import dataclasses
import importlib.machinery
import os
import subprocess
import sys
import types
import warnings
from contextlib import nullcontext

import numpy as np
import pytest
from helpers import seam_table
from PIL import Image
from skimage import data

from jigsolve import InputError, Puzzle
from jigsolve.execution.crew import crew, one_thread_per_product
from jigsolve.measures import LEARNED, scorer, whole_arrays
from jigsolve.measures.gpu import FLOATS_PER_ROW, SWITCH, open_gpu
from jigsolve.measures.network import DEPTH, SeamNetwork, Seams, Sides
from jigsolve.measures.scorer import Scorer


class NumpyAsCupy(types.ModuleType):
    """A CuPy whose device is the CPU and has so many bytes free."""

    def __init__(self, free=10**9, devices=1):
        super().__init__("cupy")
        self.__spec__ = importlib.machinery.ModuleSpec("cupy", None)
        self.batches = []
        self.freed = 0
        self.asnumpy = np.asarray
        self.cuda = types.SimpleNamespace(
            is_available=lambda: devices > 0,
            using_allocator=lambda allocate: nullcontext(),
            Device=lambda: types.SimpleNamespace(mem_info=(free, 10**12)),
            MemoryPool=lambda: types.SimpleNamespace(
                malloc=None, free_bytes=lambda: 0, free_all_blocks=self._count_freed
            ),
        )

    def __getattr__(self, name):
        return getattr(np, name)

    def _count_freed(self):
        self.freed += 1

    def full(self, count, value):
        self.batches.append(count)
        return np.full(count, value)


@pytest.fixture(autouse=True)
def _no_switch(monkeypatch):
    monkeypatch.delenv(SWITCH, raising=False)


@pytest.fixture
def stand_in(monkeypatch):
    def put(**how):
        monkeypatch.setitem(sys.modules, "cupy", cupy := NumpyAsCupy(**how))
        monkeypatch.setattr(scorer, "WORTH_A_GPU", 1)
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
    twin = dataclasses.replace(
        network, trunk=dataclasses.replace(network.trunk, kernels=whole_arrays)
    )
    expected = network.scores(near, far, seams)
    np.testing.assert_allclose(twin.scores(near, far, seams), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("free", "at_once"), [(10**9, 300), (2 * 4 * FLOATS_PER_ROW * 28 * 7, 7)])
def test_batches_fit_half_of_the_free_memory(stand_in, free, at_once):
    cupy = stand_in(free=free)
    near, far, seams = puzzle_of_sides(28)
    network = SeamNetwork.load()
    found = open_gpu(network).scores(near, far, seams)
    np.testing.assert_allclose(found, network.scores(near, far, seams), rtol=1e-5, atol=1e-5)
    assert max(cupy.batches) == at_once
    assert sum(cupy.batches) == 300


def test_a_table_made_with_a_gpu_is_that_of_threads(stand_in, monkeypatch):
    puzzle, _ = Puzzle.cut(data.chelsea()[:140, :168], 28).shuffle(1)

    def table():
        with crew(1) as hands:
            return seam_table(puzzle, np.arange(len(puzzle)), LEARNED, 8, hands).arrays

    by_threads = table()
    cupy = stand_in()
    by_gpu = table()
    assert cupy.batches
    assert cupy.freed == 2  # after the candidates, and after what lies alongside
    np.testing.assert_array_equal(by_gpu.partners[:, 0], by_threads.partners[:, 0])
    np.testing.assert_allclose(by_gpu.costs, by_threads.costs, atol=2 / 1024)
    monkeypatch.setenv(SWITCH, "0")
    cupy.batches.clear()
    np.testing.assert_array_equal(table().costs, by_threads.costs)
    assert not cupy.batches


@pytest.mark.parametrize("how", [{"free": 1000}, {"free": "broken"}])
def test_a_gpu_that_fails_is_replaced_by_threads_with_one_warning(stand_in, how):
    cupy = stand_in(**how)
    near, far, seams = puzzle_of_sides(9)
    with crew(1) as hands, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with one_thread_per_product():  # on several, BLAS may round otherwise
            expected = SeamNetwork.load().scores(near, far, seams)
        scoring = Scorer(SeamNetwork.load(), hands, len(seams))
        for _ in range(2):
            np.testing.assert_array_equal(scoring.scores(near, far, seams), expected)
        scoring.close()
    (warning,) = said
    assert str(warning.message).startswith("the GPU cannot be used, going on without it (")
    assert "\n" not in str(warning.message)
    assert cupy.freed == 1


def test_a_broken_cupy_is_said_and_none_at_all_is_not(monkeypatch):
    monkeypatch.setattr(scorer, "WORTH_A_GPU", 1)
    broken = types.ModuleType("cupy")
    broken.__spec__ = importlib.machinery.ModuleSpec("cupy", None)
    monkeypatch.setitem(sys.modules, "cupy", broken)
    with crew(1) as hands:
        with pytest.warns(RuntimeWarning, match=r"AttributeError: .*; JIGSOLVE_GPU=0"):
            Scorer(SeamNetwork.load(), hands, 1)
        monkeypatch.setitem(sys.modules, "cupy", NumpyAsCupy(devices=0))
        Scorer(SeamNetwork.load(), hands, 1)  # pytest makes errors of warnings
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        Scorer(SeamNetwork.load(), hands, 1)


def test_the_command_warns_in_one_line_and_goes_on(tmp_path):
    (tmp_path / "cupy.py").write_text('raise ImportError("libcuda.so:\\nnot found")')
    Image.fromarray(data.chelsea()[:84, :84]).save(tmp_path / "puzzle.png")
    program = (
        "import sys; from jigsolve.cli import main; from jigsolve.measures import scorer; "
        "scorer.WORTH_A_GPU = 10; sys.exit(main())"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            program,
            "solve",
            "puzzle.png",
            "-o",
            "solved.png",
            "--piece",
            "28",
            "--quiet",
        ],
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


def test_few_seams_do_not_even_import_cupy(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: pytest.fail("looked for CuPy"))
    with crew(1) as hands:
        Scorer(SeamNetwork.load(), hands, scorer.WORTH_A_GPU - 1)


def test_the_switch_is_0_or_1(monkeypatch):
    monkeypatch.setenv(SWITCH, "no")
    with crew(1) as hands, pytest.raises(InputError, match="JIGSOLVE_GPU: expected 0 or 1, found"):
        Scorer(SeamNetwork.load(), hands, 1)


def test_a_real_gpu_scores_alike():
    pytest.importorskip("cupy")
    network = SeamNetwork.load()
    gpu = open_gpu(network)
    if gpu is None:
        pytest.skip("no GPU")
    near, far, seams = puzzle_of_sides(28)
    found = gpu.scores(near, far, seams)
    gpu.close()
    np.testing.assert_allclose(found, network.scores(near, far, seams), rtol=1e-4, atol=1e-4)
