"""Reads back what glb.py wrote: the vertices of one skinned mesh with its joints."""

import json
import struct

import numpy as np

from .glb import COMPONENT, SHAPE

DTYPE = {number: name for name, number in COMPONENT.items()}
WIDTH = {name: width for width, name in SHAPE.items()}


class SkinnedMesh:
    """positions, normals [vertices][3]; joints, weights [vertices][4], of all primitives in a row;
    names, parents (-1 = none) and origins [joints][3] of joints that are not turned at rest."""

    def __init__(self, data):
        (length,) = struct.unpack_from("<I", data, 12)
        self.document = json.loads(data[20:20 + length])
        self.binary = data[28 + length:]
        primitives = [p for mesh in self.document["meshes"] for p in mesh["primitives"]]
        self.positions, self.normals, self.joints, self.weights = (
            np.vstack([self._accessor(p["attributes"][name]) for p in primitives])
            for name in ("POSITION", "NORMAL", "JOINTS_0", "WEIGHTS_0"))
        nodes, skin = self.document["nodes"], self.document["skins"][0]["joints"]
        self.names = [nodes[node]["name"] for node in skin]
        self.parents = [-1] * len(skin)
        for at, node in enumerate(skin):
            for child in nodes[node].get("children", []):
                self.parents[skin.index(child)] = at
        self.origins = np.zeros((len(skin), 3))
        for at, node in enumerate(skin):  # parents come first
            base = self.origins[self.parents[at]] if self.parents[at] >= 0 else 0
            self.origins[at] = base + np.array(nodes[node]["translation"])

    def _accessor(self, index):
        accessor = self.document["accessors"][index]
        view = self.document["bufferViews"][accessor["bufferView"]]
        width = WIDTH[accessor["type"]]
        dtype = np.dtype(DTYPE[accessor["componentType"]])
        numbers = np.frombuffer(self.binary, dtype, accessor["count"] * width, view["byteOffset"])
        return numbers.reshape(accessor["count"], width).astype(np.float64)

    def weight_of(self, joint):
        """[vertices] how much each follows a joint."""
        return np.where(self.joints == self.names.index(joint), self.weights, 0).sum(axis=1)

    def parent_of(self, joint):
        parent = self.parents[self.names.index(joint)]
        return self.names[parent] if parent >= 0 else None

    def follows(self, joint):
        """[vertices] how much each goes along when a joint turns: with it, or with one below."""
        below = [self.names.index(joint)]
        for at, parent in enumerate(self.parents):
            if parent in below:
                below.append(at)
        return sum(self.weight_of(self.names[at]) for at in below)
