// Writes what the decoder in JavaScript makes of all .pclip files of a folder; see test_pclip_clients.c.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

import { PclipFile } from '../../clients/js/client/pclip.js';

const SAMPLES = 48;
const TIMES = 40;
const folder = process.argv[2];

/** True, or what an Error leaves. */
function tried(run) {
	try {
		return run();
	} catch (error) {
		if (error.constructor !== Error) throw error;
		return undefined;
	}
}

function restOf(path) {
	const bytes = tried(() => readFileSync(path));
	const numbers = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
	return Array.from({ length: numbers.length / 10 }, (_, i) => {
		const own = numbers.subarray(10 * i, 10 * i + 10);
		return { name: `${i}`, translation: own.slice(0, 3), rotation: own.slice(3, 7), scale: own.slice(7) };
	});
}

function writeClip(file, i, joints, put) {
	const clip = tried(() => file.open(i, joints));
	put([clip ? 1 : 0]);
	if (!clip) return;
	const { sampleCount, duration } = clip.info;
	put([sampleCount, clip.numberCount]);
	for (let k = 0; k < Math.min(sampleCount, SAMPLES); k++) {
		const numbers = tried(() => clip.load(k));
		put(numbers ? [1, ...numbers.map((x) => Math.floor(x + 0.5))] : [0]);
	}
	for (let k = 0; k < TIMES; k++) {
		const pose = tried(() => clip.sample((duration * (k * 7 % TIMES - 1)) / (TIMES - 3)));
		put(pose ? [1] : [0]);
		for (const part of ['translations', 'rotations', 'scales', 'weights']) put(pose ? new Int32Array(pose[part].buffer) : []);
	}
}

for (const name of readdirSync(folder).filter((path) => path.endsWith('.pclip'))) {
	const numbers = [];
	const put = (more) => more.forEach((number) => numbers.push(number));
	const file = tried(() => new PclipFile(readFileSync(`${folder}/${name}`)));
	const joints = file && (file.joints ?? restOf(`${folder}/rest`));
	const fits = file && joints.length === file.jointCount;
	put([!file ? -1 : fits ? file.clipCount : -2]);
	for (let i = 0; fits && i < Math.min(file.clipCount, 8); i++) writeClip(file, i, joints, put);
	writeFileSync(`${folder}/${name}.js`, new Int32Array(numbers));
}
