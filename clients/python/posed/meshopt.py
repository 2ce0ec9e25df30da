"""meshoptimizer's vertex codec, version 0, as glTF's EXT_meshopt_compression describes it (mode
ATTRIBUTES): for each byte of a vertex its differences from the vertex before, in groups of sixteen that
take no, two, four or eight bits each. Needs numpy."""
from __future__ import annotations

import numpy

from .values import Array

HEADER = 0xA0
GROUP = 16
MOST_BLOCK_BYTES = 8192
MOST_BLOCK_VERTICES = 256
LEAST_TAIL_BYTES = 32


class Source:
    """A reader of bytes."""

    def __init__(self, data: bytes | bytearray | memoryview) -> None:
        self.bytes = numpy.frombuffer(data, "u1")
        self.at = 1  # after the header

    def take(self, count: int) -> Array:
        part = self.bytes[self.at:self.at + count]
        self.at += count
        if len(part) < count:
            raise ValueError("the vertices end too early")
        return part


def read_short(source: Source, bits: int) -> Array:
    """Sixteen codes of two or four bits; the greatest stands for a whole byte that follows them."""
    packed = source.take(GROUP * bits // 8)
    most = (1 << bits) - 1
    shifts = numpy.arange(8 - bits, -1, -bits, "u1")
    codes = ((packed[:, None] >> shifts) & most).ravel()
    wide = codes == most
    codes[wide] = source.take(int(wide.sum()))
    return codes


def read_group(source: Source, mode: int) -> Array:
    if mode == 0:
        return numpy.zeros(GROUP, "u1")
    return source.take(GROUP) if mode == 3 else read_short(source, 2 if mode == 1 else 4)


def read_plane(source: Source, count: int) -> Array:
    """The differences of one byte of each of `count` vertices."""
    groups = -(-count // GROUP)
    modes = source.take(-(-groups // 4))
    codes = numpy.concatenate([
        read_group(source, int(modes[group // 4]) >> (group % 4 * 2) & 3) for group in range(groups)
    ])[:count]
    return numpy.where(codes & 1, ~(codes >> 1), codes >> 1)


def decode_vertices(data: bytes | bytearray | memoryview, count: int, stride: int) -> Array:
    """[count][stride] bytes."""
    tail = max(stride, LEAST_TAIL_BYTES)
    if len(data) < 1 + tail or data[0] != HEADER:
        raise ValueError("no vertices that are known")
    source = Source(data)
    out = numpy.empty((count, stride), "u1")
    block = min(MOST_BLOCK_BYTES // stride // GROUP * GROUP, MOST_BLOCK_VERTICES)
    before = source.bytes[len(data) - stride:]  # the first vertex is stored at the end
    for start in range(0, count, block):
        part = out[start:start + block]
        for k in range(stride):
            part[:, k] = before[k] + numpy.cumsum(read_plane(source, len(part)), dtype="u1")
        before = part[-1]
    if source.at + tail != len(data):
        raise ValueError("the vertices do not end where they should")
    return out
