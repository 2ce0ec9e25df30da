"""Retargeting over HTTP: variants of the demo humanoid and real rigs, checked against METHODS C.14's
formula worked out here, and the report of what fits."""
import copy
import json
import math
import struct

from case import DEMO, DaemonCase, shared_file
from client import rig_path
from oracle import rotate, turn, unit

MOMENTS = [{"clip": "Walk", "time": 0.1}, {"clip": "Run", "time": 0.37}, {"clip": "Wave", "time": 1.2}]
ARMS = [("LeftArm", "LeftForeArm"), ("LeftForeArm", "LeftHand"), ("RightArm", "RightForeArm"),
        ("RightForeArm", "RightHand")]
LEGS = [("LeftUpLeg", "LeftLeg"), ("LeftLeg", "LeftFoot"), ("RightUpLeg", "RightLeg"),
        ("RightLeg", "RightFoot"), ("RightFoot", "RightToe")]


def document(path):
    data = path.read_bytes()
    return json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])


def skeleton():
    """The demo humanoid's joints alone, as nodes to be changed: name -> node."""
    source = document(DEMO / "humanoid.glb")
    nodes = copy.deepcopy([node for node in source["nodes"] if "mesh" not in node])
    assert all("mesh" in node for node in source["nodes"][len(nodes):])
    return {node["name"]: node for node in nodes}


def asset(nodes):
    """The nodes (children by index into the list they came in) as a file."""
    nodes = list(nodes)
    children = {child for node in nodes for child in node.get("children", [])}
    roots = [i for i in range(len(nodes)) if i not in children]
    return json.dumps({"asset": {"version": "2.0"}, "nodes": nodes, "scene": 0,
                       "scenes": [{"nodes": roots}]}).encode()


def without(nodes, *names):
    """Nodes without those leaves."""
    order = list(nodes)
    kept = [name for name in order if name not in names]
    renumbered = {order.index(name): i for i, name in enumerate(kept)}
    out = []
    for name in kept:
        node = dict(nodes[name])
        children = [renumbered[c] for c in node.pop("children", []) if c in renumbered]
        out.append({**node, "children": children} if children else node)
    return out


def rotation_of(joint):
    """Rows of the rotation in a world matrix whose scale is uniform."""
    m = joint["world"]
    columns = [unit(m[4 * k:4 * k + 3]) for k in range(3)]
    return [[columns[c][r] for c in range(3)] for r in range(3)]


def place(joint):
    return joint["world"][12:15]


def product(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(3)) for c in range(3)] for r in range(3)]


def transposed(a):
    return [list(row) for row in zip(*a)]


def quaternions(a, b):
    """The product: b first, then a."""
    return unit([a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                 a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                 a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                 a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]])


def inverse(q):
    return (-q[0], -q[1], -q[2], q[3])


def angle_between(a, b):
    a, b = unit(a), unit(b)
    cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    return math.degrees(math.atan2(math.hypot(*cross), sum(x * y for x, y in zip(a, b))))


def direction(joints, bone):
    a, b = place(joints[bone[0]]), place(joints[bone[1]])
    return [y - x for x, y in zip(a, b)]


# Of the robot, whose feet are no children of its legs: these point at the feet, wherever they are.
POINT_AT_FEET = ("LowerLeg.L", "LowerLeg.R")


class Retarget(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        nodes = skeleton()
        for node in nodes.values():
            node["translation"] = [2 * x for x in node["translation"]]
        cls.put_rig("twice", asset(nodes.values()))
        cls.put_rig("fewer", asset(without(skeleton(), "LeftFingers", "RightToe")))
        nodes = skeleton()
        for name, degrees in (("LeftArm", -40), ("RightArm", 40)):
            nodes[name]["rotation"] = turn((0.6, 0, 0.8), degrees)
        cls.put_rig("arms", asset(nodes.values()))
        nodes = list(skeleton().values())
        for node in nodes:
            node["translation"] = [x * 100 for x in node["translation"]]
            node["children"] = [c + 1 for c in node.get("children", [])]
            if not node["children"]:
                del node["children"]
        hips = nodes[0]
        hips["translation"] = rotate(turn((1, 0, 0), 90), hips["translation"])
        hips["rotation"] = turn((1, 0, 0), 90)
        armature = {"name": "Armature", "children": [1], "scale": [0.01] * 3,
                    "rotation": turn((1, 0, 0), -90)}
        cls.put_rig("centimetres", asset([armature, *nodes]))

    def retargeted(self, pose, rig, theirs="humanoid", **members):
        return self.joints(rig, {"retarget": pose, "rig": theirs, **members})

    def test_twice_the_size_turns_alike_and_moves_twice_as_far(self):
        for pose in MOMENTS:
            ours, theirs = self.retargeted(pose, "twice"), self.joints("humanoid", pose)
            for name, joint in ours.items():
                self.assertNumbers(rotation_of(joint), rotation_of(theirs[name]), 1e-6, name)
                self.assertNumbers(place(joint), [2 * x for x in place(theirs[name])], 3e-6, name)

    def test_shared_joints_are_the_same_to_the_bit(self):
        for pose in MOMENTS:
            ours, theirs = self.retargeted(pose, "fewer"), self.joints("humanoid", pose)
            self.assertEqual(len(ours), 21)
            for name, joint in ours.items():
                for channel in ("translation", "rotation", "scale"):
                    self.assertEqual(joint[channel], theirs[name][channel], name)

    def test_armatures_in_other_units_and_axes_look_the_same(self):
        for pose in MOMENTS:
            ours, theirs = self.retargeted(pose, "centimetres"), self.joints("humanoid", pose)
            for name in theirs.keys() & ours.keys():
                self.assertNumbers(place(ours[name]), place(theirs[name]), 5e-6, name)

    def test_arms_that_rest_elsewhere_point_the_same_way(self):
        for pose in MOMENTS:
            ours, theirs = self.retargeted(pose, "arms"), self.joints("humanoid", pose)
            for bone in ARMS + LEGS + [("Hips", "Spine"), ("Chest", "Neck")]:
                angle = angle_between(direction(ours, bone), direction(theirs, bone))
                self.assertLessEqual(angle, 0.01, bone)

    def rotations(self, rig, joints):
        """Joint -> its quaternion in the world, of the rotations alone: scales may shear."""
        world = {-1: (0, 0, 0, 1)}
        parents = {entry["name"]: entry["parent"] for entry in self.description(rig)["joints"]}
        for name, joint in joints.items():  # parents come first
            world[joint["index"]] = quaternions(world[parents[name]], joint["rotation"])
        return {name: world[joint["index"]] for name, joint in joints.items()}

    def hold_to_the_formula(self, ours_rig, theirs_rig, pose, pairs):
        """METHODS C.14 without alignment: R = R_theirs(t) R_theirs(0)^-1 R_ours(0). Returns the
        largest angle, in degrees, between what the daemon has and that."""
        ours = self.rotations(ours_rig, self.retargeted(pose, ours_rig, theirs_rig, align="none"))
        theirs = self.rotations(theirs_rig, self.joints(theirs_rig, pose))
        our_rest = self.rotations(ours_rig, self.joints(ours_rig))
        their_rest = self.rotations(theirs_rig, self.joints(theirs_rig))
        worst = 0
        for name, partner in pairs.items():
            turned = quaternions(theirs[partner], inverse(their_rest[partner]))
            wanted = quaternions(turned, our_rest[name])
            *sine, cosine = quaternions(inverse(wanted), ours[name])
            worst = max(worst, math.degrees(2 * math.atan2(math.hypot(*sine), abs(cosine))))
        self.assertLessEqual(worst, 1e-4)
        return worst

    def pairs(self, ours, theirs, **parameters):
        return {pair["ours"]: pair["theirs"]
                for pair in self.report(ours, theirs, **parameters)["pairs"]}

    def report(self, ours, theirs, **parameters):
        query = "".join(f"&{name}={value}" for name, value in parameters.items())
        path = rig_path(ours, f"/compatibility?with={theirs}{query}")
        return self.assertStatus(self.client.get(path), 200).json()

    def test_rotations_are_the_formula_s(self):
        for rig in ("twice", "arms", "centimetres"):
            for pose in MOMENTS:
                self.hold_to_the_formula(rig, "humanoid", pose, self.pairs(rig, "humanoid"))

    def test_real_rigs(self):
        for path, clip in (("godot-mannequiny/mannequiny.glb", "run_root.001"),
                           ("kaykit-adventurers/Characters/gltf/Knight.glb", "Walking_A"),
                           ("raylib/gltf/robot.glb", "Robot_Walking")):
            with self.subTest(rig=path):
                self.put_rig("real", shared_file(path).read_bytes())
                pose = {"clip": clip, "time": 0.3}
                worst = max(
                    self.hold_to_the_formula("humanoid", "real", pose, {
                        ours: theirs for ours, theirs in self.pairs("humanoid", "real").items()
                        if theirs not in POINT_AT_FEET}),
                    self.hold_to_the_formula("real", "humanoid", MOMENTS[0],
                                             self.pairs("real", "humanoid")))
                print(f"{path}: {worst:.2g} degrees from the formula at most")
                report = self.report("humanoid", "real")
                self.assertGreater(report["share"], 0.7)
                self.assertTrue(all(entry["usable"] for entry in report["clips"]))

    def test_pictures_of_other_rigs_clips(self):
        reply = self.client.post("frame", {
            "rig": "humanoid", "width": 64, "height": 64,
            "pose": {"blend": [{"pose": {"retarget": {"clip": "Walk"}, "rig": "humanoid"}},
                               {"pose": "rest"}]}})
        self.assertStatus(reply, 200)

    def test_methods_compare_in_poses_of_other_rigs_clips(self):
        pose = {"retarget": MOMENTS[0], "rig": "humanoid"}
        reply = self.client.post("compare", {
            "rig": "humanoid", "pose": pose, "methods": ["lbs", "dqs"]})
        self.assertStatus(reply, 200)
        own = self.client.post("compare", {
            "rig": "humanoid", "pose": MOMENTS[0], "methods": ["lbs", "dqs"]})
        for ours, theirs in zip(reply.json()["pairs"], own.json()["pairs"]):
            self.assertAlmostEqual(ours["max"], theirs["max"], delta=1e-5)
            self.assertGreater(ours["max"], 1e-3)

    def test_a_map_by_hand(self):
        pose = {"set": "rest", "joints": {"Neck": {"rotation": turn((1, 0, 0), 30)}}}
        ours = self.retargeted(pose, "twice", map={"Neck": "LeftForeArm"})
        rest = self.joints("twice")
        for name, joint in ours.items():
            if name not in ("LeftForeArm", "LeftHand", "LeftFingers"):
                self.assertEqual(joint["world"], rest[name]["world"], name)
        turned = product(rotation_of(ours["LeftForeArm"]),
                         transposed(rotation_of(rest["LeftForeArm"])))
        self.assertAlmostEqual((sum(turned[i][i] for i in range(3)) - 1) / 2,
                               math.cos(math.radians(30)), delta=1e-6)

    def test_refusals_name_the_place(self):
        def refused(expression, status, code, pointer):
            reply = self.client.post("pose", {"rig": "humanoid", "pose": expression})
            self.assertProblem(reply, status, code, pointer=pointer)

        refused({"retarget": "rest", "rig": "nobody"}, 404, "unknown-rig", "/pose/rig")
        refused({"retarget": {"clip": "Fly"}, "rig": "humanoid"}, 404, "unknown-clip",
                "/pose/retarget/clip")
        refused({"retarget": "rest", "rig": "twice", "map": {"Hips": "Hip"}}, 404, "unknown-joint",
                "/pose/map/Hips")
        refused({"retarget": "rest", "rig": "twice", "scale": -1}, 400, "invalid-value",
                "/pose/scale")

    def test_report_of_what_fits(self):
        report = self.report("fewer", "humanoid")
        self.assertEqual(report["rig"], "fewer")
        self.assertEqual(report["with"], "humanoid")
        self.assertEqual(report["share"], 1)
        self.assertAlmostEqual(report["scale"], 1, delta=1e-6)
        self.assertEqual(report["ours_alone"], [])
        self.assertEqual(set(report["theirs_alone"]), {"LeftFingers", "RightToe", "humanoid"})
        self.assertEqual({pair["how"] for pair in report["pairs"]}, {"name"})
        self.assertEqual({pair["turn"] for pair in report["pairs"]}, {0})
        clip = {entry["name"]: entry for entry in report["clips"]}["Walk"]
        channels = {entry["name"]: entry for entry in self.description("humanoid")["clips"]}
        self.assertEqual(clip["bound"] + clip["folded"] + clip["dropped"],
                         channels["Walk"]["channels"])
        self.assertEqual(clip["dropped"], 2)
        roles = {entry["role"]: entry for entry in report["humanoid"]}
        self.assertEqual(roles["left_upper_arm"],
                         {"role": "left_upper_arm", "ours": "LeftArm", "theirs": "LeftArm"})
        self.assertIsNone(roles["right_toes"]["ours"])

    def test_report_tells_how_sure_it_is(self):
        self.put_rig("scrap", asset([{"name": f"part{i}", "translation": [i * i, 1, 0.3 * i],
                                      "children": [i + 1]} for i in range(11)] + [{"name": "end"}]))
        nodes = skeleton()
        order = {name: f"bone{i}" for i, name in enumerate(nodes)}
        for name, node in nodes.items():
            node["name"] = order[name]
        self.put_rig("nameless", asset(without(nodes, "LeftToe", "RightToe")))
        same, guessed, none = (self.client.get(rig_path(ours, "/compatibility?with=humanoid"))
                               for ours in ("twice", "nameless", "scrap"))
        self.assertEqual(same.json()["confidence"], 1)
        self.assertEqual({pair["confidence"] for pair in same.json()["pairs"]}, {1})
        self.assertNotIn("Posed-Warning", same.headers)
        pairs = {pair["ours"]: pair for pair in guessed.json()["pairs"]}
        for side in ("Left", "Right"):
            for part in ("Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot"):
                pair = pairs[order[side + part]]
                self.assertEqual(pair["theirs"], side + part)
                self.assertLess(pair["confidence"], 0.9)
        self.assertGreater(guessed.json()["confidence"], 0.5)
        self.assertLess(guessed.json()["confidence"], 0.9)
        self.assertLess(none.json()["confidence"], 0.1)
        self.assertIn("next to nothing", none.headers["Posed-Warning"])
        reply = self.client.pose("scrap", {"retarget": {"clip": "Walk"}, "rig": "humanoid"})
        self.assertProblem(reply, 400, "invalid-value", pointer="/pose/rig", says="map")
        reply = self.client.pose("scrap", {"retarget": {"clip": "Walk"}, "rig": "humanoid",
                                           "map": {"Hips": "part0"}})
        self.assertStatus(reply, 200)

    def test_report_tells_scale_and_turns(self):
        report = self.report("twice", "humanoid")
        self.assertAlmostEqual(report["scale"], 2, delta=1e-6)
        self.assertAlmostEqual(report["hip_height"]["ours"],
                               2 * report["hip_height"]["theirs"], delta=1e-6)
        turns = {pair["ours"]: pair["turn"] for pair in self.report("arms", "humanoid")["pairs"]}
        self.assertGreater(turns["LeftArm"], 20)
        self.assertAlmostEqual(turns["LeftHand"], turns["LeftForeArm"], delta=1e-9)
        self.assertEqual(turns["LeftLeg"], 0)

    def test_report_refuses_and_is_cached_by_both_rigs(self):
        path = rig_path("humanoid", "/compatibility")
        self.assertProblem(self.client.get(path + "?with=nobody"), 404, "unknown-rig",
                           parameter="with")
        self.assertProblem(self.client.get(path), 400, "invalid-value", says="with")
        self.assertProblem(self.client.get(path + "?with=twice&map=best"), 400, "invalid-value",
                           parameter="map", says="auto, name")
        self.assertProblem(self.client.get(path + "?with=twice&by=name"), 400, "unknown-member",
                           parameter="by")
        self.assertProblem(self.client.get(rig_path("nobody", "/compatibility?with=twice")), 404,
                           "unknown-rig")
        self.put_rig("other", asset(skeleton().values()))
        first = self.assertStatus(self.client.get(path + "?with=other"), 200)
        headers = {"If-None-Match": first.headers["ETag"]}
        again = self.client.request("GET", path + "?with=other", headers=headers)
        self.assertEqual(again.status, 304)
        self.put_rig("other", asset(without(skeleton(), "LeftFingers")))
        changed = self.client.request("GET", path + "?with=other", headers=headers)
        self.assertEqual(changed.status, 200)
        self.assertNotEqual(changed.json(), first.json())
