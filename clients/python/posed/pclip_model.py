"""What the symbols of .pclip files mean. Only integers decide what is decoded, so that every decoder gets the
same numbers; docs/clips.md of posed describes this byte by byte."""
from __future__ import annotations

import bisect
import dataclasses
import struct
from typing import Iterator

from .pclip_frequencies import FREQUENCIES

ESCAPE = 15
VALUE_MAX = 1 << 24

# The first tables of each group; those of residuals begin with 0.
FIRST, CLASS, BASE, MOVES, UNIT, STILL, STEP, PREDICTOR, MAGNITUDE = 54, 58, 82, 84, 93, 95, 99, 101, 103
LEVELS = 18

# Quarters of the last three differences that each predictor adds.
QUARTERS = ((0, 0, 0), (4, 0, 0), (8, -4, 0), (2, 0, 0), (6, -2, 0), (10, -8, 2), (5, -1, 0), (3, 0, 0))

REST, STILL_CLASS, MOVING = 0, 1, 2


def check(good: object, why: str = "the file is damaged") -> None:
    if not good:
        raise ValueError(why)


class Reader:
    """Reads bytes from front to back."""

    def __init__(self, data: bytes) -> None:
        self.bytes = data
        self.at = 0

    def take(self, count: int) -> bytes:
        check(count <= len(self.bytes) - self.at)
        self.at += count
        return self.bytes[self.at - count:self.at]

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "little")

    def varint(self) -> int:
        """Seven bits a byte, the lowest first."""
        number = 0
        for shift in range(0, 35, 7):
            byte = self.number(1)
            number |= (byte & 127) << shift
            if byte < 128:
                return number & 0xFFFFFFFF
        raise ValueError("the file is damaged")

    def block(self) -> bytes:
        """Bytes behind their number."""
        return self.take(self.varint())

    def floats(self, count: int) -> tuple[float, ...]:
        return struct.unpack(f"<{count}f", self.take(4 * count))

    def rest(self) -> bytes:
        return self.bytes[self.at:]


def frequencies() -> Iterator[list[int]]:
    """All tables, how often each symbol comes in 4096."""
    codes = (code - 32 - (code > 39) - (code > 92) for code in FREQUENCIES.encode())
    for _ in range(111):
        table: list[int] = []
        while len(table) < 15:
            digit = next(codes)
            if digit > 89:
                table += [table[-1] if digit == 90 else digit - 91] * (15 - len(table))
            else:
                table.append(digit if digit < 46 else (digit - 46) * 93 + next(codes))
        yield [*table, 4096 - sum(table)]


# First numbers of all symbols, and 4096.
STARTS = [[sum(table[:i]) for i in range(17)] for table in frequencies()]


class Coder:
    """Reads symbols: Duda's asymmetric numeral systems, 32 bits of state, 16 bits at a time."""

    def __init__(self, data: bytes) -> None:
        self.reader = Reader(data)
        self.state = self.reader.number(4)
        check(self.state >= 1 << 16)

    def go(self, state: int) -> None:
        self.state = state if state >> 16 else state << 16 | self.reader.number(2)

    def symbol(self, table: int) -> int:
        starts, low = STARTS[table], self.state & 4095
        found = bisect.bisect_right(starts, low) - 1
        self.go((starts[found + 1] - starts[found]) * (self.state >> 12) + low - starts[found])
        return found

    def plain(self, bits: int) -> int:
        """So many bits, at most 16, all numbers equally likely."""
        number = self.state & ((1 << bits) - 1)
        self.go(self.state >> bits)
        return number

    def long(self, bits: int) -> int:
        """A number of so many bits behind a 1; those above the twelfth come first."""
        high = self.plain(bits - 12) << 12 if bits > 12 else 0
        return 1 << bits | high | (self.plain(min(bits, 12)) if bits else 0)

    def size(self, table: int) -> int:
        """A number >= 0."""
        symbol = self.symbol(table)
        length = symbol if symbol < ESCAPE else self.plain(5)
        check(length <= 30)
        return self.long(length - 1) if length else 0

    def signed(self, table: int) -> int:
        size = self.size(table)
        return ~(size >> 1) if size & 1 else size >> 1

    def end(self) -> None:
        check(self.state == 1 << 16 and self.reader.at == len(self.reader.bytes))


@dataclasses.dataclass
class Channel:
    """A number that moves, with its past within a segment."""

    step: int
    predictor: int
    magnitude: int
    value: int = 0
    past: tuple[int, int, int] = (0, 0, 0)  # the last three differences, latest first
    energy: int = 0  # running mean of residuals in 64ths
    sizes: tuple[int, int] = (0, 0)  # of the last two residuals, latest first

    def __post_init__(self) -> None:
        self.unit = 2 ** (self.step / 6 - 32)


@dataclasses.dataclass
class Track:
    """A joint's rotation, translation or scale, or a morph weight (axis 0 alone)."""

    kind: int = REST
    hold: bool = False  # keeps a sample until the next
    base: tuple[int, ...] = (0, 0, 0, 0)  # near which a rotation stays; zeros = at rest
    unit: int = 0  # exponent of still axes
    still: dict[int, int] = dataclasses.field(default_factory=dict)
    moving: dict[int, Channel] = dataclasses.field(default_factory=dict)


def in_units(still: int, shift: int) -> int:
    if shift >= 0:
        return still << shift if shift < 6 else 0
    return (still + (1 << (-shift - 1))) >> -shift if shift > -24 else 0


class Head:
    """Reads the tracks that the head of a clip describes."""

    def __init__(self, coder: Coder, first: list[Track] | None) -> None:
        self.coder = coder
        self.first = first
        self.holds = coder.plain(1)
        self.scales = coder.plain(1)
        self.before = [REST] * 4
        self.units = [-16] * 4
        self.steps = [96] * 4

    def read(self, joint_tracks: int, count: int) -> list[Track]:
        """Three tracks for each joint, then those of weights."""
        return [self.track(i % 3 if i < joint_tracks else 3, self.first[i] if self.first else None)
                for i in range(count)]

    def track(self, kind: int, was: Track | None) -> Track:
        track = Track()
        if kind == 2 and not self.scales:
            return track
        track.kind = self.coder.symbol(CLASS + 3 * kind + (12 + was.kind if was else self.before[kind]))
        check(track.kind <= MOVING)
        self.before[kind] = track.kind
        if track.kind != REST:
            track.hold = bool(self.holds and self.coder.plain(1))
            if kind == 0:
                track.base = self.base(was.base if was else (0, 0, 0, 0))
            self.axes(track, kind, was)
        return track

    def base(self, was: tuple[int, ...]) -> tuple[int, ...]:
        choice = self.coder.symbol(BASE + any(was))
        check(choice == 0 or choice == 2 or (choice == 1 and any(was)))
        base = tuple(self.coder.plain(7) - 32 for _ in range(4)) if choice == 2 else was if choice else (0, 0, 0, 0)
        check(max(base) <= 32)
        return base

    def axes(self, track: Track, kind: int, was: Track | None) -> None:
        moving = []
        for axis in range(3 if kind < 3 else 1):
            moves = int(track.kind == MOVING)
            if moves and kind < 3:
                moves = self.coder.symbol(MOVES + 3 * kind + (1 + (axis in was.moving) if was else 0))
                check(moves < 2)
            moving.append(moves)
        known = was if was and was.kind != REST else None
        if not all(moving):
            track.unit = (known.unit if known else self.units[kind]) + self.coder.signed(UNIT + bool(known))
            check(-100 <= track.unit <= 27)
            self.units[kind] = track.unit
        for axis, moves in enumerate(moving):
            if moves:
                track.moving[axis] = self.channel(kind, known.moving.get(axis) if known else None)
            else:
                track.still[axis] = self.still(track, kind, axis, known)

    def still(self, track: Track, kind: int, axis: int, known: Track | None) -> int:
        if known and axis in known.still:
            still = in_units(known.still[axis], known.unit - track.unit) + self.coder.signed(STILL + 3)
        else:
            still = self.coder.signed(STILL + min(kind, 2))
        check(abs(still) <= VALUE_MAX)
        return still

    def channel(self, kind: int, was: Channel | None) -> Channel:
        coder, known, again = self.coder, was or Channel(self.steps[kind], 0, 0), was is not None
        step = known.step + coder.signed(STEP + again)
        check(0 <= step <= 255)
        self.steps[kind] = step
        predictor = coder.symbol(PREDICTOR + again) + known.predictor & 7
        return Channel(step, predictor, coder.symbol(MAGNITUDE + again) + known.magnitude & 15)


def read_residual(coder: Coder, context: int, expected: int) -> int:
    length = expected.bit_length()
    half = expected >> (length - 2) & 1 if length > 1 else 0
    below = max(length - 8, 0)
    size = coder.symbol(context * LEVELS + (2 * min(length - 1, 8) + half if length else 0))
    if size == ESCAPE:
        bits = coder.plain(5)
        check(3 <= bits <= 26)
        size = coder.long(bits - 1) - 4 + ESCAPE
    if not below:
        return -size if size and coder.plain(1) else size
    low = coder.plain(below + 1)
    size = size << below | low >> 1
    check(size <= 4 * VALUE_MAX)
    return ~size if low & 1 else size


class SampleReader:
    """Reads one sample's numbers, joint by joint."""

    def __init__(self, coder: Coder, position: int) -> None:
        self.coder = coder
        self.position = position  # in the segment
        self.length = 6  # in bits, of the first number before
        self.found = self.expected = 0  # sizes of this joint's residuals, and what was expected
        self.found_before = self.expected_before = 0  # the same of the joint before

    def read(self, joints: list[list[Channel]]) -> None:
        """joints: the moving numbers of each that has some, and last of all of weights."""
        for channels in joints:
            for channel in channels:
                channel.value = self.next(channel) if self.position else self.first(channel)
                check(abs(channel.value) <= VALUE_MAX)
            self.found_before, self.expected_before = self.found, self.expected
            self.found = self.expected = 0

    def first(self, channel: Channel) -> int:
        number = self.coder.size(FIRST + (self.length > 3) + (self.length > 6) + (self.length > 9))
        self.length = number.bit_length()
        channel.energy = 16 << channel.magnitude
        channel.sizes = (1 << channel.magnitude >> 2,) * 2
        channel.past = (0, 0, 0)
        return -number if number and self.coder.plain(1) else number

    def context(self) -> int:
        found = 2 * self.found + self.found_before + 30
        expected = 2 * self.expected + self.expected_before + 30
        return 0 if 10 * found < 7 * expected else 2 if 2 * found > 3 * expected else 1

    def next(self, channel: Channel) -> int:
        sizes, past = channel.sizes, channel.past
        expected = 9 * channel.energy + 64 * (5 * sizes[0] + 2 * sizes[1]) >> 4
        residual = read_residual(self.coder, self.context(), expected)
        counted = min(abs(residual), 1 << 16)
        self.found += 64 * counted
        self.expected += expected
        channel.energy += 64 * counted - channel.energy >> 3
        channel.sizes = (counted, sizes[0])
        a, b, c = QUARTERS[channel.predictor]
        change = residual + (a * past[0] + b * past[1] + c * past[2] + 2 >> 2)
        channel.past = (change, past[0], past[1]) if self.position > 1 else (change, change, change)
        return channel.value + change


class Unpacker:
    """Reads the codec "bits": any sample as fast as any other."""

    def __init__(self, body: bytes, channels: list[Channel], sample_count: int, length: int) -> None:
        reader = Reader(body)
        self.channels, self.length = channels, length
        self.ranges = [self.read_range(reader) for _ in channels]
        self.offsets = reader.take(4 * -(-sample_count // length) if channels else 0)
        self.bytes = reader.rest()
        self.at = 0

    @staticmethod
    def read_range(reader: Reader) -> tuple[int, int]:
        least, width = reader.varint(), reader.number(1)
        check(width <= 26 and least >> 1 <= VALUE_MAX)
        return ~(least >> 1) if least & 1 else least >> 1, width

    def bits(self, count: int) -> int:
        check(self.at + count <= 8 * len(self.bytes))
        found = int.from_bytes(self.bytes[self.at // 8:self.at // 8 + 5], "little") >> self.at % 8
        self.at += count
        return found & ((1 << count) - 1)

    def read(self, sample: int) -> None:
        """Sets all channels to a sample's numbers."""
        segment, within = divmod(sample, self.length)
        offset = int.from_bytes(self.offsets[4 * segment:4 * segment + 4], "little")
        check(offset <= len(self.bytes))
        self.at = 8 * offset
        lengths = []
        for channel, (least, width) in zip(self.channels, self.ranges):
            lengths.append(self.bits(5))
            check(lengths[-1] <= 26)
            channel.value = least + (self.bits(width) if lengths[-1] < width else 0)
        self.at += within * sum(lengths)
        for channel, length in zip(self.channels, lengths):
            channel.value += self.bits(length)
