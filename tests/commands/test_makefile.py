"""The Makefile, with a compiler that only makes files: what it says, and what it makes again."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from daemon import ROOT

# Its programs print nothing, and its archives are lists of their members.
COMPILER = """#!/bin/sh
case " $* " in *" -E "*) exit ${CAN_COMPILE:-0} ;; *" -print-file-name="*) echo "$1"; exit ;; esac
while [ "$1" != -o ]; do shift; done
echo '#!/bin/sh' > "$2"
chmod +x "$2"
"""
ARCHIVER = """#!/bin/sh
shift
archive=$1
shift
printf '%s\\n' "$@" > "$archive"
"""
# A library has one function, and each object calls it.
READERS = {"readelf": "#!/bin/sh\necho ' 0x0e (SONAME) Library soname: [libfake.so.1]'\n",
           "nm": "#!/bin/sh\ncase $1 in -D) echo 0 T function ;; *) echo ' U function' ;; esac\n"}
NOTHING_IS_INSTALLED = {"pkg-config": "#!/bin/sh\nexit 1\n", "dpkg-query": "#!/bin/sh\nexit 1\n",
                        "apt-get": "#!/bin/sh\necho apt-get ran\n"}


class Tree:
    """The sources, with a build folder of its own."""

    def __init__(self, programs=()):
        self.folder = tempfile.TemporaryDirectory(prefix="posed-make-")
        self.root = pathlib.Path(self.folder.name)
        for entry in ROOT.iterdir():
            if entry.name not in ("build", ".git", "Makefile.config"):
                (self.root / entry.name).symlink_to(entry)
        self.programs = self.root / "programs"
        self.programs.mkdir()
        for name, text in {"fake-cc": COMPILER, "fake-ar": ARCHIVER, **READERS, **dict(programs)}.items():
            (self.programs / name).write_text(text)
            (self.programs / name).chmod(0o755)

    def make(self, *arguments, **environment):
        clean = {k: v for k, v in os.environ.items()
                 if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "V", "CFLAGS", "CXXFLAGS", "config")}
        return subprocess.run(
            ["make", "-j2", "CC=fake-cc", "CXX=fake-cc", "AR=fake-ar", f"FONT={ROOT / 'Makefile'}",
             *arguments], cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**clean, "PATH": f"{self.programs}:{clean['PATH']}", **environment}, timeout=300)

    def members(self):
        return (self.root / "build/release/librenderer.a").read_text().split()


def steps(output):
    """[(number, count of all, words)] of the lines of steps."""
    return [(int(number), int(total), words)
            for number, total, words in re.findall(r"^\[(\d+)/(\d+)\] (.+)$", output, re.M)]


class Makefile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = Tree()
        cls.addClassCleanup(cls.tree.folder.cleanup)
        cls.first = cls.tree.make("HAVE_FFMPEG=", "HAVE_SIXEL=")

    def make(self, *arguments):
        done = self.tree.make(*arguments)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_a_build_is_a_line_a_step_that_counts_up_to_all(self):
        self.assertEqual(self.first.returncode, 0, self.first.stdout)
        lines = self.first.stdout.splitlines()
        told = steps(self.first.stdout)
        self.assertEqual(len(lines), len(told), self.first.stdout)
        self.assertGreater(len(told), 200)
        self.assertEqual([number for number, _, _ in told], list(range(1, len(told) + 1)))
        self.assertEqual({total for _, total, _ in told}, {len(told)})
        self.assertIn("compile server/main.c", {words for _, _, words in told})

    def test_an_object_that_is_missing_is_made_again_and_v_shows_its_command(self):
        nothing_new = ("HAVE_FFMPEG=", "HAVE_SIXEL=", "V=1")
        self.make(*nothing_new)
        (self.tree.root / "build/release/renderer/skinned/bake.o").unlink()
        said = self.make(*nothing_new)
        self.assertRegex(said, r"(?m)^fake-cc .* -c renderer/skinned/bake\.c ")
        self.assertRegex(said, r"(?m)^fake-cc .* -o build/posed ")
        self.assertEqual(steps(said), [])

    def test_libraries_that_come_and_go_change_what_is_built(self):
        for ffmpeg, sixel in (("yes", ""), ("yes", "yes"), ("", "")):
            with self.subTest(ffmpeg=ffmpeg, sixel=sixel):
                self.make(f"HAVE_FFMPEG={ffmpeg}", f"HAVE_SIXEL={sixel}", "V=1")
                for name, there in (("ffmpeg", ffmpeg), ("ffmpeg_none", not ffmpeg)):
                    member = f"build/release/renderer/image/{name}.o"
                    self.assertEqual(member in self.tree.members(), bool(there), name)
        said = self.make("HAVE_FFMPEG=", "HAVE_SIXEL=yes", "V=1")
        self.assertRegex(said, r"(?m)^fake-cc .*/show_sixel\.o .*/delayed/sixel\.o .* -o build/pose ")
        said = self.make("HAVE_FFMPEG=", "HAVE_SIXEL=", "V=1")
        self.assertRegex(said, r"(?m)^fake-cc .*/show_sixel_none\.o .* -o build/pose ")

    def test_nothing_is_made_twice(self):
        self.make("HAVE_FFMPEG=yes", "HAVE_SIXEL=yes")
        self.assertEqual(steps(self.make("HAVE_FFMPEG=yes", "HAVE_SIXEL=yes")), [])


class Bare(unittest.TestCase):
    def test_a_bare_machine_is_told_what_to_install_before_anything_is_compiled(self):
        tree = Tree(NOTHING_IS_INSTALLED)
        self.addCleanup(tree.folder.cleanup)
        done = tree.make("FONT=/not/there", CAN_COMPILE="1")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^ +(sudo )?apt-get install .* libmicrohttpd-dev .*fonts-dejavu")
        self.assertIn("make run", done.stdout)
        self.assertNotIn("apt-get ran", done.stdout)
        self.assertNotIn("No rule to make target", done.stdout)
        self.assertFalse([line for line in done.stdout.splitlines() if "compile" in line], done.stdout)


if __name__ == "__main__":
    unittest.main()
