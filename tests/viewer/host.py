"""A web site of another origin than the daemon's, for pages that take in what it offers."""
import http.server
import pathlib
import threading

TYPES = {"": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8"}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.server.content(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", TYPES.get(pathlib.PurePath(self.path).suffix, "text/plain"))
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_):
        pass


class Host(http.server.ThreadingHTTPServer):
    """Serves a page at "/", and the files below folders at their names: {"three": folder}."""

    def __init__(self, page, folders=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.page = page.encode()
        self.folders = folders or {}
        self.address = f"http://127.0.0.1:{self.server_port}/"

    def content(self, path):
        if path in ("/", "/favicon.ico"):
            return self.page if path == "/" else b""
        name, _, rest = path[1:].partition("/")
        file = self.folders[name] / rest if name in self.folders else None
        return file.read_bytes() if file and file.is_file() else None


def serve(case, page, folders=None):
    """A host that goes with the test case."""
    host = Host(page, folders)
    threading.Thread(target=host.serve_forever, daemon=True).start()
    case.addCleanup(host.server_close)
    case.addCleanup(host.shutdown)
    return host
