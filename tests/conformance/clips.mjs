// Runs Khronos' glTF validator over the clips that posed gives back as GLB, and reads them with
// three.js' GLTFLoader, whose tracks must have the times and values of the JSON. No error and no
// warning is accepted.
//
// A file counts once for each clip.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import validator from 'gltf-validator';
import { startDaemon } from './daemon.mjs';

// three.js' loader looks for a browser's names when it is loaded.
globalThis.self ??= globalThis;
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');

const SEVERITY = ['error', 'warning'];
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const BINARY = process.env.POSED_BINARY ?? join(ROOT, 'build', 'posed');
const SHARED = process.env.POSED_SHARED_FILES ?? join(ROOT, '..', 'shared', 'files');
const DEMO = ['humanoid', 'head', 'tube23', 'cyl2'].map((name) => join(ROOT, 'assets', 'demo', `${name}.glb`));
const SHARED_FILES = [
	'khronos-Fox/glTF-Binary/Fox.glb',
	'khronos-AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb',
	'khronos-InterpolationTest/glTF-Binary/InterpolationTest.glb',
	'raylib/gltf/robot.glb',
].map((name) => join(SHARED, name));
const PATHS = { translation: 'position', rotation: 'quaternion', scale: 'scale', weights: 'morphTargetInfluences' };
const BAKED = 'baked here';

const count = { passed: 0, failed: 0, skipped: 0 };

async function check(title, body) {
	try {
		await body();
		count.passed++;
	} catch (error) {
		count.failed++;
		console.log(`FAILED  ${title}: ${error.message}`);
	}
}

async function ask(url, options) {
	const reply = await fetch(url, options);
	if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
	return reply;
}

async function expectValid(bytes) {
	const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 0 });
	const wrong = report.issues.messages.filter((message) => message.severity < SEVERITY.length);
	if (wrong.length > 0) {
		const { severity, code, pointer, message } = wrong[0];
		throw new Error(`${SEVERITY[severity]} ${code} at ${pointer}: ${message}`);
	}
}

function expectSame(what, got, want) {
	const same = got.length === want.length && got.every((number, i) => number === Math.fround(want[i]));
	if (!same) throw new Error(`${what}: ${got.slice(0, 8)} instead of ${want.slice(0, 8)}`);
}

// A track has its node's name without what three.js' bindings cannot spell.
async function expectTracks(bytes, clip) {
	const loader = new GLTFLoader();
	const gltf = await loader.parseAsync(bytes, '');
	if (gltf.animations.length !== 1) throw new Error(`${gltf.animations.length} animations`);
	const { tracks, name } = gltf.animations[0];
	if (name !== clip.name) throw new Error(`it is called ${name}`);
	if (tracks.length !== clip.channels.length) throw new Error(`${tracks.length} tracks`);
	clip.channels.forEach((channel, i) => {
		const what = `${channel.joint}.${channel.path}`;
		if (!tracks[i].name.endsWith(`.${PATHS[channel.path]}`)) {
			throw new Error(`${what} is ${tracks[i].name}`);
		}
		expectSame(`${what} times`, Array.from(tracks[i].times), channel.times);
		expectSame(`${what} values`, Array.from(tracks[i].values), channel.values.flat());
	});
}

async function checkClip(url) {
	const clip = await (await ask(url)).json();
	const reply = await ask(url, { headers: { accept: 'model/gltf-binary' } });
	const bytes = await reply.arrayBuffer();
	await expectValid(bytes);
	await expectTracks(bytes, clip);
}

async function checkFile(daemon, path) {
	const rig = `${daemon.url}/v1/rigs/${encodeURIComponent(basename(path))}`;
	await ask(rig, { method: 'PUT', body: readFileSync(path) });
	const { clips } = await (await ask(`${rig}/clips`)).json();
	await ask(`${rig}/clips/${encodeURIComponent(BAKED)}`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ pose: { clip: 0 }, rate: 24 }),
	});
	for (const name of [...clips.map((clip) => clip.name), BAKED]) {
		await check(`${basename(path)}, ${name}`, () => checkClip(`${rig}/clips/${encodeURIComponent(name)}`));
	}
}

const daemon = await startDaemon(BINARY);
try {
	for (const path of [...DEMO, ...SHARED_FILES]) {
		if (existsSync(path)) {
			await checkFile(daemon, path);
		} else {
			count.skipped++;
			console.log(`SKIPPED ${path} is not here`);
		}
	}
} finally {
	await daemon.stop();
}
console.log(`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed ? 1 : 0);
