import pytest
from clients import serving


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Run a studio as long as the tests do; each makes projects of its own."""
    with serving(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture
def client(server):
    return server.client()


@pytest.fixture(scope="session")
def solved(server):
    """Return the id of the example, solved once: tests that change it say so by undoing."""
    client = server.client()
    project = client.post("/api/projects", {"example": True})["id"]
    client.post(f"/api/projects/{project}/solve")
    client.wait_for(project, "solved")
    return project
