"""Full and read-only disks: nothing stored is lost, and the errors say what an operator must do."""
import os

from client import rig_path
from disk import small_disk
from store_case import StoreCase, body_of

FULL = (507, "store-full")
UNWRITABLE = (507, "store-unwritable")


class Filling:
    def fill_with_rigs(self, client, padding):
        bodies = {}
        for number in range(10000):
            body = body_of(number, padding)
            reply = client.put(f"rig{number}", body)
            if reply.status != 201:
                self.assertProblem(reply, *FULL)
                return bodies
            bodies[f"rig{number}"] = body
        raise AssertionError("the disk never got full")

    def test_full_disk_loses_nothing_and_deleting_makes_room(self):
        client = self.start()
        bodies = self.fill_with_rigs(client, 50000)
        self.assertGreater(len(bodies), 5)
        self.assertHolds(client, bodies)
        self.assertNothingElseOnDisk(bodies)
        # Replacing needs room for both: the old one stays.
        self.assertProblem(client.put("rig0", body_of(-5, 50000)), *FULL)
        self.assertEqual(client.put("rig0", bodies["rig0"]).status, 200)
        self.assertHolds(client, bodies)
        self.assertEqual(client.delete("rig1").status, 204)
        del bodies["rig1"]
        bodies["new"] = body_of(-7, 40000)
        self.assertEqual(client.put("new", bodies["new"]).status, 201)
        self.assertHolds(client, bodies)
        self.assertNothingElseOnDisk(bodies)
        self.assertVerified()
        self.daemon.stop()


class FullDisk(Filling, StoreCase):
    def setUp(self):
        super().setUp()
        self.disk = small_disk(self)
        self.data = os.path.join(self.disk.path, "data")

    def test_daemon_killed_on_a_full_disk_starts_again_on_it(self):
        client = self.start()
        bodies = {f"rig{i}": body_of(i, 5000) for i in range(10)}
        for name, body in bodies.items():
            self.assertEqual(client.put(name, body).status, 201)
        # No room at all, then for one page more and more: the object fits first, its record later.
        for leave in range(0, 5 * 4096, 4096):
            filler = self.disk.fill(leave)
            reply = client.put("one more", body_of(99, 3000))
            if reply.status == 201:
                bodies["one more"] = body_of(99, 3000)
                break
            self.assertProblem(reply, *FULL)
            self.assertNothingElseOnDisk(bodies)
            self.daemon.kill()
            client = self.start()
            self.assertHolds(client, bodies)
            os.unlink(filler)
        self.assertIn("one more", bodies)
        self.assertGreater(leave, 4096)
        self.assertHolds(client, bodies)
        self.assertVerified()
        self.daemon.stop()


class NoFilesLeft(Filling, StoreCase):
    """Room enough, but for no more files."""

    def setUp(self):
        super().setUp()
        self.disk = small_disk(self, size="64m", files=40)
        self.data = os.path.join(self.disk.path, "data")


class ReadOnlyDisk(StoreCase):
    args = ()  # pictures are to go on, too

    def setUp(self):
        super().setUp()
        self.disk = small_disk(self, size="16m")
        self.data = os.path.join(self.disk.path, "data")
        self.addCleanup(self.disk.make, "rw")

    def answers(self, client):
        """Requests that only read."""
        replies = [
            client.get(rig_path("a", "/source")),
            client.get(rig_path("a")),
            client.vertices("a"),
            client.pose("b"),
        ]
        if client.get("/readyz").status == 200:
            replies.append(client.frame("b", width=32, height=32))
        self.assertEqual({reply.status for reply in replies}, {200}, [str(r) for r in replies])
        return [reply.body for reply in replies]

    def test_read_only_disk_refuses_changes_and_goes_on_reading(self):
        client = self.start()
        bodies = {"a": body_of(1), "b": body_of(2)}
        for name, body in bodies.items():
            self.assertEqual(client.put(name, body).status, 201)
        before = self.answers(client)
        self.daemon.stop()
        client = self.start()  # with nothing in memory
        self.disk.make("ro")
        self.assertEqual(self.answers(client), before)
        self.assertProblem(client.put("new", body_of(3)), *UNWRITABLE)
        self.assertProblem(client.put("a", body_of(3)), *UNWRITABLE)
        self.assertProblem(client.delete("a"), *UNWRITABLE)
        self.assertEqual(client.put("a", bodies["a"]).status, 200)
        self.assertHolds(client, bodies)
        self.assertVerified()
        self.disk.make("rw")
        self.assertEqual(client.put("a", body_of(3)).status, 200)
        self.assertEqual(client.put("new", body_of(4)).status, 201)
        self.assertEqual(client.delete("b").status, 204)
        bodies = {"a": body_of(3), "new": body_of(4)}
        self.assertHolds(client, bodies)
        self.assertNothingElseOnDisk(bodies)
        self.assertVerified()
        self.daemon.stop()

    def test_start_on_a_read_only_disk_says_so_in_one_line(self):
        self.start()
        self.daemon.stop()
        self.disk.make("ro")
        for folder in (self.data, os.path.join(self.disk.path, "another")):
            said = self.refused_start(folder)
            self.assertIn(folder, said)
            self.assertIn("Read-only file system", said)
