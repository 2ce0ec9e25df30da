"""What calls give: pictures, files and numbers, with what the daemon says about them."""
import base64
import pathlib
import re

try:
    import numpy
except ImportError:
    numpy = None

# What a layout's letters mean: numpy's dtype, and the array module's and memoryview's code.
KINDS = {"f32": ("<f4", "f"), "u16": ("<u2", "H"), "oct8": ("i1", "b"), "i8": ("i1", "b"),
         "u8": ("u1", "B")}


class About:
    """The head of an answer. etag: hand it to the same call as `etag` to be answered None while
    nothing has changed. skinning: the method and device used, and what was found."""

    def _describe(self, answer):
        self.headers = answer.headers
        self.media_type = answer.media_type
        self.etag = answer.headers.get("ETag")
        self.request_id = answer.headers.get("Posed-Request-Id")
        self.skinning = answer.headers.get("Posed-Skinning")
        return self


class File(About, bytes):
    """A file as bytes."""

    def save(self, path):
        """Writes the file; returns its path."""
        path = pathlib.Path(path)
        path.write_bytes(self)
        return path


class Picture(File):
    """A picture, or a sequence of them; notebooks show it."""

    def _repr_html_(self):
        data = f"data:{self.media_type};base64,{base64.b64encode(self).decode()}"
        if self.media_type.startswith("video/"):
            return f'<video src="{data}" autoplay loop muted playsinline></video>'
        return f'<img src="{data}">' if self.media_type.startswith("image/") else None

    def _repr_png_(self):
        return bytes(self) if self.media_type == "image/png" else None


class Numbers(About):
    """Binary numbers, which are read where they came to lie: nothing is copied."""

    def __init__(self, answer, data):
        self._describe(answer)
        self.data = data  # a bytearray

    def _view(self, kind, offset, shape, strides=None):
        """An array over part of the data: numpy's, or else a memoryview."""
        dtype, code = KINDS[kind]
        if numpy:
            return numpy.ndarray(shape, dtype, self.data, offset, strides)
        if strides:
            raise ImportError("this layout takes numpy to be read")
        size = memoryview(b"").cast(code).itemsize
        for count in shape:
            size *= count
        part = memoryview(self.data)[offset:offset + size]
        return part.cast(code, shape) if size else part


class Weights(Numbers):
    """A number for each vertex. values: [vertices] float32."""

    @property
    def values(self):
        return self._view("f32", 0, (len(self.data) // 4,))


class Matrices(Numbers):
    """World matrices of joints. columns: [frames][joints][16] float32, column-major; without numpy
    [frames * joints][16]."""

    def __init__(self, answer, data, frames):
        super().__init__(answer, data)
        self.frames = frames
        self.joints = len(data) // 64 // frames

    @property
    def columns(self):
        return self._view("f32", 0, (self.frames, self.joints, 16))

    def matrices(self):
        """[frames][joints][4][4], each matrix by rows; needs numpy. A view."""
        return self.columns.reshape(self.frames, self.joints, 4, 4).swapaxes(-1, -2)


class Attribute:
    """One part of a layout: where the numbers of an attribute are within a frame."""

    def __init__(self, name, kind, width, offset, stride):
        self.name, self.kind, self.width = name, kind, width
        self.offset, self.stride = offset, stride


def attributes_of(layout, vertices):
    """(list of Attribute, bytes of a frame) of a Posed-Layout header: "position:f32x3,normal:f32x3"
    is one block of each, one behind the other."""
    offset, found = 0, []
    for part in layout.split(","):
        match = re.fullmatch(r"(\w+):([a-z]+\d+)x(\d+)", part.strip())
        if not match or match[2] not in KINDS:
            raise ValueError(f"this client does not know the layout {layout!r}")
        size = {"f32": 4, "u16": 2}.get(match[2], 1) * int(match[3])
        found.append(Attribute(match[1], match[2], int(match[3]), offset, size))
        offset += size * vertices
    return found, offset


class Vertices(Numbers):
    """Skinned vertices. frames, vertices: how many. Attributes are arrays over the answer's own
    bytes: [vertices][width], or [frames][vertices][width] where a list of poses was asked for."""

    def __init__(self, answer, data, many):
        super().__init__(answer, data)
        self.vertices = int(answer.headers["Posed-Vertices"])
        self.frames = int(answer.headers.get("Posed-Frames") or 1)
        self.layout = answer.headers["Posed-Layout"]
        self._attributes, self._frame_bytes = attributes_of(self.layout, self.vertices)
        self._many = many

    def frame(self, i, name):
        """The numbers of one attribute in one frame: [vertices][width]."""
        at = next((a for a in self._attributes if a.name == name), None)
        if at is None:
            raise AttributeError(f"no {name} here, only {self.layout}")
        if not 0 <= i < self.frames:
            raise IndexError(f"frame {i} of {self.frames}")
        return self._view(at.kind, i * self._frame_bytes + at.offset, (self.vertices, at.width))

    def _all(self, name):
        if not self._many:
            return self.frame(0, name)
        if not numpy:
            return [self.frame(i, name) for i in range(self.frames)]
        one = self.frame(0, name)
        return numpy.lib.stride_tricks.as_strided(
            one, (self.frames, *one.shape), (self._frame_bytes, *one.strides))

    @property
    def position(self):
        return self._all("position")

    @property
    def normal(self):
        return self._all("normal")

    @property
    def tangent(self):
        return self._all("tangent")
