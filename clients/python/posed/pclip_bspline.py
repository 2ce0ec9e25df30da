"""The codec "bspline" of .pclip files: tracks as B-splines over the samples, whose control points are integers."""
from __future__ import annotations

from .pclip_model import Channel, Coder, Reader, SampleReader, check

# The tables of shapes, of numbers of knots, and of what is between those.
SHAPE, KNOTS, GAP = 105, 106, 107


class Spline:
    """One track, read from a coder."""

    def __init__(self, coder: Coder, channels: list[Channel], sample_count: int, before: int, room: int) -> None:
        self.channels, self.last = channels, sample_count - 1
        shape = coder.symbol(SHAPE)
        self.degree, self.periodic, self.uniform = shape & 3, shape >> 2 & 1, shape >> 3
        self.count = before + coder.signed(KNOTS)  # of knots between the ends
        check(0 <= self.count <= 4 * sample_count)
        point_count = self.count + (1 if self.periodic else self.degree + 1)
        self.numbers = (0 if self.uniform else self.count) + point_count * len(channels)
        check(self.numbers <= room)
        self.knots: list[int] = []
        self.read_knots(coder, sample_count)
        self.points = [self.read_point(coder, i) for i in range(point_count)]

    def read_knots(self, coder: Coder, sample_count: int) -> None:
        at, gap = 0, 2
        while not self.uniform and len(self.knots) < self.count:
            gap = coder.size(GAP + min(gap.bit_length(), 3))
            at += gap
            check(0 < at < sample_count - (self.degree > 0))
            self.knots.append(at)

    def read_point(self, coder: Coder, i: int) -> list[float]:
        SampleReader(coder, i).read([self.channels])
        return [channel.value for channel in self.channels]

    def knot(self, i: int) -> float:
        """The i-th knot from the start on."""
        turns, i = divmod(i, self.count + 1) if self.periodic else (0, i)
        if i < 1:
            at: float = 0
        elif i > self.count:
            at = self.last
        else:
            at = i * self.last / (self.count + 1) if self.uniform else self.knots[i - 1]
        return at + turns * self.last

    def read(self, sample: int) -> list[float]:
        """The channels' numbers at a sample: de Boor's algorithm."""
        u = 0 if self.periodic and sample == self.last else sample
        span, high = 0, self.count
        while span < high:
            middle = (span + high) // 2
            if self.knot(middle + 1) <= u:
                span = middle + 1
            else:
                high = middle
        d = [self.points[(span + i) % len(self.points)] for i in range(self.degree + 1)]
        for k in range(1, self.degree + 1):
            for i in range(self.degree, k - 1, -1):
                start, end = self.knot(span + i - self.degree), self.knot(span + i + 1 - k)
                share = (u - start) / (end - start) if end > start else 0
                d[i] = [a + share * (b - a) for a, b in zip(d[i - 1], d[i])]
        return d[self.degree]


class Splines:
    """All tracks of a clip; any sample is read as fast as any other."""

    def __init__(self, body: bytes, tracks: list[list[Channel]], sample_count: int, clip_bytes: int) -> None:
        self.splines: list[Spline] = []
        if not tracks:
            return
        reader = Reader(body)
        room = reader.varint()
        check(room <= 64 * clip_bytes)
        coder, before = Coder(reader.rest()), 0
        for channels in tracks:
            self.splines.append(Spline(coder, channels, sample_count, before, room))
            before = self.splines[-1].count
            room -= self.splines[-1].numbers
        coder.end()
        check(room == 0)

    def read(self, sample: int) -> list[float]:
        """The numbers of all channels at a sample."""
        return [number for spline in self.splines for number in spline.read(sample)]
