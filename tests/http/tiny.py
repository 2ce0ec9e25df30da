"""Builds tiny glTF files in memory, valid unless a test breaks them on purpose."""
import base64
import io
import json
import struct
import urllib.parse
import zipfile

BYTE, UBYTE, SHORT, USHORT, UINT, FLOAT = 5120, 5121, 5122, 5123, 5125, 5126
PACK = {BYTE: "b", UBYTE: "B", SHORT: "h", USHORT: "H", UINT: "I", FLOAT: "f"}
SIZE = {BYTE: 1, UBYTE: 1, SHORT: 2, USHORT: 2, UINT: 4, FLOAT: 4}
WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def translation_matrix(x, y, z):
    """Column-major, as glTF wants it."""
    return IDENTITY[:12] + [x, y, z, 1]


def float32(number):
    """The nearest float32, as a Python number."""
    return struct.unpack("<f", struct.pack("<f", number))[0]


class Tiny:
    """A glTF under construction: `json` may be changed freely before glb() or gltf()."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}]}
        self.bin = bytearray()

    def add(self, member, thing):
        """Appends to a top-level array and returns the index."""
        things = self.json.setdefault(member, [])
        things.append(thing)
        return len(things) - 1

    def view(self, data, stride=None):
        self.bin += bytes(-len(self.bin) % 4)
        view = {"buffer": 0, "byteOffset": len(self.bin), "byteLength": len(data)}
        if stride:
            view["byteStride"] = stride
        self.bin += data
        return self.add("bufferViews", view)

    def accessor(self, rows, kind, component=FLOAT, normalized=False, bounds=False, padded=False):
        """One accessor in a buffer view of its own.

        rows: sequences, or numbers for SCALAR; bounds: write min and max, as POSITION and key
        times need; padded: rows start at multiples of 4 bytes, as vertex attributes need.
        """
        rows = [row if isinstance(row, (list, tuple)) else [row] for row in rows]
        pack = struct.Struct("<" + str(WIDTH[kind]) + PACK[component]).pack
        packed = [pack(*row) for row in rows]
        stride = None
        if padded and SIZE[component] * WIDTH[kind] % 4:
            stride = SIZE[component] * WIDTH[kind] + 3 & ~3
            packed = [row.ljust(stride, b"\0") for row in packed]
        accessor = {
            "bufferView": self.view(b"".join(packed), stride),
            "componentType": component,
            "count": len(rows),
            "type": kind,
        }
        if normalized:
            accessor["normalized"] = True
        if bounds:
            columns = list(zip(*rows))
            exact = float32 if component == FLOAT else int
            accessor["min"] = [exact(min(column)) for column in columns]
            accessor["max"] = [exact(max(column)) for column in columns]
        return self.add("accessors", accessor)

    def primitive(self, positions, indices=None, index_type=USHORT, **more):
        """A primitive; `more` is NORMAL, JOINTS_0, WEIGHTS_0, ... as accessor indices."""
        primitive = {
            "attributes": {"POSITION": self.accessor(positions, "VEC3", bounds=True), **more}
        }
        if indices is not None:
            primitive["indices"] = self.accessor(indices, "SCALAR", index_type)
        return primitive

    def normals(self, rows):
        return self.accessor(rows, "VEC3")

    def influences(self, joints, weights, joint_type=UBYTE, weight_type=FLOAT):
        """Accessors for JOINTS_n and WEIGHTS_n; integer weights are given as integers."""
        return (
            self.accessor(joints, "VEC4", joint_type),
            self.accessor(weights, "VEC4", weight_type, normalized=weight_type != FLOAT),
        )

    def mesh(self, *primitives, **more):
        return self.add("meshes", {"primitives": list(primitives), **more})

    def node(self, root=False, **members):
        index = self.add("nodes", members)
        if root:
            self.json["scenes"][0]["nodes"].append(index)
        return index

    def skin(self, joints, inverse_bind=None):
        skin = {"joints": joints}
        if inverse_bind is not None:
            skin["inverseBindMatrices"] = self.accessor(inverse_bind, "MAT4")
        return self.add("skins", skin)

    def clip(self, channels, **more):
        """channels: (node, path, times, rows, interpolation); cubic rows are in, value, out."""
        samplers, targets = [], []
        for node, path, times, rows, interpolation in channels:
            kind = {"rotation": "VEC4", "weights": "SCALAR"}.get(path, "VEC3")
            sampler = {
                "input": self.accessor(times, "SCALAR", bounds=True),
                "output": self.accessor(rows, kind),
                "interpolation": interpolation,
            }
            targets.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
            samplers.append(sampler)
        return self.add("animations", {"channels": targets, "samplers": samplers, **more})

    def material(self, **members):
        return self.add("materials", members)

    def text(self, uri=None):
        """The JSON; uri is the buffer's."""
        whole = dict(self.json)
        if self.bin:
            whole["buffers"] = [{"byteLength": len(self.bin), **({"uri": uri} if uri else {})}]
        return json.dumps(whole).encode()

    def glb(self):
        return glb(self.text(), bytes(self.bin))

    def gltf(self):
        """The same file as JSON whose buffer is a data URI."""
        data = base64.b64encode(bytes(self.bin)).decode()
        return self.text("data:application/octet-stream;base64," + data)

    def zip(self, document="scene.gltf", buffer="scene data ä.bin"):
        """The same file as JSON and a buffer of its own in an archive."""
        folder = document.rpartition("/")[0]
        text = self.text(urllib.parse.quote(buffer))
        return archive({document: text, f"{folder}/{buffer}".lstrip("/"): bytes(self.bin)})


def archive(files):
    """A ZIP of files by name."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, body in files.items():
            packed.writestr(name, body)
    return out.getvalue()


def glb(text, data=b"", version=2, length=None):
    """The GLB container around JSON text and binary data."""
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if data:
        chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", version, length or 12 + len(chunks)) + chunks


def split_glb(data):
    """(JSON as a dict, binary chunk) of a GLB."""
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + size]), data[20 + size + 8 :]


def read_accessor(data, index):
    """The rows of a tightly packed accessor of a GLB, as tuples."""
    whole, binary = split_glb(data)
    accessor = whole["accessors"][index]
    view = whole["bufferViews"][accessor["bufferView"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    row = struct.Struct("<" + str(WIDTH[accessor["type"]]) + PACK[accessor["componentType"]])
    size = accessor["count"] * row.size
    return list(row.iter_unpack(binary[start : start + size]))
