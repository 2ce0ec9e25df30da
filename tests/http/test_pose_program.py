"""build/pose: how it ends, what it shows in terminals, completes, watches and draws by itself."""
import base64
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from case import DEMO, DaemonCase
from daemon import ROOT
from debian import debian_module
from tiny import split_glb

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
FILE = str(DEMO / "humanoid.glb")
SMALL = ("--size", "48", "--samples", "1")
BENT = ("--clip", "Walk", "--time", "0.4")
SILENT_TERMINAL = {"TERM": "dumb", "TERM_PROGRAM": "", "LC_TERMINAL": ""}


def run(*args, text=True, cwd=None, stdin=None, input=None, **env):
    env = {**os.environ, **env}
    return subprocess.run([POSE, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=text,
                          timeout=120, cwd=cwd, env=env,
                          **({"input": input} if stdin is None else {"stdin": stdin}))


def in_terminal(*args, answers=b"", **env):
    """Runs pose with a terminal of its own, which answers what it asks; -> status and output."""
    kept = {name: value for name, value in os.environ.items()
            if name not in ("KITTY_WINDOW_ID", "TMUX", "STY")}
    child, master = pty.fork()
    if child == 0:
        os.execve(POSE, [str(POSE), *args], {**kept, **SILENT_TERMINAL, **env})
    output = b""
    try:
        while select.select([master], [], [], 60)[0]:
            piece = os.read(master, 65536)
            if not piece:
                break
            output += piece
            if answers and b"\033[c" in output:
                os.write(master, answers)
                answers = b""
    except OSError:  # the other end was closed
        pass
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), output


def kitty_picture(output):
    """The picture that Kitty would show: the chunks of one picture, joined."""
    pieces = re.findall(rb"\033_G([^;]*);([^\033]*)\033\\", output)
    controls = [dict(pair.split(b"=") for pair in control.split(b",")) for control, _ in pieces]
    assert controls[0][b"a"] == b"T" and controls[0][b"f"] == b"100", controls[0]
    assert all(control[b"m"] == b"1" for control in controls[:-1]), "pieces that are not the last"
    assert controls[-1][b"m"] == b"0", "the last piece"
    assert all(len(piece) <= 4096 and len(piece) % 4 == 0 for _, piece in pieces), "sizes"
    return base64.b64decode(b"".join(piece for _, piece in pieces), validate=True)


class Alone(unittest.TestCase):
    """Commands that need no daemon."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-pose-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def fine(self, *args, **env):
        done = run(*args, **env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def ends(self, status, *args, says="", **env):
        done = run(*args, **env)
        self.assertEqual(done.returncode, status, f"{args}: {done.stderr}")
        self.assertIn(says, done.stderr)
        return done

    def test_help_lists_every_exit_status(self):
        text = self.fine("--help").stdout
        self.assertEqual(re.findall(r"(?m)^  (\d)  ", text), list("0123456"))

    def test_help_of_a_command_has_its_options(self):
        every = set(re.findall(r"(?m)^  (-[\w-]+)", self.fine("-h").stdout))
        for command, has, lacks in (("frame", "--yaw", "--count"), ("sheet", "--columns", "--worst"),
                                    ("bake", "--as", "--yaw"), ("list", "--server", "--clip")):
            text = self.fine(command, "--help").stdout
            self.assertTrue(text.startswith(f"usage: pose {command} "), text)
            own = set(re.findall(r"(?m)^  (-[\w-]+)", text))
            self.assertIn(has, own)
            self.assertNotIn(lacks, own)
            self.assertLess(own, every)
            self.assertEqual(self.fine(command, "-h").stdout, text)

    def test_options_may_have_their_value_within(self):
        want = self.drawn("--yaw", "30")
        self.assertNotEqual(self.drawn("--yaw", "60"), want)
        self.assertEqual(self.drawn("--yaw=30"), want)
        (self.folder / "--yaw").write_bytes(pathlib.Path(FILE).read_bytes())
        done = run("frame", "-o", "-", *SMALL, "--yaw=30", "--", "--yaw", text=False, cwd=self.folder)
        self.assertEqual(done.stdout, want)
        self.ends(3, "frame", FILE, "--clip=", says="clip")
        self.ends(3, "frame", FILE, "--clip=a=b", says="a=b")

    def test_wrong_usage_is_2(self):
        for args, says in (
            ((), "which command?"),
            (("compare", FILE, "lbs"), 'pose: 2 arguments behind "compare", must be at least 3'),
            (("frame", FILE, "--grid=true"), "no value is taken by"),
            (("frame", FILE, "--yaw"), "a value is missing behind"),
            (("show", "--", "--json", "rig"), "must be at most 1"),
            (("frame", FILE, "--show", "kitty", "--format", "webp"), "kitty takes no image/webp"),
            (("frame", FILE, "--show", "auto", "--format", "rgba"), "auto takes no"),
            (("frames", FILE, "--show", "sixel", "--format", "webm"), "sixel takes no video/webm"),
            (("turntable", FILE, "--show", "iterm2", "--format", "tar"), "iterm2 takes no"),
            (("nothing",), "no command"),
            (("show",), "usage: pose show RIG"),
            (("list", "--nothing"), "no option"),
            (("list", "--size", "3"), "not for"),
            (("frame", FILE, "--size", "3", "--width", "4"), "--size is both"),
            (("frame", FILE, "-o", "a.tiff"), 'no format "tiff"'),
            (("frame", FILE, "--show", "vt52"), "--show is auto"),
            (("frame", FILE, "--lights", "on"), "true or false"),
            (("frames", FILE, "-o", "a.jpg"), "of sequences"),
            (("frames", FILE, "--format", "multipart"), "there are: apng"),
            (("sheet", FILE, "--format", "json", "--show", "auto"), "--show needs a picture"),
            (("frames", FILE, "--times", "0,1", "--count", "2"), "--times says every moment"),
            (("compare", FILE, "lbs", "dqs", "--tolerance", "-1"), "--tolerance"),
            (("compare", FILE, "lbs", "dqs", "--show", "kitty"), "--view"),
            (("compare", FILE, "lbs", "dqs", "--format", "webp"), "--view"),
            (("compare", FILE, "lbs", "dqs", "-o", "a.png"), "--view"),
            (("frame", FILE, "-o", "a.png", "--format", "webp"), 'what "a.png" ends with'),
            (("frames", FILE, "-o", "a.webm", "--format", "gif"), 'what "a.webm" ends with'),
            (("sheet", FILE, "-o", "a.webp"), "a sheet is a PNG"),
            (("sheet", FILE, "--format", "gif"), "a sheet is a PNG"),
            (("sheet", FILE, "-o", "a.png", "--format", "sheet_json"), 'what "a.png" ends with'),
            (("vertices", "rig", "-o", "a.png"), "what comes is numbers as float32"),
            (("vertices", "rig", "-o", "a.json", "--glb"), "what comes is a GLB"),
            (("vertices", "rig", "-o", "a.glb", "--json"), "what comes is JSON"),
            (("pose", "rig", "-o", "a.glb"), "what comes is JSON"),
            (("mesh", "rig", "-o", "a.gltf"), "what comes is a GLB"),
            (("convert", FILE, "-o", "a.fbx.gltf"), "what comes is a GLB"),
            (("convert", FILE, "--size", "3"), "not for"),
            (("convert",), "usage: pose convert FILE"),
            (("transitions", "rig", "a", "b", "-o", "a.png"), "what comes is JSON"),
            (("bake", "rig", "--as", "vertex_texture", "-o", "a.glb"), "what comes is a tar"),
            (("bake", "rig", "--as", "morph", "-o", "a.tar"), "what comes is a GLB"),
            (("clip", "get", "rig", "a", "--glb", "-o", "a.json"), "what comes is a GLB"),
            (("example", "show", "rig", "a", "-o", "a.glb"), "what comes is JSON"),
            (("crowd", FILE, "--vertices", "-o", "a.png"), "what comes is numbers as float32"),
            (("crowd", FILE, "--json", "-o", "a.png"), "what comes is JSON"),
            (("crowd", FILE, "-o", "a.rgba"), "octets are vertices"),
            (("frame", FILE, "--pose", "{bad"), "--pose: line 1, column 4"),
            (("frame", FILE, "--pose", '"rest", "width": 5'), "--pose: line 1, column 7"),
            (("frame", FILE, "--overlays", "[1"), "--overlays: line 1"),
            (("compare", FILE, "lbs", "{"), "METHOD: line 1"),
            (("fit", "rig", "{}, 1"), "METHOD: line 1"),
            (("clip", "put", "rig", "a", "--pose", ""), "--pose: "),
            (("example", "put", "rig", "a", "--clip", "Walk", "--targets", "{"), "--targets: line 1"),
            (("watch", FILE), "-o or --show"),
            (("watch", "-", "-o", "a.png"), "standard input"),
            (("watch", FILE, "-o", "a.png", "--format", "foo"), 'no format "foo"'),
            (("watch", FILE, "-o", "a.png", "--yaw", "east"), "--yaw takes a number"),
            (("put", "-"), "pose put - RIG"),
            (("watch", FILE, "rig", "--clip", "Walk"), "-o or --show"),
            (("completion", "tcsh"), "bash|zsh|fish"),
        ):
            with self.subTest(args=args):
                self.ends(2, *args, says=says)

    def test_what_is_not_there_is_1(self):
        self.ends(1, "frame", "no/such/file", says="No such file")
        self.ends(1, "put", "no/such/file", says="No such file")

    def test_a_broken_asset_and_a_refused_request_are_3(self):
        broken = self.folder / "broken.glb"
        broken.write_bytes(pathlib.Path(FILE).read_bytes()[:5000])
        self.ends(3, "frame", str(broken), "-o", str(self.folder / "a.png"), says=str(broken))
        self.ends(3, "frame", FILE, "--clip", "Nothing", "-o", "-", says="Nothing")
        self.ends(3, "frame", FILE, "--exposure", "99", "-o", "-", says="exposure")
        self.ends(3, "frame", FILE, "--options", 'a":1=1', "-o", "-", says='"a":1"')
        self.ends(3, "frame", FILE, "-o", str(self.folder / "a.jpg"), says="background")
        self.ends(3, "compare", FILE, "lbs", "nothing", says="nothing")
        self.assertEqual(list(self.folder.iterdir()), [broken])

    def test_no_daemon_is_4(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            server = f"http://127.0.0.1:{free.getsockname()[1]}"
        self.ends(4, "list", "--server", server, says=server)
        words = json.loads(self.ends(4, "list", "--json", "--server", server).stderr)
        self.assertEqual((words["type"], words["detail"].startswith(server)),
                         ("urn:posed:no-daemon", True))
        # A mistyped file name is not a rig, and needs no daemon.
        for args in (("frame", "miss.glb"), ("turntable", "miss"), ("compare", "miss", "lbs", "dqs")):
            self.ends(4, *args, "--server", server, says=f'there is no file "{args[1]}"')
        words = self.ends(4, "frame", "miss.glb", "--json", "--server", server).stderr
        self.assertEqual(json.loads(words)["type"], "urn:posed:no-daemon")

    def test_no_graphics_driver_is_6(self):
        # As on a machine without one: EGL finds no vendor.
        bare = {"__EGL_VENDOR_LIBRARY_DIRS": "/nonexistent"}
        out = self.folder / "a.png"
        on_gpu = ("frame", FILE, "--device", "gpu", "-o", str(out))
        done = self.ends(6, *on_gpu, says="no graphics driver", **bare)
        self.assertTrue(done.stderr.startswith(f"pose: {FILE}: "), done.stderr)
        self.assertIn("posed doctor", done.stderr)
        self.assertNotIn("daemon", done.stderr)
        self.assertFalse(out.exists())
        problem = json.loads(self.ends(6, *on_gpu, "--json", **bare).stderr)
        self.assertEqual(problem["type"], "urn:posed:no-renderer")
        self.assertNotIn("daemon", problem["title"] + problem["detail"])
        # Nothing else needs one.
        for args in (("frame", FILE), ("compare", FILE, "lbs", "dqs", "--view", "heat")):
            with self.subTest(args=args):
                self.assertEqual(self.fine(*args, "-o", str(out), **bare).stderr, "")
        self.assertEqual(self.fine("compare", FILE, "lbs", "dqs", **bare).stderr, "")

    def test_errors_are_documents_with_json(self):
        done = self.ends(3, "frame", FILE, "--exposure", "99", "--json")
        problem = json.loads(done.stderr)
        self.assertEqual((problem["status"], problem["pointer"]), (400, "/exposure"))
        self.assertEqual(done.stdout, "")
        nothing = str(self.folder / "nothing" / "a.png")
        for args, kind, detail in (
            (("put", "no/such/file"), "file", "no/such/file: No such file or directory"),
            (("put", "/"), "file", "/: Is a directory"),
            (("crowd", "no/such/file"), "file", "no/such/file: No such file or directory"),
            (("frame", FILE, *SMALL, "-o", nothing), "file", f"{nothing}: No such file or directory"),
            (("watch", "no/such/file", "-o", nothing), "file", "no/such: No such file or directory"),
            (("list", "--token-file", "/nowhere"), "file", "/nowhere: No such file or directory"),
            (("list", "--token-file", "/dev/null"), "token", "/dev/null: what is in it is no token"),
        ):
            with self.subTest(args=args):
                problem = json.loads(self.ends(1, *args, "--json").stderr)
                self.assertEqual((problem["type"], problem["detail"]), (f"urn:posed:{kind}", detail))

    def test_standard_input_is_a_file(self):
        content = pathlib.Path(FILE).read_bytes()
        want = self.drawn()
        done = run("frame", "-", *SMALL, "-o", "-", input=content, text=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue(done.stdout == want, "bytes differ")

    def test_an_asset_is_converted(self):
        fbx = (ROOT / "tests/fuzz/seeds/fuzz_fbx/binary_7500.fbx").read_bytes()
        out = self.folder / "a.glb"
        (self.folder / "a.fbx").write_bytes(fbx)
        done = run("convert", str(self.folder / "a.fbx"), "-o", str(out), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({json.loads(line)["file"] for line in done.stderr.splitlines()},
                         {str(self.folder / "a.fbx")})
        self.assertEqual(json.loads(done.stdout), {"file": str(out), "bytes": out.stat().st_size})
        piped = run("convert", "-", text=False, input=fbx)
        self.assertEqual((piped.returncode, piped.stdout), (0, out.read_bytes()))
        self.assertEqual(piped.stdout[:4], b"glTF")
        self.ends(3, "convert", "-", "-o", str(self.folder / "b.glb"), input="nothing",
                  says="no known format")
        self.ends(1, "convert", "no/such/file", says="No such file")
        self.assertFalse((self.folder / "b.glb").exists())

    def test_a_comparison_of_a_file_holds_a_tolerance(self):
        done = self.fine("compare", FILE, "lbs", "dqs", *BENT)
        (pair,) = json.loads(done.stdout)["pairs"]
        self.assertGreater(pair["max"], 1e-4)
        self.fine("compare", FILE, "lbs", "dqs", *BENT, "--tolerance", str(pair["max"] * 1.001))
        apart = self.ends(5, "compare", FILE, "lbs", "dqs", *BENT, "--tolerance",
                          str(pair["max"] * 0.999), says="lbs and dqs are up to")
        self.assertEqual(apart.stdout, done.stdout)
        picture = self.folder / "a.png"
        self.ends(5, "compare", FILE, "lbs", "dqs", *BENT, "--tolerance", "0", "--view", "heat",
                  "--width", "300", "--height", "200", "-o", str(picture))
        self.assertEqual(picture.read_bytes()[:4], b"\x89PNG")

    def test_the_name_of_the_file_says_the_format(self):
        image = debian_module("PIL.Image")
        for ending, kind in (("png", "PNG"), ("webp", "WEBP"), ("jpg", "JPEG"), ("jpeg", "JPEG"),
                             ("Png", "PNG"), ("JPEG", "JPEG")):
            path = self.folder / f"a.{ending}"
            done = self.fine("frame", FILE, *SMALL, "--background", "#ffffff", "-o", str(path), "--json")
            self.assertEqual(json.loads(done.stdout),
                             {"file": str(path), "bytes": path.stat().st_size})
            with image.open(path) as picture:
                self.assertEqual((picture.format, picture.size), (kind, (48, 48)))
        self.fine("frame", FILE, *SMALL, "-o", str(self.folder / "a.rgba"))
        self.assertEqual((self.folder / "a.rgba").stat().st_size, 48 * 48 * 4)

    def test_sequences_of_a_file(self):
        image = debian_module("PIL.Image")
        for args, kind, frames, size in (
            (("frames", "-o", "a.apng", "--clip", "Walk", "--count", "4"), "PNG", 4, (48, 48)),
            (("frames", "-o", "b.gif", "--turntable", "3"), "GIF", 3, (48, 48)),
            (("frames", "-o", "t.webp", "--clip", "Walk", "--times", "0,0.2,0.3"), "WEBP", 3, (48, 48)),
            (("turntable", "-o", "a.webp", "--count", "5"), "WEBP", 5, (48, 48)),
            (("turntable", "-o", "c.apng"), "PNG", 36, (48, 48)),
            (("sheet", "-o", "a.png", "--clip", "Walk", "--count", "6", "--columns", "3"), "PNG", 1,
             (144, 96)),
        ):
            with self.subTest(args=args):
                path = self.folder / args[2]
                self.fine(args[0], FILE, *SMALL, *args[3:], "-o", str(path))
                with image.open(path) as picture:
                    self.assertEqual((picture.format, picture.size), (kind, size))
                    self.assertEqual(getattr(picture, "n_frames", 1), frames)
        with image.open(self.folder / "a.png") as picture:
            picture.load()
            self.assertEqual(json.loads(picture.text["posed"])["columns"], 3)
            chunk = picture.text["posed"]
        # The map that stands in the sheet, by itself.
        args = ("sheet", FILE, *SMALL, "--clip", "Walk", "--count", "6", "--columns", "3")
        self.fine(*args, "-o", str(self.folder / "a.json"))
        self.assertEqual((self.folder / "a.json").read_text(), chunk)
        self.assertEqual(self.fine(*args, "--format", "sheet_json").stdout, chunk + "\n")

    def test_a_file_is_written_whole_or_not_at_all(self):
        path = self.folder / "a.rgba"
        path.write_bytes(b"before")
        path.chmod(0o640)
        # The limit of a file is 1 KiB; a longer one is refused with a message.
        done = subprocess.run(
            ["bash", "-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "pose", POSE, "frame", FILE,
             *SMALL, "-o", str(path)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(path.read_bytes(), b"before")
        self.assertEqual(list(self.folder.iterdir()), [path])
        self.fine("frame", FILE, *SMALL, "-o", str(path))
        self.assertEqual(path.stat().st_size, 48 * 48 * 4)
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)
        self.assertEqual(list(self.folder.iterdir()), [path])

    def test_what_is_no_plain_file_is_written_as_it_is(self):
        link = self.folder / "link.rgba"
        link.symlink_to("target.rgba")
        self.fine("frame", FILE, *SMALL, "-o", str(link))
        self.assertTrue(link.is_symlink())
        self.assertEqual((self.folder / "target.rgba").stat().st_size, 48 * 48 * 4)
        self.fine("frame", FILE, *SMALL, "-o", "/dev/null", "--format", "png")

    def test_progress_is_for_terminals_only(self):
        args = ("turntable", FILE, *SMALL, "--count", "3", "-o", str(self.folder / "a.apng"))
        self.assertEqual(self.fine(*args).stderr, "")
        status, output = in_terminal(*args)
        self.assertEqual(status, 0, output)
        self.assertIn(b"2 of 3 frames", output)

    def test_progress_of_clips(self):
        made, count = str(self.folder / "made"), len(split_glb(pathlib.Path(FILE).read_bytes())[0]["animations"])
        for command, name, options in (("compress", "clips.pclip", ()), ("compress", "clips.glb", ("--codec", "keys")),
                                       ("optimise", "small.glb", ())):
            with self.subTest(command, name=name):
                args = (command, FILE, *options, "-o", f"{made}-{name}")
                self.assertEqual(self.fine(*args).stderr, "")
                status, output = in_terminal(*args)
                self.assertEqual(status, 0, output)
                for i in range(count):
                    self.assertIn(f"clip {i + 1} of {count}".encode(), output)

    def drawn(self, *args):
        return run("frame", FILE, *SMALL, *args, "-o", "-", text=False).stdout

    def test_kitty_gets_the_picture_in_pieces(self):
        status, output = in_terminal("frame", FILE, "--size", "128", KITTY_WINDOW_ID="1",
                                     *("--show", "auto"))
        self.assertEqual(status, 0, output)
        self.assertGreater(output.count(b"\033_G"), 1)
        want = run("frame", FILE, "--size", "128", "-o", "-", text=False).stdout
        self.assertEqual(kitty_picture(output), want)
        status, output = in_terminal("turntable", FILE, *SMALL, "--count", "2", "--show", "kitty")
        self.assertEqual(kitty_picture(output)[:4], b"\x89PNG")

    def test_a_comparison_is_shown(self):
        args = ("compare", FILE, "lbs", "dqs", *BENT, "--view", "heat", "--width", "300", "--height", "200")
        done = run(*args, "--show", "kitty", text=False)
        self.assertEqual(kitty_picture(done.stdout), run(*args, "-o", "-", text=False).stdout)

    def test_iterm2_gets_it_in_one(self):
        status, output = in_terminal("frame", FILE, *SMALL, "--show", "auto",
                                     TERM_PROGRAM="iTerm.app")
        self.assertEqual(status, 0, output)
        size, content = re.search(rb"\033\]1337;File=inline=1;size=(\d+):([^\a]*)\a", output).groups()
        picture = base64.b64decode(content, validate=True)
        self.assertEqual((int(size), picture), (len(picture), self.drawn()))

    def test_sixels_have_the_picture_s_size(self):
        done = run("frame", FILE, *SMALL, "--background", "#ffffff", "--show", "sixel", text=False)
        if b"without libsixel" in done.stderr:
            self.skipTest("pose was built without libsixel")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, rb'^\033P[0-9;]*q"1;1;48;48')
        self.assertRegex(done.stdout, rb"\033\\\n$")
        reader = shutil.which("sixel2png")
        if reader:
            image = debian_module("PIL.Image")
            path = self.folder / "back.png"
            subprocess.run([reader, "-o", path], input=done.stdout, check=True)
            first = self.folder / "first.png"
            first.write_bytes(self.drawn("--background", "#ffffff"))
            with image.open(path) as back, image.open(first) as want:
                pairs = zip(back.convert("RGB").tobytes(), want.convert("RGB").tobytes())
                # Sixels have 256 colours and hundredths of light, and dither.
                self.assertLess(sum(abs(a - b) for a, b in pairs) / (48 * 48 * 3), 12)

    def test_a_terminal_is_asked_where_nothing_says_what_it_is(self):
        args = ("frame", FILE, *SMALL, "--show", "auto")
        status, output = in_terminal(*args, answers=b"\033_Gi=31;OK\033\\\033[?62;c")
        self.assertEqual(status, 0, output)
        question = b"\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[c"
        self.assertIn(question, output)
        self.assertEqual(kitty_picture(output.replace(question, b"")), self.drawn())
        status, output = in_terminal(*args, answers=b"\033[?62;14;22c")
        self.assertEqual(status, 1)
        self.assertIn(b"does not say that it shows pictures", output)
        started = time.monotonic()
        self.assertEqual(in_terminal(*args)[0], 1)
        self.assertLess(time.monotonic() - started, 20, "no answer came")
        self.ends(1, *args, says="name the way")

    def watch(self, path, *args):
        program = subprocess.Popen([POSE, "watch", path, *args], stderr=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, text=True)
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        self.addCleanup(program.stderr.close)
        return program

    def line(self, program):
        ready = select.select([program.stderr], [], [], 60)[0]
        self.assertTrue(ready, "nothing was said")
        return program.stderr.readline()

    def test_a_file_is_drawn_again_when_it_changes(self):
        path, out = self.folder / "a.glb", self.folder / "a.png"
        shutil.copy(FILE, path)
        program = self.watch(path, "-o", out, *SMALL)
        self.assertIn("drawn", self.line(program))
        first = out.read_bytes()
        # As an editor saves: a new file takes the place of the old one.
        shutil.copy(DEMO / "cyl2.glb", self.folder / "new")
        os.rename(self.folder / "new", path)
        self.assertIn("drawn", self.line(program))
        self.assertNotEqual(out.read_bytes(), first)
        path.write_bytes(b"glTF is what this is not")
        self.assertNotIn("drawn", self.line(program))
        # In pieces, which are one change.
        content = pathlib.Path(FILE).read_bytes()
        path.write_bytes(content[:1000])
        path.write_bytes(content)
        self.assertIn("drawn", self.line(program))
        self.assertEqual(out.read_bytes(), first)
        program.send_signal(signal.SIGINT)
        self.assertEqual(program.wait(timeout=300), 0)

    def test_what_a_link_leads_to_is_watched(self):
        path, out = self.folder / "a.glb", self.folder / "a.png"
        for name in ("one", "two"):
            (self.folder / name).mkdir()
            shutil.copy(FILE, self.folder / name / f"{name}.glb")
        path.symlink_to("one/one.glb")
        program = self.watch(path, "-o", out, *SMALL)
        self.assertIn("drawn", self.line(program))
        shutil.copy(DEMO / "cyl2.glb", self.folder / "one" / "one.glb")
        self.assertIn("drawn", self.line(program))
        (self.folder / "new").symlink_to("two/two.glb")
        os.rename(self.folder / "new", path)
        self.assertIn("drawn", self.line(program))
        first = out.read_bytes()
        shutil.copy(DEMO / "cyl2.glb", self.folder / "two" / "two.glb")
        self.assertIn("drawn", self.line(program))
        self.assertNotEqual(out.read_bytes(), first)
        program.send_signal(signal.SIGTERM)
        self.assertEqual(program.wait(timeout=300), 0)


class WithDaemon(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        cls.put_rig("with space", (DEMO / "cyl2.glb").read_bytes())
        cls.server = f"http://127.0.0.1:{cls.daemon.port}"

    def pose(self, *args, **keywords):
        return run(*args, POSED_SERVER=self.server, **keywords)

    def fine(self, *args):
        done = self.pose(*args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_statuses(self):
        self.assertEqual(self.pose("show", "nothing").returncode, 3)
        self.assertEqual(self.pose("frame", "humanoid", "--exposure", "99").returncode, 3)
        done = self.pose("show", "nothing", "--json")
        self.assertEqual(json.loads(done.stderr)["type"], "urn:posed:unknown-rig")
        for tolerance, status in (("0.0001", 5), ("1", 0)):
            done = self.pose("compare", "humanoid", "lbs", "dqs", *BENT, "--tolerance", tolerance)
            self.assertEqual(done.returncode, status, done.stderr)

    def test_a_folder_hides_no_rig(self):
        with tempfile.TemporaryDirectory(prefix="posed-pose-") as folder:
            pathlib.Path(folder, "humanoid").mkdir()
            done = self.pose("frame", "humanoid", *SMALL, "-o", "a.png", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = self.pose("frame", "miss.glb", cwd=folder)
            self.assertEqual(done.returncode, 3)
            self.assertIn('there is no file "miss.glb"', done.stderr)

    def test_standard_input_is_put(self):
        with open(FILE, "rb") as file:
            done = self.pose("put", "-", "by pipe", stdin=file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.description("by pipe")["content"],
                         self.description("humanoid")["content"])
        crowd = json.dumps({"instances": [{"rig": "humanoid"}], "width": 48, "height": 48})
        done = self.pose("crowd", "-", "-o", "-", input=crowd.encode(), text=False)
        self.assertEqual((done.returncode, done.stdout[:4]), (0, b"\x89PNG"), done.stderr)

    def test_a_failure_without_a_document_is_one(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            program = subprocess.Popen([POSE, "list", "--json", "--server", address],
                                       stderr=subprocess.PIPE)
            connection = listener.accept()[0]
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n"
                                   b"Connection: close\r\n\r\n")
                problem = json.loads(program.communicate(timeout=300)[1])
            self.assertEqual(program.returncode, 3)
            self.assertEqual((problem["type"], problem["status"]), ("urn:posed:no-reason", 404))

    def test_a_busy_daemon_is_4(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            program = subprocess.Popen([POSE, "list", "--server", address], stderr=subprocess.PIPE)
            connection = listener.accept()[0]
            with connection:
                connection.recv(4096)
                # It wants to be left alone for longer than anyone waits.
                connection.sendall(b"HTTP/1.1 503 Busy\r\nRetry-After: 100\r\n"
                                   b"Content-Length: 0\r\nConnection: close\r\n\r\n")
                program.communicate(timeout=300)
            self.assertEqual(program.returncode, 4)

    def test_both_ways_give_the_same(self):
        for args in (("frame", *SMALL, "--camera", "front", "--environment", "soft", "-o", "-"),
                     ("frame", *SMALL, "--format", "webp", "-o", "-"),
                     ("compare", "lbs", "dqs", *BENT),
                     ("sheet", *SMALL, "--clip", "Walk", "--count", "4", "-o", "-"),
                     ("sheet", *SMALL, "--clip", "Walk", "--count", "4", "--format", "sheet_json")):
            with self.subTest(args=args):
                here, there = (self.pose(args[0], subject, *args[1:], text=False)
                               for subject in (FILE, "humanoid"))
                self.assertEqual((here.returncode, there.returncode), (0, 0), there.stderr)
                self.assertTrue(here.stdout == there.stdout, "bytes differ")

    def test_the_name_of_the_file_says_the_form(self):
        crowd = {"instances": [{"rig": "humanoid"}]}
        for args, forms in ((("vertices", "humanoid"), ("bin", "json", "glb")),
                            (("crowd", "crowd.json"), ("bin", "json")),
                            (("clip", "get", "humanoid", "Bent"), ("json", "glb")),
                            (("bake", "humanoid", "--as", "morph", *BENT[:2]), ("glb",)),
                            (("bake", "humanoid", "--as", "joint_texture", *BENT[:2]), ("tar",))):
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                (folder / "crowd.json").write_text(json.dumps(crowd))
                self.fine("clip", "put", "humanoid", "Bent", *BENT)
                args = [str(folder / arg) if arg == "crowd.json" else arg for arg in args]
                for form in forms:
                    with self.subTest(args=args, form=form):
                        extra = ["--vertices"] if args[0] == "crowd" and form == "bin" else []
                        path = folder / f"a.{form}"
                        self.fine(*args, *extra, "-o", str(path))
                        content = path.read_bytes()
                        self.assertEqual(content[:4] == b"glTF", form == "glb")
                        self.assertEqual(content[:1] == b"{", form == "json")
                        self.assertEqual(content[257:262] == b"ustar", form == "tar")

    def test_people_get_tables_and_scripts_json(self):
        self.assertIn("rigs", json.loads(self.fine("list")))
        self.assertEqual(json.loads(self.fine("show", "humanoid"))["name"], "humanoid")
        env = {"POSED_SERVER": self.server}
        status, output = in_terminal("list", **env)
        self.assertEqual(status, 0)
        rows = [line.split() for line in output.decode().splitlines()]
        self.assertEqual(rows[0], ["rig", "vertices", "joints", "clips"])
        self.assertIn(["humanoid", "13185", "24", "4"], rows)
        output = in_terminal("show", "humanoid", **env)[1].decode()
        self.assertIn("Walk", output)
        self.assertIn("\n  Hips", output.replace("\r", ""))
        self.assertIn("rigs", json.loads(in_terminal("list", "--json", **env)[1]))

    def test_every_parameter_of_a_picture_has_an_option(self):
        text = (ROOT / "protocol" / "openapi.yaml").read_text()
        link = text[text.index("operationId: getFrame\n"):]
        link = link[:link.index("responses:")]
        names = set(re.findall(r"\{name: (\w+), in: query", link))
        # Options of a shading, which --shading-options takes.
        names -= {"joint", "legend", "color", "squares", "impl", "light", "light_color", "ambient",
                  "specular", "shininess", "near", "far"}
        options = run("--help").stdout
        for name in sorted(names):
            self.assertRegex(options, rf"(?m)^  --{name.replace('_', '-')} ", name)

    def completed(self, *words, server=None):
        """Bash's completions of the last of the words."""
        script = run("completion", "bash").stdout
        # Bash takes words apart at these.
        parts = [part for word in words for part in re.findall("[:=]+|[^:=]+", word) or [""]]
        line = " ".join(f"'{part}'" for part in parts)
        program = (f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(parts) - 1}; "
                   f"COMP_LINE='{' '.join(words)}'; _pose; "
                   'printf "%s\\n" "${COMPREPLY[@]}"')
        env = {**os.environ, "POSED_SERVER": server or self.server,
               "PATH": f"{POSE.parent}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, env=env,
                              timeout=300, cwd=DEMO)
        self.assertEqual(done.stderr, "")
        return done.stdout.split("\n")[:-1]

    def test_bash_completes(self):
        self.assertEqual(self.completed("pose", "tur"), ["turntable"])
        self.assertIn("--help", self.completed("pose", "-"))
        self.assertEqual(self.completed("pose", "show", "hum"), ["humanoid", "humanoid.glb"])
        self.assertEqual(self.completed("pose", "delete", "wi"), ["with\\ space"])
        self.assertEqual(self.completed("pose", "frame", "hum"), ["humanoid", "humanoid.glb"])
        self.assertEqual(self.completed("pose", "frame", "cyl2.glb", "hum"), ["humanoid", "humanoid.glb"])
        self.assertEqual(self.completed("pose", "convert", "cyl2.glb", "hum"), ["humanoid.glb"])
        self.assertEqual(self.completed("pose", "put", "cyl2."), ["cyl2.glb"])
        self.assertEqual(self.completed("pose", "frame", "humanoid", "--clip", "Wal"), ["Walk"])
        self.assertEqual(self.completed("pose", "transitions", "humanoid", "Ru"), ["Run"])
        self.assertEqual(self.completed("pose", "compress", "hum"), ["humanoid", "humanoid.glb"])
        self.assertEqual(self.completed("pose", "compress", "humanoid", "Ru"), ["Run"])
        self.assertEqual(self.completed("pose", "compress", "humanoid", "Run", "Wal"), ["Walk"])
        self.assertEqual(self.completed("pose", "clip", "get", "humanoid", "--clip", "Wal"), ["Walk"])
        self.assertEqual(self.completed("pose", "compare", "humanoid", "lb"), ["lbs", "lbs_dqs_mix"])
        self.assertEqual(self.completed("pose", "compare", "humanoid", "lbs", "dqs", "lb"),
                         ["lbs", "lbs_dqs_mix"])
        self.assertEqual(self.completed("pose", "clip", "d"), ["delete"])
        self.assertEqual(self.completed("pose", "clip", "get", "humanoid", "Wal"), ["Walk"])
        self.assertEqual(self.completed("pose", "example", "put", "humanoid", "a", "cyl2."),
                         ["cyl2.glb"])
        self.assertEqual(self.completed("pose", "frame", "humanoid", "--loop", "p"), ["ping_pong"])
        self.assertEqual(self.completed("pose", "frame", "humanoid", "--camera=three"),
                         ["three_quarter"])
        self.assertEqual(self.completed("pose", "frame", "humanoid", "--clip="),
                         self.completed("pose", "frame", "humanoid", "--clip", ""))
        self.assertEqual(self.completed("pose", "frame", "humanoid", "--lights", ""), ["true", "false"])
        for given in (("--server", self.server), (f"--server={self.server}",)):
            self.assertEqual(self.completed("pose", *given, "show", "hum", server="http://127.0.0.1:1"),
                             ["humanoid", "humanoid.glb"])
        self.assertEqual(self.completed("pose", "completion", "f"), ["fish"])
        self.assertEqual(self.completed("pose", "sheet", "humanoid", "--col"), ["--columns"])
        self.assertEqual(self.completed("pose", "delete", "humanoid", "--col"), [""])
        self.assertEqual(self.completed("pose", "check", "a.glb", "b.glb", "cyl2."), ["cyl2.glb"])
        self.assertEqual(self.completed("pose", "check", "humanoid", "--clip", "Wal"), ["Walk"])
        self.assertEqual(self.completed("pose", "check", "a.glb", "--only", "motion/po"),
                         ["motion/pop"])
        self.assertEqual(self.completed("pose", "check", "--profile", "ga"), ["game"])
        self.assertEqual(self.completed("pose", "check", "--profile", "cyl2."), ["cyl2.glb"])
        self.assertEqual(self.completed("pose", "check", "--fail-on", "w"), ["warning"])
        # The value of an option that is a switch elsewhere.
        self.assertEqual(self.completed("pose", "check", "--json", "cyl2."), ["cyl2.glb"])
        self.assertEqual(self.completed("pose", "check", "--json", "a", "--sar"), ["--sarif"])
        self.assertEqual(self.completed("pose", "show", "--json", "hum"),
                         ["humanoid", "humanoid.glb"])
        listed = subprocess.run(["bash", "-c", f"{run('completion', 'bash').stdout}\ncomplete -p pose"],
                                capture_output=True, text=True)
        self.assertEqual(listed.stdout, "complete -F _pose pose\n")

    def test_completion_offers_what_the_daemon_lists(self):
        """Every choice that the daemon's errors name, and no other."""
        def listed(path, after):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"{self.server}/v1/rigs/humanoid/{path}")
            detail = json.load(refused.exception)["detail"]
            return set(detail[detail.index(after) + len(after):].split(", "))

        for option, parameter in (("environment", "environment"), ("tone-mapping", "tone_mapping"),
                                  ("fit", "fit"), ("device", "device"), ("normals", "normals"),
                                  ("camera", "camera"), ("shading", "shading"),
                                  ("overlays", "overlays"), ("loop", "clip=Walk&loop")):
            with self.subTest(option=option):
                self.assertEqual(set(self.completed("pose", "frame", "humanoid", f"--{option}", "")),
                                 listed(f"frame.png?{parameter}=none-such", "one of: "))
        formats = listed("frame.none", "known are: ") | listed("frames.none", "it may end with: ")
        # A live sequence is no file; a sheet and its map go by the endings of their files.
        formats = formats - {"multipart", "json"} | {"sheet", "sheet_json"}
        self.assertEqual(set(self.completed("pose", "frames", "humanoid", "--format", "")), formats)

    def test_completion_does_not_wait_for_a_daemon_that_is_away(self):
        with socket.socket() as listener:  # takes connections, and says nothing
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            started = time.monotonic()
            run("completion", "rigs", "--server", f"http://127.0.0.1:{listener.getsockname()[1]}")
            self.assertLess(time.monotonic() - started, 10)

    def test_zsh_and_fish_read_their_scripts(self):
        env = {**os.environ, "POSED_SERVER": self.server, "PATH": f"{POSE.parent}:{os.environ['PATH']}"}
        checked = 0
        if shutil.which("zsh"):
            script = run("completion", "zsh").stdout
            words = 'compdef() { :; }\n' + script + '\n_pose_candidates hum show; _pose_candidates W frame humanoid --clip'
            done = subprocess.run(["zsh", "-f", "-c", words], capture_output=True, text=True, env=env)
            self.assertEqual(done.stderr, "")
            self.assertLessEqual({"humanoid", "Walk"}, set(done.stdout.split("\n")))
            checked += 1
        if shutil.which("fish"):
            script = run("completion", "fish").stdout
            for line, want in (("pose tur", "turntable"), ("pose show hum", "humanoid"),
                               ("pose frame humanoid --clip W", "Walk"), ("pose clip d", "delete"),
                               ("pose clip get humanoid W", "Walk"),
                               ("pose compare humanoid lbs dqs lb", "lbs_dqs_mix"),
                               ("pose frame humanoid --camera thr", "three_quarter"),
                               (f"pose --server {self.server} tur", "turntable"),
                               (f"pose --server {self.server} show hum", "humanoid"),
                               (f"pose frame --yaw 30 --server={self.server} hum", "humanoid"),
                               ("pose sheet humanoid --col", "--columns"),
                               ("pose check --json a hum", "humanoid"),
                               ("pose check --explain motion/po", "motion/pop"),
                               ("pose check --profile ga", "game"),
                               ("pose show --json hum", "humanoid")):
                env["POSED_SERVER"] = "http://127.0.0.1:1" if "--server" in line else self.server
                done = subprocess.run(["fish", "--no-config", "-c", f"{script}\ncomplete -C '{line}'"],
                                      capture_output=True, text=True, env=env)
                found = [row.split("\t")[0] for row in done.stdout.splitlines()]
                self.assertIn(want, found, f"{line}: {done.stderr}")
            checked += 1
        if not checked:
            self.skipTest("neither zsh nor fish is here")

    def test_a_file_is_put_again_when_it_changes(self):
        with tempfile.TemporaryDirectory(prefix="posed-watch-") as folder:
            path, out = pathlib.Path(folder) / "a.glb", pathlib.Path(folder) / "a.png"
            shutil.copy(DEMO / "cyl2.glb", path)
            program = subprocess.Popen(
                [POSE, "watch", path, "watched", "-o", out, *SMALL, "--server", self.server],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            try:
                self.assertIn("drawn", program.stderr.readline())
                before = self.description("watched")["content"]
                shutil.copy(FILE, path)
                self.assertIn("drawn", program.stderr.readline())
                self.assertNotEqual(self.description("watched")["content"], before)
                self.assertEqual(out.read_bytes()[:4], b"\x89PNG")
                program.send_signal(signal.SIGTERM)
                self.assertEqual(program.wait(timeout=300), 0)
            finally:
                program.kill()
                program.wait()
                program.stderr.close()


if __name__ == "__main__":
    unittest.main()
