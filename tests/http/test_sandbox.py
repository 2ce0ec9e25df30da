"""Assets that take too much or bring their reader down cost their own request and nothing else."""
import base64
import http.client
import json
import os
import pathlib
import signal
import struct
import threading
import time
import unittest
import zlib

import rigs
from case import DaemonCase
from client import Client, rig_path
from daemon import Daemon, binary

SANITIZED = "build/sanitize" in str(binary()) or "build/thread" in str(binary())
SLOW_SIDE = 8192  # the greatest image: most of a second to decode
WAIT_S = 120


def chunk(kind, content):
    return (struct.pack(">I", len(content)) + kind + content
            + struct.pack(">I", zlib.crc32(kind + content)))


def png(side, shown=None):
    """A transparent square of 16 bits a channel, filtered by Paeth's predictor: what takes a reader
    longest. `shown` rows are there, and the rest is only claimed."""
    packer = zlib.compressobj(1)
    row = bytes([4]) + bytes(side * 8)
    rows = b"".join(packer.compress(row) for _ in range(side if shown is None else shown))
    head = struct.pack(">IIBBBBB", side, side, 16, 6, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
            + chunk(b"IDAT", rows + packer.flush()) + chunk(b"IEND", b""))


def with_images(*images):
    uris = ["data:;base64," + base64.b64encode(image).decode() for image in images]
    count = range(len(uris))
    return json.dumps({
        "asset": {"version": "2.0"},
        "images": [{"uri": uri} for uri in uris],
        "textures": [{"source": i} for i in count],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}} for i in count],
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "only"}],
    }).encode()


_slow = []


def slow():
    """An asset that takes a second or more, whatever the importer does: two great pictures."""
    if not _slow:
        _slow.append(with_images(png(SLOW_SIDE), png(SLOW_SIDE)))
    return _slow[0]


def processes():
    """Every process with its parent."""
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "stat").read_text()
            except OSError:
                continue  # it ended meanwhile
            state, parent = text.rpartition(")")[2].split()[:2]
            if state != "Z":
                yield int(entry.name), int(parent)


def children(parent):
    return [process for process, its_parent in processes() if its_parent == parent]


def wait_for(find):
    """Waits for the first true result of find()."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        found = find()
        if found:
            return found
        time.sleep(0.002)
    raise AssertionError("it did not happen")


class Budgets(DaemonCase):
    daemon_args = ("--import-seconds", "1" if SANITIZED else "0.5")

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def assertStillThere(self):
        """It draws, and it reads the next asset."""
        frame = self.client.frame("cyl2", width=16, height=16)
        self.assertIn(frame.status, (200, 503), str(frame))  # 503: no driver on this machine
        self.assertStatus(self.client.vertices("cyl2"), 200)
        self.assertStatus(self.client.put("next", rigs.triangle().glb()), 201)
        self.assertStatus(self.client.delete("next"), 204)

    def put_until_read(self, asset):
        """The daemon asks for another try where the reader got too little of the processor."""
        end = time.monotonic() + WAIT_S
        while (reply := self.client.put("refused", asset)).status == 503:
            self.assertProblem(reply, 503, "overloaded", says=("did not finish; try again",))
            self.assertLess(time.monotonic(), end, str(reply))
        return reply

    def refuse(self, asset, status, code, says=()):
        reply = self.put_until_read(asset)
        self.assertProblem(reply, status, code, says=says)
        self.assertStatus(self.client.get(rig_path("refused")), 404)
        self.assertStillThere()

    def test_many_channels_are_read(self):
        tiny = rigs.triangle()
        nodes = [tiny.node(root=True, name=f"n{i}") for i in range(300)]
        tiny.clip([(i, "translation", [0, 1 + i], [(0, 0, 0), (1, 0, 0)], "LINEAR") for i in nodes])
        self.assertStatus(self.client.put("channels", tiny.glb()), 201)

    def test_too_much_time(self):
        self.refuse(slow(), 413, "too-large", says=("took more than",))

    def test_too_much_json(self):
        # Ten bytes of memory and more for each byte of the file.
        bomb = b'{"asset":{"version":"2.0"},"extras":[' + b"{}," * (8 << 20) + b"{}]}"
        self.refuse(bomb, 413, "too-large")

    def test_json_too_deep(self):
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            deep = 1000000
            text = '{"asset":{"version":"2.0"},"extras":' + opening * deep + "1" + closing * deep
            self.refuse((text + "}").encode(), 422, "broken-asset", says=("document",))

    def test_claims_without_substance(self):
        accessor = {"componentType": 5126, "count": 1 << 30, "type": "VEC3"}
        document = {
            "asset": {"version": "2.0"},
            "accessors": [accessor],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "nodes": [{"mesh": 0}],
            "scenes": [{"nodes": [0]}],
        }
        self.refuse(json.dumps(document).encode(), 413, "too-large")


class Faults(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon(args=("--import-seconds", "60"), may_lose_readers=True).start()
        self.client = Client(self.daemon.port)
        self.addCleanup(self.stop)

    def stop(self):
        if self.daemon.process.poll() is None:
            self.daemon.stop()

    def helper(self):
        (helper,) = children(self.daemon.process.pid)
        return helper

    def start_slow(self):
        """Begins a slow import; returns its process and where its reply will be."""
        replies = []
        client = Client(self.daemon.port)

        def put():
            try:
                replies.append(client.put("slow", slow()))
            except http.client.HTTPException:
                pass  # the daemon was killed

        thread = threading.Thread(target=put)
        thread.start()
        self.addCleanup(thread.join)
        reader = wait_for(lambda: children(self.helper()))[0]
        # Past the fork, and well into the pictures.
        wait_for(lambda: "Seccomp_filters:\t1" in status(reader) or "Seccomp:\t0" in status(reader)
                 and time.sleep(0.2) is None)
        return reader, thread, replies

    def assertTryAgain(self, reply):
        self.assertEqual(reply.status, 503, str(reply))
        self.assertEqual(reply.json()["type"], "urn:posed:overloaded")
        self.assertTrue(reply.headers["Retry-After"])

    def assertWorks(self):
        """Reads one more asset, which it has not read before."""
        self.client.delete("next")
        self.assertEqual(self.client.put("next", rigs.triangle().glb()).status, 201)
        self.assertEqual(self.client.vertices("next").status, 200)
        self.assertEqual(self.client.get("/readyz").status, 200)

    def test_reader_that_is_killed_costs_its_request(self):
        reader, thread, replies = self.start_slow()
        os.kill(reader, signal.SIGKILL)
        thread.join()
        self.assertTryAgain(replies[0])
        self.assertIn("signal 9", self.daemon.log_tail())
        self.assertWorks()
        self.assertEqual(self.client.get(rig_path("slow")).status, 404)

    def test_reader_that_crashes_costs_its_request(self):
        for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT):
            with self.subTest(signal=number):
                reader, thread, replies = self.start_slow()
                os.kill(reader, number)
                thread.join()
                if SANITIZED and replies[0].status == 422:
                    continue  # the sanitizer's handler reports it in its own way
                self.assertEqual(replies[0].status, 422, str(replies[0]))
                problem = replies[0].json()
                self.assertEqual(problem["type"], "urn:posed:broken-asset")
                self.assertIn(f"signal {int(number)}", problem["detail"])
                self.assertWorks()

    def test_helper_that_is_killed_is_replaced(self):
        helper = self.helper()
        reader, thread, replies = self.start_slow()
        os.kill(helper, signal.SIGKILL)
        another = wait_for(lambda: [p for p in children(self.daemon.process.pid) if p != helper])
        self.assertWorks()
        self.assertFalse(replies)
        # The import that was under way is done again; once, and not for ever.
        wait_for(lambda: children(another[0]))
        os.kill(another[0], signal.SIGKILL)
        thread.join()
        self.assertTryAgain(replies[0])
        self.assertWorks()
        wait_for(lambda: not pathlib.Path(f"/proc/{reader}/stat").exists()
                 or reader not in [process for process, _ in processes()])

    def test_idle_helper_that_is_killed_is_not_missed(self):
        os.kill(self.helper(), signal.SIGKILL)
        self.assertWorks()
        self.assertWorks()

    def test_others_are_served_during_a_slow_import(self):
        _, thread, replies = self.start_slow()
        self.assertWorks()
        self.assertFalse(replies)
        thread.join()
        self.assertEqual(replies[0].status, 201, str(replies[0]))

    def test_pictures_that_only_claim_are_left_out(self):
        # A quarter of a GiB each, of which hardly any is there.
        asset = with_images(*[png(SLOW_SIDE, shown=2)] * 6)
        reply = self.client.put("claims", asset)
        self.assertEqual(reply.status, 201, str(reply))
        warnings = self.client.get(rig_path("claims")).json()["warnings"]
        self.assertTrue(any("Not enough image data" in warning for warning in warnings), warnings)
        self.assertWorks()

    def test_reader_is_shut_in(self):
        reader, thread, _ = self.start_slow()
        words = dict(line.split(":\t", 1) for line in status(reader).splitlines() if ":\t" in line)
        self.assertEqual(words["NoNewPrivs"], "1")
        self.assertEqual(words["Seccomp"], "2")
        os.kill(reader, signal.SIGKILL)
        thread.join()

    def test_helper_knows_no_secrets(self):
        environment = pathlib.Path(f"/proc/{self.helper()}/environ").read_bytes()
        if SANITIZED:
            self.skipTest("sanitizers are configured by the environment")
        self.assertNotIn(b"PATH=", environment)
        self.assertNotIn(b"HOME=", environment)

    def test_helper_ends_with_the_daemon(self):
        reader, thread, _ = self.start_slow()
        helper = self.helper()
        self.daemon.kill()
        wait_for(lambda: not {reader, helper} & {process for process, _ in processes()})


class Choices(unittest.TestCase):
    def run_with(self, *args):
        daemon = Daemon(args=args).start()
        self.addCleanup(daemon.stop)
        return daemon, Client(daemon.port)

    def test_require_starts_where_it_can(self):
        _, client = self.run_with("--sandbox", "require")
        self.assertEqual(client.put("x", rigs.triangle().glb()).status, 201)

    def test_off_reads_in_the_daemon_and_says_so(self):
        daemon, client = self.run_with("--sandbox", "off")
        self.assertEqual(children(daemon.process.pid), [])
        self.assertEqual(client.put("x", rigs.triangle().glb()).status, 201)
        self.assertIn("--sandbox off", daemon.log_tail())


def status(process):
    """A process as the kernel describes it; nothing once it has ended."""
    try:
        return pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return ""


if __name__ == "__main__":
    unittest.main()
