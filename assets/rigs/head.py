"""The head rig: a bust with six morph targets, a nodding neck and eyeballs behind its lids."""

import math

import numpy as np

from . import expressions, face, glb, paint, polygonise, quat, remesh, sdf, slit
from .expressions import EYE_HALF_WIDTH, LID_RADIUS, folded, lid_line, mouth_line, smooth

CENTRE = np.array([0, 0.298, 0.0])  # of the head, over a bust that stands on y = 0
BASE_Y = -0.298  # the bust's flat bottom, below the head's centre
CELL = 0.004
JOINTS = [("Chest", -1, (0, 0.040, -0.020)), ("Neck", 0, (0, 0.135, -0.030)),
          ("Head", 1, (0, 0.205, -0.018))]
COLOURS = {"skin": ("#dba27c", 0.65), "hair": ("#5b3424", 0.7), "white": ("#f7f4ee", 0.3),
           "iris": ("#3d7a66", 0.25), "dark": ("#1d1416", 0.4), "lips": ("#b8625c", 0.5),
           "mouth": ("#6b2430", 0.6), "shirt": ("#35588f", 0.85)}
NOD_SECONDS, NOD_KEYS = 2.0, 40


def bust(p):
    """Shoulders and the top of the chest, cut flat; in the head's axes like all shapes here."""
    shoulders = sdf.bone(p, (0, -0.232, -0.030), (0.125, -0.262, -0.030), 0.062, 0.056)
    chest = sdf.ellipsoid(p, (0, -0.290, -0.020), (0.150, 0.085, 0.090))
    slope = sdf.bone(p, (0, -0.165, -0.038), (0.100, -0.222, -0.030), 0.044, 0.034)
    return sdf.meet(sdf.join_all(0.05, shoulders, chest, slope), BASE_Y - p[:, 1], 0.040)


def shape(p):
    """The head with closed lids: skin that bulges over the eyeballs."""
    q = folded(p)
    skin = sdf.cut(face.bald(q), face.lip_groove(q), 0.004)
    skin = sdf.join(skin, sdf.ellipsoid(q, face.EYE, [LID_RADIUS] * 3), 0.005)
    return sdf.join(sdf.join(skin, face.hair(q), 0.008), bust(q), 0.03)


def wanted_edge(p):
    def near(centre, radius, fine, growth=0.16):
        return fine + np.maximum(sdf.length(p - centre) - radius, 0) * growth

    return np.minimum.reduce([
        np.full(len(p), 0.0185), near((0, 0.0, 0.02), 0.09, 0.0122),
        near(face.EYE + (0, 0.004, 0.010), 0.017, 0.0030),
        near((0.006, face.MOUTH_Y, 0.080), 0.020, 0.0030),
        near((0.030, 0.028, 0.075), 0.012, 0.0046), near((0, -0.028, 0.100), 0.012, 0.0044),
        near((0.080, -0.005, -0.008), 0.022, 0.0070),
        0.0120 + np.abs(collar(p)) * 0.3,
        # The hairline: little above the skin, little away from the hair.
        0.0070 + np.maximum(np.maximum(face.hair(p) - 0.004, face.bald(p) - 0.008), 0) * 1.2])


def collar(p):
    """Positive where the neck is bare."""
    opening = sdf.ellipsoid(p, (0, -0.150, 0.000), (0.080, 0.070, 0.098))
    return -sdf.join(opening, -0.156 - p[:, 1], 0.02)


def collar_trim(p):
    return -collar(p) - 0.012


def near_eye(p):
    return (np.abs(p[:, 0] - face.EYE[0]) < EYE_HALF_WIDTH) & (p[:, 2] > face.EYE[2]) \
        & (np.abs(p[:, 1] - face.EYE[1]) < 0.02)


def near_mouth(p):
    return (np.abs(p[:, 0]) < 1.03 * face.MOUTH_HALF_WIDTH) & (p[:, 2] > 0.05) \
        & (np.abs(p[:, 1] - face.MOUTH_Y) < 0.02)


def within(line, window):
    """A cut that ends where its window does: outside, all is on one side."""
    return lambda p: np.where(window(p), line(p), 1.0)


def lash(p):
    """A dark edge on the upper lid."""
    return np.where(near_eye(p), lid_line(p) - 0.0022, 0.01)


REGIONS = [
    ("shirt", collar), ("white", collar_trim, collar), ("lips", face.lip_paint),
    ("hair", lambda p: face.hair(p) - 0.0025), ("hair", face.eyebrow),
    ("dark", lash, lambda p: -lid_line(p)),
]


def half_surface():
    """The half x >= 0 with closed lids and lips, cut along its slits and colours."""
    mesh = polygonise.half_surface(shape, (0, -0.31, -0.14), (0.21, 0.16, 0.14), CELL)
    vertices, triangles = remesh.remesh(*mesh, shape, wanted_edge, rounds=7)
    locked = np.zeros(len(vertices), bool)
    for line, window in ((lid_line, near_eye), (mouth_line, near_mouth)):
        vertices, triangles, locked = paint.cut_along(vertices, triangles, within(line, window),
                                                      shape, locked)
    return paint.paint(vertices, triangles, shape, "skin", REGIONS, locked)


def sew_lids(vertices, triangles, colours):
    """Opens the lids and gives each a rim that reaches to the eyeball."""
    vertices, triangles, lids = slit.open_along(vertices, triangles, lid_line, near_eye,
                                                (True, True))
    sides = {}
    for path, upper in ((lids.upper, True), (lids.lower, False)):
        first, count = len(vertices), len(path)
        outer, inner = first + np.arange(count), first + count + np.arange(count)
        q = vertices[path] - face.EYE
        reach = (face.EYE_RADIUS - 0.0015) / sdf.length(q)
        vertices = np.vstack([vertices, vertices[path], face.EYE + q * reach[:, None]])
        rim = slit.strip(outer, inner, faces_down=upper)
        triangles = np.vstack([triangles, rim])
        colours = np.append(colours, np.full(len(rim), "dark" if upper else "skin", object))
        for vertex in np.concatenate([path[1:-1], outer, inner]):
            sides[int(vertex)] = 1 if upper else -1
    return vertices, triangles, colours, sides


def sew_mouth(vertices, triangles, colours):
    """Opens the lips onto a pocket whose two walls meet at the back."""
    vertices, triangles, lips = slit.open_along(vertices, triangles, mouth_line, near_mouth,
                                                (False, True))
    sides, count = {}, len(lips.upper)
    # The corners' back vertices stay close, the middle reaches in.
    depth = 0.028 * (1 - (vertices[lips.upper, 0] / 0.03) ** 2) + 0.004
    for path, upper in ((lips.upper, True), (lips.lower, False)):
        # Each wall has its own back row: shared, the opposite normals would cancel.
        edge = len(vertices) + np.arange(count)
        back = edge + count
        behind = vertices[path] - depth[:, None] * [0, 0, 1]
        vertices = np.vstack([vertices, vertices[path], behind])
        wall = slit.strip(edge, back, faces_down=upper)
        triangles = np.vstack([triangles, wall])
        colours = np.append(colours, np.full(len(wall), "mouth", object))
        for vertex in np.concatenate([path[:-1], edge[:-1]]):
            sides[int(vertex)] = 1 if upper else -1
        for vertex in back:
            sides[int(vertex)] = 1
    return vertices, triangles, colours, sides


def sides_of(vertices, line, known):
    side = np.where(line(vertices) >= 0, 1, -1)
    for vertex, value in known.items():
        side[vertex] = value
    return side


def eyeball():
    """The left eyeball's front: rings round +Z, with iris and pupil. Faces outwards."""
    rings = [(0.0, "dark"), (13, "dark"), (15, "iris"), (28, "iris"), (30, "white"), (48, "white"),
             (66, "white"), (84, "white"), (100, "white")]
    segments, vertices, triangles, colours = 24, [], [], []
    for angle_deg, _ in rings:
        for s in range(segments):
            turn, polar = 2 * math.pi * s / segments, math.radians(angle_deg)
            vertices.append([math.sin(polar) * math.cos(turn), math.sin(polar) * math.sin(turn),
                             math.cos(polar)])
    for r in range(1, len(rings)):
        for s in range(segments):
            a, b = (r - 1) * segments + s, (r - 1) * segments + (s + 1) % segments
            c, d = a + segments, b + segments
            new = [(a, c, d)] if r == 1 else [(a, c, d), (a, d, b)]
            triangles += new
            colours += [rings[r][1]] * len(new)
    return face.EYE + face.EYE_RADIUS * np.array(vertices), np.array(triangles), colours


def teeth():
    """The left half of the upper row: a curved white band behind the upper lip."""
    x = np.linspace(0, 0.017, 7)
    z = 0.0840 - 18 * x * x
    top = np.stack([x, np.full(7, face.MOUTH_Y + 0.0090), z - 0.001], axis=1)
    bottom = np.stack([x, np.full(7, face.MOUTH_Y + 0.0022), z], axis=1)
    vertices = np.vstack([top, bottom])
    return vertices, np.array([t for i in range(6)
                               for t in ((i, i + 7, i + 1), (i + 1, i + 7, i + 8))])


class Parts:
    """The bust: closed and neutral positions, triangles, colours and the morphs' deltas."""

    def __init__(self):
        vertices, triangles, colours, lid_sides = sew_lids(*half_surface())
        vertices, triangles, colours, lips = sew_mouth(vertices, triangles, colours)
        whole = np.concatenate([np.arange(len(vertices)),
                                np.nonzero(vertices[:, 0] > remesh.ON_PLANE)[0]])
        lid_side = sides_of(vertices, lid_line, lid_sides)[whole]
        mouth_side = sides_of(vertices, mouth_line, lips)[whole]
        self.closed, self.triangles = remesh.mirrored(vertices, triangles)
        self.colours = np.tile(colours, 2)
        self.neutral = expressions.neutral_face(self.closed, lid_side, mouth_side)
        self.deltas = expressions.deltas(self.closed, lid_side, mouth_side)
        for part in (eyeball(), teeth() + (["white"] * 12,)):
            self.add_rigid(*part)

    def add_rigid(self, vertices, triangles, colours):
        """A part of the left half, and its mirror image, that no expression moves."""
        for sign in (1, -1):
            first = len(self.neutral)
            self.neutral = np.vstack([self.neutral, vertices * [sign, 1, 1]])
            self.triangles = np.vstack([self.triangles, first + triangles[:, ::sign]])
            self.colours = np.append(self.colours, np.array(colours, object))
            still = np.zeros((len(vertices), 3))
            self.deltas = [np.vstack([delta, still]) for delta in self.deltas]


def normals_of(vertices, triangles):
    """Area-weighted; they follow the expressions, which a distance field could not."""
    corners = vertices[triangles]
    flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    result = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(result, triangles[:, k], flat)
    return result / np.maximum(sdf.length(result), 1e-15)[:, None]


def influences(p):
    """Chest, neck and head by height along lines that tilt like a jaw; p in the head's axes."""
    head = smooth((p[:, 1] + 0.135 + 0.45 * (p[:, 2] + 0.02)) / 0.060)
    chest = 1 - smooth((p[:, 1] + 0.205 + 0.2 * (p[:, 2] + 0.02)) / 0.070)
    weights = np.stack([chest, (1 - chest) * (1 - head), (1 - chest) * head], axis=1)
    order = np.argsort(-weights, axis=1, kind="stable")
    units = np.round(np.take_along_axis(weights, order, axis=1) * 65536)
    units[:, 0] += 65536 - units.sum(axis=1)
    joints = np.where(units > 0, order, 0)
    none = np.zeros((len(p), 1))
    return np.hstack([joints, none]), np.hstack([units / 65536, none])


def build():
    parts = Parts()
    neutral = np.round(parts.neutral, 5)
    normals = np.round(normals_of(neutral, parts.triangles), 4)
    targets = []
    for delta in parts.deltas:
        delta = np.round(delta, 5)
        moved = np.round(normals_of(neutral + delta, parts.triangles), 4)
        targets.append((delta, moved - normals))
    joints, weights = influences(neutral)

    doc = glb.Glb()
    names, parents, positions = zip(*JOINTS)
    nodes, skin = glb.add_skeleton(doc, names, parents, positions)
    primitives = []
    for name, (srgb, roughness) in COLOURS.items():
        used, local = np.unique(parts.triangles[parts.colours == name], return_inverse=True)
        material = glb.add_material(doc, name, srgb, roughness)
        primitives.append(glb.add_primitive(
            doc, material, neutral[used] + CENTRE, normals[used], joints[used], weights[used],
            local, [(delta[used], turn[used]) for delta, turn in targets]))
    mesh = glb.add_skinned_mesh(doc, "head", primitives, skin, expressions.NAMES)
    times, keys = expressions.clip_keys()
    glb.add_clip(doc, "Expressions", times, [(mesh, "weights", keys)])
    phases = [i % NOD_KEYS / NOD_KEYS for i in range(NOD_KEYS + 1)]
    angles = [expressions.nod_angle_deg(phase) for phase in phases]
    glb.add_clip(doc, "Nod", np.arange(NOD_KEYS + 1) * (NOD_SECONDS / NOD_KEYS), [
        (nodes[1], "rotation", [quat.degrees(quat.X, 0.4 * a) for a in angles]),
        (nodes[2], "rotation", [quat.degrees(quat.X, 0.6 * a) for a in angles])])
    return doc.to_bytes()
