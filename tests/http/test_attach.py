"""A rig held by a joint of another rig: its vertices are the joint's matrix times the offset times
its own vertices, computed here in double precision."""
import itertools
import math

from case import DaemonCase
from client import OCTETS
from oracle import apply, matrix, multiply, turn
from picture import Picture
from test_live import LiveCase
from tiny import IDENTITY, Tiny, translation_matrix

WALK = {"clip": "Walk", "time": 0.3, "loop": "repeat"}
BEND = {"clip": "bend", "time": 1.3}
OFFSET = {"translation": [0.1, -0.2, 0.3], "rotation": turn((1, 2, 3), 70), "scale": 0.4}
OFFSETS = [
    {},
    OFFSET,
    {"scale": [-1, 1, 1]},
    {"scale": -0.5, "rotation": turn((0, 1, 0), 30)},
    {"scale": [1, 2, 3]},
    {"scale": [1, 0, 1]},
    {"scale": 0},
    {"transform": [0, 0, -2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 5, 6, 7, 1]},
]


def several_roots():
    """Three triangles: on a node with a joint below, on a turned, stretched node, on a mirrored one."""
    tiny = Tiny()
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0.5)]
    below = tiny.node(name="below", translation=[0, 0.5, 0], rotation=turn((0, 0, 1), 20),
                      mesh=tiny.mesh(tiny.primitive(points)))
    tiny.node(root=True, name="top", translation=[1, 0, 0], rotation=turn((1, 1, 0), 50),
              children=[below])
    tiny.node(root=True, name="stretched", rotation=turn((0, 1, 1), 110), scale=[1, 2, 0.5],
              mesh=tiny.mesh(tiny.primitive(points)))
    tiny.node(root=True, name="mirrored", translation=[0, 0, -1], scale=[1, -1, 1],
              mesh=tiny.mesh(tiny.primitive(points)))
    tiny.clip([(below, "rotation", [0, 1], [turn((1, 0, 0), 0), turn((1, 0, 0), 90)], "LINEAR")],
              name="turn")
    return tiny


def offset_matrix(offset):
    if "transform" in offset:
        return offset["transform"]
    scale = offset.get("scale", 1)
    scale = scale if isinstance(scale, list) else [scale] * 3
    return matrix(offset.get("translation", (0, 0, 0)), offset.get("rotation", (0, 0, 0, 1)), scale)


def attached(pose, to, joint, offset=None, rig="humanoid"):
    return {"attach": pose, "rig": rig, "to": to, "joint": joint, **(offset or {})}


class HeldCase(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        cls.put_demo("cyl2")
        cls.put_rig("roots", several_roots().glb())

    def hold_to_the_law(self, got, way, alone, what=""):
        want = [apply(way, point) for point in alone]
        size = max(abs(x) for point in want + [way[12:15]] for x in point)
        self.assertNumbers(got, want, 2e-6 * max(size, 1e-3), what)


class Poses(HeldCase):
    def way(self, to, joint, offset, rig="humanoid"):
        return multiply(self.joints(rig, to)[joint]["world"], offset_matrix(offset))

    def test_vertices_are_the_joint_s_matrix_times_the_offset_times_their_own(self):
        for joint, to in (("RightHand", WALK), ("Head", {"clip": "Wave", "time": 1.2}),
                          ("Hips", "rest")):
            for offset in OFFSETS:
                got = self.positions("cyl2", attached(BEND, to, joint, offset))
                self.hold_to_the_law(got, self.way(to, joint, offset),
                                     self.positions("cyl2", BEND), (joint, offset))

    def test_all_roots_go_along_whatever_they_are_like(self):
        pose = {"clip": "turn", "time": 0.4}
        for offset in (o for o in OFFSETS if not isinstance(o.get("scale"), list)):
            got = self.positions("roots", attached(pose, WALK, "LeftFoot", offset))
            self.hold_to_the_law(got, self.way(WALK, "LeftFoot", offset),
                                 self.positions("roots", pose), offset)

    def test_normals_turn_along(self):
        both = ["position", "normal"]
        alone = self.positions("cyl2", BEND, attributes=both)
        got = self.positions("cyl2", attached(BEND, WALK, "RightHand", OFFSET), attributes=both)
        way = self.way(WALK, "RightHand", OFFSET)
        turned = [[sum(way[4 * k + r] * n[k] for k in range(3)) / 0.4 for r in range(3)]
                  for n in alone[len(alone) // 2:]]
        self.assertNumbers(got[len(got) // 2:], turned, 1e-5)

    def test_what_is_held_may_hold(self):
        small = attached({"clip": "Run", "time": 0.2}, WALK, "RightHand", {"scale": 0.5})
        way = multiply(self.way(WALK, "RightHand", {"scale": 0.5}),
                       self.way({"clip": "Run", "time": 0.2}, "LeftHand", OFFSET))
        got = self.positions("cyl2", attached(BEND, small, "LeftHand", OFFSET))
        self.hold_to_the_law(got, way, self.positions("cyl2", BEND))

    def test_scales_on_the_way_count(self):
        for scale in ([2, 2, 2], [-1, -1, -1], [0, 0, 0]):
            to = {"set": WALK, "joints": {"RightForeArm": {"scale": scale}}}
            got = self.positions("cyl2", attached(BEND, to, "RightHand", OFFSET))
            self.hold_to_the_law(got, self.way(to, "RightHand", OFFSET),
                                 self.positions("cyl2", BEND), scale)

    def test_what_would_shear_is_refused(self):
        to = {"set": WALK, "joints": {"RightHand": {"scale": [1, 2, 1]}}}
        reply = self.client.vertices("cyl2", attached(BEND, to, "RightHand", OFFSET))
        self.assertProblem(reply, 400, "invalid-value", pointer="/pose/joint", says="crowd")
        got = self.positions("cyl2", attached(BEND, to, "RightHand"))
        self.hold_to_the_law(got, self.way(to, "RightHand", {}), self.positions("cyl2", BEND))

    def test_it_goes_into_other_operations(self):
        held = attached(BEND, WALK, "RightHand", OFFSET)
        half = self.positions("cyl2", {"blend": [{"pose": held}, {"pose": held}]})
        self.assertNumbers(half, self.positions("cyl2", held), 1e-6)
        reply = self.client.frame("cyl2", held, width=32, height=32)
        self.assertGreater(len(Picture(self.assertStatus(reply, 200).body).covered()), 20)

    def test_refusals_name_the_place(self):
        for pose, status, code, pointer, says in (
            (attached("rest", "rest", "RihgtHand"), 404, "unknown-joint", "/pose/joint",
             "RightHand"),
            (attached("rest", "rest", 999), 404, "unknown-joint", "/pose/joint", "999"),
            (attached("rest", "rest", "Head", rig="nobody"), 404, "unknown-rig", "/pose/rig", ()),
            ({"attach": "rest", "rig": "humanoid"}, 400, "invalid-value", "/pose", "joint"),
            (attached("rest", {"clip": "Fly"}, "Head"), 404, "unknown-clip", "/pose/to/clip", ()),
            (attached({"clip": "Fly"}, "rest", "Head"), 404, "unknown-clip", "/pose/attach/clip", ()),
            (attached("rest", "rest", "Head", {"scale": 3, "transform": IDENTITY}), 400,
             "invalid-value", "/pose/scale", "transform"),
            (attached("rest", "rest", "Head", {"rotation": [0, 0, 0, 0]}), 400, "invalid-value",
             "/pose/rotation", ()),
            (attached({"set": "rest", "joints": {0: {"translation": [1e30, 0, 0]}}}, "rest", "Head",
                      {"scale": 1e30}), 400, "invalid-value", "/pose/joint", "float32"),
        ):
            self.assertProblem(self.client.pose("cyl2", pose), status, code, pointer, says=says)


class Crowds(HeldCase):
    def vertices(self, instances):
        """The positions of each instance."""
        body = self.assertStatus(self.client.crowd(instances, OCTETS), 200).triples()
        counts = [self.description(instance["rig"])["vertices"] for instance in instances]
        ends = list(itertools.accumulate(counts))
        return [body[end - count:end] for count, end in zip(counts, ends)]

    def test_held_instances_are_where_the_joint_is(self):
        place = {"translation": [3, 1, -2], "rotation": turn((1, 1, 0), 200), "scale": 1.7}
        for offset in OFFSETS:
            got = self.vertices([
                {"rig": "cyl2", "pose": BEND, "attach": {"to": 1, "joint": "RightHand"}, **offset},
                {"rig": "humanoid", "pose": WALK, **place},
            ])
            hand = self.joints("humanoid", WALK)["RightHand"]["world"]
            way = multiply(multiply(offset_matrix(place), hand), offset_matrix(offset))
            self.hold_to_the_law(got[0], way, self.positions("cyl2", BEND), offset)

    def test_chains_in_any_order(self):
        chain = [{"rig": "humanoid", "pose": WALK, "translation": [1, 2, 3]}]
        for i, joint in enumerate(("RightHand", "LeftHand", "Head")):
            chain.append({"rig": "humanoid", "pose": {"clip": "Run", "time": 0.1 * i},
                          "attach": {"to": i, "joint": joint}, "scale": 0.5})
        way, want = offset_matrix(chain[0]), []
        for i, instance in enumerate(chain):
            if i > 0:
                joint = self.joints("humanoid", chain[i - 1]["pose"])[instance["attach"]["joint"]]
                way = multiply(multiply(way, joint["world"]), offset_matrix({"scale": 0.5}))
            want.append(way)
        alone = [self.positions("humanoid", instance["pose"]) for instance in chain]
        for order in ((0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)):
            placed = [{**chain[i]} for i in order]
            for instance in placed:
                if "attach" in instance:
                    attach = instance["attach"]
                    instance["attach"] = {**attach, "to": order.index(attach["to"])}
            for i, points in zip(order, self.vertices(placed)):
                self.hold_to_the_law(points[::29], want[i], alone[i][::29], (order, i))

    def test_joints_that_shear_do_so_to_what_they_hold(self):
        to = {"set": WALK, "joints": {"RightForeArm": {"scale": [1, 2, 1]}}}
        got = self.vertices([
            {"rig": "humanoid", "pose": to},
            {"rig": "cyl2", "attach": {"to": 0, "joint": "RightHand"}, **OFFSET},
        ])
        way = multiply(self.joints("humanoid", to)["RightHand"]["world"], offset_matrix(OFFSET))
        self.hold_to_the_law(got[1], way, self.positions("cyl2"))

    def test_pictures_show_them_there(self):
        hand = self.joints("humanoid", WALK)["RightHand"]["world"]
        way = multiply(hand, offset_matrix(OFFSET))
        both = [{"rig": "humanoid", "pose": WALK}]
        pictures = []
        for held in ({"attach": {"to": 0, "joint": "RightHand"}, **OFFSET}, {"transform": way}):
            reply = self.client.crowd([*both, {"rig": "cyl2", "pose": BEND, **held}], width=96,
                                      height=96)
            pictures.append(Picture(self.assertStatus(reply, 200).body))
        apart = [max(abs(a - b) for a, b in zip(x, y))
                 for x, y in zip(pictures[0].pixels(), pictures[1].pixels())]
        self.assertLess(sum(value > 8 for value in apart), 10)
        alone = Picture(self.client.crowd(both, width=96, height=96).body)
        self.assertNotEqual(list(alone.pixels()), list(pictures[0].pixels()))

    def test_an_attached_pose_is_the_same(self):
        got = self.vertices([
            {"rig": "humanoid", "pose": WALK},
            {"rig": "cyl2", "pose": BEND, "attach": {"to": 0, "joint": "RightHand"}, **OFFSET},
        ])
        want = self.positions("cyl2", attached(BEND, WALK, "RightHand", OFFSET))
        self.assertNumbers(got[1], want, 2e-6)

    def test_refusals_name_the_place(self):
        def held(to, joint="Head", **more):
            return {"rig": "humanoid", "attach": {"to": to, "joint": joint}, **more}

        plain = {"rig": "humanoid"}
        for instances, status, code, pointer, says in (
            ([plain, held(2)], 400, "invalid-value", "/instances/1/attach/to", "from 0 to 1"),
            ([plain, held(-1)], 400, "invalid-value", "/instances/1/attach/to", ()),
            ([plain, held(0.5)], 400, "invalid-value", "/instances/1/attach/to", ()),
            ([held(0)], 400, "invalid-value", "/instances/0/attach", "itself"),
            ([held(1), held(2), held(0)], 400, "invalid-value", "/instances/0/attach", "itself"),
            ([plain, held(0, "Haed")], 404, "unknown-joint", "/instances/1/attach/joint", "Head"),
            ([plain, {"rig": "humanoid", "attach": {"to": 0}}], 400, "invalid-value",
             "/instances/1/attach", "joint"),
            ([plain, held(0, bone="Head")], 400, "unknown-member", "/instances/1/bone", ()),
            ([plain, {"rig": "humanoid", "attach": 0}], 400, "invalid-value",
             "/instances/1/attach", ()),
            ([{"rig": "humanoid", "pose": {"clip": "Fly"}}, held(0)], 404, "unknown-clip",
             "/instances/0/pose/clip", "Fly"),
            ([{"rig": "humanoid", "scale": 1e30}, held(0, scale=1e30)], 400, "invalid-value",
             "/instances/1/attach/joint", "float32"),
        ):
            for accept in (OCTETS, "image/png"):
                with self.subTest(pointer=pointer, accept=accept):
                    reply = self.client.crowd(instances, accept)
                    self.assertProblem(reply, status, code, pointer, says=says)


class Streams(LiveCase):
    def test_frames_follow_the_joint(self):
        pose = attached("rest", {"clip": "Walk", "loop": "repeat"}, "RightHand", OFFSET)
        frames = self.open({"rig": "cyl2", "pose": pose, "fps": 40, "duration": 1,
                            "time": 0.2}).read_all()[:-1]
        self.assertGreater(len(frames), 1)
        for frame in frames:
            to = {"clip": "Walk", "loop": "repeat", "time": frame.time}
            want = self.client.vertices("cyl2", attached("rest", to, "RightHand", OFFSET))
            self.assertEqual(frame.payload, self.assertStatus(want, 200).body)
        self.assertNotEqual(frames[0].payload, frames[-1].payload)
