"""One daemon to a folder, however the folder is called."""
import os
import pathlib
import subprocess
import time

from daemon import Daemon, binary
from client import Client
from store_case import StoreCase, body_of

BUSY_S = 3


class Locks(StoreCase):
    def test_other_names_of_the_folder_are_refused(self):
        client = self.start()
        client.put("first", body_of(1))
        folder = pathlib.Path(self.data)
        link = folder.parent / (folder.name + "-link")
        link.symlink_to(folder)
        self.addCleanup(link.unlink)
        for other in (link, folder / "rigs" / "..", f"{folder}//.", os.path.relpath(folder)):
            self.assertIn(str(other), self.refused_start(other))
        self.assertHolds(client, {"first": body_of(1)})
        self.daemon.stop()

    def test_killed_predecessor_leaves_no_lock(self):
        for i in range(5):
            client = self.start()
            self.assertIn(client.put("rig", body_of(i)).status, (200, 201))
            self.daemon.process.kill()  # and not waited for
            previous = self.daemon
            client = self.start()
            previous.process.communicate()
            self.assertHolds(client, {"rig": body_of(i)})
            self.daemon.kill()

    def test_of_many_at_once_one_starts(self):
        daemons = [Daemon(data=self.data, args=self.args).spawn() for _ in range(8)]
        serving = []
        for daemon in daemons:
            line = daemon.process.stdout.readline()
            if line:
                serving.append((daemon, int(line.rsplit(b":", 1)[1])))
            else:
                daemon.process.communicate()
                self.assertEqual(daemon.process.returncode, 1)
        self.assertEqual(len(serving), 1)
        daemon, port = serving[0]
        self.assertEqual(Client(port).put("rig", body_of(1)).status, 201)
        daemon.stop()

    def test_verify_never_keeps_a_daemon_from_starting(self):
        self.start()
        self.daemon.stop()
        verifying = subprocess.Popen(
            ["sh", "-c", 'while "$0" verify --data "$1" >/dev/null; do :; done',
             binary(), self.data], stderr=subprocess.DEVNULL)
        self.addCleanup(verifying.wait)
        self.addCleanup(verifying.terminate)
        end = time.monotonic() + BUSY_S
        while time.monotonic() < end:
            self.start()
            self.daemon.stop()
        self.assertIsNone(verifying.poll(), "posed verify found something")
