"""The decoders of .pclip in JavaScript and Python: their tables, their size, and clips for three.js.
tests/unit/test_pclip_clients.c holds what they decode against the decoder in C."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import pclip_frequencies
from daemon import ROOT

NODE_MODULES = ROOT / "tests" / "conformance" / "node_modules"
DECODER = ROOT / "clients" / "js" / "client" / "pclip.js"
sys.path.insert(0, str(ROOT / "clients" / "python"))

# Prints the keys of all tracks, beside what sampling the clip gives at their times.
PROGRAM = r"""
import { readFileSync } from 'node:fs';
import * as THREE from '%s';
import { PclipFile } from '%s';
const file = new PclipFile(readFileSync(process.argv[2]));
const clip = file.open(0);
const made = clip.toAnimationClip(THREE);
const all = made.tracks.map((track) => {
	const [name, property] = track.name.split('.');
	const joint = file.joints.findIndex((one) => THREE.PropertyBinding.sanitizeNodeName(one.name) === name);
	const part = { quaternion: 'rotations', position: 'translations', scale: 'scales' }[property];
	const width = part === 'rotations' ? 4 : 3;
	const evaluate = track.createInterpolant();
	let off = 0;
	for (let k = 0; k <= 60; k++) {
		const time = (made.duration * k) / 60;
		const own = clip.sample(time)[part].slice(width * joint, width * joint + width);
		const theirs = evaluate.evaluate(time);
		const same = width < 4 || own.reduce((sum, x, i) => sum + x * theirs[i], 0) > 0 ? 1 : -1;
		own.forEach((x, i) => (off = Math.max(off, Math.abs(x - same * theirs[i]))));
	}
	return { name: track.name, keys: track.times.length, off };
});
console.log(JSON.stringify({ name: made.name, duration: made.duration, samples: clip.sampleCount, valid: made.validate(), all }));
"""


class Decoders(unittest.TestCase):
    def test_frequencies_are_those_of_c(self):
        from posed import pclip_model
        for path, content in pclip_frequencies.files().items():
            self.assertEqual(path.read_text(encoding="ascii"), content, f"{path}: run {pclip_frequencies.__file__}")
        self.assertEqual(list(pclip_model.frequencies()), pclip_frequencies.rows())

    def test_clips_play_in_three(self):
        three = NODE_MODULES / "three" / "build" / "three.module.js"
        if not three.exists() or not shutil.which("node"):
            self.skipTest("three.js is not here: tests/conformance/run.py installs it")
        file = ROOT / "tests" / "fuzz" / "seeds" / "fuzz_pclip" / "whole.pclip"
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "play.mjs")
            program.write_text(PROGRAM % (three, DECODER), encoding="utf-8")
            made = json.loads(subprocess.run(["node", program, file], check=True, capture_output=True).stdout)
        self.assertEqual((made["name"], made["valid"]), ("bend", True))
        self.assertTrue(made["all"])
        self.assertIn(made["samples"], [track["keys"] for track in made["all"]])
        for track in made["all"]:
            self.assertLess(track["off"], 2e-6, track["name"])


if __name__ == "__main__":
    unittest.main()
