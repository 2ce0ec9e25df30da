"""The bust's expressions: where each vertex goes for an opened eye, a smile, a blink and so on.

All work in the head's own axes on whole, mirrored vertex arrays. side is +1 for vertices above
the slit of lids or lips, -1 below: on the slit itself the position cannot tell.
"""

import math

import numpy as np

from . import sdf
from .face import EYE, EYE_RADIUS, MOUTH_HALF_WIDTH, MOUTH_Y

LID_RADIUS = EYE_RADIUS + 0.0018
EYE_HALF_WIDTH = 0.0180
NAMES = ["smile", "frown", "blink_left", "blink_right", "mouth_open", "brow_up"]

UPPER_LID_DEG, LOWER_LID_DEG = 38.0, 13.0
# What the neutral face has of mouth_open and smile.
LIPS_PARTED, FRIENDLY = 0.04, 0.25
JAW_HINGE, JAW_DEG = np.array([0, -0.030, -0.010]), 15.0


def smooth(t):
    t = np.clip(t, 0, 1)
    return t * t * (3 - 2 * t)


def folded(p):
    return np.abs(p * [1, 0, 0]) + p * [0, 1, 1]


def lid_line(p):
    """Height above the line where closed lids meet; p folded. It sags like a closed eye."""
    across = (p[:, 0] - EYE[0]) / EYE_HALF_WIDTH
    return p[:, 1] - (EYE[1] - 0.0045 + 0.0035 * across ** 2)


def mouth_line(p):
    """Height above the line between the closed lips, which rises to the corners."""
    across = p[:, 0] / MOUTH_HALF_WIDTH
    return p[:, 1] - (MOUTH_Y + 0.0022 * across ** 2)


def turn_about_x(p, centre, angle):
    """Rotates each point by its own angle; positive takes +Y to +Z."""
    q = p - centre
    c, s = np.cos(angle), np.sin(angle)
    turned = [q[:, 0], q[:, 1] * c - q[:, 2] * s, q[:, 1] * s + q[:, 2] * c]
    return centre + np.stack(turned, axis=1)


def opened_lids(p, side):
    """Slides the lids over the eyeball, away from each other. p folded, lids closed."""
    q = p - EYE
    across = np.clip(1 - (q[:, 0] / EYE_HALF_WIDTH) ** 2, 0, 1) ** 0.6
    elevation = np.degrees(np.arctan2(q[:, 1], q[:, 2]))
    edge = np.degrees(np.arctan2(q[:, 1] - lid_line(p), np.maximum(q[:, 2], 1e-3)))
    # Skin near the edge moves with it; further up the lid it folds together.
    upper = UPPER_LID_DEG * (1 - smooth((elevation - edge) / 68))
    lower = LOWER_LID_DEG * (1 - smooth((edge - elevation) / 45))
    on_lid = 1 - smooth((sdf.length(q) - 1.04 * LID_RADIUS) / (0.25 * LID_RADIUS))
    angle = np.where(side > 0, -upper, lower) * across * on_lid * (q[:, 2] > 0)
    return turn_about_x(p, EYE, np.radians(angle))


def bump(p, centre, spread):
    """1 at the centre (x, y), falling off like a bell, on the front of the head. p folded."""
    bell = np.exp(-0.5 * (sdf.length(p[:, :2] - np.asarray(centre)) / spread) ** 2)
    return (bell * smooth(p[:, 2] / 0.05))[:, None]


def smile(p, side):
    corner = bump(p, (MOUTH_HALF_WIDTH + 0.002, MOUTH_Y), 0.0145)
    cheek = bump(p, (0.041, -0.036), 0.015)
    lid = bump(p, EYE[:2] - (0, 0.017), 0.009)
    return (corner * [0.0075, 0.0085, -0.0045] + cheek * [0.001, 0.0035, 0.0025]
            + lid * [0, 0.0015, 0])


def frown(p, side):
    corner = bump(p, (MOUTH_HALF_WIDTH, MOUTH_Y), 0.0120)
    lower_lip = bump(p, (0, MOUTH_Y - 0.010), 0.010)
    inner_brow = bump(p, (0.014, 0.027), 0.010)
    outer_brow = bump(p, (0.046, 0.027), 0.012)
    return (corner * [-0.002, -0.0085, 0.0] + lower_lip * [0, 0.0025, 0.0015]
            + inner_brow * [-0.002, 0.0050, 0.001] + outer_brow * [0, -0.0045, 0])


def brow_up(p, side):
    brow = bump(p, (0.020, 0.030), 0.013) + bump(p, (0.042, 0.030), 0.012)
    return brow * [0, 0.0085, -0.0012]


def mouth_open(p, side):
    """Turns the lower jaw; the corners of the mouth share the way with the upper lip."""
    height = mouth_line(p)
    corner = np.clip(p[:, 0] / (1.02 * MOUTH_HALF_WIDTH), 0, 1) ** 3
    lower = 1 - corner / 2 * (1 - smooth(-height / 0.028))
    upper = corner / 2 * (1 - smooth(height / 0.034))
    share = np.where(side > 0, upper, lower)
    # The jaw ends at the throat below and at the ears behind.
    share = share * smooth((p[:, 2] + 0.020) / 0.065) * smooth((p[:, 1] + 0.155) / 0.050)
    lip = bump(p, (0, MOUTH_Y + 0.006), 0.012) * (side > 0)[:, None]
    return turn_about_x(p, JAW_HINGE, np.radians(JAW_DEG) * share) - p + lip * [0, 0.002, 0]


def deltas(closed, lid_side, mouth_side):
    """Displacements in the order of NAMES. closed: the positions with lids and lips shut."""
    mirror = np.where(closed[:, :1] < 0, -1.0, 1.0) * [1, 0, 0] + [0, 1, 1]
    shut = closed - opened_lids(folded(closed), lid_side) * mirror

    def both(shape):
        return shape(folded(closed), mouth_side) * mirror

    return [both(smile), both(frown), shut * (closed[:, :1] > 0), shut * (closed[:, :1] < 0),
            both(mouth_open), both(brow_up)]


def neutral_face(closed, lid_side, mouth_side):
    """Eyes open, a friendly mouth, lips just parted, so that there is a line between them."""
    mirror = np.where(closed[:, :1] < 0, -1.0, 1.0) * [1, 0, 0] + [0, 1, 1]
    mouth = (LIPS_PARTED * mouth_open(folded(closed), mouth_side)
             + FRIENDLY * smile(folded(closed), mouth_side))
    return (opened_lids(folded(closed), lid_side) + mouth) * mirror


# The clip: (seconds, weights by name) between which the face eases; what is not named is 0.
SCORE = [
    (0.0, {}), (0.5, {"smile": 1}), (1.3, {"smile": 1, "brow_up": 0.4}),
    (1.7, {"smile": 0.6}), (1.82, {"smile": 0.5, "blink_left": 1, "blink_right": 1}), (1.97, {}),
    (2.5, {"mouth_open": 1, "brow_up": 1}), (3.1, {"mouth_open": 0.85, "brow_up": 1}), (3.6, {}),
    (4.1, {"frown": 1}), (4.9, {"frown": 1}), (5.4, {}),
    (5.7, {"smile": 0.9, "blink_left": 1}), (6.2, {"smile": 0.9, "blink_left": 1}), (6.6, {}),
    (6.75, {"blink_left": 1, "blink_right": 1}), (6.9, {}), (7.2, {}),
]
KEYS_PER_SECOND = 20


def clip_keys():
    """Times and weights [key][target]; ends as it begins."""
    score = np.array([[row.get(name, 0.0) for name in NAMES] for _, row in SCORE])
    starts = [time for time, _ in SCORE]
    times = np.arange(round(starts[-1] * KEYS_PER_SECOND) + 1) / KEYS_PER_SECOND
    keys = []
    for time in times:
        i = min(int(np.searchsorted(starts, time, side="right")) - 1, len(starts) - 2)
        t = float(smooth((time - starts[i]) / (starts[i + 1] - starts[i])))
        keys.append(score[i] + t * (score[i + 1] - score[i]))
    return times, np.round(keys, 5)


def nod_angle_deg(phase):
    """Two nods, the second smaller; positive looks down."""
    envelope = math.sin(math.pi * phase) ** 2
    return 15 * envelope * math.sin(4 * math.pi * phase - 0.5 * math.pi) + 3 * envelope
