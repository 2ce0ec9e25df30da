"""The files that are committed: no leftovers of editors and merges, and scripts can be executed."""
import os
import re
import subprocess
import unittest

from daemon import ROOT

LEFTOVER = re.compile(r"(\.(orig|rej|bak|old|tmp|sw[op]|pyc|o|d)|~|\.DS_Store|^core)$")


def committed():
    """The paths of all committed files that are there, or None outside a clone."""
    done = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    return [path for path in done.stdout.split("\0") if path and (ROOT / path).is_file()]


class CommittedFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.paths = committed()
        if cls.paths is None:
            raise unittest.SkipTest("this is not a clone of the repository")

    def test_no_leftovers(self):
        self.assertIn("README.md", self.paths)
        self.assertEqual([p for p in self.paths if LEFTOVER.search(os.path.basename(p))], [])

    def test_scripts_are_executable_and_nothing_else_is(self):
        for path in self.paths:
            with self.subTest(path):
                script = (ROOT / path).read_bytes()[:2] == b"#!"
                self.assertEqual(os.access(ROOT / path, os.X_OK), script)

    def test_no_file_is_ignored(self):
        """A committed file that .gitignore names was forced in."""
        ignored = subprocess.run(["git", "-C", ROOT, "ls-files", "-ci", "--exclude-standard"],
                                 capture_output=True, text=True, check=True).stdout
        self.assertEqual(ignored, "")


if __name__ == "__main__":
    unittest.main()
