"""Installing packages and making a bare Debian, with programs that only print."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from daemon import ROOT

APT_GET = """#!/bin/sh
case " $* " in *" update "*) exit 0 ;; esac
echo "Get:1 all that apt-get says"
echo "dlstatus:1:25.3:Retrieving" >&3
echo "pmstatus:gcc:61.0:Installing" >&3
exit $APT_GET_ENDS
"""
NOTHING_IS_INSTALLED = "#!/bin/sh\nexit 1\n"


class FirstMinutes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-first-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)

    def run_script(self, *command, **environment):
        kept = {name: value for name, value in os.environ.items() if name != "V"}
        return subprocess.run(command, env={**kept, **environment}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300)

    def install(self, ends):
        self.program("apt-get", APT_GET)
        self.program("dpkg-query", NOTHING_IS_INSTALLED)
        self.program("sudo", '#!/bin/sh\nexec "$@"\n')
        return self.run_script(ROOT / ".ci/packages.sh", "build", APT_GET_ENDS=str(ends),
                               PATH=f"{self.folder}:{os.environ['PATH']}")

    def test_an_installation_is_a_few_lines(self):
        done = self.install(0)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.splitlines()[1:],
                         ["  downloaded: 20%", "  installed: 60%", "  installed: 100%"])

    def test_an_installation_that_fails_says_all(self):
        done = self.install(100)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("all that apt-get says", done.stdout)

    def test_a_bare_debian_is_skipped_aloud_where_it_cannot_be_made(self):
        for name in ("sh", "dirname", "realpath", "mkdir", "id"):
            (self.folder / name).symlink_to(shutil.which(name))
        done = self.run_script(ROOT / "tests/fresh/run.sh", self.folder / "fresh",
                               PATH=str(self.folder))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, "(?m)^SKIPPED test-fresh: .+$")
        self.assertEqual(done.stdout.splitlines()[-1], "fresh: 0 passed, 0 failed, 1 skipped")


if __name__ == "__main__":
    unittest.main()
