// Description, node matrices, positions and normals against the references.
import { antipodalVertices } from './antipodal.mjs';
import { post } from './daemon.mjs';
import { exceptionFor } from './files.mjs';
import { groupsOf, nameOf, setPose } from './poses.mjs';
import { expect, relativeError, tally } from './report.mjs';
import { faceOf } from './second_reference.mjs';
import { boundsOf } from './three_reference.mjs';

const TOLERANCE = 1e-5; // share of the posed bounding box's diagonal (METHODS T6)
const NORMAL_TOLERANCE_DEG = 0.1; // METHODS T6
const DEGREE = Math.PI / 180;

export function checkDescription({ description, second }) {
	const { vertexCount, primitives, clips } = second;
	const { vertices } = description;
	expect(vertices === vertexCount, `${vertices} vertices, not ${vertexCount}`);
	expect(description.primitives.length === primitives.length, 'another number of primitives');
	let first = 0;
	for (const [i, { source, node }] of primitives.entries()) {
		const got = description.primitives[i];
		const size = source.positions.length / 3;
		expect(
			got.first_vertex === first && got.vertex_count === size && got.node === node,
			`primitive ${i} is ${JSON.stringify(got)}, expected ${size} vertices from ${first} on`,
		);
		first += size;
	}
	expect(description.clips.length === clips.length, `${description.clips.length} clips`);
	for (const [i, { duration }] of clips.entries()) {
		const got = description.clips[i].duration;
		expect(Math.abs(got - duration) < 1e-6, `clip ${i} takes ${got} s, not ${duration}`);
	}
}

// Rotation and scale as a share of the matrix' largest entry, translation of the rig's size.
// got: columns of 4x4; want: rows of 3x4.
function matrixError(got, want, size) {
	const largest = Math.max(...want.filter((_, i) => i % 4 < 3).map(Math.abs), 1e-30);
	let worst = 0;
	for (let i = 0; i < 12; i++) {
		const delta = Math.abs(got[4 * (i % 4) + Math.floor(i / 4)] - want[i]);
		const error = delta / (i % 4 < 3 ? largest : size);
		if (delta !== 0 && !(error <= worst)) worst = Number.isNaN(error) ? Infinity : error;
	}
	return worst;
}

export async function compareMatrices({ name, daemon, rig, description, second }) {
	const { joints } = description;
	second.rest();
	const { diagonal } = boundsOf(second.vertices().positions);
	for (const group of groupsOf(second)) {
		const reply = await post(daemon, 'pose', { rig, poses: group.poses });
		const numbers = new Float32Array(await reply.arrayBuffer());
		expect(numbers.length === group.poses.length * joints.length * 16, `${group.name}: length`);
		for (const [frame, pose] of group.poses.entries()) {
			setPose(second, pose);
			let size = diagonal > 0 ? diagonal : 0;
			for (const m of second.world) size = Math.max(size, ...[3, 7, 11].map((i) => Math.abs(m[i])));
			for (const [j, joint] of joints.entries()) {
				const at = (frame * joints.length + j) * 16;
				const error = matrixError(numbers.subarray(at, at + 16), second.world[joint.index], size);
				const where = `${name}, ${nameOf(pose)}`;
				expect(
					error <= TOLERANCE,
					`${where}: node "${joint.name}" is off by ${error.toExponential(2)}`,
				);
				tally('node matrices', error, where);
			}
		}
	}
}

// --- Vertices ---

// The reference for all devices in one pose.
function wantedOf({ second, three }, pose) {
	setPose(second, pose);
	const want = second.vertices();
	want.size = boundsOf(want.positions).diagonal;
	if (three) {
		setPose(three, pose);
		want.three = three.positions();
	}
	return want;
}

function checkPositions(subject, got, want, where) {
	const error = relativeError(got, want.positions, want.size);
	expect(
		error <= TOLERANCE,
		`${where}: positions are off by ${error.toExponential(2)} of the size`,
	);
	tally('poses against the second implementation', error, where);
	if (!want.three) return;
	const other = relativeError(got, want.three, want.size);
	subject.threeError = Math.max(subject.threeError ?? 0, other);
	if (subject.threeException) return;
	expect(
		other <= TOLERANCE,
		`${where}: off by ${other.toExponential(2)} of the size from three.js`,
	);
	tally('poses against three.js', other, where);
}

// Between the normal at an index and a direction of any length.
function angleDeg(normals, at, [x, y, z]) {
	const [a, b, c] = [normals[at], normals[at + 1], normals[at + 2]];
	const sine = Math.hypot(b * z - c * y, c * x - a * z, a * y - b * x);
	const angle = Math.atan2(sine, a * x + b * y + c * z) / DEGREE;
	return Number.isNaN(angle) ? Infinity : angle;
}

function checkNormals(got, want, where) {
	for (let i = 0; i < want.length; i += 3) {
		if (want[i] === 0 && want[i + 1] === 0 && want[i + 2] === 0) {
			tally('normals without a direction, only finite', 0, where);
			expect(Number.isFinite(got[i] + got[i + 1] + got[i + 2]), `${where}: normal ${i / 3}`);
			continue;
		}
		const error = angleDeg(got, i, [want[i], want[i + 1], want[i + 2]]);
		expect(
			error <= NORMAL_TOLERANCE_DEG,
			`${where}: the normal of vertex ${i / 3} is off by ${error.toFixed(3)} degrees`,
		);
		tally('normals in degrees', error, where);
	}
}

// The answers of all devices for a group of poses.
function askAll({ daemon, rig }, devices, poses, method = 'lbs') {
	return Promise.all(
		devices.map(async (device) => {
			const skinning = { method, device };
			const attributes = ['position', 'normal'];
			const reply = await post(daemon, 'vertices', { rig, poses, skinning, attributes });
			const used = reply.headers.get('posed-skinning');
			expect(used === `${method}; device=${device}`, `Posed-Skinning: ${used}`);
			return new Float32Array(await reply.arrayBuffer());
		}),
	);
}

export async function compareVertices(subject, devices) {
	const { name, second } = subject;
	const size = 3 * second.vertexCount;
	const withNormals = !exceptionFor(name, 'normals');
	for (const { poses } of groupsOf(second)) {
		const answers = await askAll(subject, devices, poses);
		for (const [frame, pose] of poses.entries()) {
			const want = wantedOf(subject, pose);
			for (const [d, numbers] of answers.entries()) {
				const where = `${name}, ${nameOf(pose)} on ${devices[d]}`;
				expect(numbers.length === poses.length * 2 * size, `${where}: length`);
				const at = 2 * size * frame;
				checkPositions(subject, numbers.subarray(at, at + size), want, where);
				if (withNormals)
					checkNormals(numbers.subarray(at + size, at + 2 * size), want.normals, where);
			}
		}
	}
}

// Dual quaternions, which the references do not know: all devices must at least agree (METHODS T6),
// but where the method itself jumps.
export async function compareDevices(subject, devices) {
	const { name, second } = subject;
	const size = 3 * second.vertexCount;
	for (const { poses } of groupsOf(second)) {
		const [want, ...others] = await askAll(subject, devices, poses, 'dqs');
		for (const [frame, pose] of poses.entries()) {
			const at = 2 * size * frame;
			const positions = want.subarray(at, at + size);
			const { diagonal } = boundsOf(positions);
			setPose(second, pose);
			const jumps = antipodalVertices(second);
			const where = `${name}, ${nameOf(pose)}, dqs`;
			if (jumps.size) tally('poses of dqs with vertices left out, vertices', jumps.size, where);
			for (const got of others) {
				const other = got.slice(at, at + size);
				for (const i of jumps) other.set(positions.subarray(3 * i, 3 * i + 3), 3 * i);
				const error = relativeError(other, positions, diagonal);
				expect(error <= TOLERANCE, `${where}: devices differ by ${error.toExponential(2)}`);
				tally('poses of dqs on one device against another', error, where);
			}
		}
	}
}

// --- Normals against the triangles themselves ---

const FLAT_DEG = 0.005;
const THIN = 1e-3; // of the largest coordinate: below it float32 says little about a direction

function sameInfluences(a, b) {
	return a.length === b.length && a.every(([j, w], i) => b[i][0] === j && b[i][1] === w);
}

// The least height of a triangle.
function heightOf(face, p, corners) {
	let longest = 0;
	for (let k = 0; k < 3; k++) {
		const [a, b] = [3 * corners[k], 3 * corners[(k + 1) % 3]];
		longest = Math.max(longest, Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]));
	}
	return longest > 0 ? Math.hypot(...face) / longest : 0;
}

function largestOf(p, corners) {
	let largest = 0;
	for (const corner of corners)
		for (let k = 0; k < 3; k++) largest = Math.max(largest, Math.abs(p[3 * corner + k]));
	return largest;
}

// If a triangle's corners move alike and its normals are perpendicular to it, the normals in the response
// must be perpendicular to the triangle in the response: this does not depend on any skinning model.
export function checkFaces({ name, second }, pose, numbers) {
	const size = 3 * second.vertexCount;
	const [positions, normals] = [numbers.subarray(0, size), numbers.subarray(size)];
	const where = `${name}, ${nameOf(pose)}`;
	for (const { primitive, first, corners } of second.triangles()) {
		const { source, node } = primitive;
		if (source.targets.length && second.local[node].weights.some((w) => w !== 0)) continue;
		for (let i = 0; i + 2 < corners.length; i += 3) {
			const moved = corners.slice(i, i + 3);
			const own = moved.map((corner) => corner - first);
			const { influences } = source;
			const before = faceOf(source.positions, ...own);
			const after = faceOf(positions, ...moved);
			const flat =
				(!influences || own.every((c) => sameInfluences(influences[c], influences[own[0]]))) &&
				own.every((c) => angleDeg(source.normals, 3 * c, before) < FLAT_DEG) &&
				heightOf(before, source.positions, own) > THIN * largestOf(source.positions, own) &&
				heightOf(after, positions, moved) > THIN * largestOf(positions, moved);
			if (!flat) continue;
			for (const corner of moved) {
				const error = angleDeg(normals, 3 * corner, after);
				expect(
					error <= NORMAL_TOLERANCE_DEG,
					`${where}: normal ${corner} leans by ${error.toFixed(3)} degrees on its triangle`,
				);
				tally('normals on deformed triangles in degrees', error, where);
			}
		}
	}
}
