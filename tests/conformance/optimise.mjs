// Holds what `pose optimise` makes against Khronos' glTF validator and against the original: no error and no
// warning that the original lacks, all parts of the document but animations, accessors and bytes' places
// unchanged, vertices and images to the byte, and fewer bytes.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import validator from 'gltf-validator';
import { readGltf } from './gltf_file.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const POSE = process.env.POSE_BINARY ?? join(ROOT, 'build', 'pose');
const SHARED = process.env.POSED_SHARED_FILES ?? join(ROOT, '..', 'shared', 'files');
const DEMO = join(ROOT, 'assets', 'demo');
const SHARED_FILES = [
	'khronos-Fox/glTF-Binary/Fox.glb',
	'khronos-InterpolationTest/glTF-Binary/InterpolationTest.glb',
	'godot-mannequiny/mannequiny.glb',
	'mesh2motion/animations/dragon-animations.glb',
];
const BYTES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const WIDTH = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

const count = { passed: 0, failed: 0, skipped: 0 };
const folder = mkdtempSync(join(tmpdir(), 'posed-optimise-'));

function read(path) {
	const glb = readFileSync(path);
	const length = glb.readUInt32LE(12);
	return { glb, json: JSON.parse(glb.toString('utf8', 20, 20 + length)), bin: glb.subarray(28 + length) };
}

async function problems(glb) {
	const report = await validator.validateBytes(new Uint8Array(glb), { maxIssues: 0 });
	return report.issues.messages.filter(({ severity }) => severity < 2).map(({ code }) => code);
}

function bytesOf({ json, bin }, index) {
	const accessor = json.accessors[index];
	const view = json.bufferViews[accessor.bufferView];
	const element = BYTES[accessor.componentType] * WIDTH[accessor.type];
	const size = (accessor.count - 1) * (view.byteStride ?? element) + element;
	const from = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
	return bin.subarray(from, from + size).toString('hex');
}

function used(json) {
	const lists = (json.meshes ?? []).flatMap((mesh) =>
		mesh.primitives.flatMap((p) => [
			...Object.values(p.attributes),
			...(p.targets ?? []).flatMap((target) => Object.values(target)),
			...(p.indices === undefined ? [] : [p.indices]),
		]),
	);
	return [...lists, ...(json.skins ?? []).map((skin) => skin.inverseBindMatrices).filter((i) => i !== undefined)];
}

async function check(file, extra) {
	const out = join(folder, basename(file));
	const text = execFileSync(POSE, ['optimise', file, '-o', out, '--json', ...extra], { encoding: 'utf8' });
	const [report] = JSON.parse(text);
	const before = read(file);
	const after = read(out);
	const old = new Set(await problems(before.glb));
	assert.deepEqual((await problems(after.glb)).filter((code) => !old.has(code)), []);
	for (const name of Object.keys(before.json)) {
		if (/^(animations|accessors|bufferViews|buffers|extensions(Used|Required))$/.test(name)) continue;
		assert.deepEqual(after.json[name], before.json[name], name);
	}
	const decoded = await readGltf(out); // by the decoder that comes with three.js
	for (const index of used(before.json)) {
		assert.deepEqual(after.json.accessors[index], before.json.accessors[index]);
		assert.equal(bytesOf(decoded, index), bytesOf(before, index), `accessors[${index}]`);
	}
	for (const { name, error_max } of report.clips) {
		assert.ok(error_max <= 1.001 * report.tolerance, `${name} is off by ${error_max}`);
	}
	assert.equal(report.meshes.length, extra.includes('--meshopt') ? (before.json.meshes?.length ?? 0) : 0);
	for (const { name, bytes_before, bytes_after } of report.meshes) assert.ok(bytes_after <= bytes_before, name);
	const sum = (end) => report.clips.reduce((n, clip) => n + clip[`json_${end}`] + clip[`keys_${end}`], 0);
	assert.ok(sum('after') <= sum('before'), 'clips grew');
	return `${sum('before')} -> ${sum('after')} bytes`;
}

const files = readdirSync(DEMO)
	.filter((name) => name.endsWith('.glb'))
	.sort()
	.map((name) => join(DEMO, name));
for (const name of SHARED_FILES) files.push(join(SHARED, name));
for (const file of files) {
	for (const extra of [[], ['--meshopt', '--tolerance', '0.1%']]) {
		if (!existsSync(file)) {
			count.skipped++;
			console.log(`SKIPPED  no ${file} (POSED_SHARED_FILES says where such files are)`);
			continue;
		}
		try {
			console.log(`${basename(file)} ${extra.join(' ')}: ${await check(file, extra)}`);
			count.passed++;
		} catch (error) {
			count.failed++;
			console.log(`FAILED  ${file} ${extra.join(' ')}: ${error.stderr || error.message}`);
		}
	}
}
rmSync(folder, { recursive: true });
console.log(`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed ? 1 : 0);
