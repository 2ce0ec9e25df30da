// Frames of vertices ahead of the clock, fetched in chunks, one at a time. No chunk begins before
// the time that the clock will have when it comes: where the daemon is slower than the clock, what
// lies between is never asked for.

const FRAMES_PER_SECOND = 30;
const CHUNK_FRAMES = 12;
const CHUNK_BYTES = 8 << 20;
const LAYOUT = 'position:f32x3,normal:f32x3';

/** @typedef {import('../client/vertices.js').Vertices} Vertices */

/**
 * @typedef {{time: number, vertices: Float32Array, beside: ?Float32Array}} Frame
 *   time: of the clock, running on; vertices: all positions, then all normals; beside: the same by
 *   the method that is compared with; null = none is
 *
 * @typedef {object} Source
 * @property {string} rig
 * @property {import('./mesh_file.js').Mesh} mesh that the vertices are for
 * @property {object} skinning of the API
 * @property {?object} beside another skinning, to be compared with; null = none
 * @property {(time: number) => any} poseAt expression at a time of the clock
 */

export class VertexStream {
	#getVertices;
	#onFrames;
	#onError;
	/** @type {?Source} */
	#source = null;
	/** @type {Frame[]} the one shown, then those to come */
	#frames = [];
	/** @type {?Frame} of a source before, shown while nothing better is there */
	#late = null;
	#busy = false;
	/** Seconds that the last chunk took. */
	#latency = 0;

	/**
	 * @param {(request: object) => Promise<Vertices>} getVertices asks the daemon
	 * @param {{onFrames: () => void, onError: (error: Error) => void}} on
	 */
	constructor(getVertices, { onFrames, onError }) {
		this.#getVertices = getVertices;
		this.#onFrames = onFrames;
		this.#onError = onError;
	}

	/** Forgets all frames: another pose, method or time is wanted. @param {?Source} source */
	restart(source) {
		if (source?.mesh !== this.#source?.mesh) this.#late = null;
		this.#source = source;
		this.#frames = [];
	}

	/**
	 * The newest frame that is not ahead of the clock; null = keep what is shown. Fetches what is
	 * missing.
	 * @param {import('./clock.js').Clock} clock
	 * @returns {?Frame}
	 */
	frameFor(clock) {
		const ahead = this.#frames.findIndex((frame) => frame.time > clock.time);
		const shown = (ahead < 0 ? this.#frames.length : ahead) - 1;
		if (shown > 0) this.#frames.splice(0, shown);
		if (this.#source?.mesh.vertexCount && !this.#busy) {
			const times = clock.playing ? this.#timesAhead(clock) : this.#exactTime(clock);
			if (times.length > 0) this.#fetch(this.#source, times);
		}
		return shown >= 0 ? this.#frames[0] : this.#late;
	}

	/** Someone who stands still wants this very moment. */
	#exactTime(clock) {
		return this.#frames[0]?.time === clock.time ? [] : [clock.time];
	}

	#timesAhead(clock) {
		const step = clock.speed / FRAMES_PER_SECOND;
		const room = Math.floor(CHUNK_BYTES / (this.#source.mesh.vertexCount * 24));
		const count = Math.min(Math.max(room, 1), CHUNK_FRAMES);
		const last = this.#frames.at(-1)?.time ?? -Infinity;
		if (last - clock.time > count * step) return [];
		const first = Math.max(last + step, clock.time + this.#latency * clock.speed);
		return Array.from({ length: count }, (_, i) => first + i * step);
	}

	/** @param {Source} source @param {number[]} times */
	async #fetch(source, times) {
		this.#busy = true;
		const start = performance.now();
		try {
			const frames = await this.#request(source, times);
			this.#latency = (performance.now() - start) / 1000;
			if (source === this.#source) {
				this.#add(frames);
			} else if (source.mesh === this.#source?.mesh) {
				this.#late = frames[0];
			}
		} catch (error) {
			if (source === this.#source) {
				this.#source = null; // not again and again what was refused
				this.#onError(error);
			}
		} finally {
			this.#busy = false;
			this.#onFrames();
		}
	}

	/** @param {Frame[]} frames */
	#add(frames) {
		this.#late = null;
		const first = frames[0].time;
		this.#frames = [...this.#frames.filter((frame) => frame.time < first), ...frames];
	}

	/** @returns {Promise<Frame[]>} */
	async #request(source, times) {
		const ways = [source.skinning, source.beside].filter(Boolean);
		const [frames, others] = await Promise.all(
			ways.map((skinning) => this.#skinned(source, times, skinning)),
		);
		return times.map((time, i) => ({
			time,
			vertices: frames[i],
			beside: others?.[i] ?? null,
		}));
	}

	/** @returns {Promise<Float32Array[]>} */
	async #skinned({ rig, mesh, poseAt }, times, skinning) {
		const request = {
			rig,
			poses: times.map(poseAt),
			attributes: ['position', 'normal'],
			skinning,
		};
		const found = await this.#getVertices(request);
		if (found.layout.text !== LAYOUT || found.vertices !== mesh.vertexCount) {
			throw new Error(
				'The vertices do not fit the mesh: was the rig replaced? Choose it again.',
			);
		}
		// All positions of a frame, then all normals.
		return found.data.map(
			({ buffer, byteOffset, length }) => new Float32Array(buffer, byteOffset, length / 4),
		);
	}
}
