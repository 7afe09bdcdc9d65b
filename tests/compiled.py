"""Compile the kernels of all solvers: processes of tests would each begin with that."""

from jigsolve.execution.clock import Clock
from jigsolve.solvers.kernels import prepare_kernels
from jigsolve.solvers.registry import SOLVERS

for solver in SOLVERS.values():
    prepare_kernels(Clock(), solver.name, solver.measure)
