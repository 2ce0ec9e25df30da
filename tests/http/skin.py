"""The vertices of a GLB, skinned here: by linear blending and by dual quaternions."""
import pclip
from debian import debian_module

numpy = debian_module("numpy")
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
TYPES = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}


class Skin:
    """All primitives of all meshes at nodes, in the order of nodes: skinned ones, of one skin each."""

    def __init__(self, content):
        self.motion = pclip.Motion(content)
        self.json, self.pieces = self.motion.json, []
        for node in self.motion.nodes:
            if "mesh" in node:
                mesh = self.json["meshes"][node["mesh"]]
                self.pieces += [self.piece(node, mesh, primitive) for primitive in mesh["primitives"]]

    def values(self, number):
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        kind, width = numpy.dtype(TYPES[accessor["componentType"]]), WIDTHS[accessor["type"]]
        at = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", kind.itemsize * width)
        return numpy.ndarray((accessor["count"], width), kind, self.motion.binary, at,
                             (stride, kind.itemsize)).astype(float)

    def piece(self, node, mesh, primitive):
        skin, attributes = self.json["skins"][node["skin"]], primitive["attributes"]
        weights = self.values(attributes["WEIGHTS_0"])
        targets = [self.values(target["POSITION"]) for target in primitive.get("targets", ())]
        return {
            "positions": self.values(attributes["POSITION"]),
            "targets": numpy.array(targets).reshape(len(targets), len(weights), 3),
            "rest_weights": mesh.get("weights", [0] * len(targets)),
            "nodes": numpy.array(skin["joints"]),
            "binds": self.values(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1),
            "joints": self.values(attributes["JOINTS_0"]).astype(int),
            "weights": weights / weights.sum(1, keepdims=True),
        }

    def vertices(self, world, morphs=None, blend=None):
        """[vertices][3] of world matrices by node, and weights of morph targets, [targets]."""
        found = []
        for piece in self.pieces:
            weights = numpy.asarray(piece["rest_weights"] if morphs is None else morphs, float)
            places = piece["positions"] + numpy.tensordot(weights, piece["targets"], 1)
            palette = numpy.array([world[node] for node in piece["nodes"]]) @ piece["binds"]
            found.append((blend or linear)(palette, piece["joints"], piece["weights"], places))
        return numpy.concatenate(found)

    def joints(self):
        """The node that each vertex follows most."""
        return numpy.concatenate([
            piece["nodes"][numpy.take_along_axis(piece["joints"], piece["weights"].argmax(1)[:, None], 1)[:, 0]]
            for piece in self.pieces])


def linear(palette, joints, weights, places):
    blended = numpy.einsum("vk,vkij->vij", weights, palette[joints])
    return numpy.einsum("vij,vj->vi", blended[:, :3, :3], places) + blended[:, :3, 3]


def quaternion(matrix):
    """x y z w of a rotation matrix, Shepperd's way."""
    trace = numpy.trace(matrix[:3, :3])
    numbers = [*numpy.diag(matrix)[:3], trace]
    i = int(numpy.argmax(numbers))
    off = {(a, b): matrix[a, b] for a in range(3) for b in range(3)}
    if i == 3:
        q = [off[2, 1] - off[1, 2], off[0, 2] - off[2, 0], off[1, 0] - off[0, 1], 1 + trace]
    else:
        j, k = (i + 1) % 3, (i + 2) % 3
        q = [0, 0, 0, off[k, j] - off[j, k]]
        q[i] = 1 + 2 * off[i, i] - trace
        q[j], q[k] = off[j, i] + off[i, j], off[k, i] + off[i, k]
    return numpy.array(q) / numpy.linalg.norm(q)


def product(a, b):
    """Of quaternions x y z w along the last axis."""
    vector = a[..., 3:] * b[..., :3] + b[..., 3:] * a[..., :3] + numpy.cross(a[..., :3], b[..., :3])
    return numpy.concatenate([vector, a[..., 3:] * b[..., 3:] - (a[..., :3] * b[..., :3]).sum(-1, keepdims=True)], -1)


def dual(palette, joints, weights, places):
    """Kavan et al. 2007, of rigid matrices; the first influence is the pivot of signs."""
    real = numpy.array([quaternion(matrix) for matrix in palette])
    moved = numpy.concatenate([palette[:, :3, 3], numpy.zeros((len(palette), 1))], 1)
    half = product(moved, real) / 2
    pivot = numpy.take_along_axis(joints, weights.argmax(1)[:, None], 1)[:, 0]
    signs = numpy.where((real[joints] * real[pivot][:, None]).sum(-1) < 0, -1, 1) * weights
    turn = (signs[..., None] * real[joints]).sum(1)
    shift = (signs[..., None] * half[joints]).sum(1)
    length = numpy.linalg.norm(turn, axis=1, keepdims=True)
    turn, shift = turn / length, shift / length
    inverse = turn * (-1, -1, -1, 1)
    points = numpy.concatenate([places, numpy.zeros((len(places), 1))], 1)
    return (product(product(turn, points), inverse) + 2 * product(shift, inverse))[:, :3]
