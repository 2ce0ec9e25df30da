"""The humanoid rig: a runner in shirt and shorts with 23 joints and four clips."""

import numpy as np

from . import body, face, glb, motions, paint, polygonise, remesh, sdf, skeleton, weights

HEAD_CENTRE = np.array([0, 1.623, 0.004])
CELL = 0.005  # of the first grid; fingers must not melt together in it

COLOURS = {"skin": "#d9976b", "hair": "#3a2a24", "shirt": "#1f8f8a", "shorts": "#27324a",
           "shoes": "#e8623d", "white": "#f2efe8"}


def folded(p):
    return np.abs(p * [1, 0, 0]) + p * [0, 1, 1]


def shape(p):
    q = folded(p)
    return sdf.join(body.body(q), face.head(q - HEAD_CENTRE), 0.02)


def wanted_edge(p):
    """Edge length by place: fine where there is something to see, coarse on shirt and legs."""
    def near(centre, radius, fine):
        return np.maximum(fine, fine + (sdf.length(p - centre) - radius) * 0.12)

    return np.minimum.reduce([
        np.full(len(p), 0.0198),
        # Hems (the hands are at the same height), the collar, eyes and mouth with their borders.
        np.where(p[:, 0] > 0.25, 1.0, 0.0118 + 0.2 * np.maximum(np.minimum(
            np.abs(p[:, 1] - body.SHIRT_END), np.abs(p[:, 1] - body.SHORTS_END)) - 0.01, 0)),
        0.0100 + np.maximum(np.abs(collar(p) + 0.006) - 0.012, 0) * 0.2,
        near(HEAD_CENTRE + face.EYE + (0, 0, 0.015), 0.018, 0.0038),
        near(HEAD_CENTRE + (0, face.MOUTH_Y, 0.080), 0.024, 0.0034),
        near(HEAD_CENTRE, 0.110, 0.0095), near(HEAD_CENTRE + (0, -0.02, 0.09), 0.05, 0.0060),
        near(skeleton.KNUCKLES, 0.095, 0.0074), 0.0112 + np.maximum(p[:, 1] - 0.12, 0) * 0.08])


# Regions of paint, in model space on the left half (x >= 0); negative inside. A hem is painted as
# far as the corner where it meets the skin, so that the border hides there.
HEM = 0.005


def sleeve_side(p):
    """Negative on the arm from a little before the sleeve's end; the rod keeps it off the trunk."""
    rod = sdf.bone(p, skeleton.SHOULDER, skeleton.WRIST + 0.2 * body.ALONG, 0.09, 0.09)
    return np.maximum(rod, -sdf.plane(p, body.SLEEVE_END - 0.010 * skeleton.ARM, skeleton.ARM))


def bare_arm(p):
    return np.maximum(sleeve_side(p), np.minimum(body.arm(p), body.hand(p)) - HEM)


def collar(p):
    """Positive where the neck is bare."""
    opening = sdf.ellipsoid(p, (0, 1.490, 0.000), (0.078, 0.068, 0.098))
    return -sdf.join(opening, 1.484 - p[:, 1], 0.02)


def shirt(p):
    return np.maximum.reduce([body.SHIRT_END + 0.002 - p[:, 1], collar(p), -bare_arm(p)])


def sleeve_trim(p):
    rod = sdf.bone(p, skeleton.SHOULDER, skeleton.ELBOW, 0.09, 0.09)
    end = sdf.plane(p, body.SLEEVE_END - 0.020 * skeleton.ARM, skeleton.ARM)
    return np.maximum(rod, -end)


def collar_trim(p):
    return -collar(p) - 0.013


def shorts(p):
    bare = np.maximum(p[:, 1] - body.SHORTS_END - 0.015, body.thigh_and_shin(p) - HEM)
    return np.maximum.reduce([p[:, 1] - body.SHIRT_END - 0.002, -bare, p[:, 0] - 0.3])


def shorts_stripe(p):
    return np.maximum(np.abs(p[:, 2] - 0.004) - 0.012,
                      sdf.length((p - (0.18, 0.76, 0)) * [1, 0.4, 0]) - 0.08)


def sock(p):
    return p[:, 1] - body.SOCK_TOP


def shoe(p):
    return p[:, 1] - (body.SHOE_TOP - 0.003)


def sole(p):
    return p[:, 1] - body.SOLE_TOP


def on_head(field):
    return lambda p: field(p - HEAD_CENTRE)


REGIONS = [
    ("shirt", shirt), ("white", sleeve_trim, shirt), ("white", collar_trim, shirt),
    ("shorts", shorts), ("white", shorts_stripe, shorts),
    ("white", sock), ("shoes", shoe), ("white", sole),
    ("hair", on_head(lambda q: face.hair(q) - 0.0025)),
    ("white", on_head(face.eye_white)), ("hair", on_head(face.iris), on_head(face.eye_white)),
    ("hair", on_head(face.eyebrow)), ("hair", on_head(face.smile)),
]


# Which joint a place starts with, on the left half, and how far the weights flow there (metres).

def arm_joint(p):
    hand = (p - skeleton.WRIST) @ np.stack([body.ALONG, body.THUMBWARD], axis=1)
    thumb = (hand[:, 1] > 0.047) & (hand[:, 0] < 0.128)
    name = np.full(len(p), "Arm", object)
    name[sdf.plane(p, skeleton.ELBOW, skeleton.ARM + body.ALONG) > 0] = "ForeArm"
    name[hand[:, 0] > 0] = "Hand"
    name[(hand[:, 0] > 0.098) & ~thumb] = "Fingers"
    return name


def leg_joint(p):
    name = np.full(len(p), "UpLeg", object)
    name[p[:, 1] < 0.500] = "Leg"
    name[p[:, 1] < 0.104] = "Foot"
    name[(p[:, 1] < 0.104) & (p[:, 2] > 0.090)] = "Toe"
    return name


def trunk_joint(p):
    name = np.full(len(p), "Hips", object)
    name[p[:, 1] > 1.005] = "Spine"
    name[p[:, 1] > 1.140] = "Chest"
    name[sdf.plane(p, (0.085, 1.37, 0), (0.9, 0.5, 0)) > 0] = "Shoulder"
    name[sdf.plane(p, (0, 1.462, -0.028), (0, 1, 0.30)) > 0] = "Neck"
    name[sdf.plane(p, (0, 1.556, -0.018), (0, 1, 0.50)) > 0] = "Head"
    return name


def joint_names(p):
    """p folded to the left half."""
    name = trunk_joint(p)
    past_shoulder = sdf.plane(p, skeleton.SHOULDER, skeleton.ARM + (0.35, 0, 0)) > 0
    arm = past_shoulder & (body.whole_arm(p) < 0.012) & (p[:, 1] > 0.7)
    # The cut slants along the groin; a strip between the legs stays with the hips.
    leg = (p[:, 1] < 0.895 + 0.9 * (p[:, 0] - 0.088)) & (body.leg(p) < 0.012) & (p[:, 0] > 0.024)
    leg |= p[:, 1] < 0.75
    leg &= ~arm
    name[arm], name[leg] = arm_joint(p[arm]), leg_joint(p[leg])
    return name


REACH = {"Hips": 0.040, "Spine": 0.055, "Chest": 0.050, "Neck": 0.026, "Head": 0.020,
         "Shoulder": 0.040, "Arm": 0.036, "ForeArm": 0.028, "Hand": 0.014, "Fingers": 0.009,
         "UpLeg": 0.038, "Leg": 0.030, "Foot": 0.018, "Toe": 0.014}


def skin(vertices, triangles):
    names = joint_names(folded(vertices))
    reach = np.array([REACH[name] for name in names])
    side = np.where(vertices[:, 0] >= 0, "Left", "Right")
    joint = np.array([skeleton.NAMES.index(n if n in skeleton.NAMES else s + n)
                      for n, s in zip(names, side)])
    return weights.four_largest(weights.diffuse(vertices, triangles, joint,
                                                len(skeleton.NAMES), reach))


def surface():
    """Vertices, triangles and a colour per triangle of the whole figure."""
    half = polygonise.half_surface(shape, (0, -0.02, -0.22), (0.75, 1.80, 0.24), CELL)
    half = remesh.remesh(*half, shape, wanted_edge, rounds=6)
    vertices, triangles, colours = paint.paint(*half, shape, "skin", REGIONS)
    vertices, triangles = remesh.mirrored(vertices, triangles)
    # Fewer digits than float32 has: the last ones depend on the machine's arithmetic.
    return np.round(vertices, 5), triangles, np.tile(colours, 2)


def build():
    vertices, triangles, colours = surface()
    normals = np.round(sdf.gradient(shape, vertices, 6e-4), 4)
    joints, influence = skin(vertices, triangles)

    doc = glb.Glb()
    nodes, skin_index = glb.add_skeleton(doc, skeleton.NAMES, skeleton.PARENTS, skeleton.POSITIONS)
    primitives = []
    for name, srgb in COLOURS.items():
        # Where colours meet, each primitive has its own copy of the vertex, equal in everything.
        used, local = np.unique(triangles[colours == name], return_inverse=True)
        material = glb.add_material(doc, name, srgb, roughness=0.75)
        primitives.append(glb.add_primitive(doc, material, vertices[used], normals[used],
                                            joints[used], influence[used], local))
    glb.add_skinned_mesh(doc, "humanoid", primitives, skin_index)
    in_shoe = (vertices[:, 1] < 0.05) & (vertices[:, 0] > 0)
    motions.add_clips(doc, nodes, vertices[in_shoe])
    return doc.to_bytes()
