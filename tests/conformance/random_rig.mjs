// Rigs by chance: the same seed makes the same file. Trees, skins, rigid parts, more than four
// influences, morph targets, all interpolations, integer weights, mirrored and squeezed nodes.
import { GlbBuilder } from './glb_builder.mjs';
import { inverse, matrixOf } from './second_reference.mjs';

const FLOAT = 5126;

// mulberry32: 2^32 states are plenty here.
function generator(seed) {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = Math.imul(state ^ (state >>> 15), state | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

export class Chance {
	constructor(seed) {
		this.next = generator(seed);
	}

	number(least, most) {
		return least + (most - least) * this.next();
	}

	whole(least, most) {
		return Math.floor(this.number(least, most + 1));
	}

	is(share) {
		return this.next() < share;
	}

	pick(list) {
		return list[this.whole(0, list.length - 1)];
	}

	many(count, make) {
		return Array.from({ length: count }, (_, i) => make(i));
	}

	vector(count, size) {
		return this.many(count, () => Math.fround(this.number(-size, size)));
	}

	direction(count) {
		const v = this.many(count, () => this.number(-1, 1));
		const length = Math.hypot(...v);
		return length > 0.1 ? v.map((x) => Math.fround(x / length)) : this.direction(count);
	}

	scale() {
		const one = this.number(0.6, 1.6);
		const v = this.is(0.5) ? [one, one, one] : this.many(3, () => this.number(0.6, 1.6));
		if (this.is(0.1)) v[this.whole(0, 2)] *= -1;
		return v.map(Math.fround);
	}
}

function addNodes(chance, builder) {
	const count = chance.whole(2, 40);
	// Parents need not come first in a file.
	const place = chance.many(count, (i) => i).sort(() => chance.next() - 0.5);
	const nodes = chance.many(count, () => ({}));
	const roots = [];
	for (let i = 0; i < count; i++) {
		const node = nodes[place[i]];
		const parts = {
			translation: chance.vector(3, 1),
			rotation: chance.direction(4),
			scale: chance.is(0.4) ? chance.scale() : [1, 1, 1],
		};
		if (chance.is(0.1)) node.matrix = columnsOf(matrixOf(parts));
		else Object.assign(node, parts);
		const parent = i === 0 || chance.is(0.1) ? null : nodes[place[chance.whole(0, i - 1)]];
		if (parent) (parent.children ??= []).push(place[i]);
		else roots.push(place[i]);
	}
	builder.json.nodes = nodes;
	builder.json.scenes = [{ nodes: roots }];
	builder.json.scene = 0;
}

const columnsOf = (m) =>
	Array.from({ length: 16 }, (_, i) =>
		i % 4 === 3 ? (i === 15 ? 1 : 0) : Math.fround(m[(i % 4) * 4 + Math.floor(i / 4)]),
	);

function worldOf(nodes, index) {
	const parent = nodes.findIndex((node) => node.children?.includes(index));
	return matrixOf(nodes[index], parent < 0 ? null : worldOf(nodes, parent));
}

function addSkin(chance, builder) {
	const { nodes } = builder.json;
	const joints = nodes.map((_, i) => i).filter(() => chance.is(0.8));
	if (joints.length === 0) joints.push(0);
	joints.sort(() => chance.next() - 0.5);
	const skin = { joints };
	if (chance.is(0.9)) {
		const numbers = joints.flatMap((joint) => columnsOf(inverse(worldOf(nodes, joint))));
		skin.inverseBindMatrices = builder.accessor('MAT4', FLOAT, numbers);
	}
	return builder.add('skins', skin);
}

// Integer weights sum to their type's greatest value, as the specification wants it.
function weightsOf(chance, used, width, most) {
	const raw = chance.many(used, () => chance.number(0.05, 1));
	const sum = raw.reduce((a, b) => a + b, 0);
	const weights = raw.map((w) => (most ? Math.round((w / sum) * most) : w / sum));
	if (most) weights[0] += most - weights.reduce((a, b) => a + b, 0);
	return [...weights, ...new Array(width - used).fill(0)];
}

function addInfluences(chance, builder, attributes, count, jointCount) {
	const sets = chance.pick([1, 1, 2, 3]);
	const [weightType, most] = chance.pick([
		[FLOAT, 0],
		[5123, 65535],
		[5121, 255],
	]);
	const joints = [];
	const weights = [];
	for (let i = 0; i < count; i++) {
		const used = chance.whole(1, Math.min(4 * sets, jointCount));
		const start = chance.whole(0, jointCount - 1);
		joints.push(chance.many(4 * sets, (k) => (k < used ? (start + k) % jointCount : 0)));
		weights.push(weightsOf(chance, used, 4 * sets, most));
	}
	for (let set = 0; set < sets; set++) {
		const part = (rows) => rows.flatMap((row) => row.slice(4 * set, 4 * set + 4));
		const jointType = chance.pick([5121, 5123]);
		attributes[`JOINTS_${set}`] = builder.accessor('VEC4', jointType, part(joints), {
			isAttribute: true,
		});
		attributes[`WEIGHTS_${set}`] = builder.accessor('VEC4', weightType, part(weights), {
			isAttribute: true,
			...(most ? { normalized: true } : {}),
		});
	}
}

function boundsOf(numbers) {
	const axis = (k) => numbers.filter((_, i) => i % 3 === k);
	return {
		min: [0, 1, 2].map((k) => Math.min(...axis(k))),
		max: [0, 1, 2].map((k) => Math.max(...axis(k))),
	};
}

function vectors(chance, builder, count, make) {
	const numbers = chance.many(count, make).flat();
	return builder.accessor('VEC3', FLOAT, numbers, { ...boundsOf(numbers), isAttribute: true });
}

function addPrimitive(chance, builder, jointCount, targetCount, shared) {
	const count = chance.whole(3, 120);
	const attributes = { POSITION: vectors(chance, builder, count, () => chance.vector(3, 1.5)) };
	if (shared.normals)
		attributes.NORMAL = vectors(chance, builder, count, () => chance.direction(3));
	if (jointCount) addInfluences(chance, builder, attributes, count, jointCount);
	const primitive = { attributes };
	if (chance.is(0.7)) {
		const corners = chance.many(3 * chance.whole(1, 60), () => chance.whole(0, count - 1));
		primitive.indices = builder.accessor('SCALAR', chance.pick([5121, 5123, 5125]), corners);
	} else if (count % 3) {
		primitive.mode = chance.pick([5, 6]);
	}
	if (targetCount) {
		primitive.targets = chance.many(targetCount, () => ({
			POSITION: vectors(chance, builder, count, () => chance.vector(3, 0.5)),
			...(shared.normals
				? { NORMAL: vectors(chance, builder, count, () => chance.vector(3, 0.4)) }
				: {}),
		}));
	}
	return primitive;
}

function addMesh(chance, builder) {
	const skin = chance.is(0.75) ? addSkin(chance, builder) : undefined;
	const joints = skin === undefined ? 0 : builder.json.skins[skin].joints.length;
	const targets = chance.pick([0, 0, 1, 3]);
	const shared = { normals: chance.is(0.8) };
	const primitives = chance.many(chance.whole(1, 3), () =>
		addPrimitive(chance, builder, joints, targets, shared),
	);
	const mesh = { primitives };
	if (targets && chance.is(0.7)) mesh.weights = chance.vector(targets, 0.9);
	const node = { mesh: builder.add('meshes', mesh), translation: chance.vector(3, 1) };
	if (skin !== undefined) node.skin = skin;
	if (targets && chance.is(0.5)) node.weights = chance.vector(targets, 0.9);
	const index = builder.add('nodes', node);
	if (chance.is(0.5)) builder.json.scenes[0].nodes.push(index);
	else (builder.json.nodes[0].children ??= []).push(index);
	return { index, targets };
}

function valueOf(chance, path, targets) {
	if (path === 'rotation') return chance.direction(4);
	if (path === 'scale') return chance.scale().map(Math.abs);
	return chance.vector(path === 'weights' ? targets : 3, path === 'weights' ? 1 : 0.8);
}

function addChannel(chance, builder, clip, node, path, targets) {
	const count = chance.whole(1, 6);
	const interpolation = chance.pick(['LINEAR', 'LINEAR', 'STEP', 'CUBICSPLINE']);
	let time = chance.is(0.7) ? 0 : chance.number(0, 1);
	const times = chance.many(count, () => Math.fround((time += chance.number(0.1, 0.7))));
	const cubic = interpolation === 'CUBICSPLINE';
	const size = path === 'weights' ? targets : path === 'rotation' ? 4 : 3;
	const values = times.flatMap(() => {
		const value = valueOf(chance, path, targets);
		return cubic ? [...chance.vector(size, 0.3), ...value, ...chance.vector(size, 0.3)] : value;
	});
	const type = { weights: 'SCALAR', rotation: 'VEC4' }[path] ?? 'VEC3';
	const bounds = { min: [Math.min(...times)], max: [Math.max(...times)] };
	const input = builder.accessor('SCALAR', FLOAT, times, bounds);
	const output = builder.accessor(type, FLOAT, values);
	const sampler = clip.samplers.push({ input, output, interpolation }) - 1;
	clip.channels.push({ sampler, target: { node, path } });
}

function addClip(chance, builder, meshes) {
	const clip = { channels: [], samplers: [] };
	for (const [index, node] of builder.json.nodes.entries()) {
		if (node.matrix) continue; // may not be driven
		for (const path of ['translation', 'rotation', 'scale'])
			if (chance.is(path === 'scale' ? 0.15 : 0.5)) addChannel(chance, builder, clip, index, path);
	}
	for (const { index, targets } of meshes)
		if (targets && chance.is(0.7)) addChannel(chance, builder, clip, index, 'weights', targets);
	if (clip.channels.length) builder.add('animations', clip);
}

// The bytes of a GLB.
export function randomRig(seed) {
	const chance = new Chance(seed);
	const builder = new GlbBuilder();
	addNodes(chance, builder);
	const meshes = chance.many(chance.whole(1, 3), () => addMesh(chance, builder));
	for (let clips = chance.whole(1, 2); clips > 0; clips--) addClip(chance, builder, meshes);
	return builder.glb();
}
