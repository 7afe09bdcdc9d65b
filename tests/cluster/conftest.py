"""One cluster for all tests of a process: workers take seconds to start."""

import pytest


@pytest.fixture(scope="session")
def cluster():
    connection = pytest.importorskip("jigsolve.cluster.connection")
    with connection.connected("local", 2) as opened:
        yield opened
