"""Reads packed vertices: what docs/vertices.md says, written down a second time."""
import array
import ctypes
import ctypes.util
import math
import struct
import unittest

from picture import add_each

_library = None


def codec():
    """meshoptimizer itself, which is what browsers have as WebAssembly."""
    global _library
    if _library is None:
        name = ctypes.util.find_library("meshoptimizer")
        if name is None:
            raise unittest.SkipTest("libmeshoptimizer is not here to decode with")
        _library = ctypes.CDLL(name)
    return _library


def decode(coded, count, stride):
    """The bytes of count elements."""
    out = ctypes.create_string_buffer(count * stride + 1)
    failed = codec().meshopt_decodeVertexBuffer(
        out, ctypes.c_size_t(count), ctypes.c_size_t(stride), coded, ctypes.c_size_t(len(coded))
    )
    assert failed == 0, f"meshopt_decodeVertexBuffer says {failed}"
    return out.raw[: count * stride]


class Layout:
    """Posed-Layout taken apart."""

    def __init__(self, text):
        attributes, *options = text.split(";")
        self.attributes = attributes.split(",")
        self.options = dict(option.split("=") for option in options)
        self.stride = int(self.options["stride"])
        self.positions = "position:u16x3" in self.attributes
        self.normals = "normal:oct8x2" in self.attributes
        self.compressed = self.options.get("compression") == "meshopt"
        self.deltas = self.options.get("delta") == "previous"
        self.reordered = self.options.get("order") == "strip"


def add(now, before, layout):
    """A frame from what it differs by."""
    return add_each(now, before, b"\xff\x7f" * 3 + b"\x7f" * 2 if layout.positions else b"\x7f")


def reorder(frame, order, stride):
    out = bytearray(len(frame))
    for place, vertex in enumerate(order):
        out[vertex * stride : (vertex + 1) * stride] = frame[place * stride : (place + 1) * stride]
    return bytes(out)


def read_order(block, vertices):
    return array.array("I", decode(block, vertices, 4))


class Frames:
    """Turns payloads into frames in the file's order, one after another."""

    def __init__(self, layout, vertices):
        self.layout, self.vertices = layout, vertices
        self.order = None
        self.before = None

    def take_order(self, block):
        self.order = read_order(block, self.vertices)

    def take(self, payload, is_key):
        frame = payload
        if self.layout.compressed:
            frame = decode(payload, self.vertices, self.layout.stride)
        if self.layout.deltas and not is_key:
            frame = add(frame, self.before, self.layout)
        self.before = frame
        return reorder(frame, self.order, self.layout.stride) if self.order else frame


def read_answer(reply):
    """The frames of an answer of POST /v1/vertices, uncompressed and in the file's order."""
    layout = Layout(reply.headers["Posed-Layout"])
    vertices, count = int(reply.headers["Posed-Vertices"]), int(reply.headers["Posed-Frames"])
    frames = Frames(layout, vertices)
    size = vertices * layout.stride
    if not layout.compressed:
        assert len(reply.body) == count * size
        return [frames.take(reply.body[i * size : (i + 1) * size], True) for i in range(count)]
    blocks, at = [], 0
    while at < len(reply.body):
        length = int.from_bytes(reply.body[at : at + 4], "little")
        blocks.append(reply.body[at + 4 : at + 4 + length])
        at += 4 + length
    if layout.reordered:
        frames.take_order(blocks.pop(0))
    assert at == len(reply.body) and len(blocks) == count
    return [frames.take(block, i == 0) for i, block in enumerate(blocks)]


def positions_of(frame, box):
    """[(x, y, z)] of a frame that has positions."""
    steps = [(high - low) / 65535 for low, high in zip(box[:3], box[3:])]
    numbers = array.array("H")
    numbers.frombytes(frame)
    return list(zip(*([low + u * step for u in numbers[axis::4]]
                      for axis, (low, step) in enumerate(zip(box, steps)))))


def normals_of(frame, stride):
    form = "<6xbb" if stride == 8 else "<bbxx"
    return [unfold(a, b) for a, b in struct.iter_unpack(form, frame)]


def unfold(a, b):
    x, y = max(a / 127, -1), max(b / 127, -1)
    z = 1 - abs(x) - abs(y)
    if z < 0:
        x, y = (1 - abs(y)) * math.copysign(1, x), (1 - abs(x)) * math.copysign(1, y)
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def angle_deg(a, b):
    """Between vectors; right for small angles, too."""
    cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    return math.degrees(math.atan2(math.hypot(*cross), sum(x * y for x, y in zip(a, b))))
