"""The memory of the largest picture is released some time later, without another request."""
import pathlib
import re
import time
import unittest

from case import DaemonCase
from daemon import is_instrumented

RELEASE_S = 1
MIB = 1 << 20


class Released(DaemonCase):
    daemon_args = ("--render-threads", "1", "--release-seconds", str(RELEASE_S))

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def resident_mib(self):
        """Asked of the kernel: a request would be one."""
        status = pathlib.Path(f"/proc/{self.daemon.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024 / MIB

    def picture(self, size):
        pose = {"clip": "bend", "time": size / 4096}
        reply = self.client.frame("cyl2", pose, width=size, height=size)
        return self.assertStatus(reply, 200).body

    @unittest.skipIf(is_instrumented(), "a sanitizer holds what was freed")
    def test_buffers_of_a_large_picture_are_freed_by_time(self):
        if self.client.get("/v1").json()["renderer"]["device"] != "software":
            self.skipTest("these buffers are only in the daemon's memory where the CPU draws")
        small = self.picture(64)
        before = self.resident_mib()
        self.picture(4096)
        # 4 samples of colour and depth for 16 million pixels are 512 MiB.
        self.assertGreater(self.resident_mib(), before + 400)
        deadline = time.monotonic() + RELEASE_S + 20
        while self.resident_mib() > before + 64:
            self.assertLess(time.monotonic(), deadline, f"{self.resident_mib():.0f} MiB stay")
            time.sleep(0.05)
        self.assertEqual(self.picture(64), small)


if __name__ == "__main__":
    unittest.main()
