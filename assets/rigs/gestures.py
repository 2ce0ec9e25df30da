"""Idle and Wave: the feet stand still, the rest of the body moves a little."""

import math

import numpy as np

from . import quat, skeleton
from .body import PALMWARD
from .figure import Figure, hanging
from .quat import X, Y, Z, degrees, mul

IDLE_SECONDS, IDLE_KEYS = 4.0, 60
WAVE_SECONDS, WAVE_KEYS, WAVES = 2.4, 60, 3


def swing(phase, offset=0.0):
    return math.sin(2 * math.pi * (phase - offset))


def stand(body, shift, sink):
    """Hips to one side and down by metres; the feet stay where they are at rest."""
    body.hips = skeleton.position("Hips") + [shift, -sink, 0.0]
    for side in ("Left", "Right"):
        body.place_foot(side, skeleton.position(side + "Foot"), quat.IDENTITY)


def breathe(body, breath):
    """breath in [-1,1]: the chest tilts back, the shoulders rise."""
    body.turn("Spine", body.local["Spine"], degrees(X, -0.7 * breath))
    body.turn("Chest", body.local["Chest"], degrees(X, -1.2 * breath))
    body.turn("LeftShoulder", degrees(Z, 1.6 * breath))
    body.turn("RightShoulder", degrees(Z, -1.6 * breath))


def idle(phase):
    body = Figure()
    lean = swing(phase)
    tilt = 1.4 * lean
    body.turn("Hips", degrees(Z, tilt), degrees(Y, 1.5 * lean))
    body.turn("Spine", degrees(Z, -1.0 * tilt), degrees(Y, -1.0 * lean))
    body.turn("Chest", degrees(Z, -0.7 * tilt), degrees(Y, -1.0 * swing(phase, 0.06)))
    breathe(body, swing(2 * phase, 0.2))
    stand(body, 0.016 * lean, 0.012 + 0.002 * swing(2 * phase, 0.1))
    body.face(mul(degrees(Y, 5 * swing(phase, 0.12)),
                  degrees(X, 1.5 + 1.2 * swing(2 * phase, 0.3))))
    for side, sign in (("Left", 1), ("Right", -1)):
        late = sign * swing(phase, 0.10)
        upper = mul(degrees(X, 1 + 1.2 * late), hanging(0.19 + 0.012 * swing(2 * phase, 0.25)))
        body.pose_arm(side, upper, 7 + 2 * late, degrees(X, -3 + 1.5 * late), 24)
    return body


# The raised arm, as the left one would do it: out and up, the elbow opening upwards.
RAISED = np.array([0.86, 0.20, 0.30])


def wave(phase):
    body = Figure()
    beat, sway = WAVES * phase, swing(phase, 0.05)
    body.turn("Hips", degrees(Z, -1.0 + 0.8 * sway), degrees(Y, 2.0))
    body.turn("Spine", degrees(Z, 2.0 + 0.6 * sway))
    body.turn("Chest", degrees(Z, 2.0 + 0.8 * swing(beat, 0.1)), degrees(Y, 1.0 * swing(beat)))
    breathe(body, sway)
    stand(body, 0.012 + 0.004 * sway, 0.013)
    body.face(mul(degrees(Y, -4), degrees(Z, 3 + 2 * swing(phase)), degrees(X, -2)))
    body.pose_arm("Left", mul(degrees(X, 1 + 1.5 * sway), hanging(0.19)), 9, curl_deg=24)

    lift = RAISED + [0, 0.05 * swing(beat, 0.15), 0]
    upper = quat.from_frames(skeleton.ARM, quat.Z, lift, np.array([-0.15, 1.0, 0.1]))
    body.turn("RightShoulder", body.local["RightShoulder"], degrees(Z, -9))
    # The hand lags behind the forearm, as a loose wrist does.
    loose = mul(degrees(PALMWARD, 14 * swing(beat, 0.12)), degrees(X, -4))
    body.pose_arm("Right", upper, 72 + 20 * swing(beat), loose, 2)
    return body


def keys(pose, seconds, count):
    figures = [pose(i / count) for i in range(count)]
    return np.arange(count + 1) * (seconds / count), figures + figures[:1]
