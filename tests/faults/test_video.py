"""Videos where FFmpeg's libraries are not there, are of no use, or were not there when posed was
built: 406 says what is missing, and everything else goes on."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from case import DEMO, DaemonCase
from client import Client, rig_path
from daemon import ROOT, Daemon
from test_gpu import FAULTY

WITHOUT = FAULTY.with_name("posed_without_video")
POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
LIBRARIES = ("avutil", "avcodec", "avformat", "swscale")
REQUEST = {"rig": "cyl2", "turntable": 3, "width": 32, "height": 32, "background": "#ffffff"}


class Videos(DaemonCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-libraries-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def put_before(self, library, make):
        """Puts a file where the linker looks before it finds the library, of any version.
        -> the environment for it"""
        for version in range(1, 100):
            make(self.folder / f"lib{library}.so.{version}")
        return {"LD_LIBRARY_PATH": str(self.folder)}

    def assertNoVideos(self, says, program=None, env=None):
        daemon = Daemon(program=program, env=env).start()
        self.addCleanup(daemon.stop)
        client = Client(daemon.port)
        self.assertEqual(client.put("cyl2", (DEMO / "cyl2.glb").read_bytes()).status, 201)
        for form, kind in (("mp4", "video/mp4"), ("webm", "video/webm")):
            for reply in (client.post("frames", {**REQUEST, "format": form}),
                          client.post("frames", REQUEST, accept=kind),
                          client.get(rig_path("cyl2", f"/frames.{form}?turntable=3&background=%23ffffff"))):
                self.assertProblem(reply, 406, "not-acceptable",
                                   says=(form, "FFmpeg's libraries", says))
        self.assertStatus(client.post("frames", {**REQUEST, "format": "gif"}), 200)

    def test_each_library_is_missed(self):
        for library in LIBRARIES:
            with self.subTest(library):
                env = self.put_before(library, pathlib.Path.touch)
                try:
                    self.assertNoVideos(f"lib{library}.so", env=env)
                finally:
                    for file in self.folder.iterdir():
                        file.unlink()

    def test_a_library_of_another_kind_is_none(self):
        # It can be loaded, and has none of the functions.
        other = next(path for path in (pathlib.Path(line.split(" => ")[-1]) for line in
                     subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True,
                                    check=True).stdout.splitlines())
                     if path.name.startswith("libz.so"))
        env = self.put_before("swscale", lambda path: path.symlink_to(other))
        self.assertNoVideos("undefined symbol", env=env)

    def test_a_posed_that_was_built_without_says_so(self):
        if not WITHOUT.exists():
            raise AssertionError(f"no daemon at {WITHOUT}: build it")
        self.assertNoVideos("was built without", program=WITHOUT)

    def test_pose_refuses_likewise(self):
        env = {**os.environ, **self.put_before("avformat", pathlib.Path.touch)}
        done = subprocess.run(
            [POSE, "turntable", DEMO / "cyl2.glb", "--background", "#ffffff", "-o",
             self.folder / "a.mp4"], capture_output=True, text=True, timeout=300, env=env)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("mp4 needs FFmpeg's libraries", done.stderr)
        self.assertFalse((self.folder / "a.mp4").exists())


if __name__ == "__main__":
    unittest.main()
