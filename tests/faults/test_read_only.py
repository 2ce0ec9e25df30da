"""A store in a directory that cannot be written is served with --read-only, and nothing in it
changes."""
import json
import os
import pathlib
import shutil
import subprocess

import sample_store
from client import JSON, OCTETS, Client, rig_path
from daemon import Daemon, binary
from disk import small_disk
from store_case import StoreCase, body_of

KEPT = pathlib.Path(__file__).resolve().parent / "stores" / "without_checksums"
PLAIN = ("--renderer", "none")


def state_of(folder):
    """All that is in a folder, and when it changed last."""
    found = {}
    for path in [folder, *folder.rglob("*")]:
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else None
        found[path.relative_to(folder)] = (status.st_mtime_ns, status.st_ctime_ns,
                                           status.st_ino, content)
    return found


class ReadOnly(StoreCase):
    """`disk` is a small file system, on which `data` lies."""

    args = (*PLAIN, "--read-only")

    def setUp(self):
        super().setUp()
        self.disk = small_disk(self, size="16m")
        self.data = os.path.join(self.disk.path, "data")
        self.addCleanup(self.disk.make, "rw")
        self.folder = pathlib.Path(self.data)

    def fill(self):
        daemon = Daemon(data=self.data, args=PLAIN).start()
        client = Client(daemon.port)
        sample_store.fill(client)
        answers = sample_store.answers(client)
        daemon.stop()
        return answers

    def assertAllRefused(self, client):
        pose = {"pose": "rest", "duration": 1, "rate": 4}
        put = json.dumps(pose).encode()
        for reply in (
            client.put("new", body_of(3)),
            client.put("plain", body_of(3)),
            client.put("plain", b"no asset"),
            client.delete("plain"),
            client.request("PUT", rig_path("cyl2", "/clips/new"), put, {"Content-Type": JSON}),
            client.request("DELETE", rig_path("cyl2", "/clips/wave")),
            client.request("PUT", rig_path("column", "/examples/new?pose=%22rest%22"), b"",
                           {"Content-Type": OCTETS}),
            client.request("DELETE", rig_path("column", "/examples/bent")),
        ):
            self.assertProblem(reply, 403, "read-only")
            self.assertIn("--read-only", reply.json()["detail"])

    def assertServed(self, answers):
        before = state_of(self.folder)
        client = self.start()
        self.assertEqual(sample_store.answers(client), answers)
        self.assertEqual(client.get("/healthz").json(), {"status": "alive", "read_only": True})
        self.assertAllRefused(client)
        # Missing derived data is made and cached in memory.
        sample_store.fit(client, "cyl2", {"method": "lbs", "normals": "exact"})
        self.assertEqual(sample_store.answers(client), answers)
        self.daemon.stop()
        self.assertEqual(state_of(self.folder), before)

    def test_a_directory_that_cannot_be_written(self):
        answers = self.fill()
        self.disk.make("ro")
        said = self.refused_start(self.data, args=PLAIN)
        self.assertIn("Read-only file system", said)
        self.assertIn("--read-only", said)
        self.assertServed(answers)

    def test_one_that_could_be_written_is_not(self):
        answers = self.fill()
        (self.folder / "tmp" / "writing").write_text("half")
        (self.folder / "objects" / "0123").write_text("nobody's")
        self.assertServed(answers)

    def test_an_older_store_a_copy_without_empty_folders(self):
        shutil.copytree(KEPT / "store", self.data)
        self.disk.make("ro")
        self.assertServed(json.loads((KEPT / "answers.json").read_text()))

    def test_damage_is_told_and_left(self):
        self.fill()
        record = self.folder / "rigs" / "plain"
        record.write_bytes(record.read_bytes()[:-1] + b" ")
        [derived] = (self.folder / "derived").iterdir()
        derived.write_bytes(derived.read_bytes()[:-1])
        before = state_of(self.folder)
        client = self.start()
        self.assertProblem(client.vertices("plain"), 507, "store-damaged")
        self.assertEqual(client.vertices("the same").status, 200)
        reply = client.vertices("cyl2", sample_store.HALF, skinning={"method": "cor"})
        self.assertEqual(reply.status, 200)
        self.daemon.stop()
        self.assertEqual(state_of(self.folder), before)

    def test_readers_share_it_with_one_another_and_not_with_who_writes(self):
        self.fill()
        reader = Daemon(data=self.data, args=self.args).start()
        second = Daemon(data=self.data, args=self.args).start()
        self.assertIn("another posed", self.refused_start(self.data, args=PLAIN))
        second.stop()
        reader.stop()
        writer = Daemon(data=self.data, args=PLAIN).start()
        self.assertIn("another posed", self.refused_start(self.data))
        writer.stop()

    def test_what_it_does_not_go_with(self):
        self.assertIn("nothing", self.refused_start(os.path.join(self.disk.path, "nothing")))
        self.assertFalse(os.path.exists(os.path.join(self.disk.path, "nothing")))
        command = [binary(), "--read-only", "--load", self.disk.path]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--load", done.stderr)

    def test_the_doctor_knows_it(self):
        self.fill()
        self.disk.make("ro")

        def look(*args):
            command = [binary(), "doctor", "--json", "--data", self.data, *PLAIN, *args]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            return next(one for one in json.loads(done.stdout)["findings"]
                        if one["what"] == "data")

        self.assertEqual(look("--read-only")["level"], "ok")
        found = look()
        self.assertEqual(found["level"], "FAIL")
        self.assertIn("--read-only", found["advice"])
