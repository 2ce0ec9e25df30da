"""Motion alone: files of it put as clips of rigs, and BVH as it is written, held against readers of
the tests' own: a walk in FBX against the same walk in COLLADA, BVH by its forward kinematics."""
import math
import re
import urllib.parse
import xml.etree.ElementTree

import rigs
from case import DEMO, DaemonCase, shared_file
from client import OCTETS, rig_path

WALK = {"clip": "Walk", "loop": "repeat"}
COLLADA = "{http://www.collada.org/2005/11/COLLADASchema}"


def multiply(a, b):
    """Matrices of four rows of four."""
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def moved(offset):
    return [[1.0 if i == j else offset[i] if j == 3 and i < 3 else 0.0 for j in range(4)]
            for i in range(4)]


def turned(axis, degrees):
    """About the axis "X", "Y" or "Z"."""
    a, b = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[axis]
    matrix = moved((0, 0, 0))
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    matrix[a][a] = matrix[b][b] = cosine
    matrix[a][b], matrix[b][a] = -sine, sine
    return matrix


def place(matrix):
    return [matrix[k][3] for k in range(3)]


class Bvh:
    """joints: name, parent, offset, channels; frames: numbers."""

    def __init__(self, text):
        words = text.split()
        self.joints, self.at, self.ends = [], 0, {}
        self.words = words
        self.expect("HIERARCHY")
        self.read_joint("ROOT", -1)
        self.expect("MOTION")
        self.expect("Frames:")
        count = int(self.next())
        self.expect("Frame")
        self.expect("Time:")
        self.frame_time = float(self.next())
        width = sum(len(joint[3]) for joint in self.joints)
        numbers = [float(word) for word in words[self.at:]]
        assert len(numbers) == count * width, (len(numbers), count, width)
        self.frames = [numbers[i * width:(i + 1) * width] for i in range(count)]

    def next(self):
        self.at += 1
        return self.words[self.at - 1]

    def expect(self, word):
        found = self.next()
        assert found == word, f"{found}, expected {word}"

    def read_joint(self, kind, parent):
        self.expect(kind)
        name = self.next()
        self.expect("{")
        self.expect("OFFSET")
        offset = [float(self.next()) for _ in range(3)]
        self.expect("CHANNELS")
        channels = [self.next() for _ in range(int(self.next()))]
        me = len(self.joints)
        self.joints.append((name, parent, offset, channels))
        while self.words[self.at] == "JOINT":
            self.read_joint("JOINT", me)
        if self.words[self.at] == "End":
            assert self.words[self.at + 1:self.at + 4] == ["Site", "{", "OFFSET"]
            self.ends[name] = [float(word) for word in self.words[self.at + 4:self.at + 7]]
            self.at += 7
            self.expect("}")
        self.expect("}")

    def places(self, frame):
        """World places of the joints by name: each offset, then its channels in their order."""
        numbers = iter(self.frames[frame])
        worlds, found = [], {}
        for name, parent, offset, channels in self.joints:
            local = moved(offset)
            for channel in channels:
                value = next(numbers)
                if channel.endswith("position"):
                    step = [0.0, 0.0, 0.0]
                    step["XYZ".index(channel[0])] = value
                    local = multiply(local, moved(step))
                else:
                    local = multiply(local, turned(channel[0], value))
            worlds.append(multiply(worlds[parent], local) if parent >= 0 else local)
            found[name] = place(worlds[-1])
        return found


class Collada:
    """The nodes of a scene whose animations are matrices at times that all share."""

    def __init__(self, path):
        root = xml.etree.ElementTree.parse(path).getroot()
        self.unit = float(root.find(f"{COLLADA}asset/{COLLADA}unit").get("meter"))
        self.keys = {}
        for animation in root.iter(COLLADA + "animation"):
            channel = animation.find(COLLADA + "channel")
            if channel is not None:
                self.keys[channel.get("target").split("/")[0]] = [
                    [float(word) for word in source.text.split()]
                    for source in list(animation.iter(COLLADA + "float_array"))[:2]]
        self.scene = root.find(f".//{COLLADA}visual_scene")

    def matrix(self, node, frame):
        numbers = self.keys[node.get("id")][1] if node.get("id") in self.keys else None
        at = 16 * min(frame, len(numbers) // 16 - 1) if numbers else 0
        if numbers is None:
            numbers = [float(word) for word in node.find(COLLADA + "matrix").text.split()]
        return [numbers[at + 4 * i:at + 4 * i + 4] for i in range(4)]

    def places(self, frame):
        found = {}

        def walk(node, above):
            world = multiply(above, self.matrix(node, frame))
            found[node.get("name")] = [x * self.unit for x in place(world)]
            for child in node.findall(COLLADA + "node"):
                walk(child, world)
        for node in self.scene.findall(COLLADA + "node"):
            if node.get("type") == "JOINT":
                walk(node, moved((0, 0, 0)))
        return found


class MotionCase(DaemonCase):
    def put_motion(self, rig, name, body, kind=OCTETS, **query):
        text = "?" + urllib.parse.urlencode(query) if query else ""
        path = rig_path(rig, f"/clips/{urllib.parse.quote(name)}{text}")
        return self.client.request("PUT", path, body, {"Content-Type": kind})

    def places(self, rig, pose):
        return {name: joint["world"][12:15] for name, joint in self.joints(rig, pose).items()}

    def assert_places(self, got, want, tolerance, what):
        worst = max((math.dist(got[name], want[name]), name) for name in want)
        self.assertLess(worst[0], tolerance, (what, worst[1], got[worst[1]], want[worst[1]]))


class FilesAreClips(MotionCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")

    def test_a_walk_in_fbx_is_that_in_collada(self):
        """Both of one author's scene; FBX has lost keys that change little, a millimetre in all."""
        walk = Collada(shared_file("ozz-pab/collada/pab/walk.dae"))
        self.put_rig("arnaud", shared_file("ozz-pab/fbx/pab/arnaud.fbx").read_bytes())
        body = shared_file("ozz-pab/fbx/pab/walk.fbx").read_bytes()
        self.put_rig("alone", body)
        told = self.assertStatus(self.put_motion("arnaud", "walk", body), 201).json()
        self.assertEqual((told["retargeted"], told["scale"]), (False, 1))
        self.assertEqual({(pair["how"], pair["ours"] == pair["theirs"]) for pair in told["pairs"]},
                         {("name", True)})
        for frame in (0, 7, 13, 22, 40):
            want = walk.places(frame)
            got = self.places("arnaud", {"clip": "walk", "time": frame / 30})
            shared = {pair["ours"]: want[pair["ours"]] for pair in told["pairs"]}
            self.assertGreater(len(shared), 20)
            self.assert_places(got, shared, 2e-3 if frame else 2e-5, frame)
            own = self.places("alone", {"clip": 0, "time": frame / 30})
            self.assert_places(got, {name: own[name] for name in shared}, 1e-6, frame)

    def test_the_same_rig_has_the_very_keys(self):
        body = (DEMO / "humanoid.glb").read_bytes()
        for name in ("Walk", "Wave"):
            exported = self.client.request("GET", rig_path("humanoid", f"/clips/{name}"), None,
                                           {"Accept": "model/gltf-binary"}).body
            for source in (body, exported):
                self.put_motion("humanoid", "again", source, clip=name)
                again, first = (self.client.get(rig_path("humanoid", f"/clips/{clip}")).json()
                                for clip in ("again", name))
                self.assertEqual(again["channels"], first["channels"])

    def test_motion_capture_moves_a_humanoid(self):
        body = shared_file("assimp-bsd/BVH/01_01.bvh").read_bytes()
        told = self.assertStatus(self.put_motion("humanoid", "captured", body), 201).json()
        self.assertTrue(told["retargeted"])
        self.assertGreater(told["confidence"], 0.7)
        ours = {pair["theirs"]: pair["ours"] for pair in told["pairs"]}
        self.assertEqual((ours["Hips"], ours["LeftUpLeg"], ours["RightForeArm"]),
                         ("Hips", "LeftUpLeg", "RightForeArm"))
        for time in (0.5, 2.1):
            rest, now = (self.places("humanoid", pose) for pose in (
                "rest", {"clip": "captured", "time": time}))
            self.assertAlmostEqual(math.dist(rest["LeftUpLeg"], rest["LeftLeg"]),
                                   math.dist(now["LeftUpLeg"], now["LeftLeg"]), 5)
            self.assertGreater(math.dist(rest["LeftHand"], now["LeftHand"]), 0.1)

    def test_motion_of_md5_is_on_its_own_model(self):
        self.put_rig("fox", shared_file("derived-public-fox-formats/fox.md5mesh").read_bytes())
        body = shared_file("derived-public-fox-formats/fox_walk.md5anim").read_bytes()
        told = self.assertStatus(self.put_motion("fox", "walk", body), 201).json()
        self.assertEqual((told["dropped"], told["retargeted"]), ([], False))

    def test_an_animation_of_vrm_moves_another_humanoid(self):
        body = shared_file("vrm/derived-avatar/move1.vrma").read_bytes()
        told = self.assertStatus(self.put_motion("humanoid", "vrma", body), 201).json()
        self.assertTrue(told["retargeted"])
        ours = {pair["theirs"]: pair["ours"] for pair in told["pairs"]}
        self.assertEqual((ours["hips"], ours["leftUpperLeg"]), ("Hips", "LeftUpLeg"))
        warnings = " ".join(told["warnings"])
        self.assertIn('"happy"', warnings)
        self.assertIn('"lookAt"', warnings)

    def test_an_animation_of_vrm_moves_avatars_by_their_bones(self):
        for name in ("avatar1", "avatar1-0x"):
            avatar = shared_file(f"vrm/derived-avatar/{name}.vrm").read_bytes()
            self.put_rig("avatar", avatar)
            if "humanoid" not in self.description("avatar"):
                self.skipTest("the importer tells no bones of avatars")
            for motion in ("derived-avatar/move1", "three-vrm/test"):
                body = shared_file(f"vrm/{motion}.vrma").read_bytes()
                reply = self.put_motion("avatar", "vrma", body)
                self.assertIn(reply.status, (200, 201), str(reply))
                self.assertEqual({pair["how"] for pair in reply.json()["pairs"]}, {"bone"})

    def test_other_files_are_refused(self):
        self.assertProblem(self.put_motion("humanoid", "x", b"\x89PNG\r\n\x1a\n" + bytes(40)), 415,
                           "unsupported-media-type", says="PNG")
        self.assertProblem(self.put_motion("humanoid", "x", b""), 415,
                           "unsupported-media-type")
        self.assertProblem(
            self.put_motion("humanoid", "x", rigs.triangle().glb()), 400,
            "invalid-value", says="no animation")
        walk = shared_file("ozz-pab/fbx/pab/walk.fbx").read_bytes()
        self.assertProblem(self.put_motion("humanoid", "x", walk, clip="jump"), 404,
                           "unknown-clip", parameter="clip")
        self.put_demo("cyl2")
        self.assertProblem(self.put_motion("cyl2", "x", walk), 400, "invalid-value",
                           says="paired")


class WrittenBvh(MotionCase):
    def check(self, rig, pose, rate, seconds):
        reply = self.client.post("bake", {"rig": rig, "pose": pose, "as": "bvh", "rate": rate,
                                          "duration": seconds})
        self.assertEqual(self.assertStatus(reply, 200).kind.split(";")[0], "text/plain")
        bvh = Bvh(reply.body.decode())
        self.assertAlmostEqual(bvh.frame_time, 1 / rate, 9)
        self.assertEqual(len(bvh.frames), round(seconds * rate) + 1)
        rest = self.places(rig, "rest")
        height = max(max(p[k] for p in rest.values()) - min(p[k] for p in rest.values())
                     for k in range(3))
        for frame in (0, len(bvh.frames) // 2, len(bvh.frames) - 1):
            at = {**pose, "time": frame / rate} if "clip" in pose else pose
            got, want = bvh.places(frame), self.places(rig, at)
            names = {re.sub(r"[\s{}]", "_", name): name for name in want}
            known = {name: want[names[name]] for name in got if name in names}
            self.assertGreater(len(known), 1)
            self.assert_places(got, known, 1e-5 * height, (rig, frame))
        return bvh

    def test_the_joints_of_the_demo_humanoid(self):
        self.put_demo("humanoid")
        bvh = self.check("humanoid", WALK, 30, 1)
        self.assertEqual({name for name, *_ in bvh.joints},  # all but the mesh's node
                         set(self.places("humanoid", "rest")) - {"humanoid"})
        self.assertEqual([len(joint[3]) for joint in bvh.joints].count(6), 1)
        for joint in bvh.joints:
            self.assertEqual(joint[3][-3:], ["Zrotation", "Xrotation", "Yrotation"])

    def test_the_whole_skeleton_and_how_long_its_last_bones_are(self):
        """A leg along x: a joint at its end moves nothing, and is there all the same. Without it the shin is
        as long as its vertices reach along it."""
        def legs(joints, vertices):
            rows = "".join(f'"{name}" {parent} ( {place} ) ( 0 0 0.6 )\n' for name, parent, place in joints)
            # Weights are of places in the joint's own axes, which are turned about z.
            sine, cosine = -2 * 0.6 * 0.8, 1 - 2 * 0.36  # the file leaves out w, which is below 0
            points = "".join(f"vert {i} ( 0 0 ) {i} 1\n" for i in range(len(vertices)))
            weights = "".join(f"weight {i} {joint} 1 ( {cosine * x + sine * y} {-sine * x + cosine * y} {z} )\n"
                              for i, (joint, x, y, z) in enumerate(vertices))
            return (f'MD5Version 10\ncommandline ""\nnumJoints {len(joints)}\nnumMeshes 1\njoints {{\n{rows}}}\n'
                    f'mesh {{\nshader ""\nnumverts {len(vertices)}\n{points}numtris 1\ntri 0 0 1 2\n'
                    f'numweights {len(vertices)}\n{weights}}}\n').encode()
        joints = [("hip", -1, "0 1 0"), ("shin", 0, "2 1 0"), ("end", 1, "3.5 1 0"), ("aim", 1, "2 9 0")]
        vertices = [(0, 0.5, 0, 0), (1, 1.25, 3, 0), (1, -4, 0, 2)]
        self.put_rig("leg", legs(joints, vertices))
        bvh = self.check("leg", "rest", 1, 0)
        self.assertEqual([(name, parent) for name, parent, *_ in bvh.joints],
                         [("hip", -1), ("shin", 0), ("end", 1), ("aim", 1)])
        self.assertEqual(bvh.ends, {"end": [0, 0, 0], "aim": [0, 0, 0]})
        self.put_rig("leg", legs(joints[:2], vertices))
        ends = self.check("leg", "rest", 1, 0).ends
        self.assertEqual(list(ends), ["shin"])
        self.assertLess(math.dist(ends["shin"], [1.25, 0, 0]), 1e-6)

    def test_scaled_and_moved_joints_are_where_they_are(self):
        self.put_demo("humanoid")
        pose = {"set": "rest", "joints": {
            "Spine": {"scale": [1.2, 0.8, 1.1], "rotation": [0.3, 0.1, 0.2, 0.9273618]},
            "LeftLeg": {"translation": [0.1, -0.3, 0.2]}}}
        self.check("humanoid", pose, 2, 1)

    def test_real_rigs(self):
        """Rotations at rest, several roots, units: the Fox, a body in centimetres, an avatar."""
        for rig, path in (("fox", "derived-public-fox/Fox.base.glb"),
                          ("moved", "derived-public-fox/Fox.under-nonuniform.glb"),
                          ("robot", "raylib/gltf/robot.glb")):
            self.put_rig(rig, shared_file(path).read_bytes())
            clips = self.description(rig)["clips"]
            self.check(rig, {"clip": clips[0]["name"], "loop": "repeat"}, 24, 1)

    def test_what_is_written_is_read_again(self):
        """The other way: the daemon's own reader finds the motion on the rig that it came from."""
        self.put_demo("humanoid")
        written = self.client.post("bake", {"rig": "humanoid", "pose": WALK, "as": "bvh",
                                            "rate": 30, "duration": 1}).body
        told = self.assertStatus(self.put_motion("humanoid", "back", written), 201).json()
        self.assertEqual(told["dropped"], [])
        for time in (0, 0.5, 1):
            self.assert_places(self.places("humanoid", {"clip": "back", "time": time}),
                               self.places("humanoid", {**WALK, "time": time}), 2e-3, time)
