"""Headless Chromium, driven over its DevTools protocol through a pair of pipes."""
import base64
import functools
import itertools
import json
import multiprocessing.util
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time

# Generous: a limit takes time only where something is wrong.
REPLY_LIMIT_S = 120
END_LIMIT_S = 60
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--ignore-gpu-blocklist",
    "--disable-gpu-compositing",  # the driver draws what is in canvases: the rest is quicker without
    "--disable-background-networking",
    "--no-first-run",
    "--remote-debugging-pipe",
    "about:blank",
)
# The same driver that the daemon draws with; Chromium's own where that does not start.
DRIVERS = (("--use-angle=gles-egl",), ("--use-angle=swiftshader", "--enable-unsafe-swiftshader"))
FRAMES_GO_BY = """new Promise((resolve) => {
    let left = 6;
    const next = () => (left-- > 0 ? requestAnimationFrame(next) : resolve());
    next();
})"""
BUSY = "document.querySelector('[aria-busy=true]') !== null"
HAS_WEBGL2 = "document.createElement('canvas').getContext('webgl2') !== null"


class Left(AssertionError):
    """The page left for another while it was asked."""


def program():
    """The path of Chromium, or None. Without its windows, menus and extensions it draws the same
    pages in 0.6 of the time."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    return next(filter(None, map(shutil.which, names)), None)


def is_stream(url):
    """True if the response continues as long as it is read."""
    return url.endswith("/v1/stream")


class Browser:
    """One Chromium process with a profile of its own."""

    def __init__(self, driver):
        self.profile = tempfile.mkdtemp(prefix="posed-chromium-")
        self.numbers = itertools.count(1)
        self.replies = {}
        self.pages = {}
        self.context = None  # what its tabs share: cookies, caches, what pages store
        self._start([program(), f"--user-data-dir={self.profile}", *driver, *FLAGS])

    def _start(self, command):
        theirs_in, self.to_browser = os.pipe()
        self.from_browser, theirs_out = os.pipe()

        def take_pipes():  # Chromium reads commands at 3 and writes to 4
            spare = os.dup(theirs_out)
            os.dup2(theirs_in, 3)
            os.dup2(spare, 4)

        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=take_pipes,
            pass_fds=(3, 4),
        )
        os.close(theirs_in)
        os.close(theirs_out)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        rest = b""
        while piece := os.read(self.from_browser, 1 << 20):
            *messages, rest = (rest + piece).split(b"\0")
            for text in messages:
                self._take(json.loads(text))

    def _take(self, message):
        if "id" in message:
            self.replies[message["id"]].put(message)
        elif message.get("sessionId") in self.pages:
            self.pages[message["sessionId"]].note(message["method"], message["params"])

    def call(self, method, session=None, **params):
        number = next(self.numbers)
        self.replies[number] = queue.Queue()
        message = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data) :]
        reply = self.replies[number].get(timeout=REPLY_LIMIT_S)
        del self.replies[number]
        if "error" in reply:
            left = "navigated or closed" in reply["error"]["message"]
            raise (Left if left else AssertionError)(f"{method}: {reply['error']}")
        return reply["result"]

    def forget(self):
        """Lets no page see what pages have stored so far."""
        if self.context:
            self.call("Target.disposeBrowserContext", browserContextId=self.context)
        self.context = self.call("Target.createBrowserContext")["browserContextId"]

    def open(self, width=1000, height=640):
        context = {"browserContextId": self.context} if self.context else {}
        # A window each, so that they are seen and hidden each by itself.
        target = self.call("Target.createTarget", url="about:blank", newWindow=True,
                           **context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, target, session)
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            page.call(domain + ".enable")
        page.resize(width, height)
        return page

    def close(self):
        self.call("Browser.close")
        try:
            self.process.wait(END_LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to_browser)
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """One tab: its console, its requests and its document."""

    def __init__(self, browser, target, session):
        self.browser = browser
        self.target = target
        self.session = session
        self.complaints = []  # errors on the console, exceptions, violations of the policy
        self.requests = []  # {url, method, headers, postData, ...}
        self.open = {}  # number of a request under way -> its URL
        self.most_open = {}  # URL -> how many of its requests were under way at once

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def note(self, method, params):
        if method == "Runtime.exceptionThrown":
            self.complaints.append(str(params["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.complaints.append(str(params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(str(params["entry"]))
        elif method == "Network.requestWillBeSent":
            self._begin(params["requestId"], params["request"])
        elif method == "Network.loadingFinished":
            self.open.pop(params["requestId"], None)
        elif method == "Network.loadingFailed":
            self.open.pop(params["requestId"], None)
            if not params.get("canceled"):
                self.complaints.append(str(params))

    def _begin(self, number, request):
        url = request["url"]
        self.requests.append(request)
        self.open[number] = url
        same = list(self.open.values()).count(url)
        self.most_open[url] = max(self.most_open.get(url, 0), same)

    def sent(self, ending):
        """The bodies of the requests to URLs that end so, in order."""
        return [
            json.loads(request["postData"])
            for request in list(self.requests)
            if request["url"].endswith(ending)
        ]

    def streamed(self):
        """The request of the last stream, with all its changes applied."""
        members = {}
        for request in list(self.requests):
            if is_stream(request["url"]) and request["method"] == "POST":
                members = json.loads(request["postData"])
            elif request["method"] == "PATCH":
                members.update(json.loads(request["postData"]))
        return members

    def settle(self, alone=False):
        """Waits until a page that does not play has asked for all it wants and has drawn it. alone:
        and no stream is open any more."""
        deadline = time.monotonic() + 120
        while True:
            before = len(self.requests)
            self.evaluate(FRAMES_GO_BY)
            waits = [url for url in list(self.open.values()) if alone or not is_stream(url)]
            if not waits and len(self.requests) == before and not self.evaluate(BUSY):
                return
            assert time.monotonic() < deadline, f"it does not settle: {waits}"

    def go(self, url):
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def resize(self, width, height):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def prefer(self, scheme):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def evaluate(self, expression):
        reply = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in reply:
            raise AssertionError(f"{expression}: {reply['exceptionDetails']}")
        return reply["result"].get("value")

    def wait(self, expression, limit_s=120):
        """Waits until an expression is true, also of the page that comes next; returns its value."""
        def current():
            try:
                return self.evaluate(expression)
            except Left:
                return None

        deadline = time.monotonic() + limit_s
        while not (value := current()):
            if time.monotonic() > deadline:
                text = self.evaluate("document.getElementById('status')?.textContent")
                raise AssertionError(f"not in {limit_s} s: {expression}; status line: {text!r}")
            time.sleep(0.03)
        return value

    def click(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def choose(self, selector, value):
        """Sets a control as a user does: with its event."""
        self.evaluate(
            f"""{{
            const control = document.querySelector({json.dumps(selector)});
            control.value = {json.dumps(value)};
            control.dispatchEvent(new Event('input', {{ bubbles: true }}));
            control.dispatchEvent(new Event('change', {{ bubbles: true }}));
            }}"""
        )

    def key(self, key, **more):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **more)

    def drag(self, start, end, **more):
        """With the left button, from one place in the window to another."""
        moves = (("mousePressed", start, 1), ("mouseMoved", end, 1), ("mouseReleased", end, 0))
        for kind, (x, y), buttons in moves:
            self.call(
                "Input.dispatchMouseEvent",
                type=kind,
                x=x,
                y=y,
                button="left",
                buttons=buttons,
                clickCount=1,
                **more,
            )

    def drop(self, paths, place=(200, 200)):
        """Files and folders of the disk, as a hand would drop them at a place in the window."""
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.call("Input.dispatchDragEvent", type=kind, x=place[0], y=place[1], data=data)

    def give_file(self, selector, *paths):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(path) for path in paths])

    def picture(self, selector=None):
        """A screenshot as PNG: the whole window, or the box of one element."""
        params = {"optimizeForSpeed": True}  # which the decoding is quick for, too
        if selector:
            # As the browser rounds boxes to pixels: each edge to the nearest.
            left, top, right, bottom = (round(edge + 1e-9) for edge in self.evaluate(
                f"(({{left, top, right, bottom}}) => [left, top, right, bottom])"
                f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"))
            box = {"x": left, "y": top, "width": right - left, "height": bottom - top}
            params["clip"] = {**box, "scale": 1}
        return base64.b64decode(self.call("Page.captureScreenshot", **params)["data"])

    def show(self, seen=True):
        """Has its window in front; or hides it, as behind another tab."""
        window = self.browser.call("Browser.getWindowForTarget", targetId=self.target)["windowId"]
        self.browser.call("Browser.setWindowBounds", windowId=window,
                          bounds={"windowState": "normal" if seen else "minimized"})
        self.wait(f"document.visibilityState === '{'visible' if seen else 'hidden'}'")

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
        self.browser.pages.pop(self.session)


@functools.cache
def shared():
    """A browser that can draw, for all cases of this process, and the reason why there is none."""
    if program() is None:
        return None, "there is no chromium"
    for driver in DRIVERS:
        browser = Browser(driver)
        if browser.open().evaluate(HAS_WEBGL2):
            multiprocessing.util.Finalize(None, browser.close, exitpriority=0)
            return browser, None
        browser.close()
    return None, "chromium has no WebGL2 here"
