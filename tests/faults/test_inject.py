"""Each allocation and each system call of a change fails in turn, under load: the daemon goes on,
what it acknowledged is there, and nothing is there by half.

Faults are confined to the threads that make changes (tests/faults/inject.c). Within `make test` a
sample of the steps fails; EVERY_STEP=1 tries all, once and for good, and prints how many."""
import collections
import ctypes
import errno
import json
import mmap
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

import sample_store
from client import Client, rig_path
from daemon import ROOT, Daemon, binary, is_instrumented
from sample_store import clip_request, example_request, rigs
from store_case import StoreCase
from test_gpu import FAULTY

EVERY_STEP = os.environ.get("EVERY_STEP") == "1"
STEPS = 3  # of each kind of each operation, spread evenly
RESTARTS = 10 if EVERY_STEP else 3  # one in so many of the steps, then
LIBRARY = FAULTY.with_name("inject.so")
ALLOCATIONS, CALLS = 1, 2
KINDS = {"allocations": (ALLOCATIONS, errno.ENOMEM), "system calls": (CALLS, errno.EIO),
         "full disk": (CALLS, errno.ENOSPC)}
READERS = 2 if EVERY_STEP else 1


class Control(ctypes.Structure):
    """inject.c's."""

    _fields_ = [("armed", ctypes.c_int), ("kinds", ctypes.c_int), ("error", ctypes.c_int),
                ("stays", ctypes.c_int), ("fail_at", ctypes.c_int64), ("count", ctypes.c_int64),
                ("failed", ctypes.c_int64), ("threads", ctypes.c_char * 64),
                ("what", ctypes.c_char * 32)]


class Reader(threading.Thread):
    """Asks for the vertices of a rig that nobody changes, all the time."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.client = Client(port)
        self.done = False
        self.wrong = []
        self.bodies = {}  # by the pose's time; each is made anew when the cache is full

    def run(self):
        number = 0
        try:
            while not self.done and not self.wrong:
                number = (number + 1) % 997
                reply = self.client.vertices("cyl2", {"clip": "bend", "time": number / 997})
                if reply.status != 200:
                    self.wrong.append(str(reply))
                elif self.bodies.setdefault(number, reply.body) != reply.body:
                    self.wrong.append(f"another answer for {number}")
        except (OSError, AssertionError) as problem:
            if not self.done:
                self.wrong.append(repr(problem))


def column(number):
    """Rigs that examples and clips of one another fit."""
    tiny = rigs.column(sample_store.COLUMN)
    tiny.json["extras"] = {"number": number}
    return tiny.glb()


def moved(x):
    return [(a + x, b, c) for a, b, c in sample_store.COLUMN]


def clip(name):
    return rig_path("column", "/clips/" + name)


def example(name):
    return rig_path("column", "/examples/" + name)


class Tried:
    """The outcome of the faults in an operation: statuses, and the calls that failed."""

    def __init__(self):
        self.statuses = collections.Counter()
        self.died = collections.Counter()
        self.points = 0


class Injection(StoreCase):
    def setUp(self):
        super().setUp()
        if is_instrumented():
            raise unittest.SkipTest("a sanitizer's allocator is not to be replaced")
        if not LIBRARY.exists():
            self.fail(f"no {LIBRARY}: make {LIBRARY.relative_to(ROOT)}")
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.scratch = tempfile.TemporaryDirectory(prefix="posed-inject-", dir=memory)
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name) / "data"
        path = pathlib.Path(self.scratch.name) / "control"
        path.write_bytes(bytes(ctypes.sizeof(Control)))
        with open(path, "r+b") as file:
            self.control = Control.from_buffer(mmap.mmap(file.fileno(), 0))
        self.env = {"LD_PRELOAD": str(LIBRARY), "FAULT_CONTROL": str(path)}
        self.readers = []
        self.addCleanup(self.stop_readers)

    def start(self):
        self.daemon = Daemon(data=self.folder, args=self.args, env=self.env,
                             may_lose_readers=True).start()
        self.client = Client(self.daemon.port)
        self.readers = [Reader(self.daemon.port) for _ in range(READERS)]
        for reader in self.readers:
            reader.start()
        return self.client

    def stop_readers(self):
        for reader in self.readers:
            reader.done = True
        for reader in self.readers:
            reader.join()
        wrong = [words for reader in self.readers for words in reader.wrong]
        self.readers = []
        return wrong

    def assertReadersServed(self):
        self.assertEqual(self.stop_readers(), [])

    def fill(self):
        daemon = Daemon(data=self.folder, args=self.args).start()
        client = Client(daemon.port)
        sample_store.put_rigs(client)
        sample_store.put_items(client)
        daemon.stop()
        self.start()

    def stored(self):
        """The records that a restart would find."""
        return {path.name: path.read_bytes() for path in (self.folder / "rigs").iterdir()}

    def served(self):
        """The rigs that the daemon lists."""
        found = {rig["name"]: rig["content"] for rig in sample_store.listed(self.client)}
        for part in ("clips", "examples"):
            found[part] = self.client.get(rig_path("column", "/" + part)).json()
        return found

    def fault(self, kind, error, number, stays, change):
        """The reply to a change amid which one call fails, or None if the daemon died of it; and
        the call, or None if there was none with this number."""
        control = self.control
        control.kinds, control.error, control.stays, control.fail_at = kind, error, stays, number
        control.count = control.failed = 0
        control.what = b""
        control.threads = THREADS
        control.armed = 1
        try:
            reply = self.client.request(*change)
        except OSError:
            reply = None
        control.armed = 0
        return reply, control.what.decode() if control.failed else None

    def assertSound(self, what):
        """By posed verify, whose findings in the place of a living daemon are damage only."""
        done = subprocess.run([binary(), "verify", "--json", "--data", str(self.folder)],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(json.loads(done.stdout)["damage"], [], what)

    def restart(self):
        self.stop_readers()
        if self.daemon.process.poll() is None:
            self.daemon.kill()
        self.start()

    def prepare(self, undo):
        for request in undo:
            reply = self.client.request(*request)
            self.assertIn(reply.status, (200, 201, 204, 404), str(reply))

    def try_step(self, tried, what, undo, change, states, kind, error, number, stays):
        """One fault. False when there are no more calls that could fail."""
        (old, old_served), (new, new_served) = states
        reply, call = self.fault(kind, error, number, stays, change)
        if call is None:
            self.assertEqual(self.stored(), new, what)
            return False
        what = f"{what}: {call}, number {number}: {reply}"
        died = self.daemon.process.poll() is not None if reply is None else False
        if reply is None:
            self.daemon.process.wait(60)
            died = True
        tried.points += 1
        tried.died[call] += died
        tried.statuses[reply.status if reply else "died"] += 1
        now = self.stored()
        self.assertIn(now, (old, new), what)
        if reply and reply.status < 300:
            self.assertEqual(now, new, what)
        self.assertSound(what)
        if not died:
            served = self.served()
            self.assertIn(served, (old_served, new_served), what)
            if reply.status < 300:
                self.assertEqual(served, new_served, what)
            else:
                self.assertIn(reply.status, (413, 500, 503, 507), what)
        if died or tried.points % RESTARTS == 0:
            if not died:
                self.assertReadersServed()
            self.restart()
            self.assertEqual(self.served(), old_served if now == old else new_served, what)
            self.assertSound(what)
        self.prepare(undo)
        self.assertEqual(self.stored(), old, what)
        self.assertEqual(self.served(), old_served, what)
        return True

    def states(self, undo, change):
        """(what is stored, what is served) before and behind a change; the former is restored."""
        self.prepare(undo)
        old = self.stored(), self.served()
        self.assertLess(self.client.request(*change).status, 300)
        new = self.stored(), self.served()
        self.assertNotEqual(old, new)
        self.prepare(undo)
        self.assertEqual((self.stored(), self.served()), old)
        return old, new

    def count_calls(self, undo, change, kind):
        self.fault(kind, 0, 0, 0, change)
        self.prepare(undo)
        return self.control.count

    def try_operation(self, name, stays):
        undo, change = operations()[name]
        self.fill()
        states = self.states(undo, change)
        for label, (kind, error) in KINDS.items():
            tried = Tried()
            calls = self.count_calls(undo, change, kind)
            if kind == CALLS:
                self.assertGreaterEqual(calls, 5)
            wanted = 2 if kind == ALLOCATIONS and stays else STEPS  # each restarts the daemon
            step = 1 if EVERY_STEP else max(1, calls // wanted)
            number = 1
            while self.try_step(tried, f"{name}, {label}", undo, change, states, kind, error,
                                number, stays):
                number += step
            self.prepare(undo)
            self.assertGreaterEqual(tried.points, min(calls, wanted) // 2)
            if EVERY_STEP:
                print(f"{name}, {label} {'fail for good' if stays else 'fail once'}: "
                      f"{tried.points} tried, answered {dict(tried.statuses)}", flush=True)
            # Without any memory for good the daemon ends, and what restarts it finds all there.
            if kind == CALLS or not stays:
                self.assertEqual(sum(tried.died.values()), 0, dict(tried.died))
        self.assertReadersServed()
        self.daemon.stop()
        self.start()  # which removes what is left over
        self.assertReadersServed()
        self.daemon.stop()
        self.assertVerified(self.folder)


THREADS = b"disk import "


def put(rig, body):
    return "PUT", rig_path(rig), body, {}


def delete(path):
    return "DELETE", path, None, {}


def operations():
    """Names to (the requests that make the old state, the change)."""
    nod, wide = {"clip": "bend"}, moved(0.3)
    return {
        "PUT of a new rig": ([delete(rig_path("new"))], put("new", column(7))),
        "PUT in the place of a rig": ([put("column", column(1))], put("column", column(2))),
        "DELETE of a rig": ([put("new", column(7))], delete(rig_path("new"))),
        "PUT of a clip": ([delete(clip("fresh"))], clip_request("column", "fresh", "rest")),
        "PUT in the place of a clip": ([clip_request("column", "nod", nod)],
                                       clip_request("column", "nod", "rest")),
        "DELETE of a clip": ([clip_request("column", "fresh", "rest")], delete(clip("fresh"))),
        "PUT of an example": ([delete(example("fresh"))],
                              example_request("column", "fresh", "rest", wide)),
        "PUT in the place of an example": (
            [example_request("column", "bent", "rest", wide)],
            example_request("column", "bent", "rest", moved(0.4))),
        "DELETE of an example": ([example_request("column", "fresh", "rest", wide)],
                                 delete(example("fresh"))),
    }


def add_cases():
    """A case for each operation, so that they run side by side."""
    for name in operations():
        for stays, words in ((0, "once"), (1, "for good")):
            def case(self, name=name, stays=stays):
                self.try_operation(name, stays)

            setattr(Injection, f"test_{name}_fails_{words}".replace(" ", "_"), case)


add_cases()
