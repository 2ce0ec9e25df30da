"""The C decoder of compressed clips, and motion of a GLB's keys, evaluated here."""
import ctypes
import json
import struct
import subprocess
from pathlib import Path

from daemon import ROOT
from debian import debian_module

numpy = debian_module("numpy")
PATHS = ("translation", "rotation", "scale")


class _File(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("size", ctypes.c_size_t), ("clip_count", ctypes.c_int),
                ("joint_count", ctypes.c_int), ("weight_count", ctypes.c_int), ("skeleton", ctypes.c_uint64),
                ("has_names", ctypes.c_bool), ("self_contained", ctypes.c_bool),
                ("skeleton_at", ctypes.c_size_t), ("clips_at", ctypes.c_size_t)]


def build(folder):
    """clients/c/pclip.c as a library."""
    path = Path(folder) / "pclip.so"
    sources = map(str, (ROOT / "clients" / "c").glob("pclip*.c"))
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(path), *sources, "-lm"], check=True)
    library = ctypes.CDLL(str(path))
    library.pclip_memory.restype = ctypes.c_size_t
    library.pclip_open.restype = ctypes.c_void_p
    library.pclip_sample.argtypes = [ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p]
    library.pclip_sample.restype = library.pclip_read.restype = ctypes.c_bool
    return library


class Decoded:
    """A clip of a file for a rest pose, [joints][10]: translation, rotation, scale."""

    def __init__(self, library, content, clip, rest):
        self.library, self.content = library, content
        self.rest = numpy.ascontiguousarray(rest, numpy.float32)
        self.file, why = _File(), ctypes.c_char_p()
        if not library.pclip_read(content, ctypes.c_size_t(len(content)), ctypes.byref(self.file),
                                  ctypes.byref(why)):
            raise ValueError(why.value)
        self.memory = ctypes.create_string_buffer(library.pclip_memory(ctypes.byref(self.file)))
        self.opened = library.pclip_open(ctypes.byref(self.file), clip,
                                         ctypes.c_void_p(self.rest.ctypes.data), self.memory,
                                         ctypes.byref(why))
        if not self.opened:
            raise ValueError(why.value)

    def sample(self, time):
        joints = numpy.zeros((self.file.joint_count, 10), numpy.float32)
        weights = numpy.zeros(self.file.weight_count + 1, numpy.float32)
        if not self.library.pclip_sample(self.opened, time, joints.ctypes.data, weights.ctypes.data):
            raise ValueError("damaged")
        self.weights = weights[:-1].astype(float)
        return joints.astype(float)


def slerp(a, b, share):
    cosine = float(a @ b)
    if cosine < 0:
        b, cosine = -b, -cosine
    if cosine > 0.9999999:
        mixed = a + share * (b - a)
        return mixed / numpy.linalg.norm(mixed)
    angle = numpy.arccos(min(1, cosine))
    return (numpy.sin((1 - share) * angle) * a + numpy.sin(share * angle) * b) / numpy.sin(angle)


def matrix(joint):
    x, y, z, w = joint[3:7] / numpy.linalg.norm(joint[3:7])
    turned = numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                          [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                          [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    found = numpy.eye(4)
    found[:3, :3] = turned * joint[7:10]
    found[:3, 3] = joint[:3]
    return found


class Motion:
    """The nodes of a GLB with linear keys."""

    def __init__(self, content):
        size = struct.unpack_from("<I", content, 12)[0]
        self.json = json.loads(content[20:20 + size])
        self.binary = content[28 + size:]
        self.nodes = self.json["nodes"]
        self.parents = {child: i for i, node in enumerate(self.nodes) for child in node.get("children", ())}
        self.rest = numpy.array([[*node.get("translation", (0, 0, 0)), *node.get("rotation", (0, 0, 0, 1)),
                                  *node.get("scale", (1, 1, 1))] for node in self.nodes], float)

    def values(self, number):
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        at = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        is_short = accessor["componentType"] == 5122
        found = numpy.frombuffer(self.binary, "<i2" if is_short else "<f4", accessor["count"] * width, at)
        return found.reshape(-1, width).astype(float) / (32767 if is_short else 1)

    def channels(self, name):
        clip = next(a for a in self.json["animations"] if a["name"] == name)
        for channel in clip["channels"]:
            sampler = clip["samplers"][channel["sampler"]]
            assert sampler.get("interpolation", "LINEAR") == "LINEAR"
            if channel["target"]["path"] in PATHS:
                yield (channel["target"]["node"], PATHS.index(channel["target"]["path"]),
                       self.values(sampler["input"])[:, 0], self.values(sampler["output"]))

    def morphs(self, name, time):
        """Weights of the only mesh's targets; None where the clip has none."""
        clip = next(a for a in self.json["animations"] if a["name"] == name)
        for channel in clip["channels"]:
            if channel["target"]["path"] == "weights":
                sampler = clip["samplers"][channel["sampler"]]
                times = self.values(sampler["input"])[:, 0]
                values = self.values(sampler["output"]).reshape(len(times), -1)
                return numpy.array([numpy.interp(time, times, column) for column in values.T])
        return None

    def sample(self, channels, time):
        local = self.rest.copy()
        for node, path, times, values in channels:
            i = int(numpy.clip(numpy.searchsorted(times, time, "right") - 1, 0, max(0, len(times) - 2)))
            j = min(i + 1, len(times) - 1)
            share = float(numpy.clip((time - times[i]) / (times[j] - times[i]), 0, 1)) if j > i else 0
            if path == 1:
                local[node, 3:7] = slerp(values[i], values[j], share)
            else:
                columns = slice(0, 3) if path == 0 else slice(7, 10)
                local[node, columns] = values[i] + share * (values[j] - values[i])
        return local

    def world(self, local, order):
        """By node: matrices of local transforms, [node][10]."""
        found = {}
        for node in order:
            here = matrix(local[node])
            found[node] = found[self.parents[node]] @ here if node in self.parents else here
        return found
