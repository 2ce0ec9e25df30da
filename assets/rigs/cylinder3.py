"""cyl3: a closed cylinder of three joints, two of which have examples; see sculpts.py."""

import numpy as np

from . import cylinder, glb, quat

HEIGHT, RINGS = 2.4, 49
JOINTS = (0.0, 0.8, 1.6)
RAMP = 0.4  # of the weights, from one joint to the next, with the joint in its middle


def influences(positions):
    """Ramps over each joint; an unused slot has joint 0, as validators want it."""
    y = positions[:, 1]
    reached = [np.clip((y - joint) / RAMP + 0.5, 0, 1) for joint in JOINTS[1:]]
    shares = np.stack([1 - reached[0], reached[0] - reached[1], reached[1]], axis=1)
    joints = np.zeros((len(positions), 4), np.uint8)
    weights = np.zeros((len(positions), 4))
    for v, own in enumerate(shares):
        used = np.flatnonzero(own)
        joints[v, :len(used)] = used
        weights[v, :len(used)] = own[used]
    return joints, weights


def build():
    doc = glb.Glb()
    nodes, skin = glb.add_skeleton(doc, ["J0", "J1", "J2"], [-1, 0, 1],
                                   [[0, y, 0] for y in JOINTS])
    positions, normals, triangles = cylinder.surface(HEIGHT, RINGS)
    material = glb.add_material(doc, "teal", "#2f9c95", roughness=0.6)
    primitive = glb.add_primitive(doc, material, positions, normals, *influences(positions),
                                  triangles)
    glb.add_skinned_mesh(doc, "cyl3", [primitive], skin)
    tracks = [(nodes[at], "rotation", [quat.degrees(quat.Z, turn) for turn in turns])
              for at, turns in ((1, (0, 90, 90, 0, 0)), (2, (0, 0, 90, 90, 0)))]
    glb.add_clip(doc, "bend", np.arange(5.0), tracks)
    return doc.to_bytes()
