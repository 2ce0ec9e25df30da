// Packs assets of several files as one ZIP archive: a .gltf with its buffers and pictures, a model of
// another format with the files that belong to it.
import { isAnimationOnly, isModel, isMotion, nameOf, partsOf } from './asset_parts.js';

/**
 * The content of a file.
 * @typedef {Blob | ArrayBuffer | ArrayBufferView} Content
 *
 * The files of an asset: a Map or a list of pairs of paths and contents, or the Files of a page, whose
 * `webkitRelativePath` is their path if they come from a folder.
 * @typedef {Iterable<readonly [string, Content]> | Iterable<globalThis.File> | FileList} AssetFiles
 *
 * A file that a document references.
 * @typedef {object} Neighbour
 * @property {string} path from the document's folder
 * @property {string} place that references it first: `buffers[0].uri "a%20b.bin"`
 * @property {boolean} isBuffer otherwise a picture, which is optional
 *
 * @typedef {object} PackOptions
 * @property {(sentence: string) => void} [onMissing] a picture is missing and the rig is drawn without it
 */

const DOCUMENT = /\.(gltf|glb)$/i;
const GLB_MAGIC = 0x46546c67;
const GLB_HEAD_BYTES = 20; // with that of the first chunk, which is the JSON

/** True for the name of a .gltf or .glb that is not a metadata file of macOS. @param {string} path */
export function isDocument(path) {
	return DOCUMENT.test(path) && !nameOf(path).startsWith('._');
}

/** @param {Content} content @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function bytesOf(content) {
	if (content instanceof Blob) return new Uint8Array(await content.arrayBuffer());
	if (content instanceof ArrayBuffer) return new Uint8Array(content);
	return new Uint8Array(
		/** @type {ArrayBuffer} */ (content.buffer),
		content.byteOffset,
		content.byteLength,
	);
}

/**
 * The JSON of a .gltf or .glb; {} if it is unreadable: the daemon will explain that.
 * @param {Content} content @returns {Promise<Record<string, any>>}
 */
async function jsonOf(content) {
	const blob = content instanceof Blob ? content : new Blob([await bytesOf(content)]);
	const head = new DataView(await blob.slice(0, GLB_HEAD_BYTES).arrayBuffer());
	const isGlb = head.byteLength === GLB_HEAD_BYTES && head.getUint32(0, true) === GLB_MAGIC;
	const json = isGlb ? blob.slice(GLB_HEAD_BYTES, GLB_HEAD_BYTES + head.getUint32(12, true)) : blob;
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(await json.arrayBuffer());
		return Object(JSON.parse(isGlb ? text.replace(/\0+$/, '') : text));
	} catch {
		return {};
	}
}

/** True if a path starts at a root, or with a scheme or a drive. @param {string} path */
const isAbsolute = (path) => /^(\/|[^/:]+:)/.test(path);

/** The path of a URI relative to the document's folder; null if it leads elsewhere. @param {string} uri */
function pathOf(uri) {
	let path;
	try {
		path = decodeURIComponent(uri);
		encodeURIComponent(path);
	} catch {
		return null; // not UTF-8
	}
	if (isAbsolute(uri) || isAbsolute(path) || /[\\\0]/.test(path)) return null;
	/** @type {string[]} */
	const parts = [];
	for (const part of path.split('/')) {
		if (part === '..' && parts.pop() === undefined) return null;
		if (!['', '.', '..'].includes(part)) parts.push(part);
	}
	return parts.join('/') || null;
}

/** The URI of a file to read, or null. @param {any} thing of buffers or images */
function uriOf(thing) {
	const uri = thing?.uri;
	// A fallback for readers without the extension.
	const standsIn = thing?.extensions?.EXT_meshopt_compression?.fallback === true;
	return typeof uri !== 'string' || /^data:/i.test(uri) || standsIn ? null : uri;
}

/**
 * The files that a document references, each once. Throws if one is outside of its folder.
 * @param {Content} document @returns {Promise<Neighbour[]>}
 */
async function neighboursOf(document) {
	const json = await jsonOf(document);
	/** @type {Map<string, Neighbour>} */
	const found = new Map();
	for (const member of ['buffers', 'images']) {
		const things = Array.isArray(json[member]) ? json[member] : [];
		for (const [i, thing] of things.entries()) {
			const uri = uriOf(thing);
			if (uri === null) continue;
			const place = `${member}[${i}].uri ${JSON.stringify(uri)}`;
			const path = pathOf(uri);
			if (path === null) throw new TypeError(`${place} must be a path below the document's folder`);
			if (!found.has(path)) found.set(path, { path, place, isBuffer: member === 'buffers' });
		}
	}
	return [...found.values()];
}

// --- The archive ---

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
	let rest = byte;
	for (let i = 0; i < 8; i++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
	return rest;
});

/** @param {Uint8Array} bytes */
function checksum(bytes) {
	let rest = 0xffffffff;
	for (let i = 0; i < bytes.length; i++) rest = CRC_TABLE[(rest ^ bytes[i]) & 255] ^ (rest >>> 8);
	return ~rest >>> 0;
}

const VERSION = 20; // 2.0: the first with folders
const MADE_ON_UNIX = 3 << 8;
const UTF8_NAME = 1 << 11;
const FIRST_OF_1980 = 33; // the format's first date
const PLAIN_FILE = 0o100644 * 0x10000;
const MOST_BYTES = 0xfffffffe; // limit of the fields

/** Little-endian numbers of two or four bytes. @param {[2 | 4, number][]} fields */
function packed(fields) {
	const view = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
	let at = 0;
	for (const [size, value] of fields) {
		if (size === 2) view.setUint16(at, value, true);
		else view.setUint32(at, value, true);
		at += size;
	}
	return view.buffer;
}

/** Compares UTF-8 bytes, which sort by code point, unlike UTF-16. @param {Uint8Array} a @param {Uint8Array} b */
function compareBytes(a, b) {
	const i = a.findIndex((byte, k) => byte !== b[k]);
	return i < 0 ? a.length - b.length : a[i] - (b[i] ?? -1);
}

/**
 * A ZIP archive of uncompressed files without dates: equal files give equal bytes, in all of posed's
 * clients.
 * @param {Iterable<readonly [string, Content]>} files by path
 */
async function archiveOf(files) {
	const sorted = [...files].map(([path, content]) => ({
		name: new TextEncoder().encode(path),
		content,
	}));
	sorted.sort((a, b) => compareBytes(a.name, b.name));
	/** @type {BlobPart[]} */
	const parts = [];
	/** @type {BlobPart[]} */
	const directory = [];
	let offset = 0;
	for (const { name, content } of sorted) {
		const bytes = await bytesOf(content);
		/** @type {[2 | 4, number][]} */
		const facts = [
			[2, VERSION],
			[2, name.some((byte) => byte >= 0x80) ? UTF8_NAME : 0],
			[2, 0], // stored
			[2, 0], // midnight
			[2, FIRST_OF_1980],
			[4, checksum(bytes)],
			[4, bytes.length],
			[4, bytes.length],
			[2, name.length],
			[2, 0], // nothing extra
		];
		parts.push(
			packed([[4, 0x04034b50], ...facts]),
			name,
			content instanceof Blob ? content : bytes,
		);
		directory.push(
			packed([
				[4, 0x02014b50],
				[2, MADE_ON_UNIX | VERSION],
				...facts,
				[2, 0],
				[2, 0],
				[2, 0],
				[4, PLAIN_FILE],
				[4, offset],
			]),
			name,
		);
		offset += 30 + name.length + bytes.length;
		if (offset > MOST_BYTES)
			throw new RangeError('the files are more than an archive of 4 GiB holds');
	}
	const index = new Blob(directory);
	const count = sorted.length;
	const end = packed([
		[4, 0x06054b50],
		[2, 0],
		[2, 0],
		[2, count],
		[2, count],
		[4, index.size],
		[4, offset],
		[2, 0],
	]);
	return new Blob([...parts, index, end]);
}

// --- Assets ---

/** @template T @param {() => T | Promise<T>} read @returns {Promise<T | null>} */
async function orNull(read) {
	try {
		return (await read()) ?? null;
	} catch (error) {
		if (/** @type {any} */ (error).code === 'ENOENT') return null;
		throw error;
	}
}

/**
 * A .gltf with the files that it references, as the one file that putRig() takes; a document without
 * references is returned unchanged.
 * @param {string} name of the document, which is read first
 * @param {(path: string) => Content | null | Promise<Content | null>} read a file by its path from the
 *   document's folder; null, or an error with the code ENOENT, if it is missing
 * @param {PackOptions} [options]
 * @returns {Promise<Content>}
 */
export async function packAsset(name, read, { onMissing } = {}) {
	const document = await orNull(() => read(name));
	if (document === null) throw new TypeError(`there is no ${name}`);
	/** @type {Map<string, Content>} */
	const files = new Map([[name, document]]);
	for (const { path, place, isBuffer } of await neighboursOf(document)) {
		const content = await orNull(() => read(path));
		if (content !== null) files.set(path, content);
		else if (isBuffer) throw new TypeError(`there is no ${path}, which ${place} of ${name} names`);
		else
			onMissing?.(`there is no ${path}, which ${place} of ${name} names; it is drawn without it`);
	}
	return files.size > 1 ? archiveOf(files) : document;
}

/** @param {AssetFiles} files @returns {Map<string, Content>} */
export function filesByPath(files) {
	/** @type {Map<string, Content>} */
	const found = new Map();
	for (const file of /** @type {Iterable<any>} */ (files)) {
		if (Array.isArray(file)) found.set(file[0], file[1]);
		else found.set(file.webkitRelativePath || file.name, file);
	}
	return found;
}

/** Packs a .gltf or .glb with the files that it references. @param {Map<string, Content>} files @param {string} document @param {PackOptions} [options] */
function packDocument(files, document, options) {
	const name = nameOf(document);
	const folder = document.slice(0, document.length - name.length);
	return packAsset(name, (path) => files.get(folder + path) ?? null, options);
}

/** Packs files, by their paths from the document's folder if they are all below it. @param {Map<string, Content>} files @param {string} document */
function packParts(files, document) {
	const folder = document.slice(0, document.length - nameOf(document).length);
	const isBelow = [...files.keys()].every((path) => path.startsWith(folder));
	return archiveOf([...files].map(([path, content]) => [isBelow ? path.slice(folder.length) : path, content]));
}

/**
 * A rig, or motion, among files.
 * @typedef {object} PackedAsset
 * @property {string} path of the document, or of the file that is all of it
 * @property {boolean} isMotion it has animations and nothing to be seen
 * @property {string[]} parts paths of the files of other formats than glTF that belong to it
 * @property {(options?: PackOptions) => Promise<Content>} pack what to send
 */

/** @param {Map<string, Content>} files @param {string} path @returns {Promise<PackedAsset>} */
async function assetOf(files, path) {
	const content = /** @type {Content} */ (files.get(path));
	if (isDocument(path)) {
		const alone = await isAnimationOnly(path, content, jsonOf);
		return { path, isMotion: alone, parts: [], pack: (options) => packDocument(files, path, options) };
	}
	const taken = await partsOf(files, path);
	return {
		path,
		isMotion: isMotion(path) || (await isAnimationOnly(path, content, jsonOf)),
		parts: [...taken.keys()].filter((part) => part !== path),
		pack: async () => (taken.size > 1 ? packParts(taken, path) : content),
	};
}

/**
 * The models among files, then the motions that are no part of one.
 * @param {Map<string, Content>} files @returns {Promise<PackedAsset[]>}
 */
export async function assetsAmong(files) {
	/** @type {PackedAsset[]} */
	const found = [];
	const paths = [...files.keys()];
	// A .pia is nothing without its skeleton, so that skeletons go first.
	const motions = paths.filter(isMotion).sort((a, b) => +/\.pia$/i.test(a) - +/\.pia$/i.test(b));
	for (const path of [...paths.filter((one) => isDocument(one) || isModel(one)), ...motions])
		if (!found.some(({ parts }) => parts.includes(path))) found.push(await assetOf(files, path));
	return found;
}

/**
 * Packs files that are one asset.
 * @param {AssetFiles} list @param {PackOptions} [options]
 * @returns {Promise<Content>}
 */
export async function packFiles(list, options) {
	const files = filesByPath(list);
	const assets = await assetsAmong(files);
	if (assets.length === 1) return assets[0].pack(options);
	if (assets.length === 0 && files.size === 1)
		return /** @type {Content} */ ([...files.values()][0]);
	const found = assets.length === 0 ? 'none is' : `${assets.map(({ path }) => path).join(' and ')} are`;
	throw new TypeError(`exactly one of the files must be a model or a motion, such as a .gltf or .fbx, ${found}`);
}
