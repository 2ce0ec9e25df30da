"""The head that the humanoid and the bust share, as signed distances round the head's own centre.

Points are in metres with x already folded to x >= 0; +Z is where the face looks.
"""

import numpy as np

from .sdf import bone, cut, ellipsoid, join, join_all, meet, plane

EYE = np.array([0.0330, 0.001, 0.0605])
EYE_RADIUS = 0.0188
MOUTH_Y, MOUTH_HALF_WIDTH = -0.0686, 0.0290


def skull(p):
    cranium = ellipsoid(p, (0, 0.028, -0.012), (0.074, 0.084, 0.097))
    front = ellipsoid(p, (0, -0.030, 0.022), (0.060, 0.074, 0.067))
    jaw = join(bone(p, (0.043, -0.048, 0.000), (0.011, -0.090, 0.058), 0.022, 0.020),
               ellipsoid(p, (0, -0.094, 0.062), (0.024, 0.018, 0.019)), 0.03)
    cheek = ellipsoid(p, (0.038, -0.030, 0.056), (0.026, 0.023, 0.021))
    muzzle = ellipsoid(p, (0, -0.062, 0.056), (0.034, 0.029, 0.023))
    brow = bone(p, (0.010, 0.027, 0.074), (0.046, 0.025, 0.058), 0.014, 0.010)
    return join_all(0.04, join(cranium, front, 0.06), jaw, cheek, muzzle, brow)


def nose(p):
    ridge = bone(p, (0, 0.014, 0.083), (0, -0.024, 0.1025), 0.0065, 0.0080)
    tip = ellipsoid(p, (0, -0.029, 0.1035), (0.0098, 0.0088, 0.0092))
    wing = ellipsoid(p, (0.0100, -0.0318, 0.0945), (0.0068, 0.0065, 0.0085))
    return join_all(0.007, ridge, tip, wing)


def lips(p):
    upper = bone(p, (0, -0.0630, 0.0850), (0.0250, -0.0635, 0.0735), 0.0052, 0.0036)
    lower = bone(p, (0, -0.0755, 0.0840), (0.0220, -0.0715, 0.0740), 0.0060, 0.0036)
    return upper, lower


def lip_groove(p):
    return bone(p, (0, MOUTH_Y, 0.0965), (0.025, MOUTH_Y + 0.0018, 0.0920), 0.0020, 0.0016)


def ear(p):
    shell = ellipsoid(p, (0.0850, -0.004, -0.010), (0.0085, 0.030, 0.0190))
    lobe = ellipsoid(p, (0.0785, -0.029, -0.003), (0.008, 0.012, 0.009))
    hollow = ellipsoid(p, (0.0955, 0.000, -0.005), (0.010, 0.018, 0.0105))
    return cut(join(shell, lobe, 0.012), hollow, 0.006)


def hair(p):
    """A short cut, fuller on top and swept up at the forehead, that leaves the ears free."""
    cap = ellipsoid(p, (0, 0.031, -0.016), (0.0815, 0.0900, 0.1015))
    back = ellipsoid(p, (0, -0.020, -0.052), (0.068, 0.060, 0.058))
    quiff = bone(p, (0.022, 0.084, 0.050), (0.034, 0.084, -0.020), 0.022, 0.024)
    crest = bone(p, (0.0, 0.086, 0.054), (0.0, 0.090, -0.030), 0.022, 0.023)
    grown = join_all(0.04, cap, back, quiff, crest)
    above_forehead = plane(p, (0, 0.066, 0.080), (0.0, -1.0, 0.30))
    behind_temple = plane(p, (0.070, 0.030, 0.022), (0.15, -0.40, 0.85))
    above_nape = plane(p, (0, 0.010, 0.020), (0.0, -1.0, 0.62))
    allowed = meet(join(above_forehead, behind_temple, 0.02), above_nape, 0.016)
    return meet(grown, allowed, 0.016)


def neck(p):
    return join(bone(p, (0, -0.215, -0.030), (0, -0.060, -0.022), 0.056, 0.050),
                bone(p, (0.046, -0.065, -0.030), (0.014, -0.190, 0.010), 0.012, 0.012), 0.03)


def bald(p):
    """Skin with sockets and closed lips, but without eyes and hair."""
    shape = join(skull(p), neck(p), 0.03)
    socket = ellipsoid(p, EYE + (0.001, -0.002, 0.024), (0.0240, 0.0165, 0.0120))
    shape = cut(shape, socket, 0.022)
    shape = join(shape, nose(p), 0.011)
    upper, lower = lips(p)
    shape = join(join(shape, upper, 0.008), lower, 0.008)
    return join(shape, ear(p), 0.010)


def head(p):
    """The humanoid's head: eyes are bulges that get painted."""
    shape = join(bald(p), ellipsoid(p, EYE, [EYE_RADIUS] * 3), 0.004)
    return join(shape, hair(p), 0.008)


def oval(p, centre, half_width, half_height, power=2.0):
    """A painted oval, seen from the front; an estimate of the distance to its edge."""
    q = np.abs(p[:, :2] - np.asarray(centre)[:2]) / [half_width, half_height]
    return ((q ** power).sum(axis=1) ** (1 / power) - 1) * min(half_width, half_height)


def in_front(p, shape):
    """Keeps paint for the face off the back of the head."""
    return np.maximum(shape, 0.03 - p[:, 2])


def eye_white(p):
    return in_front(p, oval(p, EYE + (0.0005, -0.0005, 0), 0.0160, 0.0096))


def iris(p):
    return in_front(p, oval(p, EYE - (0.001, -0.0008, 0), 0.0086, 0.0098))


def eyebrow(p):
    """A tapering bar over the eye, in the plane of the picture."""
    flat = p * [1, 1, 0]
    inner = bone(flat, (0.0165, 0.0270, 0), (0.034, 0.0300, 0), 0.0034, 0.0036)
    outer = bone(flat, (0.034, 0.0300, 0), (0.049, 0.0245, 0), 0.0036, 0.0018)
    return in_front(p, np.minimum(inner, outer))


def smile(p):
    """A thin line that rises to the corners of the mouth."""
    flat = p * [1, 1, 0]
    middle = bone(flat, (0, MOUTH_Y - 0.0030, 0), (0.013, MOUTH_Y - 0.0012, 0), 0.0022, 0.0021)
    corner = bone(flat, (0.013, MOUTH_Y - 0.0012, 0), (MOUTH_HALF_WIDTH, MOUTH_Y + 0.0035, 0),
                  0.0021, 0.0014)
    return in_front(p, np.minimum(middle, corner))


def lip_paint(p):
    """Lips, seen from the front, pointed at the corners."""
    x = np.abs(p[:, 0]) / MOUTH_HALF_WIDTH
    arch = np.maximum(1 - x ** 2, -1)
    bow = 0.0016 * np.exp(-(p[:, 0] / 0.004) ** 2)
    top = p[:, 1] - (MOUTH_Y + 0.0080 * arch - bow)
    bottom = (MOUTH_Y - 0.0100 * arch) - p[:, 1]
    return in_front(p, np.maximum(top, bottom))
