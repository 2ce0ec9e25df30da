"""One rig that is put and deleted while 50 clients use it, with next to no memory for rigs."""
import concurrent.futures
import itertools
import json
import threading
import time

import rigs
from case import DEMO
from store_case import StoreCase
from tiny import glb, split_glb

CLIENTS = 50
SECONDS = 5
SIZE = {"width": 32, "height": 32}


def version(number):
    """Squares of different sizes; every picture is framed alike, so that these differ, too."""
    return rigs.square(1 + number, 1).glb()


class Churn(StoreCase):
    # Less than the two large rigs take: they drive each other and the one that changes out.
    # Answers that are kept would leave the rigs in peace.
    args = ("--rig-memory", "1", "--cache-memory", "0", "--log-level", "debug")

    def imports(self, size):
        """The number of reads of an asset of so many bytes in the log."""
        self.daemon.log.seek(0)
        return self.daemon.log.read().count(b"reading an asset of %s bytes" % size)

    def expected(self, client, number):
        """The expected results of a version: its vertices, and its picture if there is a renderer."""
        client.put("reference", version(number))
        vertices, picture = client.vertices("reference"), client.frame("reference", **SIZE)
        self.assertEqual(vertices.status, 200)
        self.assertIn(picture.status, (200, 503))
        return vertices.body, picture.body if picture.status == 200 else None

    def change(self, client, count, done):
        """Puts the versions in turn; each third time the rig is deleted first."""
        wrong = []
        with client.keep() as kept:
            for number in itertools.cycle(range(count)):
                if done.is_set():
                    return wrong
                replies = [kept.delete("rig")] if number == 0 else []
                replies.append(kept.put("rig", version(number)))
                wrong += [str(r) for r in replies
                          if r.status not in (200, 201, 204)
                          and not (r.status == 404 and r is replies[0])
                          and not (r.status == 503 and r.headers.get("Retry-After"))]

    def use_large(self, client, rig, until):
        """The same as use() for a large rig, which is always there."""
        wrong, statuses = [], {}
        with client.keep() as kept:
            while time.monotonic() < until:
                reply = kept.pose(rig, {"clip": 0, "phase": 0.3})
                statuses[reply.status] = statuses.get(reply.status, 0) + 1
                if not ((reply.status == 200 and reply.body == self.large)
                        or (reply.status == 503 and reply.headers.get("Retry-After"))):
                    wrong.append((rig, str(reply)))
        return wrong, statuses

    def use(self, client, expected, number, until):
        """Asks on one connection until the time is over; [(what was asked, reply)] of what is
        wrong, and how often which status came."""
        vertices, pictures = ({one[kind] for one in expected} for kind in (0, 1))
        wrong, statuses = [], {}
        with client.keep() as kept:
            while time.monotonic() < until:
                draw = number % 2 and None not in pictures
                reply = kept.frame("rig", **SIZE) if draw else kept.vertices("rig")
                statuses[reply.status] = statuses.get(reply.status, 0) + 1
                fine = (
                    (reply.status == 200 and reply.body in (pictures if draw else vertices))
                    or (reply.status == 404 and reply.json()["type"] == "urn:posed:unknown-rig")
                    or (reply.status == 503 and reply.headers.get("Retry-After"))
                )
                if not fine:
                    wrong.append(("frame" if draw else "vertices", str(reply)))
        return wrong, statuses

    def test_50_clients_see_whole_versions_only(self):
        client = self.start()
        large = (DEMO / "tube23.glb").read_bytes()
        whole, binary = split_glb(large)
        self.assertEqual(client.put("large0", large).status, 201)
        also_large = glb(json.dumps({**whole, "extras": "other bytes"}).encode(), binary)
        self.assertEqual(client.put("large1", also_large).status, 201)
        self.large = client.pose("large0", {"clip": 0, "phase": 0.3}).body
        expected = [self.expected(client, number) for number in range(3)]
        self.assertEqual(len({vertices for vertices, _ in expected}), 3)
        client.put("rig", version(0))
        done = threading.Event()
        until = time.monotonic() + SECONDS
        with concurrent.futures.ThreadPoolExecutor(CLIENTS + 1) as pool:
            changing = pool.submit(self.change, client, len(expected), done)
            using = [pool.submit(self.use, client, expected, number, until)
                     if number % 10 else pool.submit(self.use_large, client, f"large{number // 10 % 2}", until)
                     for number in range(CLIENTS)]
            results = [future.result() for future in using]
            done.set()
            self.assertEqual(changing.result(), [])
        self.assertEqual([wrong for wrong, _ in results if wrong], [])
        total = sum(statuses.get(200, 0) for _, statuses in results)
        self.assertGreater(total, CLIENTS)
        self.assertGreater(sum(statuses.get(404, 0) for _, statuses in results), 0,
                           "the rig was never absent")
        self.assertVerified()
        self.daemon.stop()
        self.assertGreater(self.imports(b"%d" % len(large)), 2, "it never left memory")
