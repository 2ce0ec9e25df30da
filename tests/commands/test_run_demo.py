"""The daemon with the demo rigs, as `make run` starts it."""
import os
import re
import signal
import socket
import subprocess
import tempfile
import unittest
import urllib.request

from daemon import ROOT, binary

SCRIPT = ROOT / "tests" / "run_demo.sh"


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
        said, errors = process.communicate(timeout=60)
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
                               capture_output=True, timeout=60)
        self.assertEqual(tried.stdout[:4], b"\x89PNG")
        process.send_signal(signal.SIGTERM)
        self.assertIn(address + "/\n", process.stdout.read())
        self.assertEqual(process.wait(timeout=30), 0)

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
