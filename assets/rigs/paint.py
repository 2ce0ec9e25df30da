"""Cuts a mesh along the borders of colour regions, so that each triangle has one colour."""

import numpy as np

from . import sdf
from .remesh import ON_PLANE, edges_of

# A crossing this close to a vertex moves the vertex onto the border instead of making a sliver.
SNAP = 0.28
# A vertex that may not move takes part in the border if it is this close.
NEAR_ENOUGH = 0.15


def snap(vertices, triangles, value, locked):
    """Moves vertices close to the border along an edge onto it; changes vertices and value."""
    edges = edges_of(triangles)
    edges = edges[value[edges[:, 0]] * value[edges[:, 1]] < 0]
    t = value[edges[:, 0]] / (value[edges[:, 0]] - value[edges[:, 1]])
    for e in np.argsort(np.minimum(t, 1 - t), kind="stable"):
        if min(t[e], 1 - t[e]) > SNAP:
            break
        near, far = edges[e] if t[e] < 0.5 else edges[e][::-1]
        distance = min(t[e], 1 - t[e])
        fixed = locked[near] or vertices[near, 0] <= ON_PLANE < vertices[far, 0]
        if value[near] == 0 or value[far] == 0 or (fixed and distance > NEAR_ENOUGH):
            continue
        if not fixed:
            vertices[near] += distance * (vertices[far] - vertices[near])
        value[near] = 0
    return vertices, value


def split_triangle(triangle, value, middle):
    """The pieces of a triangle that the border crosses. middle: edge -> the vertex on it."""
    for turn in range(3):
        a, b, c = triangle[turn:] + triangle[:turn]
        ab, bc = middle.get((min(a, b), max(a, b))), middle.get((min(b, c), max(b, c)))
        if value[a] == 0 and bc is not None:
            return [(a, b, bc), (a, bc, c)]
        if ab is not None and bc is not None:
            return [(ab, b, bc), (a, ab, c), (ab, bc, c)]
    return [triangle]


def cut_along(vertices, triangles, field, shape, locked):
    """Makes the line field = 0 run along edges. locked: vertices on lines; kept up to date."""
    value = field(vertices)
    value[np.abs(value) < 1e-7] = 0
    vertices, value = snap(vertices.copy(), triangles, value, locked)
    edges = edges_of(triangles)
    edges = edges[value[edges[:, 0]] * value[edges[:, 1]] < 0]
    t = value[edges[:, 0]] / (value[edges[:, 0]] - value[edges[:, 1]])
    added = vertices[edges[:, 0]] + t[:, None] * (vertices[edges[:, 1]] - vertices[edges[:, 0]])
    first = len(vertices)
    middle = {(int(a), int(b)): first + i for i, (a, b) in enumerate(edges)}
    vertices, value = np.vstack([vertices, added]), np.append(value, np.zeros(len(added)))
    locked = np.append(locked, np.zeros(len(added), bool)) | (value == 0)

    sign = np.sign(value[triangles])
    crossed = (sign.min(axis=1) < 0) & (sign.max(axis=1) > 0)
    pieces = [piece for t in triangles[crossed].tolist()
              for piece in split_triangle(tuple(t), value, middle)]
    triangles = np.vstack([triangles[~crossed], np.array(pieces, int).reshape(-1, 3)])
    flat = vertices[:, 0] <= ON_PLANE
    on_line = value == 0
    vertices[on_line] = sdf.project(shape, vertices[on_line], steps=2)
    vertices[flat, 0] = 0
    return vertices, triangles, locked


def paint(vertices, triangles, shape, ground, regions, locked=None):
    """Cuts along every region and colours the triangles; later regions cover earlier ones.

    regions  (colour, field, limits...): all fields are negative inside; the cut is made along the
             first only, since the limits' borders are cut already or lie where nobody sees them
    locked   vertices that lie on lines already, or None
    Returns vertices, triangles and a colour per triangle.
    """
    if locked is None:
        locked = np.zeros(len(vertices), bool)
    for _, field, *_ in regions:
        vertices, triangles, locked = cut_along(vertices, triangles, field, shape, locked)
    centres = vertices[triangles].mean(axis=1)
    colours = np.full(len(triangles), ground, object)
    for colour, *fields in regions:
        colours[np.all([field(centres) < 0 for field in fields], axis=0)] = colour
    return vertices, triangles, colours
