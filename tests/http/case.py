"""The base of all cases: a daemon for the class, a client, and the promises about problems."""
import importlib
import math
import os
import pathlib
import sys
import unittest

from client import PROBLEM, Client, rig_path
from daemon import ROOT, Daemon, binary

SHARED = pathlib.Path(os.environ.get("POSED_SHARED_FILES", ROOT.parent / "shared" / "files"))
DEMO = ROOT / "assets" / "demo"


class DaemonCase(unittest.TestCase):
    """Starts one daemon for the cases of a class; its end with exit code 0 is part of the test."""

    daemon_args = ()
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        if not binary().exists():
            raise AssertionError(f"no daemon at {binary()}: build it, or set POSED_BINARY")
        cls.daemon = Daemon(args=cls.daemon_args).start()
        cls.client = Client(cls.daemon.port)
        cls.addClassCleanup(cls.daemon.stop)
        cls.prepare()

    @classmethod
    def prepare(cls):
        """Stores the class's data in its daemon, once."""

    @classmethod
    def put_rig(cls, rig, body):
        reply = cls.client.put(rig, body)
        assert reply.status in (200, 201), f"PUT {rig}: {reply}"
        return rig

    @classmethod
    def put_demo(cls, name):
        """A committed demo rig; without it the case fails, since it belongs to the repository."""
        return cls.put_rig(name, (DEMO / f"{name}.glb").read_bytes())

    @classmethod
    def devices(cls):
        """The devices that lbs can use here; a machine without any EGL has only the CPU."""
        methods = cls.client.get("/v1").json()["skinning_methods"]
        return next(method for method in methods if method["id"] == "lbs")["device"]

    def for_each_device(self, run):
        """Runs a check on every device; what this machine does not have is skipped aloud."""
        devices = self.devices()
        for device in ("cpu", "gpu"):
            if device in devices:
                with self.subTest(device=device):
                    run(device)
        if "gpu" not in devices:
            self.skipTest("no GL device here: checked on the CPU only")

    def assertStatus(self, reply, status):
        self.assertEqual(reply.status, status, str(reply))
        return reply

    def positions(self, rig, pose="rest", **members):
        return self.assertStatus(self.client.vertices(rig, pose, **members), 200).triples()

    def joints(self, rig, pose="rest", **members):
        """The joints of a pose by name."""
        reply = self.assertStatus(self.client.pose(rig, pose, **members), 200)
        return {joint["name"]: joint for joint in reply.json()["joints"]}

    def description(self, rig):
        return self.assertStatus(self.client.get(rig_path(rig)), 200).json()

    def assertNumbers(self, got, want, tolerance, what=""):
        """Two flat or nested sequences of numbers agree within an absolute tolerance."""
        got, want = list(flat(got)), list(flat(want))
        self.assertEqual(len(got), len(want), what)
        worst = max((difference(a, b) for a, b in zip(got, want)), default=0)
        self.assertLessEqual(worst, tolerance, f"{what} got {got[:12]}, expected {want[:12]}")

    def assertProblem(self, reply, status, codes, pointer=None, parameter=None, says=()):
        """An error as the API promises it: status, media type, URN, one sentence, place.

        codes: the URN's last part, or several where the contract leaves the choice
        pointer, parameter: where the request is wrong; several where either is right
        says: what the detail must name
        """
        self.assertEqual(reply.status, status, str(reply))
        self.assertEqual(reply.kind, PROBLEM, str(reply))
        self.assertTrue(reply.headers.get("Posed-Request-Id"), "an answer without Posed-Request-Id")
        problem = reply.json()
        self.assertEqual(problem["status"], status, problem)
        self.assertTrue(problem["title"], problem)
        self.assertIn(problem["type"], ["urn:posed:" + code for code in listed(codes)], problem)
        self.assertTrue(problem.get("detail"), problem)
        for words in listed(says):
            self.assertIn(words, problem["detail"], problem)
        if pointer is not None:
            self.assertIn(problem.get("pointer"), listed(pointer), problem)
        if parameter is not None:
            self.assertIn(problem.get("parameter"), listed(parameter), problem)
        return problem


def debian_module(name):
    """A module of a Debian package, also where another Python runs the tests; skips without it."""
    folder = "/usr/lib/python3/dist-packages"
    try:
        return importlib.import_module(name)
    except ImportError:
        sys.path.append(folder)
    try:
        return importlib.import_module(name)
    except ImportError:
        raise unittest.SkipTest(f"the Python module {name} is not here")
    finally:
        sys.path.remove(folder)


def shared_file(path):
    """A file of the collection that is not part of the repository; the case skips without it."""
    found = SHARED / path
    if not found.exists():
        raise unittest.SkipTest(
            f"{path} is not here (POSED_SHARED_FILES says where such files are)"
        )
    return found


def listed(value):
    return [value] if isinstance(value, str) else list(value)


def flat(values):
    for value in values:
        if isinstance(value, (int, float)):
            yield value
        else:
            yield from flat(value)


def difference(a, b):
    """|a - b|, and infinity where one of them is no number."""
    delta = abs(a - b)
    return math.inf if math.isnan(delta) else delta
