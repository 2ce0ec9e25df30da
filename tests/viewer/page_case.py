"""The base of the cases that look at the page in a browser."""
import unittest

import browser
from case import DEMO, DaemonCase
from picture import Picture

SCRUB = "#scrub"
BACKDROP = "#ff00ff"  # a colour that no rig here has
BACKDROP_PIXEL = (255, 0, 255)
FAINT = 12  # alpha of 255 that is seen as another colour
MEET = 0.95  # intersection over union; edges have their samples at other places

# Catches the files that would be written to the disk, by name.
CATCH_FILES = """
    window.saved = {};
    const blobs = new Map();
    URL.createObjectURL = (blob) => {
        const address = `blob:${blobs.size}`;
        blobs.set(address, blob);
        return address;
    };
    HTMLAnchorElement.prototype.click = function () {
        const reader = new FileReader();
        reader.onload = () => (window.saved[this.download] = reader.result.split(',')[1]);
        reader.readAsDataURL(blobs.get(this.getAttribute('href')));
    };
"""


class PageCase(DaemonCase):
    """A daemon with the demo rigs, and a browser; without a browser the cases are skipped."""

    shares_process = True  # and with it the browser
    daemon_args = ("--load", str(DEMO))
    RIGS_ARE_LISTED = (
        f"document.querySelectorAll('#rigs a').length === {len(list(DEMO.glob('*.glb')))}")

    @classmethod
    def setUpClass(cls):
        cls.browser, reason = browser.shared()
        if reason:
            raise unittest.SkipTest(reason)
        cls.browser.forget()
        super().setUpClass()
        cls.address = f"http://127.0.0.1:{cls.daemon.port}/"

    def page(self, fragment="", width=970, height=460, script=None):
        """The page in a new tab. script: runs in it before its own."""
        page = self.browser.open(width, height)
        self.addCleanup(page.close)
        if script:
            page.call("Page.addScriptToEvaluateOnNewDocument", source=script)
        page.go(self.address + fragment)
        return page

    def opened(self, rig, clip=None, **more):
        """The page that shows a rig, and plays."""
        page = self.page(f"#rig={rig}" + (f"&clip={clip}" if clip else ""), **more)
        page.wait(f"document.getElementById('name').textContent === {rig!r}")
        page.wait("document.querySelector('#play').ariaLabel === 'Pause'")
        return page

    def held(self, rig, clip, share, **more):
        """The page that shows a rig, stopped at a share of a clip."""
        page = self.opened(rig, clip, **more)
        page.choose(SCRUB, str(share))
        page.settle()
        return page

    def idle(self):
        """A page that plays nothing, and so leaves the processor to the test."""
        page = self.opened("cyl2")
        page.click("#play")
        page.settle()
        return page

    def choose_joint(self, page, name):
        page.evaluate("[...document.querySelectorAll('#joints button')]"
                      f".find((button) => button.innerText === {name!r}).click()")

    def pose(self, page):
        """The pose that the stream of vertices stands still in."""
        page.settle()
        members = page.streamed()
        self.assertTrue(members["paused"])
        return at(members["pose"], members["time"])

    def stage(self, page):
        """The pixels of the stage's canvas, as rows: its gradient, which the browser
        dithers, is replaced by one colour, and everything above it is hidden."""
        page.evaluate(f"document.querySelector('#stage').style.background = '{BACKDROP}'")
        page.evaluate(
            "for (const part of document.querySelectorAll('.modes, .views, .overlay'))"
            " part.style.visibility = 'hidden'")
        return Picture(page.picture("#stage")).rows

    def mask(self, page, canvas="#surface"):
        """The pixels of the stage that a canvas changes, row by row."""
        style = f"document.querySelector('{canvas}').style.visibility"
        seen = self.stage(page)
        page.evaluate(f"{style} = 'hidden'")
        ground = self.stage(page)
        page.evaluate(f"{style} = ''")
        return [[differ(a, b) for a, b in zip(row, other)] for row, other in zip(seen, ground)]

    def assertStaysDrawn(self, page, canvas, width, height):
        """Resizes the window, for which a canvas of WebGL has to be resized and so is cleared: the
        page draws on it again before the browser shows it."""
        page.evaluate(f"""{{
            const canvas = {canvas};
            const {{ set, get }} = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width');
            const gl = canvas.getContext('webgl2');
            let isEmpty = false;
            Object.defineProperty(canvas, 'width', {{
                get, set(value) {{ isEmpty = true; set.call(canvas, value); }} }});
            gl.drawElements = (...more) => {{
                isEmpty = false;
                WebGL2RenderingContext.prototype.drawElements.apply(gl, more);
            }};
            // After the page's own observer, and right before the browser shows the frame.
            window.shownEmpty = [];
            new ResizeObserver(() => window.shownEmpty.push(isEmpty)).observe(canvas);
        }}""")
        page.wait("shownEmpty.length === 1")  # as it is when it is first observed
        page.resize(width, height)
        page.wait("shownEmpty.length > 1")
        self.assertNotIn(True, page.evaluate("shownEmpty"))

    def assertMeets(self, page):
        """Compares the page's drawing, by itself and then as a picture, with the picture that the
        daemon draws of the same moment and camera: they share at most the numbers of the vertices."""
        drawn = self.mask(page)
        pose = self.pose(page)
        page.click("[value=pictures]")
        page.settle()
        request = {**page.sent("/v1/frame")[-1], "pose": pose}
        reply = self.assertStatus(self.client.post("frame", request), 200)
        daemon = [[pixel[3] > FAINT for pixel in row] for row in Picture(reply.body).rows]
        self.assertGreater(area(daemon), 2000)
        self.assertGreater(overlap(drawn, daemon), MEET)
        self.assertGreater(overlap(self.mask(page, "#picture"), daemon), MEET)

    def assertStatusLine(self, page, words):
        page.wait(f"document.getElementById('status').textContent.includes({words!r})")


def at(pose, time):
    """An expression that runs by a clock, when that has come to a time."""
    if isinstance(pose, list):
        return [at(part, time) for part in pose]
    if not isinstance(pose, dict):
        return pose
    if "clip" in pose or "playlist" in pose:
        return {**pose, "time": time}
    return {key: at(part, time) for key, part in pose.items()}


def differ(a, b):
    """True if two pixels differ by more than rounding."""
    return a != b and max(abs(x - y) for x, y in zip(a[:3], b[:3])) > 6


def area(mask):
    return sum(sum(row) for row in mask)


def middle(mask):
    """Mean place of the pixels, from the left and from the top."""
    places = [(x, y) for y, row in enumerate(mask) for x, inside in enumerate(row) if inside]
    return [sum(axis) / len(places) for axis in zip(*places)]


def overlap(mask, other):
    """Intersection over union."""
    both = either = 0
    for row, beside in zip(mask, other, strict=True):
        for a, b in zip(row, beside, strict=True):
            both += a and b
            either += a or b
    return both / either if either else 0
