"""Makes a triangle mesh even: splits, collapses and flips edges until they have the wanted lengths.

After Botsch and Kobbelt, A Remeshing Approach to Multiresolution Modeling, 2004. The mesh is one
half of a mirror-symmetric surface; its only border lies on the plane x = 0 and stays there.
"""

import numpy as np

from . import sdf

ON_PLANE = 1e-9


class Mesh:
    """Vertices, triangles (None once removed) and for each vertex the triangles round it."""

    def __init__(self, vertices, triangles):
        self.points = [tuple(p) for p in vertices.tolist()]
        self.triangles = [tuple(t) for t in triangles.tolist()]
        self.around = [set() for _ in self.points]
        for f, triangle in enumerate(self.triangles):
            for v in triangle:
                self.around[v].add(f)

    def add(self, triangle):
        self.triangles.append(triangle)
        for v in triangle:
            self.around[v].add(len(self.triangles) - 1)

    def remove(self, f):
        for v in self.triangles[f]:
            self.around[v].discard(f)
        self.triangles[f] = None

    def neighbours(self, v):
        found = set()
        for f in self.around[v]:
            found.update(self.triangles[f])
        found.discard(v)
        return found

    def arrays(self):
        """Compact copies, in the order of creation."""
        used = [v for v in range(len(self.points)) if self.around[v]]
        renumber = {v: i for i, v in enumerate(used)}
        triangles = [[renumber[v] for v in t] for t in self.triangles if t]
        return np.array([self.points[v] for v in used]), np.array(triangles)


def edges_of(triangles):
    """Each edge once, low index first, sorted."""
    pairs = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]],
                                    triangles[:, [2, 0]]]), axis=1)
    return np.unique(pairs, axis=0)


def measured_edges(vertices, triangles, target):
    """Edges with the ratio of their length to the one wanted at their middle."""
    edges = edges_of(triangles)
    a, b = vertices[edges[:, 0]], vertices[edges[:, 1]]
    return edges, sdf.length(a - b) / target((a + b) / 2)


def normal_of(a, b, c):
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def square(a, b):
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2


def split_long(vertices, triangles, target):
    mesh = Mesh(vertices, triangles)
    edges, ratio = measured_edges(vertices, triangles, target)
    long = np.nonzero(ratio > 4 / 3)[0]
    for e in long[np.argsort(-ratio[long], kind="stable")]:
        a, b = edges[e].tolist()
        faces = sorted(mesh.around[a] & mesh.around[b])
        if not faces:
            continue
        pa, pb = mesh.points[a], mesh.points[b]
        middle = len(mesh.points)
        mesh.points.append(tuple((x + y) / 2 for x, y in zip(pa, pb)))
        mesh.around.append(set())
        for f in faces:
            triangle = mesh.triangles[f]
            mesh.remove(f)
            mesh.add(tuple(middle if v == b else v for v in triangle))
            mesh.add(tuple(middle if v == a else v for v in triangle))
    return mesh.arrays()


def collapse_target(mesh, a, b):
    """Where the merged vertex goes, or None if the border would leave the plane."""
    pa, pb = mesh.points[a], mesh.points[b]
    flat_a, flat_b = pa[0] <= ON_PLANE, pb[0] <= ON_PLANE
    if flat_a and flat_b and len(mesh.around[a] & mesh.around[b]) != 1:
        return None
    if flat_a != flat_b:
        return pa if flat_a else pb
    return tuple((x + y) / 2 for x, y in zip(pa, pb))


def collapse_is_sound(mesh, a, b, point, longest):
    """The surface stays a surface, no triangle turns over, no edge becomes too long."""
    shared = mesh.around[a] & mesh.around[b]
    ring_a, ring_b = mesh.neighbours(a), mesh.neighbours(b)
    if len(ring_a & ring_b) != len(shared):
        return False
    for v in (ring_a | ring_b) - {a, b}:
        if square(mesh.points[v], point) > longest * longest:
            return False
    for f in (mesh.around[a] | mesh.around[b]) - shared:
        old = [mesh.points[v] for v in mesh.triangles[f]]
        new = [point if v in (a, b) else mesh.points[v] for v in mesh.triangles[f]]
        before, after = normal_of(*old), normal_of(*new)
        if dot(before, after) <= 0.5 * (dot(before, before) * dot(after, after)) ** 0.5:
            return False
    return True


def collapse_short(vertices, triangles, target):
    mesh = Mesh(vertices, triangles)
    edges, ratio = measured_edges(vertices, triangles, target)
    wanted = target((vertices[edges[:, 0]] + vertices[edges[:, 1]]) / 2)
    short = np.nonzero(ratio < 4 / 5)[0]
    for e in short[np.argsort(ratio[short], kind="stable")]:
        a, b = edges[e].tolist()
        if not mesh.around[a] & mesh.around[b]:
            continue
        # Earlier collapses may have moved the ends apart.
        if square(mesh.points[a], mesh.points[b]) > (0.8 * wanted[e]) ** 2:
            continue
        point = collapse_target(mesh, a, b)
        if point is None or not collapse_is_sound(mesh, a, b, point, 4 / 3 * wanted[e]):
            continue
        for f in sorted(mesh.around[b]):
            triangle = mesh.triangles[f]
            mesh.remove(f)
            if a not in triangle:
                mesh.add(tuple(a if v == b else v for v in triangle))
        mesh.points[a] = point
    return mesh.arrays()


def flip_edges(vertices, triangles):
    """Brings the number of neighbours closer to six (four on the border)."""
    mesh = Mesh(vertices, triangles)
    ideal = [4 if p[0] <= ON_PLANE else 6 for p in mesh.points]
    count = [len(mesh.neighbours(v)) for v in range(len(mesh.points))]
    for a, b in edges_of(triangles).tolist():
        faces = sorted(mesh.around[a] & mesh.around[b])
        if len(faces) != 2:
            continue
        first, second = mesh.triangles[faces[0]], mesh.triangles[faces[1]]
        i = first.index(a)
        if first[(i + 1) % 3] != b:
            first, second = second, first
        c = next(v for v in first if v not in (a, b))
        d = next(v for v in second if v not in (a, b))
        before = sum(abs(count[v] - ideal[v]) for v in (a, b, c, d))
        after = (abs(count[a] - 1 - ideal[a]) + abs(count[b] - 1 - ideal[b])
                 + abs(count[c] + 1 - ideal[c]) + abs(count[d] + 1 - ideal[d]))
        if after >= before or mesh.around[c] & mesh.around[d]:
            continue
        # Both ends on the plane, but the edge inside: it may go. The new one must not lie on it.
        if mesh.points[c][0] <= ON_PLANE and mesh.points[d][0] <= ON_PLANE:
            continue
        pa, pb, pc, pd = (mesh.points[v] for v in (a, b, c, d))
        old = normal_of(pa, pb, pc), normal_of(pb, pa, pd)
        new = normal_of(pa, pd, pc), normal_of(pd, pb, pc)
        if any(dot(n, o) <= 0.5 * (dot(n, n) * dot(o, o)) ** 0.5 for n in new for o in old):
            continue
        for f in faces:
            mesh.remove(f)
        mesh.add((a, d, c))
        mesh.add((d, b, c))
        for v, change in ((a, -1), (b, -1), (c, 1), (d, 1)):
            count[v] += change
    return mesh.arrays()


def relax(vertices, triangles, shape, target):
    """Moves each vertex in its tangent plane towards the middle of its triangles, then back on."""
    corners = vertices[triangles]
    centre = corners.mean(axis=1)
    area = sdf.length(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    # A large triangle where small ones are wanted pulls: hence area over the wanted area.
    weight = area / target(centre) ** 2
    total, mass = np.zeros_like(vertices), np.zeros(len(vertices))
    for k in range(3):
        np.add.at(total, triangles[:, k], centre * weight[:, None])
        np.add.at(mass, triangles[:, k], weight)
    move = total / mass[:, None] - vertices
    normal = sdf.gradient(shape, vertices)
    move -= normal * (move * normal).sum(axis=1)[:, None]
    flat = vertices[:, 0] <= ON_PLANE
    moved = vertices + 0.7 * move
    moved[flat, 0] = 0
    moved = sdf.project(shape, moved, steps=2)
    moved[flat, 0] = 0
    # An interior vertex must not fall through the mirror.
    moved[~flat, 0] = np.maximum(moved[~flat, 0], 1e-4)
    return moved


def remesh(vertices, triangles, shape, target, rounds):
    for _ in range(rounds):
        vertices, triangles = split_long(vertices, triangles, target)
        vertices, triangles = collapse_short(vertices, triangles, target)
        vertices, triangles = flip_edges(vertices, triangles)
        vertices = relax(vertices, triangles, shape, target)
    for _ in range(3):
        vertices = relax(vertices, triangles, shape, target)
    return vertices, triangles


def mirrored(vertices, triangles):
    """The whole from the half x >= 0: border vertices are shared, the copy's triangles turned."""
    flat = vertices[:, 0] <= ON_PLANE
    other = np.arange(len(vertices))
    other[~flat] = len(vertices) + np.arange(int((~flat).sum()))
    copy = vertices[~flat] * [-1, 1, 1]
    return np.vstack([vertices, copy]), np.vstack([triangles, other[triangles][:, ::-1]])
