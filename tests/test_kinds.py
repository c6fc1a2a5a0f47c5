"""Values of the same fields are equal if they are of one kind."""

from typing import NamedTuple

from matcha_p2p.kinds import kind


@kind
class Heard(NamedTuple):
    text: str


@kind
class Taught(NamedTuple):
    text: str


@kind
class Left(NamedTuple):
    pass


def test_values_of_one_kind_are_equal_by_their_fields():
    assert Heard("a") == Heard("a")
    assert not Heard("a") != Heard("a")  # noqa: SIM202 -- both operators are ours
    assert hash(Heard("a")) == hash(Heard("a"))
    assert Heard("a") != Heard("b")


def test_values_of_two_kinds_and_plain_tuples_are_not_equal():
    for other in (Taught("a"), ("a",), "a", None):
        assert Heard("a") != other
        assert other != Heard("a")
        assert not Heard("a") == other  # noqa: SIM201 -- both operators are ours


def test_a_value_without_fields_is_true():
    assert Left()
    assert Left() == Left()
    assert Left() != ()
