// Holds files of `pose optimise --quantise-mesh` against the original in three.js and by Khronos' validator: vertices at
// rest and at times of clips by chance are within the tolerance, and as far off as the report says; normals within the
// angle that it says; all that is no vertex is as it was. Meshes whose numbers or nodes others depend on stay, with the
// reason.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import validator from 'gltf-validator';
import { Vector3 } from 'three';
import { GlbBuilder } from './glb_builder.mjs';
import { readGltf, splitGlb } from './gltf_file.mjs';
import { check, count, expect, lines, tally } from './report.mjs';
import { ThreeReference } from './three_reference.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const POSE = process.env.POSE_BINARY ?? join(ROOT, 'build', 'pose');
const SHARED = process.env.POSED_SHARED_FILES ?? join(ROOT, '..', 'shared', 'files');
const DEMO = join(ROOT, 'assets', 'demo');
const fox = (name) => join(SHARED, 'derived-public-fox', `Fox.${name}.glb`);
const FILES = [
	...readdirSync(DEMO)
		.filter((name) => name.endsWith('.glb'))
		.sort()
		.map((name) => join(DEMO, name)),
	join(SHARED, 'khronos-Fox', 'glTF-Binary', 'Fox.glb'),
	join(SHARED, 'khronos-BoxAnimated', 'glTF-Binary', 'BoxAnimated.glb'),
	join(SHARED, 'khronos-InterpolationTest', 'glTF-Binary', 'InterpolationTest.glb'),
	join(SHARED, 'khronos-MorphPrimitivesTest', 'glTF-Binary', 'MorphPrimitivesTest.glb'),
	join(SHARED, 'khronos-NegativeScaleTest', 'glTF-Binary', 'NegativeScaleTest.glb'),
	join(SHARED, 'khronos-RecursiveSkeletons', 'glTF-Binary', 'RecursiveSkeletons.glb'),
	join(SHARED, 'godot-mannequiny', 'mannequiny.glb'),
	join(SHARED, 'kaykit-adventurers', 'Characters', 'gltf', 'Knight.glb'),
	...['interleaved', 'joints1-halved', 'joints1-moved', 'matrix-nodes', 'meshnode-moved', 'morph-animated',
		'second-scene', 'under-nonuniform', 'under-mirror', 'weights-ubyte', 'weights-ushort', 'weights-sum-half',
		'gltfpack-quantized'].map(fox),
];
const TIMES = 12;
// Between the moments that posed measures, and of clips whose error of keys is not the vertices'.
const ROOM = 1.3;
const CUBE = /^(bufferView|byteOffset|componentType|normalized|min|max)$/;

const folder = mkdtempSync(join(tmpdir(), 'posed-quantised-'));
let state = 11;
const random = () => {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return state / 2 ** 32;
};

// Without the clips' own changes where `against` is what optimising makes without integers.
function optimise(file, ...extra) {
	const out = join(folder, `${extra.join('').replace(/\W/g, '')}-${basename(file)}`);
	const text = execFileSync(POSE, ['optimise', file, '-o', out, '--json', ...extra], { encoding: 'utf8' });
	return { out, report: JSON.parse(text)[0] };
}

async function problems(path) {
	const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 0 });
	return report.issues.messages.filter(({ severity }) => severity < 2).map(({ code }) => code);
}

// What each vertex belongs to: the file's node, of new nodes that above, mesh and primitive.
function keysOf(reference, nodeCount) {
	const { nodes, meshes } = reference.json;
	const above = (node) => (node < nodeCount ? node : nodes.findIndex(({ children }) => children?.includes(node)));
	return [...reference.nodes.keys()]
		.filter((node) => nodes[node].mesh !== undefined)
		.flatMap((node) =>
			meshes[nodes[node].mesh].primitives.map((_, i) => ({ mesh: nodes[node].mesh, key: [above(node), nodes[node].mesh, i].join() })),
		);
}

// {key: {mesh, positions}} of a posed reference.
function pieces(reference, nodeCount) {
	const all = reference.positions();
	const out = new Map();
	let at = 0;
	for (const [i, { key, mesh }] of keysOf(reference, nodeCount).entries()) {
		const size = 3 * reference.primitives[i].geometry.attributes.position.count;
		out.set(key, { mesh, object: reference.primitives[i], positions: all.subarray(at, at + size) });
		at += size;
	}
	return out;
}

function farthest(was, is) {
	let worst = 0;
	for (let i = 0; i < was.length; i += 3)
		worst = Math.max(worst, Math.hypot(was[i] - is[i], was[i + 1] - is[i + 1], was[i + 2] - is[i + 2]));
	return worst;
}

function greatestAngle(was, is) {
	const [a, b] = [was, is].map((object) => object.geometry.attributes.normal);
	const [x, y] = [new Vector3(), new Vector3()];
	let worst = 0;
	for (let i = 0; a && i < a.count; i++) {
		x.fromBufferAttribute(a, i);
		y.fromBufferAttribute(b, i);
		if (x.length() > 0) worst = Math.max(worst, (180 / Math.PI) * x.angleTo(y));
	}
	return worst;
}

function compare(title, before, after, report, nodeCount) {
	const [was, is] = [pieces(before, nodeCount), pieces(after, nodeCount)];
	expect(was.size === is.size, 'primitives are missing');
	for (const [key, { mesh, object, positions }] of was) {
		const now = is.get(key);
		const said = report.meshes[mesh];
		const off = farthest(positions, now.positions);
		if (!said.quantised) {
			expect(off === 0, `${said.name} was left and moved by ${off}`);
			continue;
		}
		tally('vertices, as shares of the tolerance', off / report.tolerance, `${title} ${said.name}`);
		expect(off <= ROOM * report.tolerance, `${said.name} is off by ${off}, more than ${report.tolerance}`);
		said.seen = Math.max(said.seen ?? 0, off);
		const angle = greatestAngle(object, now.object);
		tally('normals in degrees', angle, `${title} ${said.name}`);
		expect(angle <= said.normal_error + 0.75, `a normal of ${said.name} is off by ${angle} degrees`);
	}
}

// All but what vertices are made of.
function restIsTheSame(before, after, report) {
	for (const name of Object.keys(before)) {
		if (/^(accessors|bufferViews|buffers|nodes|skins|extensions(Used|Required))$/.test(name)) continue;
		assert.deepEqual(after[name], before[name], name);
	}
	const plain = (accessor) => Object.fromEntries(Object.entries(accessor).filter(([name]) => !CUBE.test(name)));
	before.accessors.forEach((accessor, i) => assert.deepEqual(plain(after.accessors[i]), plain(accessor)));
	before.nodes.forEach((node, i) => {
		const { mesh, children, scale, translation, matrix, ...rest } = node;
		const { mesh: m, children: c, scale: s, translation: t, matrix: x, ...now } = after.nodes[i];
		assert.deepEqual(now, rest, `nodes[${i}]`);
		assert.deepEqual((c ?? []).filter((child) => child < before.nodes.length), children ?? []);
	});
	const needs = report.meshes.some(({ quantised }) => quantised);
	expect((after.extensionsRequired ?? []).includes('KHR_mesh_quantization') === needs || !needs, 'the extension is missing');
}

async function quantisedIsNear(file, ...extra) {
	const { out: plain } = optimise(file);
	const { out, report } = optimise(file, '--quantise-mesh', ...extra);
	const old = new Set(await problems(plain));
	const fresh = (await problems(out)).filter((code) => !old.has(code));
	expect(fresh.length === 0, `the validator says ${fresh.slice(0, 3)}`);
	const json = splitGlb(readFileSync(plain)).json;
	if (!extra.includes('--meshopt')) restIsTheSame(json, splitGlb(readFileSync(out)).json, report);
	for (const { name, quantised, left, error_max, bytes_before, bytes_after } of report.meshes) {
		expect(quantised ? error_max <= 1.01 * report.tolerance : left.length > 0, `${name} has neither error nor reason`);
		expect(bytes_after <= bytes_before, `${name} grew`);
	}
	const before = await ThreeReference.load(await readGltf(plain));
	const after = await ThreeReference.load(await readGltf(out));
	before.rest();
	after.rest();
	compare(basename(file), before, after, report, json.nodes.length);
	for (let i = 0; i < TIMES && before.clips.length > 0 && !extra.includes('--meshopt'); i++) {
		const clip = Math.floor(random() * before.clips.length);
		const time = random() * before.clips[clip].duration;
		before.pose(clip, time);
		after.pose(clip, time);
		compare(basename(file), before, after, report, json.nodes.length);
	}
	return report;
}

// Bounds of points, of float32 as they are stored.
function box(points) {
	const axes = [0, 1, 2].map((k) => points.filter((_, i) => i % 3 === k).map(Math.fround));
	return { min: axes.map((axis) => Math.min(...axis)), max: axes.map((axis) => Math.max(...axis)) };
}

// Triangles at nodes that the caller gives, with what else the document has.
function square(nodes, change = () => {}, attributes = () => ({})) {
	const built = new GlbBuilder();
	const points = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.3, 0.3, 0.7, 0.1, 0.9, 0.2, 0.7];
	for (let i = 0; i < 102; i++) points.push(random(), random(), random());
	const numbers = (type, list, more) => built.accessor(type, 5126, list, { isAttribute: true, ...more });
	const position = numbers('VEC3', points, box(points));
	const normal = numbers('VEC3', points.map((_, i) => (i % 3 === 2 ? 1 : 0)));
	const primitive = { attributes: { POSITION: position, NORMAL: normal, ...attributes(built, points.length / 3) } };
	built.add('meshes', { name: 'square', primitives: [primitive] });
	built.json.nodes = nodes;
	const below = new Set(nodes.flatMap(({ children }) => children ?? []));
	built.json.scenes = [{ nodes: nodes.map((_, i) => i).filter((i) => !below.has(i)) }];
	built.json.scene = 0;
	change(built, primitive, points.length / 3);
	const path = join(folder, 'square.glb');
	writeFileSync(path, built.glb());
	return path;
}

// Nodes of what was made.
async function squareIsNear(...args) {
	const path = square(...args);
	const wrong = (await problems(path)).filter((code) => code !== 'NODE_SKINNED_MESH_WITHOUT_SKIN');
	expect(wrong.length === 0, `the test is wrong: ${wrong.slice(0, 3)}`);
	const report = await quantisedIsNear(path);
	const { json, bin } = splitGlb(readFileSync(join(folder, 'quantisemesh-square.glb')));
	return { json, bin, mesh: report.meshes[0], report };
}

const weights = (built, count, value = [1, 0, 0, 0]) => ({
	JOINTS_0: built.accessor('VEC4', 5123, Array(count).fill([0, 1, 0, 0]).flat(), { isAttribute: true }),
	WEIGHTS_0: built.accessor('VEC4', 5126, Array(count).fill(value).flat(), { isAttribute: true }),
});
const target = (built, primitive, count) => {
	const delta = Array.from({ length: 3 * count }, () => 1.4 * random() - 0.7);
	primitive.targets = [{ POSITION: built.accessor('VEC3', 5126, delta, { isAttribute: true, ...box(delta) }) }];
};

await check('a mesh at several nodes', async () => {
	const { json, mesh } = await squareIsNear([
		{ mesh: 0, name: 'first', translation: [1, 2, 3], scale: [1, 2, 3], children: [1] },
		{ mesh: 0, name: 'second', rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], extras: { kept: [1, { a: 'b' }] } },
		{ mesh: 0, name: 'third', matrix: [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 5, 6, 7, 1] },
	]);
	expect(mesh.quantised && json.nodes.length === 6, `nodes are ${JSON.stringify(json.nodes)}`);
	expect(json.nodes.slice(0, 3).every((node) => node.mesh === undefined), 'a node has its mesh still');
	expect(JSON.stringify(json.nodes[0].children) === '[1,3]', 'children are lost');
});

// The validator warns of a mesh that has joints where its node has no skin.
await check('a mesh with and without a skin', async () => {
	const { json, mesh } = await squareIsNear(
		[{ mesh: 0, skin: 0 }, { mesh: 0, translation: [4, 0, 0] }, { children: [3], translation: [0, 1, 0] }, { scale: [2, 2, 2] }],
		(built) => built.add('skins', { joints: [2, 3] }),
		(built, count) => weights(built, count, [0.7, 0.3, 0, 0]),
	);
	expect(mesh.quantised && json.nodes[0].mesh === 0 && json.nodes[1].children[0] === 4, 'nodes are wrong');
	const matrices = json.accessors[json.skins[0].inverseBindMatrices];
	expect(matrices.count === 2 && matrices.type === 'MAT4', 'the skin has no matrices');
	const joints = json.accessors[json.meshes[0].primitives[0].attributes.JOINTS_0];
	expect(joints.componentType === 5121, 'joints are shorts still');
});

await check('skins that share matrices and meshes', async () => {
	const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
	const { json, report } = await squareIsNear(
		[{ mesh: 0, skin: 0 }, { mesh: 1, skin: 1 }, { mesh: 1, skin: 0 }, { translation: [0, 1, 0], children: [4] }, { scale: [2, 2, 2] }],
		(built, primitive, count) => {
			const other = Array.from({ length: 3 * count }, () => 10 * random() + 5);
			const position = built.accessor('VEC3', 5126, other, { isAttribute: true, ...box(other) });
			built.add('meshes', { primitives: [{ attributes: { ...primitive.attributes, POSITION: position } }] });
			const matrices = built.accessor('MAT4', 5126, [...identity, ...identity.map((x, i) => (i === 13 ? -1 : x))]);
			built.add('skins', { joints: [3, 4], inverseBindMatrices: matrices });
			built.add('skins', { joints: [4, 3], inverseBindMatrices: matrices });
		},
		(built, count) => weights(built, count, [0.5, 0.5, 0, 0]),
	);
	expect(report.meshes.every(({ quantised }) => quantised) && json.skins[0].inverseBindMatrices === json.skins[1].inverseBindMatrices, 'the matrices are two');
});

await check('morph weights of a node', async () => {
	const animate = (built, node) => {
		const input = built.accessor('SCALAR', 5126, [0, 1], { min: [0], max: [1] });
		const output = built.accessor('SCALAR', 5126, [0, 1]);
		built.add('animations', { name: 'grow', channels: [{ sampler: 0, target: { node, path: 'weights' } }], samplers: [{ input, output }] });
	};
	const { json, mesh } = await squareIsNear([{ mesh: 0, rotation: [0, 0.6, 0, 0.8], translation: [1, 2, 3], scale: [1, 2, 3] }], (built, primitive, count) => {
		target(built, primitive, count);
		animate(built, 0);
	});
	expect(mesh.quantised && json.nodes.length === 1 && json.nodes[0].mesh === 0, 'the mesh is elsewhere');
	const { mesh: stays } = await squareIsNear([{ mesh: 0, weights: [0.5], children: [1] }, {}], target);
	expect(/morph weights/.test(stays.left), `it says ${JSON.stringify(stays)}`);
	const { mesh: moves } = await squareIsNear([{ mesh: 0 }], target);
	expect(moves.quantised, `it says ${JSON.stringify(moves)}`);
});

const LEFT = [
	['no node has it', [{}], () => {}],
	['its node has instances', [{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: {} } } }], (built) => (built.json.extensionsUsed = ['EXT_mesh_gpu_instancing'])],
	['an extension may name its node', [{ mesh: 0 }], (built) => Object.assign(built.json, { extensionsUsed: ['ACME_wheels'], extensions: { ACME_wheels: { front: 0 } } })],
	['an extension names it', [{ mesh: 0 }], (built) => Object.assign(built.json, { extensionsUsed: ['ACME_wheels'], extensions: { ACME_wheels: { mesh: 0 } } })],
	['an extension has its vertices', [{ mesh: 0 }], (built, primitive) => { built.json.extensionsUsed = ['ACME_clouds']; primitive.extensions = { ACME_clouds: {} }; }],
	['its positions are used otherwise, too', [{ mesh: 0 }], (built, primitive) => (primitive.attributes._OLD = primitive.attributes.POSITION)],
	['its positions are packed, sparse or no floats', [{ mesh: 0 }], (built, primitive) => {
		const indices = { bufferView: built.json.accessors[built.accessor('SCALAR', 5123, [0])].bufferView, componentType: 5123 };
		const values = { bufferView: built.json.accessors[built.accessor('VEC3', 5126, [0, 0, 0])].bufferView };
		built.json.accessors[primitive.attributes.POSITION].sparse = { count: 1, indices, values };
	}],
];
for (const [reason, nodes, change] of LEFT)
	await check(reason, async () => {
		const path = square(nodes, change);
		const { out, report } = optimise(path, '--quantise-mesh');
		expect(report.meshes[0].left === reason, `it says ${JSON.stringify(report.meshes[0])}`);
		expect(readFileSync(out).equals(readFileSync(path)), 'the file is another');
	});

await check('too small a tolerance', async () => {
	const path = square([{ mesh: 0 }]);
	const { out, report } = optimise(path, '--quantise-mesh', '--tolerance', '1e-6mm');
	expect(/more than the tolerance/.test(report.meshes[0].left), `it says ${JSON.stringify(report.meshes[0])}`);
	expect(readFileSync(out).equals(readFileSync(path)), 'the file is another');
});

// Views that are gone leave something in their places, which has a byte of another view.
await check('all large views are packed', () => {
	const { out } = optimise(join(DEMO, 'humanoid.glb'), '--quantise-mesh', '--meshopt');
	const { json } = splitGlb(readFileSync(out));
	const plain = json.bufferViews.filter(({ extensions, byteLength }) => byteLength > 2048 && !extensions);
	expect(plain.length === 0, `these are not: ${JSON.stringify(plain)}`);
});

for (const file of FILES) {
	const skip = existsSync(file) ? null : `no ${file} (POSED_SHARED_FILES says where such files are)`;
	for (const extra of [[], ['--meshopt'], ['--normal-bits', '16']])
		await check(`${basename(file)} ${extra.join(' ')}`, async () => skip ?? void (await quantisedIsNear(file, ...extra)));
}
rmSync(folder, { recursive: true });
for (const line of lines()) console.log(line);
console.log(`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed ? 1 : 0);
