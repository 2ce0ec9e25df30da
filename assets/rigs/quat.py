"""Quaternions x y z w, Hamilton product, one at a time: enough to author clips with."""

import math

import numpy as np

IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])
X, Y, Z = np.eye(3)


def about(axis, angle_rad):
    axis = np.asarray(axis, float) / math.sqrt(sum(a * a for a in axis))
    return np.append(axis * math.sin(angle_rad / 2), math.cos(angle_rad / 2))


def degrees(axis, angle_deg):
    return about(axis, math.radians(angle_deg))


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                     a[0] * b[1] - a[1] * b[0]])


def mul(*factors):
    """The product, leftmost applied last."""
    result = factors[0]
    for q in factors[1:]:
        a, b = result, q
        vector = a[3] * b[:3] + b[3] * a[:3] + cross(a[:3], b[:3])
        result = np.append(vector, a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2])
    return result


def inverse(q):
    return q * np.array([-1.0, -1.0, -1.0, 1.0])


def rotate(q, v):
    t = 2 * cross(q[:3], v)
    return v + q[3] * t + cross(q[:3], t)


def unit(v):
    return v / math.sqrt(float((v * v).sum()))


def between(a, b):
    """The shortest rotation from direction a to direction b (not for opposite ones)."""
    a, b = unit(a), unit(b)
    return unit(np.append(cross(a, b), 1 + float((a * b).sum())))


def from_frames(direction, side, new_direction, new_side):
    """The rotation that takes one direction to another and, as far as it can, side to new_side."""
    swing = between(direction, new_direction)
    axis = unit(new_direction)
    turned, wanted = rotate(swing, side), np.asarray(new_side, float)
    turned = unit(turned - axis * float((axis * turned).sum()))
    wanted = unit(wanted - axis * float((axis * wanted).sum()))
    angle = math.atan2(float((cross(turned, wanted) * axis).sum()), float((turned * wanted).sum()))
    return mul(about(axis, angle), swing)


def mirror(q):
    """The same rotation seen in the plane x = 0: what the right side does when the left does q."""
    return q * np.array([1.0, -1.0, -1.0, 1.0])


def continuous(keys):
    """Flips signs so that neighbours are in one hemisphere: linear keys then take the short way."""
    keys = np.array(keys)
    for i in range(1, len(keys)):
        if (keys[i] * keys[i - 1]).sum() < 0:
            keys[i] = -keys[i]
    return keys
