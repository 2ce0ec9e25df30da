"""cyl2: the closed two-joint cylinder that the deformers' closed-form results are stated for."""

import math

import numpy as np

from . import glb, quat

RADIUS, HEIGHT, SEGMENTS, RINGS = 0.1, 2.0, 16, 41


def surface(height=HEIGHT, rings=RINGS):
    """Rings from the bottom up, then the two cap centres. One vertex per position."""
    turn = 2 * math.pi * np.arange(SEGMENTS) / SEGMENTS
    radial = np.stack([np.cos(turn), np.zeros(SEGMENTS), -np.sin(turn)], axis=1)
    y = height * np.arange(rings) / (rings - 1)
    sides = np.tile(radial * RADIUS, (rings, 1))
    sides[:, 1] = np.repeat(y, SEGMENTS)
    positions = np.vstack([sides, [[0, 0, 0], [0, height, 0]]])
    normals = np.vstack([np.tile(radial, (rings, 1)), [[0, -1, 0], [0, 1, 0]]])

    bottom, top = rings * SEGMENTS, rings * SEGMENTS + 1
    last = (rings - 1) * SEGMENTS
    triangles = []
    for s in range(SEGMENTS):
        n = (s + 1) % SEGMENTS
        for base in range(0, last, SEGMENTS):
            a, b, c, d = base + s, base + n, base + SEGMENTS + s, base + SEGMENTS + n
            triangles += [(a, b, d), (a, d, c)]
        triangles += [(bottom, n, s), (top, last + s, last + n)]
    return positions, normals, triangles


def influences(positions):
    """w1 = clamp((y - 0.75) / 0.5, 0, 1); an unused slot has joint 0, as validators want it."""
    w1 = np.clip((positions[:, 1] - 0.75) / 0.5, 0, 1)
    joints = np.zeros((len(positions), 4), np.uint8)
    weights = np.zeros((len(positions), 4))
    both = (w1 > 0) & (w1 < 1)
    joints[both, 1] = 1
    joints[w1 == 1, 0] = 1
    weights[:, 0] = np.where(both, 1 - w1, 1)
    weights[both, 1] = w1[both]
    return joints, weights


def there_and_back(axis, turn_deg, steps, seconds):
    """Keys from rest to turn_deg and back, close enough together that slerp has one short way."""
    angles = [turn_deg * min(i, 2 * steps - i) / steps for i in range(2 * steps + 1)]
    times = np.arange(2 * steps + 1) * (seconds / (2 * steps))
    return times, [quat.degrees(axis, a) for a in angles]


def build():
    doc = glb.Glb()
    nodes, skin = glb.add_skeleton(doc, ["J0", "J1"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    positions, normals, triangles = surface()
    material = glb.add_material(doc, "amber", "#e3a23c", roughness=0.6)
    primitive = glb.add_primitive(doc, material, positions, normals, *influences(positions),
                                  triangles)
    glb.add_skinned_mesh(doc, "cyl2", [primitive], skin)
    for name, axis, turn_deg, steps in (("twist", quat.Y, 180, 4), ("bend", quat.Z, 90, 2)):
        times, keys = there_and_back(axis, turn_deg, steps, seconds=4.0)
        glb.add_clip(doc, name, times, [(nodes[1], "rotation", keys)])
    return doc.to_bytes()
