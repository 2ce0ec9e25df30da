// Reads dropped or chosen files and folders, and finds the rigs among them.
import { assetsAmong, filesByPath } from '../client/assets.js';

const MOST_FILES = 10_000; // of what is dropped at once: somebody's whole disk is a slip
const MOST_NAME_BYTES = 128;

/**
 * @typedef {Map<string, File>} Files by path
 *
 * A rig, or motion alone, among files.
 * @typedef {import('../client/assets.js').PackedAsset & {name: string}} Asset name: one that the daemon accepts
 */

/** A rig name that the daemon accepts, from a file's path. @param {string} path */
export function rigName(path) {
	const stem = path.replace(/\.(glb|vrm|vrma|gltf|zip|fbx|pim|pis|pia|dae|bvh|md5mesh|md5anim|x|mesh|mesh\.xml|ply|stl|3ds|obj)$/i, '');
	let name = stem.replace(/[/\p{Cc}]/gu, '-').toWellFormed();
	while (new TextEncoder().encode(name).length > MOST_NAME_BYTES) {
		name = [...name].slice(0, -1).join('');
	}
	return ['', '.', '..'].includes(name) ? 'rig' : name;
}

// --- Reading files ---

/** @param {FileSystemFileEntry} entry @returns {Promise<File>} */
const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

/** All entries of a folder; the browser returns them in batches. @param {FileSystemDirectoryEntry} folder */
async function entriesOf(folder) {
	const reader = folder.createReader();
	/** @type {FileSystemEntry[]} */
	const all = [];
	for (;;) {
		/** @type {FileSystemEntry[]} */
		const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
		if (some.length === 0) return all;
		all.push(...some);
	}
}

/** @param {FileSystemEntry} entry @param {Files} files to be filled */
async function gather(entry, files) {
	if (entry.isDirectory) {
		const folder = /** @type {FileSystemDirectoryEntry} */ (entry);
		for (const one of await entriesOf(folder)) await gather(one, files);
		return;
	}
	if (files.size === MOST_FILES)
		throw new Error(`More than ${MOST_FILES} files were dropped; drop the folder of one rig.`);
	files.set(
		entry.fullPath.replace(/^\//, ''),
		await fileOf(/** @type {FileSystemFileEntry} */ (entry)),
	);
}

/** The dropped files, with the contents of folders. Call it during the event. @param {DataTransfer} transfer @returns {Promise<Files>} */
async function droppedFiles(transfer) {
	const items = [...transfer.items].filter(({ kind }) => kind === 'file');
	// Both are only available during the event.
	const found = items.map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
	/** @type {Files} */
	const files = new Map();
	for (const one of found) {
		if (one instanceof File) files.set(one.name, one);
		else if (one) await gather(one, files);
	}
	return files;
}

/**
 * Accepts dropped files on an element.
 * @param {EventTarget} target
 * @param {object} on
 * @param {() => boolean} on.takes true if files may be dropped now
 * @param {(isOver: boolean) => void} on.onOver files entered the target, or left it
 * @param {(files: Promise<Files>) => void} on.onFiles
 */
export function attachDrops(target, { takes, onOver, onFiles }) {
	let depth = 0; // of nested elements entered; each one fires its own leave event
	/** @param {Event} event @returns {?DataTransfer} */
	const filesIn = (event) => {
		const { dataTransfer } = /** @type {DragEvent} */ (event);
		return takes() && dataTransfer?.types.includes('Files') ? dataTransfer : null;
	};
	for (const [kind, by] of /** @type {const} */ ([
		['dragenter', 1],
		['dragover', 0],
		['dragleave', -1],
	])) {
		target.addEventListener(kind, (event) => {
			if (!filesIn(event)) return;
			event.preventDefault();
			depth = Math.max(depth + by, 0);
			onOver(depth > 0);
		});
	}
	target.addEventListener('drop', (event) => {
		const transfer = filesIn(event);
		if (!transfer) return;
		event.preventDefault();
		depth = 0;
		onOver(false);
		onFiles(droppedFiles(transfer));
	});
}

// --- Finding rigs ---

/** A file that is no model by its name: the daemon explains best why. @param {Files} files @param {string} path */
const unknownAsset = (files, path) => ({
	path,
	isMotion: false,
	parts: [],
	pack: async () => /** @type {File} */ (files.get(path)),
});

/**
 * The rigs and motions among files. The folder is added to the names of two that have the same name.
 * @param {import('../client/assets.js').AssetFiles} list
 * @returns {Promise<Asset[]>}
 */
export async function assetsOf(list) {
	const files = /** @type {Files} */ (filesByPath(list));
	const found = await assetsAmong(files);
	if (found.length === 0 && [...files.keys()].some((path) => path.includes('/')))
		throw new Error(`None of the ${files.size} files is a model that posed reads, such as a .gltf, .glb, .zip or .fbx.`);
	const assets = found.length > 0 ? found : [...files.keys()].map((path) => unknownAsset(files, path));
	const stems = assets.map(({ path }) => rigName(path.slice(path.lastIndexOf('/') + 1)));
	return assets.map((asset, i) => ({
		...asset,
		name: stems.filter((stem) => stem === stems[i]).length > 1 ? rigName(asset.path) : stems[i],
	}));
}
