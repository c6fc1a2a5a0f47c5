"""Text files that people edit: any editor may have written them, and a fault has its line."""

import contextlib
import random

import pytest

from matcha_p2p.edited_text import FaultyLineError, lines_in, text_in, toml_in

MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    "content", [b"a = 1\nb = 2", MARK + b"a = 1\r\nb = 2", b"a = 1\r\nb = 2"]
)
def test_text_of_any_editor_is_the_same(content):
    assert text_in(content) == "a = 1\nb = 2"
    assert [*lines_in(content.splitlines(keepends=True))] == ["a = 1\n", "b = 2"]


def test_mark_inside_a_text_is_a_character():
    assert text_in(b"a" + MARK) == "a\ufeff"


@pytest.mark.parametrize(
    ("content", "line"),
    [(b"\xff", 1), (b"a\n\xe3", 2), (MARK + b"\n\n\xc3\n", 3), ("a\nb".encode("utf-16"), 1)],
)
def test_bytes_that_are_no_text_have_their_line(content, line):
    with pytest.raises(FaultyLineError, match=f"Line {line}: This is no UTF-8 text") as error:
        text_in(content)
    assert error.value.line == line


FAULTS = {
    "no value": "{key} = ",
    "twice": "a = 1",
    "digits": "{key} = " + "9" * 5000,
    "digits in an array": "{key} = [[1], [" + "9" * 5000 + "]]",
    "deep": "{key} = " + "[" * 5000,
    "deep tables": "{key} = " + "{{a=" * 5000,
    "month": "{key} = 2026-13-77",
    "mark": "{key} = '\ufeff",
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("before", [0, 1, 5])
@pytest.mark.parametrize(
    "after", ["", "\n", "\nz = 3", "\n# the end\n\n\n", "\nz = " + "9" * 5000]
)
def test_fault_of_toml_has_its_line(fault, before, after):
    text = "\n".join(["a = 1", *["# more", "z.b = '''", "[[[", "'''", "z.c = [1,"][:before]])
    if before == 5:
        text += "\n 2]"
    line = text.count("\n") + 2
    with pytest.raises(FaultyLineError) as error:
        toml_in(f"{text}\n{FAULTS[fault].format(key='k')}{after}")
    assert error.value.line == line
    assert str(error.value).startswith(f"Line {error.value.line}: ")
    assert "sys." not in str(error.value)


@pytest.mark.parametrize(
    "text", ["a = 1\nb = [1,\n2", "a = 1\nb = [1,\n2\n\n", "a = 1\n\n[b\n\n"]
)
def test_toml_that_ends_early_is_at_fault_at_its_end(text):
    with pytest.raises(FaultyLineError, match="Line 3: This is no TOML"):
        toml_in(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('a = "b\n', r"Illegal character '\n'"),
        (r'a = "\q"', r"Unescaped '\' in a string"),
        ('["ß"]\n["ß"]', r"Cannot declare ('\xdf',) twice"),
    ],
)
def test_fault_of_toml_is_escaped_once(text, fault):
    with pytest.raises(FaultyLineError) as error:
        toml_in(text)
    assert str(error.value).endswith(f"This is no TOML: {fault}.")


def test_any_text_is_toml_or_has_a_faulty_line():
    rng = random.Random(1)
    pieces = [
        "a",
        "=",
        "[",
        "]",
        "{",
        "}",
        ",",
        "\n",
        "'",
        '"',
        '"""',
        "9" * 4500,
        "1",
        "#",
        ".",
    ]
    for _ in range(300):
        text = "".join(rng.choices(pieces, k=rng.randrange(30)))
        with contextlib.suppress(FaultyLineError):
            toml_in(text)
