"""The size of reports with pictures."""
import pathlib
import re
import subprocess
import tempfile
import unittest

from checking import POSE, write
from faults import FAULTS

FINDINGS, STILLS, LIMIT_BYTES = 20, 3, 2_000_000
RULES = ("motion/jump", "motion/knee", "motion/speed", "contact/slide")


class Page(unittest.TestCase):
    def test_twenty_findings_with_stills_take_two_megabytes_at_most(self):
        """Even if all their pictures were as large as the largest."""
        with tempfile.TemporaryDirectory(prefix="posed-page-") as name:
            folder = pathlib.Path(name)
            for fault in FAULTS:
                if fault.rule in RULES:
                    write(folder, fault.name, fault.seeded()[0])
            page = folder / "page.html"
            done = subprocess.run([POSE, "check", folder, "--only", "motion/*", "--only", "contact/*",
                                   "--fail-on", "never", "--html", page], capture_output=True, text=True, check=True)
            if "pictures are missing" in done.stdout:
                self.skipTest("no driver draws here")
            text = page.read_text()
        pictures = list(map(len, re.findall(r'src="(data:image/[^"]*)"', text)))
        self.assertGreaterEqual(len(pictures), STILLS * len(RULES))
        words = len(text) - sum(pictures)
        self.assertLessEqual(words + FINDINGS * STILLS * max(pictures), LIMIT_BYTES,
                             f"{len(pictures)} pictures of at most {max(pictures)}, and {words} bytes besides")


if __name__ == "__main__":
    unittest.main()
