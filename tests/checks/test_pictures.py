"""The pictures of faults in docs/checks: all that the page shows are there, show a fault, and are as posed draws
them."""
import re
import unittest

import checks_page
import golden
import pictures
from case import DaemonCase
from faults import FAULTS
from picture import Picture

LIMIT_BYTES = 1 << 20  # of all
PIXELS = 12            # that show a fault, at least
MEAN = 0.5             # of the differences from a stored picture: palettes of nearly the same colours
DRAWN = ("motion-pop", "rig-symmetry", "diff-motion")


class Pictures(DaemonCase):
    def test_those_of_the_page_are_there_and_no_others(self):
        shown = re.findall(r"\]\(checks/([\w-]+)\.png\)", checks_page.PAGE.read_text(encoding="utf-8"))
        self.assertEqual(len(shown), len(set(shown)))
        self.assertEqual(sorted(shown), sorted(path.stem for path in pictures.FOLDER.glob("*")))
        self.assertEqual(sorted(shown), sorted(fault.name for fault in FAULTS if fault.picture))
        self.assertLess(sum(path.stat().st_size for path in pictures.FOLDER.glob("*")), LIMIT_BYTES)

    def test_each_shows_a_figure_and_a_fault(self):
        for path in sorted(pictures.FOLDER.glob("*.png")):
            with self.subTest(path.stem):
                picture = Picture(path.read_bytes())
                for half in pictures.halves(picture):
                    self.assertGreater(len({pixel for row in half for pixel in row}), PIXELS, "it is blank")
                self.assertGreaterEqual(pictures.differing(picture), PIXELS)

    def test_some_are_as_posed_draws_them(self):
        """Renew them all with tests/checks/renew.py after a change that is meant to show."""
        is_software = b"llvmpipe" in self.client.get("/readyz").body
        may_be = MEAN if is_software else max(MEAN, golden.TABLE["other_drivers"]["mean"])
        for fault in FAULTS:
            if fault.name in DRAWN:
                with self.subTest(fault.rule):
                    stored = pictures.path_of(fault).read_bytes()
                    _, mean = golden.differences(pictures.draw(self.client, fault), stored)
                    self.assertLessEqual(mean, may_be)

    def test_another_picture_would_be_noticed(self):
        """That of a sister rule, from the same side."""
        one, other = (pictures.FOLDER / f"{name}.png" for name in ("motion-turn", "motion-joint-limit"))
        _, mean = golden.differences(one.read_bytes(), other.read_bytes())
        self.assertGreater(mean, 2 * MEAN)


if __name__ == "__main__":
    unittest.main()
