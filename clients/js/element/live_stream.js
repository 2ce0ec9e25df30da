// Keeps the mesh of a rig and the stream of its vertices up to date: reconnects when the daemon was away or
// the rig was replaced, and otherwise PATCHes the stream, one request at a time. Invisible viewers close it.
import { ConnectionFailed } from '../client/errors.js';
import { decodePicture, readMesh } from './mesh_file.js';
import { FrameRate } from './frame_rate.js';
import { slots } from './connection_slots.js';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10000;
const TOLD_AGAIN_MS = 2000;
// Other windows of this browser, unknown to this page, need connections too.
const LONGEST_STREAM_MS = 30000;
// Intervals between the moments of viewers without a slot: moving ones, and paused ones.
const LOOK_MS = 100;
const LOOK_AGAIN_MS = 5000;
const NO_STREAM = 'urn:posed:unknown-stream';

/**
 * @typedef {import('../client/stream.js').Moment} Moment
 * @typedef {import('./mesh_file.js').Mesh} Mesh
 *
 * @typedef {object} Subject the rig and pose to stream
 * @property {import('../client/posed.js').Client} client
 * @property {string} key of the mesh: equal keys mean equal meshes
 * @property {() => Promise<?ArrayBuffer>} mesh fetches its file
 * @property {() => any} request makes the request of the stream when it begins, with fps (maximum),
 *   time, speed and paused
 *
 * @typedef {object} Listener
 * @property {(mesh: Mesh, pictures: ImageBitmap[]) => void} onMesh a new mesh, which later moments
 *   belong to
 * @property {(moment: Moment) => void} onMoment
 * @property {() => void} onOutdated the stream no longer shows the current rig; repeated while this lasts
 * @property {(error: any, isLost: boolean) => void} onError isLost: the daemon is unreachable and the
 *   stream is retried; otherwise it is held until something changes
 * @property {() => void} [onChange] isSettled may have changed
 */

/** The rig was replaced between two requests. */
class Replaced extends Error {}

/** @param {ArrayBuffer} file */
export async function decode(file) {
	const mesh = readMesh(file);
	return { mesh, pictures: await Promise.all(mesh.textures.map(decodePicture)) };
}

export class LiveStream {
	#on;
	/** @type {?Subject} null = no stream is wanted */
	#subject = null;
	/** @type {?Subject} that was refused, or is held */
	#held = null;
	/** @type {?import('../client/stream.js').Stream} */
	#stream = null;
	/** @type {?AbortController} of a stream that is being opened */
	#beginning = null;
	#runs = false;
	#isSeen = true;
	#isAwake = true;
	/** True if the stream closes after its next moment; changes then wait for the next stream. */
	#looks = false;
	/** True while the pose is paused. */
	#isStill = false;
	/** The time of the last moment while the clock runs on from there. @type {?number} */
	#movedAt = null;
	/** @type {?FrameRate} */
	#frameRate = null;
	#retryMs = FIRST_RETRY_MS;
	#hurry = () => {};
	/** Key of the mesh that was passed on. @type {?string} */
	#key = null;
	#vertexCount = 0;
	/** Changes to be sent. @type {Record<string, any>} */
	#changes = {};
	#sending = false;
	#count = 0; // of the moments received
	#changedAt = 0; // moments after this one include all changes
	#toldAt = -Infinity;

	/** @param {Listener} on */
	constructor(on) {
		this.#on = on;
	}

	/** Streams this subject from now on. @param {?Subject} subject null = closes the stream */
	open(subject) {
		this.#held = null;
		this.#subject = subject;
		this.#leave();
		this.#changes = {}; // the request has them
		this.#frameRate = null;
		this.#retryMs = FIRST_RETRY_MS;
		if (subject) {
			document.addEventListener('visibilitychange', this.#attend);
			this.#attend();
		} else {
			document.removeEventListener('visibilitychange', this.#attend);
			this.#key = null;
		}
		this.#run();
	}

	/** Takes a mesh as loaded. @param {string} key @param {number} vertexCount */
	adopt(key, vertexCount) {
		this.#key = key;
		this.#vertexCount = vertexCount;
	}

	/** Sets the visibility; the stream is closed while it is invisible. @param {boolean} isSeen */
	setSeen(isSeen) {
		this.#isSeen = isSeen;
		this.#attend();
	}

	/** Falls asleep or wakes up. Pages in the back/forward cache are hidden, too. */
	#attend = () => {
		const isAwake = this.#isSeen && !document.hidden;
		if (isAwake === this.#isAwake) return;
		this.#isAwake = isAwake;
		this.#leave();
	};

	/** Closes the stream until the next change. */
	hold() {
		this.#held = this.#subject ?? this.#held;
		this.#subject = null;
		this.#leave();
	}

	/** Changes members of the stream; a held stream resumes. @param {Record<string, any>} members */
	change(members) {
		if (this.#held) this.open(this.#held);
		Object.assign(this.#changes, members);
		this.#send();
		this.#hurry();
	}

	/** True if the last moment includes all changes, or no more moments are expected. */
	get isSettled() {
		if (!this.#subject || !this.#isAwake) return true;
		const isAsked = !this.#sending && Object.keys(this.#changes).length === 0;
		return this.#stream !== null && isAsked && this.#count > this.#changedAt;
	}

	/** Closes the stream, or the attempt to open one. */
	#leave() {
		if (this.#subject) this.#subject = { ...this.#subject }; // pending work for the old one now notices that it is stale
		this.#movedAt = null;
		this.#beginning?.abort();
		this.#beginning = null;
		this.#stream?.close();
		this.#stream = null;
		this.#hurry();
	}

	async #run() {
		if (this.#runs) return;
		this.#runs = true;
		await null; // the caller may make more changes first
		while (this.#subject) {
			const subject = this.#subject;
			try {
				if (this.#isAwake) await this.#show(subject);
				else await this.#wait();
			} catch (error) {
				if (subject === this.#subject) await this.#recover(error);
			}
		}
		this.#runs = false;
	}

	/** Waits for the next change. @param {number} [ms] timeout */
	async #wait(ms) {
		let timer;
		await new Promise((resolve) => {
			this.#hurry = () => resolve(undefined);
			if (ms !== undefined) timer = setTimeout(resolve, ms);
		});
		clearTimeout(timer);
	}

	/** @param {unknown} error */
	async #recover(error) {
		this.#stream = null;
		this.#key = null;
		this.#movedAt = null;
		const isLost = error instanceof ConnectionFailed || error instanceof Replaced;
		if (!isLost) this.hold();
		this.#on.onError(error, isLost);
		if (!isLost) return;
		await this.#wait(this.#retryMs);
		this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
	}

	/** Streams the subject until it is no longer wanted or its slot is needed. @param {Subject} subject */
	async #show(subject) {
		// The mesh comes first: streams that wait for it could take all connections.
		const file = await this.#meshFile(subject);
		if (subject !== this.#subject) return;
		this.#looks = !slots.take(!this.#standsStill(subject));
		if (this.#looks) return this.#look(subject, file);
		try {
			const stream = await this.#begin(subject, file);
			if (stream) await this.#follow(stream);
		} finally {
			slots.give();
		}
	}

	/** @param {Subject} subject */
	#standsStill(subject) {
		return { ...subject.request(), ...this.#changes }.paused;
	}

	/**
	 * Shows one moment, and waits until the next one is due.
	 * @param {Subject} subject @param {?ArrayBuffer} file
	 */
	async #look(subject, file) {
		const begun = performance.now();
		await slots.inTurn(async () => {
			const stream = subject === this.#subject && (await this.#begin(subject, file));
			if (stream) await this.#follow(stream, 1);
		});
		const spent = performance.now() - begun;
		if (subject === this.#subject && Object.keys(this.#changes).length === 0)
			await this.#wait(this.#isStill ? LOOK_AGAIN_MS : Math.max(LOOK_MS - spent, 0));
	}

	/** The file of the mesh; null if the mesh is loaded already. @param {Subject} subject */
	async #meshFile({ key, mesh }) {
		if (key === this.#key) return null;
		const file = await mesh();
		if (!file) throw new Error('the daemon gave no mesh');
		return file;
	}

	/**
	 * Opens a stream; null if it is no longer wanted by then.
	 * @param {Subject} subject @param {?ArrayBuffer} file of a mesh to load first
	 */
	async #begin(subject, file) {
		const beginning = (this.#beginning = new AbortController());
		const request = this.#request(subject);
		const opening = subject.client.stream(request, { signal: beginning.signal });
		const [stream, mesh] = await Promise.all([opening, file && decode(file)]).catch((error) => {
			opening.then(
				(open) => open.close(),
				() => {},
			);
			throw error;
		});
		if (subject !== this.#subject) {
			stream.close();
			return null;
		}
		this.#beginning = null;
		this.#stream = stream;
		if (mesh) this.#takeMesh(subject, mesh);
		if (stream.vertices !== this.#vertexCount) {
			stream.close();
			throw new Replaced('The vertices do not fit the mesh: the rig was replaced.');
		}
		this.#count = this.#changedAt = 0;
		this.#send();
		return stream;
	}

	/** The request of a stream that begins now. @param {Subject} subject */
	#request(subject) {
		const request = { ...subject.request(), ...this.#changes };
		const isAt = 'time' in this.#changes;
		this.#changes = {};
		this.#isStill = request.paused;
		this.#frameRate ??= new FrameRate(request.fps);
		this.#frameRate.restart();
		if (this.#movedAt !== null && !isAt && !this.#isStill)
			request.time += ((performance.now() - this.#movedAt) / 1000) * request.speed;
		return { ...request, fps: this.#frameRate.fps };
	}

	/** @param {Subject} subject @param {{mesh: Mesh, pictures: ImageBitmap[]}} loaded */
	#takeMesh({ key }, { mesh, pictures }) {
		this.#key = key;
		this.#vertexCount = mesh.vertexCount;
		this.#on.onMesh(mesh, pictures);
	}

	/**
	 * Receives moments until the stream ends or gives up its slot.
	 * @param {import('../client/stream.js').Stream} stream @param {number} most maximum of moments
	 */
	async #follow(stream, most = Infinity) {
		const ends = performance.now() + LONGEST_STREAM_MS;
		for await (const moment of stream.moments()) {
			if (stream !== this.#stream) return;
			this.#takeMoment(moment);
			if (moment.count >= most || (this.isSettled && this.#mayEnd(ends))) {
				this.#stream = null;
				return;
			}
		}
		if (stream === this.#stream)
			throw new ConnectionFailed('the daemon has ended the stream', null);
	}

	/** True if the slot should be released. @param {number} ends when it must be at the latest */
	#mayEnd(ends) {
		return performance.now() > ends || (this.#isStill && slots.isWanted);
	}

	/** @param {Moment} moment */
	#takeMoment(moment) {
		this.#retryMs = FIRST_RETRY_MS;
		this.#count = moment.count;
		const now = performance.now();
		this.#movedAt = now;
		this.#on.onMoment(moment);
		const frameRate = /** @type {FrameRate} */ (this.#frameRate);
		if (frameRate.note(moment.since, now / 1000)) this.change({ fps: frameRate.fps });
		if (moment.outdated) this.#tellOutdated();
	}

	#tellOutdated() {
		const now = performance.now();
		if (now - this.#toldAt < TOLD_AGAIN_MS) return;
		this.#toldAt = now;
		this.#on.onOutdated();
	}

	/** Sends the pending changes unless a request is in flight. */
	async #send() {
		const stream = this.#stream;
		const members = this.#changes;
		if (!stream || this.#looks || this.#sending || Object.keys(members).length === 0) return;
		this.#changes = {};
		this.#isStill = members.paused ?? this.#isStill;
		this.#sending = true;
		try {
			const { frames } = await stream.change(members);
			if (stream === this.#stream) this.#changedAt = frames;
		} catch (error) {
			if (stream === this.#stream) this.#failChange(stream, error);
		} finally {
			this.#sending = false;
			this.#on.onChange?.();
			this.#send();
		}
	}

	/** @param {import('../client/stream.js').Stream} stream @param {any} error */
	#failChange(stream, error) {
		// If the stream is gone, a new one begins with the changes.
		if (error instanceof ConnectionFailed || error.type === NO_STREAM) stream.close();
		else this.#on.onError(error, false);
	}
}
