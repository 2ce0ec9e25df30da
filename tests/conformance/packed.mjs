// Packed vertices through meshoptimizer's own decoder, as three.js ships it to browsers: every way
// through the codec gives the bytes of the answer without it, to the bit; and normals unfolded as
// docs/vertices.md's shader does it point where the float32 answer's do.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';
import { ask, post, startDaemon } from './daemon.mjs';
import { check, count, expect } from './report.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const BINARY = process.env.POSED_BINARY ?? join(ROOT, 'build', 'posed');
const RIG = 'humanoid';
const FRAMES = 8;
const STRIDE = 8;
const NORMAL_LIMIT_DEG = 0.95;
const attributes = ['position:u16x3', 'normal:oct8x2'];
const poses = Array.from({ length: FRAMES }, (_, i) => ({ clip: 'Run', time: i / 30 }));

function blocksOf(body) {
	const blocks = [];
	for (let at = 0; at < body.byteLength; ) {
		const bytes = new DataView(body).getUint32(at, true);
		blocks.push(new Uint8Array(body, at + 4, bytes));
		at += 4 + bytes;
	}
	return blocks;
}

function decode(block, vertices, stride) {
	const bytes = new Uint8Array(vertices * stride);
	MeshoptDecoder.decodeVertexBuffer(bytes, vertices, stride, block);
	return bytes;
}

// Arrays of 16 and of 8 bits wrap by themselves.
function add(bytes, before) {
	const [a, b] = [bytes, before].map((array) => new Uint16Array(array.buffer));
	for (let i = 0; i < a.length; i++) {
		if (i % 4 < 3) a[i] += b[i];
		else for (const k of [2 * i, 2 * i + 1]) bytes[k] += before[k];
	}
}

function place(bytes, order) {
	const out = new Uint8Array(bytes.length);
	order.forEach((vertex, i) =>
		out.set(bytes.subarray(i * STRIDE, (i + 1) * STRIDE), vertex * STRIDE),
	);
	return out;
}

async function decodeAnswer(answer) {
	const layout = answer.headers.get('posed-layout');
	const vertices = Number(answer.headers.get('posed-vertices'));
	const blocks = blocksOf(await answer.arrayBuffer());
	const order =
		layout.includes('order=strip') &&
		new Uint32Array(decode(blocks.shift(), vertices, 4).buffer);
	let before = null;
	return blocks.map((block) => {
		const bytes = decode(block, vertices, STRIDE);
		if (layout.includes('delta=previous') && before) add(bytes, before);
		before = bytes;
		return order ? place(bytes, order) : bytes;
	});
}

function unfold(a, b) {
	const n = [Math.max(a / 127, -1), Math.max(b / 127, -1)];
	n.push(1 - Math.abs(n[0]) - Math.abs(n[1]));
	const t = Math.max(-n[2], 0);
	for (const k of [0, 1]) n[k] -= n[k] >= 0 ? t : -t;
	const length = Math.hypot(...n);
	return n.map((x) => x / length);
}

function angle(a, b) {
	const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
	return (Math.acos(Math.min(1, dot)) * 180) / Math.PI;
}

function worstNormal(frame, floats, vertices) {
	const bytes = new Int8Array(frame.buffer, frame.byteOffset, frame.byteLength);
	let worst = 0;
	for (let v = 0; v < vertices; v++) {
		const want = floats.subarray((vertices + v) * 3, (vertices + v) * 3 + 3);
		const got = unfold(bytes[v * STRIDE + 6], bytes[v * STRIDE + 7]);
		worst = Math.max(worst, angle(got, want));
	}
	return worst;
}

async function checkWays(daemon) {
	const plain = new Uint8Array(
		await (await post(daemon, 'vertices', { rig: RIG, poses, attributes, bits: 14 })).arrayBuffer(),
	);
	const size = plain.length / FRAMES;
	const ways = ['meshopt'];
	for (const delta of ['none', 'previous'])
		for (const order of ['file', 'strip']) ways.push({ codec: 'meshopt', delta, order });
	for (const compression of ways) {
		await check(JSON.stringify(compression), async () => {
			const request = { rig: RIG, poses, attributes, compression };
			const frames = await decodeAnswer(await post(daemon, 'vertices', request));
			expect(frames.length === FRAMES, `${frames.length} frames`);
			frames.forEach((frame, i) => {
				const want = plain.subarray(i * size, (i + 1) * size);
				expect(Buffer.compare(frame, want) === 0, `frame ${i} differs`);
			});
		});
	}
	return plain.slice(0, size);
}

async function main() {
	await MeshoptDecoder.ready;
	const daemon = await startDaemon(BINARY);
	const glb = readFileSync(join(ROOT, 'assets', 'demo', `${RIG}.glb`));
	await ask(`${daemon.url}/v1/rigs/${RIG}`, { method: 'PUT', body: glb });
	const first = await checkWays(daemon);
	await check('normals', async () => {
		const request = { rig: RIG, pose: poses[0], attributes: ['position', 'normal'] };
		const floats = new Float32Array(await (await post(daemon, 'vertices', request)).arrayBuffer());
		const worst = worstNormal(first, floats, floats.length / 6);
		expect(worst < NORMAL_LIMIT_DEG, `a normal is off by ${worst} degrees`);
		console.log(`packed normals: worst ${worst.toFixed(3)} degrees`);
	});
	await check('the daemon ends well', async () => {
		const code = await daemon.stop();
		expect(code === 0, `it ended with ${code}: ${daemon.log()}`);
	});
}

await main().catch((error) => {
	count.failed++;
	console.log(`FAILED  the packed vertices stopped: ${error.stack}`);
});
console.log(
	`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`,
);
process.exit(count.failed ? 1 : 0);
