"""POST /v1/bake: forms, frames, what is in the tar, and what is refused. What the numbers are is held
in tests/conformance/bake.mjs."""
import io
import json
import struct
import tarfile

import rigs
from case import DaemonCase

GLB = "model/gltf-binary"
TAR = "application/x-tar"
WALK = {"clip": "Walk", "loop": "repeat"}
BEND = {"clip": "bend"}


def files_of(reply):
    with tarfile.open(fileobj=io.BytesIO(reply.body)) as tar:
        return {entry.name: tar.extractfile(entry).read() for entry in tar}


def document_of(glb):
    length, = struct.unpack_from("<I", glb, 12)
    return json.loads(glb[20 : 20 + length])


class BakeCase(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        cls.put_demo("cyl2")
        cls.put_demo("head")

    def bake(self, form, pose=BEND, rig="cyl2", **members):
        return self.client.post("bake", {"rig": rig, "pose": pose, "as": form, **members})

    def baked(self, *arguments, **members):
        return self.assertStatus(self.bake(*arguments, **members), 200)


class FormsAreAnswered(BakeCase):
    def test_each_has_its_type_and_the_same_bytes_twice(self):
        for form, kind in (("morph", GLB), ("joints", GLB), ("vertex_texture", TAR),
                           ("joint_texture", TAR)):
            with self.subTest(form=form):
                reply = self.baked(form, rate=4)
                self.assertEqual(reply.kind, kind)
                self.assertEqual(reply.body, self.baked(form, rate=4).body)
                self.assertRegex(reply.headers["Posed-Skinning"], "^lbs; device=(cpu|gpu)$")
                self.assertEqual(reply.headers["Posed-Vertices"],
                                 self.client.vertices("cyl2").headers["Posed-Vertices"])
                request = {"rig": "cyl2", "pose": BEND, "as": form, "rate": 4}
                again = self.client.post("bake", request, if_none_match=reply.headers["ETag"])
                self.assertEqual(again.status, 304)

    def test_frames_are_evenly_apart_up_to_the_end(self):
        # 0.75 s at 10 a second are 7.5 steps: 8 of them, as many as asked at least.
        reply = self.baked("vertex_texture", duration=0.75, rate=10)
        bake = json.loads(files_of(reply)["bake.json"])
        self.assertEqual((bake["frames"], bake["duration"]), (9, 0.75))
        self.assertAlmostEqual(bake["rate"], 8 / 0.75)
        self.assertEqual(reply.headers["Posed-Frames"], "9")

    def test_the_duration_is_that_of_the_clip(self):
        clips = {clip["name"]: clip["duration"] for clip in self.description("cyl2")["clips"]}
        bake = json.loads(files_of(self.baked("joint_texture"))["bake.json"])
        self.assertAlmostEqual(bake["duration"], clips["bend"], 6)

    def test_no_duration_is_one_frame(self):
        for form in ("morph", "joints", "vertex_texture", "joint_texture"):
            reply = self.baked(form, duration=0)
            self.assertEqual(reply.headers["Posed-Frames"], "1")
        self.assertNotIn("animations", document_of(self.baked("morph", duration=0).body))

    def test_a_tar_has_what_its_description_tells(self):
        files = files_of(self.baked("vertex_texture", WALK, "humanoid", rate=8, name="stroll"))
        bake = json.loads(files["bake.json"])
        self.assertEqual(bake["name"], "stroll")
        self.assertEqual(sorted(files), ["bake.json", "mesh.glb", "normals.bin", "positions.bin"])
        for name, texel_bytes in (("positions", 8), ("normals", 4)):
            texture = bake["textures"][name]
            self.assertEqual(len(files[texture["file"]]),
                             texture["width"] * texture["height"] * texel_bytes)
            rows = -(-texture["items"] // texture["per_row"])
            self.assertGreater(rows, 1, "the humanoid is to be wider than a row")
            self.assertEqual(texture["height"], rows * bake["frames"])
            self.assertLessEqual(texture["width"], 2048)
        single = self.baked("vertex_texture", WALK, "humanoid", rate=8, precision="float")
        texture = json.loads(files_of(single)["bake.json"])["textures"]["positions"]
        self.assertEqual(texture["format"], "RGBA32F")
        self.assertNotIn("scale", texture)

    def test_bounds_are_those_of_the_vertices(self):
        files = files_of(self.baked("vertex_texture", WALK, "humanoid", rate=8, precision="float"))
        bake = json.loads(files["bake.json"])
        texture = bake["textures"]["positions"]
        texels = list(struct.iter_unpack("<4f", files[texture["file"]]))
        columns = list(zip(*(
            texels[(i // texture["per_row"] * bake["frames"] + frame) * texture["width"]
                   + i % texture["per_row"]]
            for frame in range(bake["frames"]) for i in range(texture["items"]))))
        for name, choose in (("min", min), ("max", max)):
            self.assertEqual(bake["bounds"][name], [choose(column) for column in columns[:3]])

    def test_joints_are_those_of_the_file_with_the_name(self):
        document = document_of(self.baked("joints", name="bow").body)
        self.assertEqual(document["animations"][0]["name"], "bow")
        names = [joint["name"] for joint in self.description("cyl2")["joints"]]
        self.assertEqual([node["name"] for node in document["nodes"]], names)

    def test_nodes_whose_mesh_follows_a_skin_stand_still(self):
        for pose in (BEND, "rest"):
            document = document_of(self.baked("joints", pose, duration=0).body)
            self.assertTrue(any("skin" in node for node in document["nodes"]))
            for channel in document["animations"][0]["channels"]:
                self.assertNotIn("skin", document["nodes"][channel["target"]["node"]])

    def test_methods_that_cut_the_mesh_are_baked_too(self):
        for form in ("morph", "vertex_texture"):
            reply = self.baked(form, rate=4, skinning="parts_rigid")
            self.assertGreater(int(reply.headers["Posed-Vertices"]), 0)

    def test_what_goes_on_from_frame_to_frame_does(self):
        pose = {"foot_lock": WALK}
        reply = self.baked("morph", pose, "humanoid", rate=10)
        self.assertEqual(len(document_of(reply.body)["meshes"][0]["primitives"][0]["targets"]),
                         int(reply.headers["Posed-Frames"]) - 1)


class RefusalsNameTheirPlace(BakeCase):
    def refuse(self, pointer, *arguments, code="invalid-value", status=400, says=(), **members):
        reply = self.bake(*arguments, **members)
        self.assertProblem(reply, status, code, pointer=pointer, says=says)

    def test_forms(self):
        self.refuse("/as", "video", says="vertex_texture")
        reply = self.client.post("bake", {"rig": "cyl2"})
        self.assertProblem(reply, 400, "invalid-value", says="as")

    def test_numbers(self):
        self.refuse("/rate", "morph", rate=0)
        self.refuse("/rate", "morph", rate=1001)
        for duration in (-1, 1.1e6, 1e300):
            self.refuse("/duration", "morph", duration=duration, says="0 to 1e+06")
        self.refuse("/duration", "morph", duration=1e6, code="too-large", status=413)
        self.refuse("/name", "morph", name="")
        self.refuse("/precision", "morph", precision="half", says="vertex_texture")
        self.refuse("", "morph", "rest", says="duration")

    def test_more_than_an_answer_holds(self):
        self.refuse("/duration", "morph", WALK, "humanoid", duration=600, rate=60,
                    code="too-large", status=413)
        self.refuse("/duration", "joint_texture", duration=36, rate=1000, code="too-large",
                    status=413, says="texture")
        # Neither the vertices nor the weights of so many targets alone are too much.
        self.refuse("/duration", "morph", {"clip": "bend", "loop": "repeat"}, duration=10,
                    rate=1000, code="too-large", status=413, says="10001 frames")

    def test_rigs_without_vertices(self):
        self.put_rig("bare", rigs.swaying_joints(3, ["sway"]).glb())
        for form in ("morph", "vertex_texture", "joint_texture"):
            self.refuse(None, form, {"clip": 0}, "bare", says="no vertices")
        self.baked("joints", {"clip": 0}, "bare")

    def test_methods_that_matrices_do_not_show(self):
        for skinning in ("dqs", {"method": "lbs", "normals": "recompute"},
                         {"method": "lbs", "kmax": 1}):
            for form in ("joints", "joint_texture"):
                self.refuse("/as", form, skinning=skinning, says="morph")

    def test_morph_weights_that_matrices_do_not_show(self):
        pose = {"clip": self.description("head")["clips"][0]["name"]}
        self.refuse("/as", "joint_texture", pose, "head", says="morph weights")
        self.baked("joints", pose, "head")

    def test_poses_and_rigs(self):
        self.refuse("/pose/clip", "morph", {"clip": "No"}, code="unknown-clip", status=404)
        self.refuse("/rig", "morph", BEND, "nobody", code="unknown-rig", status=404)
        self.refuse("/poses", "morph", poses=[BEND], code="unknown-member")

    def test_other_types(self):
        request = {"rig": "cyl2", "pose": BEND, "as": "morph"}
        reply = self.client.post("bake", request, accept=TAR)
        self.assertProblem(reply, 406, "not-acceptable")
