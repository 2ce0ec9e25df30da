"""One skeleton for several models: poses of a rig on others that have its joints."""
import json

from case import DEMO, DaemonCase
from client import OCTETS, rig_path
from live import OUTDATED
from rigs import armour
from test_live import LiveCase
from test_retarget import asset, skeleton, without
from tiny import glb, split_glb

POSES = [
    {"clip": "Walk", "time": 0.3},
    {"clip": "Wave", "time": 1.2, "sampler": "catmull_rom"},
    {"blend": [{"pose": {"clip": "Walk", "phase": 0.2}}, {"pose": {"clip": "Run", "phase": 0.4}}]},
    {"sync": [{"clip": "Walk"}, {"clip": "Run", "weight": 2}], "time": 0.4, "markers": "feet"},
    {"root_motion": {"clip": "Run", "time": 0.5}, "mode": "extract"},
    "rest",
]


def copied(pose, **members):
    return {"copy": pose, "rig": "humanoid", **members}


class Copies(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        cls.put_rig("same", armour())
        cls.put_rig("wide", armour(stretch=2))
        cls.put_rig("fewer", asset(without(skeleton(), "LeftFingers", "RightToe")))
        nodes = list(skeleton().values())
        order = [node["name"] for node in nodes]
        hand, fingers, arm = (order.index(name) for name in ("LeftHand", "LeftFingers", "LeftForeArm"))
        del nodes[hand]["children"]
        nodes[arm]["children"].append(fingers)
        cls.put_rig("elsewhere", asset(nodes))

    def test_joints_are_the_other_s_to_the_bit(self):
        for rig in ("same", "wide"):
            for pose in POSES:
                ours, theirs = self.joints(rig, copied(pose)), self.joints("humanoid", pose)
                self.assertEqual(list(ours)[:-1], list(theirs)[:-1])
                for name, joint in theirs.items():
                    if name in ours:
                        self.assertEqual({**joint, "index": 0}, {**ours[name], "index": 0})

    def test_the_way_comes_along(self):
        ours = self.client.pose("same", copied(POSES[4])).json()
        theirs = self.client.pose("humanoid", POSES[4]).json()
        self.assertIn("root_motion", theirs)
        self.assertEqual(ours["root_motion"], theirs["root_motion"])

    def test_vertices_of_the_same_mesh_are_the_same_to_the_bit(self):
        for skinning in ("lbs", "dqs"):
            for pose in POSES:
                ours = self.client.vertices("same", copied(pose), skinning=skinning)
                theirs = self.client.vertices("humanoid", pose, skinning=skinning)
                self.assertEqual(self.assertStatus(ours, 200).body, theirs.body)

    def test_operations_of_our_own_go_around_it(self):
        want = self.joints("humanoid", {"layers": [POSES[0], {"pose": POSES[1],
                                                             "mask": {"Spine": 1}}]})
        got = self.joints("same", {"layers": [copied(POSES[0]),
                                              {"pose": copied(POSES[1]), "mask": {"Spine": 1}}]})
        for name in list(want)[:-1]:
            self.assertEqual(got[name], want[name], name)

    def test_a_joint_that_the_rig_lacks_is_named(self):
        reply = self.client.pose("fewer", copied(POSES[0]))
        self.assertProblem(reply, 404, "unknown-joint", pointer="/pose/copy",
                           says=["LeftFingers", "humanoid", "ignore", "RightFingers"])
        got = self.joints("fewer", copied(POSES[0], unmatched="ignore"))
        want = self.joints("humanoid", POSES[0])
        self.assertEqual(len(got), 21)
        for name, joint in got.items():
            for channel in ("translation", "rotation", "scale"):
                self.assertEqual(joint[channel], want[name][channel], name)

    def test_a_joint_that_hangs_elsewhere_is_named(self):
        reply = self.client.pose("elsewhere", copied(POSES[0]))
        self.assertProblem(reply, 400, "invalid-value", pointer="/pose/copy",
                           says=["LeftFingers", "LeftForeArm", "LeftHand", "retarget"])
        got = self.joints("elsewhere", copied(POSES[0], unmatched="ignore"))
        rest, want = self.joints("elsewhere"), self.joints("humanoid", POSES[0])
        self.assertEqual(got["LeftFingers"]["rotation"], rest["LeftFingers"]["rotation"])
        self.assertEqual(got["LeftHand"]["rotation"], want["LeftHand"]["rotation"])

    def test_what_stands_above_the_skeletons_may_differ(self):
        def wrap(document):
            roots = document["scenes"][0]["nodes"]
            document["nodes"].append({"name": "Armature.001", "children": [roots[0]],
                                      "translation": [0, 0, 3]})
            document["scenes"][0]["nodes"] = [len(document["nodes"]) - 1, *roots[1:]]

        self.put_rig("wrapped", armour(wrap))
        got, want = self.joints("wrapped", copied(POSES[0])), self.joints("humanoid", POSES[0])
        for name in list(want)[:-1]:
            for channel in ("translation", "rotation", "scale"):
                self.assertEqual(got[name][channel], want[name][channel], name)
        self.assertAlmostEqual(got["Head"]["world"][14], want["Head"]["world"][14] + 3, delta=1e-6)

    def test_refusals_name_the_place(self):
        for pose, status, code, pointer in (
            (copied("rest", rig="nobody"), 404, "unknown-rig", "/pose/rig"),
            ({"copy": "rest"}, 400, "invalid-value", "/pose"),
            (copied({"clip": "Fly"}), 404, "unknown-clip", "/pose/copy/clip"),
            (copied("rest", unmatched="drop"), 400, "invalid-value", "/pose/unmatched"),
            (copied("rest", map="auto"), 400, "unknown-member", "/pose/map"),
        ):
            self.assertProblem(self.client.pose("same", pose), status, code, pointer=pointer)

    def test_a_clip_is_baked_and_drawn(self):
        # Only clips with all their keys are the expression to the bit.
        body = json.dumps({"pose": copied({"clip": "Walk"}), "rate": 30, "tolerance": "raw"}).encode()
        path = rig_path("same", "/clips/Walk")
        reply = self.client.request("PUT", path, body, {"Content-Type": "application/json"})
        self.assertStatus(reply, 201)
        got = self.assertStatus(self.client.pose("same", {"clip": "Walk", "time": 0.5},
                                                 accept=OCTETS), 200)
        want = self.client.pose("same", copied({"clip": "Walk", "time": 0.5}), accept=OCTETS)
        self.assertEqual(got.body, want.body)
        self.assertStatus(self.client.frame("same", copied({"clip": "Walk", "time": 0.5}),
                                            width=32, height=32), 200)

    def test_answers_change_with_the_other_rig(self):
        """As they do for retarget."""
        self.put_rig("base", (DEMO / "humanoid.glb").read_bytes())
        request = {"rig": "same", "pose": {"copy": {"clip": 1, "time": 0.4}, "rig": "base"}}
        first = self.assertStatus(self.client.post("vertices", request), 200)
        headers = {"If-None-Match": first.headers["ETag"], "Content-Type": "application/json"}
        body = json.dumps(request).encode()
        again = self.client.request("POST", "/v1/vertices", body, headers)
        self.assertEqual(again.status, 304)
        document, data = split_glb((DEMO / "humanoid.glb").read_bytes())
        document["animations"].reverse()
        self.put_rig("base", glb(json.dumps(document).encode(), data))
        changed = self.client.request("POST", "/v1/vertices", body, headers)
        self.assertEqual(changed.status, 200)
        self.assertNotEqual(changed.body, first.body)


class OtherRigs(LiveCase):
    def test_streams_say_when_a_rig_of_their_pose_is_another(self):
        self.addCleanup(self.client.delete, "base")
        source = (DEMO / "humanoid.glb").read_bytes()
        for pose in ({"copy": {"clip": "Walk"}, "rig": "base"},
                     {"retarget": {"clip": "Walk"}, "rig": "base"}):
            self.put_rig("base", source)
            live = self.open({"rig": "humanoid", "pose": pose, "fps": 30})
            changed = self.open({"rig": "humanoid", "fps": 30, "paused": True})
            self.assertFalse(live.read().has(OUTDATED))
            self.assertStatus(changed.patch(pose=pose), 200)
            self.put_rig("base", self.client.get("/v1/rigs/cyl2/source").body)
            frame = live.read_until(lambda frame: frame.has(OUTDATED))[-1]
            # It goes on with what it began with.
            want = self.floats_at("humanoid", {"clip": "Walk"}, frame.time)
            if "copy" in pose:
                self.assertEqual(frame.payload, want)
            changed.read_until(lambda frame: frame.has(OUTDATED))
            self.assertStatus(changed.patch(pose={"clip": "Walk"}), 200)
            changed.read_until(lambda frame: not frame.has(OUTDATED))
