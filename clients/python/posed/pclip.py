"""Decodes .pclip files, motion as posed compresses it.

    from posed.pclip import PclipFile

    file = PclipFile(pathlib.Path("walk.pclip").read_bytes())
    pose = file.open(0).sample(0.4)
    pose.rotations[3]  # of joint 3: x, y, z, w

    walk = file.open(0).poses()
    walk.rotations[:, 3]  # of joint 3 in all samples

Poses are arrays of numpy where that is installed, else lists of tuples of the same numbers.
"""
from __future__ import annotations

import array
import dataclasses
import math
import zlib
from typing import Any, List, Optional, Sequence

from .pclip_bspline import Splines
from .pclip_model import Channel, Coder, Head, Reader, SampleReader, Track, Unpacker, check

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

__all__ = ["PclipClip", "PclipFile", "PclipInfo", "PclipJoint", "PclipPose"]

MOST = 65535
NEAR = 1e-5  # of the way from a sample to the next: what is as near is at the sample


@dataclasses.dataclass
class PclipJoint:
    """A joint at rest, relative to its parent."""

    name: str
    parent: int  # -1 = a root; parents come before children
    translation: Sequence[float]  # metres
    rotation: Sequence[float]  # x, y, z, w
    scale: Sequence[float]


@dataclasses.dataclass
class PclipInfo:
    """What a file says of one of its clips."""

    name: Optional[str]
    sample_count: int
    rate: float  # samples a second, or of the ticks that samples are at
    duration_s: float
    tolerance_m: float  # that the encoder has kept to


@dataclasses.dataclass
class PclipPose:
    """All joints and morph weights at one time, float32: arrays of numpy, or lists."""

    translations: Any  # [joints][3]
    rotations: Any  # [joints][4] x, y, z, w
    scales: Any  # [joints][3]
    weights: Any  # [weights]


class Part:
    """A clip's part of a file."""

    def __init__(self, data: bytes, has_name: bool) -> None:
        reader = Reader(data)
        codec, self.flags, count = reader.number(1), reader.number(1), reader.varint()
        rate, duration, tolerance = reader.floats(3)
        name = reader.block().decode("utf-8", "replace") if has_name else None
        self.codec, self.bytes = codec & 15, len(data)
        check(self.codec in (1, 2, 3) and 1 <= count <= 1 << 24 and 0 < rate < 1e9 and 0 <= duration < 1e9)
        self.ticks: list[int] = []
        if self.flags & 2:
            self.read_ticks(reader, count)
            duration = self.ticks[-1] / rate
        last = (count - 1) / rate
        check(self.ticks or count == 1 or last - 1 / rate < duration <= last * (1 + 1e-5))
        self.info = PclipInfo(name, count, rate, duration, tolerance)
        self.head = reader.block()
        self.length = 1 << (codec >> 4) if codec >> 4 else count
        self.segment_count = 1 if self.codec > 1 else -(-count // self.length)
        self.index = reader.take(self.segment_count * self.entry if self.segment_count > 1 else 0)
        self.segments = reader.rest()

    @property
    def entry(self) -> int:
        return 4 if self.flags & 1 else 2

    def read_ticks(self, reader: Reader, count: int) -> None:
        self.ticks = [0]
        while len(self.ticks) < count:
            way = reader.varint()
            self.ticks.append(self.ticks[-1] + way)
            check(way > 0 and self.ticks[-1] < 1 << 32)

    def time(self, sample: int) -> float:
        if self.ticks:
            return self.ticks[sample] / self.info.rate
        return sample / self.info.rate if sample + 1 < self.info.sample_count else self.info.duration_s

    def segment(self, i: int) -> bytes:
        """The bytes of a segment."""
        if self.segment_count == 1:
            return self.segments
        sizes, reader = Reader(self.index), Reader(self.segments)
        for _ in range(i):
            reader.take(sizes.number(self.entry))
        return reader.take(sizes.number(self.entry))


class PclipFile:
    """A .pclip file. Raises ValueError for one that is damaged."""

    def __init__(self, data: bytes) -> None:
        reader = Reader(bytes(data))
        check(data[:4] == b"PCLP", "the file does not begin with PCLP")
        reader.take(4)
        check(reader.number(1) == 1, "the file has a version that this decoder does not know")
        flags, clip_count, checksum = reader.number(1), reader.number(2), reader.number(4)
        check(checksum == zlib.crc32(reader.rest()), "the file's checksum is not that of its contents")
        self.skeleton = reader.number(8)  # hash of the rest pose that the clips are relative to
        self.joint_count, self.weight_count = reader.varint(), reader.varint()
        check(max(self.joint_count, self.weight_count) <= MOST)
        self.joints: Optional[List[PclipJoint]] = None  # of a self-contained file
        if flags & 1:
            skeleton = Reader(reader.block())
            self.joints = [self.read_joint(skeleton, i) for i in range(self.joint_count)]
        self.parts = [reader.block() for _ in range(clip_count)]
        self.has_names = bool(flags & 2)
        self._first: list[Track] | None = None

    @staticmethod
    def read_joint(reader: Reader, i: int) -> PclipJoint:
        up = reader.varint()
        check(up <= i)
        name, rest = reader.block().decode("utf-8", "replace"), reader.floats(10)
        return PclipJoint(name, i - up if up else -1, rest[:3], rest[3:7], rest[7:])

    @property
    def clips(self) -> list[PclipInfo]:
        """All clips, in order."""
        return [Part(part, self.has_names).info for part in self.parts]

    def tracks(self, i: int) -> list[Track]:
        """What a clip says of each joint's rotation, translation and scale, and then of each morph weight."""
        if i > 0 and self._first is None:
            self._first = self.tracks(0)
        coder = Coder(Part(self.parts[i], self.has_names).head)
        joint_tracks = 3 * self.joint_count
        tracks = Head(coder, self._first if i > 0 else None).read(joint_tracks, joint_tracks + self.weight_count)
        coder.end()
        return tracks

    def open(self, i: int, joints: Optional[Sequence[PclipJoint]] = None) -> PclipClip:
        """Opens a clip. Files that are not self-contained need the joints at rest."""
        check(0 <= i < len(self.parts), "there is no such clip")
        joints = self.joints if joints is None else joints
        if joints is None or len(joints) != self.joint_count:
            raise ValueError(f"the clips need a rig of {self.joint_count} joints")
        return PclipClip(Part(self.parts[i], self.has_names), self.tracks(i), joints)


class PclipClip:
    """One clip of a file, open for sampling; PclipFile.open() makes it."""

    def __init__(self, part: Part, tracks: list[Track], joints: Sequence[PclipJoint]) -> None:
        self.info = part.info
        self.part = part
        self.tracks = tracks
        self.joints = joints
        count = 3 * len(joints)
        groups = [tracks[i:i + 3] for i in range(0, count, 3)] + [tracks[count:]]
        moving = [[channel for track in group for channel in track.moving.values()] for group in groups]
        self.channels: list[list[Channel]] = [channels for channels in moving if channels]
        self._unpacker: Unpacker | None = None
        self._splines: Splines | None = None
        if part.codec == 2:
            all_channels = [channel for own in self.channels for channel in own]
            self._unpacker = Unpacker(part.segment(0), all_channels, self.info.sample_count, part.length)
        elif part.codec == 3:
            by_track = [list(track.moving.values()) for track in tracks if track.moving]
            self._splines = Splines(part.segment(0), by_track, self.info.sample_count, part.bytes)
        self._held: dict[int, tuple[int, list[float]]] = {}
        self._coder: Coder | None = None
        self._next = -1

    def load(self, sample: int) -> list[float]:
        """The moving numbers of a sample, in their channels' units."""
        held, values = self._held.get(sample & 1, (-1, []))
        if self.channels and held != sample:
            if self._splines:
                values = self._splines.read(sample)
            else:
                self._decode(sample)
                values = [channel.value for channels in self.channels for channel in channels]
            self._held[sample & 1] = sample, values
        return values

    def _decode(self, sample: int) -> None:
        """Decodes up to a sample, from where the coder is or the start of its segment."""
        if self._unpacker:
            self._unpacker.read(sample)
            return
        length, following = self.part.length, self._next
        start = sample - sample % length
        self._next = -1  # unless all goes well
        if self._coder is None or following <= start or following > sample:
            self._coder = Coder(self.part.segment(start // length))
            following = start
        for i in range(following, sample + 1):
            SampleReader(self._coder, i - start).read(self.channels)
        if sample + 1 in (self.info.sample_count, start + length):
            self._coder.end()
        self._next = sample + 1

    def _place(self, time_s: float) -> tuple[int, float]:
        """The sample before a time, and the share of the way to the next."""
        low, high = 0, self.info.sample_count - 1
        if not time_s > 0 or high == 0:
            return 0, 0.0
        if time_s >= self.info.duration_s:
            return high, 0.0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.part.time(middle) <= time_s else (low, middle)
        start, end = self.part.time(low), self.part.time(low + 1)
        way = (time_s - start) / (end - start) if end > start else 0.0
        if way > 1 - NEAR:
            return low + 1, 0.0
        return low, way if way > NEAR else 0.0

    def sample(self, time_s: float, weights: Optional[Sequence[float]] = None) -> PclipPose:
        """All joints and morph weights at a time.

        weights: what weights have that the clip does not drive; 0 without."""
        sample, share = self._place(time_s)
        start = self.load(sample)
        blend = Blend(start, self.load(sample + 1) if share > 0 else start, share)
        poses = [blend.joint(joint, self.tracks[3 * i:3 * i + 3]) for i, joint in enumerate(self.joints)]
        own = self.tracks[3 * len(self.joints):]
        rest = weights if weights is not None else [0.0] * len(own)
        return PclipPose(
            translations=rows((pose[0] for pose in poses), 3),
            rotations=rows((pose[1] for pose in poses), 4),
            scales=rows((pose[2] for pose in poses), 3),
            weights=rows((blend.vector(track, rest[i:i + 1], driven=bool(track.kind)) for i, track in enumerate(own)), 0))


    def times(self) -> list[float]:
        """Seconds of all samples."""
        return [self.part.time(i) for i in range(self.info.sample_count)]

    def poses(self, times_s: Optional[Sequence[float]] = None, weights: Optional[Sequence[float]] = None) -> PclipPose:
        """Poses at many times, by default those of all samples: as sample(), with the times before all else.
        With numpy some ten times as fast as one by one, but for what decoding the numbers takes."""
        times = self.times() if times_s is None else times_s
        if numpy is not None:
            return self._poses_in_bulk(times, weights)
        poses = [self.sample(time_s, weights) for time_s in times]
        return PclipPose(*([getattr(pose, field.name) for pose in poses] for field in dataclasses.fields(PclipPose)))

    def _poses_in_bulk(self, times: Sequence[float], weights: Optional[Sequence[float]]) -> PclipPose:
        places = [self._place(float(time_s)) for time_s in times]
        wanted = sorted({i + k for i, share in places for k in range(2 if share > 0 else 1)})
        numbers = numpy.array([self.load(i) for i in wanted], numpy.float64)
        numbers = numbers.reshape(len(wanted), sum(map(len, self.channels)))
        row = {sample: i for i, sample in enumerate(wanted)}
        start = numpy.array([row[i] for i, _ in places], int)
        end = numpy.array([row[i + (share > 0)] for i, share in places], int)
        bulk = Bulk(numbers, start, end, numpy.array([share for _, share in places], float))
        count = len(self.joints)
        own = self.tracks[3 * count:]

        def empty(*shape: int) -> Any:
            return numpy.empty((len(places), *shape), numpy.float32)

        out = PclipPose(empty(count, 3), empty(count, 4), empty(count, 3), empty(len(own)))
        for i, joint in enumerate(self.joints):
            out.rotations[:, i] = bulk.rotation(self.tracks[3 * i], joint.rotation)
            out.translations[:, i] = bulk.vector(self.tracks[3 * i + 1], joint.translation)
            out.scales[:, i] = bulk.vector(self.tracks[3 * i + 2], joint.scale)
        for i, track in enumerate(own):
            rest = weights[i] if weights is not None and not track.kind else 0.0
            out.weights[:, i] = bulk.vector(track, [rest])[:, 0]
        return out


class Bulk:
    """Between samples, at many times at once; tracks have to come in order."""

    def __init__(self, numbers: Any, start: Any, end: Any, share: Any) -> None:
        self.samples = numbers  # [samples][numbers that move]
        self.start, self.end = start, end  # [times] rows of samples
        self.share = share[:, None]
        self.channel = 0

    def numbers(self, track: Track, width: int) -> Any:
        """The numbers of a track in all samples, [samples][width]."""
        found = numpy.empty((len(self.samples), width))
        for axis in range(width):
            if axis in track.moving:
                found[:, axis] = self.samples[:, self.channel] * track.moving[axis].unit
                self.channel += 1
            else:
                found[:, axis] = math.ldexp(track.still.get(axis, 0), track.unit)
        return found

    def vector(self, track: Track, rest: Sequence[float]) -> Any:
        found = self.numbers(track, len(rest))
        start, end = found[self.start], found[self.start if track.hold else self.end]
        return numpy.asarray(rest, float) + start + self.share * (end - start)

    def rotation(self, track: Track, rest: Sequence[float]) -> Any:
        vectors = self.numbers(track, 3)
        if not track.kind:
            return rest
        base = normalised(track.base if any(track.base) else rest)
        x, y, z = vectors.T
        angles = numpy.sqrt(x * x + y * y + z * z)
        halves = numpy.where(angles > 1e-12, numpy.sin(angles / 2) / numpy.maximum(angles, 1e-300), 0.5)
        exponentials = (x * halves, y * halves, z * halves, numpy.cos(angles / 2))
        turned = numpy.stack(multiplied(base, exponentials), axis=1)
        start, end = turned[self.start], turned[self.start if track.hold else self.end]
        return self.slerp(start, end) if track.moving and not track.hold else start

    def slerp(self, start: Any, end: Any) -> Any:
        """The shorter way; at a sample, what it says."""
        dots = numpy.sum(start * end, axis=1, keepdims=True)
        angles = numpy.arccos(numpy.minimum(numpy.abs(dots), 1.0))
        near = angles < 1e-4
        sines = numpy.where(near, 1.0, numpy.sin(angles))
        before = numpy.where(near, 1 - self.share, numpy.sin((1 - self.share) * angles) / sines)
        after = numpy.where(near, self.share, numpy.sin(self.share * angles) / sines)
        mixed = before * start + numpy.where(dots < 0, -after, after) * end
        mixed /= numpy.linalg.norm(mixed, axis=1, keepdims=True)
        return numpy.where(self.share > 0, mixed, start)


def rows(values: Any, width: int) -> Any:
    """Rows of float32; without width one row."""
    flat = array.array("f", (number for row in values for number in row))
    if numpy is not None:
        all_rows = numpy.frombuffer(flat, numpy.float32)
        return all_rows.reshape(-1, width) if width else all_rows
    return [tuple(flat[i:i + width]) for i in range(0, len(flat), width)] if width else flat.tolist()


class Blend:
    """Between two samples; tracks have to come in order."""

    def __init__(self, start: list[float], end: list[float], share: float) -> None:
        self.start, self.end, self.share = start, end, share
        self.channel = 0

    def numbers(self, track: Track, width: int) -> tuple[list[float], list[float]]:
        """What a track says in both samples."""
        start, end = [], []
        for axis in range(width):
            if axis in track.moving:
                unit = track.moving[axis].unit
                start.append(self.start[self.channel] * unit)
                end.append((self.start if track.hold else self.end)[self.channel] * unit)
                self.channel += 1
            else:
                start.append(math.ldexp(track.still.get(axis, 0), track.unit))
                end.append(start[-1])
        return start, end

    def vector(self, track: Track, rest: Sequence[float], driven: bool = False) -> list[float]:
        start, end = self.numbers(track, len(rest))
        from_rest = [0.0] if driven else rest
        return [rest + a + self.share * (b - a) for rest, a, b in zip(from_rest, start, end)]

    def rotation(self, track: Track, rest: Sequence[float]) -> Sequence[float]:
        start, end = self.numbers(track, 3)
        if not track.kind:
            return rest
        base = normalised(track.base if any(track.base) else rest)
        turned = multiplied(base, exponential(start))
        if self.share > 0 and track.moving and not track.hold:
            return slerp(turned, multiplied(base, exponential(end)), self.share)
        return turned

    def joint(self, joint: PclipJoint, tracks: list[Track]) -> tuple[Sequence[float], ...]:
        rotation = self.rotation(tracks[0], joint.rotation)
        return self.vector(tracks[1], joint.translation), rotation, self.vector(tracks[2], joint.scale)


def normalised(q: Sequence[float]) -> Sequence[float]:
    length = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return [x / length for x in q] if length > 0 else (0.0, 0.0, 0.0, 1.0)


def exponential(vector: Sequence[float]) -> Sequence[float]:
    x, y, z = vector
    angle = math.sqrt(x * x + y * y + z * z)
    half = math.sin(angle / 2) / angle if angle > 1e-12 else 0.5
    return x * half, y * half, z * half, math.cos(angle / 2)


def multiplied(p: Sequence[float], q: Sequence[float]) -> Sequence[float]:
    a, b, c, d = p
    e, f, g, h = q
    return (d * e + a * h + b * g - c * f, d * f + b * h + c * e - a * g,
            d * g + c * h + a * f - b * e, d * h - a * e - b * f - c * g)


def slerp(p: Sequence[float], q: Sequence[float], share: float) -> Sequence[float]:
    """The shorter way."""
    dot = sum(a * b for a, b in zip(p, q))
    angle = math.acos(min(abs(dot), 1.0))
    start, end = 1 - share, share
    if angle >= 1e-4:
        start, end = math.sin(start * angle) / math.sin(angle), math.sin(end * angle) / math.sin(angle)
    end = -end if dot < 0 else end
    return normalised([start * a + end * b for a, b in zip(p, q)])
