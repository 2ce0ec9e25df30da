"""The form "playback" of POST and GET /v1/bake: packed frames against those of /v1/vertices, palettes
against those of /v1/shaders, and what caches are told of links. The vertices that browsers make of it
are held in tests/viewer/test_loop.py."""
import io
import json
import struct
import tarfile
import urllib.parse

from case import DaemonCase
from client import OCTETS, rig_path

GZIP = "application/gzip"
WALK = {"clip": "Walk", "loop": "repeat"}
YEAR = "max-age=31536000, immutable"
PACKED = {"attributes": ["position:u16x3", "normal:oct8x2"], "compression": "meshopt"}


def files_of(reply):
    with tarfile.open(fileobj=io.BytesIO(reply.body), mode="r:gz") as tar:
        return {entry.name: tar.extractfile(entry).read() for entry in tar}


def single(number):
    """As a float32 has it."""
    return struct.unpack("<f", struct.pack("<f", number))[0]


class Playback(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        cls.put_demo("head")
        cls.put_demo("cyl2")

    def request(self, rig, pose, **members):
        return {"rig": rig, "pose": pose, "as": "playback", **members}

    def baked(self, rig, pose, **members):
        reply = self.assertStatus(self.client.post("bake", self.request(rig, pose, **members)), 200)
        self.assertEqual(reply.kind, GZIP)
        return files_of(reply)

    def link(self, request, **parameters):
        query = urllib.parse.urlencode({"request": json.dumps(request), **parameters})
        return self.client.get("/v1/bake?" + query)

    def poses(self, bake, pose):
        frames, rate, duration = bake["frames"], bake["rate"], bake["duration"]
        return [{**pose, "time": single(duration if i == frames - 1 else i / rate)}
                for i in range(frames)]

    def test_packed_frames_are_those_of_vertices(self):
        for rig, pose, skinning in (("humanoid", WALK, "delta_mush"),
                                    ("head", {"clip": "Expressions", "loop": "repeat"}, "lbs")):
            with self.subTest(rig):
                files = self.baked(rig, pose, rate=6, skinning=skinning)
                bake = json.loads(files["bake.json"])
                self.assertEqual(sorted(files), ["bake.json", "mesh.glb", "vertices.bin"])
                reply = self.assertStatus(self.client.post("vertices", {
                    "rig": rig, "poses": self.poses(bake, pose), "skinning": skinning, **PACKED},
                    accept=OCTETS), 200)
                self.assertEqual(bake["packed"]["layout"], reply.headers["Posed-Layout"])
                self.assertEqual(list(map(single, bake["packed"]["bounds"])),
                                 list(map(single, map(float, reply.headers["Posed-Bounds"].split()))))
                self.assertEqual(files["vertices.bin"], reply.body)

    def test_palettes_are_those_of_shaders(self):
        bend = {"clip": "bend", "loop": "repeat"}
        for rig, motion, skinning in (
            ("humanoid", WALK, "lbs"), ("humanoid", WALK, "dqs"), ("humanoid", WALK, "twist_bones"),
            ("cyl2", bend, {"method": "dqs", "normals": "exact"}),
        ):
            with self.subTest(skinning):
                files = self.baked(rig, motion, skinning=skinning)
                bake = json.loads(files["bake.json"])
                floats = sum(bake["palettes"]["floats"])
                palettes = list(struct.iter_unpack(f"<{floats}f", files["palettes.bin"]))
                self.assertEqual(len(palettes), bake["frames"])
                for pose, palette in list(zip(self.poses(bake, motion), palettes))[::9]:
                    inputs = self.assertStatus(self.client.post("shaders", {
                        "rig": rig, "pose": pose, "skinning": skinning}), 200).json()
                    want = [x for stage in inputs["stages"] for x in stage["buffers"]["palette"]]
                    self.assertEqual(list(map(single, want)), list(palette))
                words = inputs["buffers"]["influences"]
                self.assertEqual(files["influences.bin"], struct.pack(f"<{len(words)}I", *words))
                for i, stage in enumerate(inputs["stages"]):
                    for name in ("data", "gradients"):
                        words = stage["buffers"].get(name, [])
                        self.assertEqual(files.get(f"{name}{i}.bin", b""),
                                         struct.pack(f"<{len(words)}I", *words))
                    del stage["buffers"]
                del inputs["buffers"]
                for stage in bake["shader"]["stages"]:
                    self.assertEqual(stage.pop("buffers"), {})
                self.assertEqual(bake["shader"].pop("buffers"), {})
                self.assertEqual(bake["shader"], inputs)
                text = self.client.get("/v1/shaders/" + bake["shader"]["method"] + "?version=300")
                self.assertEqual(files["shader.glsl"], text.body)

    def test_without_the_mesh_there_is_the_motion_alone(self):
        files = self.baked("humanoid", WALK, mesh=False)
        self.assertEqual(sorted(files), ["bake.json", "palettes.bin"])
        self.assertNotIn("mesh", json.loads(files["bake.json"]))
        reply = self.client.post("bake", {"rig": "cyl2", "as": "morph", "pose": {"clip": "bend"},
                                          "mesh": False})
        self.assertProblem(reply, 400, "invalid-value", "/mesh")

    def test_links_of_a_content_may_be_kept(self):
        request = self.request("humanoid", WALK, rate=4)
        digits = self.description("humanoid")["content"].removeprefix("sha256:")
        plain = self.assertStatus(self.link(request), 200)
        self.assertEqual(plain.headers["Cache-Control"], "no-cache")
        for given in (digits, digits[:16]):
            reply = self.assertStatus(self.link(request, content=given), 200)
            self.assertEqual(reply.headers["Cache-Control"], "public, " + YEAR)
            self.assertEqual(reply.body, plain.body)
        self.assertProblem(self.link(request, content="0" * 16), 404, "expired")
        self.assertProblem(self.link(request, content=digits[:15]), 400, "invalid-value")
        again = self.client.get("/v1/bake?" + urllib.parse.urlencode({"request": json.dumps(request)}),
                                if_none_match=plain.headers["ETag"])
        self.assertEqual(again.status, 304)

    def test_links_of_rigs_with_stored_clips_are_asked_for_again(self):
        path = rig_path("cyl2", "/clips/own")
        self.assertStatus(self.client.request("PUT", path, json.dumps(
            {"pose": {"clip": "bend"}}).encode(), {"Content-Type": "application/json"}), 201)
        digits = self.description("cyl2")["content"].removeprefix("sha256:")
        reply = self.link(self.request("cyl2", {"clip": "own"}, rate=4), content=digits)
        self.assertEqual(self.assertStatus(reply, 200).headers["Cache-Control"], "no-cache")

    def test_links_are_read_as_strictly_as_bodies(self):
        self.assertProblem(self.client.get("/v1/bake?request=%7B"), 400, "invalid-json")
        self.assertProblem(self.client.get("/v1/bake"), 400, "invalid-value")
        self.assertProblem(self.link({"rig": "cyl2", "as": "no"}), 400, "invalid-value", "/as")
