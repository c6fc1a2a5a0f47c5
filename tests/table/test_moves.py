"""The form of a move in which the number of integers varies."""

import pytest

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.table.moves import MoveForms, Number, Numbers, check_move

FORMS: MoveForms = {"go": (Number(0, 3), Numbers(2, Number(5, 9)))}


@pytest.mark.parametrize("numbers", [(), (5,), (9, 5)])
def test_numbers_of_a_move_are_fields_of_its_action(numbers):
    assert check_move(FORMS, ["go", 3, *numbers]) == ("go", 3, *numbers)


@pytest.mark.parametrize(
    "fields",
    [["go"], ["go", 4], ["go", 3, 4], ["go", 3, 10], ["go", 3, 5, 5, 5], ["go", 3, [5]]],
)
def test_other_numbers_are_no_move(fields):
    with pytest.raises(EncodingError) as caught:
        check_move(FORMS, fields)
    assert caught.value.check is Check.ENCODING
