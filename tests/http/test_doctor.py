"""posed doctor on machines where something is missing: each names the cause and the cure."""
import ctypes
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
from unittest import mock

import rigs
from client import Client
from daemon import Daemon, binary

LINE = re.compile(r"(ok  |warn|FAIL)  (.{12}) - (.+)")

# A /dev with an NVIDIA GPU's files in it.
FAKE_DEV = """
dev=$(mktemp -d) && mount -t tmpfs none "$dev" && mkdir "$dev/shm" &&
for name in null zero full random urandom; do
    touch "$dev/$name" && mount --bind "/dev/$name" "$dev/$name" || exit 99
done &&
touch "$dev/nvidia0" "$dev/nvidiactl" && mount --rbind "$dev" /dev"""


class Finding:
    def __init__(self, level, what, says):
        self.level, self.what, self.says, self.advice = level, what, says, ""

    def __repr__(self):
        return f"{self.level} {self.what} - {self.says} [{self.advice}]"


def read_lines(output):
    findings = []
    for line in output.splitlines():
        match = LINE.fullmatch(line)
        if match:
            findings.append(Finding(match[1].strip(), match[2].strip(), match[3]))
        else:
            assert line.startswith(" ") and findings, f"no finding and no advice: {line!r}"
            findings[-1].advice += line.strip()
    return findings


def library_path(name):
    """The path at which the dynamic linker finds a library."""
    ctypes.CDLL(name)
    for line in pathlib.Path("/proc/self/maps").read_text().splitlines():
        path = line.split(maxsplit=5)[-1]
        if os.path.basename(path).startswith(name.split(".so")[0] + ".so"):
            return path
    raise AssertionError(f"{name} is loaded and not mapped")


def elsewhere(script):
    """A command that changes what can be seen of the machine before it runs its arguments."""
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
               script + ' && exec "$0" "$@"']
    try:
        done = subprocess.run([*command, "true"], capture_output=True, text=True)
    except FileNotFoundError:
        raise unittest.SkipTest("no unshare here")
    if done.returncode != 0:
        raise unittest.SkipTest(f"no mount namespaces here: {done.stderr.strip()}")
    return command


def without_library(name):
    try:
        path = library_path(name)
    except OSError:
        return []  # it is missing as it is
    return elsewhere(f"mount --bind /dev/null {path}")


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-doctor-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "file"
        self.file.touch()

    def run_doctor(self, *args, before=(), data=None, **environment):
        return subprocess.run(
            [*before, str(binary()), "doctor", "--data", str(data or self.folder / "data"), *args],
            capture_output=True, text=True, timeout=120, env={**os.environ, **environment})

    def findings(self, *args, status=0, **how):
        done = self.run_doctor(*args, **how)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")
        return read_lines(done.stdout)

    def undrawn(self, *args, **how):
        """The findings where no driver is looked for long: trying those that are here takes a second."""
        return self.findings("--renderer", "none", *args, __EGL_VENDOR_LIBRARY_DIRS="/nonexistent", **how)

    def assertFinds(self, findings, level, says, advice=""):
        fitting = [finding for finding in findings
                   if finding.level == level and says in finding.says and advice in finding.advice]
        self.assertTrue(fitting, f"no {level} says {says!r} and {advice!r}:\n"
                        + "\n".join(map(repr, findings)))


class Doctor(Case):
    def test_machine_that_draws_is_well(self):
        findings = self.findings()
        self.assertNotIn("FAIL", [finding.level for finding in findings])
        renderer = findings[-1]
        self.assertEqual(renderer.what, "renderer")
        self.assertRegex(renderer.says, "--renderer auto draws on the (CPU|GPU) with .+")
        self.assertEqual(renderer.level, "ok")
        # A driver that draws is told of with what a client may meet.
        self.assertTrue([finding for finding in findings
                         if re.search(r"pictures to \d+ x \d+ with \d+ samples", finding.says)])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["file"],
                         "the doctor leaves nothing behind")

    def test_json_says_the_same(self):
        lines = [(finding.level, finding.what) for finding in self.findings()]
        done = self.run_doctor("--json")
        self.assertEqual(done.returncode, 0)
        report = json.loads(done.stdout)
        self.assertIs(report["ok"], True)
        self.assertEqual([(entry["level"], entry["what"]) for entry in report["findings"]], lines)

    def test_wrong_arguments_end_with_2(self):
        for args in (["--nope"], ["--renderer", "vulkan"], ["--json", "extra"]):
            done = self.run_doctor(*args)
            self.assertEqual(done.returncode, 2, args)
            self.assertTrue(done.stderr.startswith("posed doctor: "), done.stderr)

    def test_gpu_that_is_not_there_fails(self):
        if "draws on the GPU" in self.findings()[-1].says:
            self.skipTest("there is a GPU here")
        findings = self.findings("--renderer", "gpu", status=1)
        self.assertFinds(findings, "FAIL", "--renderer gpu: no GPU driver", "--renderer cpu")

    def test_no_driver_is_fine_where_none_is_wanted(self):
        findings = self.findings("--renderer", "none", __EGL_VENDOR_LIBRARY_DIRS="/nonexistent")
        self.assertFinds(findings, "ok", "--renderer none")
        self.assertFinds(findings, "ok", "finds no driver")

    def test_vendor_folder_without_files(self):
        findings = self.findings(
            "--renderer", "software", status=1, __EGL_VENDOR_LIBRARY_DIRS="/nonexistent")
        self.assertFinds(findings, "FAIL", "no *.json in /nonexistent",
                         "Unset __EGL_VENDOR_LIBRARY_DIRS")

    def test_vendor_files_that_name_nothing(self):
        broken, gone = self.folder / "broken.json", self.folder / "gone.json"
        broken.write_text("{")
        gone.write_text('{"ICD": {"library_path": "libEGL_gone.so.0"}}')
        findings = self.findings("--renderer", "software", status=1,
                                 __EGL_VENDOR_LIBRARY_FILENAMES=f"{broken}:{gone}")
        self.assertFinds(findings, "warn", f"{broken}: ")
        self.assertFinds(findings, "warn", "libEGL_gone.so.0: cannot open", "libEGL_gone.so.0")
        self.assertFinds(findings, "FAIL", str(broken), "Unset __EGL_VENDOR_LIBRARY_FILENAMES")

    def test_mesa_without_its_drivers(self):
        if "draws on the GPU" in self.findings()[-1].says:
            self.skipTest("Mesa need not be what draws here")
        findings = self.findings(
            "--renderer", "software", status=1, LIBGL_DRIVERS_PATH=str(self.folder))
        self.assertFinds(findings, "warn", "LIBGL_DRIVERS_PATH", "Unset LIBGL_DRIVERS_PATH")
        self.assertFinds(findings, "warn", "eglInitialize: EGL_NOT_INITIALIZED (0x3001)",
                         "libgl1-mesa-dri")

    def test_shader_cache_with_no_place(self):
        findings = self.undrawn(HOME=str(self.file), XDG_CACHE_HOME=str(self.file))
        self.assertFinds(findings, "warn", f"({self.file}: Not a directory)",
                         "MESA_SHADER_CACHE_DIR")

    def test_data_that_is_no_folder(self):
        findings = self.undrawn(data=self.file, status=1)
        self.assertFinds(findings, "FAIL", f"{self.file}: Not a directory", "--data")

    def test_data_that_is_read_only(self):
        before = elsewhere(f"mount -t tmpfs -o ro none {self.folder}")
        findings = self.undrawn(data=self.folder, before=before, status=1)
        self.assertFinds(findings, "FAIL", "Read-only file system", "volume")

    def test_data_that_is_not_ours(self):
        before, user = [], os.geteuid()
        if user == 0:  # who may write everywhere
            before, user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"], 65534
            if subprocess.run([*before, "test", "-x", binary()]).returncode != 0:
                self.skipTest("the daemon's program may be run by root only")
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        findings = self.undrawn(before=before, status=1)
        self.assertFinds(findings, "FAIL", f"{self.folder}: Permission denied",
                         f"chown {user} {self.folder}")

    def test_data_of_a_running_daemon(self):
        daemon = Daemon().start()
        self.addCleanup(daemon.stop)
        findings = self.undrawn(data=daemon.data)
        self.assertFinds(findings, "warn", "a posed holds its lock", "--data")

    def test_few_descriptors(self):
        findings = self.undrawn(before=["sh", "-c", 'ulimit -n 100; exec "$0" "$@"'])
        self.assertFinds(findings, "warn", "100 open files", "ulimit -n")

    def test_more_threads_than_cores(self):
        findings = self.findings("--render-threads", "64")
        cores = len(os.sched_getaffinity(0))
        if cores < 64:
            self.assertFinds(findings, "warn", "64 render threads share", "--render-threads")

    def test_nvidia_without_its_graphics_part(self):
        before = elsewhere(FAKE_DEV)
        if pathlib.Path("/dev/nvidia0").exists():
            self.skipTest("there is a real one here")
        findings = self.findings(before=before, NVIDIA_DRIVER_CAPABILITIES="compute,utility")
        self.assertFinds(findings, "warn", "not its driver for EGL", "now it is compute,utility")
        self.assertFinds(findings, "warn", "though there is a GPU")


class WithoutLibraries(Case):
    """The daemon, too, must live without them: libepoxy would end it."""

    def test_doctor_names_the_package(self):
        for library in ("libEGL.so.1", "libGLESv2.so.2"):
            before = without_library(library)
            findings = self.findings("--renderer", "software", before=before, status=1)
            self.assertFinds(findings, "FAIL", f"cannot load {library}", "apt-get install libegl1")

    def test_nothing_is_lost_without_them_where_there_is_no_gpu(self):
        if "draws on the GPU" in self.findings()[-1].says:
            self.skipTest("there is a GPU here")
        findings = self.findings(before=without_library("libEGL.so.1"))
        self.assertFinds(findings, "ok", "cannot load libEGL.so.1")
        self.assertFinds(findings, "ok", "--renderer auto draws on the CPU with posed")

    def started_without_egl(self, renderer):
        """A client of a daemon that finds no EGL."""
        wrapper = self.folder / "posed"
        command = [*without_library("libEGL.so.1"), str(binary())]
        quoted = " ".join(f"'{word}'" for word in command)
        wrapper.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
        wrapper.chmod(0o755)
        with mock.patch.dict(os.environ, POSED_BINARY=str(wrapper)):
            daemon = Daemon(args=["--renderer", renderer]).start()
        self.addCleanup(daemon.stop)
        return Client(daemon.port)

    def test_daemon_draws_by_itself(self):
        client = self.started_without_egl("auto")
        self.assertEqual(client.get("/readyz").status, 200)
        self.assertEqual(client.get("/v1").json()["renderer"]["device"], "cpu")
        self.assertEqual(client.put("x", rigs.triangle().glb()).status, 201)
        self.assertEqual(client.get("/v1/rigs/x/frame.png").status, 200)

    def test_daemon_does_not_start_without_what_it_is_asked_for(self):
        with self.assertRaises(AssertionError):
            self.started_without_egl("software")

    def test_daemon_serves_what_needs_no_driver(self):
        client = self.started_without_egl("none")
        self.assertEqual(client.put("x", rigs.triangle().glb()).status, 201)
        self.assertEqual(client.vertices("x").status, 200)
        self.assertEqual(client.get("/v1/rigs/x/frame.png").status, 503)


if __name__ == "__main__":
    unittest.main()
