"""Retargeting between the demo humanoid and rigs of many makers: joints pair as what they are, from
which place in the body each of them was made."""
import math

import makers
from case import DaemonCase
from client import rig_path
from makers import BODY, MAKERS, SIDED, angle

DEMO_JOINTS = {
    "hips": "Hips", "spine": "Spine", "chest": "Chest", "neck": "Neck", "head": "Head",
    **{f"{side.lower()}_{place}": f"{side}{name}" for side in ("Left", "Right")
       for place, name in (("shoulder", "Shoulder"), ("upper_arm", "Arm"), ("lower_arm", "ForeArm"),
                           ("hand", "Hand"), ("upper_leg", "UpLeg"), ("lower_leg", "Leg"),
                           ("foot", "Foot"), ("toes", "Toe"))}}
ROLES = BODY + [f"{side}_{place}" for side in ("left", "right") for place in SIDED]
LIMBS = [(f"{side}_{limb[i]}", f"{side}_{limb[i + 1]}") for side in ("left", "right")
         for limb in (("upper_arm", "lower_arm", "hand"), ("upper_leg", "lower_leg", "foot"))
         for i in (0, 1)]
UNSURE = 0.6
MOMENTS = [{"clip": "Run", "time": 0.37}, {"clip": "Wave", "time": 1.2}]


def faults(pairs, ours, theirs):
    """The faults in pairs of joints, of two rigs whose joints' roles are known."""
    our_roles = {name: role for role, name in ours.items()}
    their_roles = {name: role for role, name in theirs.items()}
    wrong = [f"{role}: {ours[role]} has {pairs.get(ours[role])}" for role in ROLES
             if role in ours and role in theirs and pairs.get(ours[role]) != theirs[role]]
    return wrong + [f"{a} has {b}" for a, b in pairs.items()
                    if a in our_roles and b in their_roles and our_roles[a] != their_roles[b]
                    and our_roles[a] not in theirs]


class Makers(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        for i, maker in enumerate(MAKERS):
            cls.put_rig(f"maker{i}", makers.asset(
                maker, slope=(0, 40, 65)[i % 3], facing=(0, 180)[i % 2], size=(1, 100)[i % 5 == 0]))

    def pairs(self, ours, theirs):
        reply = self.client.get(rig_path(ours, f"/compatibility?with={theirs}"))
        return {pair["ours"]: pair["theirs"]
                for pair in self.assertStatus(reply, 200).json()["pairs"]}

    def test_every_maker_s_joints_pair_as_what_they_are(self):
        whole = []
        for i, maker in enumerate(MAKERS):
            with self.subTest(maker=maker[0]):
                truth = makers.truth(maker)
                found = faults(self.pairs(f"maker{i}", "humanoid"), truth, DEMO_JOINTS)
                found += faults(self.pairs("humanoid", f"maker{i}"), DEMO_JOINTS, truth)
                whole += [] if found else [maker[0]]
                self.assertEqual(found, [])
        print(f"{len(whole)} of {len(MAKERS)} makers' rigs pair whole")

    def test_the_rest_pose_tells_limbs_without_names(self):
        sure = 0
        for i, maker in enumerate(MAKERS):
            with self.subTest(maker=maker[0]):
                numbers = {}

                def rename(name):
                    return numbers.setdefault(name, f"joint{len(numbers)}")

                self.put_rig("nameless", makers.asset(
                    maker, slope=(0, 40, 65)[i % 3], facing=(0, 180)[i % 2], rename=rename))
                truth = makers.truth(maker, rename)
                reply = self.client.get(rig_path("nameless", "/compatibility?with=humanoid"))
                report = self.assertStatus(reply, 200).json()
                if report["confidence"] < UNSURE:
                    continue
                sure += 1
                found = {entry["role"]: entry["ours"] for entry in report["humanoid"]}
                rest = self.joints("nameless")
                for role in {role for bone in LIMBS for role in bone}:
                    # Some joints lie where others do.
                    self.assertLess(math.dist(rest[found[role]]["world"][12:15],
                                              rest[truth[role]]["world"][12:15]), 1e-3, role)
        print(f"the limbs of {sure} of {len(MAKERS)} rigs without names are known, and right")
        self.assertGreater(sure, 0.9 * len(MAKERS))

    def test_makers_pair_with_one_another(self):
        count = len(MAKERS)
        for i in range(count):
            k = (i * 7 + 11) % count
            with self.subTest(ours=MAKERS[i][0], theirs=MAKERS[k][0]):
                self.assertEqual(faults(self.pairs(f"maker{i}", f"maker{k}"),
                                        makers.truth(MAKERS[i]), makers.truth(MAKERS[k])), [])

    def test_limbs_point_as_the_demo_s_do(self):
        worst = 0
        for i, maker in enumerate(MAKERS):
            truth = makers.truth(maker)
            turned = -1 if i % 2 else 1  # about +Y, as the rig faces
            for pose in MOMENTS:
                theirs = self.joints("humanoid", pose)
                ours = self.joints(f"maker{i}", {"retarget": pose, "rig": "humanoid"})
                for a, b in LIMBS:
                    with self.subTest(maker=maker[0], bone=a):
                        bone = self.bone(ours, truth[a], truth[b])
                        bone = [bone[0] * turned, bone[1], bone[2] * turned]
                        off = angle(bone, self.bone(theirs, DEMO_JOINTS[a], DEMO_JOINTS[b]))
                        worst = max(worst, off)
                        self.assertLessEqual(off, 1)
        print(f"limbs point as the demo's, within {worst:.2g} degrees")

    @staticmethod
    def bone(joints, a, b):
        return [y - x for x, y in zip(joints[a]["world"][12:15], joints[b]["world"][12:15])]
