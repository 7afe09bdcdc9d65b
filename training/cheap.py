"""The cheap measures for all pairs of sides at once: what proposes candidates.

They follow `jigsolve.measures`; a side is (length, lines, 3), its outermost line first.
"""

from __future__ import annotations

from functools import lru_cache

import torch

Nested = tuple[float, ...] | tuple[tuple[float, ...], ...]

_RGB_TO_XYZ = (
    (0.412453, 0.357580, 0.180423),
    (0.212671, 0.715160, 0.072169),
    (0.019334, 0.119193, 0.950227),
)
_WHITE = (0.95047, 1.0, 1.08883)
_STEPS = 0.35
_UNITS = 32
_DUMMIES = (
    (0, 0, 0), (1, 1, 1), (-1, -1, -1),
    (0, 0, 1), (0, 1, 0), (1, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 0, -1),
)  # fmt: skip


@lru_cache
def constant(values: Nested, kind: torch.dtype, device: torch.device) -> torch.Tensor:
    """Return numbers on a device, copied there once: each copy would wait for the device."""
    return torch.tensor(values, dtype=kind, device=device)


def lab_from_rgb(pixels: torch.Tensor) -> torch.Tensor:
    """Return L*a*b* of 8-bit sRGB pixels."""
    levels = pixels.double() / 255.0
    linear = torch.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
    to_xyz = constant(_RGB_TO_XYZ, torch.float64, pixels.device)
    white = constant(_WHITE, torch.float64, pixels.device)
    xyz = linear @ (to_xyz / white[:, None]).T
    root = torch.where(xyz > 0.008856, xyz.clamp(min=1e-9) ** (1 / 3), 7.787 * xyz + 16 / 116)
    x, y, z = root.unbind(-1)
    return torch.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def extrapolation_costs(near: torch.Tensor, far: torch.Tensor) -> torch.Tensor:
    """Return the extrapolation cost of every pair, (n, m), as a mean over pixels and channels.

    The solver's cost is this times 32 (its fixed point) times three times the length.
    """

    def carried_on(lines: torch.Tensor) -> torch.Tensor:
        outer, inner = lab_from_rgb(lines[:, :, 0]), lab_from_rgb(lines[:, :, 1])
        units = torch.round(_UNITS * (outer + _STEPS * (outer - inner)))
        return units.flatten(1).float()

    width = 3 * near.shape[1]
    return torch.cdist(carried_on(near), carried_on(far), p=1.0) / (_UNITS * width)


def mgc_costs(near: torch.Tensor, far: torch.Tensor) -> torch.Tensor:
    """Return the MGC of every pair, (n, m), as a mean over pixels and channels.

    The solver's cost is this times three times the length.
    """
    costs = _foretold_costs(near, far) + _foretold_costs(far, near).T
    return (costs.clamp(min=0.0) / (3 * near.shape[1])).float()


def _foretold_costs(sides: torch.Tensor, partners: torch.Tensor) -> torch.Tensor:
    # The quadratic form is expanded into a matrix product; doubles, because it cancels.
    centre = 127.5
    outer, inner = sides[:, :, 0].double() - centre, sides[:, :, 1].double() - centre
    beyond = partners[:, :, 0].double() - centre
    steps = outer - inner
    foretold = outer + steps.mean(1, keepdim=True)
    dummies = constant(_DUMMIES, torch.float64, sides.device)
    samples = torch.cat([steps, dummies.expand(len(sides), -1, -1)], 1)
    samples = samples - samples.mean(1, keepdim=True)
    covariance = samples.transpose(1, 2) @ samples / (samples.shape[1] - 1)
    inverse = torch.linalg.inv_ex(covariance).inverse
    weighted = foretold @ inverse
    own = (weighted * foretold).sum((1, 2))
    squares = beyond.transpose(1, 2) @ beyond
    return (
        inverse.flatten(1) @ squares.flatten(1).T
        - 2.0 * weighted.flatten(1) @ beyond.flatten(1).T
        + own[:, None]
    )
