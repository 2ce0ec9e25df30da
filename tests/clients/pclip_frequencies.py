#!/usr/bin/env python3
"""Writes the frequencies of .pclip's model as the clients in JavaScript and Python have them: one string each.

Run it after every change of clients/c/pclip_frequencies.inc; test_pclip.py holds both against that file."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "clients" / "c" / "pclip_frequencies.inc"
LINE = 100
LIKE_LAST = 90  # the digit after which all further numbers are as the last one
ZEROS = 91  # the digit after which a table has no other numbers; the next one is the same for ones

SCRIPT = """// How often each symbol of .pclip's model comes in 4096: 15 numbers for each of 111 tables, the sixteenth is what is
// left. Digits of base 93 are the printable characters but ' and \\\\: one below 46 is a number by itself, another one
// d makes (d - 46) * 93 + the next; 90: all further ones are as the last; 91 and 92: they are 0 and 1.
// Written by tests/clients/pclip_frequencies.py from clients/c/pclip_frequencies.inc.
export const FREQUENCIES =
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


def encoded():
    text = ""
    for row in rows():
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


def quoted(between, repeated):
    """The text in lines, but for a long piece that comes several times in a row: repeated(piece, how often)."""
    text = encoded()
    twice = re.search(r"(.{20,}?)\1{2,}", text)
    parts = [text[:twice.start()], text[twice.end():]]
    lines = [[f"'{part[i:i + LINE]}'" for i in range(0, len(part), LINE)] for part in parts]
    piece = repeated(f"'{twice[1]}'", len(twice[0]) // len(twice[1]))
    return between.join([*lines[0], piece, *lines[1]])


def files():
    """Paths and what is to be in them."""
    return {ROOT / "clients" / "js" / "client" / "pclip_frequencies.js": SCRIPT % quoted(" +\n\t", "{}.repeat({})".format),
            ROOT / "clients" / "python" / "posed" / "pclip_frequencies.py": MODULE % quoted(" +\n    ", "{} * {}".format)}


if __name__ == "__main__":
    for path, content in files().items():
        path.write_text(content, encoding="ascii")
