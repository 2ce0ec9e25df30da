// The figure at other times, as the daemon's onion skins have it: fetches its vertices, one request at a time,
// each for the latest moment.

const COUNT = 4;
const NEAR = 0.7; // opacity of the figures nearest in time, and of the farthest
const FAR = 0.3;
const PAST = [0x3b, 0x82, 0xf6];
const FUTURE = [0xf9, 0x73, 0x16];
const SAMPLED_VERTICES = 256;

/**
 * @typedef {object} Ghost
 * @property {import('../client/vertices.js').Vertices} frames @property {number} index of its frame among these
 * @property {number[]} color linear red, green, blue, and alpha
 * @property {number[]} middle in the world
 */

/** Seconds before and after the moment, spread evenly over half of a clip. @param {number} duration */
export function ghostTimes(duration) {
	const before = Math.ceil(COUNT / 2);
	const step = duration / 2 / COUNT;
	return Array.from({ length: COUNT }, (_, i) => step * (i < before ? i - before : i - before + 1));
}

/** @param {number} byte */
const linear = (byte) => {
	const x = byte / 255;
	return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
};

/** @param {number} time @param {number} farthest */
function colorOf(time, farthest) {
	const share = farthest > 0 ? Math.abs(time) / farthest : 0;
	return [...(time < 0 ? PAST : FUTURE).map(linear), NEAR + share * (FAR - NEAR)];
}

/** The mean of some positions. @param {Float32Array} positions */
function middleOf(positions) {
	const count = positions.length / 3;
	const step = Math.max(1, Math.floor(count / SAMPLED_VERTICES));
	const sum = [0, 0, 0];
	let taken = 0;
	for (let i = 0; i < count; i += step, taken++) {
		for (let k = 0; k < 3; k++) sum[k] += positions[3 * i + k];
	}
	return sum.map((x) => x / Math.max(taken, 1));
}

export class Ghosts {
	#client;
	#on;
	/** The request in flight. @type {?AbortController} */
	#calling = null;
	/** The latest request wanted, as text; "" = none. */
	#wanted = '';
	/** The request whose figures are shown, or that was refused. */
	#answered = '';
	/** @type {Ghost[]} */
	shown = [];

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {{onChange: () => void, onError: (error: Error) => void}} on
	 */
	constructor(client, on) {
		this.#client = client;
		this.#on = on;
	}

	/** True while another moment than the one shown is pending. */
	get isBusy() {
		return this.#wanted !== '' && this.#wanted !== this.#answered;
	}

	/** Shows none. */
	clear() {
		this.#calling?.abort();
		this.#calling = null;
		this.#wanted = this.#answered = '';
		this.shown = [];
	}

	/**
	 * Requests the figures unless they are shown or another request is in flight.
	 * @param {any} request for vertices, with a pose for each time @param {number[]} times seconds from the moment
	 */
	want(request, times) {
		const text = JSON.stringify(request);
		this.#wanted = text;
		if (this.#calling === null && text !== this.#answered) this.#fetch(request, times, text);
	}

	/** @param {any} request @param {number[]} times @param {string} text */
	async #fetch(request, times, text) {
		const calling = (this.#calling = new AbortController());
		const { signal } = calling;
		try {
			const frames = await this.#client.vertices(request, { signal });
			if (signal.aborted) return;
			const farthest = Math.max(...times.map(Math.abs));
			this.shown = times.map((time, index) => ({
				...{ frames, index, color: colorOf(time, farthest) },
				middle: middleOf(frames.get('position', index)),
			}));
		} catch (error) {
			if (signal.aborted) return;
			this.shown = [];
			this.#on.onError(error);
		}
		this.#answered = text;
		this.#calling = null;
		this.#on.onChange();
	}
}
