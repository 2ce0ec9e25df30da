"""The closed forms that the daemon is checked against: quaternions, matrices, measures."""
import math


def unit(v):
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v]


def turn(axis, degrees):
    """The unit quaternion x, y, z, w of a turn about an axis."""
    half = math.radians(degrees) / 2
    return [x * math.sin(half) for x in unit(axis)] + [math.cos(half)]


def rotate(q, v):
    x, y, z, w = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [
        v[0] + w * t[0] + y * t[2] - z * t[1],
        v[1] + w * t[1] + z * t[0] - x * t[2],
        v[2] + w * t[2] + x * t[1] - y * t[0],
    ]


def matrix(translation=(0, 0, 0), rotation=(0, 0, 0, 1), scale=(1, 1, 1)):
    """T R S as 16 numbers, column-major."""
    columns = []
    for axis, factor in enumerate(scale):
        e = [0, 0, 0]
        e[axis] = factor
        columns += [*rotate(rotation, e), 0]
    return columns + [*translation, 1]


def multiply(a, b):
    return [sum(a[4 * k + r] * b[4 * c + k] for k in range(4)) for c in range(4) for r in range(4)]


def apply(m, p):
    return [m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r] for r in range(3)]


def radius(p):
    """The distance from the y axis."""
    return math.hypot(p[0], p[2])


def azimuth(p):
    """Degrees about +Y, 0 on +X: a turn by a moves a point from 0 to a."""
    return math.degrees(math.atan2(-p[2], p[0]))


def signed_volume(points, triangles):
    """The volume of a closed mesh whose triangles wind counter-clockwise seen from outside."""
    total = 0
    for a, b, c in triangles:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = points[a], points[b], points[c]
        total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return total / 6


def diagonal(points):
    return math.dist([min(axis) for axis in zip(*points)], [max(axis) for axis in zip(*points)])
