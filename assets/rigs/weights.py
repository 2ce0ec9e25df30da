"""Smooth skin weights: each vertex starts with one joint, then the weights diffuse over the skin.

Heat flows along the surface, so it cannot jump from an arm to the trunk or from leg to leg.
"""

import numpy as np

from . import sdf

STEPS = 2
LEAST = 0.010  # smaller weights are dropped
UNITS = 65536  # weights are multiples of 1/65536, which float32 adds up to exactly 1


def cotangents(vertices, triangles):
    """Half edges (from, to, half the opposite angle's cotangent), and each vertex's area."""
    corners = vertices[triangles]
    area2 = sdf.length(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    mass = np.zeros(len(vertices))
    start, end, cot = [], [], []
    for k in range(3):
        a, b, c = (corners[:, (k + i) % 3] for i in range(3))
        np.add.at(mass, triangles[:, k], area2 / 6)
        # Negative cotangents of thin triangles would let weights become negative.
        value = np.maximum(((a - c) * (b - c)).sum(axis=1) / np.maximum(area2, 1e-12), 0.02)
        start.append(triangles[:, k])
        end.append(triangles[:, (k + 1) % 3])
        cot.append(np.minimum(value, 5.0) / 2)
    return np.concatenate(start), np.concatenate(end), np.concatenate(cot), mass


def diffuse(vertices, triangles, joint, joint_count, reach):
    """Implicit heat flow from hard labels. reach [vertex]: the distance to smooth over, metres."""
    start, end, cot, mass = cotangents(vertices, triangles)
    flow = cot * (0.5 * (reach[start] + reach[end])) ** 2 / STEPS
    diagonal = mass.copy()
    np.add.at(diagonal, start, flow)
    np.add.at(diagonal, end, flow)

    def apply(w):
        result = diagonal[:, None] * w
        for column in range(w.shape[1]):
            result[:, column] -= np.bincount(start, flow * w[end, column], len(w))
            result[:, column] -= np.bincount(end, flow * w[start, column], len(w))
        return result

    weights = np.zeros((len(vertices), joint_count))
    weights[np.arange(len(vertices)), joint] = 1
    for _ in range(STEPS):
        weights = conjugate_gradient(apply, mass[:, None] * weights, diagonal, weights)
    return np.maximum(weights, 0)


def conjugate_gradient(apply, right, diagonal, guess):
    """Solves for all columns at once; preconditioned by the diagonal."""
    x = guess.copy()
    residual = right - apply(x)
    z = residual / diagonal[:, None]
    direction, rz = z.copy(), (residual * z).sum(axis=0)
    for _ in range(400):
        if np.abs(residual).max() < 1e-9 * right.max():
            break
        image = apply(direction)
        step = rz / np.maximum((direction * image).sum(axis=0), 1e-300)
        x += step * direction
        residual -= step * image
        z = residual / diagonal[:, None]
        rz, last = (residual * z).sum(axis=0), rz
        direction = z + direction * (rz / np.maximum(last, 1e-300))
    return x


def four_largest(weights):
    """Joints [vertex][4] and weights [vertex][4] that sum to 1 exactly; unused slots are 0, 0."""
    order = np.argsort(-weights, axis=1, kind="stable")[:, :4]
    kept = np.take_along_axis(weights, order, axis=1)
    kept[kept < LEAST] = 0
    units = np.round(kept / kept.sum(axis=1)[:, None] * UNITS).astype(np.int64)
    units[:, 0] += UNITS - units.sum(axis=1)
    joints = np.where(units > 0, order, 0)
    return joints.astype(np.uint8), (units / UNITS).astype(np.float32)
