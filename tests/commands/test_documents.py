"""Every command in the documents runs as it stands in a clone, beside a daemon with the demo rigs as
`make run` starts it. Those that cannot run in a test are in a list, with the reason."""
import os
import pathlib
import re
import shlex
import signal
import subprocess
import tempfile
import time
import unittest

from case import DaemonCase, DEMO
from commands import commands, documents
from daemon import Daemon, ROOT, binary

ADDRESS = "http://127.0.0.1:8600"  # which the documents name
LIMIT_S = 120
LONG = "is a part of the tests that takes long"
# Commands that are not run: the document, how the command begins, and the reason.
EXCEPTIONS = (
    ("docs/developing.md", "tests/viewer/run.py", LONG),
    ("docs/developing.md", "tests/golden/run.py", LONG),
    ("docs/developing.md", "tests/conformance/run.py", LONG),
    ("docs/performance.md", "tests/bench/against_mhd.py", "measures for minutes"),
    ("docs/rasteriser.md", "tests/golden/rigs_beside.py", "draws for minutes beside Chromium"),
    ("docs/running.md", "sudo apt-get install ./posed_", "installs a package, as root"),
    ("docs/running.md", "sudoedit /etc/posed/posed.conf", "changes the system's files, as root"),
    ("docs/running.md", "systemctl reload posed", "needs the service, as root"),
    ("docs/running.md", "podman build", "needs podman and the network"),
    ("docs/running.md", "podman run", "needs podman and an image"),
    ("docs/pose.md", "sudo apt-get install libavcodec-dev", "installs packages, as root"),
    ("clients/js/README.md", "(cd posed/clients/js && npm install", "needs the network"),
    ("clients/js/README.md", "npm install posed/clients/js/posed-", "needs the network"),
    ("clients/python/README.md", "python3 -m venv env", "needs the network"),
)
# The shell asks make for its targets only, but for programs to be run next, and curl fails where the daemon refuses.
SHELL = """
make() { case $1 in build/*) command make "$@" ;; *) command make -n "$@" ;; esac; }
curl() { command curl --fail --silent --show-error "$@"; }
"""


def excepted(name, command):
    return [row for row in EXCEPTIONS if row[0] == name and command.startswith(row[1])]


def objects():
    """The folder of the objects and the programs of tests."""
    folder = binary().parent / "release"
    return folder if folder.exists() else binary().parent


def daemon_of_make_run():
    """The daemon without FFmpeg, whose headers `make run` does not install."""
    program = objects() / "tests" / "faults" / "posed_without_video"
    return program if program.exists() else binary()


def clone(folder):
    """The committed files, and a build folder with the programs under test and what lies beside them."""
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True).stdout
    names = {path.partition("/")[0] for path in tracked.splitlines()} or set(os.listdir(ROOT))
    for name in names - {"build"}:
        (folder / name).symlink_to(ROOT / name)
    build = folder / "build"
    build.mkdir()
    pose = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
    beside = [(name, pose.parent / name) for name in ("pclip.c", "pclip.h")]
    for name, program in (("posed", binary()), ("pose", pose), *beside):
        (build / name).symlink_to(program)
    (build / "release").symlink_to(objects())


def files_of(command, option):
    return re.findall(rf"(?<= {option} )\S+", command)


class Shell:
    """A shell that runs commands one after another, as a user types them."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.said = open(folder.parent / "said", "w+b")
        self.process = subprocess.Popen(
            ["bash", "--norc", "-s"], cwd=folder, env=environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.said, text=True, start_new_session=True)
        self.type(SHELL)

    def type(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def run(self, command):
        """The exit status of a command."""
        self.type(f"{{ {command}\n}} < /dev/null >&2\necho ended $?")
        line = self.process.stdout.readline()
        if not line:
            return f"the shell ended with {self.process.wait()}"
        return int(line.split()[1])

    def errors(self):
        self.said.seek(0)
        return self.said.read().decode(errors="replace")[-2000:]

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.communicate()
        self.said.close()


class Commands(DaemonCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="posed-clone-")
        cls.addClassCleanup(folder.cleanup)
        cls.clone = pathlib.Path(folder.name, "posed")
        cls.clone.mkdir()
        clone(cls.clone)
        cls.daemon = Daemon(data=cls.clone / "build" / "demo", args=("--load", str(DEMO)),
                            program=daemon_of_make_run()).start()
        cls.addClassCleanup(cls.daemon.stop)
        cls.listen = f"127.0.0.1:{cls.daemon.port}"
        home = pathlib.Path(folder.name, "home")
        home.mkdir()
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("POSED_", "POSE_", "MAKE", "XDG_")) and name != "MFLAGS"}
        cls.environment = {
            **kept, "HOME": str(home), "PATH": f"{cls.clone / 'build'}:{kept['PATH']}",
            "POSED_SERVER": "http://" + cls.listen, "POSED_LISTEN": cls.listen,
            "POSED_BINARY": str(binary()), "TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}

    def await_files(self, names, begun):
        """Files that a command in the background writes once it has begun."""
        deadline = time.monotonic() + LIMIT_S
        for path in (self.clone / name for name in names):
            while not (path.exists() and path.stat().st_size and path.stat().st_mtime_ns >= begun):
                self.assertLess(time.monotonic(), deadline, f"{path.name} does not come")
                time.sleep(0.02)

    def watch(self, command):
        """Runs a command that goes on until it is ended, and ends it when it has done something."""
        process = subprocess.Popen(["bash", "-c", "exec " + command], cwd=self.clone,
                                   env=self.environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        try:
            self.assertRegex(process.stderr.readline(), "drawn|put")
            process.send_signal(signal.SIGINT)
            return process.wait(timeout=LIMIT_S)
        finally:
            process.kill()
            process.communicate()

    def try_all(self, name, document):
        shell = Shell(self.clone, self.environment)
        self.addCleanup(shell.end)
        count = 0
        for command in commands(document):
            if excepted(name, command):
                continue
            count += 1
            with self.subTest(command):
                begun = time.time_ns()
                here = command.replace(ADDRESS, "http://" + self.listen)
                if " --show " in here:
                    here = f"script --quiet --return --command {shlex.quote(here)} /dev/null"
                if re.match(r"(build/)?pose watch (?!--help)", command):
                    status = self.watch(here)
                else:
                    status = shell.run(here)
                self.assertEqual(status, 0, shell.errors())
                if command.endswith("&"):
                    self.await_files(files_of(command, "-D"), begun)
        return count


def method_of(name, document):
    def test(self):
        self.try_all(name, document)
    return test


for name, document in documents().items():
    if any(not excepted(name, command) for command in commands(document)):
        setattr(Commands, "test_" + re.sub(r"\W", "_", name), method_of(name, document))


class Exceptions(unittest.TestCase):
    def test_each_stands_for_one_command_that_is_there(self):
        for name, beginning, _ in EXCEPTIONS:
            with self.subTest(beginning):
                found = [command for command in commands(documents()[name])
                         if command.startswith(beginning)]
                self.assertEqual(len(found), 1, found)
                program = found[0].split()[0]
                if program.startswith("tests/"):
                    self.assertTrue(os.access(ROOT / program, os.X_OK), program)


def exception_of(row):
    def test(self):
        self.skipTest(f"{row[0]}: {row[1]}...: {row[2]}")
    return test


for number, row in enumerate(EXCEPTIONS):
    setattr(Exceptions, f"test_not_run_{number}", exception_of(row))


if __name__ == "__main__":
    unittest.main()
