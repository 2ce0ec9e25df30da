"""Hostile files: each is answered as its table says, in bounded time and memory, without harm.

The collection is not part of the repository; without it the cases skip. EXPECT.tsv says R for what
must be refused and A for what may be accepted; a file without a row counts as A.
"""
import base64
import json
import os
import pathlib
import sys
import time
import unittest
import urllib.parse

import rigs
from case import DaemonCase, shared_file
from client import JSON
from daemon import binary

FOLDER = "malformed"
REFUSED = (400, 413, 415, 422)
REASONS = (
    "unsupported-media-type",
    "broken-asset",
    "unsupported-asset",
    "too-large",
    "invalid-value",
)
# A sanitized daemon works at a fifth of the speed and keeps what it frees for 256 MiB.
SANITIZED = "sanitize" in binary().parts
TIME_LIMIT_S = 20 if SANITIZED else 2  # of the processor: a machine may be busy with something else
ANSWER_LIMIT_S = 60
MEMORY_LIMIT_MIB = 900 if SANITIZED else 64
# The daemon may keep what it has loaded, as it does with rigs that are in use.
GROWTH_LIMIT_MIB = 900 if SANITIZED else 64
# Assimp's library crashes on some of these: test_other_formats holds that it costs only their reader.
OF_ASSIMP = {".dae", ".bvh", ".x", ".mesh", ".obj", ".ply", ".stl", ".3ds"}
# Rows that do not bind: the first does not hold the number that it is called after, the second is
# to be refused only by who cannot decode Draco, and the third's key times ascend, as they must.
WRONG_ROWS = {"json-1e400.glb", "draco-required.glb", "key-time-denormal.glb"}


def expectations():
    """{path below the folder: "R" or "A"} of every file that is no note or licence."""
    folder = shared_file(FOLDER)
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and "LICENCES" not in name.parts and path.suffix not in {".tsv", ".txt", *OF_ASSIMP}:
            found[name] = "A"
    for table in folder.rglob("EXPECT.tsv"):
        for line in table.read_text().splitlines():
            name, *rest = line.split("\t")
            path = table.parent.relative_to(folder) / name
            if path in found and name not in WRONG_ROWS:
                found[path] = rest[0]
    return found


def with_buffers(path):
    """A .gltf whose external buffers are there, with them as data URIs; None for others. So its
    own fault is reached, and not only the refusal of external files."""
    if path.suffix != ".gltf" or "derived" in str(path):
        return None
    try:
        whole = json.loads(path.read_bytes())
        inlined = 0
        for buffer in whole["buffers"]:
            data = path.parent / urllib.parse.unquote(buffer["uri"])
            if not buffer["uri"].startswith("data:") and data.is_file():
                text = base64.b64encode(data.read_bytes()).decode()
                buffer["uri"] = "data:application/octet-stream;base64," + text
                inlined += 1
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return json.dumps(whole).encode() if inlined else None


class Watch:
    """The daemon's memory and processor time: what it holds, and since mark() the most that it held
    and what it used."""

    def __init__(self, pid):
        self.folder = pathlib.Path("/proc", str(pid))

    def field_mib(self, name):
        for line in (self.folder / "status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) / 1024
        raise AssertionError(f"no {name}")

    def processor_s(self):
        """With that of the processes that it has waited for, such as those that read assets."""
        fields = (self.folder / "stat").read_text().rsplit(") ", 1)[1].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def mark(self):
        (self.folder / "clear_refs").write_text("5")  # forgets the peak
        self.before = self.field_mib("VmRSS")
        self.before_s = self.processor_s()
        self.begun = time.monotonic()

    def grown_mib(self):
        return self.field_mib("VmHWM") - self.before

    def used_s(self):
        return self.processor_s() - self.before_s


@unittest.skipUnless(sys.platform == "linux", "memory is read from /proc")
class Hostile(DaemonCase):
    own_daemon = True  # whose memory is watched

    @classmethod
    def prepare(cls):
        cls.watch = Watch(cls.daemon.process.pid)
        cls.put_rig("friend", rigs.square().glb())
        cls.friend = cls.client.frame("friend", width=32, height=32)

    def answered(self, title, body):
        """The answer to PUT, within the bounds."""
        self.watch.mark()
        reply = self.client.put("hostile", body)
        self.within_bounds(title)
        self.assertIn(reply.status, (200, 201, *REFUSED), str(reply))
        if reply.status >= 400:
            self.assertProblem(reply, reply.status, REASONS)
        return reply

    def within_bounds(self, title):
        seconds, grown = self.watch.used_s(), self.watch.grown_mib()
        self.worst_s = max(self.worst_s, (seconds, title))
        self.worst_mib = max(self.worst_mib, (grown, title))
        self.assertLess(seconds, TIME_LIMIT_S)
        self.assertLess(time.monotonic() - self.watch.begun, ANSWER_LIMIT_S)
        self.assertLess(grown, MEMORY_LIMIT_MIB)

    def use(self, title):
        """Every answer about what was accepted is a result or a refusal, never a bug's 500."""
        self.watch.mark()
        description = self.description("hostile")
        clips = [{"clip": i, "phase": 0.4} for i in range(min(3, len(description["clips"])))]
        for pose in ("rest", *clips):
            for method in ("lbs", "dqs"):
                for accept in ("application/octet-stream", JSON):
                    reply = self.client.vertices("hostile", pose, accept, skinning=method)
                    self.assertIn(reply.status, (200, *REFUSED), str(reply))
                    if reply.status == 200 and accept != JSON:
                        self.assertTrue(all(x - x == 0 for x in reply.floats()), "not finite")
            reply = self.client.frame("hostile", pose, width=16, height=16)
            self.assertIn(reply.status, (200, *REFUSED), str(reply))
            self.assertIn(self.client.pose("hostile", pose).status, (200, *REFUSED))
        self.within_bounds(title)

    def test_every_file_is_answered_as_its_table_says(self):
        folder, self.worst_s, self.worst_mib = shared_file(FOLDER), (0, ""), (0, "")
        start_mib = self.watch.field_mib("VmRSS")
        counts = {"refused": 0, "accepted": 0}
        for name, verdict in expectations().items():
            bodies = [(folder / name).read_bytes(), with_buffers(folder / name)]
            for body in (body for body in bodies if body is not None):
                with self.subTest(str(name)):
                    reply = self.answered(str(name), body)
                    counts["refused" if reply.status >= 400 else "accepted"] += 1
                    if verdict == "R":
                        self.assertGreaterEqual(reply.status, 400, str(reply))
                    if reply.status < 300:
                        self.use(str(name))
                        self.assertStatus(self.client.delete("hostile"), 204)
        print(
            f"hostile: {counts['refused']} refused, {counts['accepted']} accepted; at most "
            f"{self.worst_s[0]:.2f} s ({self.worst_s[1]}), "
            f"{self.worst_mib[0]:.0f} MiB ({self.worst_mib[1]})"
        )
        self.assertGreater(sum(counts.values()), 300)
        self.assertLess(self.watch.field_mib("VmRSS") - start_mib, GROWTH_LIMIT_MIB)
        again = self.client.frame("friend", width=32, height=32)
        self.assertEqual(self.assertStatus(again, 200).body, self.friend.body)


if __name__ == "__main__":
    unittest.main()
