"""Packed vertices: positions as 16-bit numbers within a box, normals as two bytes on an octahedron,
interleaved, and frames of them through a codec. docs/vertices.md of posed has the formulas. Needs
numpy."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from .meshopt import decode_vertices
from .values import Array

if TYPE_CHECKING:
    from .results import Layout

STEPS = 65535
UNIT = 127


class PackedFrames:
    """Decodes the payloads of frames, in order, into frames in the file's order."""

    def __init__(self, layout: Layout, vertices: int) -> None:
        self._layout = layout
        self._vertices = vertices
        self._order: Array | None = None
        self._before: Array | None = None
        self.has_order = layout.options.get("order") == "strip"

    def read_order(self, block: bytearray | memoryview) -> None:
        """order[i] is the vertex at position i."""
        self._order = decode_vertices(block, self._vertices, 4).view("<u4").ravel()

    def read(self, payload: bytearray | memoryview, is_key: bool) -> Array:
        """[vertices][stride] bytes. is_key: it needs no previous frame."""
        options, stride = self._layout.options, self._layout.stride
        if options.get("compression") == "meshopt":
            frame = decode_vertices(payload, self._vertices, stride)
        else:
            frame = numpy.frombuffer(payload, "u1").reshape(self._vertices, stride)
        if options.get("delta") == "previous" and not is_key:
            self._add(frame)
        self._before = frame
        if self._order is None:
            return frame
        out = numpy.empty_like(frame)
        out[self._order] = frame
        return out

    def _add(self, frame: Array) -> None:
        """16-bit numbers and bytes wrap around."""
        if self._before is None:
            raise ValueError("a frame without the one that it is to change")
        shorts = next((a.width * 2 for a in self._layout.attributes if a.kind == "u16"), 0)
        frame[:, :shorts].view("<u2")[:] += self._before[:, :shorts].view("<u2")
        frame[:, shorts:] += self._before[:, shorts:]


def unpack_positions(frame: Array, offset: int, box: list[float]) -> Array:
    """[vertices][3] float32 of [vertices][stride] bytes; box: min, then max."""
    low, high = numpy.array(box[:3]), numpy.array(box[3:])
    numbers = frame[:, offset:offset + 6].view("<u2")
    return (low + numbers * ((high - low) / STEPS)).astype("<f4")


def unpack_normals(frame: Array, offset: int) -> Array:
    """[vertices][3] float32, unit."""
    at = numpy.maximum(frame[:, offset:offset + 2].view("i1") / UNIT, -1)
    z = 1 - numpy.abs(at).sum(1)
    at -= numpy.where(at >= 0, 1, -1) * numpy.maximum(-z, 0)[:, None]
    normals = numpy.column_stack([at, z])
    return (normals / numpy.linalg.norm(normals, axis=1)[:, None]).astype("<f4")
