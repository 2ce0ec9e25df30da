"""Reading assets holds up nothing but itself: not other requests, nor other clients' assets, nor the
machine's memory; and a machine that is busy is no reason to refuse an asset for good."""
import concurrent.futures
import functools
import os
import pathlib
import signal
import time
import unittest

import rigs
from case import DEMO, DaemonCase
from client import Client, rig_path
from daemon import is_instrumented
from test_sandbox import children, png, status, wait_for, with_images

OTHER = "127.0.0.2"
MIB = 1 << 20


@functools.cache
def pictures():
    """Many of 4096 x 4096 that all lack their last rows: each is decoded to there and then left out,
    which takes a minute."""
    return with_images(*[png(4096, shown=4090)] * 64)


def bomb(number):
    return pictures().replace(b"only", b"only %d" % number)


class Imports(DaemonCase):
    def helper(self):
        (helper,) = children(self.daemon.process.pid)
        return helper

    def readers(self):
        return children(self.helper())

    def begin(self, name, asset):
        """Sends an asset and waits for nothing."""
        connection = Client(self.daemon.port).connect()
        self.addCleanup(connection.close)
        connection.request("PUT", rig_path(name), asset)
        return connection


class Beside(Imports):
    daemon_args = ("--import-seconds", "3600", "--import-threads", "4", "--deadline-seconds", "600")

    @classmethod
    def prepare(cls):
        cls.put_rig("there", rigs.triangle().glb())

    def assertServed(self, client, number):
        """Everything that the store is for, while the bombs are read."""
        asset = rigs.triangle([(0, 0, 0), (number, 0, 0), (0, 1, 0)]).glb()
        self.assertStatus(client.get(rig_path("there", "/source")), 200)
        self.assertStatus(client.put(f"new{number}", asset), 201)
        self.assertStatus(client.request(
            "PUT", rig_path(f"new{number}", "/examples/a"), b'{"pose": "rest", "positions": '
            b"[[0, 0, 0], [1, 0, 0], [0, 1, 0]]}", {"Content-Type": "application/json"}), 201)
        self.assertStatus(client.delete(f"new{number}"), 204)
        self.assertStatus(client.vertices("there"), 200)

    def test_others_are_served_while_bombs_are_read(self):
        bombs = [self.begin(f"bomb{i}", bomb(i)) for i in range(2)]
        wait_for(lambda: len(self.readers()) == 2)
        self.assertServed(self.client, 1)
        self.assertServed(Client(self.daemon.port, OTHER), 2)
        # One client gets three of the four, however many it wants.
        bombs += [self.begin(f"bomb{i}", bomb(i)) for i in range(2, 6)]
        wait_for(lambda: len(self.readers()) == 3)
        for i in range(3, 6):
            self.assertServed(Client(self.daemon.port, OTHER), i)
        self.assertEqual(len(self.readers()), 3)
        self.assertStatus(self.client.get(rig_path("there", "/source")), 200)
        # The client has disconnected: the result is not needed.
        for connection in bombs:
            connection.close()
        wait_for(lambda: not self.readers())
        self.assertServed(self.client, 6)


class Starved(Imports):
    keeps_times = True
    SECONDS = 2 if is_instrumented() else 0.5
    daemon_args = ("--import-seconds", str(SECONDS))

    @staticmethod
    def stop(reader):
        """Stops the reader; False if it has exited already."""
        try:
            os.kill(reader, signal.SIGSTOP)
        except ProcessLookupError:
            return False
        wait_for(lambda: "State:\tR" not in status(reader))
        return "State:\tT" in status(reader)

    def put_stopped(self, name, seconds, **headers):
        """Puts a good asset whose reader gets no processor for so long."""
        asset = (DEMO / "humanoid.glb").read_bytes()
        deadline = time.monotonic() + 120
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            while True:
                self.client.delete(name)
                reply = pool.submit(self.client.put, name, asset, **headers)
                stopped = []
                while not stopped and not reply.done():
                    stopped = [reader for reader in self.readers() if self.stop(reader)]
                if stopped:
                    break
                self.assertLess(time.monotonic(), deadline, "no reader could be stopped")
            time.sleep(seconds)  # which is the subject
            if status(stopped[0]):
                os.kill(stopped[0], signal.SIGCONT)
            return reply.result()

    def test_time_without_a_processor_does_not_count(self):
        reply = self.put_stopped("late", 2 * self.SECONDS)
        self.assertStatus(reply, 201)

    def test_far_too_little_of_it_is_no_reason_to_refuse_for_good(self):
        reply = self.put_stopped("never", 2.5, posed_deadline_ms="2000")
        self.assertProblem(reply, 503, "overloaded", says=("processor time",))
        self.assertTrue(reply.headers["Retry-After"])


class Together(Imports):
    MEMORY_MIB = 384
    EACH_MIB = 28
    daemon_args = ("--import-memory", str(MEMORY_MIB))

    def large(self, number):
        """Half a kilobyte that stands for a great many vertices, all of them zero."""
        tiny = rigs.triangle()
        accessor = {"componentType": 5126, "count": self.EACH_MIB * MIB // 12, "type": "VEC3"}
        position = tiny.add("accessors", {**accessor, "min": [0, 0, 0], "max": [0, 0, 0]})
        tiny.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = position
        tiny.json["extras"] = number
        return tiny.glb()

    def memory_mib(self):
        """Memory that all readers have to themselves."""
        pages = 0
        for reader in self.readers():
            try:
                counts = pathlib.Path(f"/proc/{reader}/statm").read_text().split()
            except OSError:
                continue  # it ended meanwhile
            pages += int(counts[1]) - int(counts[2])
        return pages * os.sysconf("SC_PAGESIZE") / MIB

    @unittest.skipIf(is_instrumented(), "a sanitizer has memory of its own")
    def test_small_assets_share_one_budget(self):
        self.assertStatus(self.client.put("alone", self.large(0)), 201)
        most = 0
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(Client(self.daemon.port, f"127.0.0.{i}").put, f"large{i}",
                                 self.large(i)) for i in range(2, 7)]
            while not all(future.done() for future in asked):
                most = max(most, self.memory_mib())
            replies = [future.result() for future in asked]
        statuses = [reply.status for reply in replies]
        self.assertIn(201, statuses)
        for reply in replies:
            if reply.status != 201:
                self.assertProblem(reply, 503, "overloaded", says=("memory",))
                self.assertTrue(reply.headers["Retry-After"])
        # The children may fill more between two checks of the watchdog on a busy machine.
        self.assertLess(most, self.MEMORY_MIB + 192, statuses)


if __name__ == "__main__":
    unittest.main()
