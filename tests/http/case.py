"""The base of all cases: a daemon for the class, a client, and the promises about problems."""
import itertools
import math
import operator
import os
import pathlib
import unittest

import shared_daemon
from client import PROBLEM, Client, rig_path
from daemon import ROOT, Daemon, binary

SHARED = pathlib.Path(os.environ.get("POSED_SHARED_FILES", ROOT.parent / "shared" / "files"))
DEMO = ROOT / "assets" / "demo"


def sees_gpu():
    """True where the kernel shows a GPU, which `--renderer auto` then draws on."""
    return any([*pathlib.Path("/dev").glob(pattern)] for pattern in ("dri/renderD*", "nvidia[0-9]*"))


class DaemonCase(unittest.TestCase):
    """One daemon for the cases of a class, whose end with exit code 0 is part of the test. Classes that
    start it without arguments, and set neither own_daemon nor keeps_times, share daemons: each has one
    for itself, without what others stored."""

    daemon_args = ()
    own_daemon = False
    # Holds what shaders do, too: without a GPU, those of Mesa's software driver.
    needs_driver = False
    maxDiff = 2000

    @classmethod
    def shares_daemon(cls):
        return not (cls.daemon_args or cls.own_daemon or getattr(cls, "keeps_times", False))

    @classmethod
    def setUpClass(cls):
        if not binary().exists():
            raise AssertionError(f"no daemon at {binary()}: build it, or set POSED_BINARY")
        if cls.shares_daemon():
            cls.daemon = shared_daemon.take(cls.renderer_args())
            cls.addClassCleanup(shared_daemon.give_back, cls.daemon)
        else:
            cls.daemon = Daemon(args=[*cls.renderer_args(), *cls.daemon_args]).start()
            cls.addClassCleanup(cls.daemon.stop)
        cls.client = Client(cls.daemon.port)
        cls.prepare()

    @classmethod
    def renderer_args(cls):
        return ("--renderer", "software") if cls.needs_driver and not sees_gpu() else ()

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
        got, want = flat(got), flat(want)
        self.assertEqual(len(got), len(want), what)
        largest = largest_difference(got, want)
        if not largest <= tolerance:
            self.fail(f"{largest} > {tolerance}: {what} got {got[:12]}, expected {want[:12]}")

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
    """A list of the numbers in nested sequences. The tests compare millions, so it takes a level at a
    time where all of it is alike."""
    values = list(values)
    kinds = set(map(type, values))
    if kinds <= {int, float}:
        return values
    if kinds <= {list, tuple}:
        return flat(itertools.chain.from_iterable(values))
    numbers = []
    for value in values:
        numbers += [value] if isinstance(value, (int, float)) else flat(value)
    return numbers


def largest_difference(got, want):
    """The largest |a - b| of two flat sequences, and infinity where one of the two is not a number."""
    differences = list(map(abs, map(operator.sub, got, want)))
    return math.inf if math.isnan(sum(differences)) else max(differences, default=0)
