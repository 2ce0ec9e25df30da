"""The results of calls: pictures, files and numbers, with their response headers."""
from __future__ import annotations

import base64
import json
import pathlib
import re
from collections.abc import Iterator
from email.message import Message
from typing import TYPE_CHECKING, Any, Dict, List, TypeVar

from .values import Array, numpy

if TYPE_CHECKING:
    import os

    from .connection import Answer
    from .packed import PackedFrames

Described = TypeVar("Described", bound="About")

# The letters of a layout: numpy's dtype, and the array module's and memoryview's code.
KINDS = {"f32": ("<f4", "f"), "u16": ("<u2", "H"), "oct8": ("i1", "b")}


class About:
    """The head of a response. etag: pass it to the same call as `etag` to get None while
    nothing has changed. skinning: the method and device used, and the daemon's remarks."""

    def _describe(self: Described, answer: Answer) -> Described:
        self.headers: Message = answer.headers
        self.media_type = answer.media_type
        self.etag: str | None = answer.headers.get("ETag")
        self.request_id: str | None = answer.headers.get("Posed-Request-Id")
        self.skinning: str | None = answer.headers.get("Posed-Skinning")
        return self


class File(About, bytes):
    """A file as bytes."""

    media_type = "application/octet-stream"  # unless a response says otherwise

    def save(self, path: str | os.PathLike[str]) -> pathlib.Path:
        """Writes the file; returns its path."""
        place = pathlib.Path(path)
        place.write_bytes(self)
        return place

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.media_type}, {len(self)} bytes>"

    __str__ = __repr__


class Picture(File):
    """A picture, or a sequence of them; notebooks show it."""

    def _repr_html_(self) -> str | None:
        if self.media_type == "image/png":  # which _repr_png_() gives
            return None
        data = f"data:{self.media_type};base64,{base64.b64encode(self).decode()}"
        if self.media_type.startswith("video/"):
            return f'<video src="{data}" autoplay loop muted playsinline></video>'
        return f'<img src="{data}">'

    def _repr_png_(self) -> bytes | None:
        return bytes(self) if self.media_type == "image/png" else None


def file_of(answer: Answer) -> File:
    """A complete response: a Picture if it is one."""
    if answer.media_type.startswith(("image/", "video/")):
        return Picture(answer.read())._describe(answer)
    return File(answer.read())._describe(answer)


class JsonObject(About, Dict[str, Any]):
    """An object of JSON."""


class JsonList(About, List[Any]):
    """A list of JSON."""


def object_of(answer: Answer) -> JsonObject:
    """The JSON of a complete response."""
    return JsonObject(json.loads(answer.read()))._describe(answer)


def list_of(answer: Answer, member: str) -> JsonList:
    """A list that is a member of a complete response's JSON."""
    return JsonList(json.loads(answer.read())[member])._describe(answer)


class Numbers(About):
    """Binary numbers in the response's own buffer, without a copy."""

    def __init__(self, answer: Answer, data: bytearray) -> None:
        self._describe(answer)
        self.data = data

    def _view(self, kind: str, offset: int, shape: tuple[int, ...]) -> Array:
        """An array over part of the data: numpy's, or else a memoryview."""
        dtype, code = KINDS[kind]
        if numpy:
            return numpy.ndarray(shape, dtype, self.data, offset)
        size = memoryview(b"").cast(code).itemsize
        for count in shape:
            size *= count
        part = memoryview(self.data)[offset:offset + size]
        return part.cast(code, shape) if size else part


class Weights(Numbers):
    """A number for each vertex. values: [vertices] float32; of colours [vertices][3], in linear light."""

    @property
    def values(self) -> Array:
        is_color = self.headers.get("Posed-Layout", "").endswith("x3")
        count = len(self.data) // 4
        return self._view("f32", 0, (count // 3, 3) if is_color else (count,))


class Matrices(Numbers):
    """World matrices of joints. columns: [frames][joints][16] float32, column-major; without numpy
    [frames * joints][16]."""

    def __init__(self, answer: Answer, data: bytearray, frames: int) -> None:
        super().__init__(answer, data)
        self.frames = frames
        self.joints = len(data) // 64 // frames

    @property
    def columns(self) -> Array:
        return self._view("f32", 0, (self.frames, self.joints, 16))

    def matrices(self) -> Array:
        """[frames][joints][4][4], each matrix by rows; needs numpy. A view."""
        return self.columns.reshape(self.frames, self.joints, 4, 4).swapaxes(-1, -2)


class Attribute:
    """One part of a layout. offset: bytes into a frame, or into a vertex if interleaved."""

    def __init__(self, name: str, kind: str, width: int, offset: int) -> None:
        self.name, self.kind, self.width, self.offset = name, kind, width, offset


class Layout:
    """A parsed Posed-Layout: "position:f32x3,normal:f32x3" is one block for each, one after the
    other; "position:u16x3,normal:oct8x2;stride=8" are vertices of eight bytes, packed."""

    def __init__(self, text: str, vertices: int) -> None:
        parts, *options = text.split(";")
        self.text = text
        self.options = dict(option.split("=", 1) for option in options)
        self.stride = int(self.options.get("stride", 0))  # 0 = not interleaved
        self.attributes: list[Attribute] = []
        offset = 0
        for part in parts.split(","):
            match = re.fullmatch(r"(\w+):([a-z]+\d+)x(\d+)", part.strip())
            if not match or match[2] not in KINDS:
                raise ValueError(f"this client does not know the layout {text!r}")
            width = int(match[3])
            self.attributes.append(Attribute(match[1], match[2], width, offset))
            size = memoryview(b"").cast(KINDS[match[2]][1]).itemsize * width
            offset += size if self.stride else size * vertices
        self.frame_bytes = self.stride * vertices if self.stride else offset

    def find(self, name: str) -> Attribute:
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        raise AttributeError(f"no {name} here, only {self.text}")


def blocks_of(data: bytearray) -> Iterator[memoryview]:
    """Parts, each preceded by its length as uint32."""
    at = 0
    while at < len(data):
        length = int.from_bytes(data[at:at + 4], "little")
        yield memoryview(data)[at + 4:at + 4 + length]
        at += 4 + length


def packed_frames(layout: Layout, data: bytearray, vertices: int) -> list[Array]:
    """Each frame's bytes as [vertices][stride], in the file's order."""
    if not numpy:
        raise ImportError("packed vertices take numpy to be read")
    from .packed import PackedFrames

    frames = PackedFrames(layout, vertices)
    if "compression" in layout.options:
        parts = list(blocks_of(data))
    else:
        parts = [memoryview(data)[i:i + layout.frame_bytes]
                 for i in range(0, len(data), layout.frame_bytes)]
    if frames.has_order:
        frames.read_order(parts.pop(0))
    return [frames.read(part, i == 0) for i, part in enumerate(parts)]


class Vertices(Numbers):
    """Skinned vertices. frames, vertices: how many. Attributes are [vertices][width], or
    [frames][vertices][width] where a list of poses was asked for: float32 ones are arrays over the
    answer's own bytes, packed ones are unpacked. bounds: of packed positions, min and max."""

    def __init__(self, answer: Answer, data: bytearray, many: bool) -> None:
        super().__init__(answer, data)
        self.vertices = int(answer.headers["Posed-Vertices"])
        self.frames = int(answer.headers.get("Posed-Frames") or 1)
        self.layout = Layout(answer.headers["Posed-Layout"], self.vertices)
        bounds = answer.headers.get("Posed-Bounds")
        self.bounds = [float(number) for number in bounds.split()] if bounds else None
        self._many = many
        self._packed = packed_frames(self.layout, data, self.vertices) if self.layout.stride else None

    def frame(self, i: int, name: str) -> Array:
        """The numbers of one attribute in one frame: [vertices][width]."""
        at = self.layout.find(name)
        if not 0 <= i < self.frames:
            raise IndexError(f"frame {i} of {self.frames}")
        if self._packed:
            return self._unpack(self._packed[i], at)
        offset = i * self.layout.frame_bytes + at.offset
        return self._view(at.kind, offset, (self.vertices, at.width))

    def _unpack(self, frame: Array, attribute: Attribute) -> Array:
        from .packed import unpack_normals, unpack_positions

        if attribute.kind == "u16":
            assert self.bounds, "packed positions come with their box"
            return unpack_positions(frame, attribute.offset, self.bounds)
        return unpack_normals(frame, attribute.offset)

    def _all(self, name: str) -> Array:
        one = self.frame(0, name)
        if not self._many:
            return one
        if not numpy:
            return [self.frame(i, name) for i in range(self.frames)]
        if self._packed:
            return numpy.stack([self.frame(i, name) for i in range(self.frames)])
        return numpy.lib.stride_tricks.as_strided(
            one, (self.frames, *one.shape), (self.layout.frame_bytes, *one.strides))

    @property
    def position(self) -> Array:
        return self._all("position")

    @property
    def normal(self) -> Array:
        return self._all("normal")

    @property
    def tangent(self) -> Array:
        return self._all("tangent")
