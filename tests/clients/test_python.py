"""The Python client against the real daemon, checked against plain HTTP requests."""
import base64
import ctypes
import email.utils
import http.server
import inspect
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

from case import DEMO, DaemonCase
from client import rig_path
from daemon import ROOT, Daemon
from debian import debian_module
from openapi import operations
import packed
import rigs
from test_vrm import avatar

PACKAGE = ROOT / "clients" / "python"
sys.path.insert(0, str(PACKAGE))

WAIT_S = 60
STEP = {"clip": "Walk", "phase": 0.25}


def package():
    """The client; with numpy, wherever Debian has put it."""
    try:
        debian_module("numpy")
    except unittest.SkipTest:
        pass
    import posed
    return posed


def python_with(*modules):
    """A Python that can import these in this order; None = none here can."""
    for python in (sys.executable, "/usr/bin/python3"):
        command = [python, "-c", "import " + ", ".join(modules)]
        if shutil.which(python) and subprocess.run(command, capture_output=True).returncode == 0:
            return python
    return None


# A user's program; a type checker must refuse the lines with "# type: ignore".
USER = """
import numpy
import posed

with posed.Client(token="a") as client:
    client.frame("fox", {"clip": "Walk", "time": 0.4}, width=256).save("fox.png")
    walk = [{"clip": "Walk", "time": i / 30} for i in range(30)]
    total: float = client.vertices("fox", poses=walk, skinning="dqs").position.sum()
    client.vertices("fox", "rest", glb=True).save("fox.glb")
    first: str = client.pose("fox", space="world")["joints"][0]["name"]
    columns = client.pose("fox", binary=True).columns
    if (rigs := client.rigs(etag="b")) is not None:
        print(rigs.etag, [rig["name"] for rig in rigs], columns, first, total)
    client.crowd([{"rig": "fox"}], accept="application/json")["instances"]
    client.put_example("fox", "c", "rest", numpy.zeros((3, 3)))
    with client.frames_stream("fox") as sequence, client.stream("fox") as stream:
        pieces: list[bytes] = list(sequence)
        moments: list[float] = [frame.time for frame in stream]
    report: posed.Report = client.check("fox", profile="game")
    worst: list[posed.Finding] = report.errors + client.check(source="fox.glb").warnings
    with client.check_events("fox") as events:
        kinds: list[str] = [event["event"] for event in events]
    client.check("fox", accept="text/html").save("fox.html")
    client.frame("fox", 3)  # type: ignore[arg-type]
    client.vertices(pose="rest")  # type: ignore[call-overload]
    client.vertices("fox").positon  # type: ignore[union-attr]
    client.vertices("fox").save("a")  # type: ignore[union-attr]
    client.describe("fox").etga  # type: ignore[union-attr]
"""


class Whole(unittest.TestCase):
    def test_has_a_method_for_every_call_of_the_api(self):
        posed = package()
        methods = (getattr(posed.Client, name) for name in dir(posed.Client))
        covered = [method.operation_id for method in methods if hasattr(method, "operation_id")]
        self.assertEqual(len(covered), len(set(covered)), "an operation has two methods")
        self.assertEqual(set(covered), operations())

    def test_installs_with_pip(self):
        python = python_with("setuptools", "wheel", "pip")
        if not python:
            self.skipTest("no Python here has pip, setuptools and wheel")
        with tempfile.TemporaryDirectory() as folder:
            source, target = pathlib.Path(folder, "source"), pathlib.Path(folder, "target")
            shutil.copytree(PACKAGE, source)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
                            "--no-build-isolation", "--target", target, source],
                           check=True, capture_output=True, timeout=120)
            done = subprocess.run([python, "-c", "import posed; print(posed.Client, posed.__file__)"],
                                  env={"PYTHONPATH": str(target)}, cwd=folder, check=True,
                                  capture_output=True, text=True)
            self.assertIn(f"posed.client.Client'> {target}/posed/", done.stdout)
            self.assertTrue((target / "posed" / "py.typed").exists())

    def test_types(self):
        python = python_with("mypy", "numpy")
        if not python:
            self.skipTest("no Python here has mypy and numpy")
        with tempfile.TemporaryDirectory() as folder:
            user = pathlib.Path(folder, "user.py")
            user.write_text(USER, encoding="utf-8")
            done = subprocess.run(
                [python, "-m", "mypy", "--strict", "--python-version", "3.9", "--cache-dir",
                 folder, PACKAGE / "posed", user],
                cwd=folder, env={**os.environ, "MYPYPATH": str(PACKAGE)}, capture_output=True,
                text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


    def test_calls_take_the_tags_that_they_give(self):
        methods = [getattr(package().Client, name) for name in dir(package().Client)]
        takes = {method.operation_id for method in methods if hasattr(method, "operation_id")
                 and "etag" in inspect.signature(method).parameters}
        self.assertEqual(takes, operations("304"))


class Calls(DaemonCase):
    daemon_args = ("--load", str(DEMO))

    @classmethod
    def prepare(cls):
        cls.posed = package()
        cls.address = f"http://127.0.0.1:{cls.daemon.port}"
        cls.api = cls.posed.Client(cls.address)
        cls.addClassCleanup(cls.api.close)

    def test_service(self):
        self.assertEqual(self.api.service()["name"], "posed")
        self.assertTrue(self.api.is_alive())
        self.assertTrue(self.api.ready())
        self.assertIn("posed_", self.api.metrics())
        self.assertIn(b"<html", self.api.viewer())
        self.assertTrue(self.api.script("viewer/viewer.css"))
        self.assertTrue(self.api.openapi().startswith(b"# The HTTP API of posed"))

    def test_checks(self):
        report = self.api.check("cyl2", profile="game")
        self.assertEqual(report.verdict, report.summary["verdict"])
        self.assertEqual(len(report.findings), sum(len(f["findings"]) for f in report.files))
        collapse = report.of_rule("surface/collapse")[0]
        self.assertIn(collapse, report.errors + report.warnings)
        self.assertEqual((collapse.path, collapse.clip), ("cyl2", "twist"))
        self.assertIsNone(self.api.check("cyl2", profile="game", etag=report.etag))
        again = self.api.check(source=DEMO / "cyl2.glb", path="cyl2", only="surface/*")
        self.assertEqual(again.findings[0].data, self.api.check_link("cyl2", only="surface/*")
                         .findings[0].data)
        several = self.api.check(["cyl2", "head"])
        self.assertEqual([file["path"] for file in several.files], ["cyl2", "head"])
        page = self.api.check("cyl2", accept="text/html")
        self.assertEqual(page.media_type, "text/html")
        rules = self.api.check_profile("game")
        rules["rules"] = {"*": "off", "surface/collapse": {"error": 0.5}}
        self.assertEqual({f.rule for f in self.api.check("cyl2", profile=rules).errors},
                         {"surface/collapse"})
        self.assertIn("motion/pop", [rule["id"] for rule in self.api.check_rules()])
        with self.assertRaises(ValueError):
            self.api.check()

    def test_check_events(self):
        with self.api.check_events("cyl2", only=["surface/*"]) as events:
            kinds = [event["event"] for event in events]
        self.assertEqual((kinds[0], kinds[-1]), ("start", "end"))
        with self.api.check_events("humanoid") as events:
            self.assertEqual(next(events)["event"], "start")

    def test_check_in_the_background(self):
        task = self.api.begin_check("humanoid", skip=["rig/height"])
        while task["state"] in ("waiting", "running"):
            task = self.api.check_state(task["id"])
        report = self.api.check_report(task["id"])
        self.assertEqual(report.data, self.api.check("humanoid", skip=["rig/height"]).data)
        self.assertIsNone(self.api.check_report(task["id"], etag=report.etag))
        self.assertEqual(self.api.begin_check("humanoid", skip=["rig/height"]).data, report.data)
        self.api.cancel_check(task["id"])
        with self.assertRaises(self.posed.Problem) as refused:
            self.api.check_state(task["id"])
        self.assertEqual(refused.exception.status, 404)

    def test_pytest_plugin(self):
        python = python_with("pytest")
        if not python:
            self.skipTest("no Python here has pytest")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "test_assets.py").write_text(f"""
def test_rig(checked):
    assert not checked("head").errors

def test_file(checked):
    assert not checked({str(DEMO / "cyl2.glb")!r}).errors
""", encoding="utf-8")
            done = subprocess.run(
                [python, "-m", "pytest", "-q", "-p", "posed.pytest_plugin", folder],
                cwd=folder, capture_output=True, text=True,
                env={**os.environ, "PYTHONPATH": str(PACKAGE), "POSED_SERVER": self.address})
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("1 failed, 1 passed", done.stdout)
        self.assertIn("<error surface/", done.stdout)

    def test_rigs(self):
        content = (DEMO / "cyl2.glb").read_bytes()
        self.assertEqual(self.api.put_rig("a b/c".replace("/", ""), content)["name"], "a bc")
        self.api.put_rig("from-path", DEMO / "cyl2.glb")
        self.assertIn("from-path", [rig["name"] for rig in self.api.rigs()])
        self.assertEqual(self.api.describe("from-path"),
                         self.client.get(rig_path("from-path")).json())
        self.assertEqual(self.api.source("from-path"), content)
        self.assertEqual(self.api.mesh("from-path")[:4], b"glTF")
        with self.assertRaises(self.posed.Problem) as caught:
            self.api.put_rig("from-path", content, replace=False)
        self.assertEqual(caught.exception.status, 412)
        with self.assertRaisesRegex(self.posed.Problem, r"U\+200B"):
            self.api.put_rig("from\u200bpath", content)
        for rig in ("a bc", "from-path"):
            self.api.delete_rig(rig)
        self.assertNotIn("from-path", [rig["name"] for rig in self.api.rigs()])

    def test_frame_is_the_same_picture(self):
        picture = self.api.frame("humanoid", STEP, width=64, height=48)
        reply = self.client.frame("humanoid", STEP, width=64, height=48)
        self.assertEqual(picture, reply.body)
        self.assertEqual(picture.media_type, "image/png")
        self.assertEqual(picture._repr_png_(), reply.body)
        self.assertIsNone(self.api.frame("humanoid", STEP, width=64, height=48, etag=picture.etag))
        linked = self.api.frame_link("humanoid", clip="Walk", phase=0.25, width=64, height=48)
        self.assertEqual(linked, reply.body)
        with tempfile.TemporaryDirectory() as folder:
            path = picture.save(pathlib.Path(folder, "a.png"))
            self.assertEqual(path.read_bytes(), reply.body)

    def test_vertices_are_arrays_over_the_answer(self):
        numpy = debian_module("numpy")
        found = self.api.vertices("humanoid", STEP, attributes=["position", "normal"])
        reply = self.client.vertices("humanoid", STEP, attributes=["position", "normal"])
        self.assertEqual(bytes(found.data), reply.body)
        whole = numpy.frombuffer(reply.body, "<f4").reshape(2, found.vertices, 3)
        self.assertTrue((found.position == whole[0]).all())
        self.assertTrue((found.normal == whole[1]).all())
        self.assertTrue(numpy.shares_memory(found.normal, numpy.frombuffer(found.data, "u1")))
        self.assertIn("lbs", found.skinning)

    def test_vertices_of_many_poses(self):
        numpy = debian_module("numpy")
        poses = ["rest", STEP, {"clip": "Run", "phase": 0.5}]
        found = self.api.vertices("humanoid", poses=poses, attributes=["position", "normal"])
        self.assertEqual(found.normal.shape, (3, found.vertices, 3))
        for i, pose in enumerate(poses):
            alone = self.api.vertices("humanoid", pose, attributes=["normal"])
            self.assertTrue((found.normal[i] == alone.normal).all(), i)
        self.assertTrue(numpy.shares_memory(found.position, numpy.frombuffer(found.data, "u1")))

    def test_packed_vertices(self):
        numpy = debian_module("numpy")
        poses = [{"clip": "Run", "time": i / 30} for i in range(6)]
        exact = self.api.vertices("humanoid", poses=poses, attributes=["position", "normal"])
        both = ["position:u16x3", "normal:oct8x2"]
        for members in ({"attributes": both}, {"attributes": both, "compression": "meshopt"},
                        {"attributes": both[:1], "compression": "meshopt"},
                        {"attributes": both[1:], "compression": "meshopt"}):
            with self.subTest(**members):
                found = self.api.vertices("humanoid", poses=poses, **members)
                if "position:u16x3" in members["attributes"]:
                    step = (found.bounds[3] - found.bounds[0]) / 65535
                    worst = numpy.abs(found.position - exact.position).max()
                    self.assertLessEqual(worst, step * 0.51)
                if "normal:oct8x2" in members["attributes"]:
                    cosines = (found.normal * exact.normal).sum(-1)
                    self.assertGreater(cosines.min(), numpy.cos(numpy.radians(0.96)))

    def test_stream(self):
        numpy = debian_module("numpy")
        run = {"clip": "Run", "loop": "repeat"}
        for members in ({}, {"attributes": ["position:u16x3"], "compression": "meshopt"}):
            with self.api.stream("humanoid", run, fps=60, duration=0.4, **members) as stream:
                frames = list(stream)
            self.assertGreaterEqual(len(frames), 3)
            numbers = [frame.number for frame in frames]
            self.assertEqual(numbers, sorted(set(numbers)))
            for frame in frames[::5]:
                exact = self.api.vertices("humanoid", {**run, "time": frame.time})
                step = (frame.bounds[3] - frame.bounds[0]) / 65535 if members else 0
                worst = numpy.abs(frame.position - exact.position).max()
                self.assertLessEqual(worst, step * 0.51)

    def test_stream_in_two_ways_backwards_in_a_range(self):
        numpy = debian_module("numpy")
        bend, ways = {"clip": "bend"}, ("lbs", "dqs")
        for members in ({}, {"attributes": ["position:u16x3"], "compression": "meshopt"}):
            with self.api.stream("cyl2", bend, fps=60, duration=0.4, speed=-2, skinning=ways,
                                 range={"from": 1, "to": 2}, **members) as stream:
                frames = list(stream)
            self.assertEqual([frame.way for frame in frames], [0, 1] * (len(frames) // 2))
            self.assertLess(frames[-1].time, frames[0].time)
            for frame in frames:
                self.assertFalse(frame.outdated)
                pose = {**bend, "time": 1 + (frame.time - 1) % 1}
                exact = self.api.vertices("cyl2", pose, skinning=ways[frame.way])
                step = (frame.bounds[3] - frame.bounds[0]) / 65535 if members else 0
                worst = numpy.abs(frame.position - exact.position).max()
                self.assertLessEqual(worst, step * 2.1 + 1e-6)  # 14 of 16 bits

    def test_stream_is_changed_and_left(self):
        with self.api.stream("cyl2", "rest") as stream:
            next(stream)
            with self.assertRaises(self.posed.Problem):
                stream.change(pose={"clip": "nothing"})
            stream.change(pose={"clip": "bend", "loop": "repeat"}, speed=2)
            frame = next(frame for frame in stream if frame.changed)
            self.assertEqual(stream.state()["speed"], 2)
        exact = self.api.vertices("cyl2", {"clip": "bend", "loop": "repeat", "time": frame.time})
        self.assertEqual(bytes(frame.data), bytes(exact.data))
        deadline = time.monotonic() + 25  # sooner than idle connections are closed
        with self.assertRaises(self.posed.Problem) as caught:
            while time.monotonic() < deadline:
                self.api.stream_state(stream.id)
                time.sleep(0.05)
        self.assertEqual(caught.exception.status, 404)

    def test_stream_is_ended_by_its_id(self):
        stream = self.api.stream("cyl2", {"clip": "bend", "loop": "repeat"})
        next(stream)
        self.api.end_stream(stream.id)
        self.assertLess(len(list(stream)), 10)

    def test_stream_is_closed_by_another_thread(self):
        """While it waits for a frame that does not come, and while frames come."""
        for pose in ("rest", {"clip": "bend", "loop": "repeat"}):
            for _ in range(5):
                stream = self.api.stream("cyl2", pose, fps=60)
                found, began = [], threading.Event()

                def read():
                    try:
                        for _ in stream:
                            began.set()
                        found.append("the end")
                    except Exception as error:
                        found.append(error)

                reader = threading.Thread(target=read, daemon=True)
                reader.start()
                self.assertTrue(began.wait(WAIT_S))
                stream.close()
                reader.join(WAIT_S)
                self.assertEqual(found, ["the end"])
                self.assertEqual(list(stream), [])

    def test_codec_is_meshoptimizer_s(self):
        numpy = debian_module("numpy")
        library = packed.codec()
        library.meshopt_encodeVertexBufferBound.restype = ctypes.c_size_t
        library.meshopt_encodeVertexBuffer.restype = ctypes.c_size_t
        from posed.meshopt import decode_vertices
        random = numpy.random.default_rng(5)
        for stride in (4, 8, 12, 64, 256):
            for count in (1, 16, 17, 256, 257, 1000):
                rough = 1 << (numpy.arange(count) // 40 % 9)
                data = (random.random((count, stride)) * rough[:, None]).astype("u1")
                size = [ctypes.c_size_t(number) for number in (count, stride)]
                room = ctypes.create_string_buffer(library.meshopt_encodeVertexBufferBound(*size))
                used = library.meshopt_encodeVertexBuffer(
                    room, ctypes.c_size_t(len(room)), data.tobytes(), *size)
                coded = room.raw[:used]
                self.assertTrue((decode_vertices(coded, count, stride) == data).all())
                with self.assertRaises(ValueError):
                    decode_vertices(coded[:-1], count, stride)

    def test_vertices_without_numpy(self):
        script = ("import sys; sys.modules['numpy'] = None; import posed; "
                  f"found = posed.Client({self.address!r}).vertices('cyl2', poses=['rest'] * 2); "
                  "print(len(found.position), found.position[1].tolist()[7])")
        done = subprocess.run([sys.executable, "-c", script], cwd=PACKAGE, capture_output=True,
                              text=True, check=True)
        want = list(self.client.vertices("cyl2").triples()[7])
        self.assertEqual(done.stdout, f"2 {want}\n")

    def test_pose(self):
        reply = self.client.pose("tube23", "rest")
        self.assertEqual(self.api.pose("tube23"), reply.json())
        numpy = debian_module("numpy")
        found = self.api.pose("tube23", poses=["rest", {"clip": "wave", "phase": 0.5}], binary=True)
        for joint, matrix in zip(reply.json()["joints"], found.matrices()[0]):
            self.assertTrue(numpy.allclose(matrix.T.ravel(), joint["world"], atol=1e-6))
        self.assertEqual(found.columns.shape[0], 2)

    def test_influences(self):
        values = self.api.influences("humanoid", "Head").values
        body = self.client.get(rig_path("humanoid", "/influences?joint=Head")).body
        self.assertEqual(list(values), list(struct.unpack(f"<{len(body) // 4}f", body)))

    def test_examples(self):
        positions = self.client.vertices("cyl2").triples()
        self.api.put_example("cyl2", "as lists", "rest", positions=positions)
        found = self.api.vertices("cyl2", attributes=["position", "normal"])
        self.api.put_example("cyl2", "as arrays", "rest", found.position, found.normal)
        self.api.put_example("cyl2", "as a file", "rest", glb=self.api.mesh("cyl2"))
        self.assertEqual([example["name"] for example in self.api.examples("cyl2")],
                         ["as a file", "as arrays", "as lists"])
        stored = self.api.example("cyl2", "as arrays")
        self.assertNumbers(stored["positions"], positions, 1e-7)  # JSON of float32
        for example in self.api.examples("cyl2"):
            self.api.delete_example("cyl2", example["name"])
        self.assertEqual(self.api.examples("cyl2"), [])

    def test_numbers_of_numpy_are_sent_as_others(self):
        numpy = debian_module("numpy")
        plain = self.api.frame("humanoid", {"clip": "Walk", "time": 0.5}, width=64, height=48,
                               camera={"yaw": 30, "target": [0, 0.75, 0.25], "distance": 4}, grid=True)
        self.assertEqual(plain, self.api.frame(
            "humanoid", {"clip": "Walk", "time": numpy.float32(0.5)}, width=numpy.int64(64),
            height=numpy.uint8(48), grid=numpy.bool_(True),
            camera={"yaw": numpy.array(30), "target": numpy.array([0, 0.75, 0.25]), "distance": 4}))
        with self.assertRaises(ValueError):
            self.api.pose("humanoid", {"clip": "Walk", "time": numpy.float32("nan")})
        with self.assertRaises(TypeError):
            self.api.pose("humanoid", {"clip": "Walk", "time": object()})
        clip = {"clip": "bend", "time": numpy.float32(0)}
        self.api.put_clip("cyl2", "short", clip, duration=numpy.float64(0.5))
        self.assertEqual(self.api.clip("cyl2", "short")["duration"], 0.5)
        self.api.delete_clip("cyl2", "short")

    def test_examples_of_any_array(self):
        numpy = debian_module("numpy")
        rest = self.api.vertices("cyl2", attributes=["position", "normal"])
        triples = rest.position.tolist()
        for positions, normals in (
            (rest.position.astype("f8"), None),
            (numpy.asfortranarray(rest.position), numpy.asfortranarray(rest.normal)),
            (rest.position.astype(">f4"), rest.normal[::-1][::-1]),
            (memoryview(rest.position), rest.normal.tobytes()),
            (triples, rest.normal),
            (rest.position, rest.normal.tolist()),
        ):
            with self.subTest(positions=type(positions), normals=type(normals)):
                pose = {"clip": "bend", "time": numpy.float32(0)}
                self.api.put_example("cyl2", "any", pose, positions, normals)
                stored = self.api.example("cyl2", "any")
                self.assertNumbers(stored["positions"], triples, 1e-7)
                if normals is not None:
                    self.assertNumbers(stored["normals"], rest.normal.tolist(), 1e-7)
        self.api.delete_example("cyl2", "any")

    def test_arrays_without_numpy(self):
        script = ("import sys; sys.modules['numpy'] = None; import array\n"
                  "from posed.values import float32_bytes\n"
                  "print(float32_bytes(array.array('f', [1, 2])).hex())\n"
                  "try: float32_bytes(array.array('d', [1, 2]))\n"
                  "except TypeError as error: print(error)\n")
        done = subprocess.run([sys.executable, "-c", script], cwd=PACKAGE, capture_output=True,
                              text=True, check=True)
        self.assertEqual(done.stdout.splitlines()[0], struct.pack("<2f", 1, 2).hex())
        self.assertIn("'d'", done.stdout.splitlines()[1])

    def test_links_take_truth_and_lists(self):
        size = {"width": 64, "height": 48}
        plain = self.api.frame("humanoid", grid=True, overlays=["skeleton", "bounds"], **size)
        shown = {"grid": True, "overlays": ["skeleton", "bounds"], **size}
        self.assertEqual(self.api.frame_link("humanoid", **shown), plain)
        self.assertEqual(self.api.signed_frame("humanoid", shown), plain)

    def test_clips(self):
        self.api.put_clip("cyl2", "half", {"clip": "bend"}, duration=0.5, rate=30)
        self.api.put_clip("cyl2", "file", source=DEMO / "cyl2.glb", clip="twist")
        names = [clip["name"] for clip in self.api.clips("cyl2")]
        self.assertEqual(names[-2:], ["file", "half"])
        self.assertEqual(self.api.clip("cyl2", "half")["duration"], 0.5)
        self.assertEqual(self.api.clip("cyl2", "half", glb=True)[:4], b"glTF")
        for name in names[-2:]:
            self.api.delete_clip("cyl2", name)

    def test_clips_without_needless_joints(self):
        self.put_rig("tube", rigs.centimetre_tube(behind=2).glb())
        whole, pruned = (self.api.clip("tube", "move", glb=True, prune=prune)
                         for prune in (False, True))
        path = rig_path("tube", "/clips/move")
        headers = {"Accept": "model/gltf-binary"}
        for got, query in ((whole, ""), (pruned, "?prune=true")):
            want = self.client.request("GET", path + query, headers=headers)
            self.assertEqual(bytes(got), self.assertStatus(want, 200).body)
        self.assertLess(len(pruned), len(whole))

    def test_json_comes_with_its_tag(self):
        api = self.api
        for call, *arguments in (
            (api.rigs,), (api.describe, "cyl2"), (api.clips, "cyl2"), (api.examples, "cyl2"),
            (api.clip, "cyl2", "bend"), (api.compatibility, "humanoid", "head"),
            (api.pose, "cyl2", "rest"), (api.transitions, "humanoid", "Walk", "Run"),
            (api.compress_report, "cyl2"),
            (api.compare, "cyl2", ["lbs", "dqs"]), (api.shaders,), (api.shader_inputs, "cyl2"),
        ):
            with self.subTest(call.__name__):
                found = call(*arguments)
                self.assertTrue(found.request_id)
                self.assertEqual(found.media_type, "application/json")
                self.assertEqual(json.loads(json.dumps(found)), found)
                self.assertIsNone(call(*arguments, etag=found.etag))
                self.assertEqual(call(*arguments, etag='"another"'), found)
        self.assertIn("lbs", api.compare("cyl2", ["lbs", "dqs"]).skinning)

    def test_thumbnails(self):
        png = bytes(self.client.frame("cyl2", width=8, height=8).body)
        self.put_rig("avatar", avatar(thumbnail=png).glb())
        found = self.api.thumbnail("avatar")
        self.assertEqual((bytes(found), found.media_type), (png, "image/png"))
        self.assertIsNone(self.api.thumbnail("avatar", etag=found.etag))

    def test_shaders(self):
        self.assertIn("dqs", [shader["method"] for shader in self.api.shaders()])
        text = self.api.shader("dqs", "300")
        self.assertEqual(text, self.client.get("/v1/shaders/dqs?version=300").body)
        self.assertIsNone(self.api.shader("dqs", "300", etag=text.etag))
        found = self.api.shader_inputs("cyl2", skinning="dqs", buffers=["palette"])
        self.assertEqual([stage["function"] for stage in found["stages"]], ["posed_surface"])

    def test_fits(self):
        fit = self.api.begin_fit("cyl2", "cor")
        self.assertIn(fit["id"], [other["id"] for other in self.api.fits("cyl2")])
        self.assertEqual(self.api.fit("cyl2", fit["id"])["id"], fit["id"])
        self.api.cancel_fit("cyl2", fit["id"])

    def test_between_rigs_clips_and_methods(self):
        self.assertTrue(self.api.compatibility("humanoid", "head")["pairs"])
        self.assertTrue(self.api.transitions("humanoid", "Walk", "Run")["transitions"])
        packed = self.api.compress("cyl2", ["bend"], 0.001)
        self.assertEqual(packed[:4], b"PCLP")
        report = self.api.compress_report("cyl2", ["bend"], 0.001)
        self.assertEqual(report["bytes"], len(packed))
        with self.api.compress_events("cyl2", ["bend"], 0.001) as events:
            start, clip, end = events
        self.assertEqual((start["event"], clip["clip"], clip["done"], end["event"]), ("start", "bend", 1, "end"))
        self.assertEqual((end["file"], end["report"]), (packed, report))
        with self.api.compress_events("cyl2", ["bend"], 1e-9) as events, self.assertRaises(self.posed.Problem) as refused:
            list(events)
        self.assertEqual((refused.exception.status, refused.exception.pointer), (400, "/tolerance"))
        few = self.api.compress("cyl2", ["bend"], 0.001, codec="keys")
        self.assertEqual(few[:4], b"glTF")
        self.assertEqual(few, self.api.clip("cyl2", "bend", glb=True, tolerance=0.001))
        found = self.api.compare("cyl2", ["lbs", "dqs"], {"clip": "bend", "time": 1})
        self.assertEqual(len(found["methods"]), 2)
        picture = self.api.compare("cyl2", ["lbs", "dqs"], picture=True, width=200, height=200)
        self.assertEqual(picture[:4], b"\x89PNG")
        self.assertEqual(self.api.crowd([{"rig": "cyl2"}], width=64, height=64)[:4], b"\x89PNG")
        described = self.api.crowd([{"rig": "cyl2"}], accept="application/json", attributes=[])
        self.assertEqual(len(described["instances"]), 1)

    def test_baked_motions(self):
        self.assertEqual(self.api.bake("cyl2", {"clip": "bend"}, rate=4)[:4], b"glTF")
        tar = self.api.bake("cyl2", {"clip": "bend"}, "vertex_texture", rate=4)
        self.assertEqual(tar[257:262], b"ustar")

    def test_frames(self):
        turn = self.api.frames("cyl2", turntable=3, width=32, height=32, camera={"pitch": 5})
        self.assertIn(b"acTL", turn)
        self.assertEqual(turn, self.api.frames_link("cyl2", turntable=3, width=32, height=32, pitch=5))

    def test_frames_while_they_are_made(self):
        size = {"times": {"count": 30}, "fps": 20, "width": 48, "height": 48}
        for form in ("apng", "tar", "gif", "webp"):
            with self.subTest(form):
                whole = self.api.frames("humanoid", {"clip": "Walk"}, format=form, **size)
                with self.api.frames_stream("humanoid", {"clip": "Walk"}, format=form, **size) as found:
                    self.assertEqual((found.frames, found.fps), (30, 20))
                    self.assertEqual(found.media_type, whole.media_type)
                    self.assertEqual(b"".join(found), whole)
                    counts = form in ("apng", "tar")
                    self.assertEqual(found.frames_begun, 30 if counts else None)
                    self.assertEqual(list(found), [])

    def test_frames_are_counted_in_any_pieces(self):
        from posed.sequence import FrameCount
        files = [self.api.frames("cyl2", turntable=7, width=32, height=32, format=form)
                 for form in ("apng", "tar")]
        for file in files:
            for step in (1, 7, 511, 513, len(file)):
                count = FrameCount(file.media_type)
                for at in range(0, len(file), step):
                    count.add(bytes(file[at:at + step]))
                self.assertEqual(count.frames, 7, (file, step))

    def requests_in_progress(self):
        """Without the one that asks."""
        return int(re.search(r"^posed_requests_in_progress (\d+)$", self.api.metrics(), re.M)[1]) - 1

    def test_closing_a_sequence_ends_the_work(self):
        long = {"times": {"count": 4000}, "width": 512, "height": 512}
        for members in ({"format": "apng", **long}, {"accept": "multipart/x-mixed-replace"}):
            with self.subTest(**members):
                with self.api.frames_stream("humanoid", {"clip": "Walk"}, **members) as found:
                    self.assertTrue(next(found))
                    self.assertGreaterEqual(self.requests_in_progress(), 1)
                deadline = time.monotonic() + WAIT_S
                while self.requests_in_progress():
                    self.assertLess(time.monotonic(), deadline, "the work goes on")
                    time.sleep(0.05)
                self.assertEqual(list(found), [])

    def test_sequences_without_an_end_are_not_waited_for(self):
        with self.assertRaisesRegex(ValueError, "frames_stream"):
            self.api.frames("cyl2", turntable=2, accept="multipart/x-mixed-replace")
        with self.assertRaisesRegex(ValueError, "frames_stream"):
            self.api.frames_link("cyl2", "multipart", turntable=2)

    def test_notebooks_show_pictures_once(self):
        """Shows objects as IPython does: the representations that are not None, and the text."""
        size = {"width": 32, "height": 32}
        shown = {
            "image/png": self.api.frame("cyl2", **size),
            "image/webp": self.api.frame("cyl2", accept="image/webp", **size),
            "image/apng": self.api.frames("cyl2", turntable=2, **size),
            "image/gif": self.api.frames_link("cyl2", "gif", turntable=2, **size),
        }
        for media_type, picture in shown.items():
            with self.subTest(media_type):
                self.assertIsInstance(picture, self.posed.Picture)
                self.assertEqual(repr(picture), f"<Picture {media_type}, {len(picture)} bytes>")
                self.assertEqual(str(picture), repr(picture))
                html, png = picture._repr_html_(), picture._repr_png_()
                if media_type == "image/png":
                    self.assertEqual((html, png), (None, bytes(picture)))
                else:
                    start, _, data = html.partition(",")
                    self.assertEqual((start, png), (f'<img src="data:{media_type};base64', None))
                    self.assertEqual(base64.b64decode(data.partition('"')[0]), picture)
        tar = self.api.frames("cyl2", turntable=2, format="tar", **size)
        self.assertEqual(repr(tar), f"<File application/x-tar, {len(tar)} bytes>")
        self.assertFalse(hasattr(tar, "_repr_html_"))
        pixels = self.api.frame("cyl2", accept="application/octet-stream", **size)
        self.assertFalse(hasattr(pixels, "_repr_html_"))

    def test_videos_are_shown_as_such(self):
        video = self.posed.Picture(b"abc")
        video.media_type = "video/mp4"
        self.assertTrue(video._repr_html_().startswith('<video src="data:video/mp4;base64,YWJj"'))

    def test_signed_frame(self):
        options = {"clip": "Walk", "phase": 0.25, "w": 64, "h": 48}
        self.assertEqual(self.api.signed_frame("humanoid", options),
                         self.client.frame("humanoid", STEP, width=64, height=48).body)

    def test_link_is_not_signed_by_half(self):
        self.assertEqual(self.posed.signed_path("a", {}, None, None), "/i/unsafe/a.png")
        with self.assertRaises(ValueError):
            self.posed.signed_path("a", {}, "00", None)

    def test_signature_is_imgproxys(self):
        # The example of imgproxy's documentation, with the same key and salt.
        path = "/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png"
        signed = self.posed.links.signature(path, b"secret".hex(), b"hello".hex())
        self.assertEqual(signed, "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8")

    def test_refusals_are_problems(self):
        with self.assertRaises(self.posed.Problem) as caught:
            self.api.pose("humanoid", {"clip": "Wlak"})
        problem = caught.exception
        self.assertEqual((problem.status, problem.type), (404, "urn:posed:unknown-clip"))
        self.assertEqual(problem.pointer, "/pose/clip")
        self.assertIn("Walk", problem.detail)
        self.assertTrue(problem.request_id)
        with self.assertRaises(self.posed.Problem) as caught:
            self.api.frame_link("humanoid", clip="Walk", tmie=1)
        self.assertEqual(caught.exception.parameter, "tmie")

    def test_refusal_is_read_before_all_is_sent(self):
        """The limit is 4 MiB; sockets hold less than what is above it."""
        for has_kept_connection in (False, True, False, True):
            with self.posed.Client(self.address) as api:
                if has_kept_connection:
                    api.service()
                with self.assertRaises(self.posed.Problem) as caught:
                    api.pose("cyl2", {"clip": "x" * (32 << 20)})
                self.assertEqual(caught.exception.status, 413)
                self.assertIn("may have 4194304", caught.exception.detail)

    def test_numbers_that_are_none_are_refused_here(self):
        with self.assertRaises(ValueError):
            self.api.frame("humanoid", {"clip": "Walk", "time": float("nan")})

    def test_threads_share_a_client(self):
        found = []
        threads = [threading.Thread(target=lambda: found.append(self.api.vertices("cyl2").data))
                   for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 8)
        self.assertEqual(len({bytes(data) for data in found}), 1)

    def test_first_example_of_the_readme_runs(self):
        text = (PACKAGE / "README.md").read_text(encoding="utf-8")
        program = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
        place = "http://127.0.0.1:8600"
        self.assertIn(place, program)
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "assets").symlink_to(ROOT / "assets")
            self.addCleanup(self.client.request, "DELETE", "/v1/rigs/walker")
            subprocess.run([sys.executable, "-c", program.replace(place, self.address)], cwd=folder,
                           env={"PYTHONPATH": str(PACKAGE)}, capture_output=True, check=True,
                           timeout=WAIT_S)
            picture = pathlib.Path(folder, "walker.png").read_bytes()
        pose = {"clip": "Walk", "time": 0.4}
        self.assertEqual(picture, self.client.frame("walker", pose, width=256, height=256).body)

    def test_example_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, PACKAGE / "examples" / "walk.py", self.address], cwd=folder,
                env={"PYTHONPATH": str(PACKAGE)}, capture_output=True, text=True, check=True)
            self.assertEqual(pathlib.Path(folder, "walk.png").read_bytes()[:4], b"\x89PNG")
        head = self.joints("humanoid", STEP)["Head"]["world"][12:15]
        self.assertIn(str([round(number, 3) for number in head]), done.stdout)

    def test_thumbnail_worker_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            inbox, thumbnails = pathlib.Path(folder, "inbox"), pathlib.Path(folder, "thumbnails")
            inbox.mkdir()
            thumbnails.mkdir()
            (inbox / "a model.glb").write_bytes((DEMO / "cyl2.glb").read_bytes())
            (inbox / "broken.glb").write_bytes(b"glTF and nothing else")
            before = {rig["name"] for rig in self.api.rigs()}
            for _ in range(2):  # the second time there is nothing to do
                subprocess.run(
                    [sys.executable, PACKAGE / "examples" / "thumbnails.py", inbox, thumbnails, "--once"],
                    env={"PYTHONPATH": str(PACKAGE), "POSED_SERVER": self.address}, check=True,
                    timeout=WAIT_S)
            self.assertEqual([path.name for path in inbox.iterdir()], [])
            self.assertEqual({rig["name"] for rig in self.api.rigs()}, before)
            made = {path.name: path.read_bytes() for path in thumbnails.iterdir()}
        self.assertEqual(set(made), {"a model.glb.webp", "broken.glb.txt"})
        self.assertEqual(made["a model.glb.webp"],
                         self.api.frame("cyl2", width=512, height=512, margin=0.08, background="#ffffff",
                                        accept="image/webp"))
        with self.assertRaises(self.posed.Problem) as refused:
            self.api.put_rig("broken", b"glTF and nothing else")
        self.assertEqual(made["broken.glb.txt"].decode(), f"{refused.exception}\n")


class Elsewhere(unittest.TestCase):
    def test_unix_socket(self):
        with tempfile.TemporaryDirectory(prefix="posed-socket-") as folder:
            path = folder + "/socket"
            daemon = Daemon(args=("--renderer", "none"), listen="unix:" + path).start()
            try:
                self.assertEqual(package().Client("unix:" + path).service()["name"], "posed")
            finally:
                daemon.stop()

    def test_kept_connection_survives_a_restart(self):
        posed = package()
        daemon = Daemon(args=("--renderer", "none")).start()
        client = posed.Client(f"http://127.0.0.1:{daemon.port}")
        client.service()
        daemon.stop()
        daemon = Daemon(args=("--renderer", "none"), listen=f"127.0.0.1:{daemon.port}").start()
        try:
            self.assertEqual(client.service()["name"], "posed")
        finally:
            daemon.stop()
        with self.assertRaises(posed.ConnectionFailed):
            client.service()

    def test_address_must_be_one(self):
        with self.assertRaises(ValueError):
            package().Client("127.0.0.1:8600")


class Busy(http.server.BaseHTTPRequestHandler):
    """Answers 503 twice, then 200; notes the requests."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.headers["Authorization"], body))
        busy = len(self.server.seen) <= self.server.busy_times
        content = json.dumps({"detail": "busy"} if busy else {"joints": []}).encode()
        self.send_response(503 if busy else 200)
        if busy:
            self.send_header("Retry-After", "0")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Patience(unittest.TestCase):
    keeps_times = True

    def serve(self, busy_times):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Busy)
        server.seen, server.busy_times = [], busy_times
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def client(self, server, **options):
        return package().Client(f"http://127.0.0.1:{server.server_port}", **options)

    def test_busy_daemon_is_asked_again(self):
        server = self.serve(2)
        self.assertEqual(self.client(server, token="secret").pose("a"), {"joints": []})
        self.assertEqual(server.seen, [("Bearer secret", b'{"rig": "a"}')] * 3)

    def test_address_and_token_of_the_environment(self):
        server = self.serve(0)
        address = f"http://127.0.0.1:{server.server_port}"
        with mock.patch.dict(os.environ, POSED_SERVER=address, POSED_TOKEN="secret"):
            package().Client().pose("a")
        self.assertEqual(server.seen, [("Bearer secret", b'{"rig": "a"}')])

    def test_patience_ends(self):
        server = self.serve(1000)
        with self.assertRaises(package().Problem) as caught:
            self.client(server, patience_s=-1).pose("a")
        self.assertEqual(caught.exception.status, 503)
        self.assertEqual(len(server.seen), 1)

    def answers(self, *answers, **options):
        """A client of a daemon that has these answers for one connection, where None is none."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        is_over = threading.Event()
        self.addCleanup(is_over.set)

        def answer():
            with listener.accept()[0] as connection:
                for content in answers:
                    connection.recv(65536)
                    if content is None:
                        is_over.wait()
                        return
                    connection.sendall(content)

        threading.Thread(target=answer, daemon=True).start()
        return package().Client(f"http://127.0.0.1:{listener.getsockname()[1]}", **options)

    def test_answer_that_breaks_off_is_an_error(self):
        for head in (b"Content-Length: 100\r\n\r\nshort",
                     b"Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n"):
            client = self.answers(b"HTTP/1.1 200 OK\r\n" + head)
            with self.assertRaises(package().ConnectionFailed):
                client.source("a")
            head = b"Posed-Frames: 9\r\nPosed-Fps: 9\r\n" + head
            client = self.answers(b"HTTP/1.1 200 OK\r\n" + head)
            with self.assertRaises(package().ConnectionFailed):
                list(client.frames_stream("a"))

    def test_kept_connection_fails_like_a_new_one(self):
        fine = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        for wrong in (None, b"what?\r\n\r\n"):
            for before in ((), (fine,)):
                client = self.answers(*before, wrong, timeout_s=3)
                for _ in before:
                    client.service()
                with self.assertRaises(package().ConnectionFailed):
                    client.service()

    def test_retry_after_is_a_number_or_a_date(self):
        from posed.connection import wait_of
        self.assertEqual([wait_of(text) for text in ("7", " 0 ", None, "", "soon", "-3")],
                         [7, 0, 1, 1, 1, 1])
        date = email.utils.formatdate(time.time() + 1000, usegmt=True)
        self.assertAlmostEqual(wait_of(date), 1000, delta=WAIT_S)
        self.assertEqual(wait_of("Wed, 21 Oct 2015 07:28:00 GMT"), 0)
        busy = b"HTTP/1.1 503 Busy\r\nRetry-After: %s\r\nContent-Length: 0\r\n\r\n"
        client = self.answers(busy % b"Wed, 21 Oct 2099 07:28:00 GMT")
        with self.assertRaises(package().Problem) as caught:
            client.pose("a")
        self.assertEqual(caught.exception.status, 503)
