"""Requests about HTTP: methods, Accept, ranges, validators, origins, and what is no HTTP."""
import json
import re

import bodies
from client import JSON, rig_path
from exchange import Request

LINK = rig_path("humanoid", "/frame.png?clip=Walk&width=40&height=40")
FILES = (LINK, rig_path("humanoid", "/source"), rig_path("humanoid", "/mesh.glb"),
         rig_path("humanoid", "/influences?joint=Head"), "/openapi.yaml", "/v1/rigs",
         rig_path("humanoid"), "/js/client/posed.js", "/v1/shaders/dqs")
RANGES = ("bytes=0-9", "bytes=5-", "bytes=-7", "bytes=0-0", "bytes=3-1", "bytes=99999999-", "bytes=-0",
          "bytes=0-1,4-5", "bytes=a-b", "octets=0-1", "", "bytes=0-99999999999999999999")
ACCEPTED = ("*/*", "image/*", "text/html", "image/png;q=0", "image/webp;q=0.9, image/png;q=0.5",
            "*/*;q=0.1, image/jpeg", "image/png;q=x", "", ", ,", "application/*", "image/PNG", "x" * 300)
ORIGINS = ("http://127.0.0.1", "https://a.example", "https://b.example", "null", "nonsense")
HOSTS = ("localhost", "127.0.0.1", "a.example", "evil.example", "[::1]", "", "127.0.0.1:1")
UNKNOWN = ("/v2", "/v1/", "/v1/rig", "/v1/pose/", "//v1", "/v1/rigs/humanoid/mesh", "/V1", "/js/none.js",
           "/js/../posed", "/v1/rigs/%00", "/v1/rigs/..", "/v1/rigs/a%2Fb", "/v1/rigs/%ff", "/v1/rigs/%zz",
           "/v1/rigs/" + "n" * 129, "/v1/rigs/humanoid/frame.bmp", "/v1/rigs/humanoid/frames.avi", "/i/",
           "/i/unsafe/humanoid.png?width=3", "/i/unsafe/w:40/w:40/humanoid.png", "/i/unsafe/w/humanoid.png",
           "/i/unsafe/preset:none/humanoid.png", "/i/unsafe/expires:1/humanoid.png",
           "/i/unsafe/content:00/humanoid.png", "/i/unsafe/cachebuster:1/w:40/h:40/humanoid.png",
           "/v1/shaders/none", "/v1/streams/none", "/v1/rigs/humanoid/fits/none",
           "/v1/rigs/humanoid/clips/none", "/v1/rigs/humanoid/examples/none")


def get(name, target, *headers, operation="", method="GET", **more):
    return Request(name, operation, method, target, headers, **more)


def accepted_types(plan):
    """Each media type of each operation, and lists of preferences."""
    for operation in plan.api.operations.values():
        if operation.id not in bodies.BASES:
            continue
        body = {**bodies.BASES[operation.id]}
        if operation.id == "postFrames":
            body.pop("format")
            body |= {"loops": 1, "fps": 20, "background": "#ffffff"}
        for accept in (*operation.answers, *ACCEPTED):
            timed = operation.id == "postStream" or "multipart" in accept
            yield bodies.post(operation, f"Accept: {accept}", body, accept, "frames" if timed else "once")
    for accept in ("model/gltf-binary", JSON, "application/octet-stream", "text/plain"):
        for target, operation in ((rig_path("humanoid", "/clips/Walk"), "getClip"),
                                  (rig_path("cyl3", "/examples/J1_bent"), "getExample"),
                                  (LINK, "getFrame"), ("/v1", "getService")):
            yield get(f"{operation} Accept: {accept}", target, ("Accept", accept), operation=operation)


def paths(plan):
    """Each path with HEAD, OPTIONS and the methods that it does not have."""
    by_path = {}
    for operation in plan.api.operations.values():
        by_path.setdefault(operation.path, []).append(operation)
    chosen = {"rig": "humanoid", "name": "Walk", "path": "client/posed.js", "method": "dqs", "id": "none",
              "signature": "unsafe", "options": "w:40/h:40", "format": "png", "form": "pia"}
    for path, operations in by_path.items():
        target = re.sub(r"\{(\w+)\}", lambda match: chosen[match[1]], path)
        has = {operation.method for operation in operations}
        for method in ("HEAD", "OPTIONS", "GET", "POST", "PUT", "PATCH", "DELETE", "BREW"):
            if method in ("HEAD", "OPTIONS") or method not in has:
                yield get(f"{method} {path}", target, method=method)
        yield get(f"OPTIONS {path} of a page", target, ("Origin", "https://a.example"),
                  ("Access-Control-Request-Method", sorted(has)[0]), method="OPTIONS")
    yield get("OPTIONS *", "*", method="OPTIONS")
    for target in UNKNOWN:
        yield get(f"GET {target[:60]}", target)


def ranges():
    for target in FILES:
        first = f"GET {target} for its tag"
        yield get(first, target)
        for value in RANGES:
            yield get(f"GET {target} Range: {value}", target, ("Range", value))
        tag = f"{{{{{first}|ETag}}}}"
        for header in ("If-None-Match", "If-Match"):
            for value in (tag, f'"other", {tag}', f"W/{tag}", '"other"', "*", "nonsense", ""):
                yield get(f"GET {target} {header}: {value}", target, (header, value))
        for value in (tag, '"other"'):
            yield get(f"GET {target} If-Range: {value}", target, ("Range", "bytes=2-5"), ("If-Range", value))
        yield get(f"HEAD {target} Range", target, ("Range", "bytes=2-5"), method="HEAD")


def origins():
    for origin in ORIGINS:
        for target in (LINK, "/v1", rig_path("humanoid", "/source"), "/metrics", "/"):
            yield get(f"GET {target} of a page at {origin}", target, ("Origin", origin))
        yield get(f"DELETE of a page at {origin}", rig_path("no such rig").replace("%20", "-"),
                  ("Origin", origin), method="DELETE")
        yield get(f"POST of a page at {origin}", "/v1/pose", ("Origin", origin), ("Content-Type", JSON),
                  method="POST", body=json.dumps(bodies.HUMANOID).encode())
    for host in HOSTS:
        yield get(f"GET /v1 of {host!r}", "/v1", ("Host", host))


def malformed(plan):
    """Requests that are not quite HTTP/1.1, or do not end."""
    host = b"Host: localhost\r\n"
    end = b"Connection: close\r\n\r\n"
    for name, text in (
        ("no host", b"GET /v1 HTTP/1.1\r\n" + end),
        ("two hosts", b"GET /v1 HTTP/1.1\r\n" + host + host + end),
        ("HTTP/1.0", b"GET /healthz HTTP/1.0\r\n\r\n"),
        ("HTTP/1.7", b"GET /healthz HTTP/1.7\r\n" + host + end),
        ("HTTP/2.0", b"GET /healthz HTTP/2.0\r\n" + host + end),
        ("a blank before the colon", b"GET /v1 HTTP/1.1\r\nHost : localhost\r\n" + end),
        ("a folded field", b"GET /v1 HTTP/1.1\r\n" + host + b"X: a\r\n b\r\n" + end),
        ("lines of LF", b"GET /v1 HTTP/1.1\nHost: localhost\nConnection: close\n\n"),
        ("a space in the target", b"GET /v1 /x HTTP/1.1\r\n" + host + end),
        ("a control character", b"GET /v1 HTTP/1.1\r\n" + host + b"X: a\x01b\r\n" + end),
        ("a header that is too large", b"GET /v1 HTTP/1.1\r\n" + host + b"X: " + b"a" * 20000 + b"\r\n" + end),
        ("too many fields", b"GET /v1 HTTP/1.1\r\n" + host + b"X: a\r\n" * 120 + end),
        ("two lengths", b"POST /v1/pose HTTP/1.1\r\n" + host + b"Content-Length: 2\r\nContent-Length: 2\r\n"
         + end + b"{}"),
        ("a length and chunks", b"POST /v1/pose HTTP/1.1\r\n" + host
         + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n" + end + b"2\r\n{}\r\n0\r\n\r\n"),
        ("a negative length", b"POST /v1/pose HTTP/1.1\r\n" + host + b"Content-Length: -2\r\n" + end + b"{}"),
        ("another coding", b"POST /v1/pose HTTP/1.1\r\n" + host + b"Transfer-Encoding: gzip\r\n" + end),
        ("chunks", b"POST /v1/pose HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\n"
         b"Transfer-Encoding: chunked\r\n" + end + b"e\r\n{\"rig\":\"cyl3\"}\r\n0\r\n\r\n"),
        ("a body beyond the limit", b"POST /v1/pose HTTP/1.1\r\n" + host + b"Content-Length: %d\r\n"
         % (plan.service["limits"]["json_bytes"] + 1) + end),
        ("an asset beyond the limit", b"PUT /v1/rigs/large HTTP/1.1\r\n" + host + b"Content-Length: %d\r\n"
         % (plan.service["limits"]["asset_bytes"] + 1) + end),
        ("an absolute target", b"GET http://localhost/healthz HTTP/1.1\r\n" + host + end),
        ("101 parameters", b"GET /v1/rigs/humanoid/frame.png?" + b"&".join(b"a%d=1" % i for i in range(101))
         + b" HTTP/1.1\r\n" + host + end),
        ("an unknown expectation", b"POST /v1/pose HTTP/1.1\r\n" + host + b"Expect: nothing\r\n"
         b"Content-Length: 2\r\n" + end + b"{}"),
    ):
        yield Request(f"raw: {name}", "", "RAW", name, (), text, how="raw")
