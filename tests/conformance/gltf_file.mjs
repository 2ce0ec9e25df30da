// Reads a .glb or .gltf into its JSON and one binary buffer, and writes a GLB without pictures.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { decompress } from './decompress.mjs';

const GLB_MAGIC = 0x46546c67;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BIN = 0x004e4942;

const pad4 = (n) => (n + 3) & ~3;

// {json, bin} of a GLB's bytes (a Buffer).
export function splitGlb(bytes) {
	const length = bytes.readUInt32LE(8);
	let json = null;
	let bin = Buffer.alloc(0);
	for (let at = 12; at + 8 <= length;) {
		const size = bytes.readUInt32LE(at);
		const kind = bytes.readUInt32LE(at + 4);
		const chunk = bytes.subarray(at + 8, at + 8 + size);
		if (kind === CHUNK_JSON) json = JSON.parse(chunk.toString('utf8'));
		if (kind === CHUNK_BIN) bin = chunk;
		at += 8 + size;
	}
	return { json, bin };
}

// The bytes behind a URI that is data or a file in the folder; null for a file that is not there.
function uriBytes(uri, folder) {
	const data = /^data:[^,]*;base64,(.*)$/s.exec(uri);
	if (data) return Buffer.from(data[1], 'base64');
	const path = join(folder, decodeURIComponent(uri));
	return existsSync(path) ? readFileSync(path) : null;
}

function bufferBytes(buffer, bin, folder) {
	if (buffer.uri === undefined) return bin.subarray(0, buffer.byteLength);
	return uriBytes(buffer.uri, folder);
}

// All buffers put one after another; the buffer views are moved accordingly.
function mergeBuffers(json, bin, folder) {
	const parts = [];
	const start = [];
	let size = 0;
	for (const buffer of json.buffers ?? []) {
		const bytes = bufferBytes(buffer, bin, folder);
		start.push(size);
		parts.push(bytes, Buffer.alloc(pad4(bytes.length) - bytes.length));
		size += pad4(bytes.length);
	}
	for (const view of json.bufferViews ?? []) {
		view.byteOffset = (view.byteOffset ?? 0) + start[view.buffer];
		view.buffer = 0;
	}
	json.buffers = size ? [{ byteLength: size }] : undefined;
	return { bin: Buffer.concat(parts), start };
}

// Removes everything that three.js cannot load without a browser or would change, and that moves no vertex.
function keepGeometry(json) {
	for (const member of [
		'images',
		'textures',
		'samplers',
		'materials',
		'extensionsUsed',
		'extras',
	]) {
		delete json[member];
	}
	for (const mesh of json.meshes ?? []) {
		for (const primitive of mesh.primitives) delete primitive.material;
	}
	for (const node of json.nodes ?? []) delete node.extras; // three gives extras.pivot a meaning
	// A node that stands in two scenes is cloned by three; only the default scene counts here.
	if (json.scenes) json.scenes = [json.scenes[json.scene ?? 0]];
	json.scene = 0;
}

// {json, bin, required}: one buffer, nothing compressed, and what extensions the file requires.
export async function readGltf(path) {
	const bytes = readFileSync(path);
	const isGlb = bytes.length >= 12 && bytes.readUInt32LE(0) === GLB_MAGIC;
	const { json, bin } = isGlb
		? splitGlb(bytes)
		: { json: JSON.parse(bytes.toString('utf8')), bin: null };
	const required = json.extensionsRequired ?? [];
	return { ...(await decompress({ json, ...mergeBuffers(json, bin, dirname(path)) })), required };
}

const MEDIA = { '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg' };

// The body for PUT: posed follows no file names, so those of a .gltf become data URIs. A missing
// picture stays a name.
export function readForRequest(path) {
	const bytes = readFileSync(path);
	if (bytes.length >= 4 && bytes.readUInt32LE(0) === GLB_MAGIC) return bytes;
	const json = JSON.parse(bytes.toString('utf8'));
	for (const thing of [...(json.buffers ?? []), ...(json.images ?? [])]) {
		if (thing.uri === undefined || thing.uri.startsWith('data:')) continue;
		const data = uriBytes(thing.uri, dirname(path));
		const media = MEDIA[extname(thing.uri).toLowerCase()] ?? 'application/octet-stream';
		if (data) thing.uri = `data:${media};base64,${data.toString('base64')}`;
	}
	return Buffer.from(JSON.stringify(json), 'utf8');
}

// The file as a GLB (ArrayBuffer) that has only geometry, nodes, skins and clips.
export function geometryGlb({ json, bin }) {
	keepGeometry(json);
	const text = Buffer.from(JSON.stringify(json), 'utf8');
	const textSize = pad4(text.length);
	const out = Buffer.alloc(12 + 8 + textSize + 8 + bin.length, 0x20);
	out.writeUInt32LE(GLB_MAGIC, 0);
	out.writeUInt32LE(2, 4);
	out.writeUInt32LE(out.length, 8);
	out.writeUInt32LE(textSize, 12);
	out.writeUInt32LE(CHUNK_JSON, 16);
	text.copy(out, 20);
	out.writeUInt32LE(bin.length, 20 + textSize);
	out.writeUInt32LE(CHUNK_BIN, 24 + textSize);
	bin.copy(out, 28 + textSize);
	return out.buffer.slice(out.byteOffset, out.byteOffset + out.length);
}
