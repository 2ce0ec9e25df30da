#!/usr/bin/env python3
"""Writes the frequencies of .pclip's model as the clients in JavaScript and Python have them: one string each,
in JavaScript without the tables of splines, which are another: programs need not load them.

Run it after every change of clients/c/pclip_frequencies.inc; test_pclip.py holds both against that file."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "clients" / "c" / "pclip_frequencies.inc"
LINE = 100
LIKE_LAST = 90  # the digit after which all further numbers are as the last one
SPLINES = 105  # the first table of splines, the last group
ZEROS = 91  # the digit after which a table has no other numbers; the next one is the same for ones

SCRIPT = """// How often each symbol of .pclip's model comes in 4096: 15 numbers for each table, the sixteenth is what is
// left. Digits of base 93 are the printable characters but ' and \\\\: one below 46 is a number by itself, another one
// d makes (d - 46) * 93 + the next; 90: all further ones are as the last; 91 and 92: they are 0 and 1.
// Written by tests/clients/pclip_frequencies.py from clients/c/pclip_frequencies.inc.
export const FREQUENCIES =
\t%s;

// The last of them, those of splines.
export const SPLINE_FREQUENCIES =
\t%s;
"""
MODULE = '''"""How often each symbol of .pclip's model comes in 4096: 15 numbers for each of 111 tables, the sixteenth is
what is left. Digits of base 93 are the printable characters but ' and \\\\: one below 46 is a number by itself,
another one d makes (d - 46) * 93 + the next; 90: all further ones are as the last; 91 and 92: they are 0 and 1.
Written by tests/clients/pclip_frequencies.py from clients/c."""

FREQUENCIES = (
    %s
)
'''


def rows():
    return [[int(number) for number in re.findall(r"\d+", line)]
            for line in re.findall(r"\{(.*?)\}", SOURCE.read_text(encoding="ascii"))]


def digit(value):
    code = value + 32
    code += code >= ord("'")
    return chr(code + (code >= ord("\\")))


def encoded(tables):
    text = ""
    for row in tables:
        numbers = row[:15]
        last = min(numbers[-1], 2)
        while last < 2 and numbers and numbers[-1] == last:
            numbers.pop()
        alike = len(numbers)
        while last > 1 and alike > 1 and numbers[alike - 2] == numbers[-1]:
            alike -= 1
        for n in numbers[:alike]:
            text += digit(n) if n < 46 else digit(46 + n // 93) + digit(n % 93)
        text += digit(ZEROS + last) if last < 2 else digit(LIKE_LAST) if alike < 15 else ""
    return text


def lines_of(text):
    return [f"'{text[i:i + LINE]}'" for i in range(0, len(text), LINE)]


def quoted(tables, between, repeated):
    """The text in lines, but for a long piece that comes several times in a row: repeated(piece, how often)."""
    text = encoded(tables)
    twice = re.search(r"(.{20,}?)\1{2,}", text)
    if not twice:
        return between.join(lines_of(text))
    parts = [text[:twice.start()], text[twice.end():]]
    lines = [lines_of(part) for part in parts]
    piece = repeated(f"'{twice[1]}'", len(twice[0]) // len(twice[1]))
    return between.join([*lines[0], piece, *lines[1]])


def files():
    """Paths and what is to be in them."""
    tables = rows()
    script = [quoted(part, " +\n\t", "{}.repeat({})".format) for part in (tables[:SPLINES], tables[SPLINES:])]
    return {ROOT / "clients" / "js" / "client" / "pclip_frequencies.js": SCRIPT % tuple(script),
            ROOT / "clients" / "python" / "posed" / "pclip_frequencies.py": MODULE % quoted(tables, " +\n    ", "{} * {}".format)}


if __name__ == "__main__":
    for path, content in files().items():
        path.write_text(content, encoding="ascii")
