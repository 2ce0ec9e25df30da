"""The start-up time of a daemon, and the memory of its rigs before they are used."""
import hashlib
import http.client
import os
import shutil
import statistics
import struct
import tempfile
import time

import rigs  # of the tests over HTTP, like daemon
from daemon import Daemon

COUNTS = (0, 1000, 10000)
RUNS = 11
LIMIT_S = 60


def record(name, digest, size):
    """As server/store/store_record.c writes it: a line with the hash of the others and the name."""
    lines = (f"posed rig 4\nsha256 {digest}\nbytes {size}\n"
             "vertices 3\njoints 1\nclips 0\n").encode()
    parts = (struct.pack("<Q", len(part)) + part for part in (name.encode(), lines))
    return lines.decode() + f"checksum {hashlib.sha256(b''.join(parts)).hexdigest()}\n"


def fill(folder, count):
    """Writes the files of as many PUTs of different assets, without the time that they take."""
    for part in ("objects", "rigs", "tmp"):
        os.makedirs(os.path.join(folder, part))
    for number in range(count):
        body = rigs.triangle([(0, 0, 0), (number + 1, 0, 0), (0, 1, 0)]).glb()
        digest = hashlib.sha256(body).hexdigest()
        with open(os.path.join(folder, "objects", digest), "wb") as file:
            file.write(body)
        with open(os.path.join(folder, "rigs", f"rig{number}"), "w", encoding="ascii") as file:
            file.write(record(f"rig{number}", digest, len(body)))
    os.sync()


def ready(port):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/readyz")
    status = connection.getresponse().status
    connection.close()
    return status == 200


def pss_kib(process):
    with open(f"/proc/{process.pid}/smaps_rollup", encoding="ascii") as rollup:
        return next(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))


def start(folder):
    """(seconds from exec to the first 200 of /readyz, KiB) of one daemon, which is then killed;
    None when it cannot draw here."""
    begun = time.perf_counter()
    daemon = Daemon(data=folder).start()
    while not ready(daemon.port):
        if time.perf_counter() - begun > LIMIT_S:
            daemon.kill()
            return None
    taken = time.perf_counter() - begun
    memory = pss_kib(daemon.process)
    daemon.kill()
    return taken, memory


def show():
    print(f"\nstart: from exec to the first 200 of /readyz, {RUNS} runs in turn, page cache and "
          "driver's shader cache warm")
    scratch = tempfile.mkdtemp(prefix="posed-bench-")
    folders = {count: os.path.join(scratch, str(count)) for count in COUNTS}
    for count, folder in folders.items():
        fill(folder, count)
    found = {count: [] for count in COUNTS}
    for round_ in range(-1, RUNS):
        for count, folder in folders.items():
            measured = start(folder)
            if measured is None:
                print("  left out: /readyz never says 200 here")
                shutil.rmtree(scratch)
                return
            if round_ >= 0:
                found[count].append(measured)
    shutil.rmtree(scratch)
    none = statistics.median(memory for _, memory in found[0])
    for count, runs in found.items():
        times = [taken * 1000 for taken, _ in runs]
        memory = statistics.median(memory for _, memory in runs) - none
        print(f"  {count:6} rigs {statistics.median(times):7.1f} ms   ({min(times):.1f} to "
              f"{max(times):.1f});  memory (Pss) {memory / 1024:+.2f} MiB")
