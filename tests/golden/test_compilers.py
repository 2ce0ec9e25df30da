"""The same bytes from other builds of `pose`, beside gcc's with -O3 and what the processor has.

One has the rasteriser by clang with -O1. Another has all kernels, also of poses and skinning, by clang with
-O3 for SSE2; it runs with the functions of libm that a processor without AVX2 and FMA gets. The third is gcc's
without AVX-512, which differs from `pose` on processors that have it."""
import os
import pathlib
import shutil
import subprocess
import unittest

from case import DEMO, ROOT

BUILT = "build/release/tests/golden"
BUILDS = {
    "pose_by_clang": {},
    "pose_avx2": {},
    "pose_by_clang_sse2": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"},
}
POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build/pose")).resolve()
LIMIT_S = 600  # of a busy machine; the compilation takes some 50 s of processor time

# Options of pose, which together reach all of the rasteriser.
SCENES = (
    ("humanoid", "--clip", "Run", "--time", "0.1", "--shadow", "--grid"),
    ("humanoid", "--samples", "8", "--environment", "soft", "--tone-mapping", "aces"),
    ("humanoid", "--samples", "1", "--shading", "joint_id"),
    ("humanoid", "--shading", "checker", "--overlays", "skeleton,wireframe,normals,bounds"),
    ("humanoid", "--shading", "plain", "--overlays", "onion", "--clip", "Walk"),
    ("head", "--samples", "4", "--environment", "neutral"),
    ("head", "--shading", "matcap"),
    ("tube23", "--shading", "weights"),
    ("cyl2", "--shading", "depth", "--samples", "1"),
)


def draw(program, rig, *options, variables=None):
    done = subprocess.run(
        [program, "frame", DEMO / f"{rig}.glb", "-o", "-", "--format", "rgba", "--size", "192", *options],
        capture_output=True, timeout=LIMIT_S, env=os.environ | (variables or {}))
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


class Compilers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("clang"):
            raise unittest.SkipTest("clang is not installed")
        if POSE != ROOT / "build/pose":
            raise unittest.SkipTest("it takes a release of both compilers")
        # Not a part of the make that runs this.
        alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        made = subprocess.run(["make", "-j2", "-C", ROOT, *(f"{BUILT}/{name}" for name in BUILDS)],
                              capture_output=True, text=True, timeout=LIMIT_S, env=alone)
        assert made.returncode == 0, made.stdout + made.stderr

    def test_pictures_have_the_same_bytes(self):
        for rig, *options in SCENES:
            with self.subTest(rig=rig, options=options):
                ours = draw(POSE, rig, *options)
                self.assertGreater(len(set(ours)), 4, "nothing is drawn")
                for name, variables in BUILDS.items():
                    theirs = draw(ROOT / BUILT / name, rig, *options, variables=variables)
                    self.assertEqual(theirs, ours, name)


if __name__ == "__main__":
    unittest.main()
