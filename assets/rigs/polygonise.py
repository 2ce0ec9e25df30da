"""Turns the half x >= 0 of a mirror-symmetric shape into triangles by surface nets."""

import numpy as np

BLOCK = 8
EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if bin(a ^ b).count("1") == 1]
CORNERS = np.array([[c >> 2 & 1, c >> 1 & 1, c & 1] for c in range(8)])


def sample(shape, low, counts, cell):
    """Distances at the grid points near the surface; elsewhere just the sign."""
    blocks = [(n - 1 + BLOCK - 1) // BLOCK for n in counts]
    field = np.ones([b * BLOCK + 1 for b in blocks], np.float32)
    starts = np.array([(i, j, k) for i in range(blocks[0]) for j in range(blocks[1])
                       for k in range(blocks[2])]) * BLOCK
    middle = shape(low + (starts + BLOCK / 2) * cell)
    # Half a block's diagonal reaches its corners; the rest is for distances that are estimates.
    near = np.abs(middle) < BLOCK * cell * 0.87 * 1.8
    steps = np.arange(BLOCK + 1)
    local = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    for i, j, k in starts[~near & (middle < 0)]:
        field[i:i + BLOCK + 1, j:j + BLOCK + 1, k:k + BLOCK + 1] = -1
    for batch in np.array_split(starts[near], max(1, int(near.sum()) // 64)):
        points = (batch[:, None, :] + local[None]).reshape(-1, 3)
        field[points[:, 0], points[:, 1], points[:, 2]] = shape(low + points * cell)
    return field


def cell_vertices(field):
    """For each cell that the surface crosses: its index and the mean of the crossings in it."""
    shape = [n - 1 for n in field.shape]
    inside = field < 0
    count = np.zeros(shape, np.uint8)
    for x, y, z in CORNERS:
        count += inside[x:x + shape[0], y:y + shape[1], z:z + shape[2]]
    cells = np.argwhere((count > 0) & (count < 8))
    values = np.stack([field[tuple((cells + c).T)] for c in CORNERS], axis=1).astype(np.float64)
    total, crossings = np.zeros((len(cells), 3)), np.zeros(len(cells))
    for a, b in EDGES:
        crossed = (values[:, a] < 0) != (values[:, b] < 0)
        va, vb = values[crossed, a], values[crossed, b]
        t = va / (va - vb)
        total[crossed] += CORNERS[a] + t[:, None] * (CORNERS[b] - CORNERS[a])
        crossings[crossed] += 1
    index = np.full(shape, -1, np.int64)
    index[tuple(cells.T)] = np.arange(len(cells))
    return index, cells + total / crossings[:, None]


def quads(field, index):
    """One quad for each grid edge that crosses the surface, seen counter-clockwise from outside."""
    inside = field < 0
    found = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        here = np.take(inside, range(field.shape[axis] - 1), axis)
        there = np.take(inside, range(1, field.shape[axis]), axis)
        at = np.argwhere(here != there)
        # The four cells round the edge must exist: none do beyond the plane x = 0.
        at = at[(at[:, u] > 0) & (at[:, v] > 0)
                & (at[:, u] < index.shape[u]) & (at[:, v] < index.shape[v])]
        ring = []
        for du, dv in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
            cell = at.copy()
            cell[:, u] += du
            cell[:, v] += dv
            ring.append(index[tuple(cell.T)])
        quad = np.stack(ring, axis=1)
        leaving = here[tuple(at.T)]
        quad[~leaving] = quad[~leaving][:, ::-1]
        found.append(quad)
    return np.concatenate(found)


def half_surface(shape, low, high, cell):
    """Vertices and triangles of the half x >= 0, open at x = 0. low[0] must be 0."""
    low = np.asarray(low, float)
    counts = [int(np.ceil(n)) + 1 for n in (np.asarray(high) - low) / cell]
    field = sample(shape, low, counts, cell)
    index, vertices = cell_vertices(field)
    first_layer = index[0][index[0] >= 0]
    vertices = low + vertices * cell
    vertices[first_layer, 0] = 0
    quad = quads(field, index)
    d0 = vertices[quad[:, 0]] - vertices[quad[:, 2]]
    d1 = vertices[quad[:, 1]] - vertices[quad[:, 3]]
    short = (d0 * d0).sum(axis=1) <= (d1 * d1).sum(axis=1)
    a, b, c, d = quad.T
    triangles = np.concatenate([np.where(short, [a, b, c], [a, b, d]).T,
                                np.where(short, [a, c, d], [b, c, d]).T])
    flat = (vertices[triangles][:, :, 0] == 0).all(axis=1)
    return drop_unused(vertices, triangles[~flat])


def drop_unused(vertices, triangles):
    used = np.unique(triangles)
    renumber = np.full(len(vertices), -1, np.int64)
    renumber[used] = np.arange(len(used))
    return vertices[used], renumber[triangles]
