"""The daemon's description of itself, and the arguments and errors of its program."""
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import unittest

from case import DaemonCase
from client import JSON
from daemon import ROOT, binary
from rigs import triangle


class AboutItself(DaemonCase):
    def about(self):
        reply = self.assertStatus(self.client.get("/v1"), 200)
        self.assertEqual(reply.kind, JSON)
        return reply.json()

    def test_v1_names_program_version_and_renderer(self):
        about = self.about()
        self.assertEqual(about["name"], "posed")
        self.assertRegex(about["version"], r"\d")
        for member in ("vendor", "renderer", "version", "device"):
            self.assertTrue(about["renderer"][member], about["renderer"])
        self.assertTrue(about["limits"])

    def test_v1_lists_the_skinning_methods(self):
        methods = {method["id"]: method for method in self.about()["skinning_methods"]}
        self.assertLessEqual({"lbs", "dqs"}, set(methods))
        for method in methods.values():
            self.assertTrue(method["title"])
            self.assertIsInstance(method["needs"], list)
            self.assertTrue(set(method["device"]) <= {"cpu", "gpu"}, method)
        self.assertIn("cpu", methods["lbs"]["device"])

    def test_v1_lists_formats_whose_media_types_are_taken(self):
        formats = {row["name"]: row for row in self.about()["formats"]}
        self.assertLessEqual({"glb", "gltf", "zip", "fbx"}, set(formats))
        self.assertEqual(formats["glb"]["carries"],
                         ["meshes", "skins", "morphs", "clips", "materials"])
        glb = triangle().glb()
        for row in formats.values():
            self.assertTrue(all(ending[0] == "." for ending in row["endings"]), row)
            reply = self.client.put("typed", glb, content_type=row["media_type"])
            self.assertIn(reply.status, (200, 201), row)

    def test_v1_lists_the_pose_operations(self):
        operations = {row["name"]: row["title"] for row in self.about()["pose_operations"]}
        self.assertLessEqual({"rest", "clip", "blend", "add", "set"}, set(operations))
        self.assertTrue(all(operations.values()), operations)

    def test_the_description_of_the_api_is_the_file(self):
        reply = self.assertStatus(self.client.get("/openapi.yaml"), 200)
        file = (ROOT / "protocol" / "openapi.yaml").read_bytes()
        self.assertTrue(reply.body == file, "bytes differ")
        self.assertEqual(reply.kind, "application/yaml")
        etag = reply.headers["ETag"]
        again = self.client.get("/openapi.yaml", if_none_match=etag)
        self.assertEqual((again.status, again.body), (304, b""))
        self.assertProblem(self.client.get("/openapi.yaml", accept="text/html"),
                           406, "not-acceptable", says="application/yaml")

    def test_limits_hold_what_the_contract_says(self):
        self.assertIn(4096, self.about()["limits"].values())

    def test_health_and_readiness(self):
        self.assertStatus(self.client.get("/healthz"), 200)
        self.assertStatus(self.client.get("/readyz"), 200)


class Program(unittest.TestCase):
    def setUp(self):
        if not binary().exists():
            self.fail(f"no daemon at {binary()}: build it, or set POSED_BINARY")
        self.data = tempfile.TemporaryDirectory(prefix="posed-program-")
        self.addCleanup(self.data.cleanup)

    def run_program(self, *args, env=None):
        done = subprocess.run(
            [binary(), *args], capture_output=True, text=True, timeout=300, env=env
        )
        self.assertEqual(done.stdout, "", "a failed start prints nothing on stdout")
        return done

    def assertReason(self, done, code, *words):
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertTrue(done.stderr.strip(), "no reason on stderr")
        for word in words:
            self.assertIn(word, done.stderr)

    def test_wrong_arguments_end_with_2_and_the_reason(self):
        data = ("--data", self.data.name)
        for args, words in (
            (("--bogus",), ("--bogus",)),
            (("--listen",), ("--listen",)),
            (("--listen", "nonsense"), ("nonsense",)),
            (("--listen", "127.0.0.1:99999"), ("99999",)),
            (("--listen", "127.0.0.1:-1"), ("-1",)),
            (("--listen", "127.0.0.1:80x"), ("80x",)),
            (("--renderer", "magic"), ("magic",)),
            (("surplus",), ("surplus",)),
        ):
            with self.subTest(args=args):
                done = self.run_program(*data, *args)
                self.assertReason(done, 2, *words)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_port_that_is_taken_ends_with_1(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            done = self.run_program("--data", self.data.name, "--listen", f"127.0.0.1:{port}")
        self.assertReason(done, 1, port)

    def test_data_folder_that_cannot_be_ends_with_1(self):
        file = pathlib.Path(self.data.name) / "file"
        file.write_text("not a folder")
        for folder in (file, file / "below"):
            done = self.run_program("--listen", "127.0.0.1:0", "--data", str(folder))
            self.assertReason(done, 1, str(folder))

    def test_data_folder_is_made_and_defaults_to_the_user_s(self):
        deep = os.path.join(self.data.name, "a", "b")
        env = {**os.environ, "XDG_DATA_HOME": deep}
        command = [binary(), "--listen", "127.0.0.1:0"]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        line = process.stdout.readline().decode()
        process.terminate()
        process.stdout.close()
        self.assertEqual(process.wait(120), 0)
        self.assertRegex(line, re.compile(r"^posed: listening on http://127\.0\.0\.1:\d+\n$"))
        self.assertTrue(os.path.isdir(os.path.join(deep, "posed")))

    def test_daemon_that_must_not_use_the_gpu_says_so(self):
        command = [
            binary(),
            "--listen",
            "127.0.0.1:0",
            "--data",
            self.data.name,
            "--renderer",
            "software",
        ]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = process.stdout.readline().decode()
        process.terminate()
        process.stdout.close()
        self.assertEqual(process.wait(120), 0)
        self.assertTrue(line.startswith("posed: listening on http://127.0.0.1:"), line)


if __name__ == "__main__":
    unittest.main()
