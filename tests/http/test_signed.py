"""Signed links to pictures, signed here as imgproxy's users sign."""
import base64
import hashlib
import hmac
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.parse

import rigs
from case import DaemonCase
from client import Client, rig_path
from daemon import ROOT, Daemon, binary
from described import description
from test_tokens import TOKENS, bearer, private_file, token_lines

OLD = ("0f1e2d3c4b5a69788796a5b4c3d2e1f0", "68656c6c6f")
NEW = ("943b421c9eb07c830af81030552c86009268de4e532ba2ee2eab8247c6da0881",
       "520f986b998545b4785e0defbc4f3c1203f22de2374a3d53cb7a7fe9fea309c5")
STRANGER = ("00" * 32, "00")
PATH = "/clip:bend/time:0.4/w:32/height:24/background:%23ffffff/col.png"
QUERY = "?clip=bend&time=0.4&width=32&height=24&background=%23ffffff"
PRESETS = "card = w:32/h:24/background:#ffffff\nlate = time:0.9\n"
WAIT_S = 120


def sign(path, pair=NEW, size=32):
    key, salt = (bytes.fromhex(text) for text in pair)
    digest = hmac.new(key, salt + path.encode(), hashlib.sha256).digest()[:size]
    return "/i/" + base64.urlsafe_b64encode(digest).decode().rstrip("=") + path


def key_lines(*pairs):
    return "".join(f"{key} {salt}\n" for key, salt in pairs)


class SignedCase(DaemonCase):
    more_args = ()
    with_tokens = False
    pairs = (NEW, OLD)
    presets = PRESETS

    @classmethod
    def setUpClass(cls):
        cls.files = {"--presets": private_file(cls.presets)}
        if cls.pairs:
            cls.files["--sign-keys"] = private_file(key_lines(*cls.pairs))
        if cls.with_tokens:
            cls.files["--tokens"] = private_file(token_lines())
        for file in cls.files.values():
            cls.addClassCleanup(file.unlink)
        arguments = [part for name, file in cls.files.items() for part in (name, str(file))]
        cls.daemon_args = (*arguments, *cls.more_args)
        super().setUpClass()

    @classmethod
    def prepare(cls):
        column = rigs.column([(0, 0, 0), (1, 1, 0), (0, 2, 0)])
        lens = {"yfov": 1, "znear": 0.1}
        column.json["extensions"] = {"KHR_materials_variants": {"variants": [{"name": "red"}]}}
        column.json["cameras"] = [{"type": "perspective", "perspective": lens}]
        column.node(root=True, name="Lens", camera=0, translation=[0, 1, 4])
        cls.put("col", column.glb())

    @classmethod
    def put(cls, name, body):
        headers = bearer(TOKENS["all"]) if cls.with_tokens else {}
        reply = cls.client.put(name, body, **headers)
        assert reply.status in (200, 201), str(reply)
        return reply.json()["content"].removeprefix("sha256:")

    def signed(self, path, pair=NEW, **headers):
        return self.client.get(sign(path, pair), **headers)


class Pictures(SignedCase):
    def test_they_are_those_of_the_plain_link_with_its_tag(self):
        signed = self.assertStatus(self.signed(PATH), 200)
        plain = self.assertStatus(self.client.get(rig_path("col", "/frame.png" + QUERY)), 200)
        self.assertEqual(signed.body, plain.body)
        self.assertEqual(signed.kind, "image/png")
        for name in ("ETag", "Cache-Control", "Content-Type", "Posed-Skinning"):
            self.assertEqual(signed.headers[name], plain.headers[name], name)

    def test_they_share_kept_answers_but_not_how_those_are_kept(self):
        content = self.put("shared", rigs.triangle().glb())
        pinned = f"/content:{content}/w:16/shared.png"
        first = self.assertStatus(self.signed(pinned), 200)
        plain = self.assertStatus(
            self.client.get(rig_path("shared", "/frame.png?width=16")), 200)
        signed = self.assertStatus(self.signed("/w:16/shared.png"), 200)
        again = self.assertStatus(self.signed(pinned), 200)
        self.assertIn("queue;dur=", first.headers["Server-Timing"])
        for later in (plain, signed, again):
            self.assertNotIn("queue;dur=", later.headers.get("Server-Timing", ""))
            self.assertEqual(later.body, first.body)
            self.assertEqual(later.headers["ETag"], first.headers["ETag"])
        for pinned_answer in (first, again):
            self.assertEqual(pinned_answer.headers.get_all("Cache-Control"),
                             ["public, max-age=31536000, immutable"])
        for other in (plain, signed):
            self.assertEqual(other.headers.get_all("Cache-Control"), ["no-cache"])

    def test_expiry_and_cachebuster_are_not_in_the_tag(self):
        tag = self.signed(PATH).headers["ETag"]
        for more in ("/cachebuster:7", f"/expires:{int(time.time()) + 60}",
                     "/cachebuster:a%2Fb/expires:99999999999"):
            reply = self.signed(more + PATH)
            self.assertStatus(reply, 200)
            self.assertEqual(reply.headers["ETag"], tag)

    def test_known_answers_are_304(self):
        tag = self.signed(PATH).headers["ETag"]
        known = self.signed(PATH, if_none_match=tag)
        self.assertStatus(known, 304)
        self.assertEqual(known.headers["Cache-Control"], "no-cache")

    def test_head_is_signed_like_get(self):
        self.assertStatus(self.client.request("HEAD", sign(PATH)), 200)
        self.assertStatus(self.client.request("HEAD", sign(PATH, STRANGER)), 403)
        refused = self.client.request("POST", sign(PATH), b"{}")
        self.assertStatus(refused, 405)
        self.assertEqual(refused.headers["Allow"], "GET, HEAD, OPTIONS")

    def test_names_are_percent_encoded_by_themselves(self):
        self.put("füchs & co.v2", rigs.triangle().glb())
        name = urllib.parse.quote("füchs & co.v2", safe="")
        self.assertStatus(self.signed(f"/w:16/{name}.png"), 200)
        self.assertStatus(self.signed(f"/w%3A16/{name}%2Epng"), 200)

    def test_every_option_of_frame_png_is_taken(self):
        parameters = description()["paths"]["/v1/rigs/{rig}/frame.{format}"]["get"]["parameters"]
        values = {"clip": "bend", "time": "0.5", "phase": "0.5", "loop": "repeat", "width": "16",
                  "height": "16", "background": "#102030", "samples": "1", "fit": "rest",
                  "yaw": "-20", "pitch": "5", "distance": "4", "fov": "40", "skinning": "lbs",
                  "device": "cpu", "normals": "cof", "shading": "plain", "quality": "50",
                  "lossless": "false", "margin": "0.1", "camera": "side", "node": "Lens",
                  "orthographic": "true", "view_height": "3", "environment": "soft",
                  "exposure": "0.5", "tone_mapping": "aces", "lights": "false",
                  "auto_exposure": "true",
                  "shadow": "true", "grid": "true",
                  "joint": "0", "color": "#ff0000", "squares": "4", "near": "1", "far": "9",
                  "impl": "ffp2", "light": "1,2,-3", "light_color": "#ffee80", "ambient": "#203040",
                  "specular": "#ffffff", "shininess": "5.5",
                  "overlays": "bounds", "legend": "true", "avatar": "false",
                  "view": "third_person", "variant": "red"}
        names = [parameter["name"] for parameter in parameters if "name" in parameter]
        self.assertEqual(sorted(names), sorted(values))
        for name in names:
            with self.subTest(option=name):
                needs = {"time": "clip", "phase": "clip", "loop": "clip",
                         "view_height": "orthographic"}.get(name)
                mode = {"joint": "weights", "color": "silhouette", "squares": "checker",
                        "near": "depth", "far": "depth", "legend": "weights",
                        "impl": "batches",
                        **dict.fromkeys(("light", "light_color", "ambient", "specular",
                                         "shininess"), "cg4m")}.get(name)
                query = {**({needs: values[needs]} if needs else {}),
                         **({"shading": mode} if mode else {}), name: values[name]}
                path = "".join(f"/{key}:{urllib.parse.quote(value, safe='')}"
                               for key, value in query.items())
                signed = self.assertStatus(self.signed(path + "/col.png"), 200)
                plain = self.assertStatus(self.client.picture_link("col", **query), 200)
                self.assertEqual(signed.headers["ETag"], plain.headers["ETag"])
                self.assertEqual(signed.body, plain.body)

    def test_wrong_values_are_refused_as_in_the_plain_link(self):
        for path, code, parameter in (("/w:many", "invalid-value", "width"),
                                      ("/h:0", "invalid-value", "height"),
                                      ("/clip:nope", "unknown-clip", "clip"),
                                      ("/time:1", "invalid-value", "time")):
            with self.subTest(path=path):
                reply = self.signed(path + "/col.png")
                self.assertProblem(reply, 404 if code == "unknown-clip" else 400, code,
                                   parameter=parameter)
        self.assertProblem(self.signed("/w:16/absent.png"), 404, "unknown-rig")
        self.assertProblem(self.signed("/wdith:16/col.png"), 400, "unknown-member", says="width")
        self.assertProblem(self.signed("/w:16/width:16/col.png"), 400, "invalid-value",
                           says="twice")
        self.assertProblem(self.signed("/w:16/col.gif"), 404, "unknown-route", says="png")
        self.assertProblem(self.signed("/a:b" * 64 + "/col.png"), 413, "too-large", says="64")

    def test_queries_are_refused(self):
        for query in ("?width=4096", "?", "?x"):
            reply = self.client.get(sign(PATH) + query)
            self.assertStatus(reply, 200 if query == "?" else 400)

    def test_presets(self):
        preset = self.assertStatus(self.signed("/clip:bend/time:0.4/preset:card/col.png"), 200)
        self.assertEqual(preset.headers["ETag"], self.signed(PATH).headers["ETag"])
        self.assertStatus(self.signed("/clip:bend/preset:late/col.png"), 200)
        self.assertProblem(self.signed("/preset:crad/col.png"), 400, "invalid-value", says="card")
        self.assertProblem(self.signed("/preset:card/w:32/col.png"), 400, "invalid-value",
                           says="twice")


class Signatures(SignedCase):
    def assertWrong(self, path):
        self.assertProblem(self.client.get(path), 403, "forbidden", says="signature")

    def test_all_pairs_of_the_file_are_valid(self):
        for pair in (NEW, OLD):
            self.assertStatus(self.signed(PATH, pair), 200)
        self.assertWrong(sign(PATH, STRANGER))
        self.assertWrong(sign(PATH, (NEW[0], OLD[1])))

    def test_any_flipped_bit_of_the_signature_is_wrong(self):
        _, _, signature, rest = sign(PATH).split("/", 3)
        tried = 0
        for place in range(len(signature)):
            for bit in range(7):
                other = chr(ord(signature[place]) ^ 1 << bit)
                if re.fullmatch(r"[A-Za-z0-9_.~!$&'()*+,;=:@-]", other):
                    self.assertWrong(f"/i/{signature[:place]}{other}{signature[place + 1:]}/{rest}")
                    tried += 1
        self.assertGreater(tried, 100)

    def test_cut_and_padded_signatures_are_wrong(self):
        _, _, signature, rest = sign(PATH).split("/", 3)
        for other in (signature[:-1], signature[:11], signature[:1], signature + "=",
                      signature + "A", signature.replace("_", "/"), "unsafe", "insecure", "%00",
                      signature.swapcase(), urllib.parse.quote(signature[0]) + "%41"):
            self.assertWrong(f"/i/{other}/{rest}")
        self.assertWrong(sign(PATH, size=16))

    def test_what_was_not_signed_is_wrong(self):
        path = sign(PATH)
        for old, new in (("time:0.4", "time:0.5"), ("w:32", "w:4096"), ("/col.png", "/tube.png"),
                         ("%23ffffff", "%23FFFFFF"), ("w:32", "w%3A32"), ("/w:32", ""),
                         ("/col.png", "/fit:rest/col.png"), ("/clip", "//clip"),
                         ("/col.png", "/%63ol.png")):
            with self.subTest(change=new):
                self.assertNotEqual(path.replace(old, new), path)
                self.assertWrong(path.replace(old, new))

    def test_no_signature_is_no_link(self):
        for path in ("/i", "/i/", "/i/col.png", "/i//col.png", "/i/unsafe", "/i/unsafe/"):
            self.assertProblem(self.client.get(path), 404, "unknown-route")

    def test_signature_comes_before_all_else(self):
        for path in ("/expires:1/col.png", "/nonsense/col.png", "/w:16/absent.png", "/col.gif"):
            self.assertWrong(sign(path, STRANGER))


class Logs(SignedCase):
    """Readers of the log or the metrics must not learn a link that opens a picture."""

    with_tokens = True
    more_args = ("--log-level", "debug", "--log-format", "json")

    def test_they_hold_no_signatures_and_no_tokens(self):
        token = TOKENS["all"]
        signatures = set()
        for path in (PATH, "/w:0/col.png", "/w:16/absent.png", "/nothing", "/a:b/col.png",
                     "/clip:none/w:16/col.png", "/preset:none/col.png", "/expires:1/col.png"):
            for pair in (NEW, STRANGER):
                link = sign(path, pair)
                signatures.add(link.split("/")[2])
                for method, query in (("GET", ""), ("HEAD", ""), ("PUT", ""), ("OPTIONS", ""),
                                      ("GET", f"?token={token}")):
                    self.client.request(method, link + query)
        for query in (f"?token={token}", f"?access_token={token}&x"):
            self.assertStatus(self.client.get("/v1/rigs" + query, **bearer(token)), 200)
        for bad in ("GET {0}/../x HTTP/1.1\r\n\r\n", "GET {0} HTTP/9.9\r\nHost: localhost\r\n\r\n",
                    "GET {0} HTTP/1.1\r\nHost: localhost\r\nX Y\r\n\r\n", "GET {0}\r\n\r\n",
                    "GET {0} HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", self.client.port), 30) as raw:
                raw.sendall(bad.format(sign(PATH)).encode())
                raw.shutdown(socket.SHUT_WR)
                while raw.recv(65536):
                    pass
        metrics = self.client.get("/metrics", **bearer(token)).body.decode()
        self.client.get("/i/unsafe/last.png")
        end = time.monotonic() + WAIT_S
        while "/i/unsafe/last.png" not in (log := self.daemon.log_tail(1 << 20)):
            self.assertLess(time.monotonic(), end, log[-2000:])
            time.sleep(0.02)
        self.assertGreater(log.count('"path":"/i/***/'), 60, log[-2000:])
        self.assertIn(f'"path":"/i/***{PATH}"', log)
        for secret in (*signatures, *TOKENS.values()):
            self.assertNotIn(secret, log)
            self.assertNotIn(secret, metrics)


class Time(SignedCase):
    keeps_times = True

    def test_expired_links_are_404(self):
        for moment in (1, int(time.time()) - 1):
            reply = self.signed(f"/expires:{moment}{PATH}")
            self.assertProblem(reply, 404, "expired", says=str(moment))
            self.assertEqual(reply.headers["Cache-Control"], "no-store")

    def test_links_end_when_they_say(self):
        moment = int(time.time()) + 2
        path = f"/expires:{moment}{PATH}"
        self.assertStatus(self.signed(path), 200)
        time.sleep(max(0, moment + 0.1 - time.time()))
        self.assertProblem(self.signed(path), 404, "expired")

    def test_nothing_is_kept_past_the_end(self):
        content = self.put("kept", rigs.triangle().glb())
        for seconds in (3600, 40000000):
            reply = self.signed(f"/content:{content[:16]}/expires:{int(time.time()) + seconds}"
                                "/w:16/kept.png")
            self.assertStatus(reply, 200)
            kept = int(re.fullmatch(r"public, max-age=(\d+), immutable",
                                    reply.headers["Cache-Control"])[1])
            self.assertIn(kept, range(min(seconds, 31536000) - 5, min(seconds, 31536000) + 1))
        reply = self.signed(f"/expires:{int(time.time()) + 3600}/w:16/kept.png")
        self.assertEqual(reply.headers["Cache-Control"], "no-cache")

    def test_pinned_content(self):
        before = self.put("pinned", rigs.triangle().glb())
        link = f"/content:{before[:16]}/w:16/pinned.png"
        first = self.assertStatus(self.signed(link), 200)
        after = self.put("pinned", rigs.square().glb())
        gone = self.signed(link)
        self.assertProblem(gone, 404, "expired", says=before[:16])
        self.assertEqual(gone.headers["Cache-Control"], "no-store")
        self.assertStatus(self.signed(link, if_none_match=first.headers["ETag"]), 404)
        self.assertStatus(self.signed(f"/content:{after}/w:16/pinned.png"), 200)
        self.assertProblem(self.signed(f"/content:{after[:15]}/w:16/pinned.png"), 400,
                           "invalid-value")


class WithTokens(SignedCase):
    with_tokens = True

    def test_a_signature_is_enough_and_a_token_is_not(self):
        self.assertStatus(self.signed(PATH), 200)
        self.assertStatus(self.signed(PATH, **bearer("x" * 20)), 200)
        for headers in ({}, bearer(TOKENS["all"])):
            reply = self.client.get(sign(PATH, STRANGER), **headers)
            self.assertProblem(reply, 403, "forbidden")
            reply = self.client.get("/i/unsafe" + PATH, **headers)
            self.assertProblem(reply, 403, "forbidden")

    def test_it_is_for_that_path_alone(self):
        self.assertStatus(self.client.get(rig_path("col", "/frame.png" + QUERY)), 401)


class TokensWithoutKeys(SignedCase):
    with_tokens = True
    pairs = ()

    def test_unsigned_links_need_the_right_to_render(self):
        self.assertProblem(self.client.get("/i/unsafe" + PATH), 401, "unauthorized")
        for name, status in (("read", 403), ("render", 200), ("all", 200)):
            reply = self.client.get("/i/unsafe" + PATH, **bearer(TOKENS[name]))
            self.assertStatus(reply, status)
        self.assertProblem(self.client.get(sign(PATH)), 403, "forbidden")


class Unsigned(SignedCase):
    pairs = ()

    def test_unsafe_is_enough_on_the_loopback_address(self):
        self.assertStatus(self.client.get("/i/unsafe" + PATH), 200)
        for word in ("Unsafe", "unsafe2", "insecure", "_"):
            self.assertProblem(self.client.get(f"/i/{word}{PATH}"), 403, "forbidden")

    def test_examples_of_the_documents(self):
        texts = [(ROOT / name).read_text() for name in ("protocol/openapi.yaml", "docs/access.md")]
        links = re.findall(r"`(/i/unsafe/[^`]+/humanoid\.png)`", " ".join(texts))
        self.put_demo("humanoid")
        self.assertGreaterEqual(len(links), 3)
        for link in links:
            with self.subTest(link=link):
                self.assertStatus(self.client.get(link), 200)


class PresetsOnly(SignedCase):
    more_args = ("--presets-only", "on")
    presets = PRESETS + "walk = clip:bend/time:0.4\n"

    def test_nothing_but_presets_says_how_it_looks(self):
        content = self.client.get(rig_path("col")).json()["content"].removeprefix("sha256:")
        for path in ("/preset:card/col.png", "/col.png", "/preset:walk/cachebuster:1/col.png",
                     f"/preset:card/expires:99999999999/content:{content}/col.png"):
            self.assertStatus(self.signed(path), 200)
        for path in ("/w:16/col.png", "/preset:card/yaw:3/col.png"):
            self.assertProblem(self.signed(path), 400, "unknown-member", says="preset")
        self.assertStatus(self.client.get(rig_path("col", "/frame.png?width=16")), 200)


class ShortSignatures(SignedCase):
    more_args = ("--sign-bytes", "12")

    def test_of_the_length_that_was_asked_for_only(self):
        self.assertStatus(self.client.get(sign(PATH, size=12)), 200)
        for size in (8, 11, 13, 32):
            self.assertStatus(self.client.get(sign(PATH, size=size)), 403)


class Rotation(SignedCase):
    pairs = (OLD,)

    def until(self, what):
        end = time.monotonic() + WAIT_S
        while not what():
            self.assertLess(time.monotonic(), end, self.daemon.log_tail())
            time.sleep(0.02)

    def reload(self, **texts):
        for name, text in texts.items():
            self.files["--" + name.replace("_", "-")].write_text(text)
        self.daemon.process.send_signal(signal.SIGHUP)

    def statuses(self):
        return [self.signed(PATH, pair).status for pair in (OLD, NEW)]

    def test_keys_change_without_a_gap(self):
        self.assertEqual(self.statuses(), [200, 403])
        self.reload(sign_keys=key_lines(NEW, OLD))
        self.until(lambda: self.statuses() == [200, 200])
        self.reload(sign_keys=key_lines(NEW))
        self.until(lambda: self.statuses() == [403, 200])
        self.reload(sign_keys="# all gone\n")
        self.until(lambda: "has no line KEY SALT" in self.daemon.log_tail())
        self.assertEqual(self.statuses(), [403, 200])
        self.assertProblem(self.client.get("/i/unsafe" + PATH), 403, "forbidden")
        self.reload(sign_keys=key_lines(OLD))
        self.until(lambda: self.statuses() == [200, 403])

    def test_presets_change(self):
        path = "/preset:fresh/col.png"
        self.assertStatus(self.signed(path, OLD), 400)
        self.reload(presets=PRESETS + "fresh = w:16\n")
        self.until(lambda: self.signed(path, OLD).status == 200)
        self.reload(presets=PRESETS)
        self.until(lambda: self.signed(path, OLD).status == 400)


class PresetsStay(unittest.TestCase):
    """A reload whose configuration names no presets any more leaves those in force."""

    def test_links_with_presets_go_on_working(self):
        presets, keys = private_file("card = w:16/h:16\n"), private_file(key_lines(NEW))
        config = private_file(f"sign-keys = {keys}\npresets = {presets}\n")
        for file in (presets, keys, config):
            self.addCleanup(file.unlink)
        daemon = Daemon(args=("--config", str(config))).start()
        self.addCleanup(daemon.stop)
        client = Client(daemon.port)
        self.assertEqual(client.put("a", rigs.triangle().glb()).status, 201)
        before = client.get(sign("/preset:card/a.png"))
        self.assertEqual(before.status, 200, before.body)
        config.write_text(f"sign-keys = {keys}\n")
        daemon.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + WAIT_S
        while "reload: done" not in daemon.log_tail():
            self.assertLess(time.monotonic(), end, daemon.log_tail())
            time.sleep(0.02)
        self.assertIn("this needs a restart option=presets", daemon.log_tail())
        # Another link, so that no cached answer stands for it.
        after = client.get(sign("/preset:card/cachebuster:1/a.png"))
        self.assertEqual((after.status, after.body), (200, before.body))


class Strangers(unittest.TestCase):
    def test_unsafe_is_for_the_loopback_address_or_public_daemons(self):
        file = private_file(token_lines())
        self.addCleanup(file.unlink)
        body = rigs.triangle().glb()
        for args, status in ((("--public", "on"), 200), (("--tokens", str(file)), 403)):
            with self.subTest(args=args), tempfile.TemporaryDirectory() as data:
                process = subprocess.Popen(
                    [binary(), "--data", data, "--listen", "0.0.0.0:0", *args],
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                try:
                    client = Client(int(process.stdout.readline().decode().rsplit(":", 1)[1]))
                    self.assertEqual(client.put("a", body, **bearer(TOKENS["all"])).status, 201)
                    reply = client.get("/i/unsafe/w:16/a.png", **bearer(TOKENS["all"]))
                    self.assertEqual(reply.status, status, str(reply))
                finally:
                    process.terminate()
                    process.stdout.close()
                    process.wait(120)


class Signers(unittest.TestCase):
    """posed sign, and the signers of the documents, against the one above."""

    PATHS = ("/w:16/col.png", PATH, "/clip:W%2Falk/f%C3%BCchs.png", "/a~b!$&'()*+,;=:@/x.png")

    def setUp(self):
        self.keys = private_file("# first signs\n" + key_lines(NEW, OLD))
        self.addCleanup(self.keys.unlink)

    def posed_sign(self, *args, **env):
        return subprocess.run([binary(), "sign", *args], capture_output=True, text=True,
                              timeout=300, env={**os.environ, **env})

    def test_posed_sign(self):
        for path in self.PATHS:
            done = self.posed_sign(path, "--sign-keys", str(self.keys))
            self.assertEqual((done.returncode, done.stdout), (0, sign(path) + "\n"), done.stderr)
        done = self.posed_sign(self.PATHS[0], "--sign-bytes=16", POSED_SIGN_KEYS=str(self.keys))
        self.assertEqual(done.stdout, sign(self.PATHS[0], size=16) + "\n")

    def test_posed_sign_refuses(self):
        keys = ("--sign-keys", str(self.keys))
        for args, words in (((), "/"), (("/",), "/"), (("w:16/col.png",), "/"),
                            (("/a b.png", *keys), "0x20"), (("/a?b.png", *keys), "0x3f"),
                            (("/#.png", *keys), "0x23"), (("/ü.png", *keys), "0xc3"),
                            (("/a.png",), "--sign-keys"),
                            (("/a.png", "--sign-keys", "/nowhere"), "/nowhere"),
                            (("/a.png", "--bogus", "1"), "--bogus")):
            with self.subTest(args=args):
                done = self.posed_sign(*args)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(words, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def documented(self, language):
        text = (ROOT / "docs" / "access.md").read_text()
        return re.search(rf"```{language}\n(.*?)```", text, re.S)[1]

    def assertSigns(self, program, ending, code):
        with tempfile.TemporaryDirectory(prefix="posed-signer-") as folder:
            file = pathlib.Path(folder) / f"signer{ending}"
            file.write_text(code)
            for path in self.PATHS:
                done = subprocess.run([program, str(file), path, *NEW], capture_output=True,
                                      text=True, timeout=300)
                self.assertEqual(done.stdout, sign(path) + "\n", done.stderr)

    def test_the_documented_python(self):
        self.assertSigns("python3", ".py", self.documented("python"))

    def test_the_documented_javascript(self):
        if not shutil.which("node"):
            self.skipTest("no Node.js here: the signer in JavaScript is not run")
        self.assertSigns("node", ".mjs", self.documented("js"))

    def test_a_link_of_posed_sign_works(self):
        daemon = Daemon(args=("--sign-keys", str(self.keys))).start()
        try:
            client = Client(daemon.port)
            client.put("col", rigs.triangle().glb())
            done = self.posed_sign("/w:16/col.png", "--sign-keys", str(self.keys))
            self.assertEqual(client.get(done.stdout.strip()).status, 200)
        finally:
            daemon.stop()


if __name__ == "__main__":
    unittest.main()
