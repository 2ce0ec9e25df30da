"""SIGKILL and full disks amid PUTs and DELETEs of examples: what was acknowledged is there, with its
rig, and nothing else is."""
import array
import copy
import os
import pathlib
import random
import threading
import time
import urllib.parse

import rigs
from client import OCTETS, Client, rig_path
from daemon import Daemon
from disk import small_disk
from store_case import StoreCase, content_of

KILLS = 100
SEED = 20261120
WRITERS = 2
NAMES = 3  # examples of each writer's rig
MOST_ANSWERS = 6  # until the kill is due, after up to LONGEST_WAIT_S more
LONGEST_WAIT_S = 0.02
LIMIT_S = 30


def rig_body(number):
    """Rigs whose examples fit one another's."""
    tiny = rigs.triangle()
    tiny.json["extras"] = {"number": number}
    return tiny.glb()


def example_path(rig, name):
    return rig_path(rig, f"/examples/{name}?pose=" + urllib.parse.quote('"rest"'))


def put_example(client, rig, name, number, vertices=3):
    body = array.array("f", [number] + [0] * (3 * vertices - 1)).tobytes()
    return client.request("PUT", example_path(rig, name), body, {"Content-Type": OCTETS})


def read_examples(client, rig):
    """{name: first number} of a rig, each read whole; and what is listed."""
    listed = client.get(rig_path(rig, "/examples")).json()["examples"]
    numbers = {}
    for example in listed:
        body = client.get(rig_path(rig, "/examples/" + example["name"]), accept=OCTETS).body
        numbers[example["name"]] = array.array("f", body)[0]
    return numbers, listed


class Writer(threading.Thread):
    """Changes a rig and its examples until the daemon is gone.

    state: what the last answered change left, {"rig": number or None, "examples": {name: number}};
    pending: what the change leaves that was sent and not answered."""

    def __init__(self, number, port, state, random_):
        super().__init__()
        self.rig = f"w{number}"
        self.client = Client(port)
        self.state = state
        self.random = random_
        self.pending = None
        self.answered = 0
        self.wrong = []

    def change(self, client):
        after = copy.deepcopy(self.state)
        name, number = f"e{self.random.randrange(NAMES)}", self.random.randrange(1 << 20)
        chance = self.random.random()
        if self.state["rig"] is None or chance < 0.2:
            after["rig"] = number
            call, expected = lambda: client.put(self.rig, rig_body(number)), (200, 201)
        elif chance < 0.25:
            after = {"rig": None, "examples": {}}
            call, expected = lambda: client.delete(self.rig), (204,)
        elif chance < 0.45 and name in self.state["examples"]:
            del after["examples"][name]
            path = rig_path(self.rig, "/examples/" + name)
            call, expected = lambda: client.request("DELETE", path), (204,)
        else:
            after["examples"][name] = number
            call, expected = lambda: put_example(client, self.rig, name, number), (200, 201)
        self.pending = after
        reply = call()
        if reply.status not in expected:
            self.wrong.append(str(reply))
        self.state, self.pending = after, None
        self.answered += 1

    def run(self):
        try:
            with self.client.keep() as client:
                while not self.wrong:
                    self.change(client)
        except OSError:
            pass  # killed


class Kills(StoreCase):
    def live(self, random_, states):
        """One life of a daemon; afterwards the states that each writer's rig may be in."""
        self.daemon = Daemon(data=self.data, args=self.args).start()
        settled = self.check(states)
        writers = [Writer(i, self.daemon.port, settled[i], random_) for i in range(WRITERS)]
        for writer in writers:
            writer.start()
        answers, end = random_.randrange(MOST_ANSWERS + 1), time.monotonic() + LIMIT_S
        while sum(writer.answered for writer in writers) < answers and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(random_.uniform(0, LONGEST_WAIT_S))
        self.daemon.kill()
        for writer in writers:
            writer.join()
            self.assertEqual(writer.wrong, [])
        return writers

    def found(self, client, rig):
        reply = client.get(rig_path(rig, "/source"))
        if reply.status == 404:
            return {"rig": None, "examples": {}}, []
        examples, listed = read_examples(client, rig)
        extras = reply.body[reply.body.index(b'"number": ') + 10 :]
        return {"rig": int(extras[: extras.index(b"}")]), "examples": examples}, listed

    def check(self, states):
        """The examples are the acknowledged ones, with or without the change that was not acknowledged."""
        client = Client(self.daemon.port)
        settled, contents = [], set()
        for number, possible in enumerate(states):
            state, listed = self.found(client, f"w{number}")
            self.assertIn(state, possible)
            settled.append(state)
            contents |= {example["content"] for example in listed}
            if state["rig"] is not None:
                contents.add(content_of(rig_body(state["rig"])))
        objects = os.listdir(pathlib.Path(self.data) / "objects")
        self.assertEqual({"sha256:" + name for name in objects}, contents)
        return settled

    def test_100_kills_lose_nothing_that_was_acknowledged(self):
        random_ = random.Random(SEED)
        states = [[{"rig": None, "examples": {}}] for _ in range(WRITERS)]
        answered = unanswered = 0
        for _ in range(KILLS):
            for i, writer in enumerate(self.live(random_, states)):
                answered += writer.answered
                unanswered += writer.pending is not None
                states[i] = [writer.state] + ([writer.pending] if writer.pending else [])
        # The kills came amid changes, and not before or after them.
        self.assertGreater(answered, KILLS)
        self.assertGreater(unanswered, KILLS / 2)
        self.start()
        self.check(states)
        self.assertVerified()
        self.daemon.stop()
        self.assertVerified()


class FullDisk(StoreCase):
    def setUp(self):
        super().setUp()
        self.disk = small_disk(self)
        self.data = os.path.join(self.disk.path, "data")

    def large(self):
        points = [(i % 50, i // 50, 0) for i in range(3000)]
        return rigs.triangle(points).glb()

    def test_full_disk_loses_nothing_and_deleting_makes_room(self):
        client = self.start()
        body = self.large()
        self.assertEqual(client.put("rig", body).status, 201)
        numbers = {}
        for number in range(1000):
            reply = put_example(client, "rig", f"e{number}", number, 3000)
            if reply.status != 201:
                break
            numbers[f"e{number}"] = number
        self.assertProblem(reply, 507, "store-full")
        self.assertGreater(len(numbers), 3)
        self.assertEqual(read_examples(client, "rig")[0], numbers)
        # Replacing needs room for both: the old one stays.
        self.assertProblem(put_example(client, "rig", "e0", -1, 3000), 507, "store-full")
        self.assertEqual(put_example(client, "rig", "e0", 0, 3000).status, 200)
        self.assertEqual(read_examples(client, "rig")[0], numbers)
        self.assertVerified()
        self.daemon.kill()
        client = self.start()
        self.assertEqual(read_examples(client, "rig")[0], numbers)
        for name in ("e0", "e1"):
            reply = client.request("DELETE", rig_path("rig", "/examples/" + name))
            self.assertEqual(reply.status, 204, str(reply))
            del numbers[name]
        self.assertEqual(put_example(client, "rig", "new", -7, 3000).status, 201)
        numbers["new"] = -7
        self.assertEqual(read_examples(client, "rig")[0], numbers)
        self.assertVerified()
        self.daemon.stop()

    def test_what_can_be_made_again_gives_way_to_what_is_put(self):
        client = self.start()
        self.assertEqual(client.put("rig", self.large()).status, 201)
        kept = pathlib.Path(self.data) / "derived" / (content_of(self.large())[7:] + "-" + "0" * 32)
        filler = self.disk.fill(300000)
        kept.write_bytes(b"x" * 280000)
        reply = put_example(client, "rig", "a", 1, 3000)
        self.assertEqual(reply.status, 201, str(reply))
        self.assertFalse(kept.exists())
        os.unlink(filler)
        self.daemon.stop()


class Damage(StoreCase):
    def test_a_damaged_example_is_found_and_its_rig_goes_on(self):
        client = self.start()
        client.put("rig", rig_body(1))
        for number in range(2):
            put_example(client, "rig", f"e{number}", number)
        listed = client.get(rig_path("rig", "/examples")).json()["examples"]
        self.daemon.stop()
        self.assertVerified()
        path = pathlib.Path(self.data) / "objects" / listed[1]["content"][7:]
        body = bytearray(path.read_bytes())
        body[40] ^= 1
        path.write_bytes(body)
        code, lines = self.verify()
        self.assertEqual(code, 1)
        self.assertIn(f"damage: rig rig: example e1: object {path.name} is damaged", lines[0])
        client = self.start()
        self.assertEqual(client.vertices("rig").status, 200)
        reply = client.get(rig_path("rig", "/examples/e0"), accept=OCTETS)
        self.assertEqual(array.array("f", reply.body)[0], 0)
        self.assertProblem(client.get(rig_path("rig", "/examples/e1")), 507, "store-damaged")
        self.assertEqual(put_example(client, "rig", "e1", 1).status, 200)
        self.assertEqual(read_examples(client, "rig")[0], {"e0": 0, "e1": 1})
        self.assertVerified()
        self.daemon.stop()
