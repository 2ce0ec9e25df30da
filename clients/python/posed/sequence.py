"""An open answer of POST /v1/frames: a sequence of pictures while it is made."""
from .errors import AnswerClosed
from .results import About


class FrameCount:
    """Counts the frames of a file that comes in pieces, where its format says ahead how long each part
    is: animated PNG and tar."""

    def __init__(self, media_type):
        # What stands before the first part, the length of a part's head, and what that says.
        self._skip, self._head_bytes, self._read = {
            "image/apng": (8, 8, read_chunk),
            "application/x-tar": (0, 512, read_entry),
        }.get(media_type, (0, 0, None))
        self._rest = bytearray()
        self.frames = 0 if self._read else None

    def add(self, piece):
        """The next bytes."""
        self._rest += piece if self._read else b""
        while len(self._rest) >= self._skip + self._head_bytes > 0:
            del self._rest[:self._skip]
            is_frame, self._skip = self._read(self._rest)
            self.frames += is_frame
            del self._rest[:self._head_bytes]
        skipped = min(self._skip, len(self._rest))
        del self._rest[:skipped]
        self._skip -= skipped


def read_chunk(head):
    """(whether a frame begins, bytes to the next part). PNG: length, type, content, CRC."""
    return head[4:8] == b"fcTL", int.from_bytes(head[:4], "big") + 4


def read_entry(head):
    """The same of a tar: blocks of 512 bytes, the size in octal; those at its end are empty."""
    size = int(head[124:136].strip(b" \0") or b"0", 8)
    return head[0] != 0, -(-size // 512) * 512


class SequenceStream(About):
    """An iterator over a sequence's bytes, in pieces as they come, and a context that ends the
    daemon's work where it is left.

    frames        that the whole sequence has
    fps           at which it is shown
    frames_begun  that have come, the last one perhaps in part; None where the format does not tell
                  (animated PNG and tar do)
    """

    def __init__(self, answer):
        self._describe(answer)
        self._answer = answer
        self._pieces = answer.pieces()
        self._count = FrameCount(self.media_type)
        self.frames = int(answer.headers["Posed-Frames"])
        self.fps = float(answer.headers["Posed-Fps"])

    @property
    def frames_begun(self):
        return self._count.frames

    def close(self):
        """Ends the work and the iteration. Any thread."""
        self._answer.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __iter__(self):
        return self

    def __next__(self):
        try:
            piece = next(self._pieces, None)
        except AnswerClosed:
            piece = None
        if piece is None:
            self.close()
            raise StopIteration
        self._count.add(piece)
        return piece
