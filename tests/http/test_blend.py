"""Blends, masks, additions and settings, checked against arithmetic done here on their inputs."""
import math
import random
import unittest

import rigs
from case import DEMO, DaemonCase
from client import JSON, OCTETS, PNG
from described import description
from oracle import turn, unit
from tiny import split_glb

WALK = {"clip": "Walk", "time": 0.4}
RUN = {"clip": "Run", "phase": 0.3}
WAVE = {"clip": "Wave", "time": 1.1}


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def product(a, b):
    """Hamilton's a b: b first."""
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by + ay * bw + az * bx - ax * bz,
        aw * bz + az * bw + ax * by - ay * bx,
        aw * bw - ax * bx - ay * by - az * bz,
    ]


def inverse(q):
    return [-q[0], -q[1], -q[2], q[3]]


def power(q, share):
    """A share of a rotation, the shorter way."""
    q = [-x for x in q] if q[3] < 0 else q
    length = math.hypot(*q[:3])
    if length < 1e-12:
        return [0, 0, 0, 1]
    half = math.atan2(length, q[3]) * share
    return [x / length * math.sin(half) for x in q[:3]] + [math.cos(half)]


def slerp(a, b, t):
    return product(a, power(product(inverse(a), b), t))


def nlerp(quaternions, weights):
    reference = quaternions[max(range(len(weights)), key=lambda i: (weights[i], -i))]
    signs = [-1 if dot(q, reference) < 0 else 1 for q in quaternions]
    return unit(
        [sum(w * s * q[k] for w, s, q in zip(weights, signs, quaternions)) for k in range(4)]
    )


def pairwise(quaternions, weights):
    average, seen = quaternions[0], weights[0]
    for q, weight in zip(quaternions[1:], weights[1:]):
        seen += weight
        average = slerp(average, q, weight / seen)
    return average


def mean(vectors, weights):
    return [dot(axis, weights) / sum(weights) for axis in zip(*vectors)]


class Poses(DaemonCase):
    rig = "humanoid"

    @classmethod
    def prepare(cls):
        cls.put_demo(cls.rig)

    def local(self, pose):
        return self.joints(self.rig, pose, space="local")

    def assertTransforms(self, got, want, what=""):
        """Rotations are compared up to their sign."""
        sign = -1 if dot(got["rotation"], want["rotation"]) < 0 else 1
        self.assertNumbers(got["translation"], want["translation"], 1e-6, what)
        self.assertNumbers([sign * x for x in got["rotation"]], want["rotation"], 1e-6, what)
        self.assertNumbers(got["scale"], want["scale"], 1e-6, what)

    def below(self, name):
        """A joint and all joints below it."""
        joints = self.description(self.rig)["joints"]
        indices = {joint["name"]: joint["index"] for joint in joints}
        inside = {indices[name]}
        for joint in joints:
            if joint["parent"] in inside:
                inside.add(joint["index"])
        return {joint["name"] for joint in joints if joint["index"] in inside}

    def driven(self, clip):
        """(joint, path) of a clip's channels, from the file."""
        whole, _ = split_glb((DEMO / f"{self.rig}.glb").read_bytes())
        animation = next(a for a in whole["animations"] if a["name"] == clip)
        names = [node["name"] for node in whole["nodes"]]
        targets = [channel["target"] for channel in animation["channels"]]
        return {(names[target["node"]], target["path"]) for target in targets}


class Blends(Poses):
    def expected(self, inputs, rotation):
        """The blend of (pose, clip or None, weight by joint) by arithmetic."""
        locals_ = [self.local(pose) for pose, _, _ in inputs]
        driven = [clip and self.driven(clip) for _, clip, _ in inputs]
        rest = self.local("rest")
        average = {"nlerp": nlerp, "slerp": pairwise}[rotation]
        result = {}
        for name, joint in rest.items():
            result[name] = dict(joint)
            for path in ("translation", "rotation", "scale"):
                shares = [
                    (local[name][path], weight(name))
                    for local, channels, (_, _, weight) in zip(locals_, driven, inputs)
                    if (channels is None or (name, path) in channels) and weight(name) > 0
                ]
                if shares:
                    values, weights = zip(*shares)
                    mix = average if path == "rotation" else mean
                    result[name][path] = mix(values, weights)
        return result

    def assertBlend(self, items, inputs, rotation):
        got = self.local({"blend": items, "rotation": rotation})
        for name, want in self.expected(inputs, rotation).items():
            self.assertTransforms(got[name], want, f"{rotation} {name}")

    def test_weighted_averages_of_clips(self):
        for weights in ((1, 1, 1), (0.2, 0.5, 0.3), (5, 0, 1), (1e-7, 3e-7, 1e-7)):
            inputs = [
                (pose, pose["clip"], lambda _, w=w: w)
                for pose, w in zip((WALK, RUN, WAVE), weights)
            ]
            items = [{"pose": p, "weight": w} for p, w in zip((WALK, RUN, WAVE), weights)]
            for rotation in ("nlerp", "slerp"):
                with self.subTest(weights=weights, rotation=rotation):
                    self.assertBlend(items, inputs, rotation)

    def test_masks_share_out_the_body(self):
        arm, hand = self.below("RightArm"), self.below("RightHand")
        mask = {"RightArm": 0.25, "RightHand": 1}

        def masked(name):
            return 1 if name in hand else 0.25 if name in arm else 0

        def rest_of_it(name):
            return 0 if name in arm else 2

        inputs = [(WAVE, "Wave", masked), (WALK, "Walk", rest_of_it), ("rest", None, lambda _: 0.5)]
        items = [
            {"pose": WAVE, "mask": mask},
            {"pose": WALK, "weight": 2, "mask": {"RightArm": 0}},
            {"pose": "rest", "weight": 0.5},
        ]
        for rotation in ("nlerp", "slerp"):
            self.assertBlend(items, inputs, rotation)

    def test_random_blends(self):
        chance = random.Random(7)
        for _ in range(15):
            inputs, items = [], []
            for _ in range(chance.randint(2, 5)):
                clip = chance.choice(["Idle", "Walk", "Run", "Wave"])
                weight = chance.choice([0, 1, chance.random()])
                pose = {"clip": clip, "phase": chance.random()}
                inputs.append((pose, clip, lambda _, w=weight: w))
                items.append({"pose": pose, "weight": weight})
            self.assertBlend(items, inputs, chance.choice(["nlerp", "slerp"]))

    def test_weight_one_and_nought_choose_to_the_bit(self):
        for rotation in ("nlerp", "slerp"):
            blend = {
                "blend": [
                    {"pose": RUN, "weight": 0},
                    {"pose": WALK, "weight": 1},
                    {"pose": WAVE, "mask": {"Hips": 0, "humanoid": 0}},
                ],
                "rotation": rotation,
            }
            got = self.client.pose(self.rig, blend, accept=OCTETS)
            want = self.client.pose(self.rig, WALK, accept=OCTETS)
            self.assertEqual(self.assertStatus(got, 200).body, want.body)

    def test_scale_of_all_weights_changes_nothing(self):
        bodies = {
            self.client.vertices(
                self.rig,
                {"blend": [{"pose": WALK, "weight": 2 * s}, {"pose": RUN, "weight": s}]},
            ).body
            for s in (1, 1000, 2.0**-40)
        }
        self.assertEqual(len(bodies), 1)

    def test_no_weight_is_the_rest_pose(self):
        got = self.client.pose(self.rig, {"blend": [{"pose": WALK, "weight": 0}]})
        self.assertEqual(self.assertStatus(got, 200).body, self.client.pose(self.rig).body)

    def test_joints_are_named_by_index_too(self):
        arm = next(
            j["index"] for j in self.description(self.rig)["joints"] if j["name"] == "RightArm"
        )
        bodies = [
            self.client.pose(
                self.rig, {"blend": [{"pose": WALK}, {"pose": WAVE, "mask": {key: 1}}]}
            ).body
            for key in ("RightArm", str(arm))
        ]
        self.assertEqual(*bodies)

    def test_every_call_takes_the_same_pose(self):
        pose = {"add": WAVE, "to": {"blend": [{"pose": WALK}, {"pose": RUN}]}}
        body = {"rig": self.rig, "pose": pose, "skinning": "dqs"}
        for route, accept in (("pose", JSON), ("vertices", OCTETS), ("frame", PNG)):
            self.assertStatus(self.client.post(route, body, accept=accept), 200)

    def test_nested_as_deep_as_json_may_be(self):
        pose = "rest"
        for _ in range(15):
            pose = {"blend": [{"pose": {"set": pose}, "weight": 1}]}
        self.assertStatus(self.client.pose(self.rig, pose), 200)


class Additions(Poses):
    def expected(self, pose, to, reference, weight):
        p, q, r = self.local(pose), self.local(to), self.local(reference)
        result = {}
        for name in q:
            result[name] = dict(q[name])
            difference = product(inverse(r[name]["rotation"]), p[name]["rotation"])
            result[name]["rotation"] = product(q[name]["rotation"], power(difference, weight))
            for path in ("translation", "scale"):
                triples = zip(p[name][path], q[name][path], r[name][path])
                result[name][path] = [
                    b + weight * (a - c)
                    if path == "translation"
                    else b * (1 + weight * (a / c - 1))
                    for a, b, c in triples
                ]
        return result

    def test_difference_is_put_on_top(self):
        start = {"clip": "Wave", "time": 0}
        grown = {
            "set": WAVE,
            "joints": {"Head": {"scale": [1.5, 2, 0.5], "translation": [0, 1, 2]}},
        }
        for pose, to, members in (
            (WAVE, WALK, {}),
            (WAVE, RUN, {"reference": start}),
            (grown, WALK, {"weight": 0.3}),
            (grown, grown, {"reference": start, "weight": 2.5}),
            (WALK, "rest", {"reference": RUN, "weight": 7}),
        ):
            with self.subTest(to=to, **members):
                got = self.local({"add": pose, "to": to, **members})
                want = self.expected(
                    pose, to, members.get("reference", "rest"), members.get("weight", 1)
                )
                for name in want:
                    self.assertTransforms(got[name], want[name], name)

    def test_no_weight_and_no_difference_leave_the_bits(self):
        plain = self.client.pose(self.rig, WALK).body
        for pose in (
            {"add": RUN, "to": WALK, "weight": 0},
            {"add": RUN, "to": WALK, "reference": RUN, "weight": 3},
            {"add": "rest", "to": WALK},
        ):
            self.assertEqual(self.client.pose(self.rig, pose).body, plain)

    def test_additions_do_not_commute_and_nest_in_order(self):
        # The outer difference is put on last, in the frame that the inner one left.
        once = {"add": WAVE, "to": {"add": WALK, "to": RUN}}
        got = self.local(once)
        inner = self.expected(WALK, RUN, "rest", 1)
        rest, wave = self.local("rest"), self.local(WAVE)
        for name, joint in inner.items():
            difference = product(inverse(rest[name]["rotation"]), wave[name]["rotation"])
            want = dict(joint, rotation=product(joint["rotation"], difference))
            want["translation"] = [
                a + b - c
                for a, b, c in zip(
                    joint["translation"], wave[name]["translation"], rest[name]["translation"]
                )
            ]
            self.assertTransforms(got[name], want, name)


class Settings(Poses):
    def test_only_what_is_named_changes(self):
        spun = [3 * x for x in turn((1, 2, 3), 50)]
        pose = {
            "set": WALK,
            "joints": {
                "Head": {"rotation": spun},
                "11": {"translation": [1, 2, 3], "scale": [2, 2, 2]},
            },
        }
        want = self.local(WALK)
        index = {joint["index"]: name for name, joint in want.items()}
        want["Head"]["rotation"] = turn((1, 2, 3), 50)
        want[index[11]].update(translation=[1, 2, 3], scale=[2, 2, 2])
        got = self.local(pose)
        for name in want:
            if name == "Head":
                self.assertTransforms(got[name], want[name])
            else:
                self.assertEqual(got[name], want[name])

    def test_answers_can_be_set_again_to_the_bit(self):
        joints = {
            name: {path: joint[path] for path in ("translation", "rotation", "scale")}
            for name, joint in self.local(RUN).items()
        }
        again = self.client.pose(self.rig, {"set": "rest", "joints": joints})
        self.assertEqual(self.assertStatus(again, 200).body, self.client.pose(self.rig, RUN).body)

    def test_poses_beyond_float32_are_refused(self):
        far = {"translation": [3e38, 0, 0]}
        for joints in ({"Hips": far, "Spine": far}, {"Hips": {**far, "scale": [3e38] * 3}}):
            pose = {"set": "rest", "joints": joints}
            self.assertProblem(self.client.pose(self.rig, pose), 400, "invalid-value")
        huge = {"set": "rest", "joints": {"Hips": {"scale": [3e38] * 3}}}
        for accept in (OCTETS, JSON):
            reply = self.client.vertices(self.rig, huge, accept=accept)
            self.assertProblem(reply, 400, "invalid-value")


class Faces(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("head")

    def test_morph_weights_move_vertices_by_their_share(self):
        # Morphing is linear in the weights, and the bust's joints rest.
        def face(*weights):
            return self.positions("head", {"set": "rest", "weights": {"head": weights}})

        plain, smile, open_ = face(*[0] * 6), face(1, 0, 0, 0, 0, 0), face(0, 0, 0, 0, 1, 0)
        both = face(0.5, 0, 0, 0, 2, 0)
        want = [
            [p + 0.5 * (s - p) + 2 * (o - p) for p, s, o in zip(*points)]
            for points in zip(plain, smile, open_)
        ]
        self.assertNumbers(both, want, 1e-5)
        self.assertGreater(max(math.dist(p, s) for p, s in zip(plain, smile)), 1e-3)

    def test_clips_of_weights_blend_and_add(self):
        def vertices(pose):
            return self.positions("head", pose)

        a, b = {"clip": "Expressions", "time": 0.6}, {"clip": "Expressions", "time": 1.9}
        half = vertices({"blend": [{"pose": a, "weight": 3}, {"pose": b, "weight": 3}]})
        want = [[(x + y) / 2 for x, y in zip(*points)] for points in zip(vertices(a), vertices(b))]
        self.assertNumbers(half, want, 1e-5)
        # Nod does not drive the face, Expressions not the neck: both have their way.
        nod = {"clip": "Nod", "time": 0.7}
        together = vertices({"blend": [{"pose": a}, {"pose": nod}]})
        self.assertEqual(together, vertices({"blend": [{"pose": nod}, {"pose": a, "weight": 9}]}))
        self.assertNumbers(together, vertices({"add": nod, "to": a}), 1e-5)


class WrongPoses(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("head")

    def test_refusals_name_the_place(self):
        item = {"pose": "rest"}
        for pose, status, code, pointer, says in (
            ({"blend": []}, 400, "invalid-value", "/pose/blend", "at least one"),
            (
                {"blend": [item, {"pose": "rest", "weight": -1}]},
                400,
                "invalid-value",
                "/pose/blend/1/weight",
                "-1",
            ),
            (
                {"blend": [item], "rotation": "squad"},
                400,
                "invalid-value",
                "/pose/rotation",
                ("squad", "nlerp", "slerp"),
            ),
            (
                {"blend": [{"pose": {"clip": "Nood"}}]},
                404,
                "unknown-clip",
                "/pose/blend/0/pose/clip",
                ("Nood", "Nod", "Expressions"),
            ),
            (
                {"blend": [{"pose": "rest", "mask": {"head ": 0}}]},
                404,
                "unknown-joint",
                "/pose/blend/0/mask/head ",
                ('"head "', "Head", "head"),
            ),
            (
                {"blend": [{"pose": "rest", "mask": {"head": -0.1}}]},
                400,
                "invalid-value",
                "/pose/blend/0/mask/head",
                "-0.1",
            ),
            ({"add": "rest"}, 400, "invalid-value", "/pose", "to"),
            ({"add": "rest", "to": {"clip": 9}}, 404, "unknown-clip", "/pose/to/clip", "9"),
            (
                {"add": "rest", "to": "rest", "weight": -2},
                400,
                "invalid-value",
                "/pose/weight",
                "-2",
            ),
            (
                {"set": "rest", "joints": {"a/b": {}}},
                404,
                "unknown-joint",
                "/pose/joints/a~1b",
                "a/b",
            ),
            (
                {"set": "rest", "joints": {"Neck": {"rotation": [0, 0, 0, 0]}}},
                400,
                "invalid-value",
                "/pose/joints/Neck/rotation",
                "zero",
            ),
            (
                {"set": "rest", "joints": {"Neck": {"roation": [0, 0, 0, 1]}}},
                400,
                "unknown-member",
                "/pose/joints/Neck/roation",
                ("roation", "rotation"),
            ),
            (
                {"set": "rest", "weights": {"Neck": [1]}},
                400,
                "invalid-value",
                "/pose/weights/Neck",
                "head",
            ),
            (
                {"set": "rest", "weights": {"head": [1]}},
                400,
                "invalid-value",
                "/pose/weights/head",
                "6",
            ),
            (
                {"blend": [item], "add": "rest", "to": "rest"},
                400,
                "unknown-member",
                "/pose/add",
                "add",
            ),
        ):
            for route in ("pose", "vertices", "frame"):
                with self.subTest(route=route, pose=pose):
                    reply = self.client.post(route, {"rig": "head", "pose": pose})
                    self.assertProblem(reply, status, code, pointer=pointer, says=says)

    def test_many_poses_at_once_are_refused_before_they_take_the_memory(self):
        tiny = rigs.triangle()
        tiny.json["nodes"] += [{"name": f"n{i}"} for i in range(50000)]
        tiny.json["scenes"][0]["nodes"] += range(1, 50001)
        self.put_rig("wide", tiny.glb())
        few = {"blend": [{"pose": "rest"}] * 10}
        self.assertStatus(self.client.vertices("wide", few), 200)
        many = {"blend": [{"pose": "rest"}] * 1000}
        for route in ("pose", "vertices"):
            reply = self.client.post(route, {"rig": "wide", "pose": many})
            self.assertProblem(reply, 413, "too-large", says="blend fewer")


class DocumentedExamples(DaemonCase):
    @classmethod
    def prepare(cls):
        for name in ("humanoid", "head", "cyl2", "tube23"):
            cls.put_demo(name)
        cls.document = description()

    def test_every_example_of_a_request_is_answered(self):
        ran = 0
        for path, calls in self.document["paths"].items():
            body = calls.get("post", {}).get("requestBody", {}).get("content", {})
            examples = body.get("application/json", {}).get("examples", {})
            for name, example in examples.items():
                with self.subTest(path=path, example=name):
                    accept = "image/png" if path.endswith("frame") else "*/*"
                    # A stream has no end unless it is told one.
                    end = {"duration": 0.1} if path == "/v1/stream" else {}
                    reply = self.client.post(
                        path.removeprefix("/v1/"), {**example["value"], **end}, accept=accept
                    )
                    self.assertStatus(reply, 200)
                    ran += 1
        self.assertGreater(ran, 5)

    def test_every_operation_has_an_example_that_works(self):
        schemas = self.document["components"]["schemas"]
        for choice in schemas["PoseExpression"]["oneOf"]:
            name = choice["$ref"].rsplit("/", 1)[1]
            with self.subTest(operation=name):
                reply = self.client.pose("humanoid", schemas[name]["example"])
                if schemas[name]["description"].startswith("Of a VRM avatar"):
                    self.assertProblem(reply, 422, "missing-data", says=("no avatar",))
                else:
                    self.assertStatus(reply, 200)


if __name__ == "__main__":
    unittest.main()
