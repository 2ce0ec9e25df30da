"""A pose of the humanoid: local rotations, forward kinematics, legs by two-bone IK."""

import math

import numpy as np

from . import quat, skeleton
from .body import PALMWARD, THUMBWARD
from .quat import cross, mul, rotate, unit


class Figure:
    """Starts at rest; rotations are local, hips is the position of the root joint."""

    def __init__(self):
        self.local = {name: quat.IDENTITY for name in skeleton.NAMES}
        self.hips = skeleton.position("Hips").copy()

    def turn(self, name, *rotations):
        """Sets a joint's rotation; the rightmost factor acts first."""
        self.local[name] = mul(*rotations)

    def world(self, name):
        """Model-space rotation and position of a joint."""
        parent = skeleton.PARENTS[skeleton.NAMES.index(name)]
        if parent < 0:
            return self.local[name], self.hips
        parent_name = skeleton.NAMES[parent]
        turned, at = self.world(parent_name)
        offset = skeleton.position(name) - skeleton.position(parent_name)
        return mul(turned, self.local[name]), at + rotate(turned, offset)

    def face(self, rotation):
        """Gives the head a rotation in model space, half of the way by the neck."""
        chest, _ = self.world("Chest")
        whole = mul(quat.inverse(chest), rotation)
        half = unit(whole * math.copysign(1, whole[3]) + quat.IDENTITY)
        self.local["Neck"] = half
        self.local["Head"] = mul(quat.inverse(half), whole)

    def place_foot(self, side, ankle, foot_turn, toe_turn=quat.IDENTITY):
        """Bends hip and knee so that the ankle is at a place; the foot gets a model-space rotation.

        The knee points where the toes point. Asserts that the leg is long enough.
        """
        pelvis, hip = self.world("Hips")[0], self.world(side + "UpLeg")[1]
        thigh = skeleton.position(side + "Leg") - skeleton.position(side + "UpLeg")
        shin = skeleton.position(side + "Foot") - skeleton.position(side + "Leg")
        a, b = math.sqrt((thigh ** 2).sum()), math.sqrt((shin ** 2).sum())
        reach = ankle - hip
        distance = math.sqrt((reach ** 2).sum())
        assert distance < a + b, f"{side} leg: {distance:.3f} m asked, it has {a + b:.3f} m"
        forward = rotate(foot_turn, quat.Z)
        forward = unit(rotate(pelvis, quat.Z) + np.array([forward[0], 0, 0]))
        hinge = unit(cross(forward, reach))
        # The law of cosines gives the angle between thigh and the line to the ankle.
        angle = math.acos((a * a + distance * distance - b * b) / (2 * a * distance))
        new_thigh = rotate(quat.about(hinge, -angle), unit(reach)) * a
        thigh_turn = quat.from_frames(thigh, quat.X, new_thigh, hinge)
        shin_turn = quat.from_frames(shin, quat.X, reach - new_thigh, hinge)
        self.local[side + "UpLeg"] = mul(quat.inverse(pelvis), thigh_turn)
        self.local[side + "Leg"] = mul(quat.inverse(thigh_turn), shin_turn)
        self.local[side + "Foot"] = mul(quat.inverse(shin_turn), foot_turn)
        self.local[side + "Toe"] = toe_turn

    def pose_arm(self, side, upper, elbow_deg, hand=quat.IDENTITY, curl_deg=12.0):
        """upper, hand: rotations as the left arm would do them; the right arm mirrors them."""
        turns = {"Arm": upper, "ForeArm": quat.degrees(PALMWARD, elbow_deg), "Hand": hand,
                 "Fingers": quat.degrees(-THUMBWARD, curl_deg)}
        for name, turn in turns.items():
            self.local[side + name] = turn if side == "Left" else quat.mirror(turn)


def hanging(out=0.17, forward=0.03):
    """The left arm's rotation from its rest direction to hanging beside the body."""
    return quat.between(skeleton.ARM, np.array([out, -1.0, forward]))
