"""Retargeting between all humanoids of the shared files: limbs point as they do on the rig that the
clip is of. Which joints a rig's limbs are was looked up by eye; directions are worked out here."""
import itertools
import math

from case import DEMO, SHARED, DaemonCase, shared_file
from makers import angle
from oracle import unit

LIMBS = ["upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot"]
BONES = [(0, 1), (1, 2), (3, 4), (4, 5)]
VRM = "vrm/vrm-addon-for-blender/"


def dotted(*names):
    return [[f"{name}.{side}" for name in names] for side in "LR"]


SNAKE = dotted("upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot")
CAMEL = [[side + name for name in ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")]
         for side in ("left", "right")]
# name: file, the joints of LIMBS of the left and of the right, what else is to be seen
RIGS = {
    "robot": ("raylib/gltf/robot.glb", dotted(
        "UpperArm", "LowerArm", "Palm2", "UpperLeg", "LowerLeg", "Foot")),
    "knight": ("kaykit-adventurers/Characters/gltf/Knight.glb", [
        [f"{name}.{side}" for name in ("upperarm", "lowerarm", "hand", "upperleg", "lowerleg",
                                       "foot")] for side in "lr"]),
    "figure": ("khronos-RiggedFigure/glTF-Binary/RiggedFigure.glb", [
        [f"{part}_joint_{side}_{i}" for part in ("arm", "leg") for i in (1, 2, 3)]
        for side in "LR"]),
    "mannequiny": ("godot-mannequiny/mannequiny.glb", [
        [f"{name}.{side}" for name in ("upperarm", "lowerarm", "hand", "thigh", "calf", "foot")]
        for side in "lr"]),
    "avatar": ("vrm/derived-avatar/avatar1.vrm", CAMEL),
    "avatar-0x": ("vrm/derived-avatar/avatar1-0x.vrm", CAMEL),
    "look-at": (VRM + "look_at_preview_enabled.vrm", SNAKE),
    "armature": (VRM + "basic_armature_vrm1.vrm", SNAKE),
    "debug-robot": (VRM + "debug_robot.vrm", SNAKE),
    "voxels": ("vrm/cryptovoxels/cryptovoxels.vrm", [
        [f"{side} {name}" for name in ("arm", "elbow", "wrist", "leg", "knee", "ankle")]
        for side in ("Left", "Right")]),
    "move": ("vrm/derived-avatar/move1.vrma", CAMEL),
    "twist": (VRM + "hips_spine_twisting.vrma", [
        [name[0].upper() + name[1:] for name in side] for side in CAMEL]),
    "test": ("vrm/three-vrm/test.vrma", CAMEL),
}
DEMO_LIMBS = [[side + name for name in ("Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot")]
              for side in ("Left", "Right")]
CLIPS_MOST = 6
MOMENTS = (0.13, 0.37, 0.71)  # of a clip's duration
ALLOWED_DEG = 15


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def place(joints, name):
    return joints[name]["world"][12:15]


def between(a, b):
    return [y - x for x, y in zip(a, b)]


def middle(a, b):
    return [(x + y) / 2 for x, y in zip(a, b)]


def axes(joints, limbs):
    """To the left, up and forward at rest, by where thighs and upper arms are."""
    legs, arms = [[place(joints, side[i]) for side in limbs] for i in (3, 0)]
    up = unit(between(middle(*legs), middle(*arms)))
    left = [a + b for a, b in zip(unit(between(legs[1], legs[0])), unit(between(arms[1], arms[0])))]
    left = unit([x - sum(map(math.prod, zip(left, up))) * y for x, y in zip(left, up)])
    return [left, up, cross(left, up)]


def quarter_turn(ours, theirs):
    """The rotation by quarter turns between two sets of axes, as rows; none where they are askew."""
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1, -1), repeat=3):
            rows = [[signs[r] if c == order[r] else 0 for c in range(3)] for r in range(3)]
            turned = [[sum(x * y for x, y in zip(row, axis)) for row in rows] for axis in theirs]
            if max(map(angle, ours, turned)) < 40:
                return rows
    return [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def by_bones(ours, theirs):
    """VRM animations turn an avatar's bones against its rest pose, which they take to be a T-pose, whether it is
    one or not: test_vrma holds them against three-vrm."""
    ends = [RIGS[name][0] if name in RIGS else "" for name in (ours, theirs)]
    return ends[1].endswith(".vrma") and ends[0].endswith((".vrm", ".vrma"))


class Limbs(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        cls.limbs = {"humanoid": DEMO_LIMBS}
        cls.missing = []
        for name, (path, limbs) in RIGS.items():
            if (SHARED / path).exists():
                cls.put_rig(name, (SHARED / path).read_bytes())
                cls.limbs[name] = limbs
            else:
                cls.missing.append(path)

    def setUp(self):
        if self.missing:
            shared_file(self.missing[0])

    def poses(self, rig):
        clips = self.description(rig)["clips"]
        for clip in clips[::max(1, len(clips) // CLIPS_MOST)][:CLIPS_MOST]:
            for moment in MOMENTS:
                yield {"clip": clip["index"], "time": moment * clip["duration"]}

    def worst_angles(self, ours, theirs, turn, moved):
        """The largest and all angles between the limbs of two rigs, over poses of one."""
        angles = []
        for pose, their_joints in moved:
            reply = self.client.pose(ours, {"retarget": pose, "rig": theirs})
            our_joints = {joint["name"]: joint
                          for joint in self.assertStatus(reply, 200).json()["joints"]}
            for mine, other in zip(self.limbs[ours], self.limbs[theirs]):
                for a, b in BONES:
                    there = between(place(their_joints, other[a]), place(their_joints, other[b]))
                    there = [sum(x * y for x, y in zip(row, there)) for row in turn]
                    here = between(place(our_joints, mine[a]), place(our_joints, mine[b]))
                    angles.append((angle(unit(here), unit(there)), LIMBS[a], pose))
        return angles

    def test_limbs_point_as_the_clip_s_rig_s_do(self):
        frames = {rig: axes(self.joints(rig), limbs) for rig, limbs in self.limbs.items()}
        everything = []
        for theirs in self.limbs:
            moved = [(pose, self.joints(theirs, pose)) for pose in self.poses(theirs)]
            for ours in self.limbs if moved else []:
                if by_bones(ours, theirs):
                    continue
                with self.subTest(ours=ours, theirs=theirs):
                    turn = quarter_turn(frames[ours], frames[theirs])
                    found = self.worst_angles(ours, theirs, turn, moved)
                    everything += [one[0] for one in found]
                    worst = max(found, key=lambda one: one[0])
                    mean = sum(one[0] for one in found) / len(found)
                    print(f"{theirs} on {ours}: limbs off by {worst[0]:.2f} degrees at most "
                          f"({worst[1]}, {worst[2]}), {mean:.2f} in the mean")
                    self.assertLessEqual(worst[0], ALLOWED_DEG, worst)
        print(f"{len(everything)} limbs: {max(everything):.2f} degrees at most, "
              f"{sum(everything) / len(everything):.3f} in the mean")
