// Files of formats other than glTF: what is a model, what is motion alone, and which files belong to a model.

/** @typedef {import('./assets.js').Content} Content */

const MODEL = /\.(vrm|fbx|dae|md5mesh|x|mesh|mesh\.xml|obj|ply|stl|3ds|pim|zip)$/i;
const MOTION = /\.(bvh|vrma|md5anim|pis|pia)$/i;
const PART_ENDINGS = 'png|jpe?g|webp|tga|bmp|dds|gif|tiff?|mtl|material|skeleton|skeleton\\.xml|pis|pia|md5anim';
const PART = new RegExp(`\\.(${PART_ENDINGS})$`, 'i');
const NAMES_MORE = /\.(mtl|material|pis|pia)$/i; // of parts: those that name files themselves
const ENDING_WITHIN = new RegExp(`\\.(${PART_ENDINGS})(?![a-z0-9])`, 'gi');
const NAME_LETTERS = 200; // longer names are nobody's
const ALONE = /\.(zip|vrm|vrma)$/i; // hold all that they need
const PIECE_BYTES = 1 << 24; // of a file, read as text at once

/** @param {string} path */
export const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);

/** The name up to its first dot, in lower case. @param {string} path */
const stemOf = (path) => nameOf(path).toLowerCase().replace(/(.)\..*$/s, '$1');

/** macOS adds "._fox.obj" to its archives. @param {string} path */
const isPlain = (path) => !nameOf(path).startsWith('._');

/** True for the name of a model that is no .gltf or .glb. @param {string} path */
export const isModel = (path) => MODEL.test(path) && isPlain(path);

/** True for the name of a file of motion without a mesh. @param {string} path */
export const isMotion = (path) => MOTION.test(path) && isPlain(path);

/** @param {Content} content */
async function* piecesOf(content) {
	const blob = content instanceof Blob ? content : new Blob([/** @type {BlobPart} */ (content)]);
	for (let at = 0; at < blob.size; at += PIECE_BYTES)
		yield new TextDecoder().decode(
			await blob.slice(at, at + PIECE_BYTES + 4 * NAME_LETTERS).arrayBuffer(),
		);
}

/** @param {string} text */
function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** The texts from each word on to the end: words may precede a name, which may have spaces. @param {string} text */
const endsOf = (text) => [text, ...[...text.matchAll(/ (?=[^ ])/g)].map(({ index }) => text.slice(index + 1))];

/**
 * What could be names of parts in a file, whatever its format, in lower case: the text that ends with the
 * ending of a part.
 * @param {Content} content
 */
async function namesIn(content) {
	/** @type {Set<string>} */
	const found = new Set();
	for await (const piece of piecesOf(content)) {
		for (const { index, 0: ending } of piece.matchAll(ENDING_WITHIN)) {
			const before = piece.slice(Math.max(0, index - NAME_LETTERS), index);
			const name = before.slice(before.search(/[^/\\"'<>|:*?\p{Cc}\ufffd]*$/u)) + ending;
			for (const text of [...endsOf(name), nameOf(decoded(name))]) found.add(text.toLowerCase());
		}
	}
	return found;
}

/** True if a name is among what was found; OGRE's texts leave out the .xml. @param {Set<string>} names @param {string} path */
function isNamed(names, path) {
	const name = nameOf(path).toLowerCase();
	return names.has(name) || names.has(name.replace(/\.xml$/, ''));
}

/** True if a file belongs to a document by its own name. @param {string} document @param {string} path */
function isCalledLike(document, path) {
	const isOfMesh = /\.md5mesh$/i.test(document) && /\.md5anim$/i.test(path);
	return isOfMesh ? stemOf(path).startsWith(stemOf(document)) : stemOf(path) === stemOf(document);
}

/** True if an animation of Prism names a skeleton that is taken. @param {Content} content @param {Iterable<string>} taken */
async function sharesSkeleton(content, taken) {
	const names = await namesIn(content);
	return [...taken].some((path) => /\.pis$/i.test(path) && isNamed(names, path));
}

/**
 * The document and the files that belong to it: those that it names, or one of those does, in any folder;
 * those that are called like it; motions of its MD5 mesh, and of its Prism skeleton.
 * @param {Map<string, Content>} files by path @param {string} document
 * @returns {Promise<Map<string, Content>>}
 */
export async function partsOf(files, document) {
	/** @type {Map<string, Content>} */
	const taken = new Map([[document, /** @type {Content} */ (files.get(document))]]);
	if (ALONE.test(document)) return taken;
	const parts = [...files].filter(([path]) => path !== document && PART.test(path) && isPlain(path));
	for (const [at, content] of taken) {
		// A Map is walked through to what is added meanwhile.
		if (at !== document && !NAMES_MORE.test(at)) continue;
		const names = await namesIn(content);
		for (const [path, part] of parts)
			if (isNamed(names, path) || isCalledLike(document, path)) taken.set(path, part);
	}
	if (/\.pi[ms]$/i.test(document))
		for (const [path, part] of parts)
			if (/\.pia$/i.test(path) && !taken.has(path) && (await sharesSkeleton(part, taken.keys())))
				taken.set(path, part);
	return taken;
}

/** True for a .glb or .fbx that has animations and no meshes. @param {string} path @param {Content} content @param {(content: Content) => Promise<Record<string, any>>} jsonOf */
export async function isAnimationOnly(path, content, jsonOf) {
	if (/\.gl(b|tf)$/i.test(path)) {
		const { meshes, animations } = await jsonOf(content);
		return Array.isArray(animations) && animations.length > 0 && !(meshes?.length > 0);
	}
	if (!/\.fbx$/i.test(path)) return false;
	let isAnimated = false;
	for await (const piece of piecesOf(content)) {
		// Objects are called "name\0\x01Class" in binary files, "Class::name" in texts.
		if (/\0\x01Geometry|"Geometry::/.test(piece)) return false;
		isAnimated ||= /\0\x01AnimCurve|"AnimCurve(Node)?::/.test(piece);
	}
	return isAnimated;
}
