// Packed vertices: positions as 16-bit numbers within a box, normals as two bytes on an octahedron,
// interleaved, and frames of them compressed with meshoptimizer's codec. docs/vertices.md of posed has the
// formulas.
import { decodeVertices } from './meshopt.js';

const STEPS = 65535;
const UNIT = 127;
const ORDER_STRIDE = 4;

/** @typedef {import('./layout.js').Layout} Layout */

/** The rest of an array from a byte on. @param {Uint8Array} bytes */
const shortsOf = (bytes) => new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);

/**
 * Adds the previous frame to the differences from it, in place: 16-bit numbers and bytes wrap
 * around.
 * @param {Uint8Array} frame @param {Uint8Array} before @param {Layout} layout
 */
function addTo(frame, before, { stride, attributes }) {
	const at = attributes.find(({ kind }) => kind === 'u16');
	if (!at) {
		for (let i = 0; i < frame.length; i++) frame[i] += before[i];
		return;
	}
	const [now, then] = [shortsOf(frame), shortsOf(before)];
	const shorts = stride / 2;
	for (let i = 0, byte = 0; i < now.length; i += shorts, byte += stride) {
		for (let k = 0; k < at.width; k++) now[i + k] += then[i + k];
		for (let k = at.width * 2; k < stride; k++) frame[byte + k] += before[byte + k];
	}
}

/** Decodes the payloads of frames, in order. */
export class PackedFrames {
	#layout;
	#vertices;
	/** @type {?Uint8Array} */
	#before = null;
	/**
	 * Position i of a frame has vertex order[i] of the file's order; null = the orders are equal.
	 * @type {?Uint32Array}
	 */
	order = null;

	/** @param {Layout} layout @param {number} vertices */
	constructor(layout, vertices) {
		this.#layout = layout;
		this.#vertices = vertices;
	}

	/** True if the order table precedes the frames. */
	get hasOrder() {
		return this.#layout.options.order === 'strip';
	}

	/** @param {Uint8Array} block */
	readOrder(block) {
		const bytes = decodeVertices(block, this.#vertices, ORDER_STRIDE);
		this.order = new Uint32Array(bytes.buffer);
	}

	/**
	 * The next frame: the vertices one after another, `stride` bytes each.
	 * @param {Uint8Array} payload
	 * @param {boolean} isKey it needs no previous frame
	 */
	read(payload, isKey) {
		const { stride, options } = this.#layout;
		const coded = options.compression === 'meshopt';
		const frame = coded ? decodeVertices(payload, this.#vertices, stride) : payload;
		if (options.delta === 'previous' && !isKey) {
			if (!this.#before) throw new RangeError('a frame without the one that it is to change');
			addTo(frame, this.#before, this.#layout);
		}
		this.#before = frame;
		return frame;
	}
}

/**
 * The positions of a frame, in the file's order.
 * @param {Uint8Array} frame @param {Layout} layout @param {ArrayLike<number>} box min, then max
 * @param {?Uint32Array} order
 */
export function unpackPositions(frame, { stride }, box, order) {
	const numbers = shortsOf(frame);
	const count = frame.length / stride;
	const out = new Float32Array(count * 3);
	const steps = [0, 1, 2].map((k) => (box[3 + k] - box[k]) / STEPS);
	for (let i = 0; i < count; i++) {
		const to = 3 * (order ? order[i] : i);
		for (let k = 0; k < 3; k++) out[to + k] = box[k] + numbers[(i * stride) / 2 + k] * steps[k];
	}
	return out;
}

/**
 * The normals of a frame, unit, in the file's order.
 * @param {Uint8Array} frame @param {Layout} layout @param {number} offset bytes into a vertex
 * @param {?Uint32Array} order
 */
export function unpackNormals(frame, { stride }, offset, order) {
	const bytes = new Int8Array(frame.buffer, frame.byteOffset, frame.length);
	const count = frame.length / stride;
	const out = new Float32Array(count * 3);
	for (let i = 0; i < count; i++) {
		let x = Math.max(bytes[i * stride + offset] / UNIT, -1);
		let y = Math.max(bytes[i * stride + offset + 1] / UNIT, -1);
		const z = 1 - Math.abs(x) - Math.abs(y);
		const fold = Math.max(-z, 0);
		x -= x >= 0 ? fold : -fold;
		y -= y >= 0 ? fold : -fold;
		const length = Math.hypot(x, y, z);
		out.set([x / length, y / length, z / length], 3 * (order ? order[i] : i));
	}
	return out;
}
