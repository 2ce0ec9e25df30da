"""tube23: 23 joints and 4402 unshared triangles, each with one joint set: the benchmark's mesh."""

import math

import numpy as np

from . import glb, quat

JOINTS, SEGMENTS = 23, 31
SPACING, RADIUS = 0.1, 0.1
# 20 intervals of the spline; the first 11 have four spans each, the last 9 have three: 71 spans.
SPANS = [4] * 11 + [3] * 9
WAVE_SECONDS, WAVE_KEYS = 2.0, 40


def basis(t):
    """The uniform cubic B-spline weights of joints i .. i+3 at t in [0,1] of interval i."""
    return np.array([(1 - t) ** 3, 3 * t ** 3 - 6 * t ** 2 + 4,
                     -3 * t ** 3 + 3 * t ** 2 + 3 * t + 1, t ** 3]) / 6


def corner(interval, t, segment):
    """Position, normal and weights of a corner; the last segment closes on the first exactly."""
    turn = 2 * math.pi * (segment % SEGMENTS) / SEGMENTS
    normal = np.array([math.cos(turn), 0.0, -math.sin(turn)])
    # Joint k sits at y = k * SPACING, so the weighted mean of an interval's joints is the height.
    position = normal * RADIUS + [0.0, (interval + 1 + t) * SPACING, 0.0]
    return position, normal, basis(t)


def surface():
    positions, normals, joints, weights = [], [], [], []
    for interval, spans in enumerate(SPANS):
        for span in range(spans):
            low, high = span / spans, (span + 1) / spans
            for s in range(SEGMENTS):
                a, b = corner(interval, low, s), corner(interval, low, s + 1)
                c, d = corner(interval, high, s), corner(interval, high, s + 1)
                for position, normal, weight in (a, b, d, a, d, c):
                    positions.append(position)
                    normals.append(normal)
                    # At a knot one weight is zero; its slot then names joint 0.
                    joints.append([interval + k if weight[k] > 0 else 0 for k in range(4)])
                    weights.append(weight)
    return np.array(positions), np.array(normals), np.array(joints), np.array(weights)


def wave_key(joint, phase):
    """A bend that travels up the tube; it grows from the foot so that the foot stays put."""
    grow = min(1.0, joint / 5)
    return quat.mul(
        quat.degrees(quat.Z, 9 * grow * math.sin(2 * math.pi * (phase - joint / 14))),
        quat.degrees(quat.X, 4 * grow * math.sin(2 * math.pi * (phase - joint / 14 + 0.25))))


def build():
    doc = glb.Glb()
    names = [f"J{j}" for j in range(JOINTS)]
    nodes, skin = glb.add_skeleton(doc, names, range(-1, JOINTS - 1),
                                   [[0, j * SPACING, 0] for j in range(JOINTS)])
    material = glb.add_material(doc, "teal", "#2f9c95", roughness=0.5, double_sided=True)
    primitive = glb.add_primitive(doc, material, *surface())
    glb.add_skinned_mesh(doc, "tube23", [primitive], skin)
    phases = [(i % WAVE_KEYS) / WAVE_KEYS for i in range(WAVE_KEYS + 1)]
    tracks = [(nodes[j], "rotation", quat.continuous([wave_key(j, p) for p in phases]))
              for j in range(1, JOINTS)]
    glb.add_clip(doc, "wave", np.arange(WAVE_KEYS + 1) * (WAVE_SECONDS / WAVE_KEYS), tracks)
    return doc.to_bytes()
