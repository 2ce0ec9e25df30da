// Holds posed's vertices and node matrices against three.js, file by file, clip by clip.
//
// A file counts once for its description and node matrices, and once per device for its vertices.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDaemon } from './daemon.mjs';
import { ThreeReference, boundsOf } from './three_reference.mjs';

const TOLERANCE = 1e-5; // share of the posed bounding box's diagonal (METHODS T6)
const SHARES = [0, 1 / 3, 0.61, 1]; // of a clip's duration: both ends, a third, nowhere special
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const BINARY = process.env.POSED_BINARY ?? join(ROOT, 'build', 'posed');
const SHARED = process.env.POSED_SHARED_FILES ?? join(ROOT, '..', 'shared', 'files');
const DEMO = join(ROOT, 'assets', 'demo');
const SHARED_FILES = [
	'khronos-Fox/glTF-Binary/Fox.glb',
	'khronos-RiggedFigure/glTF-Binary/RiggedFigure.glb',
	'khronos-RecursiveSkeletons/glTF-Binary/RecursiveSkeletons.glb',
	'raylib/gltf/robot.glb',
	'kaykit-adventurers/Characters/gltf/Knight.glb',
	'godot-mannequiny/mannequiny.glb',
];

const count = { passed: 0, failed: 0, skipped: 0 };

async function check(title, body) {
	try {
		const skip = await body();
		count[skip ? 'skipped' : 'passed']++;
		if (skip) console.log(`SKIPPED ${title}: ${skip}`);
	} catch (error) {
		count.failed++;
		console.log(`FAILED  ${title}: ${error.message}`);
	}
}

function expect(holds, text) {
	if (!holds) throw new Error(text);
}

async function ask(url, options) {
	const reply = await fetch(url, options);
	if (!reply.ok)
		throw new Error(`${options?.method ?? 'GET'} ${url}: ${reply.status} ${await reply.text()}`);
	return reply;
}

function post(daemon, route, request) {
	return ask(`${daemon.url}/v1/${route}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', accept: 'application/octet-stream' },
		body: JSON.stringify(request),
	});
}

// Every clip at every share of its duration, and the rest pose last.
function* groupsOf(reference) {
	for (const [clip, { duration }] of reference.clips.entries()) {
		const times = SHARES.map((share) => share * duration);
		yield { name: `clip ${clip}`, poses: times.map((time) => ({ clip, time })) };
	}
	yield { name: 'rest', poses: ['rest'] };
}

function setReference(reference, pose) {
	if (pose === 'rest') reference.rest();
	else reference.pose(pose.clip, pose.time);
}

// The worst of all frames as a share of the size; a NaN counts as infinitely wrong.
function relativeError(got, want, size) {
	let worst = 0;
	for (let i = 0; i < want.length; i++) {
		const delta = Math.abs(got[i] - want[i]);
		if (!(delta <= worst)) worst = Number.isNaN(delta) ? Infinity : delta;
	}
	return worst / size;
}

function checkDescription(description, reference) {
	expect(
		description.vertices === reference.vertexCount,
		`${description.vertices} vertices, three.js has ${reference.vertexCount}`,
	);
	let first = 0;
	for (const [i, mesh] of reference.primitives.entries()) {
		const primitive = description.primitives[i];
		const size = mesh.geometry.attributes.position.count;
		expect(
			primitive?.first_vertex === first && primitive.vertex_count === size,
			`primitive ${i} is ${JSON.stringify(primitive)}, expected ${size} vertices from ${first} on`,
		);
		first += size;
	}
	expect(description.clips.length === reference.clips.length, `${description.clips.length} clips`);
	for (const [i, clip] of reference.clips.entries()) {
		expect(
			Math.abs(description.clips[i].duration - clip.duration) < 1e-6,
			`clip ${i} takes ${description.clips[i].duration} s, in three.js ${clip.duration}`,
		);
	}
}

// Rotation and scale as a share of the matrix' largest entry, translation of the rig's size.
function matrixError(got, want, size) {
	const linear = want.filter((_, i) => i < 12);
	const largest = Math.max(...linear.map(Math.abs), 1e-30);
	return Math.max(
		relativeError(got.subarray(0, 12), linear, largest),
		relativeError(got.subarray(12, 15), want.slice(12, 15), size),
	);
}

async function compareMatrices(daemon, rig, description, reference) {
	let poses = 0;
	let worst = 0;
	reference.rest();
	const { diagonal } = boundsOf(reference.positions());
	for (const group of groupsOf(reference)) {
		const reply = await post(daemon, 'pose', { rig, poses: group.poses });
		const numbers = new Float32Array(await reply.arrayBuffer());
		const joints = description.joints;
		expect(
			numbers.length === group.poses.length * joints.length * 16,
			`${group.name}: ${numbers.length} numbers`,
		);
		for (const [frame, pose] of group.poses.entries()) {
			setReference(reference, pose);
			const worlds = reference.worlds();
			const size = Math.max(
				diagonal,
				...[...worlds.values()].flatMap((m) => m.slice(12, 15).map(Math.abs)),
			);
			for (const [j, joint] of joints.entries()) {
				const want = worlds.get(joint.index);
				if (!want) continue; // not in the default scene
				const at = (frame * joints.length + j) * 16;
				const error = matrixError(numbers.subarray(at, at + 16), want, size);
				expect(
					error <= TOLERANCE,
					`${JSON.stringify(pose)}: node "${joint.name}" is off by ${error.toExponential(2)}`,
				);
				worst = Math.max(worst, error);
			}
			poses++;
		}
	}
	return `${poses} poses, node matrices off by ${worst.toExponential(2)} at most`;
}

async function compareVertices(daemon, rig, reference, device) {
	let poses = 0;
	let worst = 0;
	for (const group of groupsOf(reference)) {
		const skinning = { method: 'lbs', device };
		const reply = await post(daemon, 'vertices', { rig, poses: group.poses, skinning });
		const used = reply.headers.get('posed-skinning');
		expect(used === `lbs; device=${device}`, `Posed-Skinning: ${used}`);
		const numbers = new Float32Array(await reply.arrayBuffer());
		const frameSize = 3 * reference.vertexCount;
		expect(
			numbers.length === group.poses.length * frameSize,
			`${group.name}: ${numbers.length} numbers`,
		);
		for (const [frame, pose] of group.poses.entries()) {
			setReference(reference, pose);
			const want = reference.positions();
			const got = numbers.subarray(frame * frameSize, (frame + 1) * frameSize);
			const error = relativeError(got, want, boundsOf(want).diagonal);
			expect(
				error <= TOLERANCE,
				`${JSON.stringify(pose)}: off by ${error.toExponential(2)} of the size`,
			);
			worst = Math.max(worst, error);
			poses++;
		}
	}
	return `${poses} poses on ${device}, off by ${worst.toExponential(2)} at most`;
}

async function compareFile(daemon, devices, path, number) {
	const name = basename(path);
	const rig = `${number}-${name}`;
	const rigUrl = `${daemon.url}/v1/rigs/${encodeURIComponent(rig)}`;
	let reference;
	let description;
	const report = (line) => console.log(`${name}: ${line}`);
	await check(`${name}, description and node matrices`, async () => {
		reference = await ThreeReference.load(path);
		await ask(rigUrl, { method: 'PUT', body: readFileSync(path) });
		description = await (await ask(rigUrl)).json();
		checkDescription(description, reference);
		report(await compareMatrices(daemon, rig, description, reference));
	});
	for (const device of ['cpu', 'gpu']) {
		await check(`${name}, vertices on ${device}`, async () => {
			if (!devices.includes(device)) return `lbs is not offered on ${device} here`;
			expect(reference && description, 'there is no reference or no description');
			report(await compareVertices(daemon, rig, reference, device));
			return null;
		});
	}
}

function filesToCompare() {
	const demo = existsSync(DEMO)
		? readdirSync(DEMO)
				.filter((f) => f.endsWith('.glb'))
				.sort()
		: [];
	const files = demo.map((f) => join(DEMO, f));
	for (const file of SHARED_FILES.map((f) => join(SHARED, f))) {
		if (existsSync(file)) {
			files.push(file);
		} else {
			count.skipped += 3;
			console.log(
				`SKIPPED ${basename(file)}: not found (POSED_SHARED_FILES says where such files are)`,
			);
		}
	}
	return files;
}

async function main() {
	const daemon = await startDaemon(BINARY);
	const files = filesToCompare();
	const about = await (await ask(`${daemon.url}/v1`)).json();
	const devices = about.skinning_methods.find((method) => method.id === 'lbs').device;
	for (const [number, path] of files.entries()) await compareFile(daemon, devices, path, number);
	await check('the daemon ends well', async () => {
		const code = await daemon.stop();
		expect(code === 0, `it ended with ${code}: ${daemon.log()}`);
	});
}

await main().catch((error) => {
	count.failed++;
	console.log(`FAILED  the comparison stopped: ${error.stack}`);
});
console.log(
	`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`,
);
process.exit(count.failed ? 1 : 0);
