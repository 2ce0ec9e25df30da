// KTX 2 against Basis Universal's own transcoder, as three.js ships it: the pixels of ETC1S and UASTC,
// as the daemon exports them to PNG, to the bit. UASTC's blocks are random ones of each of its modes.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, startDaemon } from './daemon.mjs';
import { GlbBuilder } from './glb_builder.mjs';
import { splitGlb } from './gltf_file.mjs';
import { pngPixels } from './picture.mjs';
import { Chance } from './random_rig.mjs';
import { check, count, expect } from './report.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const BINARY = process.env.POSED_BINARY ?? join(ROOT, 'build', 'posed');
const SEEDS = join(ROOT, 'tests', 'fuzz', 'seeds', 'fuzz_texture');
const BASIS = join(HERE, 'node_modules', 'three', 'examples', 'jsm', 'libs', 'basis');
const RGBA32 = 13; // the transcoder's number of it
const SIDE = 128;
const BLOCKS = (SIDE / 4) ** 2;

// --- The transcoder ---

async function loadTranscoder() {
	const path = join(BASIS, 'basis_transcoder.js');
	// A script of the web, which says nothing of modules.
	const script = new Function('require', '__dirname', '__filename', `${readFileSync(path)}\nreturn BASIS;`);
	const module = await script(
		createRequire(path),
		BASIS,
		path,
	)({ wasmBinary: readFileSync(join(BASIS, 'basis_transcoder.wasm')) });
	module.initializeBasis();
	return module;
}

function transcode(module, bytes) {
	const file = new module.KTX2File(new Uint8Array(bytes));
	try {
		expect(file.isValid() && file.startTranscoding(), 'the transcoder refuses the file');
		const pixels = new Uint8Array(file.getImageTranscodedSizeInBytes(0, 0, 0, RGBA32));
		expect(file.transcodeImage(pixels, 0, 0, 0, RGBA32, 0, -1, -1), 'the transcoder fails');
		return { width: file.getWidth(), height: file.getHeight(), pixels };
	} finally {
		file.close();
		file.delete();
	}
}

// --- Random UASTC ---

// By mode: its code and the bits of it, the bits behind it up to the pattern or the endpoints, and of
// modes with patterns the bits and the number of these. Khronos' Data Format Specification, UASTC.
const MODES = [
	[0x01, 4, 15],
	[0x35, 6, 15],
	[0x1d, 5, 15, 5, 30],
	[0x03, 5, 15, 4, 11],
	[0x13, 5, 15, 5, 30],
	[0x0b, 5, 15],
	[0x1b, 5, 15],
	[0x07, 5, 15, 5, 19],
	[0x17, 5, 0],
	[0x0f, 5, 23, 5, 30],
	[0x02, 3, 17],
	[0x00, 2, 17],
	[0x06, 3, 17],
	[0x1f, 5, 23],
	[0x0d, 5, 23],
	[0x05, 7, 23],
	[0x15, 6, 23, 5, 30],
	[0x25, 6, 23],
	[0x09, 4, 15],
];

function putBits(block, at, bits, value) {
	const mask = ((1n << BigInt(bits)) - 1n) << BigInt(at);
	return (block & ~mask) | (BigInt(value) << BigInt(at));
}

function randomBlock(chance, [code, codeBits, hints, patternBits, patterns]) {
	let block = 0n;
	for (let i = 0; i < 8; i++) block = (block << 16n) | BigInt(chance.whole(0, 65535));
	block = putBits(block, 0, codeBits, code);
	return patterns ? putBits(block, codeBits + hints, patternBits, chance.whole(0, patterns - 1)) : block;
}

// A file of random blocks of one mode.
function randomFile(mode) {
	const chance = new Chance(mode + 1);
	const formatAt = 104;
	const levelAt = 160;
	const levelBytes = 16 * BLOCKS;
	const numbers = [0, 1, SIDE, SIDE, 0, 0, 1, 1, 0, formatAt, 44, 0, 0, 0, 0, 0, 0];
	numbers.push(levelAt, 0, levelBytes, 0, levelBytes, 0);
	// One sample of RGBA; UASTC, BT.709, sRGB; blocks of 4 x 4 in 16 bytes.
	numbers.push(44, 0, 2 | (40 << 16), 166 | (1 << 8) | (2 << 16), 3 | (3 << 8), 16, 0);
	numbers.push((127 << 16) | (3 << 24), 0, 0, -1);
	const file = Buffer.alloc(levelAt + levelBytes);
	file.write('\xabKTX 20\xbb\r\n\x1a\n', 'latin1');
	numbers.forEach((number, i) => file.writeUInt32LE(number >>> 0, 12 + 4 * i));
	for (let i = 0; i < BLOCKS; i++) {
		const block = randomBlock(chance, MODES[mode]);
		file.writeBigUInt64LE(block & 0xffffffffffffffffn, levelAt + 16 * i);
		file.writeBigUInt64LE(block >> 64n, levelAt + 16 * i + 8);
	}
	return file;
}

// --- The daemon ---

function rigWith(picture) {
	const builder = new GlbBuilder();
	const bufferView = builder.bytes(picture);
	const source = builder.add('images', { bufferView, mimeType: 'image/ktx2' });
	const index = builder.add('textures', { extensions: { KHR_texture_basisu: { source } } });
	const material = builder.add('materials', { emissiveTexture: { index } });
	const isAttribute = true;
	const attributes = {
		POSITION: builder.accessor('VEC3', 5126, [0, 0, 0, 1, 0, 0, 0, 1, 0], {
			isAttribute,
			min: [0, 0, 0],
			max: [1, 1, 0],
		}),
		TEXCOORD_0: builder.accessor('VEC2', 5126, [0, 0, 1, 0, 0, 1], { isAttribute }),
	};
	const mesh = builder.add('meshes', { primitives: [{ attributes, material }] });
	builder.add('nodes', { mesh });
	builder.add('scenes', { nodes: [0] });
	Object.assign(builder.json, { scene: 0, extensionsUsed: ['KHR_texture_basisu'] });
	builder.json.extensionsRequired = builder.json.extensionsUsed;
	return builder.glb();
}

async function decodedByDaemon(daemon, picture) {
	const rig = `${daemon.url}/v1/rigs/ktx2`;
	await ask(rig, { method: 'PUT', body: rigWith(picture) });
	const { warnings } = await (await ask(rig)).json();
	expect(warnings.length === 0, `warnings: ${warnings}`);
	const { json, bin } = splitGlb(Buffer.from(await (await ask(`${rig}/mesh.glb`)).arrayBuffer()));
	const view = json.bufferViews[json.images[0].bufferView];
	const start = view.byteOffset ?? 0;
	return pngPixels(bin.subarray(start, start + view.byteLength));
}

// Of two channels the transcoder has the second one as alpha, and glTF as green.
function withGreenOfAlpha(pixels) {
	for (let i = 0; i < pixels.length; i += 4) [pixels[i + 1], pixels[i + 3]] = [pixels[i + 3], 255];
}

async function compare(daemon, module, picture, isRedGreen) {
	const got = await decodedByDaemon(daemon, picture);
	const want = transcode(module, picture);
	if (isRedGreen) withGreenOfAlpha(want.pixels);
	expect(got.width === want.width && got.height === want.height, `${got.width} x ${got.height}`);
	const differing = want.pixels.reduce((sum, value, i) => sum + (value !== got.pixels[i]), 0);
	expect(differing === 0, `${differing} of ${want.pixels.length} numbers differ`);
}

const daemon = await startDaemon(BINARY);
try {
	const module = await loadTranscoder();
	for (const name of readdirSync(SEEDS).filter((name) => name.endsWith('.ktx2')))
		await check(name, () =>
			compare(daemon, module, readFileSync(join(SEEDS, name)), name.includes('red-green')),
		);
	for (const mode of MODES.keys())
		await check(`UASTC's mode ${mode}`, () => compare(daemon, module, randomFile(mode), false));
} finally {
	await daemon.stop();
}
console.log(`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed ? 1 : 0);
