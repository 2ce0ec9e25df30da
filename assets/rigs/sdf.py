"""Signed distance shapes, negative inside, and smooth ways to join them. Points are [count][3].

The distances are estimates: exact at the surface and within about a factor of two near it. That is
enough here, since every vertex is walked onto the surface by small steps afterwards (see project).
"""

import numpy as np


def length(v):
    return np.sqrt((v * v).sum(axis=1))


def ellipsoid(p, centre, radii):
    """Scaled space gives the shape; dividing by the gradient there gives back a distance."""
    q = p - np.asarray(centre)
    radii = np.asarray(radii)
    inner, gradient = length(q / radii), length(q / (radii * radii))
    return inner * (inner - 1) / np.maximum(gradient, 1e-9)


def bone(p, start, end, start_radius, end_radius, side=(0, 0, 1), squash=1.0):
    """A tapering rod with round ends. squash < 1 makes it thinner along side (a unit vector)."""
    start, axis = np.asarray(start, float), np.subtract(end, start)
    q = p - start
    t = np.clip((q * axis).sum(axis=1) / (axis * axis).sum(), 0, 1)
    away = q - t[:, None] * axis
    if squash != 1.0:
        side = np.asarray(side, float)
        away = away + side * ((away * side).sum(axis=1) * (1 / squash - 1))[:, None]
    return length(away) - (start_radius + t * (end_radius - start_radius))


def plane(p, point, normal):
    """Negative on the side that the normal points away from."""
    normal = np.asarray(normal, float)
    return ((p - np.asarray(point)) * (normal / np.sqrt((normal * normal).sum()))).sum(axis=1)


def join(a, b, radius):
    """The union, with the inner corner filled over about radius."""
    h = np.maximum(radius - np.abs(a - b), 0) / radius
    return np.minimum(a, b) - h * h * radius * 0.25


def join_all(radius, *shapes):
    result = shapes[0]
    for shape in shapes[1:]:
        result = join(result, shape, radius)
    return result


def meet(a, b, radius):
    """The intersection, with the outer corner rounded over about radius."""
    return -join(-a, -b, radius)


def cut(a, b, radius):
    """a without b."""
    return meet(a, -b, radius)


def gradient(shape, p, step=1e-4):
    """The direction of growth by central differences; unit length."""
    result = np.empty_like(p)
    for axis in range(3):
        offset = np.zeros(3)
        offset[axis] = step
        result[:, axis] = shape(p + offset) - shape(p - offset)
    return result / np.maximum(length(result), 1e-12)[:, None]


def project(shape, p, steps=3, step=1e-4):
    """Walks points onto the surface. The slope corrects distances that are estimates."""
    for _ in range(steps):
        direction = gradient(shape, p, step)
        distance = shape(p)
        slope = (shape(p + direction * step) - shape(p - direction * step)) / (2 * step)
        move = np.clip(distance / np.maximum(slope, 0.3), -0.01, 0.01)
        p = p - direction * move[:, None]
    return p
