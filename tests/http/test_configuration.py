"""Options in their three forms, what --check-config says of them, and reloads."""
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from client import Client
from daemon import ROOT, Daemon, binary

RUNNING = ROOT / "docs" / "running.md"
WAIT_S = 120


# The content of the files that options name.
FILES = {
    "tokens": "tester read,write 0123456789abcdef\n",
    "sign-keys": "00112233445566778899aabbccddeeff ffeeddccbbaa99887766554433221100\n",
    "presets": "card = width:100/height:100\n",
}


def run(*args, **env):
    return subprocess.run(
        [binary(), *args], capture_output=True, text=True, timeout=300, env={**os.environ, **env}
    )


def variable(option):
    return "POSED_" + option.upper().replace("-", "_")


class Options(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posed-options-")
        self.addCleanup(self.folder.cleanup)
        self.file = pathlib.Path(self.folder.name) / "posed.conf"
        self.data = os.path.join(self.folder.name, "data")

    def options(self):
        """Those of --check-config with their values and origins, in order."""
        done = run("--check-config", "--data", self.data)
        self.assertEqual(done.returncode, 0, done.stderr)
        return said(done.stdout)

    def test_every_option_is_in_help_and_in_the_documents(self):
        shown = run("--help").stdout
        options = self.options()
        self.assertGreater(len(options), 10)
        text = RUNNING.read_text()
        for option in options:
            self.assertRegex(shown, rf"(?m)^  --{option} \S")
            self.assertRegex(shown, rf"(?m)^      {variable(option)}\b")
            self.assertTrue(f"\n| `--{option} " in text, f"{RUNNING} has no row for --{option}")
        for option in re.findall(r"(?m)^\| `--([a-z-]+)", text):
            self.assertIn(option, options, f"{RUNNING} names --{option}")

    def test_every_option_has_three_forms(self):
        for option, (value, _) in self.options().items():
            if option == "config":
                continue
            value = value or self.place(option)
            more = ["--data", self.data] if option != "data" else []
            if option == "socket-mode":
                more += ["--listen", f"unix:{self.folder.name}/socket"]
            with self.subTest(option=option):
                self.file.write_text(f"{option} = {value}\n")
                for done, origin in (
                    (run("--check-config", *more, f"--{option}", value), "command line"),
                    (run("--check-config", *more, **{variable(option): value}), variable(option)),
                    (run("--check-config", *more, "--config", str(self.file)), f"{self.file}:1"),
                ):
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(said(done.stdout)[option], (value, origin))

    def place(self, option):
        """A file or folder that an option without a default may name."""
        if option not in FILES:
            return self.folder.name
        path = pathlib.Path(self.folder.name, option)
        path.write_text(FILES[option])
        return str(path)

    def test_command_line_then_environment_then_file(self):
        self.file.write_text("queue = 2\nrender-threads = 2\nload = /\n# comment\n")
        done = run(
            "--check-config", "--data", self.data, "--queue=4", POSED_CONFIG=str(self.file),
            POSED_QUEUE="3", POSED_RENDER_THREADS="3",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        options = said(done.stdout)
        self.assertEqual(options["queue"], ("4", "command line"))
        self.assertEqual(options["render-threads"], ("3", "POSED_RENDER_THREADS"))
        self.assertEqual(options["load"], ("/", f"{self.file}:3"))
        self.assertEqual(options["config"], (str(self.file), "POSED_CONFIG"))
        self.assertEqual(options["renderer"], ("auto", "default"))

    def test_check_config_finds_what_is_wrong_and_starts_nothing(self):
        self.file.write_text("queue = 2\nquue = 2\n")
        for args, env, words in (
            (["--config", str(self.file)], {}, (f"{self.file}:2:", '"quue"', "queue")),
            ([], {"POSED_QUUE": "1"}, ("POSED_QUUE", "POSED_QUEUE")),
            (["--load", "/nowhere"], {}, ("--load", "/nowhere")),
            (["--listen", "127.0.0.1"], {}, ("127.0.0.1",)),
            (["--listen", "unix:/nowhere/socket"], {}, ("/nowhere",)),
            (["--socket-mode", "600"], {}, ("--socket-mode", "unix:")),
            (["--data", str(self.file / "below")], {}, (str(self.file),)),
        ):
            with self.subTest(args=args, env=env):
                done = run("--check-config", "--data", self.data, *args, **env)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)
        self.assertFalse(os.path.exists(self.data))

    def test_variables_that_clients_and_tests_read_are_no_options(self):
        names = variables_read("clients/**/*.*", "tests/*/*.*")
        self.assertLessEqual({"POSED_SERVER", "POSED_TOKEN", "POSED_BINARY"}, names)
        done = run("--check-config", "--data", self.data, **dict.fromkeys(names, "x"))
        self.assertEqual(done.returncode, 0, done.stderr)
        text = RUNNING.read_text(encoding="utf-8")
        for name in names:
            self.assertIn(f"`{name}`", text)

    def test_daemon_does_not_start_with_a_wrong_file(self):
        self.file.write_text("render-threads = none\n")
        done = run("--config", str(self.file), "--data", self.data, "--listen", "127.0.0.1:0")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(f"{self.file}:1: ", done.stderr)


def variables_read(*patterns):
    """The names POSED_… that sources in C, Python and JavaScript ask their environment for."""
    asked = re.compile(r'(?:getenv\("|environ(?:\.get\(|\[)"|process\.env\.)(POSED_[A-Z_]+)')
    return {
        name for pattern in patterns for path in ROOT.glob(pattern)
        if path.suffix in (".c", ".py", ".js", ".mjs")
        for name in asked.findall(path.read_text(encoding="utf-8"))
    }


def said(text):
    """{option: (value, origin)} in the output of --check-config."""
    found = re.findall(r"# (.*)\n(?:# )?([a-z-]+) = (.*)\n", text)
    assert len(found) * 2 == len(text.splitlines()), text
    return {option: (value, origin) for origin, option, value in found}


class Reload(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posed-reload-")
        self.addCleanup(self.folder.cleanup)
        self.file = pathlib.Path(self.folder.name) / "posed.conf"
        self.file.write_text("cors-origin = https://one.example\nqueue = 10\n")
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.listener.close)
        self.listener.settimeout(WAIT_S)
        self.listener.bind(os.path.join(self.folder.name, "notify"))
        self.daemon = Daemon(
            args=("--config", str(self.file), "--renderer", "none"),
            env={"NOTIFY_SOCKET": os.path.join(self.folder.name, "notify")},
        ).start()
        self.addCleanup(lambda: self.daemon.process.poll() is None and self.daemon.stop())
        self.assertEqual(self.word(), "READY=1")

    def word(self):
        """The next message to the service manager."""
        return self.listener.recv(1000).decode()

    def hear_all(self):
        """Discards all pending messages."""
        while select.select([self.listener], [], [], 0)[0]:
            self.word()

    def reload(self, text):
        """Reloads with another file; the lines of the log that this makes."""
        before = len(self.daemon.log_lines())
        self.file.write_text(text)
        self.daemon.process.send_signal(signal.SIGHUP)
        self.assertRegex(self.word(), r"^RELOADING=1\nMONOTONIC_USEC=\d+$")
        self.assertEqual(self.word(), "READY=1")
        # The line about the start may come behind the ready line.
        return [line for line in self.daemon.log_lines()[before:] if "reload" in line]

    def origin(self):
        reply = Client(self.daemon.port).get("/healthz")
        return reply.headers["Access-Control-Allow-Origin"]

    def test_what_may_change_does_and_the_rest_is_named(self):
        self.assertEqual(self.origin(), "https://one.example")
        log = "\n".join(self.reload("cors-origin = https://two.example\nqueue = 11\n"))
        self.assertEqual(self.origin(), "https://two.example")
        self.assertRegex(log, r"info reload: changed option=cors-origin value=https://two\.example "
                              r"before=https://one\.example")
        self.assertRegex(log, r"warning reload: this needs a restart option=queue value=11")
        self.assertIn("info reload: done", log)

    def test_log_changes_its_form_and_level(self):
        log = self.reload("log-format = json\nlog-level = debug\nqueue = 10\n")
        self.assertIn('"message":"reload: done"', log[-1])
        self.assertEqual(self.origin(), "*", "what the file has no more is the default again")

    def test_access_log_is_switched(self):
        self.reload("access-log = off\n")
        count = len(self.daemon.log_lines())
        self.origin()
        self.origin()
        self.assertEqual(len(self.daemon.log_lines()), count)

    def test_broken_file_changes_nothing_and_is_reported(self):
        log = self.reload("cors-origin = https://two.example\nqueue = none\n")
        self.assertEqual(len(log), 1, log)
        self.assertIn("error reload: nothing is changed", log[0])
        self.assertIn(f"{self.file}:2:", log[0])
        self.assertEqual(self.origin(), "https://one.example")

    def test_missing_file_changes_nothing(self):
        self.file.unlink()
        self.daemon.process.send_signal(signal.SIGHUP)
        self.word()
        self.word()
        self.assertIn(f"cannot read {self.file}", self.daemon.log_lines()[-1])
        self.assertEqual(self.origin(), "https://one.example")

    def test_many_reloads_under_load_lose_no_request(self):
        client = Client(self.daemon.port)
        end = time.monotonic() + 1
        while time.monotonic() < end:
            self.daemon.process.send_signal(signal.SIGHUP)
            self.assertEqual(client.get("/healthz").status, 200)
            self.hear_all()

    def test_service_manager_hears_of_the_end(self):
        self.daemon.stop()
        self.assertEqual(self.word(), "STOPPING=1")


if __name__ == "__main__":
    unittest.main()
