"""Writes binary glTF 2.0: collects arrays into one buffer and lays out the JSON around it."""

import json
import struct

import numpy as np

COMPONENT = {"uint8": 5121, "uint16": 5123, "uint32": 5125, "float32": 5126}
SHAPE = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963
GENERATOR = "posed assets/make_rigs.py"


class Glb:
    """A glTF document under construction; every add_* returns the index of what it added."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0", "generator": GENERATOR,
                               "copyright": "MIT licence"},
                     "scene": 0, "scenes": [{"nodes": []}]}
        self.data = bytearray()

    def add(self, kind, item):
        """Appends to a top-level list such as "nodes" and returns the index."""
        items = self.json.setdefault(kind, [])
        items.append(item)
        return len(items) - 1

    def add_accessor(self, array, target=None, bounds=False):
        """One tightly packed view and accessor for array [count] or [count, components]."""
        array = np.ascontiguousarray(array)
        if array.dtype == np.float32:
            # -0.0 and 0.0 are equal to every reader, but not to a comparison of bytes.
            array = array + np.float32(0)
        self.data.extend(b"\0" * (-len(self.data) % 4))
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes}
        if target:
            view["target"] = target
        components = 1 if array.ndim == 1 else array.shape[1]
        accessor = {"bufferView": self.add("bufferViews", view), "count": len(array),
                    "componentType": COMPONENT[array.dtype.name], "type": SHAPE[components]}
        if bounds:
            flat = array.reshape(len(array), components)
            accessor["min"] = [float(x) for x in flat.min(axis=0)]
            accessor["max"] = [float(x) for x in flat.max(axis=0)]
        self.data.extend(array.tobytes())
        return self.add("accessors", accessor)

    def to_bytes(self):
        self.json["buffers"] = [{"byteLength": len(self.data)}]
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        data = bytes(self.data) + b"\0" * (-len(self.data) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def add_material(glb, name, srgb, roughness=0.8, double_sided=False):
    """srgb is "#rrggbb" as a designer writes it; glTF wants linear light."""
    channels = [int(srgb[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    material = {"name": name, "pbrMetallicRoughness": {
        "baseColorFactor": [round(c, 4) for c in linear] + [1.0],
        "metallicFactor": 0.0, "roughnessFactor": roughness}}
    if double_sided:
        material["doubleSided"] = True
    return glb.add("materials", material)


def add_primitive(glb, material, positions, normals, joints, weights, triangles=None, targets=()):
    """A skinned primitive. triangles None: three vertices in a row are a triangle.

    targets  (position deltas, normal deltas) per morph target
    """
    def attribute(array, dtype, bounds=False):
        return glb.add_accessor(np.asarray(array, dtype), ARRAY_BUFFER, bounds)

    primitive = {"material": material, "attributes": {
        "POSITION": attribute(positions, np.float32, bounds=True),
        "NORMAL": attribute(unit_float32(normals), np.float32),
        "JOINTS_0": attribute(joints, np.uint8),
        "WEIGHTS_0": attribute(weights, np.float32)}}
    if triangles is not None:
        dtype = np.uint16 if len(positions) < 65536 else np.uint32
        indices = np.asarray(triangles, dtype).reshape(-1)
        primitive["indices"] = glb.add_accessor(indices, ELEMENT_ARRAY_BUFFER)
    if targets:
        primitive["targets"] = [{"POSITION": attribute(p, np.float32, bounds=True),
                                 "NORMAL": attribute(n, np.float32)} for p, n in targets]
    return primitive


def unit_float32(normals):
    normals = np.asarray(normals, np.float64)
    return (normals / np.sqrt((normals ** 2).sum(axis=1))[:, None]).astype(np.float32)


def add_skeleton(glb, names, parents, positions):
    """Joint nodes, not rotated at rest; positions are in model space. Returns (nodes, skin)."""
    positions = np.asarray(positions, np.float64)
    first = len(glb.json.get("nodes", []))
    for j, name in enumerate(names):
        origin = positions[parents[j]] if parents[j] >= 0 else np.zeros(3)
        offset = np.round(positions[j] - origin, 6)
        node = {"name": name, "translation": [float(x) + 0.0 for x in offset]}
        children = [first + k for k in range(len(names)) if parents[k] == j]
        if children:
            node["children"] = children
        glb.add("nodes", node)
        if parents[j] < 0:
            glb.json["scenes"][0]["nodes"].append(first + j)
    inverse_bind = np.tile(np.eye(4, dtype=np.float32), (len(names), 1, 1))
    inverse_bind[:, 3, :3] = -positions  # column-major: the last row here is the translation
    nodes = list(range(first, first + len(names)))
    accessor = glb.add_accessor(inverse_bind.reshape(len(names), 16))
    return nodes, glb.add("skins", {"inverseBindMatrices": accessor, "skeleton": first,
                                    "joints": nodes})


def add_skinned_mesh(glb, name, primitives, skin, target_names=()):
    """Puts the mesh on a root node of its own, as the specification asks. Returns the node."""
    mesh = {"name": name, "primitives": primitives}
    if target_names:
        mesh["weights"] = [0.0] * len(target_names)
        mesh["extras"] = {"targetNames": list(target_names)}
    node = glb.add("nodes", {"name": name, "mesh": glb.add("meshes", mesh), "skin": skin})
    glb.json["scenes"][0]["nodes"].append(node)
    return node


def add_clip(glb, name, times, tracks, extras=None):
    """A clip of LINEAR tracks that share their key times.

    tracks  (node, "rotation" | "translation" | "weights", values [key][components])
    """
    clip = {"name": name, "samplers": [], "channels": []}
    if extras:
        clip["extras"] = extras
    time = glb.add_accessor(np.asarray(times, np.float32), bounds=True)
    for node, path, values in tracks:
        values = np.asarray(values, np.float32)
        if path == "weights":
            values = values.reshape(-1)
        clip["samplers"].append({"input": time, "interpolation": "LINEAR",
                                 "output": glb.add_accessor(values)})
        clip["channels"].append({"sampler": len(clip["samplers"]) - 1,
                                 "target": {"node": node, "path": path}})
    return glb.add("animations", clip)
