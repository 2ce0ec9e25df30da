"""Links to the page that a signature opens for visitors without a token."""
import unittest

from case import DEMO
from page_case import PageCase
from test_signed import NEW, key_lines, sign
from test_tokens import private_file, token_lines


class Shared(PageCase):
    @classmethod
    def setUpClass(cls):
        files = {"--tokens": token_lines(), "--sign-keys": key_lines(NEW)}
        arguments = []
        for name, text in files.items():
            file = private_file(text)
            cls.addClassCleanup(file.unlink)
            arguments += [name, str(file)]
        cls.daemon_args = ("--load", str(DEMO), *arguments)
        super().setUpClass()

    def link(self, path):
        return sign("/view" + path).removeprefix("/i/")

    def test_visitor_sees_the_rig_and_no_other(self):
        page = self.page(f"#rig=humanoid&clip=Walk&link={self.link('/humanoid')}")
        page.wait("document.querySelector('#play').ariaLabel === 'Pause'")
        page.click("#play")
        page.settle()
        self.assertEqual(page.evaluate("document.getElementById('name').textContent"), "humanoid")
        self.assertEqual(page.evaluate("[...document.querySelectorAll('#rigs a')].length"), 1)
        self.assertGreater(sum(map(sum, self.mask(page))), 2000)
        self.assertFalse(page.evaluate("document.getElementById('question').open"))
        self.assertIn("link=", page.evaluate("location.hash"))
        page.click("[value=pictures]")
        page.settle()
        self.assertEqual(page.evaluate("document.getElementById('status').className"), "")

    def test_without_the_right_signature_the_page_asks_for_a_token(self):
        for fragment in ("#rig=humanoid", f"#rig=humanoid&link={self.link('/humanoid')}x",
                         f"#rig=humanoid&link={self.link('/expires:1000000000/humanoid')}"):
            with self.subTest(fragment):
                page = self.page(fragment)
                page.wait("document.getElementById('question').open")


if __name__ == "__main__":
    unittest.main()
