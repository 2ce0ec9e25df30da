"""The tiny rigs that several tests share; each says what makes it worth having."""
import json
import math
import pathlib
import struct

from oracle import turn
from tiny import IDENTITY, Tiny, glb, split_glb, translation_matrix

HUMANOID = pathlib.Path(__file__).resolve().parents[2] / "assets" / "demo" / "humanoid.glb"

TRIANGLE = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
# centimetre_tube()'s: its armature's scale, and its joints along +Y, one unit apart.
CENTIMETRES = 100
TUBE_JOINTS = 4
TUBE_SIDES = 8
TUBE_RINGS = 17
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


def centimetre_tube(before=0, behind=0, tip=False, name="unused"):
    """A tube along +Y over a chain of joints bound in centimetres.

    before, behind  joints without weights, of an identity as inverse bind matrix, at the start and
                    at the end of the skin's list and of the nodes
    tip             a joint at the end of the chain that no weight names
    """
    tiny = Tiny()
    unused = [tiny.node(name=f"{name}{i}", translation=[i, 3, 1]) for i in range(before)]
    first = len(tiny.json["nodes"]) if before else 0
    chain = []
    for i in range(TUBE_JOINTS):
        at = [0, 0 if i == 0 else 1 / CENTIMETRES, 0]
        more = {"children": [first + i + 1]} if i + 1 < TUBE_JOINTS or tip else {}
        chain.append(tiny.node(name=f"J{i}", translation=at, **more))
    if tip:
        unused.append(tiny.node(name=f"{name} tip", translation=[0, 1 / CENTIMETRES, 0]))
    unused += [tiny.node(name=f"{name} behind{i}", translation=[5, i, 0]) for i in range(behind)]
    children = [chain[0], *(joint for joint in unused if not (tip and joint == chain[-1] + 1))]
    tiny.node(root=True, name="armature", scale=[CENTIMETRES] * 3, children=children)
    points, joints, weights = [], [], []
    for ring in range(TUBE_RINGS):
        y = TUBE_JOINTS * ring / (TUBE_RINGS - 1)
        lower = min(int(y), TUBE_JOINTS - 1)
        upper = min(max(lower + (1 if y - lower >= 0.5 else -1), 0), TUBE_JOINTS - 1)
        share = 0.5 - abs(y - lower - 0.5) if upper != lower else 0
        for side in range(TUBE_SIDES):
            angle = 2 * math.pi * side / TUBE_SIDES
            points.append((0.3 * math.cos(angle), y, 0.3 * math.sin(angle)))
            joints.append((lower + before, upper + before, 0, 0))
            weights.append((1 - share, share, 0, 0))
    indices = []
    for ring in range(TUBE_RINGS - 1):
        for side in range(TUBE_SIDES):
            a, b = ring * TUBE_SIDES + side, ring * TUBE_SIDES + (side + 1) % TUBE_SIDES
            indices += [a, a + TUBE_SIDES, b, b, a + TUBE_SIDES, b + TUBE_SIDES]
    top = len(points) - TUBE_SIDES
    for side in range(1, TUBE_SIDES - 1):  # closed, as vol_correct needs it
        indices += [0, side, side + 1, top, top + side + 1, top + side]
    joints, weights = tiny.influences(joints, weights)
    mesh = tiny.mesh(tiny.primitive(points, indices, JOINTS_0=joints, WEIGHTS_0=weights))
    binds = [[1 / CENTIMETRES, 0, 0, 0, 0, 1 / CENTIMETRES, 0, 0, 0, 0, 1 / CENTIMETRES, 0, 0, -i / CENTIMETRES, 0, 1]
             for i in range(TUBE_JOINTS)]
    skin = tiny.skin(unused[:before] + chain + unused[before:],
                     [IDENTITY] * before + binds + [IDENTITY] * (len(unused) - before))
    tiny.node(root=True, name="tube", mesh=mesh, skin=skin)
    times = [0, 1, 2]
    tiny.clip([(chain[1], "rotation", times, [turn((0, 0, 1), a) for a in (0, 50, 95)], "LINEAR"),
               (chain[2], "rotation", times, [turn((0, 1, 0), a) for a in (0, 80, 20)], "LINEAR"),
               (chain[3], "rotation", times, [turn((1, 0, 0), a) for a in (0, 30, 70)],
                "LINEAR")], name="move")
    tiny.clip([(chain[2], "rotation", times, [turn((0, 0, 1), a) for a in (0, 40, 80)],
                "LINEAR")], name="one joint")
    return tiny


def sculpt(points, step):
    """Vertices that an artist might want for an example: near the skinned ones, displaced by other waves each
    time."""
    return [(x * (1 + 0.1 * step * math.sin(3 * y)), y, z + 0.05 * step * math.cos(2 * y + step))
            for x, y, z in points]


def armour(changed=lambda document: None, stretch=1):
    """The demo humanoid without clips and with a name of its own for its mesh, whose positions are
    stretched."""
    document, data = split_glb(HUMANOID.read_bytes())
    data = bytearray(data)
    del document["animations"]
    for node in document["nodes"]:
        if "mesh" in node:
            node["name"] = "armour"
    for primitive in document["meshes"][0]["primitives"]:
        accessor = document["accessors"][primitive["attributes"]["POSITION"]]
        view = document["bufferViews"][accessor["bufferView"]]
        at = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        for i in range(accessor["count"]):
            place = at + i * view.get("byteStride", 12)
            point = struct.unpack_from("<3f", data, place)
            struct.pack_into("<3f", data, place, *(stretch * x for x in point))
        for bound in ("min", "max"):
            accessor[bound] = [stretch * x for x in accessor[bound]]
    changed(document)
    return glb(json.dumps(document).encode(), bytes(data))
