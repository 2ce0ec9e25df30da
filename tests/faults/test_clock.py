"""A clock on the wall that jumps changes nothing but the times in the log."""
import datetime
import os
import pathlib
import re
import subprocess
from unittest import mock

from client import Client, rig_path
from daemon import Daemon, binary
from store_case import StoreCase, body_of

FAKETIME = pathlib.Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")


class Jumps(StoreCase):
    """libfaketime gives the daemon a wall clock that a file sets; the monotonic one stays real."""

    def setUp(self):
        super().setUp()
        if not FAKETIME.exists():
            self.skipTest(f"no {FAKETIME}: Debian's package faketime has it")
        libraries = subprocess.run(["ldd", binary()], capture_output=True, text=True).stdout
        if "libasan" in libraries or "libtsan" in libraries:
            self.skipTest("sanitizers want to be the first library, and so does faketime")
        self.offset = pathlib.Path(self.data) / "offset"
        self.set_clock(0)

    def set_clock(self, seconds):
        self.offset.write_text(f"{seconds:+d}\n")

    def start_with_fake_clock(self):
        fake = {
            "LD_PRELOAD": str(FAKETIME),
            "FAKETIME_TIMESTAMP_FILE": str(self.offset),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        store = os.path.join(self.data, "store")
        with mock.patch.dict(os.environ, fake):
            self.daemon = Daemon(data=store, args=self.args).start()
        return Client(self.daemon.port)

    def logged_times(self):
        self.daemon.log.seek(0)
        found = re.findall(rb"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)", self.daemon.log.read(), re.M)
        return [datetime.datetime.fromisoformat(time.decode()) for time in found]

    def test_jumps_of_the_clock_break_nothing(self):
        client = self.start_with_fake_clock()
        client.put("rig", body_of(0))
        expected = client.vertices("rig").body
        with client.keep() as kept:
            for i, seconds in enumerate((-3600, 86400, -86400 * 365, 86400 * 365, 0)):
                self.set_clock(seconds)
                # An import has a deadline, a connection a time until it counts as idle.
                self.assertEqual(kept.put("new", body_of(i + 1)).status, 200 if i else 201)
                self.assertEqual(kept.vertices("rig").body, expected)
                self.assertEqual(kept.get(rig_path("new", "/source")).body, body_of(i + 1))
                self.assertEqual(client.vertices("new").status, 200)
        self.set_clock(-86400)
        self.daemon.stop()
        times = self.logged_times()
        self.assertLess(times[-1], times[0] - datetime.timedelta(hours=23), "the clock did not jump")
