"""Damage as people ask for it and read of it."""

import pytest

from jigsolve import InputError, Settings
from jigsolve.damage import UNDAMAGED, Blocks, Damage
from jigsolve.damage.words import AUTO, as_record, asked_for, described, resolved

FOUND = Damage("jpeg", Blocks((8, 8), (16, 16)), (29.0, 43.0))


def test_auto_is_what_was_found():
    assert resolved(AUTO, FOUND) == FOUND
    assert resolved("none", FOUND) == UNDAMAGED


def test_what_is_asked_for_keeps_what_is_known_of_it():
    assert asked_for("jpeg", FOUND) == FOUND
    assert asked_for("jpeg", UNDAMAGED) == Damage("jpeg")
    assert asked_for("scaled+jpeg", FOUND).soft
    assert asked_for("scaled+jpeg", FOUND).blocks == FOUND.blocks
    assert asked_for("eroded", FOUND) == Damage(eroded=True)
    assert asked_for("eroded:1.5", FOUND) == Damage(eroded=True, lost=1.5)
    assert asked_for("webp", FOUND) == Damage("webp")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fire",
        "eroded:",
        "eroded:0",
        "eroded:17",
        "eroded:-1",
        "jpeg:75",
        "none+jpeg",
        "jpeg+webp",
        "jpeg+jpeg",
        "auto+jpeg",
        3,
    ],
)
def test_nonsense(text):
    with pytest.raises(InputError, match="damage: expected"):
        Settings.of(damage=text)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (UNDAMAGED, "as they were cut"),
        (FOUND, "compressed as JPEG (steps of 29 and 43) after they were shuffled"),
        (Damage("webp", apart=True), "compressed as WebP one by one"),
        (Damage(soft=True), "scaled or blurred after they were shuffled"),
        (Damage(eroded=True, lost=2.0), "with 2 lines of pixels lost at every side"),
        (Damage(eroded=True), "with lines of pixels lost at every side"),
    ],
)
def test_described(damage, words):
    assert described(damage) == words


def test_the_record_has_all_that_was_found():
    assert as_record(FOUND)["steps"] == [29.0, 43.0]
    assert as_record(UNDAMAGED)["codec"] is None
