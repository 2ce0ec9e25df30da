// Plays what `pose optimise` makes in three.js beside the original: at times by chance every joint's origin and
// three points about it are within the tolerance. Pruned files have the same matrices and vertices, and pruning
// again takes no more; a chain of roots becomes one node, and what may name nodes is refused.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import validator from 'gltf-validator';
import { Matrix4, Vector3 } from 'three';
import { GlbBuilder } from './glb_builder.mjs';
import { readGltf, splitGlb } from './gltf_file.mjs';
import { check, count, expect, lines, tally } from './report.mjs';
import { ThreeReference, boundsOf } from './three_reference.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const POSE = process.env.POSE_BINARY ?? join(ROOT, 'build', 'pose');
const SHARED = process.env.POSED_SHARED_FILES ?? join(ROOT, '..', 'shared', 'files');
const DEMO = join(ROOT, 'assets', 'demo');
const FILES = [
	...readdirSync(DEMO)
		.filter((name) => name.endsWith('.glb'))
		.sort()
		.map((name) => join(DEMO, name)),
	join(SHARED, 'khronos-Fox', 'glTF-Binary', 'Fox.glb'),
	join(SHARED, 'godot-mannequiny', 'mannequiny.glb'),
	join(SHARED, 'derived-public-fox', 'Fox.joints-plus700.glb'),
	join(SHARED, 'derived-public-fox', 'Fox.morph-animated.glb'),
	join(SHARED, 'derived-public-fox', 'Fox.cubicspline.glb'),
];
const TIMES = 40;
const SHELL = 300; // tolerances by default, from a joint to the points about it
// Between the moments that posed measures (keys of the source and quarters between them) the error may be a little
// greater. three.js takes rotations of 16 bits as they are, not quite unit, which moves points by up to as much again
// as their direction is off; glTF's readers that make them unit are held closely.
const ROOM = { unit: 1.03, raw: 1.25 };
const EQUAL = 1e-6; // of the size: matrices that are written as float32

const folder = mkdtempSync(join(tmpdir(), 'posed-poses-'));
let state = 7;
const random = () => {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return state / 2 ** 32;
};

function optimise(file, ...extra) {
	const out = join(folder, `${extra.join('').replace(/\W/g, '')}-${basename(file)}`);
	const text = execFileSync(POSE, ['optimise', file, '-o', out, '--json', ...extra], { encoding: 'utf8' });
	return { out, report: JSON.parse(text)[0] };
}

// Joints of both by the names of nodes; of no name or of one that is there twice, by index if no node went.
async function matched(before, after) {
	const names = (reference) => reference.json.nodes.map((node) => node.name);
	const [old, now] = [names(before), names(after)];
	const pairs = [];
	for (const [index, object] of before.nodes) {
		const unique = old[index] && old.indexOf(old[index]) === old.lastIndexOf(old[index]);
		const at = old.length === now.length ? index : unique ? now.indexOf(old[index]) : -1;
		if (at >= 0) pairs.push([object, after.nodes.get(at)]);
	}
	return pairs;
}

function shellOf(object, radius) {
	const scale = new Vector3();
	for (let i = 0; i < 3; i++)
		scale.setComponent(i, new Vector3().setFromMatrixColumn(object.matrixWorld, i).length());
	const size = Math.max(scale.x, scale.y, scale.z);
	return size > 1e-6 ? radius / size : radius;
}

function off(a, b, distance) {
	let worst = 0;
	for (const [x, y, z] of [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) {
		const at = (object) =>
			new Vector3(x * distance, y * distance, z * distance).applyMatrix4(object.matrixWorld);
		worst = Math.max(worst, at(a).distanceTo(at(b)));
	}
	return worst;
}

function makeUnit(reference) {
	for (const object of reference.nodes.values()) object.quaternion.normalize();
	reference.scene.updateMatrixWorld(true);
}

async function playsTheSame(file, ...extra) {
	const { out, report } = optimise(file, ...extra);
	const before = await ThreeReference.load(await readGltf(file));
	const after = await ThreeReference.load(await readGltf(out));
	const pairs = await matched(before, after);
	before.rest();
	const distances = pairs.map(([object]) => shellOf(object, SHELL * report.tolerance));
	for (let clip = 0; clip < before.clips.length; clip++) {
		for (let i = 0; i < TIMES; i++) {
			const time = random() * before.clips[clip].duration;
			before.pose(clip, time);
			after.pose(clip, time);
			for (const kind of ['raw', 'unit']) {
				if (kind === 'unit') [before, after].forEach(makeUnit);
				for (const [k, [a, b]] of pairs.entries()) {
					const share = off(a, b, distances[k]) / report.tolerance;
					tally(`joints, ${kind}, as shares of the tolerance`, share, `${basename(file)} ${a.name}`);
					expect(share <= ROOM[kind], `${kind}: ${a.name} is off by ${share} of the tolerance`);
				}
			}
		}
	}
}

function compareMatrices(pairs, size) {
	for (const [a, b] of pairs) {
		const [was, is] = [a.matrixWorld.elements, b.matrixWorld.elements];
		const greatest = Math.max(...was.map(Math.abs), size);
		const worst = Math.max(...was.map((x, i) => Math.abs(x - is[i]))) / greatest;
		tally('matrices of pruned files', worst, a.name);
		expect(worst <= EQUAL, `${a.name} is elsewhere by ${worst}`);
	}
}

async function problems(path) {
	const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), {
		maxIssues: 0,
		externalResourceFunction: async (uri) =>
			new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))),
	});
	return report.issues.messages.filter(({ severity }) => severity < 2).map(({ code }) => code);
}

async function prunedIsTheSame(file) {
	const { out: kept } = optimise(file);
	const { out, report } = optimise(file, '--prune');
	const before = await ThreeReference.load(await readGltf(kept));
	const after = await ThreeReference.load(await readGltf(out));
	expect(report.nodes_after === after.json.nodes.length, 'nodes are counted wrong');
	const old = new Set(await problems(kept));
	const fresh = (await problems(out)).filter((code) => !old.has(code));
	expect(fresh.length === 0, `the validator says ${fresh}`);
	const pairs = await matched(before, after);
	before.rest();
	const { diagonal } = boundsOf(before.positions());
	for (let i = 0; i < TIMES; i++) {
		if (before.clips.length > 0) {
			const clip = Math.floor(random() * before.clips.length);
			const time = random() * before.clips[clip].duration;
			before.pose(clip, time);
			after.pose(clip, time);
		} else {
			after.rest();
		}
		compareMatrices(pairs, 0);
		const [was, is] = [before.positions(), after.positions()];
		expect(was.length === is.length, 'vertices are missing');
		for (let k = 0; k < was.length; k++)
			expect(Math.abs(was[k] - is[k]) <= EQUAL * diagonal, `vertex ${Math.floor(k / 3)} moved`);
	}
	const again = optimise(out, '--prune', '--tolerance', '1m');
	expect(again.report.nodes_after === report.nodes_after, 'pruning again takes more');
}

// Root (scale 100), Armature (turned), Hips with the mesh and a leaf below it that moves nothing.
function chain(more = {}) {
	const built = new GlbBuilder();
	const position = built.accessor('VEC3', 5126, [0, 0, 0, 1, 0, 0, 0, 1, 0], { min: [0, 0, 0], max: [1, 1, 0] });
	built.add('meshes', { primitives: [{ attributes: { POSITION: position } }] });
	const half = Math.SQRT1_2;
	built.json.nodes = [
		{ name: 'Root', scale: [100, 100, 100], children: [1] },
		{ name: 'Armature', rotation: [-half, 0, 0, half], translation: [0, 0.5, 0], children: [2] },
		{ name: 'Hips', translation: [1, 2, 3], children: [3], mesh: 0 },
		{ name: 'Hips_end', translation: [0, 0.1, 0] },
	];
	built.json.scenes = [{ nodes: [0] }];
	built.json.scene = 0;
	Object.assign(built.json, more);
	const path = join(folder, 'chain.glb');
	writeFileSync(path, built.glb());
	return path;
}

await check('a chain of roots', async () => {
	const { out } = optimise(chain(), '--prune');
	const { json } = splitGlb(readFileSync(out));
	expect(json.nodes.length === 1 && json.nodes[0].name === 'Hips', `nodes are ${JSON.stringify(json.nodes)}`);
	expect(json.nodes[0].children === undefined && json.scenes[0].nodes.length === 1, 'the leaf is left');
	const before = await ThreeReference.load(await readGltf(join(folder, 'chain.glb')));
	const after = await ThreeReference.load(await readGltf(out));
	before.rest();
	after.rest();
	const product = new Matrix4().copy(before.nodes.get(2).matrixWorld);
	const off = product.elements.map((x, i) => Math.abs(x - after.nodes.get(0).matrix.elements[i]));
	expect(Math.max(...off) <= 300 * EQUAL, `the product is off by ${Math.max(...off)}`);
});

await check('extensions that may name nodes', () => {
	const path = chain({ extensionsUsed: ['ACME_wheels'], extensions: { ACME_wheels: { front: 3 } } });
	const done = spawnSync(POSE, ['optimise', path, '-o', join(folder, 'none.glb'), '--prune'], { encoding: 'utf8' });
	expect(done.status !== 0 && done.stderr.includes('ACME_wheels'), `it says ${done.stderr}`);
	expect(!existsSync(join(folder, 'none.glb')), 'a file is written');
});

// A .gltf whose views lie by turns in a file beside it, in a data: URI and in another file.
function apart(file, path) {
	const { json, bin } = splitGlb(readFileSync(file));
	const parts = [[], [], []];
	const sizes = [0, 0, 0];
	json.bufferViews.forEach((view, i) => {
		const at = view.byteOffset ?? 0;
		const bytes = bin.subarray(at, at + view.byteLength);
		const padding = Buffer.alloc(-bytes.length & 3);
		parts[i % 3].push(bytes, padding);
		Object.assign(view, { buffer: i % 3, byteOffset: sizes[i % 3] });
		if (view.byteOffset === 0) delete view.byteOffset;
		sizes[i % 3] += bytes.length + padding.length;
	});
	const [first, second, third] = parts.map((list) => Buffer.concat(list));
	const names = ['a b.bin', 'c.bin'];
	writeFileSync(join(dirname(path), names[0]), first);
	writeFileSync(join(dirname(path), names[1]), third);
	const uris = [encodeURIComponent(names[0]), `data:application/octet-stream;base64,${second.toString('base64')}`, names[1]];
	json.buffers = uris.map((uri, i) => ({ uri, byteLength: sizes[i] }));
	writeFileSync(path, JSON.stringify(json));
}

await check('a .gltf with three buffers', async () => {
	const file = join(DEMO, 'cyl2.glb');
	const parted = join(folder, 'parted');
	mkdirSync(parted);
	apart(file, join(parted, 'cyl2.gltf'));
	expect((await problems(join(parted, 'cyl2.gltf'))).length === 0, `the test is wrong: ${await problems(join(parted, 'cyl2.gltf'))}`);
	await playsTheSame(join(parted, 'cyl2.gltf'));
	execFileSync(POSE, ['optimise', parted, '-o', join(folder, 'made') + '/']);
	const made = join(folder, 'made', 'cyl2.gltf');
	expect((await problems(made)).length === 0, `the validator says ${await problems(made)}`);
	const direct = await ThreeReference.load(await readGltf(optimise(file).out));
	const reference = await ThreeReference.load(await readGltf(made));
	for (const phase of [0.2, 0.7]) {
		direct.pose(0, phase * direct.clips[0].duration);
		reference.pose(0, phase * direct.clips[0].duration);
		const [was, is] = [direct.positions(), reference.positions()];
		expect(was.every((x, i) => x === is[i]), 'vertices are others than those of the GLB');
	}
});

for (const file of FILES) {
	const skip = existsSync(file) ? null : `no ${file} (POSED_SHARED_FILES says where such files are)`;
	for (const extra of [[], ['--meshopt']])
		await check(`${basename(file)} ${extra.join(' ')}`, () => skip ?? playsTheSame(file, ...extra));
	await check(`${basename(file)} pruned`, () => skip ?? prunedIsTheSame(file));
}
rmSync(folder, { recursive: true });
for (const line of lines()) console.log(line);
console.log(`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed ? 1 : 0);
