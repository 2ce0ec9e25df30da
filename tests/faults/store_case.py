"""The base of the cases: a data folder that outlives its daemons, and what must be true of it."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import rigs
from client import Client, rig_path
from daemon import Daemon, binary


def body_of(number, padding=0):
    """A small asset of its own for each number, padded with about so many bytes."""
    tiny = rigs.triangle([(0, 0, 0), (number + 1, 0, 0), (0, 1, 0)])
    if padding:
        tiny.json["extras"] = {"padding": "x" * padding}
    return tiny.glb()


def content_of(body):
    return "sha256:" + hashlib.sha256(body).hexdigest()


class StoreCase(unittest.TestCase):
    """`args` are those of every daemon of the class."""

    args = ("--renderer", "none")

    def setUp(self):
        if not binary().exists():
            self.fail(f"no daemon at {binary()}: build it, or set POSED_BINARY")
        self.data = tempfile.mkdtemp(prefix="posed-faults-")
        self.addCleanup(shutil.rmtree, self.data, ignore_errors=True)
        self.daemon = None
        self.addCleanup(self.end)

    def end(self):
        if self.daemon and self.daemon.process.poll() is None:
            self.daemon.kill()

    def start(self):
        self.daemon = Daemon(data=self.data, args=self.args).start()
        return Client(self.daemon.port)

    def refused_start(self, data, args=None):
        """The message of a daemon that cannot start: one line, and exit code 1."""
        args = self.args if args is None else args
        command = [binary(), "--listen", "127.0.0.1:0", "--data", str(data), *args]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("posed: "), done.stderr)
        return done.stderr

    def verify(self, data=None):
        """(exit code, lines on standard output) of posed verify."""
        command = [binary(), "verify", "--data", data or self.data]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def assertVerified(self, data=None):
        code, lines = self.verify(data)
        self.assertEqual((code, len(lines)), (0, 1), lines)

    def assertProblem(self, reply, status, code):
        self.assertEqual(reply.status, status, str(reply))
        self.assertEqual(reply.json()["type"], "urn:posed:" + code, str(reply))

    def assertHolds(self, client, bodies):
        """The daemon has these rigs, no others, and their bytes."""
        listed = {rig["name"]: rig["content"] for rig in client.get("/v1/rigs").json()["rigs"]}
        self.assertEqual(listed, {name: content_of(body) for name, body in bodies.items()})
        for name, body in bodies.items():
            self.assertEqual(client.get(rig_path(name, "/source")).body, body, name)

    def assertNothingElseOnDisk(self, bodies):
        """Without looking through the daemon's eyes: no object too many, nothing half-written."""
        folder = pathlib.Path(self.data)
        hashes = {hashlib.sha256(body).hexdigest() for body in bodies.values()}
        self.assertEqual(set(os.listdir(folder / "objects")), hashes)
        self.assertEqual(set(os.listdir(folder / "rigs")), set(bodies))
        self.assertEqual(os.listdir(folder / "tmp"), [])
