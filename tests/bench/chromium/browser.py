"""A headless Chromium with three.js and a model that stays loaded, which makes pictures on demand."""
import http.server
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
THREE = HERE.parents[1] / "conformance/node_modules/three"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
LIMIT_S = 120  # a start with nothing cached on a slow machine
TYPES = {".html": "text/html", ".js": "text/javascript", ".glb": "model/gltf-binary"}


def program():
    """Path of the browser, or None."""
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class Handler(http.server.BaseHTTPRequestHandler):
    """The page's files, and what it is to do: server.browser says."""

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/work":
            self._answer(json.dumps({"seconds": self.server.browser.wanted.get()}).encode(), ".js")
        elif path == "/":
            self._answer((HERE / "page.html").read_bytes(), ".html")
        elif path == "/model.glb":
            self._answer(pathlib.Path(self.server.browser.model).read_bytes(), ".glb")
        elif path.startswith("/three/") and (THREE / path[len("/three/"):]).is_file():
            self._answer((THREE / path[len("/three/"):]).read_bytes(), ".js")
        else:
            self.send_error(404)

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        self.server.browser.done.put(json.loads(self.rfile.read(length)))
        self._answer(b"{}", ".js")

    def _answer(self, body, ending):
        self.send_response(200)
        self.send_header("Content-Type", TYPES[ending])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Browser:
    """One browser; with it its page, ready to draw. angle: "gles-egl" or "swiftshader"; turntable:
    steps in which the model goes round, 0 = it moves instead."""

    def __init__(self, model, angle, antialias, turntable=0, size=256):
        self.model = model
        self.wanted, self.done = queue.Queue(), queue.Queue()
        self.profile = tempfile.mkdtemp(prefix="posed-chromium-")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.browser = self
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        page = f"http://127.0.0.1:{self.server.server_port}/?antialias={int(antialias)}"
        page += f"&turntable={turntable}&size={size}"
        # A session of its own: the browser is many processes, and all of them must go.
        self.process = subprocess.Popen(
            [program(), "--headless", "--no-sandbox", f"--use-angle={angle}",
             "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
             "--disable-background-networking",
             "--no-first-run", f"--user-data-dir={self.profile}", page],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)

    def draw(self, seconds):
        """Draws for so long; {"rate", "bytes", "picture", "driver", "samples"}."""
        self.wanted.put(seconds)
        try:
            result = self.done.get(timeout=LIMIT_S)
        except queue.Empty:
            raise RuntimeError(f"the page did not answer within {LIMIT_S} s") from None
        if "error" in result:
            raise RuntimeError(result["error"])
        return result

    def stop(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.server.shutdown()
        self.server.server_close()
        shutil.rmtree(self.profile, ignore_errors=True)
