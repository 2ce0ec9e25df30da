"""The decoders of .pclip in JavaScript and Python: their tables, their size, and clips for three.js.
tests/unit/test_pclip_clients.c holds what they decode against the decoder in C."""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

import pclip_frequencies
from daemon import ROOT

NODE_MODULES = ROOT / "tests" / "conformance" / "node_modules"
DECODER = ROOT / "clients" / "js" / "client" / "pclip.js"
SEEDS = ROOT / "tests" / "fuzz" / "seeds" / "fuzz_pclip"
sys.path.insert(0, str(ROOT / "clients" / "python"))

# Plays a clip as three.js does, on nodes of the joints' names and one with all morph weights; prints all numbers at
# times, beside the tracks' keys. The weights at rest are 0.25.
PROGRAM = r"""
import { readFileSync } from 'node:fs';
import * as THREE from '%s';
import { PclipFile } from '%s';
const [, , path, index, times] = process.argv;
const file = new PclipFile(readFileSync(path));
const clip = file.open(Number(index));
const weights = Array.from({ length: file.weightCount }, () => 0.25);
const made = clip.toAnimationClip(THREE, weights.length ? [{ name: 'a face', weights }] : []);
const root = new THREE.Object3D();
const nodes = file.joints.map(({ name, translation, rotation, scale }) => {
	const node = new THREE.Object3D();
	node.name = THREE.PropertyBinding.sanitizeNodeName(name);
	node.position.fromArray(translation);
	node.quaternion.fromArray(rotation);
	node.scale.fromArray(scale);
	root.add(node);
	return node;
});
const face = new THREE.Object3D();
face.name = THREE.PropertyBinding.sanitizeNodeName('a face');
face.morphTargetInfluences = [...weights];
root.add(face);
const mixer = new THREE.AnimationMixer(root);
mixer.clipAction(made).setLoop(THREE.LoopOnce).play();
const poses = JSON.parse(times).map((time) => {
	mixer.setTime(time);
	const parts = { translations: 'position', rotations: 'quaternion', scales: 'scale' };
	const pose = { weights: [...face.morphTargetInfluences] };
	for (const part in parts) pose[part] = nodes.map((node) => node[parts[part]].toArray());
	const sampled = clip.sample(time, { ...clip.sample(0), weights: Float32Array.from(weights) });
	return { pose, sampled: Object.fromEntries(Object.entries(sampled).map(([part, all]) => [part, [...all]])) };
});
const keys = made.tracks.map((track) => [track.name, track.times.length]);
console.log(JSON.stringify({ name: made.name, duration: made.duration, samples: clip.info.sampleCount, valid: made.validate(), keys, poses }));
"""


class Decoders(unittest.TestCase):
    def test_frequencies_are_those_of_c(self):
        from posed import pclip_model
        for path, content in pclip_frequencies.files().items():
            self.assertEqual(path.read_text(encoding="ascii"), content, f"{path}: run {pclip_frequencies.__file__}")
        self.assertEqual(list(pclip_model.frequencies()), pclip_frequencies.rows())

    def minified(self, *options):
        program = NODE_MODULES / ".bin" / "esbuild"
        if not program.exists() or not shutil.which("node"):
            self.skipTest("esbuild is not here: tests/conformance/run.py installs it")
        command = [program, DECODER, "--bundle", "--minify", "--format=esm", "--target=es2022", *options]
        return len(subprocess.run(command, check=True, capture_output=True).stdout)

    def test_the_decoder_is_small(self):
        """Minified by esbuild as one module: without splines and what makes clips for three.js, and with all."""
        self.assertLessEqual(self.minified("--external:./pclip_three.js", "--external:./pclip_bspline.js"), 8192)
        self.assertLess(self.minified(), 10 << 10)

    def play(self, seed, clip, times):
        three = NODE_MODULES / "three" / "build" / "three.module.js"
        if not three.exists() or not shutil.which("node"):
            self.skipTest("three.js is not here: tests/conformance/run.py installs it")
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "play.mjs")
            program.write_text(PROGRAM % (three, DECODER), encoding="utf-8")
            command = ["node", program, SEEDS / seed, str(clip), json.dumps(times)]
            return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)

    def assert_played(self, seed, clip):
        """three.js, the decoder in JavaScript and that in Python agree at any times, and at those of samples."""
        from posed.pclip import PclipFile
        decoded = PclipFile((SEEDS / seed).read_bytes()).open(clip)
        duration, count = decoded.info.duration_s, decoded.info.sample_count
        anything = random.Random(seed)
        times = [duration * k / 20 for k in range(20)] + [anything.uniform(0, duration) for _ in range(60)]
        made = self.play(seed, clip, times)
        self.assertEqual((made["name"], made["valid"], made["samples"]), (decoded.info.name, True, count))
        for time, each in zip(times, made["poses"]):
            pose = decoded.sample(time, [0.25] * len(each["pose"]["weights"]))
            for part in ("translations", "rotations", "scales", "weights"):
                expected = flat(getattr(pose, part))
                self.assert_near(flat(each["pose"][part]), expected, 2e-6, f"three.js, {part} at {time}")
                self.assert_near(each["sampled"][part], expected, 2e-7, f"JavaScript, {part} at {time}")
        return dict(made["keys"])

    def assert_near(self, numbers, expected, tolerance, what):
        self.assertEqual(len(numbers), len(expected), what)
        for number, other in zip(numbers, expected):
            self.assertLessEqual(abs(number - other), tolerance * max(1, abs(other)), what)

    def test_clips_play_in_three(self):
        keys = self.assert_played("whole.pclip", 0)
        self.assertGreater(max(keys.values()), 10)

    def test_morph_weights_play_in_three(self):
        self.assertGreater(self.assert_played("head.pclip", 0)["a_face.morphTargetInfluences"], 10)
        # This one drives joints alone: weights stay as they are.
        self.assertNotIn("a_face.morphTargetInfluences", self.assert_played("head.pclip", 1))


def flat(rows):
    return [float(number) for row in rows for number in (row if hasattr(row, "__len__") else [row])]


if __name__ == "__main__":
    unittest.main()
