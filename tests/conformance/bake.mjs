// Holds what POST /v1/bake gives against POST /v1/vertices: morph targets and joints as three.js'
// AnimationMixer plays them, textures as their bake.json says to read them, matrices times weights
// computed here. Joints of rigs by chance are posed by the second implementation. Khronos' validator
// has to find nothing wrong with any of the GLBs, but with those by chance, which break its rules.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import validator from 'gltf-validator';
import { ask, post, startDaemon } from './daemon.mjs';
import { GlbBuilder } from './glb_builder.mjs';
import { readForRequest, splitGlb } from './gltf_file.mjs';
import { randomRig } from './random_rig.mjs';
import { check, count, expect, lines, relativeError, tally } from './report.mjs';
import { SecondReference } from './second_reference.mjs';
import { ThreeReference, boundsOf } from './three_reference.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const SHARED = process.env.POSED_SHARED_FILES ?? join(ROOT, '..', 'shared', 'files');
const BINARY = process.env.POSED_BINARY ?? join(ROOT, 'build', 'posed');
const FILES = [
	join(ROOT, 'assets', 'demo', 'humanoid.glb'),
	join(SHARED, 'khronos-Fox', 'glTF-Binary', 'Fox.glb'),
	join(SHARED, 'khronos-AnimatedMorphCube', 'glTF-Binary', 'AnimatedMorphCube.glb'),
	join(SHARED, 'khronos-RecursiveSkeletons', 'glTF-Binary', 'RecursiveSkeletons.glb'),
	join(SHARED, 'khronos-NegativeScaleTest', 'glTF-Binary', 'NegativeScaleTest.glb'),
	join(SHARED, 'kaykit-adventurers', 'Characters', 'gltf', 'Knight.glb'),
];
const RANDOM_RIGS = 12;
const FLOAT = 5126;
const SEVERITY = ['error', 'warning'];
const DURATION = 0.3; // no whole number of frames: they are set evenly
const RATE = 11;
const TOLERANCE = 1e-5; // of the diagonal of what is posed
const HALF = 2 ** -12; // of the box's half: rounding to eleven bits
const OF_THE_FILE = 'NODE_SKINNED_MESH_NON_ROOT'; // where the file hangs its meshes
const MATRICES_MAY_NOT = /changes morph weights/;

// --- Files ---

function filesOf(tar) {
	const files = {};
	for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
		const name = tar.toString('utf8', at, tar.indexOf(0, at));
		const size = parseInt(tar.toString('ascii', at + 124, at + 136), 8);
		files[name] = tar.subarray(at + 512, at + 512 + size);
		at += 512 + Math.ceil(size / 512) * 512;
	}
	return files;
}

async function validate(glb) {
	const report = await validator.validateBytes(new Uint8Array(glb), { maxIssues: 0 });
	const wrong = report.issues.messages.filter(
		({ severity, code }) => severity < SEVERITY.length && code !== OF_THE_FILE,
	);
	if (wrong.length) {
		const { severity, code, pointer, message } = wrong[0];
		throw new Error(`${wrong.length} issues, ${SEVERITY[severity]} ${code} ${pointer}: ${message}`);
	}
}

function halfOf(bits) {
	const exponent = (bits >> 10) & 31;
	const size = exponent ? (1 + (bits & 1023) / 1024) * 2 ** (exponent - 15) : 0;
	return bits & 0x8000 ? -size : size;
}

// The numbers of a texture, four a texel.
function texelsOf(texture, bytes) {
	const [width, read] = {
		RGBA32F: [4, (at) => bytes.readFloatLE(at)],
		RGBA16F: [2, (at) => halfOf(bytes.readUInt16LE(at))],
		RGBA8_SNORM: [1, (at) => Math.max(bytes.readInt8(at) / 127, -1)],
	}[texture.format];
	const size = texture.width * texture.height * 4;
	expect(bytes.length === size * width, `${texture.file} has ${bytes.length} bytes`);
	return Float64Array.from({ length: size }, (_, i) => read(i * width));
}

// The offset of an item of a frame, in numbers.
function placeOf(texture, item, frame, frames) {
	const row = Math.floor(item / texture.per_row) * frames + frame;
	return (row * texture.width + (item % texture.per_row) * texture.texels) * 4;
}

function readAccessor({ json, bin }, index) {
	const accessor = json.accessors[index];
	const view = json.bufferViews[accessor.bufferView];
	const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[accessor.type];
	const [bytes, read] = accessor.componentType === 5126 ? [4, 'readFloatLE'] : [2, 'readUInt16LE'];
	const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
	return Array.from({ length: accessor.count * width }, (_, i) => bin[read](start + i * bytes));
}

// An attribute of all primitives in their order.
function attributeOf(glb, name) {
	return glb.json.meshes.flatMap((mesh) =>
		mesh.primitives.flatMap(({ attributes }) => readAccessor(glb, attributes[name])),
	);
}

// --- What it should be ---

class Subject {
	constructor(daemon, rig, clip, method) {
		Object.assign(this, { daemon, rig, clip, method });
	}

	// The pose at a time on the clock.
	pose(time) {
		return this.clip ? { clip: this.clip, time, loop: 'repeat' } : 'rest';
	}

	async vertices(time, attribute = 'position') {
		const request = {
			rig: this.rig,
			pose: this.pose(time),
			skinning: this.method,
			attributes: [attribute],
		};
		const bytes = await (await post(this.daemon, 'vertices', request)).arrayBuffer();
		return new Float32Array(bytes);
	}

	async bake(as, more) {
		const request = {
			rig: this.rig,
			pose: this.pose(0),
			skinning: this.method,
			as,
			duration: DURATION,
			rate: RATE,
			...more,
		};
		const reply = await post(this.daemon, 'bake', request, '*/*');
		this.frames = Number(reply.headers.get('posed-frames'));
		return Buffer.from(await reply.arrayBuffer());
	}

	time(frame) {
		return Math.fround((frame * DURATION) / (this.frames - 1));
	}

	// Calls hold(frame, positions, diagonal) for each.
	async forEachFrame(hold) {
		for (let i = 0; i < this.frames; i++) {
			const wanted = await this.vertices(this.time(i));
			await hold(i, wanted, boundsOf(wanted).diagonal);
		}
	}
}

function holdPositions(subject, as, frame, got, wanted, diagonal) {
	const error = relativeError(got, wanted, diagonal);
	tally(`${as}, positions`, error, `${subject.rig}, frame ${frame}`);
	expect(got.length === wanted.length, `${got.length} numbers, ${wanted.length} expected`);
	expect(error <= TOLERANCE, `frame ${frame} is off by ${error} of the diagonal`);
}

async function played(subject, as) {
	const glb = await subject.bake(as);
	await validate(glb);
	const reference = await ThreeReference.load(splitGlb(glb));
	await subject.forEachFrame((frame, wanted, diagonal) => {
		reference.pose(0, subject.time(frame));
		holdPositions(subject, as, frame, reference.positions(), wanted, diagonal);
	});
}

async function vertexTexture(subject, precision) {
	const files = filesOf(await subject.bake('vertex_texture', { precision }));
	await validate(files['mesh.glb']);
	const bake = JSON.parse(files['bake.json']);
	const { positions, normals } = bake.textures;
	const numbers = texelsOf(positions, files[positions.file]);
	const directions = texelsOf(normals, files[normals.file]);
	const { offset, scale } = { offset: [0, 0, 0], scale: [1, 1, 1], ...positions };
	const order = attributeOf(splitGlb(files['mesh.glb']), '_VERTEX');
	expect(bake.frames === subject.frames, `${bake.frames} frames`);
	expect(order.length === bake.vertices, `${order.length} vertices in the mesh`);
	await subject.forEachFrame(async (frame, wanted, diagonal) => {
		const normal = await subject.vertices(subject.time(frame), 'normal');
		for (const v of order) {
			const at = placeOf(positions, v, frame, bake.frames);
			let dot = 0;
			for (let k = 0; k < 3; k++) {
				const got = offset[k] + scale[k] * numbers[at + k];
				const error = Math.abs(got - wanted[v * 3 + k]);
				const most =
					(precision === 'half' ? scale[k] * HALF : 0) + TOLERANCE * diagonal * 0.1;
				tally(`vertex_texture, ${precision}`, error / diagonal, subject.rig);
				expect(error <= most, `frame ${frame}, vertex ${v}: ${got}, off by ${error}`);
				dot += directions[at + k] * normal[v * 3 + k];
			}
			// Those of mirrored surfaces are turned outwards.
			expect(Math.abs(dot) > 0.99, `frame ${frame}: normal ${v} is off, ${dot}`);
		}
	});
}

// M v by hand: rows of three texels, influences of the mesh.
async function jointTexture(subject) {
	let tar;
	try {
		tar = await subject.bake('joint_texture');
	} catch (error) {
		if (MATRICES_MAY_NOT.test(error.message)) return 'its clip changes morph weights';
		throw error;
	}
	const files = filesOf(tar);
	await validate(files['mesh.glb']);
	const bake = JSON.parse(files['bake.json']);
	const { joints } = bake.textures;
	const numbers = texelsOf(joints, files[joints.file]);
	const glb = splitGlb(files['mesh.glb']);
	const rest = attributeOf(glb, 'POSITION');
	const slots = attributeOf(glb, 'JOINTS_0');
	const weights = attributeOf(glb, 'WEIGHTS_0');
	expect(bake.slots.length === joints.items, `${bake.slots.length} slots`);
	await subject.forEachFrame((frame, wanted, diagonal) => {
		const got = new Float64Array(wanted.length);
		for (let i = 0; i < slots.length; i++) {
			const v = Math.floor(i / 4) * 3;
			const at = placeOf(joints, slots[i], frame, bake.frames);
			for (let k = 0; k < 3; k++) {
				const row = at + k * 4;
				const moved =
					numbers[row] * rest[v] +
					numbers[row + 1] * rest[v + 1] +
					numbers[row + 2] * rest[v + 2] +
					numbers[row + 3];
				got[v + k] += weights[i] * moved;
			}
		}
		holdPositions(subject, 'joint_texture', frame, got, wanted, diagonal);
	});
	return null;
}

// --- Files made for it ---

function addMesh(builder, place) {
	const corners = [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3].slice(0, 3 * (3 + (place % 2)));
	const min = [0, 0, 0];
	const max = [1, 2, place % 2 ? 3 : 0];
	const POSITION = builder.accessor('VEC3', FLOAT, corners, { isAttribute: true, min, max });
	return builder.add('meshes', { primitives: [{ attributes: { POSITION }, mode: 0 }] });
}

// Seven nodes with a mesh of their own each, whose scene lists the roots against the order of their
// indices, with a root without a mesh and one whose mesh hangs two nodes below it between them.
function rootsAgainstTheirOrder() {
	const builder = new GlbBuilder();
	for (let i = 0; i < 7; i++) {
		const translation = [i, 0, 0];
		builder.add('nodes', { name: `part${i}`, mesh: addMesh(builder, i), translation });
	}
	builder.add('nodes', { name: 'empty' });
	builder.add('nodes', { name: 'above', children: [9, 3] });
	builder.add('nodes', { name: 'between', children: [5, 1] });
	builder.json.scenes = [{ nodes: [7, 6, 4, 8, 2, 0] }];
	builder.json.scene = 0;
	const bounds = { min: [0], max: [1] };
	const input = builder.accessor('SCALAR', FLOAT, [0, 1], bounds);
	const output = builder.accessor('VEC3', FLOAT, [6, 0, 0, 6, 5, 0]);
	const channels = [{ sampler: 0, target: { node: 6, path: 'translation' } }];
	builder.add('animations', { channels, samplers: [{ input, output }] });
	return builder.glb();
}

async function putRig(daemon, rig, body) {
	const url = `${daemon.url}/v1/rigs/${encodeURIComponent(rig)}`;
	await ask(url, { method: 'PUT', body });
	return (await (await ask(url)).json()).clips[0]?.name;
}

async function compareMade(daemon, rig, body, isSound) {
	const clip = await putRig(daemon, rig, body);
	const subject = new Subject(daemon, rig, clip, 'lbs');
	for (const prune of [false, true])
		await check(`${rig} as joints${prune ? ', pruned' : ''}`, async () => {
			const glb = await subject.bake('joints', { prune });
			if (isSound) await validate(glb);
			const reference = new SecondReference(splitGlb(glb));
			await subject.forEachFrame((frame, wanted, diagonal) => {
				if (subject.frames > 1) reference.pose(0, subject.time(frame));
				holdPositions(subject, 'joints', frame, reference.vertices().positions, wanted, diagonal);
			});
		});
}

// --- Files of others ---

async function compareFile(daemon, path) {
	const rig = path.split('/').pop();
	const clip = await putRig(daemon, rig, readForRequest(path));
	const linear = new Subject(daemon, rig, clip, 'lbs');
	const dual = new Subject(daemon, rig, clip, 'dqs');
	const still = new Subject(daemon, rig, null, 'lbs');
	await check(`${rig} as joints`, () => played(linear, 'joints'));
	await check(`${rig} at rest, as joints`, () => played(still, 'joints'));
	await check(`${rig} as morph targets, lbs`, () => played(linear, 'morph'));
	await check(`${rig} as morph targets, dqs`, () => played(dual, 'morph'));
	await check(`${rig} as a texture of halves`, () => vertexTexture(dual, 'half'));
	await check(`${rig} as a texture of floats`, () => vertexTexture(dual, 'float'));
	await check(`${rig} as a texture of matrices`, () => jointTexture(linear));
}

async function main() {
	const daemon = await startDaemon(BINARY);
	await compareMade(daemon, 'roots against their order', rootsAgainstTheirOrder(), true);
	for (let seed = 1; seed <= RANDOM_RIGS; seed++)
		await compareMade(daemon, `random rig ${seed}`, randomRig(seed), false);
	for (const path of FILES) {
		if (existsSync(path)) {
			await compareFile(daemon, path);
		} else {
			count.skipped++;
			console.log(`SKIPPED ${path}: not there (POSED_SHARED_FILES says where)`);
		}
	}
	await daemon.stop();
	for (const line of lines()) console.log(line);
}

await main().catch((error) => {
	count.failed++;
	console.log(`FAILED  the comparison stopped: ${error.stack}`);
});
console.log(
	`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`,
);
process.exit(count.failed ? 1 : 0);
