import pytest

from jigsolve import InputError
from jigsolve.io.files import check_writable, write_text


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_what_is_replaced_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "kept.txt"
    path.write_text("before")
    path.chmod(mode)
    write_text(path, "after")
    assert path.read_text() == "after"
    assert path.stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555])
def test_what_is_read_only_is_not_replaced(tmp_path, mode):
    path = tmp_path / "precious.txt"
    path.write_text("before")
    path.chmod(mode)
    for attempt in (check_writable, lambda path: write_text(path, "after")):
        with pytest.raises(
            InputError, match=r"precious\.txt: expected a file that may be replaced"
        ):
            attempt(path)
    assert path.read_text() == "before"
    assert path.stat().st_mode & 0o777 == mode
    assert [entry.name for entry in tmp_path.iterdir()] == ["precious.txt"]
