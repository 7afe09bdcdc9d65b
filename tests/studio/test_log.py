"""The log loses at most the entry under way, wherever it is cut."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsolve.studio.log import Log

ENTRIES = st.lists(
    st.dictionaries(
        st.text(max_size=5), st.one_of(st.integers(), st.text(max_size=20), st.none()), max_size=3
    ),
    min_size=1,
    max_size=8,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("logs")


def written(path, entries):
    path.unlink(missing_ok=True)
    log = Log(path)
    ends = [0]
    for number, entry in enumerate(entries, 1):
        assert log.append(entry) == number
        ends.append(path.stat().st_size)
    return ends


@given(entries=ENTRIES, data=st.data())
def test_cut_at_any_byte_it_has_all_whole_entries_and_goes_on(folder, entries, data):
    path = folder / "log"
    ends = written(path, entries)
    cut = data.draw(st.integers(0, ends[-1]))
    path.write_bytes(path.read_bytes()[:cut])
    log = Log(path)
    whole = sum(end <= cut for end in ends) - 1
    assert [*log.after(0)] == entries[:whole]
    assert path.stat().st_size == ends[whole]
    log.append({"after": "the cut"})
    again = Log(path)
    assert [*again.after(0)] == [*entries[:whole], {"after": "the cut"}]


@given(entries=ENTRIES, data=st.data())
def test_a_line_with_a_wrong_byte_ends_the_log(folder, entries, data):
    path = folder / "log"
    ends = written(path, entries)
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(bytes(content))
    log = Log(path)
    found = [*log.after(0)]
    before = sum(end <= place for end in ends) - 1
    assert found[:before] == entries[:before]
    # A bit of a digit may be one of its case, which says the same.
    assert found in (entries[:before], entries)


def test_entries_are_read_by_their_numbers(tmp_path):
    log = Log(tmp_path / "log")
    for number in range(1, 20):
        log.append({"number": number})
    assert log.entry(7) == {"number": 7}
    assert [each["number"] for each in log.after(15)] == [16, 17, 18, 19]
    log.append({"number": 20})  # after reading somewhere else
    assert json.loads((tmp_path / "log").read_bytes().splitlines()[-1][9:]) == {"number": 20}
