"""The examples of the demo rigs: poses of one joint each, and how far from the plain pose a sculptor
has moved vertices. Only vertices move that the joint's own bone hangs on: those that follow its
parent, and nothing above that."""

import json

import numpy as np

from . import quat
from .glb_read import SkinnedMesh

LEAST = 2e-5  # metres; what is moved by less stays


def turned(mesh, joint, turn):
    """Normals in a pose that turns one joint: blended as the vertices are."""
    share = mesh.follows(joint)[:, None]
    rotated = np.array([quat.rotate(turn, n) for n in mesh.normals])
    normals = (1 - share) * mesh.normals + share * rotated
    return normals / np.sqrt((normals ** 2).sum(axis=1))[:, None]


def support(mesh, joint):
    """Which vertices the joint's examples may move."""
    parent = mesh.parent_of(joint)
    above = mesh.parent_of(parent)
    moved = mesh.weight_of(parent) > 0
    return moved & (mesh.weight_of(above) == 0) if above else moved


def bump(distance, width):
    return np.exp(-(distance / width) ** 2)


def example(mesh, joint, turn, heights):
    """JSON of an example. heights: metres along the normal, of all vertices at rest."""
    heights = np.where(support(mesh, joint), heights, 0)
    normals = turned(mesh, joint, turn)
    offsets = [[int(v), *(round(float(x), 5) + 0.0 for x in normals[v] * heights[v])]
               for v in np.flatnonzero(abs(heights) >= LEAST)]
    pose = {"set": "rest", "joints": {joint: {"rotation": [round(float(x), 6) for x in turn]}}}
    return json.dumps({"pose": pose, "offsets": offsets}, separators=(",", ":")) + "\n"


def along(mesh, start, end):
    """Where vertices lie along a bone, 0 to 1, and how far from its line, in metres."""
    bone = end - start
    share = (mesh.positions - start) @ bone / (bone @ bone)
    return share, np.sqrt(((mesh.positions - start - share[:, None] * bone) ** 2).sum(axis=1))


def humanoid(data):
    mesh = SkinnedMesh(data)
    arm = [mesh.origins[mesh.names.index(name)]
           for name in ("LeftArm", "LeftForeArm", "LeftHand")]
    upper, fore = quat.unit(arm[1] - arm[0]), quat.unit(arm[2] - arm[1])
    # The biceps swells on the side that the forearm comes up on.
    bend = quat.about(quat.cross(upper, fore), np.radians(100))
    inner = quat.rotate(bend, fore)
    inner = quat.unit(inner - upper * float(inner @ upper))
    share, _ = along(mesh, arm[0], arm[1])
    biceps = 0.018 * bump(share - 0.66, 0.2) * np.clip(mesh.normals @ inner, 0, 1)
    biceps += 0.009 * bump(share - 1, 0.16)  # what the elbow loses
    # The shoulder's muscle rounds what a raised arm would pinch.
    _, far = along(mesh, arm[0], arm[0] + np.array([0, 0, 0.1]))
    deltoid = 0.014 * bump(far, 0.09) * np.clip(mesh.normals @ quat.unit(np.array([0.5, 1, 0])), 0, 1)
    return {"LeftArm_raised": example(mesh, "LeftArm", quat.degrees(quat.Z, 60), deltoid),
            "LeftForeArm_bent": example(mesh, "LeftForeArm", bend, biceps)}


def cylinder(data):
    mesh = SkinnedMesh(data)
    examples = {}
    for joint in mesh.names[1:]:
        # Bent about +Z the upper part goes to -X: there a muscle swells below the joint.
        height = mesh.origins[mesh.names.index(joint)][1]
        above = mesh.positions[:, 1] - height
        swell = 0.05 * bump(above + 0.36, 0.12) * np.clip(-mesh.normals[:, 0], 0, 1)
        swell += 0.03 * bump(above, 0.12)  # what the fold loses
        examples[f"{joint}_bent"] = example(mesh, joint, quat.degrees(quat.Z, 90), swell)
    return examples
