"""All data of an acknowledged request is synced before the response is sent, as seen by the kernel."""
import os
import re
import shutil
import subprocess
import tempfile
import time
from unittest import mock

from store_case import StoreCase, body_of

CALLS = "fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,sendto,sendmsg,write,writev"


class Order(StoreCase):
    """strace writes down what the daemon asks the kernel for, with the paths of descriptors."""

    def setUp(self):
        super().setUp()
        if not shutil.which("strace"):
            self.skipTest("no strace here")
        self.trace = tempfile.NamedTemporaryFile(prefix="posed-strace-")
        self.addCleanup(self.trace.close)

    def attach(self):
        tracer = subprocess.Popen(
            ["strace", "-f", "-y", "-s", "40", "-o", self.trace.name, "-e", "trace=" + CALLS,
             "-p", str(self.daemon.process.pid)], stderr=subprocess.PIPE, text=True)
        self.addCleanup(tracer.wait)
        self.addCleanup(tracer.terminate)
        line = tracer.stderr.readline()
        if "attached" not in line:
            self.skipTest(f"strace cannot attach here: {line.strip()}")
        self.tracer = tracer

    def detach(self):
        self.tracer.terminate()
        self.tracer.wait()
        self.tracer.stderr.close()

    def events(self):
        """The calls that matter in order: ("fsync", where), ("rename", from, to),
        ("unlink", what), ("answer", status)."""
        events = []
        for line in open(self.trace.name, encoding="utf-8", errors="replace"):
            inside = re.findall(rf"<{re.escape(self.data)}/?([^>]*)>(?:, \"([^\"]*)\")?", line)
            places = [os.path.join(folder, name) if name else folder for folder, name in inside]
            answer = re.search(r"HTTP/1\.1 (\d{3})", line)
            if answer and re.search(r" (sendto|sendmsg|write|writev)\(", line):
                events.append(("answer", int(answer[1])))
            elif re.search(r" f(data)?sync\(", line) and places:
                events.append(("fsync", places[0]))
            elif re.search(r" rename(at2?)?\(", line) and len(places) == 2:
                events.append(("rename", *places))
            elif re.search(r" unlink(at)?\(", line) and places:
                events.append(("unlink", places[0]))
        return events

    def written(self, place):
        return [("fsync", "tmp/writing"), ("rename", "tmp/writing", place),
                ("fsync", os.path.dirname(place))]

    def test_everything_is_synced_before_the_answer(self):
        # LeakSanitizer cannot look for leaks under a tracer.
        with mock.patch.dict(os.environ, {"ASAN_OPTIONS": "detect_leaks=0"}):
            client = self.start()
        self.attach()
        first = client.put("rig", body_of(1)).json()["content"].split(":")[1]
        second = client.put("rig", body_of(2)).json()["content"].split(":")[1]
        client.delete("rig")
        time.sleep(0.1)
        self.detach()
        self.assertEqual(self.events(), [
            *self.written(f"objects/{first}"), *self.written("rigs/rig"), ("answer", 201),
            *self.written(f"objects/{second}"), *self.written("rigs/rig"),
            ("unlink", f"objects/{first}"), ("answer", 200),
            ("unlink", "rigs/rig"), ("fsync", "rigs"), ("unlink", f"objects/{second}"),
            ("answer", 204),
        ])
        self.daemon.stop()
