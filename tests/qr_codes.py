"""QR codes as others make them."""

import numpy as np
import segno


def code_modules(text, version, level, **options):
    """Make a code; return its modules, 1 where dark, and its mask."""
    code = segno.make(text, version=version, error=level, boost_error=False, micro=False, **options)
    return np.array([list(row) for row in code.matrix], np.int8), code.mask


def code_picture(text, version, level, *, module=4, margin=4, **options):
    """Draw a code, light 255 and dark 0."""
    modules, _ = code_modules(text, version, level, **options)
    light = np.pad(1 - modules, margin, constant_values=1)
    return np.kron(light, np.ones((module, module), int)).astype(np.uint8) * 255


def random_text(rng, length):
    """Return a flag of letters that nobody could guess."""
    letters = rng.choice(list("abcdefghijklmnopqrstuvwxyz0123456789_"), length - 6)
    return f"flag{{{''.join(letters)}}}"
