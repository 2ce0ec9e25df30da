"""SIGKILL at 200 random moments amid PUTs and DELETEs: what was acknowledged is there."""
import random
import threading
import time

from client import Client, rig_path
from daemon import Daemon
from store_case import StoreCase, body_of, content_of

KILLS = 200
SEED = 20240229
WRITERS = 3
NAMES = 4  # of each writer
MOST_ANSWERS = 6  # until the kill is due, after up to LONGEST_WAIT_S more
LONGEST_WAIT_S = 0.03
LIMIT_S = 30
ABSENT = None  # in place of a body


class Writer(threading.Thread):
    """Puts and deletes rigs of its own until the daemon is gone.

    settled: by name what the last answered change left; pending: (name, body) of the one that was
    sent and not answered."""

    def __init__(self, number, port, settled, random_):
        super().__init__()
        self.names = [f"w{number}-{i}" for i in range(NAMES)]
        self.client = Client(port)
        self.settled = settled
        self.random = random_
        self.pending = None
        self.answered = 0
        self.wrong = []

    def change(self, client, name):
        if self.settled.get(name) is not ABSENT and self.random.random() < 0.25:
            self.pending = (name, ABSENT)
            reply, expected = client.delete(name), (204,)
        else:
            self.pending = (name, body_of(self.random.randrange(1 << 24)))
            reply, expected = client.put(*self.pending), (200, 201)
        if reply.status not in expected:
            self.wrong.append(str(reply))
        self.settled[name] = self.pending[1]
        self.pending = None
        self.answered += 1

    def run(self):
        try:
            with self.client.keep() as client:
                while not self.wrong:
                    self.change(client, self.random.choice(self.names))
        except OSError:
            pass  # killed


class Kills(StoreCase):
    def live(self, random_, settled):
        """One life of a daemon; afterwards the writers, who know what may be true now."""
        self.daemon = Daemon(data=self.data, args=self.args).start()
        writers = [Writer(i, self.daemon.port, settled[i], random_) for i in range(WRITERS)]
        self.check(settled)
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

    def check(self, settled):
        """The list has all acknowledged changes; a pending change has either happened or not."""
        client = Client(self.daemon.port)
        listed = {rig["name"]: rig["content"] for rig in client.get("/v1/rigs").json()["rigs"]}
        for own in settled:
            for name, body in own.items():
                possible = [body, *self.pending.get(name, [])]
                contents = [None if one is ABSENT else content_of(one) for one in possible]
                self.assertIn(listed.get(name), contents, name)
                own[name] = possible[contents.index(listed.get(name))]
                if own[name] is not ABSENT and name in self.pending:
                    source = client.get(rig_path(name, "/source"))
                    self.assertEqual(source.body, own[name], name)
        self.assertLessEqual(set(listed), {name for own in settled for name in own})
        self.pending = {}

    def test_200_kills_lose_nothing_that_was_acknowledged(self):
        random_ = random.Random(SEED)
        settled = [{} for _ in range(WRITERS)]
        self.pending = {}  # name -> [body]
        answered = unanswered = 0
        for i in range(KILLS):
            if i % 5 == 4:  # at a random moment of the start
                starting = Daemon(data=self.data, args=self.args).spawn()
                time.sleep(random_.uniform(0, 0.03))
                starting.kill()
                continue
            for writer, own in zip(self.live(random_, settled), settled):
                answered += writer.answered
                if writer.pending:
                    unanswered += 1
                    name, body = writer.pending
                    own.setdefault(name, ABSENT)
                    self.pending[name] = [body]
        # The kills came amid changes, and not before or after them.
        self.assertGreater(answered, KILLS)
        self.assertGreater(unanswered, KILLS)
        client = self.start()
        self.check(settled)
        bodies = {name: body for own in settled for name, body in own.items() if body is not ABSENT}
        self.assertHolds(client, bodies)
        self.assertNothingElseOnDisk(bodies)
        self.assertVerified()
        self.daemon.stop()
        self.assertVerified()
