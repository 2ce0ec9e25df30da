// Holds the GLBs of the codec `keys` against Khronos' glTF validator, of which no error and no warning is
// accepted, and against the clips with all keys: three.js plays both, and no joint's origin, and none of three
// points about it, is off by more than the tolerance, at the keys, at quarters of the way between them, and at
// other times. Morph weights count as far as they move a vertex of the original.
//
// A file counts once for each clip and tolerance.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import validator from 'gltf-validator';
import * as THREE from 'three';
import { startDaemon } from './daemon.mjs';

// three.js' loader looks for a browser's names when it is loaded.
globalThis.self ??= globalThis;
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const BINARY = process.env.POSED_BINARY ?? join(ROOT, 'build', 'posed');
const SHARED = process.env.POSED_SHARED_FILES ?? join(ROOT, '..', 'shared', 'files');
const GLB = 'model/gltf-binary';
const FILES = [
	...['humanoid', 'head', 'tube23', 'cyl2'].map((name) => join(ROOT, 'assets', 'demo', `${name}.glb`)),
	...[
		'khronos-Fox/glTF-Binary/Fox.glb',
		'khronos-AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb',
		'khronos-InterpolationTest/glTF-Binary/InterpolationTest.glb',
		'raylib/gltf/robot.glb',
	].map((name) => join(SHARED, name)),
];
const SHARES = [0.0001, 0.002];
// Of the tolerance: what three.js, which samples float32 tracks, makes of it at the moments that are measured,
// and what may be between them.
const MEASURED = 1.01;
const BETWEEN = 1.2;
const ROUNDING = 2e-6; // of the distance from the origin

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

function expect(so, what) {
	if (!so) throw new Error(what);
}

async function ask(url, options) {
	const reply = await fetch(url, options);
	if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
	return reply;
}

async function compress(url, request, accept) {
	const headers = { 'content-type': 'application/json', accept };
	return ask(`${url}/v1/compress`, { method: 'POST', headers, body: JSON.stringify(request) });
}

async function expectValid(bytes) {
	const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 0 });
	const wrong = report.issues.messages.filter(({ severity }) => severity < 2);
	expect(wrong.length === 0, wrong[0] && `${wrong[0].code} at ${wrong[0].pointer}: ${wrong[0].message}`);
}

// A GLB's nodes and clips in three.js.
async function load(bytes) {
	const gltf = await new GLTFLoader().parseAsync(bytes, '');
	const nodes = await Promise.all(gltf.parser.json.nodes.map((_, i) => gltf.parser.getDependency('node', i)));
	return { gltf, nodes, mixer: new THREE.AnimationMixer(gltf.scene) };
}

function play(loaded, name) {
	loaded.mixer.stopAllAction();
	const clip = loaded.gltf.animations.find((animation) => animation.name === name);
	const action = loaded.mixer.clipAction(clip);
	action.setLoop(THREE.LoopOnce);
	action.clampWhenFinished = true;
	loaded.action = action;
}

function pose(loaded, time) {
	loaded.action.reset().play();
	loaded.mixer.setTime(time);
	loaded.gltf.scene.updateMatrixWorld(true);
}

const weightsOf = (node) => node.morphTargetInfluences ?? node.children.find((c) => c.isMesh)?.morphTargetInfluences;

// The farthest that each target of a node moves a vertex.
function reachesOf(node) {
	const meshes = [];
	node?.traverse?.((part) => part.isMesh && part.geometry.morphAttributes.position && meshes.push(part));
	const reaches = [];
	for (const { geometry } of meshes) {
		geometry.morphAttributes.position.forEach((target, i) => {
			const point = new THREE.Vector3();
			for (let k = 0; k < target.count; k++) {
				reaches[i] = Math.max(reaches[i] ?? 0, point.fromBufferAttribute(target, k).length());
			}
		});
	}
	return reaches;
}

// The greatest error of a pose, in shares of what is allowed.
function measure(whole, reduced, distances, reaches, tolerance) {
	const a = new THREE.Vector3();
	const b = new THREE.Vector3();
	let greatest = 0;
	whole.nodes.forEach((node, i) => {
		const other = reduced.nodes[i];
		for (const axis of [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) {
			a.fromArray(axis).multiplyScalar(distances[i]).applyMatrix4(node.matrixWorld);
			b.fromArray(axis).multiplyScalar(distances[i]).applyMatrix4(other.matrixWorld);
			const off = a.distanceTo(b) - ROUNDING * a.length();
			greatest = Math.max(greatest, off / tolerance);
		}
		const weights = weightsOf(node) ?? [];
		const others = weightsOf(other) ?? [];
		const off = weights.reduce((sum, w, k) => sum + Math.abs(w - others[k]) * (reaches.get(node.name)?.[k] ?? 0), 0);
		greatest = Math.max(greatest, off / tolerance);
	});
	return greatest;
}

function timesOf(clip) {
	const times = [...new Set([0, ...clip.channels.flatMap((channel) => channel.times)])].sort((x, y) => x - y);
	const every = Math.max(1, Math.floor(times.length / 60));
	const measured = times.flatMap((t, i) =>
		i % every || i + 1 === times.length ? [t] : [0, 1, 2, 3].map((k) => t + (k / 4) * (times[i + 1] - t)),
	);
	const between = times.slice(1).map((t, i) => t - 0.391 * (t - times[i]));
	return { measured, between };
}

async function checkClip(rig, clip, reduced, report, size) {
	const found = report.clips.find(({ name }) => name === clip.name);
	const url = `${rig}/clips/${encodeURIComponent(clip.name)}`;
	const keys = await (await ask(url)).json();
	const bytes = await (await ask(url, { headers: { accept: GLB } })).arrayBuffer();
	const whole = await load(bytes);
	expect(whole.nodes.length === reduced.nodes.length, 'other nodes');
	whole.nodes.forEach((node, i) => expect(node.name === reduced.nodes[i].name, `node ${i} is ${node.name}`));
	whole.gltf.scene.updateMatrixWorld(true);
	const scale = new THREE.Vector3();
	const distances = whole.nodes.map((node) => {
		node.matrixWorld.decompose(new THREE.Vector3(), new THREE.Quaternion(), scale);
		return report.shell / Math.max(...scale.toArray().map(Math.abs));
	});
	play(whole, clip.name);
	play(reduced, clip.name);
	const { measured, between } = timesOf(keys);
	const greatest = (times) =>
		times.reduce((most, time) => {
			pose(whole, time);
			pose(reduced, time);
			return Math.max(most, measure(whole, reduced, distances, size.reaches, found.tolerance));
		}, 0);
	const at = greatest(measured);
	const off = greatest(between);
	expect(at <= MEASURED, `off by ${at} of the tolerance of ${found.tolerance}`);
	expect(off <= BETWEEN, `off by ${off} of the tolerance between`);
	expect(found.error.max <= 1.001 * found.tolerance, `reported ${found.error.max}`);
	const inGlb = (json) => json.animations.find(({ name }) => name === clip.name).channels.length;
	expect(inGlb(reduced.gltf.parser.json) <= inGlb(whole.gltf.parser.json), 'more channels');
}

async function checkFile(daemon, path) {
	const name = basename(path);
	const rig = `${daemon.url}/v1/rigs/${encodeURIComponent(name)}`;
	const file = readFileSync(path);
	await ask(rig, { method: 'PUT', body: file });
	const { clips } = await (await ask(`${rig}/clips`)).json();
	const reaches = new Map();
	if (name.includes('Morph') || name.startsWith('head')) {
		const { nodes } = await load(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
		nodes.forEach((node) => reaches.set(node.name, reachesOf(node)));
		expect([...reaches.values()].some((list) => list.length > 0), `${name} has no morph targets`);
	}
	for (const share of SHARES) {
		const request = { rig: name, codec: 'keys', tolerance: { share } };
		const bytes = await (await compress(daemon.url, request, GLB)).arrayBuffer();
		const report = await (await compress(daemon.url, request, 'application/json')).json();
		await check(`${name} is valid`, () => expectValid(bytes));
		expect(bytes.byteLength === report.bytes, `${bytes.byteLength} bytes, not ${report.bytes}`);
		const reduced = await load(bytes);
		for (const clip of clips) {
			await check(`${name}, ${clip.name}, ${share}`, () => checkClip(rig, clip, reduced, report, { reaches }));
		}
	}
}

const daemon = await startDaemon(BINARY);
try {
	for (const path of FILES) {
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
