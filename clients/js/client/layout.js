// The Posed-Layout header, which describes the numbers in a response.

/**
 * @typedef {object} Attribute
 * @property {string} name @property {string} kind @property {number} width numbers per vertex
 * @property {number} offset bytes: into a frame, or into a vertex if interleaved
 *
 * @typedef {object} Layout
 * @property {string} text the header itself
 * @property {Attribute[]} attributes
 * @property {number} stride bytes of a vertex; 0 = not interleaved: one block for each attribute
 * @property {number} frameBytes before any compression
 * @property {Record<string, string>} options "bits", "compression", "delta", "order"
 */

/** @type {Record<string, number>} bytes of a number */
const SIZES = { f32: 4, u16: 2, oct8: 1 };

/** @param {string} text @param {number} vertices @returns {Layout} */
export function readLayout(text, vertices) {
	const [list, ...parts] = text.split(';');
	const options = Object.fromEntries(parts.map((part) => part.split('=')));
	const stride = Number(options.stride ?? 0);
	let offset = 0;
	const attributes = list.split(',').map((part) => {
		const [, name, kind, width] = /^(\w+):([a-z]+\d+)x(\d+)$/.exec(part.trim()) ?? [];
		if (!SIZES[kind]) throw new Error(`this client does not know the layout ${text}`);
		const attribute = { name, kind, width: Number(width), offset };
		offset += SIZES[kind] * attribute.width * (stride ? 1 : vertices);
		return attribute;
	});
	return { text, attributes, stride, options, frameBytes: stride ? stride * vertices : offset };
}
