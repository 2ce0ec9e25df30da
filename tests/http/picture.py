"""Decodes 8-bit PNG pictures (grey to RGBA or with a palette, not interlaced) with zlib and the five filters."""
import itertools
import operator
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
PALETTE = 3
CHANNELS = {0: 1, 2: 3, PALETTE: 1, 4: 2, 6: 4}


def chunks(data):
    """(kind, content) of each chunk; the checksums are held to."""
    assert data.startswith(SIGNATURE), data[:16]
    at = len(SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        content = data[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack_from(">I", data, at + 8 + length)
        assert checksum == zlib.crc32(kind + content), f"checksum of {kind}"
        yield kind, content
        at += 12 + length


def paeth(left, above, corner):
    estimate = left + above - corner
    by_left, by_above, by_corner = (
        abs(estimate - left),
        abs(estimate - above),
        abs(estimate - corner),
    )
    if by_left <= by_above and by_left <= by_corner:
        return left
    return above if by_above <= by_corner else corner


def add_each(row, above, lower=b"\x7f"):
    """The sum of each two little-endian integers, which carries nothing into the next; by default
    bytes. lower: all bits of a few integers but the highest of each, which stand for their widths."""
    lower = int.from_bytes(lower * (len(row) // len(lower)), "little")
    a, b = int.from_bytes(row, "little"), int.from_bytes(above, "little")
    return ((a & lower) + (b & lower) ^ (a ^ b) & ~lower).to_bytes(len(row), "little")


def add_left(row, step):
    """The sum of each byte and those of all pixels before."""
    out = bytearray(row)
    for channel in range(step):
        out[channel::step] = bytes(
            itertools.accumulate(row[channel::step], lambda sum, x: sum + x & 255))
    return bytes(out)


def unfilter(kind, row, above, step):
    """One row's bytes as they were before filter `kind`; `step` is the bytes of a pixel."""
    if kind == 0:
        return row
    if kind == 1:
        return add_left(row, step)
    if kind == 2:
        return add_each(row, above)
    out = bytearray(row)
    for i, x in enumerate(row):
        left = out[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 3:
            out[i] = x + (left + above[i] >> 1) & 255
        elif kind == 4:
            out[i] = x + paeth(left, above[i], corner) & 255
        else:
            raise AssertionError(f"filter {kind}")
    return bytes(out)


class Picture:
    """Rows of RGBA tuples, the top row first."""

    def __init__(self, data, rows=None):
        """rows: how many to decode of a large picture; all of them unless given"""
        parts = list(chunks(data))
        assert parts[0][0] == b"IHDR" and parts[-1][0] == b"IEND", [kind for kind, _ in parts]
        header = struct.unpack(">IIBBBBB", parts[0][1])
        self.width, self.height, depth, colour, _, _, interlace = header
        assert depth == 8 and interlace == 0 and colour in CHANNELS, header
        channels = CHANNELS[colour]
        raw = zlib.decompress(b"".join(content for kind, content in parts if kind == b"IDAT"))
        stride = self.width * channels
        assert (
            len(raw) == (stride + 1) * self.height
        ), "the pixels are not as many as the header says"
        self.rows = []
        above = bytes(stride)
        for y in range(self.height if rows is None else rows):
            start = y * (stride + 1)
            above = unfilter(raw[start], raw[start + 1 : start + 1 + stride], above, channels)
            planes = [above[i::channels] for i in range(channels)]
            self.rows.append(rgba(colors(parts, planes[0]) if colour == PALETTE else planes))

    def __getitem__(self, place):
        x, y = place
        return self.rows[y][x]

    def pixels(self):
        return [pixel for row in self.rows for pixel in row]

    def covered(self, background=None):
        """The pixels of the figure: alpha above 0, or any difference from an opaque background."""
        if background is None:
            return {
                (x, y) for y, row in enumerate(self.rows) for x, p in enumerate(row) if p[3] > 0
            }
        return {
            (x, y) for y, row in enumerate(self.rows) for x, p in enumerate(row) if p != background
        }

    def differing(self, other, most):
        """The number of pixels that have a channel more than that from the other picture's."""
        return sum(a != b and max(map(abs, map(operator.sub, a, b))) > most
                   for a, b in zip(self.pixels(), other.pixels(), strict=True))

    def box(self, background=None):
        """The first and last column and row of the figure: (left, top, right, bottom)."""
        places = self.covered(background)
        assert places, "nothing is drawn"
        xs, ys = [x for x, _ in places], [y for _, y in places]
        return min(xs), min(ys), max(xs), max(ys)


def colors(parts, indices):
    """The channels of a row of a palette's colours."""
    palette = next(content for kind, content in parts if kind == b"PLTE").ljust(3 * 256)
    return [indices.translate(palette[channel::3]) for channel in range(3)]


def rgba(channels):
    """A row of RGBA tuples of the bytes of each channel."""
    opaque = b"\xff" * len(channels[0])
    if len(channels) < 3:
        grey, alpha = channels if len(channels) == 2 else (channels[0], opaque)
        return list(zip(grey, grey, grey, alpha))
    return list(zip(*channels)) if len(channels) == 4 else list(zip(*channels, opaque))
