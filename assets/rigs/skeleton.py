"""The humanoid's 23 joints: names, parents and rest positions in metres, feet on y = 0, facing +Z.

All joints have identity rotations at rest, so a clip's rotation reads in the model's own axes.
"""

import numpy as np

from .quat import unit

# The arms hang 48 degrees below the horizontal, elbows and knees a little bent the way they bend.
ARM = unit(np.array([0.67, -0.742, -0.02]))
FOREARM = unit(np.array([0.66, -0.735, 0.13]))
SHOULDER = np.array([0.172, 1.392, -0.018])
ELBOW = SHOULDER + 0.272 * ARM
WRIST = ELBOW + 0.245 * FOREARM
KNUCKLES = WRIST + 0.099 * FOREARM

# (name, parent, rest position); the left limbs, which the right ones mirror.
TRUNK = [
    ("Hips", None, (0, 0.950, -0.005)),
    ("Spine", "Hips", (0, 1.060, -0.010)),
    ("Chest", "Spine", (0, 1.200, -0.015)),
    ("Neck", "Chest", (0, 1.450, -0.028)),
    ("Head", "Neck", (0, 1.535, -0.018)),
]
LIMBS = [
    ("Shoulder", "Chest", (0.035, 1.395, -0.012)),
    ("Arm", "Shoulder", SHOULDER),
    ("ForeArm", "Arm", ELBOW),
    ("Hand", "ForeArm", WRIST),
    ("Fingers", "Hand", KNUCKLES),
    ("UpLeg", "Hips", (0.088, 0.920, -0.002)),
    ("Leg", "UpLeg", (0.098, 0.500, 0.012)),
    ("Foot", "Leg", (0.102, 0.092, -0.024)),
    ("Toe", "Foot", (0.112, 0.028, 0.095)),
]


def joints():
    """The rows (name, parent, position) in parent-before-child order."""
    rows = [(name, parent, np.array(at, float)) for name, parent, at in TRUNK]
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for name, parent, at in LIMBS:
            own = parent if parent in ("Chest", "Hips") else side + parent
            rows.append((side + name, own, np.round(np.asarray(at, float), 5) * [sign, 1, 1]))
    return rows


ROWS = joints()
NAMES = [row[0] for row in ROWS]
PARENTS = [-1 if row[1] is None else NAMES.index(row[1]) for row in ROWS]
POSITIONS = np.array([row[2] for row in ROWS])


def position(name):
    return POSITIONS[NAMES.index(name)]
