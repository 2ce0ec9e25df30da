// Runs Khronos' glTF validator over what posed exports: the rest pose, and a pose of every clip (or
// the rest pose once more) as vertices. No error and no warning is accepted, and no other positions
// than those of the octets. Files with all that materials may have are made here.
//
// A file counts once for its mesh.glb and once for its poses.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import validator from 'gltf-validator';
import { startDaemon } from './daemon.mjs';
import { splitGlb } from './gltf_file.mjs';
import { makeMaterialRig } from './material_rig.mjs';

const SEVERITY = ['error', 'warning'];
const PHASE = 0.37; // nowhere special
const MADE_FILES = 20;
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const BINARY = process.env.POSED_BINARY ?? join(ROOT, 'build', 'posed');
const SHARED = process.env.POSED_SHARED_FILES ?? join(ROOT, '..', 'shared', 'files');
const DEMO = join(ROOT, 'assets', 'demo');
const SHARED_FILES = [
	'khronos-Fox/glTF-Binary/Fox.glb',
	'khronos-RecursiveSkeletons/glTF-Binary/RecursiveSkeletons.glb',
	'khronos-AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb',
	'khronos-NegativeScaleTest/glTF-Binary/NegativeScaleTest.glb',
	'raylib/gltf/robot.glb',
	'kaykit-adventurers/Characters/gltf/Knight.glb',
	'godot-mannequiny/mannequiny.glb',
];

const count = { passed: 0, failed: 0, skipped: 0 };

async function check(title, body) {
	try {
		const report = await body();
		count.passed++;
		if (report) console.log(`${title}: ${report}`);
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

async function bytesOf(url, options) {
	return Buffer.from(await (await ask(url, options)).arrayBuffer());
}

function vertices(daemon, request, accept) {
	return bytesOf(`${daemon.url}/v1/vertices`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', accept },
		body: JSON.stringify(request),
	});
}

// The positions of all nodes in order, as the bytes that /v1/vertices gives.
function positionsOf(glb) {
	const { json, bin } = splitGlb(glb);
	const parts = [];
	for (const node of json.scenes[0].nodes ?? []) {
		for (const primitive of json.meshes[json.nodes[node].mesh].primitives) {
			const accessor = json.accessors[primitive.attributes.POSITION];
			const start = json.bufferViews[accessor.bufferView].byteOffset + accessor.byteOffset;
			parts.push(bin.subarray(start, start + accessor.count * 12));
		}
	}
	return Buffer.concat(parts);
}

async function validate(glb) {
	const report = await validator.validateBytes(new Uint8Array(glb), { maxIssues: 0 });
	const wrong = report.issues.messages.filter((message) => message.severity < SEVERITY.length);
	if (wrong.length) {
		const { severity, code, pointer, message } = wrong[0];
		throw new Error(
			`${wrong.length} errors and warnings; ${SEVERITY[severity]} ${code} at ${pointer}: ${message}`,
		);
	}
}

async function expectSound(glb, octets) {
	await validate(glb);
	if (!positionsOf(glb).equals(octets)) throw new Error('other positions than the octets');
}

async function checkFile(daemon, { name, bytes, attributes }, number) {
	const rig = `${number}-${name}`;
	const url = `${daemon.url}/v1/rigs/${encodeURIComponent(rig)}`;
	await check(`${name}, rest pose`, async () => {
		await ask(url, { method: 'PUT', body: bytes });
		const glb = await bytesOf(`${url}/mesh.glb`);
		await expectSound(glb, await vertices(daemon, { rig }, 'application/octet-stream'));
		return `${glb.length} bytes`;
	});
	await check(`${name}, posed`, async () => {
		const { clips } = await (await ask(url)).json();
		const poses = clips.map(({ index }) => ({ clip: index, phase: PHASE }));
		for (const pose of poses.length ? poses : ['rest']) {
			const request = { rig, pose };
			const octets = await vertices(daemon, request, 'application/octet-stream');
			const glb = await vertices(daemon, { ...request, attributes }, 'model/gltf-binary');
			await expectSound(glb, octets);
		}
		return `${clips.length || 'no'} clips`;
	});
}

function read(path) {
	const attributes = ['position', 'normal'];
	return { name: basename(path), bytes: readFileSync(path), attributes };
}

// Those files are sound themselves, or nothing that follows from them says anything.
async function makeFiles() {
	const made = Array.from({ length: MADE_FILES }, (_, i) => makeMaterialRig(i + 1));
	for (const bytes of made) await validate(bytes);
	const attributes = ['position', 'normal', 'tangent']; // normal maps want those
	return made.map((bytes, i) => ({ name: `materials ${i + 1}`, bytes, attributes }));
}

async function filesToExport() {
	const demo = readdirSync(DEMO).filter((file) => file.endsWith('.glb'));
	const files = [...demo.sort().map((file) => read(join(DEMO, file))), ...(await makeFiles())];
	for (const file of SHARED_FILES.map((f) => join(SHARED, f))) {
		if (existsSync(file)) {
			files.push(read(file));
		} else {
			count.skipped += 2;
			console.log(
				`SKIPPED ${basename(file)}: not found (POSED_SHARED_FILES says where such files are)`,
			);
		}
	}
	return files;
}

async function main() {
	const daemon = await startDaemon(BINARY);
	for (const [number, file] of (await filesToExport()).entries())
		await checkFile(daemon, file, number);
	await check('the daemon ends well', async () => {
		const code = await daemon.stop();
		if (code !== 0) throw new Error(`it ended with ${code}: ${daemon.log()}`);
	});
}

await main().catch((error) => {
	count.failed++;
	console.log(`FAILED  the export stopped: ${error.stack}`);
});
console.log(
	`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`,
);
process.exit(count.failed ? 1 : 0);
