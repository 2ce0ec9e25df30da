"""The daemon at a Unix socket: its path's life, its clients, and a socket that systemd opened."""
import http.client
import os
import pathlib
import socket
import stat
import subprocess
import tempfile
import unittest

from case import DEMO
from daemon import ROOT, Daemon, binary

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()


class PathConnection(http.client.HTTPConnection):
    """http.client over a Unix socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=300)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def get(path, target):
    connection = PathConnection(path)
    try:
        connection.request("GET", target)
        return connection.getresponse().status
    finally:
        connection.close()


class UnixSocket(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posed-socket-")
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "socket")
        self.address = "unix:" + self.path

    def start(self, *args, **options):
        daemon = Daemon(
            args=("--renderer", "none", *args), listen=self.address, **options
        ).start()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.stop())
        return daemon

    def test_requests_are_answered_there(self):
        self.start()
        self.assertEqual(get(self.path, "/healthz"), 200)

    def test_path_has_its_permissions_and_goes_at_the_end(self):
        for args, mode in (((), 0o660), (("--socket-mode", "600"), 0o600)):
            daemon = self.start(*args)
            self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), mode)
            daemon.stop()
            self.assertFalse(os.path.exists(self.path))

    def test_dead_daemon_s_socket_is_replaced_and_a_living_one_s_is_not(self):
        first = self.start()
        second = subprocess.run(
            [binary(), "--listen", self.address, "--data", self.folder.name + "/data"],
            capture_output=True, text=True, timeout=300,
        )
        self.assertEqual(second.returncode, 1, second.stderr)
        self.assertIn(self.path, second.stderr)
        self.assertEqual(get(self.path, "/healthz"), 200)
        first.kill()
        self.assertTrue(os.path.exists(self.path), "SIGKILL leaves the path")
        self.start()
        self.assertEqual(get(self.path, "/healthz"), 200)

    def test_other_files_are_left_alone(self):
        pathlib.Path(self.path).write_text("precious")
        done = subprocess.run(
            [binary(), "--listen", self.address, "--data", self.folder.name + "/data"],
            capture_output=True, text=True, timeout=300,
        )
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(pathlib.Path(self.path).read_text(), "precious")

    def test_client_takes_the_path(self):
        self.start()
        put = [POSE, "put", DEMO / "cyl2.glb", "--server", self.address]
        done = subprocess.run(put, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        env = {**os.environ, "POSED_SERVER": self.address}
        done = subprocess.run([POSE, "list"], capture_output=True, text=True, timeout=300, env=env)
        self.assertIn("cyl2", done.stdout)
        missing = "unix:" + self.path + ".not"
        done = subprocess.run(
            [POSE, "list", "--server", missing], capture_output=True, text=True, timeout=300
        )
        self.assertEqual(done.returncode, 4)
        self.assertIn(missing, done.stderr)

    def test_health_asks_there(self):
        def health():
            return subprocess.run(
                [binary(), "health", "--listen", self.address, "--data", "x"],
                capture_output=True, text=True, timeout=300,
            )

        down = health()
        self.assertEqual(down.returncode, 1)
        self.assertRegex(down.stdout, r"^posed: not ready: .*\n$")
        self.start()
        # The daemon answers, and cannot draw without a renderer: what it says is passed on.
        blind = health()
        self.assertEqual(blind.returncode, 1)
        self.assertRegex(blind.stdout, r"^posed: not ready: status 503: .*no-renderer.*\n$")

    def test_socket_from_systemd_is_used(self):
        with socket.socket(socket.AF_UNIX) as ours:
            ours.bind(self.path)
            ours.listen(8)
            # As systemd does it: descriptor 3, and the process named in the environment.
            script = (
                f"exec 3<&{ours.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 exec {binary()} "
                f"--renderer none --data {self.folder.name}/data"
            )
            process = subprocess.Popen(
                ["bash", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                pass_fds=[ours.fileno()],
            )
            line = process.stdout.readline().decode()
            self.assertEqual(line, f"posed: listening on {self.address}\n")
            self.assertEqual(get(self.path, "/healthz"), 200)
            process.terminate()
            process.stdout.close()
            self.assertEqual(process.wait(120), 0)
            self.assertTrue(os.path.exists(self.path), "the path is systemd's")

    def test_more_than_one_socket_from_systemd_is_refused(self):
        script = f"LISTEN_PID=$$ LISTEN_FDS=2 exec {binary()} --data {self.folder.name}/data"
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertIn("LISTEN_FDS", done.stderr)


class Health(unittest.TestCase):
    def test_health_over_tcp(self):
        daemon = Daemon().start()
        self.addCleanup(daemon.stop)
        done = subprocess.run(
            [binary(), "health", "--listen", f"127.0.0.1:{daemon.port}"],
            capture_output=True, text=True, timeout=300,
        )
        self.assertEqual((done.returncode, done.stdout), (0, "posed: ready\n"))

    def test_wrong_arguments_end_with_2(self):
        done = subprocess.run([binary(), "health", "--bogus"], capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 2)

    def test_what_speaks_no_http_is_not_ready(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            process = subprocess.Popen(
                [binary(), "health", "--listen", f"127.0.0.1:{port}"], stdout=subprocess.PIPE,
                text=True,
            )
            client, _ = server.accept()
            client.recv(100)
            client.sendall(b"SSH-2.0\r\n")
            client.close()
            out, _ = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1)
        self.assertIn("did not send HTTP", out)


if __name__ == "__main__":
    unittest.main()
