"""Opens a slit along a line of edges, as between eyelids, and makes the walls behind it."""

import numpy as np

from .remesh import edges_of

# Vertices of a cut lie this close to the wanted line, metres; their neighbours do not.
ON_LINE = 0.00015


class Slit:
    """The two lips of a slit: vertex numbers in order of x, sharing the ends that stay closed."""

    def __init__(self, upper, lower):
        self.upper, self.lower = upper, lower


def line_of(vertices, triangles, field, window):
    """The vertices along field = 0 inside the window, in order of x. The mesh is cut there already.

    Its edges are those with one triangle above and one below. Asserts that they make one line.
    """
    on_line = (np.abs(field(vertices)) < ON_LINE) & window(vertices)
    above = field(vertices[triangles].mean(axis=1)) > 0
    sides = [{tuple(e) for e in edges_of(triangles[which]).tolist()} for which in (above, ~above)]
    edges = {(a, b) for a, b in sides[0] & sides[1] if on_line[a] and on_line[b]}
    path = sorted({v for edge in edges for v in edge}, key=lambda v: vertices[v, 0])
    for a, b in zip(path, path[1:]):
        assert (min(a, b), max(a, b)) in edges, "the line of a slit has a gap"
    return np.array(path)


def open_along(vertices, triangles, field, window, closed_ends):
    """Gives the triangles below the line (field < 0) their own vertices along it.

    closed_ends  (first, last): whether that end keeps one vertex
    Returns vertices, triangles and the Slit.
    """
    path = line_of(vertices, triangles, field, window)
    inner = path[int(closed_ends[0]):len(path) - int(closed_ends[1])]
    copy = np.arange(len(vertices) + len(inner))
    copy[inner] = len(vertices) + np.arange(len(inner))
    below = field(vertices[triangles].mean(axis=1)) < 0
    triangles = np.where(below[:, None], copy[triangles], triangles)
    return np.vstack([vertices, vertices[inner]]), triangles, Slit(path, copy[path])


def strip(edge, back, faces_down):
    """Triangles between two rows of vertices; edge is in front, both run towards +x."""
    triangles = []
    for i in range(len(edge) - 1):
        triangles += [(edge[i], back[i], edge[i + 1]), (back[i], back[i + 1], edge[i + 1])]
    triangles = np.array(triangles)
    return triangles if faces_down else triangles[:, ::-1]
