"""Root motion: the way that is taken out of a pose, put on every vertex of what is left, is the whole
pose again. Held for rigs whose feet hang beside the hips, and for real files."""
import itertools
import math
import unittest

import rigs
from case import SHARED, DaemonCase
from oracle import rotate, turn
from tiny import IDENTITY, Tiny, split_glb, translation_matrix

APART_MOST = 2e-6  # of the diagonal, and of how far the pose went
VERTICES_MOST = 8000
PHASES = (0.3, 0.8)
TIMES = [0, 1]


def beside(armature, helper=None):
    """Hips that walk along +X and turn, with a foot on them and one beside them, under an armature
    with the given members; each joint moves a triangle of its own.

    helper  members of a node between the armature and the foot beside the hips
    """
    tiny = Tiny()
    hips = tiny.node(name="Hips", translation=[0, 1, 0], children=[1])
    tiny.node(name="LeftFoot", translation=[0.2, -1, 0])
    foot = tiny.node(name="RightFoot", translation=[-0.2, 0, 0])
    top = foot
    if helper:
        top = tiny.node(name="Helper", children=[foot], **helper)
    tiny.node(root=True, name="Armature", children=[hips, top], **armature)
    points, joints = [], []
    for i, (x, y) in enumerate(((0, 1), (0.2, 0), (-0.2, 0))):
        points += [(x, y, 0), (x + 0.1, y, 0), (x, y + 0.1, 0.1)]
        joints += [(i, 0, 0, 0)] * 3
    joints, weights = tiny.influences(joints, [(1, 0, 0, 0)] * 9)
    mesh = tiny.mesh(tiny.primitive(points, JOINTS_0=joints, WEIGHTS_0=weights))
    skin = tiny.skin([0, 1, 2], [IDENTITY, translation_matrix(0, 0, 0.1), IDENTITY])
    tiny.node(root=True, name="mesh", mesh=mesh, skin=skin)
    tiny.clip([(hips, "translation", TIMES, [(0, 1, 0), (3, 1.2, 1)], "LINEAR"),
               (hips, "rotation", TIMES, [turn((0, 1, 0), 10), turn((0, 1, 0), 140)], "LINEAR"),
               (foot, "translation", TIMES, [(-0.2, 0, 0), (2.7, 0.3, 1)], "LINEAR"),
               (foot, "rotation", TIMES, [turn((0, 1, 0), 0), turn((1, 1, 0), 120)], "LINEAR")],
              name="Walk")
    return tiny


ARMATURES = {
    "plain": ({},),
    "turned and in centimetres": ({"rotation": turn((1, 0, 0), -90), "scale": [0.01] * 3},),
    "mirrored": ({"scale": [-1, 1, 1]},),
    "stretched unevenly": ({"scale": [1, 2, 0.5]},),
    "with a helper": ({}, {"translation": [0, 0.1, 0], "rotation": turn((0, 0, 1), 40)}),
    "with a stretched helper": ({}, {"scale": [1, 1, 3], "rotation": turn((0, 1, 0), 40)}),
}


class RootMotion(DaemonCase):
    def hold(self, rig, pose, **members):
        """A pose is its extracted rest with its way put on each vertex."""
        extracted = {"root_motion": pose, "mode": "extract", **members}
        reply = self.assertStatus(self.client.pose(rig, extracted), 200)
        way = reply.json()["root_motion"]
        spot = self.positions(rig, extracted)
        want = self.positions(rig, pose)
        if not want:
            return
        size = max(max(row) - min(row) for row in zip(*want))
        far = max(map(abs, itertools.chain(*want, *spot, way["translation"])))
        worst = 0
        for got, wanted in zip(spot, want):
            moved = [a + b for a, b in zip(rotate(way["rotation"], got), way["translation"])]
            worst = max(worst, math.dist(moved, wanted))
        self.assertLessEqual(worst, APART_MOST * max(size, far), f"{rig} {pose}")
        return math.hypot(*way["translation"])

    def test_what_hangs_beside_the_hips_goes_along(self):
        for name, armature in ARMATURES.items():
            self.put_rig(name, beside(*armature).glb())
            for members in ({}, {"vertical": True}, {"turn": False}):
                with self.subTest(armature=name, **members):
                    pose = {"clip": "Walk", "time": 0.7}
                    self.assertGreater(self.hold(name, pose, joint="Hips", **members), 0.01)

    def test_cameras_and_lights_stay_where_they_are(self):
        tiny = beside({})
        tiny.json["cameras"] = [{"type": "perspective",
                                 "perspective": {"yfov": 0.7, "znear": 0.1}}]
        tiny.node(root=True, name="View", camera=0, translation=[0, 1, 9])
        self.put_rig("viewed", tiny.glb())
        pose = {"clip": "Walk", "time": 0.7}
        joints = self.joints("viewed", {"root_motion": pose, "mode": "zero", "joint": "Hips"})
        self.assertEqual(joints["View"]["translation"], [0, 1, 9])
        self.assertNotEqual(joints["RightFoot"]["translation"],
                            self.joints("viewed", pose)["RightFoot"]["translation"])

    def test_a_joint_that_moves_vertices_above_the_one_that_is_named_goes_along(self):
        self.put_rig("column", rigs.column([(0.1, 0.25 * i, 0.2) for i in range(6)]).glb())
        self.hold("column", {"clip": "twist", "time": 2}, joint="J1")

    def test_real_rigs_are_their_way_and_the_rest(self):
        if not SHARED.is_dir():
            self.skipTest("the shared files are not here")
        held = 0
        for path in sorted(SHARED.rglob("*.glb")):
            other = any(part.startswith(("malformed", "derived")) for part in path.parts)
            text = {} if other else split_glb(path.read_bytes())[0]
            vertices = sum(text["accessors"][primitive["attributes"]["POSITION"]]["count"]
                           for mesh in text.get("meshes", ()) for primitive in mesh["primitives"])
            if not text.get("animations") or not 0 < vertices <= VERTICES_MOST:
                continue
            rig = self.put_rig(path.stem, path.read_bytes())
            for clip in self.description(rig)["clips"][:6]:
                for phase in PHASES:
                    with self.subTest(rig=path.name, clip=clip["name"], phase=phase):
                        self.hold(rig, {"clip": clip["name"], "phase": phase})
            held += 1
        self.assertGreater(held, 5, "too few files have clips")


if __name__ == "__main__":
    unittest.main()
