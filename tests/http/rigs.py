"""The tiny rigs that several tests share; each says what makes it worth having."""
import math

from oracle import turn
from tiny import IDENTITY, Tiny, translation_matrix

TRIANGLE = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
TWIST_DEGREES = (0, 90, 120, 150, 170, 180)  # the twist of column() at 0, 1, 2, ... seconds


def ramp(y):
    """The weight of J1 in METHODS's cyl2."""
    return min(1, max(0, (y - 0.75) / 0.5))


def column(points, normals=None):
    """cyl2's joints and weights under vertices of the test's choice.

    "twist" and "bend" have a key at each whole second, so that a time that is whole asks for
    an exact angle: twist 0, 90, 120, 150, 170, 180 degrees about +Y, bend 0, 90 about +Z.
    """
    tiny = Tiny()
    lower = tiny.node(root=True, name="J0", children=[1])
    upper = tiny.node(name="J1", translation=[0, 1, 0])
    weights = [(1 - ramp(p[1]), ramp(p[1]), 0, 0) for p in points]
    joints, weights = tiny.influences([(0, 1, 0, 0)] * len(points), weights)
    more = {"NORMAL": tiny.normals(normals)} if normals else {}
    triangles = [i for i in range(len(points) // 3 * 3)]
    mesh = tiny.mesh(tiny.primitive(points, triangles, JOINTS_0=joints, WEIGHTS_0=weights, **more))
    skin = tiny.skin([lower, upper], [IDENTITY, translation_matrix(0, -1, 0)])
    tiny.node(root=True, name="mesh", mesh=mesh, skin=skin)
    twists = [turn((0, 1, 0), degrees) for degrees in TWIST_DEGREES]
    times = list(range(len(twists)))
    tiny.clip([(upper, "rotation", times, twists, "LINEAR")], name="twist")
    bends = [turn((0, 0, 1), degrees) for degrees in (0, 90)]
    tiny.clip([(upper, "rotation", [0, 1], bends, "LINEAR")], name="bend")
    return tiny


def triangle(points=TRIANGLE, **node):
    """One triangle on one node, no skin, no clip."""
    tiny = Tiny()
    tiny.node(root=True, name="triangle", mesh=tiny.mesh(tiny.primitive(points)), **node)
    return tiny


def mover(**clips):
    """A triangle on a node "mover"; each clip is (path, times, rows, interpolation)."""
    tiny = triangle()
    tiny.json["nodes"][0]["name"] = "mover"
    for name, channel in clips.items():
        tiny.clip([(0, *channel)], name=name)
    return tiny


def swaying_joints(count, clips, keys=31, rate=30):
    """Joints in threes that hang from one another, all of which every clip turns at a rate."""
    tiny = Tiny()
    for i in range(count):
        tiny.node(root=i == 0, name=f"J{i}", translation=[0, 0.1, 0])
    for i in range(1, count):
        tiny.json["nodes"][(i - 1) // 3].setdefault("children", []).append(i)
    times = [k / rate for k in range(keys)]
    for c, name in enumerate(clips):
        channels = []
        for i in range(count):
            halves = [0.4 * math.sin(6 * time + i + c) for time in times]
            rows = [(math.sin(half), 0, 0, math.cos(half)) for half in halves]
            channels.append((i, "rotation", times, rows, "LINEAR"))
        tiny.clip(channels, name=name)
    return tiny


def square(width=1, height=1, material=None, z=0):
    """A rectangle in the xy plane around the origin, facing +Z."""
    tiny = Tiny()
    x, y = width / 2, height / 2
    corners = [(-x, -y, z), (x, -y, z), (x, y, z), (-x, y, z)]
    normals = tiny.normals([(0, 0, 1)] * 4)
    primitive = tiny.primitive(corners, [0, 1, 2, 0, 2, 3], NORMAL=normals)
    if material is not None:
        primitive["material"] = tiny.material(**material)
    tiny.node(root=True, name="square", mesh=tiny.mesh(primitive))
    return tiny


def half_bent_square(half):
    """A square around J1 of which every vertex is half J0's: bent by 90 degrees in its plane lbs
    draws it together by cos(45 degrees) and dqs does not, so that all its corners are equally
    far apart: half * sqrt(2) * (1 - sqrt(1/2))."""
    corners = [(-half, 1 - half, 0), (half, 1 - half, 0), (half, 1 + half, 0), (-half, 1 + half, 0)]
    order = [0, 1, 2, 0, 2, 3]
    tiny = column([corners[i] for i in order], [(0, 0, 1)] * 6)
    attributes = tiny.json["meshes"][0]["primitives"][0]["attributes"]
    joints, weights = tiny.influences([(0, 1, 0, 0)] * 6, [(0.5, 0.5, 0, 0)] * 6)
    attributes.update(JOINTS_0=joints, WEIGHTS_0=weights)
    return tiny
