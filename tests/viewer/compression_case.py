"""The base of the cases of the panel of compression: opens it, and holds its numbers against the daemon's
report."""
from client import JSON
from page_case import PageCase

PCLIP = "application/vnd.posed.pclip"
TEXT = "document.getElementById('compress-{}').textContent"


def rounded(metres):
    """As the page writes lengths: in millimetres, to three digits."""
    return float(f"{1000 * metres:.3g}")


class CompressionCase(PageCase):
    def panel(self, rig="humanoid", clip="Walk", share=0.3, **more):
        """The page with the panel open, and a report in it."""
        page = self.held(rig, clip, share, **more)
        page.click("#tab-compress")
        page.settle()
        self.assertFalse(page.evaluate("document.getElementById('compress-report').hidden"))
        return page

    def beside(self, *more, **members):
        """And the decoded clip beside the original."""
        page = self.panel(*more, **members)
        page.click("#compress-beside")
        page.settle()
        return page

    def request(self, page):
        return page.sent("/v1/compress")[-1]

    def report(self, page):
        reply = self.client.post("compress", self.request(page), accept=JSON)
        return self.assertStatus(reply, 200).json()

    def assertShows(self, page, report):
        [clip] = report["clips"]
        text = {name: page.evaluate(TEXT.format(name)) for name in
                ("raw", "bytes", "ratio", "samples", "max", "p99", "rms", "worst")}
        self.assertEqual(text["raw"], f"{clip['raw_bytes']:,} B")
        self.assertEqual(text["bytes"], f"{report['bytes']:,} B")
        share, times = text["ratio"].split(" %, 1 : ")
        self.assertEqual(float(share), float(f"{100 * report['bytes'] / clip['raw_bytes']:.3g}"))
        self.assertEqual(float(times), float(f"{clip['raw_bytes'] / report['bytes']:.3g}"))
        self.assertEqual(text["samples"], f"{clip['samples']}, {clip['rate']:.3g}/s")
        for name in ("max", "p99", "rms"):
            self.assertEqual(float(text[name].removesuffix(" mm")), rounded(clip["error"][name]))
        shell = page.evaluate("(({value, placeholder}) => Number(value || placeholder))"
                              "(document.getElementById('compress-shell'))")
        self.assertAlmostEqual(shell, 1000 * report["shell"], places=4)
        error = clip["error"]
        self.assertEqual(text["worst"], f"{error['joint']}, {error['time']:.2f} s")

    def scale(self, page):
        return [page.evaluate(f"document.getElementById('scale-{part}').textContent")
                for part in ("low", "high", "what")]
