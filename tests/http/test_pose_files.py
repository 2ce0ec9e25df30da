"""Commands of build/pose that take a FILE without a daemon, against the daemon's own answers about the same
asset."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import rigs
from case import DEMO, SHARED, DaemonCase, shared_file
from test_pose_program import POSE, run

OCTETS, GLB = "application/octet-stream", "model/gltf-binary"
AWAY = "http://127.0.0.1:1"  # nothing listens there
BAKES = {"morph": "glb", "joints": "glb", "vertex_texture": "tar", "joint_texture": "tar", "bvh": "bvh"}


class Files(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.files = {name: DEMO / f"{name}.glb" for name in ("humanoid", "head", "cyl2")}
        fox = SHARED / "khronos-Fox" / "glTF-Binary" / "Fox.glb"
        if fox.exists():
            cls.files["Fox"] = fox
        for name, path in cls.files.items():
            cls.put_rig(name, path.read_bytes())

    def pose(self, *args, **keywords):
        done = run(*args, "--server", AWAY, text=False, **keywords)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done

    def made(self, *args):
        """The bytes that a command writes; without the newline that ends text on standard output."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "made")
            self.pose(*args, "-o", path)
            made = path.read_bytes()
        return made.removesuffix(b"\n") if made.startswith(b"{") else made

    def step(self, name):
        return {"clip": self.description(name)["clips"][0]["name"], "phase": 0.3}

    def test_descriptions(self):
        for name, path in self.files.items():
            with self.subTest(name):
                self.assertEqual(json.loads(self.pose("show", path).stdout), self.description(name))

    def test_poses(self):
        for name, path in self.files.items():
            step = self.step(name)
            for space in ("both", "local", "world"):
                with self.subTest(name, space=space):
                    reply = self.client.pose(name, step, space=space)
                    self.assertEqual(self.made("pose", path, "--clip", step["clip"], "--phase", "0.3",
                                               "--space", space), reply.body)
        expression = {"set": self.step("humanoid"), "joints": {"Head": {"rotation": [0, 0.6, 0, 0.8]}}}
        self.assertEqual(self.made("pose", self.files["humanoid"], "--pose", json.dumps(expression)),
                         self.client.pose("humanoid", expression).body)

    def test_vertices(self):
        for name, path in self.files.items():
            step = self.step(name)
            for skinning in ("lbs", "dqs"):
                for accept, option in ((OCTETS, ()), ("application/json", ("--json",)), (GLB, ("--glb",))):
                    with self.subTest(name, skinning=skinning, accept=accept):
                        reply = self.assertStatus(self.client.post("vertices", {
                            "rig": name, "pose": step, "skinning": skinning,
                            "attributes": ["position", "normal"]}, accept=accept), 200)
                        made = self.made("vertices", path, "--clip", step["clip"], "--phase", "0.3",
                                         "--skinning", skinning, "--attributes", "position,normal", *option)
                        self.assertEqual(made, reply.body)

    def test_meshes(self):
        for name, path in self.files.items():
            with self.subTest(name):
                self.assertEqual(self.made("mesh", path), self.client.get(f"/v1/rigs/{name}/mesh.glb").body)

    def test_bakes(self):
        for name, path in self.files.items():
            step = self.step(name)
            for form in BAKES:
                with self.subTest(name, form=form):
                    reply = self.client.post("bake", {
                        "rig": name, "pose": {"clip": step["clip"]}, "as": form, "rate": 12}, accept="*/*")
                    if reply.status != 200:  # joint matrices cannot express morph weights
                        done = run("bake", path, "--clip", step["clip"], "--as", form, "--server", AWAY)
                        self.assertEqual((reply.status, done.returncode), (400, 3))
                        self.assertIn(reply.json()["detail"], done.stderr)
                        continue
                    self.assertEqual(self.made("bake", path, "--clip", step["clip"], "--as", form,
                                               "--rate", "12"), reply.body)

    def test_compressed_clips(self):
        for name, path in self.files.items():
            clip = self.step(name)["clip"]
            cases = ((("--tolerance", "0.01%"), {"tolerance": {"share": 0.0001}}),
                     (("--codec", "bits", "--tolerance", "0.1%", "--segment", "16"),
                                {"codec": "bits", "tolerance": {"share": 0.001}, "segment": 16}),
                     (("--codec", "keys", "--tolerance", "0.1%"), {"codec": "keys", "tolerance": {"share": 0.001}}))
            for options, members in cases:
                with self.subTest(name, options=options):
                    request = {"rig": name, "clips": [clip], **members}
                    reply = self.assertStatus(self.client.post("compress", request, accept="*/*"), 200)
                    self.assertEqual(self.made("compress", path, clip, *options), reply.body)
                    reply = self.assertStatus(self.client.post("compress", request, accept="application/json"), 200)
                    self.assertEqual(self.made("compress", path, clip, *options, "--json"), reply.body)

    def test_compressed_skins_and_poses(self):
        path = self.files["humanoid"]
        for options, members in (
                (("Run", "--metric", "skin", "--skinning", "dqs"),
                 {"clips": ["Run"], "metric": "skin", "skinning": "dqs"}),
                (("--clip", "Walk", "--duration", "0.5", "--rate", "20", "--self-contained", "true"),
                 {"pose": {"clip": "Walk"}, "duration": 0.5, "rate": 20, "self_contained": True})):
            with self.subTest(options):
                reply = self.client.post("compress", {"rig": "humanoid", "tolerance": 0.001, **members}, accept="*/*")
                self.assertStatus(reply, 200)
                self.assertEqual(self.made("compress", path, *options, "--tolerance", "0.001"), reply.body)

    def test_standard_input(self):
        made = json.loads(self.pose("show", "-", input=self.files["cyl2"].read_bytes()).stdout)
        self.assertEqual(made, {**self.description("cyl2"), "name": "rig"})

    def test_other_formats_and_folders(self):
        obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "three.obj")
            path.write_bytes(obj)
            self.assertEqual(json.loads(self.pose("show", path).stdout)["vertices"], 3)
        fox = shared_file("khronos-Fox/glTF/Fox.gltf")
        made = self.made("vertices", fox, "--clip", "Walk", "--time", "0.4")
        step = {"clip": "Walk", "time": 0.4}
        self.assertEqual(made, self.client.vertices("Fox", step).body)

    def test_warnings(self):
        """Always on standard error; a line of JSON with --json; not at all with --quiet."""
        rig = rigs.column([(0, 0, 0), (1, 1, 0), (0, 2, 0)])
        rig.json["extensionsUsed"] = ["EXT_unknown"]
        rig.json["materials"] = [{"extensions": {"KHR_materials_nothing": {}}}]
        for primitive in (p for mesh in rig.json["meshes"] for p in mesh["primitives"]):
            primitive["material"] = 0
        body = rig.glb()
        self.put_rig("warned", body)
        warnings = self.description("warned")["warnings"]
        self.assertTrue(warnings)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "warned.glb")
            path.write_bytes(body)
            for command in ("show", "pose", "vertices", "mesh", "frame", "compress", "convert"):
                with self.subTest(command):
                    out = ("-o", f"{folder}/out") if command != "show" else ()
                    said = self.pose(command, path, *out).stderr.decode()
                    self.assertEqual(said.splitlines(), [f"pose: {path}: warning: {text}" for text in warnings])
                    said = self.pose(command, path, "--json", *out).stderr.decode()
                    self.assertEqual([json.loads(line) for line in said.splitlines()],
                                     [{"file": str(path), "warning": text} for text in warnings])
                    self.assertEqual(self.pose(command, path, "--quiet", *out).stderr, b"")

    def test_refusals(self):
        """The sentences of the daemon, after the file's path."""
        path = self.files["cyl2"]
        done = run("pose", path, "--clip", "Wlak")
        self.assertEqual(done.returncode, 3)
        problem = self.client.pose("cyl2", {"clip": "Wlak"}).json()["detail"]
        self.assertIn(problem.removeprefix('rig "cyl2": '), done.stderr)
        done = run("vertices", path, "--attributes", "position:u16x3")
        self.assertEqual(done.returncode, 3)
        self.assertIn("Posed-Bounds", done.stderr)
        done = run("compress", path, "Wlak", "-o", "-")
        self.assertEqual(done.returncode, 3)
        problem = self.client.post("compress", {"rig": "cyl2", "clips": ["Wlak"]}, accept="*/*").json()["detail"]
        self.assertIn(problem.removeprefix('rig "cyl2": '), done.stderr)
        for tolerance in ("0", "-1mm", "nan", "inf%", "1in"):
            done = run("compress", path, "--tolerance", tolerance, "-o", "-")
            self.assertEqual(done.returncode, 2)
            self.assertIn(f'--tolerance is "{tolerance}"', done.stderr)
        done = run("mesh", "nowhere.glb", "--server", AWAY)
        self.assertEqual(done.returncode, 4)
        self.assertIn('there is no file "nowhere.glb"', done.stderr)
        done = run("pose", "cyl2", "--up", "z")
        self.assertEqual(done.returncode, 2)


class Several(unittest.TestCase):
    """Several FILEs at once, against the same command for each of them."""

    files = [DEMO / f"{name}.glb" for name in ("cyl2", "head", "humanoid", "tube23")]

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-several-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.to = self.folder / "to"

    def alone(self, command, path, *options):
        out = self.folder / "alone"
        done = run(command, path, "-o", out, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out.read_bytes()

    def test_each_is_as_it_is_alone(self):
        for command, ending, options in (
                ("frame", "png", ("--size", "48")), ("frame", "webp", ("--size", "48", "--format", "webp")),
                ("turntable", "apng", ("--size", "32", "--count", "3")), ("sheet", "png", ("--size", "32", "--count", "2", "--clip", "0")),
                ("pose", "json", ()), ("vertices", "bin", ()), ("vertices", "glb", ("--glb",)), ("mesh", "glb", ()),
                ("bake", "glb", ("--as", "morph", "--clip", "0", "--rate", "4")), ("convert", "glb", ())):
            with self.subTest(command, ending=ending):
                files = self.files[:2] if command in ("sheet", "bake") else self.files
                to = self.folder / f"{command}-{ending}"
                done = run(command, *files, "-o", f"{to}/", *options)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(sorted(path.name for path in to.iterdir()),
                                 sorted(f"{path.stem}.{ending}" for path in files))
                alone = ("--format", "apng") if command == "turntable" else ()
                for path in files:
                    self.assertEqual((to / f"{path.stem}.{ending}").read_bytes(),
                                     self.alone(command, path, *options, *alone))

    def test_a_broken_one_stops_none(self):
        broken = self.folder / "broken.glb"
        broken.write_bytes(b"glTF")
        done = run("frame", self.files[0], broken, self.folder / "none.glb", self.files[1], "-o", f"{self.to}/")
        self.assertEqual(done.returncode, 3)  # the first one's
        self.assertEqual(sorted(path.name for path in self.to.iterdir()), ["cyl2.png", "head.png"])
        self.assertIn(f"{broken}: ", done.stderr)
        self.assertIn("none.glb: No such file", done.stderr)

    def test_reports(self):
        done = run("frame", *self.files, "-o", f"{self.to}/", "--json", "--size", "32")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual({line["file"]: line["bytes"] for line in lines},
                         {str(path): path.stat().st_size for path in self.to.iterdir()})

    def test_one_file_and_a_folder(self):
        self.to.mkdir()
        self.assertEqual(run("frame", self.files[0], "-o", self.to, "--size", "32").returncode, 0)
        self.assertEqual([path.name for path in self.to.iterdir()], ["cyl2.png"])

    def test_wrong_usage(self):
        other = self.folder / "head.gltf"
        other.write_text("{}")
        for args, says in (
                ((*self.files,), "a folder as -o"), ((*self.files, "-o", "a.png"), "a folder as -o"),
                (("humanoid", "head", "-o", "a/"), "unlike humanoid"), (("-", self.files[0], "-o", "a/"), "unlike -"),
                ((self.files[1], other, "-o", "a/"), "head.png"),
                ((*self.files, "-o", "a/", "--show", "kitty"), "--show"),
                ((*self.files, "-o", "a/", "--format", "bmp"), "bmp")):
            with self.subTest(says):
                done = run("frame", *args, cwd=self.folder)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(says, done.stderr)
                self.assertFalse((self.folder / "a").exists())
        self.assertEqual(run("show", *self.files[:2]).returncode, 2)

    @unittest.skipIf(os.cpu_count() < 2, "one core: there is no other process")
    def test_a_process_that_dies_is_a_failure(self):
        pipe = self.folder / "pipe.glb"
        os.mkfifo(pipe)
        program = subprocess.Popen([POSE, "frame", pipe, *self.files, "-o", f"{self.to}/", "--size", "32"],
                                   stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        children = pathlib.Path(f"/proc/{program.pid}/task/{program.pid}/children")
        # The other process does the other files and ends.
        while len(waiting := children.read_text().split()) != 1 or len([*self.to.glob("*.png")]) < len(self.files):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        os.kill(int(waiting[0]), signal.SIGKILL)
        said = program.communicate(timeout=60)[1]
        self.assertEqual(program.returncode, 1, said)
        self.assertIn(f"{pipe}: the process that worked on it ended", said)
        self.assertEqual(len(list(self.to.iterdir())), len(self.files))


if __name__ == "__main__":
    unittest.main()
