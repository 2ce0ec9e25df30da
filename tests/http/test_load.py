"""Many at once: mixed requests side by side give what they give alone, while rigs come and go."""
import concurrent.futures
import threading
import unittest

import rigs
from case import DaemonCase
from client import JSON, OCTETS, rig_path

FRAME_SIZE = {"width": 64, "height": 48}


class ManyAtOnce(DaemonCase):
    needs_driver = True
    # However slow the machine: 50 at once are to be let in.
    daemon_args = ("--queue-wait-ms", "60000")

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")
        cls.put_demo("tube23")

    def kinds(self):
        """Requests of all kinds, each as a function that gives (status, body)."""
        bend = [{"clip": "bend", "phase": i / 10} for i in range(11)]

        def ask(method, *args, **members):
            def run():
                reply = method(*args, **members)
                return reply.status, reply.body

            return run

        kinds = [
            ask(self.client.get, "/v1"),
            ask(self.client.get, rig_path("cyl2")),
            ask(self.client.get, rig_path("tube23", "/source")),
            ask(self.client.get, "/healthz"),
            ask(self.client.pose, "tube23", {"clip": 0, "phase": 0.3}),
            ask(self.client.post, "pose", {"rig": "cyl2", "poses": bend}, accept=OCTETS),
            ask(self.client.vertices, "cyl2", bend[3], accept=JSON),
            ask(self.client.post, "vertices", {"rig": "cyl2", "poses": bend}, accept=OCTETS),
            ask(self.client.picture_link, "cyl2", clip="twist", time=1.5, **FRAME_SIZE),
        ]
        for device in self.devices():
            for method in ("lbs", "dqs"):
                skinning = {"method": method, "device": device}
                kinds.append(
                    ask(
                        self.client.vertices, "tube23", {"clip": 0, "phase": 0.7}, skinning=skinning
                    )
                )
        for yaw in range(0, 360, 60):
            kinds.append(
                ask(
                    self.client.frame,
                    "tube23",
                    {"clip": 0, "phase": yaw / 360},
                    camera={"yaw": yaw},
                    **FRAME_SIZE,
                )
            )
        return kinds

    def test_50_mixed_requests_at_once_give_what_they_give_alone(self):
        kinds = self.kinds()
        alone = [run() for run in kinds]
        self.assertEqual({status for status, _ in alone}, {200}, [s for s, _ in alone])
        order = [(7 * i) % len(kinds) for i in range(200)]
        with concurrent.futures.ThreadPoolExecutor(50) as pool:
            answers = list(pool.map(lambda i: kinds[i](), order))
        for i, (status, body) in zip(order, answers):
            self.assertEqual(status, 200, f"kind {i}: {body[:300]}")
            self.assertEqual(body, alone[i][1], f"kind {i} differs when others run beside it")

    def test_errors_beside_results_disturb_nobody(self):
        wrong = [
            lambda: self.client.post("pose", b"{").status,
            lambda: self.client.vertices("nobody").status,
            lambda: self.client.get("/nothing").status,
            lambda: self.client.put("junk", b"junk").status,
            lambda: self.client.frame("cyl2", width=0).status,
        ]
        right = lambda: self.client.vertices("cyl2", {"clip": "bend", "time": 1}).status
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            futures = [pool.submit(run) for i in range(20) for run in (*wrong, right)]
            got = [future.result() for future in futures]
        self.assertEqual(got, [400, 404, 404, 415, 400, 200] * 20)

    def test_put_and_delete_while_rendering_never_mix_two_rigs(self):
        # Every answer is the old rig, the new one, or 404: never a crash and never half of each.
        small, large = rigs.triangle().glb(), rigs.square(3, 3).glb()
        alone = set()
        for body in (small, large):
            self.put_rig("swapped", body)
            alone.add(self.client.vertices("swapped").body)
            alone.add(self.client.frame("swapped", **FRAME_SIZE).body)
        done = threading.Event()
        problems = []

        def read():
            while not done.is_set():
                for reply in (
                    self.client.vertices("swapped"),
                    self.client.frame("swapped", **FRAME_SIZE),
                ):
                    if not (reply.status == 404 or reply.status == 200 and reply.body in alone):
                        problems.append(str(reply))

        readers = [threading.Thread(target=read) for _ in range(6)]
        for reader in readers:
            reader.start()
        for i in range(40):
            self.client.put("swapped", (small, large)[i % 2])
            if i % 5 == 4:
                self.client.delete("swapped")
        done.set()
        for reader in readers:
            reader.join()
        self.assertEqual(problems[:3], [])

    def test_many_puts_of_one_name_at_once_leave_one_of_them(self):
        bodies = [rigs.triangle([(0, 0, 0), (n, 0, 0), (0, n, 0)]).glb() for n in range(1, 9)]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(lambda body: self.client.put("raced", body), bodies))
        statuses = sorted(reply.status for reply in replies)
        self.assertLessEqual(set(statuses), {200, 201})
        self.assertEqual(statuses.count(201), 1, statuses)
        self.assertIn(self.client.get(rig_path("raced", "/source")).body, bodies)

    def test_one_of_many_guarded_puts_wins(self):
        body = rigs.triangle().glb()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            replies = list(
                pool.map(lambda _: self.client.put("won", body, if_none_match="*"), range(8))
            )
        self.assertEqual(sorted(reply.status for reply in replies), [201] + [412] * 7)

    def test_200_idle_connections_do_not_stop_the_others(self):
        idle = [self.client.connect() for _ in range(200)]
        try:
            for connection in idle:
                connection.connect()
            self.assertStatus(self.client.get("/healthz"), 200)
            self.assertStatus(self.client.vertices("cyl2"), 200)
        finally:
            for connection in idle:
                connection.close()


if __name__ == "__main__":
    unittest.main()
