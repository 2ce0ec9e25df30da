"""posed verify finds what is damaged, and only that; a daemon notices damage by itself."""
import hashlib
import json
import os
import pathlib
import subprocess
import threading
import time

from client import rig_path
from daemon import binary
from store_case import StoreCase, body_of

BUSY_S = 4  # some hundred times posed verify


def hash_of(body):
    return hashlib.sha256(body).hexdigest()


class Verifying(StoreCase):
    def setUp(self):
        super().setUp()
        self.bodies = {f"rig{i}": body_of(i) for i in range(4)}
        self.bodies["same"] = self.bodies["rig0"]
        client = self.start()
        for name, body in self.bodies.items():
            client.put(name, body)
        self.daemon.stop()
        self.folder = pathlib.Path(self.data)

    def object(self, name):
        return self.folder / "objects" / hash_of(self.bodies[name])

    def flip(self, name):
        """Changes one bit of a rig's stored bytes."""
        damaged = bytearray(self.bodies[name])
        damaged[len(damaged) // 2] ^= 4
        self.object(name).write_bytes(damaged)
        return hash_of(bytes(damaged))

    def assertFound(self, *beginnings):
        """Exactly these lines, in any order, and no change to the folder."""
        before = {path: path.stat().st_mtime_ns for path in self.folder.rglob("*")}
        code, lines = self.verify()
        after = {path: path.stat().st_mtime_ns for path in self.folder.rglob("*")}
        self.assertEqual(before, after)
        damaged = any(beginning.startswith("damage: ") for beginning in beginnings)
        self.assertEqual(code, 1 if damaged else 0, lines)
        self.assertEqual(len(lines), len(beginnings) + 1, lines)
        for beginning in beginnings:
            self.assertTrue(any(line.startswith(beginning) for line in lines), (beginning, lines))
        return lines

    def test_sound_store(self):
        lines = self.assertFound()
        size = sum(len(self.bodies[f"rig{i}"]) for i in range(4))
        self.assertEqual(lines, [f"5 rigs, 4 sound objects, 0 sound derived files, {size} bytes; "
                                 "damage: 0, leftovers: 0, older: 0"])

    def test_changed_bytes(self):
        found = self.flip("rig1")
        self.assertFound(f"damage: rig rig1: object {hash_of(self.bodies['rig1'])} is damaged: "
                         f"the SHA-256 of its bytes is {found}")

    def test_object_of_two_rigs(self):
        self.flip("rig0")
        place = f"object {hash_of(self.bodies['rig0'])} is damaged"
        self.assertFound(f"damage: rig rig0: {place}", f"damage: rig same: {place}")

    def test_cut_and_missing_objects(self):
        os.truncate(self.object("rig1"), 100)
        self.object("rig2").unlink()
        self.assertFound(
            f"damage: rig rig1: object {hash_of(self.bodies['rig1'])} is damaged: it has 100 bytes",
            f"damage: rig rig2: object {hash_of(self.bodies['rig2'])} is missing",
        )

    def test_records(self):
        (self.folder / "rigs" / "rig1").write_text("posed rig 1\n")
        (self.folder / "rigs" / "bad\nname").write_text("")
        # Without its record nobody names the object.
        self.assertFound("damage: rig rig1: rigs/rig1 is damaged",
                         "damage: rigs/bad?name: ",
                         f"leftover: objects/{hash_of(self.bodies['rig1'])}: ")

    def test_leftovers_are_no_damage(self):
        (self.folder / "objects" / hash_of(b"x")).write_bytes(b"x")
        (self.folder / "tmp" / "writing").write_bytes(b"half")
        (self.folder / "derived" / (hash_of(b"x") + "-" + "0" * 32)).write_bytes(b"gone")
        self.assertFound(f"leftover: objects/{hash_of(b'x')}: an object that no rig uses",
                         "leftover: tmp/writing: ",
                         f"leftover: derived/{hash_of(b'x')}-")
        self.start()
        self.daemon.stop()
        self.assertFound()

    def test_json(self):
        self.flip("rig1")
        (self.folder / "tmp" / "writing").write_bytes(b"half")
        digest = hash_of(self.bodies["rig2"])
        (self.folder / "rigs" / "rig2").write_text(
            f"posed rig 1\nsha256 {digest}\nbytes {len(self.bodies['rig2'])}\n"
            "vertices 3\njoints 1\nclips 0\n")
        command = [binary(), "verify", "--json", "--data", self.data]
        done = subprocess.run(command, capture_output=True, text=True)
        found = json.loads(done.stdout)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        [damage], [leftover], [older] = found["damage"], found["leftover"], found["older"]
        self.assertIn("is damaged", damage.pop("says"))
        self.assertEqual(damage, {"place": "rigs/rig1", "rig": "rig1"})
        self.assertEqual(leftover["place"], "tmp/writing")
        self.assertEqual((older["place"], older["rig"]), ("rigs/rig2", "rig2"))
        self.assertEqual((found["sound"], found["rigs"], found["objects"], found["derived"]),
                         (False, 5, 3, 0))

    def test_wrong_arguments(self):
        for arguments in (["--nope"], ["--data"], ["here"], ["verify"]):
            done = subprocess.run([binary(), "verify", *arguments], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        done = subprocess.run([binary(), "verify", "--data", "/nowhere"], capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("/nowhere", done.stderr)

    def test_daemon_notices_damage_and_putting_again_mends_it(self):
        self.flip("rig1")
        self.object("rig2").unlink()
        client = self.start()
        for path in ("", "/source", "/mesh.glb"):
            self.assertProblem(client.get(rig_path("rig1", path)), 507, "store-damaged")
            self.assertProblem(client.get(rig_path("rig2", path)), 507, "store-damaged")
        self.assertProblem(client.vertices("rig1"), 507, "store-damaged")
        self.assertEqual(client.vertices("rig0").status, 200)
        self.assertEqual(client.put("rig1", self.bodies["rig1"]).status, 200)
        self.assertEqual(client.put("rig2", self.bodies["rig2"]).status, 200)
        self.assertHolds(client, self.bodies)
        self.assertEqual(client.vertices("rig1").status, 200)
        self.assertVerified()
        self.daemon.stop()

    def test_object_lost_under_a_running_daemon(self):
        client = self.start()
        self.object("rig3").unlink()
        self.assertProblem(client.get(rig_path("rig3", "/source")), 507, "store-damaged")
        self.assertEqual(client.put("rig3", self.bodies["rig3"]).status, 200)
        self.assertHolds(client, self.bodies)
        self.daemon.stop()

    def test_no_false_alarms_beside_a_busy_daemon(self):
        client = self.start()
        done = threading.Event()
        wrong = []

        def change(name, number):
            with client.keep() as kept:
                while not done.is_set():
                    for reply in (kept.put(name, body_of(number)),
                                  kept.put(name, body_of(number + 1)), kept.delete(name)):
                        if reply.status not in (200, 201, 204):
                            wrong.append(str(reply))

        threads = [threading.Thread(target=change, args=(f"busy{i}", 10 + 2 * i))
                   for i in range(4)]
        for thread in threads:
            thread.start()
        try:
            end = time.monotonic() + BUSY_S
            while time.monotonic() < end:
                self.assertVerified()
        finally:
            done.set()
            for thread in threads:
                thread.join()
        self.assertEqual(wrong, [])
        self.daemon.stop()
