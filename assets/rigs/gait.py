"""Walk and run in place: feet are planned on the moving ground first, the body follows them."""

import math
from dataclasses import dataclass

import numpy as np

from . import quat, skeleton
from .figure import Figure, hanging
from .quat import X, Y, Z, degrees, mul, rotate

ANKLE, TOE = skeleton.position("LeftFoot"), skeleton.position("LeftToe")
# Where the shoe's round heel meets the ground when the toes are up.
HEEL = np.array([ANKLE[0], 0.0, -0.072])


@dataclass(frozen=True)
class Gait:
    """All that tells one gait from another; phases are shares of the cycle from heel strike."""
    seconds: float
    keys: int
    speed: float            # of the ground, m/s
    stance: float           # share of the cycle that a foot is on the ground
    landing: float          # how far ahead of the root the flat foot's origin lands, m
    foot_line: float        # distance of the ankle from the middle, m
    pitch: tuple            # (phase, degrees) during stance; negative is toes up
    swing: tuple            # (share of the swing, ankle z, ankle y, degrees)
    hips: tuple             # mean height, bob, sway (m)
    highest: float          # phase of the highest point of the hips
    pelvis: tuple           # yaw, list (degrees)
    lean: tuple             # hips, spine, chest (degrees forward)
    arm: tuple              # swing, offset forward, out, elbow, elbow's part in the swing (degrees)
    fist: float             # curl of the fingers, degrees


WALK = Gait(
    seconds=1.08, keys=36, speed=1.2, stance=0.61, landing=0.310, foot_line=0.080,
    pitch=((0, -19), (0.045, -9), (0.09, 0), (0.28, 0), (0.40, 10), (0.52, 34), (0.61, 60)),
    swing=((0.20, -0.375, 0.262, 66), (0.48, -0.050, 0.200, 36), (0.78, 0.285, 0.140, -10)),
    hips=(0.920, 0.014, 0.020), highest=0.30, pelvis=(7, 3.5), lean=(1.5, 1.5, 1.5),
    arm=(23, -1, 0.20, 10, 8), fist=28)

RUN = Gait(
    seconds=0.70, keys=28, speed=3.0, stance=0.35, landing=0.260, foot_line=0.058,
    pitch=((0, -6), (0.03, 0), (0.13, 0), (0.21, 12), (0.29, 34), (0.35, 54)),
    swing=((0.20, -0.545, 0.365, 92), (0.42, -0.330, 0.465, 96), (0.66, 0.110, 0.330, 44),
           (0.86, 0.345, 0.190, 4)),
    hips=(0.880, 0.030, 0.010), highest=0.425, pelvis=(9, 4), lean=(7, 5, 4),
    arm=(35, 6, 0.26, 86, 14), fist=80)


def spline(xs, ys, first_slope, last_slope):
    """The clamped cubic spline through points, as a function: two continuous derivatives."""
    xs, ys = np.asarray(xs, float), np.asarray(ys, float)
    n, h = len(xs), np.diff(xs)
    matrix, right = np.eye(n), np.zeros(n)
    right[0], right[-1] = first_slope, last_slope
    for i in range(1, n - 1):
        matrix[i, i - 1:i + 2] = 1 / h[i - 1], 2 / h[i - 1] + 2 / h[i], 1 / h[i]
        right[i] = 3 * ((ys[i] - ys[i - 1]) / h[i - 1] ** 2 + (ys[i + 1] - ys[i]) / h[i] ** 2)
    slopes = np.linalg.solve(matrix, right)

    def at(x):
        i = min(max(int(np.searchsorted(xs, x)) - 1, 0), n - 2)
        t = (x - xs[i]) / h[i]
        return ((1 + 2 * t) * (1 - t) ** 2 * ys[i] + t * t * (3 - 2 * t) * ys[i + 1]
                + h[i] * (t * (1 - t) ** 2 * slopes[i] - t * t * (1 - t) * slopes[i + 1]))
    return at


def monotone(points):
    """Joins (x, y) points smoothly without overshoot: flat stretches stay flat."""
    xs, ys = np.array(points, float).T
    secants = np.diff(ys) / np.diff(xs)
    slopes = np.zeros(len(xs))
    for i in range(1, len(xs) - 1):
        if secants[i - 1] * secants[i] > 0:
            slopes[i] = 2 * secants[i - 1] * secants[i] / (secants[i - 1] + secants[i])
    slopes[0], slopes[-1] = secants[0], secants[-1]

    def at(x):
        i = min(max(int(np.searchsorted(xs, x)) - 1, 0), len(xs) - 2)
        h = xs[i + 1] - xs[i]
        t = (x - xs[i]) / h
        return ((1 + 2 * t) * (1 - t) ** 2 * ys[i] + t * t * (3 - 2 * t) * ys[i + 1]
                + h * (t * (1 - t) ** 2 * slopes[i] - t * t * (1 - t) * slopes[i + 1]))
    return at


class FootPlan:
    """Where the left ankle is, how the foot is pitched and the toes bent, at any phase."""

    def __init__(self, gait, sole):
        """sole [count][3]: the left shoe's points at rest, which must not go into the ground."""
        self.gait = gait
        self.heel = sole[sole[:, 2] < -0.02] - HEEL
        self.stance_pitch = monotone(gait.pitch)
        end, step = gait.stance, 1e-4
        start_slope = (self.stance_foot(step) - self.stance_foot(0)) / step
        end_slope = (self.stance_foot(end) - self.stance_foot(end - step)) / step
        rows = np.array([self.stance_foot(end)] + [s[1:] for s in gait.swing]
                        + [self.stance_foot(0)])
        phases = [end] + [end + s[0] * (1 - end) for s in gait.swing] + [1]
        self.swing = [spline(phases, rows[:, k], end_slope[k], start_slope[k]) for k in range(3)]

    def stance_foot(self, phase):
        """Ankle z, ankle y and pitch in degrees while the foot is on the ground."""
        pitch = self.stance_pitch(phase)
        turn = degrees(X, pitch)
        origin = self.gait.landing - self.gait.speed * self.gait.seconds * phase
        if pitch < 0:
            ankle = HEEL + rotate(turn, ANKLE - HEEL)
            # The heel is round: let its lowest point, not the pivot, touch the ground.
            angle = math.radians(pitch)
            heights = self.heel[:, 1] * math.cos(angle) - self.heel[:, 2] * math.sin(angle)
            ankle[1] -= heights.min()
        else:
            ankle = TOE + rotate(turn, ANKLE - TOE)
        return np.array([origin + ankle[2], ankle[1], pitch])

    def at(self, phase):
        """Ankle position, foot rotation, toe rotation."""
        phase %= 1.0
        if phase <= self.gait.stance:
            z, y, pitch = self.stance_foot(phase)
            bend = max(pitch, 0)
        else:
            z, y, pitch = (curve(phase) for curve in self.swing)
            # The toes straighten in the first part of the swing.
            s = min((phase - self.gait.stance) / (1 - self.gait.stance) / 0.45, 1)
            bend = self.stance_pitch(self.gait.stance) * (1 - s) ** 2 * (1 + 2 * s)
        return (np.array([self.gait.foot_line, y, z]), degrees(X, pitch), degrees(X, -bend))


def wave(phase, offset=0.0):
    return math.cos(2 * math.pi * (phase - offset))


def mirrored_foot(ankle, foot, toe):
    return ankle * [-1, 1, 1], quat.mirror(foot), quat.mirror(toe)


def figure(gait, plan, phase):
    """The whole body at a phase of the left foot's cycle."""
    body = Figure()
    middle = gait.stance / 2
    height, bob, sway = gait.hips
    body.hips = np.array([sway * wave(phase, middle), height + bob * wave(2 * phase,
                          2 * gait.highest), -0.005])
    yaw, tilt = gait.pelvis
    yaw_now, tilt_now = -yaw * wave(phase), tilt * wave(phase, middle - 0.08)
    body.turn("Hips", degrees(Y, yaw_now), degrees(X, gait.lean[0]), degrees(Z, tilt_now))
    # The chest turns against the pelvis and stays more upright.
    body.turn("Spine", degrees(Y, -0.8 * yaw_now), degrees(X, gait.lean[1]),
              degrees(Z, -0.7 * tilt_now))
    body.turn("Chest", degrees(Y, -1.0 * yaw_now), degrees(X, gait.lean[2]),
              degrees(Z, -0.6 * tilt_now))
    body.face(degrees(X, 0.25 * sum(gait.lean) + 0.8 * wave(2 * phase, 0.1)))

    for side, own, foot in (("Left", phase, plan.at(phase)),
                            ("Right", phase + 0.5, mirrored_foot(*plan.at(phase + 0.5)))):
        body.place_foot(side, *foot)
        swing_arm(body, gait, side, own)
    return body


def swing_arm(body, gait, side, phase):
    """The arm goes back while the leg of its side goes forward; elbow and hand follow late."""
    swing, offset, out, elbow, follow = gait.arm
    angle = swing * wave(phase, 0.02) - offset
    shoulder = degrees(Y, -0.12 * angle)
    body.local[side + "Shoulder"] = shoulder if side == "Left" else quat.mirror(shoulder)
    # A forward arm also comes a little across the body.
    across = degrees(Y, 0.35 * min(angle, 0) * (1 if elbow > 45 else 0.4))
    upper = mul(across, degrees(X, angle), hanging(out))
    bend = elbow - follow * wave(phase, 0.08)
    body.pose_arm(side, upper, bend, degrees(X, -4 * wave(phase, 0.15)), gait.fist)


def keys(gait, sole):
    """Figures at equal steps over one cycle, the first repeated at the end, with their times."""
    plan = FootPlan(gait, sole)
    figures = [figure(gait, plan, i / gait.keys) for i in range(gait.keys)]
    return np.arange(gait.keys + 1) * (gait.seconds / gait.keys), figures + figures[:1]
