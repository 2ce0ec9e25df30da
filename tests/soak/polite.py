"""A client with few requests, from an address of its own, while others send too many."""
import http.client
import statistics
import threading
import time

import clients

ADDRESS = "127.0.0.2"
PAUSE_S = 0.1
TIMEOUT_S = 60


class Polite(threading.Thread):
    """One request at a time, each on a connection of its own, until it is told to stop."""

    def __init__(self, port, tally):
        super().__init__()
        self.port = port
        self.tally = tally
        self.over = threading.Event()
        self.latencies_s = []

    def run(self):
        step = 0
        while not self.over.wait(PAUSE_S):
            step += 1
            try:
                self.ask(clients.vertices(step / 1000 % 1))
            except Exception as error:  # a lost answer counts like a wrong one
                self.tally.note("polite", "lost", f"{type(error).__name__}: {error}")

    def ask(self, request):
        begun = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S,
                                                source_address=(ADDRESS, 0))
        try:
            connection.request(*request)
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        self.latencies_s.append(time.monotonic() - begun)
        self.tally.note("polite", response.status,
                        None if response.status == 200 else f"refused: {content[:200]!r}")

    def stop(self):
        self.over.set()
        self.join()

    def show(self):
        if len(self.latencies_s) < 2:
            return
        cuts = statistics.quantiles(self.latencies_s, n=1000)
        print(f"  the polite client waited {1000 * statistics.median(self.latencies_s):.1f} ms "
              f"(median), {1000 * cuts[989]:.1f} (99 %), {1000 * max(self.latencies_s):.0f} (most)")
