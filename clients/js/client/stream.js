// An open stream of POST /v1/stream: frames at the pace of the clock, each behind a header of 56 bytes.
import { Problem } from './errors.js';
import { PackedFrames } from './packed.js';
import { headOf, partsOf, Vertices } from './vertices.js';

const HEADER_BYTES = 56;
const MAGIC = 0x52545350; // "PSTR"
const FLAG = { KEY: 1, ORDER: 2, SAME: 4, END: 8, CHANGED: 16 };

/** @param {Uint8Array} bytes */
function readHeader({ buffer }) {
	const view = new DataView(buffer);
	if (view.getUint32(0, true) !== MAGIC) throw new Error('this is no stream of frames');
	return {
		bytes: view.getUint32(4, true),
		number: view.getUint32(8, true),
		flags: view.getUint32(12, true),
		time: view.getFloat64(16, true),
		since: view.getFloat64(24, true),
		bounds: Array.from(new Float32Array(buffer, 32, 6)),
	};
}

/** @typedef {ReturnType<typeof readHeader>} Header */

/** Skinned vertices of one moment. */
export class StreamFrame extends Vertices {
	/** @param {import('./vertices.js').Head} head @param {Header} header @param {Uint8Array} bytes @param {?Uint32Array} order */
	constructor(head, header, bytes, order) {
		super({ ...head, bounds: header.bounds }, [bytes], order);
		/** Counts on; what the daemon left out, because nobody took it in time, leaves a gap. */
		this.number = header.number;
		/** Seconds of the pose's clock. */
		this.time = header.time;
		/** Seconds since the stream began, when the frame was made. */
		this.since = header.since;
		/** Whether it is the first of a pose that was changed. */
		this.changed = (header.flags & FLAG.CHANGED) !== 0;
	}
}

/**
 * Gives frames to one `for await` loop; leaving it ends the stream. While nothing changes there are no
 * frames.
 */
export class Stream {
	#head;
	#parts;
	#end;
	#calls;

	/**
	 * @param {Response} response
	 * @param {{change: (members: object) => Promise<any>, state: () => Promise<any>}} calls about it
	 */
	constructor(response, calls) {
		/** By which the daemon knows it. */
		this.id = response.headers.get('Posed-Stream') ?? '';
		this.#head = headOf(response.headers);
		const { parts, end } = partsOf(response);
		this.#parts = parts;
		this.#end = end;
		this.#calls = calls;
	}

	/** Vertices of each frame. */
	get vertices() {
		return this.#head.vertices;
	}

	/** What a frame's bytes are. */
	get layout() {
		return this.#head.layout;
	}

	/**
	 * Changes pose, time, speed, fps or paused from the next frame on. Throws Problem for a pose that is
	 * wrong; the stream then goes on with the one that it has.
	 * @param {{pose?: import('./client.js').Pose, time?: number, speed?: number, fps?: number, paused?: boolean}} members
	 */
	change(members) {
		return this.#calls.change(members);
	}

	/** How it stands. */
	state() {
		return this.#calls.state();
	}

	/** Ends it; the loop over its frames ends, too. */
	async close() {
		await this.#end();
	}

	/** @returns {AsyncGenerator<StreamFrame, void, undefined>} */
	async *[Symbol.asyncIterator]() {
		const packed = new PackedFrames(this.layout, this.vertices);
		try {
			for (;;) {
				const bytes = await this.#parts.orEnd(HEADER_BYTES);
				if (!bytes) return;
				const header = readHeader(bytes);
				const payload = await this.#parts.exactly(header.bytes);
				if (header.flags & FLAG.END) {
					endOf(payload);
					return;
				}
				if (header.flags & FLAG.ORDER) packed.readOrder(payload);
				else if (!(header.flags & FLAG.SAME)) yield this.#frame(packed, header, payload);
			}
		} finally {
			await this.#end();
		}
	}

	/** @param {PackedFrames} packed @param {Header} header @param {Uint8Array} payload */
	#frame(packed, header, payload) {
		const isKey = (header.flags & FLAG.KEY) !== 0;
		const bytes = this.layout.stride ? packed.read(payload, isKey) : payload;
		return new StreamFrame(this.#head, header, bytes, packed.order);
	}
}

/** Throws what a stream ended by, if it was not its own end. @param {Uint8Array} payload */
function endOf(payload) {
	if (payload.length === 0) return;
	const problem = JSON.parse(new TextDecoder().decode(payload));
	throw new Problem(problem.status, problem, null);
}
