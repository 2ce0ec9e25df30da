"""An open stream of POST /v1/stream: frames in real time, each after a header of 56
bytes."""
from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

from .errors import AnswerClosed, Problem
from .results import JsonObject, Layout, Vertices
from .values import Array

if TYPE_CHECKING:
    from .client import Client
    from .connection import Answer
    from .packed import PackedFrames

HEADER = struct.Struct("<4sIIIdd6f")
MAGIC = b"PSTR"
KEY, ORDER, SAME, END, CHANGED, OUTDATED = 1, 2, 4, 8, 16, 32
SKINNING_SHIFT = 8


class StreamFrame(Vertices):
    """The skinned vertices of one moment.

    number   number of the frame; frames that the daemon dropped, because the client was slow, leave gaps
    time     seconds of the pose's clock, before any range
    since    seconds from the beginning of the stream until the frame was made
    changed  True for the first frame of a changed pose
    outdated True if the rig, or another rig of its pose, has been replaced or deleted, or has other
             clips or examples now
    way      index into the stream's skinnings, if it was opened with a list of them
    """

    def __init__(self, answer: Answer, layout: Layout, payload: bytearray, unpacked: Array | None,
                 fields: tuple[Any, ...]) -> None:
        self._describe(answer)
        self.data = payload
        self.layout = layout
        self.vertices = int(answer.headers["Posed-Vertices"])
        self.frames = 1
        _, _, self.number, flags, self.time, self.since, *self.bounds = fields
        self.changed = bool(flags & CHANGED)
        self.outdated = bool(flags & OUTDATED)
        self.way = flags >> SKINNING_SHIFT
        self._many = False
        self._packed = None if unpacked is None else [unpacked]


class Stream:
    """An iterator over StreamFrame, and a context that ends the stream. While nothing changes there
    are no frames. id: the daemon's ID of the stream."""

    def __init__(self, client: Client, answer: Answer) -> None:
        self._client = client
        self._answer = answer
        self.id: str = answer.headers["Posed-Stream"]
        self.vertices = int(answer.headers["Posed-Vertices"])
        self.layout = Layout(answer.headers["Posed-Layout"], self.vertices)
        self._packed: dict[int, PackedFrames] = {}  # by index of the skinning

    def change(self, **members: Any) -> JsonObject:
        """Changes pose, time, speed, range, fps or paused from the next frame on. Raises Problem if the pose
        is wrong; the stream then continues with the old one. Any thread."""
        return self._client.change_stream(self.id, **members)

    def state(self) -> JsonObject:
        """The state of the stream. Any thread."""
        return self._client.stream_state(self.id)

    def close(self) -> None:
        """Ends the stream and the iteration over it. Any thread."""
        self._answer.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> StreamFrame:
        try:
            return self._next()
        except AnswerClosed:
            raise StopIteration from None

    def _next(self) -> StreamFrame:
        while True:
            fields, payload = self._read()
            flags = fields[3]
            if flags & SAME:
                continue
            packed = self._packed_of(flags >> SKINNING_SHIFT) if self.layout.stride else None
            if packed and flags & ORDER:
                packed.read_order(payload)
            else:
                unpacked = packed.read(payload, bool(flags & KEY)) if packed else None
                return StreamFrame(self._answer, self.layout, payload, unpacked, fields)

    def _packed_of(self, way: int) -> PackedFrames:
        from .packed import PackedFrames
        if way not in self._packed:
            self._packed[way] = PackedFrames(self.layout, self.vertices)
        return self._packed[way]

    def _read(self) -> tuple[tuple[Any, ...], bytearray]:
        """(a header's fields, its payload); ends the iteration at the end."""
        head = self._answer.read_or_end(HEADER.size)
        if not head:
            self.close()
            raise StopIteration
        fields = HEADER.unpack(head)
        if fields[0] != MAGIC:
            raise ValueError("this is no stream of frames")
        payload = bytearray(fields[1])
        self._answer.read_into(memoryview(payload))
        if fields[3] & END:
            self.close()
            if payload:
                problem = json.loads(payload)
                raise Problem(problem["status"], problem, None)
            raise StopIteration
        return fields, payload
