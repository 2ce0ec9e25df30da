"""An open response of POST /v1/frames: a sequence of pictures while it is rendered."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from .errors import AnswerClosed
from .results import About

if TYPE_CHECKING:
    from .connection import Answer


class FrameCount:
    """Counts the frames of a file that arrives in pieces, if its format gives the length of each part
    in advance: animated PNG and tar."""

    def __init__(self, media_type: str) -> None:
        self._format = FORMATS.get(media_type)
        self._skip = self._format.before if self._format else 0  # bytes to the next part
        self._rest = bytearray()
        self.frames = 0

    @property
    def can_count(self) -> bool:
        return self._format is not None

    def add(self, piece: bytes) -> None:
        """Takes the next bytes."""
        if not self._format:
            return
        self._rest += piece
        while len(self._rest) >= self._skip + self._format.head_bytes:
            del self._rest[:self._skip]
            is_frame, self._skip = self._format.read(self._rest)
            self.frames += is_frame
            del self._rest[:self._format.head_bytes]
        skipped = min(self._skip, len(self._rest))
        del self._rest[:skipped]
        self._skip -= skipped


def read_chunk(head: bytearray) -> tuple[bool, int]:
    """(True if a frame begins, bytes to the next part). PNG: length, type, content, CRC."""
    return head[4:8] == b"fcTL", int.from_bytes(head[:4], "big") + 4


def read_entry(head: bytearray) -> tuple[bool, int]:
    """The same of a tar: blocks of 512 bytes, the size in octal; those at its end are empty."""
    size = int(head[124:136].strip(b" \0") or b"0", 8)
    return head[0] != 0, -(-size // 512) * 512


class Format(NamedTuple):
    """A file format of parts."""

    before: int  # bytes before the first part
    head_bytes: int  # of a part
    read: Callable[[bytearray], tuple[bool, int]]  # its head


FORMATS = {
    "image/apng": Format(8, 8, read_chunk),
    "application/x-tar": Format(0, 512, read_entry),
}


class SequenceStream(About):
    """An iterator over a sequence's bytes, in pieces as they arrive, and a context that ends the
    daemon's work on exit.

    frames        of the whole sequence
    fps           playback rate
    frames_begun  received so far, the last one perhaps in part; None if the format does not tell
                  (animated PNG and tar do)
    """

    def __init__(self, answer: Answer) -> None:
        self._describe(answer)
        self._answer = answer
        self._pieces = answer.pieces()
        self._count = FrameCount(self.media_type)
        self.frames = int(answer.headers["Posed-Frames"])
        self.fps = float(answer.headers["Posed-Fps"])

    @property
    def frames_begun(self) -> int | None:
        return self._count.frames if self._count.can_count else None

    def close(self) -> None:
        """Cancels the work and ends the iteration. Any thread."""
        self._answer.close()

    def __enter__(self) -> SequenceStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> SequenceStream:
        return self

    def __next__(self) -> bytes:
        try:
            piece = next(self._pieces, None)
        except AnswerClosed:
            piece = None
        if piece is None:
            self.close()
            raise StopIteration
        self._count.add(piece)
        return piece
