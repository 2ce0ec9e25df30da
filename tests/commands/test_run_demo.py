"""The daemon with the demo rigs, as `make run` starts it."""
import json
import math
import os
import re
import signal
import socket
import struct
import subprocess
import tempfile
import unittest
import urllib.request

from client import OCTETS, Client, rig_path
from daemon import ROOT, binary

SCRIPT = ROOT / "tests" / "run_demo.sh"
EXAMPLES = ROOT / "assets" / "demo" / "examples"
# The remaining error of an example by the methods that reach it, as a share of its greatest offset.
REACHED = {"psd": 1e-4, "sbe": 1e-4, "sjbbe": 1e-4, "eigenskin": 0.03}
# By methods of weights alone, where vertices follow the joint and another: of what lbs leaves.
NEARER = {"mwe": 0.01, "anim_space": 0.8}


def rms(numbers):
    return math.sqrt(sum(x * x for x in numbers) / len(numbers))


class RunDemo(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-demo-")
        self.addCleanup(folder.cleanup)
        self.data = folder.name

    def start(self, listen):
        process = subprocess.Popen(
            [SCRIPT, binary().parent], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "POSED_LISTEN": listen, "POSED_DATA": self.data})
        self.addCleanup(process.communicate)
        self.addCleanup(process.terminate)
        return process

    def refused_at(self, port):
        process = self.start(f"127.0.0.1:{port}")
        said, errors = process.communicate(timeout=300)
        self.assertNotEqual(process.returncode, 0)
        self.assertNotIn("http://", said)
        self.assertIn("POSED_LISTEN=127.0.0.1:8601 POSED_DATA=", errors)
        return errors

    def test_an_address_is_told_when_it_answers_and_the_commands_work(self):
        process = self.start("127.0.0.1:0")
        said = process.stdout.readline()
        address = re.search(r"http://[\d.:]+", said)[0]
        with urllib.request.urlopen(address + "/healthz", timeout=5) as answer:
            self.assertEqual(answer.status, 200)
        while "try: " not in said:
            said = process.stdout.readline()
            self.assertTrue(said, "it said no command")
        tried = subprocess.run(said.partition("try:")[2].replace("-o humanoid.png", "-sf"), shell=True,
                               capture_output=True, timeout=300)
        self.assertEqual(tried.stdout[:4], b"\x89PNG")
        process.send_signal(signal.SIGTERM)
        self.assertIn(address + "/\n", process.stdout.read())
        self.assertEqual(process.wait(timeout=300), 0)

    def ready(self):
        """A client of a daemon that has said what to try."""
        process = self.start("127.0.0.1:0")
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)", process.stdout.readline())[1])
        said = process.stdout.readline()
        self.assertIn("demo rigs: cyl2 cyl3 head humanoid tube23\n", said)
        while "try: " not in said:
            said = process.stdout.readline()
            self.assertTrue(said, "it said no command")
        return Client(port)

    def test_fitted_methods_know_the_examples_of_two_joints_each(self):
        client = self.ready()
        for rig in ("cyl3", "humanoid"):
            files = {file.stem: json.loads(file.read_text()) for file in EXAMPLES.glob(f"{rig}/*")}
            described = client.get(rig_path(rig)).json()
            self.assertEqual(described["examples"], sorted(files))
            self.assertLessEqual({*REACHED, *NEARER}, set(described["skinning"]["methods"]))
            turned = {joint for example in files.values() for joint in example["pose"]["joints"]}
            self.assertEqual(len(turned), 2)
            for name, example in files.items():
                self.hold(client, rig, name, example)

    def hold(self, client, rig, name, example):
        pose, [joint] = example["pose"], example["pose"]["joints"]
        path = rig_path(rig, f"/examples/{name}")
        want = client.get(path, accept=OCTETS).triples()
        told = client.get(rig_path(rig, f"/influences?joint={joint}")).body
        weights = struct.unpack(f"<{len(told) // 4}f", told)
        offsets = {vertex: math.hypot(*by) for vertex, *by in example["offsets"]}
        greatest = max(offsets.values())
        folded = [vertex for vertex in offsets if 0.02 < weights[vertex] < 0.98]
        self.assertGreater(len(folded), 30)

        def left(method, vertices):
            skinning = {"method": method, "device": "cpu"}
            reply = client.vertices(rig, pose, skinning=skinning)
            self.assertEqual(reply.status, 200, reply)
            got = reply.triples()
            return [math.dist(got[vertex], want[vertex]) for vertex in vertices]

        plain = left("lbs", offsets)
        for distance, offset in zip(plain, offsets.values()):
            self.assertAlmostEqual(distance, offset, delta=1e-6)
        for method, share in REACHED.items():
            self.assertLess(max(left(method, offsets)), share * greatest, (rig, name, method))
        for method, share in NEARER.items():
            self.assertLess(rms(left(method, folded)), share * rms(left("lbs", folded)),
                            (rig, name, method))

    def test_examples_are_small(self):
        self.assertLess(sum(file.stat().st_size for file in EXAMPLES.rglob("*.json")), 50000)

    def test_a_port_that_another_program_has(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            errors = self.refused_at(other.getsockname()[1])
        self.assertIn("Another program listens on 127.0.0.1:", errors)

    def test_a_port_that_another_daemon_has(self):
        first = self.start("127.0.0.1:0")
        port = re.search(r"http://127\.0\.0\.1:(\d+)", first.stdout.readline())[1]
        # The second has the same data, of which a daemon complains first.
        self.assertIn(f"A daemon runs at http://127.0.0.1:{port}/ already", self.refused_at(port))


if __name__ == "__main__":
    unittest.main()
