#!/usr/bin/env python3
"""make soak: everything at once for as long as asked, and nothing may grow, get lost or go wrong.

soak.py [MINUTES [CLIENTS]]. The daemon of POSED_BINARY, or the one that was built, gets pictures,
vertices, poses, long answers, puts and deletes, from clients of which some leave early, some are
slow and every fourth attacks, while a polite client asks for a little. At the end: memory does not
grow, descriptors and threads are back to what they were, each request was answered as expected or
given up by its client, the polite client was never refused, and the daemon ends with 0.
"""
import collections
import os
import pathlib
import random
import statistics
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/http"))
import attacks  # noqa: E402
import clients  # noqa: E402
import polite  # noqa: E402
import process  # noqa: E402
from client import Client  # noqa: E402
from daemon import Daemon  # noqa: E402

SAMPLE_S = 10
SAMPLES_LEAST = 12  # of a run, also a short one
SETTLE_S = 5  # until what the clients left is gone
GROWTH_MOST = 0.02  # of the middle third's memory, in the last
DESCRIPTORS_MORE = 8  # at the end than before
ATTACKER_EACH = 4  # of so many clients one attacks


class Tally:
    """The outcome of all requests."""

    def __init__(self):
        self.mutex = threading.Lock()
        self.outcomes = collections.Counter()
        self.wrong = []

    def note(self, activity, outcome, wrong=None):
        """outcome: a status, or a word; wrong: what should not have been."""
        with self.mutex:
            self.outcomes[activity, outcome] += 1
            if wrong:
                self.wrong.append(f"{activity}: {wrong}")


def act(port, seed, known, tally, over):
    """One client until it is over: one activity after another, at random."""
    chance = random.Random(seed)
    kind = attacks.Attacker if seed % ATTACKER_EACH == ATTACKER_EACH - 1 else clients.Actor
    actor = kind(port, f"soak{seed}", chance, known)
    while not over.is_set():
        name, activity = actor.choose()
        try:
            actor.run(activity, lambda outcome, wrong=None: tally.note(name, outcome, wrong))
        except Exception as error:  # also a lost answer: everything counts
            tally.note(name, "lost", f"{type(error).__name__}: {error}; {actor.history()}")
            actor.close()
    actor.close()


def show_sample(sample, since_s):
    print(f"  {since_s:6.0f} s  own {sample.own_kib / 1024:7.1f} MiB  Pss "
          f"{sample.pss_kib / 1024:7.1f}  RSS "
          f"{sample.rss_kib / 1024:7.1f}  helpers {sample.helpers_kib / 1024:6.1f}  "
          f"{sample.descriptors:4} descriptors  {sample.threads} threads", flush=True)


def watch(daemon, seconds):
    """Samples of the daemon until the time is over, or it ended."""
    begun = time.monotonic()
    step = min(SAMPLE_S, seconds / SAMPLES_LEAST)
    samples = []
    while time.monotonic() - begun < seconds and daemon.process.poll() is None:
        time.sleep(step)
        samples.append(process.sample(daemon.process.pid))
        show_sample(samples[-1], time.monotonic() - begun)
    return samples


def growth(samples):
    """The last third's median memory against the middle third's: 0.01 = one hundredth more."""
    third = len(samples) // 3
    middle, last = samples[third:2 * third], samples[2 * third:]
    before, after = (statistics.median(s.own_kib for s in part) for part in (middle, last))
    return after / before - 1


def check(before, samples, after, tally, hold_memory):
    """The faults, as sentences."""
    faults = []
    grown = growth(samples)
    print(f"  memory of its own: last third against middle third {grown:+.2%}"
          + ("" if hold_memory else ", which says nothing with AddressSanitizer"))
    if hold_memory and grown > GROWTH_MOST:
        faults.append(f"memory grew by {grown:.1%}, may by {GROWTH_MOST:.0%}")
    if after.descriptors > before.descriptors + DESCRIPTORS_MORE:
        faults.append(f"{after.descriptors} descriptors behind it, {before.descriptors} before")
    if after.threads > before.threads:
        faults.append(f"{after.threads} threads behind it, {before.threads} before")
    faults += [f"{len(tally.wrong)} answers were not as expected"] if tally.wrong else []
    return faults


def show_outcomes(tally):
    by_activity = collections.defaultdict(dict)
    for (activity, outcome), count in tally.outcomes.items():
        by_activity[activity][str(outcome)] = count
    for activity, outcomes in sorted(by_activity.items()):
        print(f"  {activity:<22} " + ", ".join(
            f"{outcome}: {count}" for outcome, count in sorted(outcomes.items())))
    print(f"  {sum(tally.outcomes.values())} requests")
    for wrong, count in collections.Counter(tally.wrong).most_common(20):
        print(f"  WRONG {count} times: {wrong[:400]}")


def run_clients(daemon, seconds, count):
    """(samples, tally) of so many clients for so long."""
    tally, over = Tally(), threading.Event()
    known = clients.Known(Client(daemon.port))
    threads = [threading.Thread(target=act, args=(daemon.port, seed, known, tally, over))
               for seed in range(count)]
    guest = polite.Polite(daemon.port, tally)
    for thread in (*threads, guest):
        thread.start()
    samples = watch(daemon, seconds)
    over.set()
    for thread in threads:
        thread.join()
    guest.stop()
    guest.show()
    return samples, tally


def soak(minutes, count):
    daemon = Daemon(args=os.environ.get("SOAK_ARGS", "").split()).start()
    clients.prepare(Client(daemon.port))
    before = process.sample(daemon.process.pid)
    hold_memory = not process.keeps_freed_memory(daemon.process.pid)
    print(f"soak: {count} clients for {minutes:g} minutes")
    show_sample(before, 0)
    samples, tally = run_clients(daemon, minutes * 60, count)
    show_outcomes(tally)
    if daemon.process.poll() is not None:
        print(f"soak: FAILED: the daemon ended, {daemon.process.returncode}\n{daemon.log_tail()}")
        return 1
    time.sleep(SETTLE_S)
    after = process.sample(daemon.process.pid)
    show_sample(after, minutes * 60 + SETTLE_S)
    daemon.stop()  # holds it to exit code 0
    faults = check(before, samples, after, tally, hold_memory)
    print("soak: " + ("FAILED: " + "; ".join(faults) if faults else "passed"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(soak(float(sys.argv[1]) if len(sys.argv) > 1 else 30,
                  int(sys.argv[2]) if len(sys.argv) > 2 else 12))
