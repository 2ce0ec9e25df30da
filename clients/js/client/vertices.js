// Decodes the skinned vertices of a response.
import { ConnectionFailed, received } from './errors.js';
import { readLayout } from './layout.js';
import { PackedFrames, unpackNormals, unpackPositions } from './packed.js';

/** @typedef {import('./layout.js').Layout} Layout */

/** The headers that describe a response's vertices. @param {Headers} headers */
export function headOf(headers) {
	const vertices = Number(headers.get('Posed-Vertices'));
	return {
		vertices,
		frames: Number(headers.get('Posed-Frames') ?? 1),
		layout: readLayout(headers.get('Posed-Layout') ?? '', vertices),
		bounds: headers.get('Posed-Bounds')?.split(' ').map(Number) ?? null,
		skinning: headers.get('Posed-Skinning'),
		etag: headers.get('ETag'),
		content: headers.get('Posed-Content'),
	};
}

/** @typedef {ReturnType<typeof headOf>} Head */

/** The vertices of some frames. float32 attributes are views of the response's bytes, without a copy. */
export class Vertices {
	/** @param {Head} head @param {Uint8Array[]} frames @param {?Uint32Array} order */
	constructor(head, frames, order = null) {
		this.vertices = head.vertices;
		this.frames = frames.length;
		this.layout = head.layout;
		/** The box of packed positions, min and max; null = they are not packed. */
		this.bounds = head.bounds;
		/** The method and the device used. */
		this.skinning = head.skinning;
		this.etag = head.etag;
		/** The content of their rig, as in describe(). */
		this.content = head.content;
		/** The bytes of each frame in that layout, uncompressed. */
		this.data = frames;
		/** Position i of the data has vertex order[i] of the file's order; null = the orders are equal. */
		this.order = order;
	}

	/** The names of the attributes, in order. */
	get names() {
		return this.layout.attributes.map(({ name }) => name);
	}

	/**
	 * The numbers of one attribute in one frame, unpacked and in the file's order.
	 * @param {string} name @param {number} [frame] @returns {Float32Array}
	 */
	get(name, frame = 0) {
		const attribute = this.layout.attributes.find((other) => other.name === name);
		if (!attribute) throw new RangeError(`no ${name} here, only ${this.layout.text}`);
		if (!(Number.isInteger(frame) && frame >= 0 && frame < this.frames))
			throw new RangeError(`frame ${frame} of ${this.frames}`);
		const bytes = this.data[frame];
		const { kind, width, offset } = attribute;
		if (kind === 'u16') return unpackPositions(bytes, this.layout, this.bounds ?? [], this.order);
		if (kind === 'oct8') return unpackNormals(bytes, this.layout, offset, this.order);
		return new Float32Array(bytes.buffer, bytes.byteOffset + offset, this.vertices * width);
	}
}

/** @param {Uint8Array} bytes */
const lengthOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);

/** Splits the bytes of a response into parts of given lengths. */
class Parts {
	#take;

	/** @param {(count: number) => Promise<?Uint8Array>} take so many bytes; null = end of the response */
	constructor(take) {
		this.#take = take;
	}

	/** @param {number} count */
	async exactly(count) {
		const bytes = await this.#take(count);
		if (!bytes) throw new ConnectionFailed('the answer ended too early', null);
		return bytes;
	}

	/** A part preceded by its length; null at the end. */
	async block() {
		const length = await this.#take(4);
		return length && this.exactly(lengthOf(length));
	}

	/** @param {number} count */
	orEnd(count) {
		return this.#take(count);
	}
}

/** The parts of a response as they arrive; leaving early aborts the request. @param {Response} response */
export function partsOf(response) {
	const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
	/** @type {Uint8Array} */
	let piece = new Uint8Array();
	const take = async (/** @type {number} */ count) => {
		const bytes = new Uint8Array(count); // aligned for numbers, unlike the received chunks
		let filled = 0;
		while (filled < count) {
			if (piece.length === 0) {
				const { done, value } = await received(reader.read());
				if (done && filled === 0) return null;
				if (done) throw new ConnectionFailed('the answer ended in the middle of a frame', null);
				piece = value;
			}
			const part = piece.subarray(0, count - filled);
			bytes.set(part, filled);
			filled += part.length;
			piece = piece.subarray(part.length);
		}
		return bytes;
	};
	const end = () => reader.cancel().catch(() => {}); // a broken response has ended, too
	return { parts: new Parts(take), end };
}

/** Frames one by one. @param {Head} head @param {Parts} parts */
async function* read(head, parts) {
	const { layout, vertices } = head;
	const coded = layout.options.compression !== undefined;
	const packed = new PackedFrames(layout, vertices);
	if (packed.hasOrder) packed.readOrder(/** @type {Uint8Array} */ (await parts.block()));
	for (let isFirst = true; ; isFirst = false) {
		const bytes = coded ? await parts.block() : await parts.orEnd(layout.frameBytes);
		if (!bytes) return;
		const frame = layout.stride ? packed.read(bytes, isFirst) : bytes;
		yield { frame, order: packed.order };
	}
}

/** All frames of a response. @param {Response} response */
export async function verticesOf(response) {
	const head = headOf(response.headers);
	const whole = new Uint8Array(await received(response.arrayBuffer()));
	let at = 0;
	const take = async (/** @type {number} */ count) => {
		if (at === whole.length) return null;
		at += count;
		if (at > whole.length)
			throw new ConnectionFailed('the answer ended in the middle of a frame', null);
		return whole.subarray(at - count, at);
	};
	const frames = [];
	let table = null;
	for await (const { frame, order } of read(head, new Parts(take))) {
		frames.push(frame);
		table = order;
	}
	return new Vertices(head, frames, table);
}

/** The frames of a response as they arrive, each a Vertices of one frame. @param {Response} response */
export async function* framesOf(response) {
	const head = headOf(response.headers);
	const { parts, end } = partsOf(response);
	try {
		for await (const { frame, order } of read(head, parts))
			yield new Vertices(head, [frame], order);
	} finally {
		await end();
	}
}
