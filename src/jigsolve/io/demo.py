"""The photograph that ships with the package."""

from importlib.resources import as_file, files

import numpy as np

from jigsolve.io.pictures import read_picture


def demo_photo() -> np.ndarray:
    """Return the demo's photograph, (height, width, 3), uint8.

    A cup of coffee by Rachel Michetti, in the public domain (CC0).
    """
    with as_file(files("jigsolve") / "data" / "coffee.jpg") as path:
        return read_picture(path)
