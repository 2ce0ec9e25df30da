// A second implementation of what posed computes, in doubles and written from the glTF 2.0
// specification alone: where three.js is silent or follows a rule of its own, this one decides.
//
// Matrices are rows of 3x4. What a file leaves open is as METHODS 0.3 and 0.10 say: weights are
// summed up by joint and divided by their sum, normals are the cofactor matrix of the blended linear
// part times the vertex normal, and vertices without normals get the area-weighted mean of their
// faces.
import { Accessors } from './accessor.mjs';

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

function multiply(a, b) {
	const out = new Array(12);
	for (let r = 0; r < 3; r++) {
		for (let c = 0; c < 4; c++) {
			let sum = c === 3 ? a[4 * r + 3] : 0;
			for (let k = 0; k < 3; k++) sum += a[4 * r + k] * b[4 * k + c];
			out[4 * r + c] = sum;
		}
	}
	return out;
}

function fromColumns(m, at = 0) {
	return IDENTITY.map((_, i) => m[at + 4 * (i % 4) + Math.floor(i / 4)]);
}

function fromParts({ translation: t, rotation: q, scale: s }) {
	const [x, y, z, w] = unit(q);
	return [
		(1 - 2 * (y * y + z * z)) * s[0],
		2 * (x * y - z * w) * s[1],
		2 * (x * z + y * w) * s[2],
		t[0],
		2 * (x * y + z * w) * s[0],
		(1 - 2 * (x * x + z * z)) * s[1],
		2 * (y * z - x * w) * s[2],
		t[1],
		2 * (x * z - y * w) * s[0],
		2 * (y * z + x * w) * s[1],
		(1 - 2 * (x * x + y * y)) * s[2],
		t[2],
	];
}

export function unit(v) {
	const length = Math.hypot(...v);
	return length > 0 ? v.map((x) => x / length) : v;
}

// A node's matrix from its parts, and from its parent's on.
export function matrixOf({ matrix, translation, rotation, scale }, parent = null) {
	const own = matrix
		? fromColumns(matrix)
		: fromParts({
				translation: translation ?? [0, 0, 0],
				rotation: rotation ?? [0, 0, 0, 1],
				scale: scale ?? [1, 1, 1],
			});
	return parent ? multiply(parent, own) : own;
}

export function inverse(m) {
	const d = determinant(m);
	const cofactor = (r, c) => {
		const [a, b] = [0, 1, 2].filter((i) => i !== r);
		const [e, f] = [0, 1, 2].filter((i) => i !== c);
		const minor = m[4 * a + e] * m[4 * b + f] - m[4 * a + f] * m[4 * b + e];
		return (r + c) % 2 ? -minor : minor;
	};
	const out = new Array(12);
	for (let r = 0; r < 3; r++) {
		for (let c = 0; c < 3; c++) out[4 * r + c] = cofactor(c, r) / d;
		out[4 * r + 3] = -[0, 1, 2].reduce((sum, k) => sum + out[4 * r + k] * m[4 * k + 3], 0);
	}
	return out;
}

export function determinant(m) {
	return (
		m[0] * (m[5] * m[10] - m[6] * m[9]) -
		m[1] * (m[4] * m[10] - m[6] * m[8]) +
		m[2] * (m[4] * m[9] - m[5] * m[8])
	);
}

// --- Sampling (specification, appendix C) ---

function slerp(a, b, u) {
	let d = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
	const sign = d < 0 ? -1 : 1;
	d = Math.min(Math.abs(d), 1);
	const angle = Math.atan2(Math.hypot(...a.map((x, i) => sign * b[i] - d * x)), d);
	if (angle < 1e-9) return unit(a.map((x, i) => x + u * (sign * b[i] - x)));
	const [p, q] = [Math.sin((1 - u) * angle), sign * Math.sin(u * angle)];
	return unit(a.map((x, i) => p * x + q * b[i]));
}

function hermite(u, h, v0, b0, v1, a1) {
	const [u2, u3] = [u * u, u * u * u];
	return v0.map(
		(v, i) =>
			(2 * u3 - 3 * u2 + 1) * v +
			h * (u3 - 2 * u2 + u) * b0[i] +
			(3 * u2 - 2 * u3) * v1[i] +
			h * (u3 - u2) * a1[i],
	);
}

function sample(channel, time) {
	const { times, values, width, interpolation, path } = channel;
	const cubic = interpolation === 'CUBICSPLINE';
	const part = (k, which) => {
		const at = (cubic ? 3 * k + which : k) * width;
		return Array.from(values.subarray(at, at + width));
	};
	const value = (k) => (path === 'rotation' && !cubic ? unit(part(k, 1)) : part(k, 1));
	const done = (v) => (path === 'rotation' ? unit(v) : v);
	const last = times.length - 1;
	if (time <= times[0]) return done(value(0));
	if (time >= times[last]) return done(value(last));
	let k = 0;
	while (times[k + 1] <= time) k++;
	if (interpolation === 'STEP' || time === times[k]) return done(value(k));
	const h = times[k + 1] - times[k];
	const u = (time - times[k]) / h;
	if (cubic) return done(hermite(u, h, part(k, 1), part(k, 2), part(k + 1, 1), part(k + 1, 0)));
	const [a, b] = [value(k), value(k + 1)];
	return path === 'rotation' ? slerp(a, b, u) : a.map((x, i) => x + u * (b[i] - x));
}

// --- Meshes ---

// Corners as a list of triangles (specification 3.7.2.1); null for points and lines.
function trianglesOf(mode, corners) {
	const out = [];
	if (mode === 4) {
		for (let i = 0; i + 2 < corners.length; i += 3)
			out.push(corners[i], corners[i + 1], corners[i + 2]);
	} else if (mode === 5) {
		for (let i = 0; i + 2 < corners.length; i++)
			out.push(corners[i], corners[i + 1 + (i % 2)], corners[i + 2 - (i % 2)]);
	} else if (mode === 6) {
		for (let i = 1; i + 1 < corners.length; i++) out.push(corners[i], corners[i + 1], corners[0]);
	} else {
		return null;
	}
	return out;
}

// Twice the area times the normal of a triangle.
export function faceOf(p, a, b, c) {
	const [ux, uy, uz] = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k]);
	const [vx, vy, vz] = [0, 1, 2].map((k) => p[3 * c + k] - p[3 * a + k]);
	return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

// Those of length 0 are made from the faces.
function completeNormals(given, positions, triangles) {
	const out = new Float64Array(positions.length);
	const sums = new Float64Array(positions.length);
	for (let i = 0; i + 2 < (triangles?.length ?? 0); i += 3) {
		const corners = triangles.slice(i, i + 3);
		const face = faceOf(positions, ...corners);
		for (const corner of corners) for (let k = 0; k < 3; k++) sums[3 * corner + k] += face[k];
	}
	for (let i = 0; i < out.length; i += 3) {
		const own = given ? Math.hypot(given[i], given[i + 1], given[i + 2]) : 0;
		const n = unit(Array.from((own > 1e-20 ? given : sums).subarray(i, i + 3)));
		out.set(Math.hypot(...n) > 0 ? n : [0, 1, 0], i);
	}
	return out;
}

// Per vertex the joints and weights of all sets, each joint once, weights summing to 1.
function influencesOf(accessors, attributes, count) {
	const sets = [];
	for (let n = 0; attributes[`JOINTS_${n}`] !== undefined; n++) {
		sets.push([
			accessors.numbers(attributes[`JOINTS_${n}`]),
			accessors.numbers(attributes[`WEIGHTS_${n}`]),
		]);
	}
	const out = [];
	for (let i = 0; i < count; i++) {
		const sum = new Map();
		for (const [joints, weights] of sets)
			for (let k = 4 * i; k < 4 * i + 4; k++)
				if (weights[k] > 0) sum.set(joints[k], (sum.get(joints[k]) ?? 0) + weights[k]);
		const total = [...sum.values()].reduce((a, b) => a + b, 0);
		out.push(total > 1e-6 ? [...sum].map(([j, w]) => [j, w / total]) : [[sets[0][0][4 * i], 1]]);
	}
	return out;
}

export class SecondReference {
	constructor({ json, bin }) {
		this.json = json;
		this.accessors = new Accessors(json, bin);
		this.meshes = (json.meshes ?? []).map((mesh) => mesh.primitives.map((p) => this.#primitive(p)));
		this.order = this.#depthFirst();
		this.parent = new Map();
		for (const [i, node] of (json.nodes ?? []).entries())
			for (const child of node.children ?? []) this.parent.set(child, i);
		this.primitives = this.order.flatMap((node) =>
			(this.meshes[json.nodes[node].mesh] ?? [])
				.filter((source) => source)
				.map((source) => ({ node, source, skin: json.nodes[node].skin })),
		);
		this.vertexCount = this.primitives.reduce((n, p) => n + p.source.positions.length / 3, 0);
		this.clips = (json.animations ?? []).map((animation) => this.#clip(animation));
		this.rest();
	}

	#depthFirst() {
		const { json } = this;
		const found = new Set();
		const children = new Set((json.nodes ?? []).flatMap((node) => node.children ?? []));
		const roots =
			json.scenes?.[json.scene ?? 0]?.nodes ??
			(json.nodes ?? []).map((_, i) => i).filter((i) => !json.scenes && !children.has(i));
		const stack = [...roots].reverse();
		while (stack.length) {
			const node = stack.pop();
			found.add(node);
			stack.push(...[...(json.nodes[node].children ?? [])].reverse());
		}
		return [...found];
	}

	#primitive({ attributes, indices, mode = 4, targets = [], material }) {
		if (attributes.POSITION === undefined) return null;
		const read = (index) => (index === undefined ? null : this.accessors.numbers(index));
		const positions = read(attributes.POSITION);
		const count = positions.length / 3;
		const corners = read(indices) ?? Array.from({ length: count }, (_, i) => i);
		const triangles = trianglesOf(mode, corners);
		return {
			positions,
			triangles,
			normals: completeNormals(read(attributes.NORMAL), positions, triangles),
			targets: targets.map((t) => ({ positions: read(t.POSITION), normals: read(t.NORMAL) })),
			influences:
				attributes.JOINTS_0 === undefined ? null : influencesOf(this.accessors, attributes, count),
			material: this.json.materials?.[material] ?? {},
		};
	}

	#clip({ channels, samplers }) {
		const out = { channels: [], duration: 0 };
		for (const { sampler, target } of channels) {
			const { input, output, interpolation = 'LINEAR' } = samplers[sampler];
			const times = this.accessors.numbers(input);
			const values = this.accessors.numbers(output);
			const width = values.length / times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1);
			out.duration = Math.max(out.duration, times.at(-1));
			if (target.node !== undefined)
				out.channels.push({ ...target, times, values, width, interpolation });
		}
		return out;
	}

	rest() {
		this.local = (this.json.nodes ?? []).map((node) => ({
			...node,
			weights: node.weights ?? this.json.meshes?.[node.mesh]?.weights ?? [],
		}));
		this.#place();
	}

	pose(clip, time) {
		this.rest();
		for (const channel of this.clips[clip].channels)
			this.local[channel.node][channel.path] = sample(channel, time);
		this.#place();
	}

	#place() {
		this.world = [];
		const find = (i) => {
			// Up to a node that is known, and down again: chains may be deep.
			const chain = [];
			for (let at = i; at !== undefined && !this.world[at]; at = this.parent.get(at))
				chain.push(at);
			for (const at of chain.reverse()) {
				this.world[at] = matrixOf(this.local[at], this.world[this.parent.get(at)]);
			}
		};
		for (let i = 0; i < this.local.length; i++) find(i);
	}

	// The matrices that a primitive's influences count, or its node's alone.
	matrices({ node, skin, source }) {
		if (skin === undefined || !source.influences) return [this.world[node]];
		const { joints, inverseBindMatrices: inverse } = this.json.skins[skin];
		const numbers = inverse === undefined ? null : this.accessors.numbers(inverse);
		return joints.map((joint, i) =>
			numbers ? multiply(this.world[joint], fromColumns(numbers, 16 * i)) : this.world[joint],
		);
	}

	// {positions, normals}; a normal is 0 where it has no direction.
	vertices() {
		const positions = new Float64Array(3 * this.vertexCount);
		const normals = new Float64Array(3 * this.vertexCount);
		let first = 0;
		for (const primitive of this.primitives) {
			const { source } = primitive;
			const matrices = this.matrices(primitive);
			const skinned = matrices.length > 1 || primitive.skin !== undefined;
			const p = this.#morphed(primitive, 'positions');
			const n = this.#morphed(primitive, 'normals');
			for (let i = 0; i < p.length; i += 3) {
				const m =
					skinned && source.influences ? blend(matrices, source.influences[i / 3]) : matrices[0];
				mapVertex(m, p, n, i, positions, normals, first + i);
			}
			first += p.length;
		}
		return { positions, normals };
	}

	#morphed({ node, source }, stream) {
		const { weights } = this.local[node];
		if (!source.targets.some((t, k) => t[stream] && weights[k])) return source[stream];
		const out = Float64Array.from(source[stream]);
		for (const [k, target] of source.targets.entries())
			if (target[stream] && weights[k])
				for (let i = 0; i < out.length; i++) out[i] += weights[k] * target[stream][i];
		return out;
	}

	// Corners of all triangles in the numbering of vertices, primitive by primitive.
	triangles() {
		let first = 0;
		return this.primitives.map((primitive) => {
			const { source } = primitive;
			const start = first;
			first += source.positions.length / 3;
			return {
				primitive,
				first: start,
				corners: (source.triangles ?? []).map((corner) => corner + start),
			};
		});
	}
}

const scratch = new Float64Array(12);

export function blend(matrices, influences) {
	if (influences.length === 1) return matrices[influences[0][0]];
	scratch.fill(0);
	for (const [joint, weight] of influences) {
		const m = matrices[joint];
		for (let k = 0; k < 12; k++) scratch[k] += weight * m[k];
	}
	return scratch;
}

function mapVertex(m, p, n, i, positions, normals, at) {
	const [x, y, z] = [p[i], p[i + 1], p[i + 2]];
	const [u, v, w] = [n[i], n[i + 1], n[i + 2]];
	positions[at] = m[0] * x + m[1] * y + m[2] * z + m[3];
	positions[at + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
	positions[at + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
	// Columns of the linear part crossed with one another: the columns of its cofactor matrix.
	const a =
		(m[5] * m[10] - m[6] * m[9]) * u +
		(m[6] * m[8] - m[4] * m[10]) * v +
		(m[4] * m[9] - m[5] * m[8]) * w;
	const b =
		(m[9] * m[2] - m[10] * m[1]) * u +
		(m[10] * m[0] - m[8] * m[2]) * v +
		(m[8] * m[1] - m[9] * m[0]) * w;
	const c =
		(m[1] * m[6] - m[2] * m[5]) * u +
		(m[2] * m[4] - m[0] * m[6]) * v +
		(m[0] * m[5] - m[1] * m[4]) * w;
	const length = Math.hypot(a, b, c);
	let largest = 0;
	for (let k = 0; k < 12; k++) if (k % 4 < 3) largest = Math.max(largest, Math.abs(m[k]));
	// A vector that float32 cannot safely distinguish from 0 has no direction.
	const sure = length > 1e-4 * largest * largest * Math.hypot(u, v, w);
	normals[at] = sure ? a / length : 0;
	normals[at + 1] = sure ? b / length : 0;
	normals[at + 2] = sure ? c / length : 0;
}
