"""From sRGB to CIE L*a*b*."""

import numpy as np

_LEVELS = np.arange(256) / 255.0
_LINEAR = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4)
_WHITE = np.array([0.95047, 1.0, 1.08883])  # D65, two degree observer
_RGB_TO_XYZ = np.array(
    [
        [0.412453, 0.357580, 0.180423],
        [0.212671, 0.715160, 0.072169],
        [0.019334, 0.119193, 0.950227],
    ]
)
_FROM_LINEAR = (_RGB_TO_XYZ / _WHITE[:, None]).T


def lab_from_rgb(pixels: np.ndarray) -> np.ndarray:
    """Return L*a*b* (L from 0 to 100) of 8-bit sRGB pixels, in an array of the same shape."""
    # One product, not one for each line of pixels: BLAS lets one thread in at a time.
    xyz = (_LINEAR[pixels.reshape(-1, 3)] @ _FROM_LINEAR).reshape(pixels.shape)
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16.0 / 116.0)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)], axis=-1)


UNITS = 32
"""L*a*b* is kept in fixed point, 32 units to 1; one step of 8-bit grey is worth 9 to 31 units.
Costs are in these units."""


def in_units(colours: np.ndarray) -> np.ndarray:
    """Return colours in fixed point, one row of numbers for each line of pixels."""
    return np.asarray(np.rint(colours * UNITS).reshape(len(colours), -1))
