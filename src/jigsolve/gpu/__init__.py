"""Work on a GPU, by way of CuPy, which the extra `gpu` brings; and doing without."""

from jigsolve.gpu.device import Device
from jigsolve.gpu.gpu import SWITCH, Gpu

__all__ = ["SWITCH", "Device", "Gpu"]
