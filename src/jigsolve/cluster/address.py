"""Where a cluster is: the address of its scheduler, or workers on this machine."""

from __future__ import annotations

import re

from jigsolve.errors import InputError

LOCAL = "local"


def check_address(address: str) -> None:
    """Raise unless it is the address of a scheduler, or `local`.

    Examples
    --------
    >>> check_address("tls://node-7:8786")
    >>> check_address("node-7")
    Traceback (most recent call last):
    ...
    jigsolve.errors.InputError: cluster: expected local, HOST:PORT, tcp://HOST:PORT or \
tls://HOST:PORT, found 'node-7'
    """
    match = re.fullmatch(r"(?:(?:tcp|tls)://)?(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})", address)
    if address != LOCAL and not (match and 0 < int(match[1]) < 65536):
        raise InputError(
            f"cluster: expected {LOCAL}, HOST:PORT, tcp://HOST:PORT or tls://HOST:PORT, found "
            f"{address!r}"
        )
