// An open stream of POST /v1/stream: frames in real time, each after a header of 56 bytes.
import { Problem } from './errors.js';
import { PackedFrames } from './packed.js';
import { headOf, partsOf, Vertices } from './vertices.js';

const HEADER_BYTES = 56;
const MAGIC = 0x52545350; // "PSTR"
const FLAG = { KEY: 1, ORDER: 2, SAME: 4, END: 8, CHANGED: 16, OUTDATED: 32 };
const SKINNING_SHIFT = 8;

/** @typedef {{from?: number, to: number, loop?: 'repeat' | 'ping_pong' | 'clamp'}} Range */

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

/** The skinned vertices of one moment. */
export class StreamFrame extends Vertices {
	/** @param {import('./vertices.js').Head} head @param {Header} header @param {Uint8Array} bytes @param {?Uint32Array} order */
	constructor(head, header, bytes, order) {
		super({ ...head, bounds: header.bounds }, [bytes], order);
		/** Number of the frame; frames that the daemon dropped, because the client was slow, leave gaps. */
		this.number = header.number;
		/** Seconds of the pose's clock, before any range. */
		this.time = header.time;
		/** Seconds from the beginning of the stream until the frame was made. */
		this.since = header.since;
		/** True for the first frame of a changed pose. */
		this.changed = (header.flags & FLAG.CHANGED) !== 0;
		/** Index into the stream's skinnings, if it was opened with a list of them. */
		this.way = header.flags >> SKINNING_SHIFT;
	}
}

/**
 * One point in time: the frames of the skinnings, or none while the pose is unchanged.
 * @typedef {object} Moment
 * @property {StreamFrame[]} frames
 * @property {number} time seconds of the pose's clock, before any range
 * @property {number} since seconds since the stream began
 * @property {number} count of the moments so far: a change is visible in all whose count is greater than
 *   the `frames` of the state that change() returned
 * @property {number} bytes of its frames and the keep-alives before it
 * @property {boolean} outdated the rig, or one that its pose names, has been replaced, deleted, or
 *   given other clips or examples
 */

/**
 * Yields frames to one `for await` loop; leaving it ends the stream. While nothing changes there are no
 * frames.
 */
export class Stream {
	#head;
	#parts;
	#end;
	#ways;
	#calls;

	/**
	 * @param {Response} response
	 * @param {number} ways number of skinnings of each moment
	 * @param {{change: (members: object) => Promise<any>, state: () => Promise<any>}} calls to the stream's resource
	 */
	constructor(response, ways, calls) {
		/** The daemon's ID of the stream. */
		this.id = response.headers.get('Posed-Stream') ?? '';
		this.#head = headOf(response.headers);
		const { parts, end } = partsOf(response);
		this.#parts = parts;
		this.#end = end;
		this.#ways = ways;
		this.#calls = calls;
	}

	/** Vertices of each frame. */
	get vertices() {
		return this.#head.vertices;
	}

	/** The content of the rig when the stream began, as describe() has it. */
	get content() {
		return this.#head.content;
	}

	/** The layout of a frame's bytes. */
	get layout() {
		return this.#head.layout;
	}

	/**
	 * Changes pose, time, speed, range, fps or paused from the next frame on, and returns the state.
	 * Throws Problem if the pose is wrong; the stream then continues with the old one.
	 * @param {{pose?: import('./client.js').Pose, time?: number, speed?: number, range?: ?Range,
	 *   fps?: number, paused?: boolean}} members
	 */
	change(members) {
		return this.#calls.change(members);
	}

	/** The state of the stream. */
	state() {
		return this.#calls.state();
	}

	/** Ends the stream, and with it the loop over its frames. */
	async close() {
		await this.#end();
	}

	/** @returns {AsyncGenerator<StreamFrame, void, undefined>} */
	async *[Symbol.asyncIterator]() {
		for await (const { frames } of this.moments()) yield* frames;
	}

	/**
	 * The same with keep-alives, once a second while nothing changes.
	 * @returns {AsyncGenerator<Moment, void, undefined>}
	 */
	async *moments() {
		const packed = Array.from(
			{ length: this.#ways },
			() => new PackedFrames(this.layout, this.vertices),
		);
		/** @type {StreamFrame[]} */
		let frames = [];
		let count = 0;
		let size = 0;
		try {
			for (;;) {
				const bytes = await this.#parts.orEnd(HEADER_BYTES);
				if (!bytes) return;
				const header = readHeader(bytes);
				const payload = await this.#parts.exactly(header.bytes);
				size += HEADER_BYTES + header.bytes;
				if (header.flags & FLAG.END) return endOf(payload);
				const way = packed[header.flags >> SKINNING_SHIFT];
				if (header.flags & FLAG.ORDER) {
					way.readOrder(payload);
					continue;
				}
				const isSame = (header.flags & FLAG.SAME) !== 0;
				if (!isSame) frames.push(this.#frame(way, header, payload));
				if (!isSame && frames.length < this.#ways) continue;
				const outdated = (header.flags & FLAG.OUTDATED) !== 0;
				const { time, since } = header;
				yield { frames, time, since, count: ++count, bytes: size, outdated };
				frames = [];
				size = 0;
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

/** Throws the error that a stream ended with, if any. @param {Uint8Array} payload */
function endOf(payload) {
	if (payload.length === 0) return;
	const problem = JSON.parse(new TextDecoder().decode(payload));
	throw new Problem(problem.status, problem, null);
}
