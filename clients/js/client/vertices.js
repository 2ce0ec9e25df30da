// Skinned vertices as the daemon sends them: views of the answer's own bytes, nothing is copied.

/** @typedef {Float32Array | Uint16Array | Int8Array | Uint8Array} Numbers */

/** @type {Record<string, {new (buffer: ArrayBuffer, at: number, count: number): Numbers, BYTES_PER_ELEMENT: number}>} */
const KINDS = { f32: Float32Array, u16: Uint16Array, oct8: Int8Array };

/**
 * Where the numbers of one attribute are within a frame.
 * @typedef {{name: string, kind: string, width: number, offset: number}} Attribute
 */

/**
 * What a Posed-Layout says: "position:f32x3,normal:f32x3" is one block of each, one behind the other.
 * @param {string} layout @param {number} vertices
 * @returns {{attributes: Attribute[], frameBytes: number}}
 */
export function attributesOf(layout, vertices) {
	let offset = 0;
	const attributes = layout.split(',').map((part) => {
		const [, name, kind, width] = /^(\w+):([a-z]+\d+)x(\d+)$/.exec(part.trim()) ?? [];
		if (!KINDS[kind]) throw new Error(`this client does not know the layout ${layout}`);
		const attribute = { name, kind, width: Number(width), offset };
		offset += KINDS[kind].BYTES_PER_ELEMENT * attribute.width * vertices;
		return attribute;
	});
	return { attributes, frameBytes: offset };
}

/** The vertices of some frames. */
export class Vertices {
	#attributes;
	#frameBytes;

	/** @param {ArrayBuffer} data @param {Headers} headers */
	constructor(data, headers) {
		/** The answer as it came. */
		this.data = data;
		this.vertices = Number(headers.get('Posed-Vertices'));
		this.frames = Number(headers.get('Posed-Frames') ?? 1);
		this.layout = headers.get('Posed-Layout') ?? '';
		/** The method and the device used. */
		this.skinning = headers.get('Posed-Skinning');
		this.etag = headers.get('ETag');
		const { attributes, frameBytes } = attributesOf(this.layout, this.vertices);
		this.#attributes = attributes;
		this.#frameBytes = frameBytes;
	}

	/** The names of the attributes, in order. */
	get names() {
		return this.#attributes.map(({ name }) => name);
	}

	/** The numbers of one attribute in one frame. @param {string} name @param {number} [frame] @returns {Numbers} */
	get(name, frame = 0) {
		const attribute = this.#attributes.find((other) => other.name === name);
		if (!attribute) throw new RangeError(`no ${name} here, only ${this.layout}`);
		if (!(frame >= 0 && frame < this.frames))
			throw new RangeError(`frame ${frame} of ${this.frames}`);
		const at = frame * this.#frameBytes + attribute.offset;
		return new KINDS[attribute.kind](this.data, at, this.vertices * attribute.width);
	}
}

/**
 * The frames of an answer as they come, each a Vertices of one frame.
 * @param {Response} response
 */
export async function* framesOf(response) {
	const headers = new Headers(response.headers);
	headers.set('Posed-Frames', '1');
	const vertices = Number(headers.get('Posed-Vertices'));
	const { frameBytes } = attributesOf(headers.get('Posed-Layout') ?? '', vertices);
	let frame = new Uint8Array(frameBytes);
	let filled = 0;
	for await (const piece of piecesOf(response)) {
		for (let taken = 0; taken < piece.length;) {
			const part = piece.subarray(taken, taken + frameBytes - filled);
			frame.set(part, filled);
			filled += part.length;
			taken += part.length;
			if (filled === frameBytes) {
				yield new Vertices(frame.buffer, headers);
				frame = new Uint8Array(frameBytes);
				filled = 0;
			}
		}
	}
	if (filled > 0) throw new Error('the answer ended in the middle of a frame');
}

/** The body as it comes; whoever looks no further ends the call. @param {Response} response */
export async function* piecesOf(response) {
	const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
	let ended = false;
	try {
		for (;;) {
			const { done, value } = await reader.read();
			ended = done;
			if (done) return;
			yield value;
		}
	} finally {
		if (!ended) await reader.cancel();
	}
}
