"""The daemon's picture that the page shows until it has vertices to draw."""
import unittest

from case import DEMO
from page_case import PageCase, area, middle

BUNDLE = "*/js/viewer/main.js"
IS_SHOWN = """(() => {
    const picture = document.getElementById('first-picture');
    return picture !== null && !picture.hidden && picture.complete && picture.naturalWidth > 0;
})()"""
IS_GONE = "document.getElementById('first-picture') === null"


def pictures(page):
    return [request["url"] for request in page.requests if "/frame.webp?" in request["url"]]


class FirstPicture(PageCase):
    def still(self, fragment, without_modules=False):
        """A page whose user wants no motion. without_modules: as it is before they have come."""
        page = self.browser.open(970, 460)
        self.addCleanup(page.close)
        page.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        if without_modules:
            page.call("Network.setBlockedURLs", urls=[BUNDLE])
        page.go(self.address + fragment)
        return page

    def test_it_is_there_before_the_modules(self):
        page = self.still("#rig=humanoid&clip=Walk", without_modules=True)
        page.wait(IS_SHOWN)
        self.assertGreater(area(self.mask(page, "#first-picture")), 2000)

    def test_it_shows_what_the_page_draws_then(self):
        for fragment in ("#rig=humanoid&clip=Walk", "#rig=tube23", "#rig=humanoid&clip="):
            with self.subTest(fragment):
                page = self.still(fragment)
                page.wait(IS_GONE)
                page.settle()
                drawn = self.mask(page)
                self.assertGreater(area(drawn), 2000)
                # The same again, in the stage as it is now that the page is complete.
                page.evaluate(f"""new Promise((resolve) => {{
                    const picture = new Image();
                    Object.assign(picture, {{ id: 'first-picture', className: 'first-picture', onload: resolve }});
                    picture.src = {pictures(page)[0]!r};
                    document.getElementById('stage').prepend(picture);
                    document.getElementById('surface').style.display = 'none';
                }})""")
                seen = self.mask(page, "#first-picture")
                # The daemon fits figures a little closer than the page does.
                self.assertLess(abs(area(seen) / area(drawn) - 1), 0.2)
                self.assertLess(max(abs(a - b) for a, b in zip(middle(seen), middle(drawn))), 12)

    def test_it_goes_when_another_rig_is_chosen(self):
        page = self.still("#rig=humanoid&clip=Walk", without_modules=True)
        page.wait(IS_SHOWN)
        page.evaluate("location.hash = '#rig=head'")
        page.wait(IS_GONE)

    def test_there_is_none_of_what_it_cannot_show(self):
        for fragment in ("", "#rig=humanoid&clip=Walk&time=0.5", "#rig=humanoid&camera=30,15,4,0,1,0"):
            with self.subTest(fragment):
                page = self.still(fragment)
                page.wait("document.getElementById('name').textContent !== ''")
                page.settle()
                self.assertEqual(pictures(page), [])
                self.assertTrue(page.evaluate(IS_GONE))

    def test_a_rig_that_comes_later_is_shown(self):
        page = self.still("#rig=late")
        page.wait("!document.getElementById('empty').hidden")
        self.assertStatusLine(page, "late")
        self.client.put("late", (DEMO / "cyl2.glb").read_bytes())
        page.evaluate("dispatchEvent(new HashChangeEvent('hashchange'))")
        page.wait("document.getElementById('name').textContent === 'late'")

    def test_the_rig_is_described_while_the_service_is(self):
        page = self.still("#rig=humanoid&clip=Walk")
        page.wait(IS_GONE)
        paths = [request["url"].removeprefix(self.address) for request in page.requests]
        self.assertLess(paths.index("v1/rigs/humanoid"), paths.index("v1"))


if __name__ == "__main__":
    unittest.main()
