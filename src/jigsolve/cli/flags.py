"""What the library calls a parameter, the command line has a flag for."""

from __future__ import annotations

import re

FORMS = {
    "board": "COLSxROWS",
    "border": "N",
    "crop": "",
    "force": "",
    "gap": "N",
    "host": "ADDR",
    "offset": "X,Y",
    "piece": "WxH",
    "port": "N",
    "region": "X,Y,W,H",
}
"""Parameters that messages of the library name, and the form in which their flag takes a value."""


def in_flags(message: str) -> str:
    """Return a message of the library with flags for parameters.

    A parameter stands between backticks; where one is asked for, the form of its value is said.

    Examples
    --------
    >>> in_flags("found none that are clear; give `piece`, or `crop` it")
    'found none that are clear; give --piece WxH, or --crop it'
    """
    names = "|".join(FORMS)
    return re.sub(rf"(\bgive )?`({names})`", _flag, message)


def _flag(match: re.Match[str]) -> str:
    asked, name = match[1] or "", match[2]
    return f"{asked}--{name} {FORMS[name]}".rstrip() if asked else f"--{name}"
