// The mesh of a rig and the stream of its vertices: begun anew where it must be and when the daemon
// was away, and changed otherwise, one call at a time. While nobody can see it there is none.
import { ConnectionFailed } from '../client/errors.js';
import { decodePicture, readMesh } from './mesh_file.js';
import { Pace } from './pace.js';
import { places } from './places.js';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10000;
const TOLD_AGAIN_MS = 2000;
// Connections are also for the other windows of this browser, of which this page does not know.
const LONGEST_STREAM_MS = 30000;
// Between the moments of those who have found no place: what moves, and what stands still.
const LOOK_MS = 100;
const LOOK_AGAIN_MS = 5000;
const NO_STREAM = 'urn:posed:unknown-stream';

/**
 * @typedef {import('../client/stream.js').Moment} Moment
 * @typedef {import('./mesh_file.js').Mesh} Mesh
 *
 * @typedef {object} Subject what is streamed
 * @property {import('../client/posed.js').Client} client
 * @property {string} key of the mesh: subjects with the same one have the same
 * @property {() => Promise<?ArrayBuffer>} mesh its file
 * @property {() => any} request of the stream, as things stand when it begins, with fps (at most so
 *   many), time, speed and paused
 *
 * @typedef {object} Listener
 * @property {(mesh: Mesh, pictures: ImageBitmap[]) => void} onMesh another one; moments from here on are
 *   of it
 * @property {(moment: Moment) => void} onMoment
 * @property {() => void} onOutdated the stream is not of what the rig is now; said again while it is so
 * @property {(error: any, isLost: boolean) => void} onError isLost: the daemon is away, and is asked
 *   again; else nothing comes until something changes
 * @property {() => void} [onChange] it has come about what isSettled says
 */

/** The rig was replaced between two calls. */
class Replaced extends Error {}

/** @param {ArrayBuffer} file */
async function decode(file) {
	const mesh = readMesh(file);
	return { mesh, pictures: await Promise.all(mesh.textures.map(decodePicture)) };
}

export class Live {
	#on;
	/** @type {?Subject} null = nothing is wanted */
	#subject = null;
	/** @type {?Subject} that was refused, or held */
	#held = null;
	/** @type {?import('../client/stream.js').Stream} */
	#stream = null;
	/** @type {?AbortController} of a stream that begins */
	#beginning = null;
	#runs = false;
	#isSeen = true;
	#isAwake = true;
	/** Whether the stream is given back after its next moment: changes are for the one after it. */
	#looks = false;
	/** Whether the pose stands still. */
	#isStill = false;
	/** When the last moment came, if the clock runs on from there. @type {?number} */
	#movedAt = null;
	/** @type {?Pace} */
	#pace = null;
	#retryMs = FIRST_RETRY_MS;
	#hurry = () => {};
	/** Of the mesh that was given away. @type {?string} */
	#key = null;
	#vertexCount = 0;
	/** Changes that are to be sent. @type {Record<string, any>} */
	#changes = {};
	#sending = false;
	#count = 0; // of moments that came
	#changedAt = 0; // moments behind this one have all changes
	#toldAt = -Infinity;

	/** @param {Listener} on */
	constructor(on) {
		this.#on = on;
	}

	/** What comes from here on is of this subject. @param {?Subject} subject null = nothing comes */
	open(subject) {
		this.#held = null;
		this.#subject = subject;
		this.#leave();
		this.#changes = {}; // the request has them
		this.#pace = null;
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

	/** Whether what comes can be seen; else nothing is open until it can. @param {boolean} isSeen */
	setSeen(isSeen) {
		this.#isSeen = isSeen;
		this.#attend();
	}

	/** Falls asleep or wakes up. Also pages that are left, and may be come back to, are hidden. */
	#attend = () => {
		const isAwake = this.#isSeen && !document.hidden;
		if (isAwake === this.#isAwake) return;
		this.#isAwake = isAwake;
		this.#leave();
	};

	/** Nothing comes until something is to change. */
	hold() {
		this.#held = this.#subject ?? this.#held;
		this.#subject = null;
		this.#leave();
	}

	/** Members of the stream are to be others; what was held goes on. @param {Record<string, any>} members */
	change(members) {
		if (this.#held) this.open(this.#held);
		Object.assign(this.#changes, members);
		this.#send();
		this.#hurry();
	}

	/** Whether the last moment has all that was asked for, or nothing more is to come. */
	get isSettled() {
		if (!this.#subject || !this.#isAwake) return true;
		const isAsked = !this.#sending && Object.keys(this.#changes).length === 0;
		return this.#stream !== null && isAsked && this.#count > this.#changedAt;
	}

	/** Ends what is open, or begins. */
	#leave() {
		if (this.#subject) this.#subject = { ...this.#subject }; // not the one that is being left
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
		await null; // whoever opens may have more to say of it
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

	/** Until something changes. @param {number} [ms] and no longer than that */
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

	/** Shows the subject until it is no longer wanted, or others want its place. @param {Subject} subject */
	async #show(subject) {
		// The mesh comes first: streams that wait for it could have taken all connections.
		const file = await this.#meshFile(subject);
		if (subject !== this.#subject) return;
		this.#looks = !places.take(!this.#standsStill(subject));
		if (this.#looks) return this.#look(subject, file);
		try {
			const stream = await this.#begin(subject, file);
			if (stream) await this.#follow(stream);
		} finally {
			places.give();
		}
	}

	/** @param {Subject} subject */
	#standsStill(subject) {
		return { ...subject.request(), ...this.#changes }.paused;
	}

	/**
	 * Shows one moment, and waits until it is time for the next.
	 * @param {Subject} subject @param {?ArrayBuffer} file
	 */
	async #look(subject, file) {
		const begun = performance.now();
		await places.inTurn(async () => {
			const stream = subject === this.#subject && (await this.#begin(subject, file));
			if (stream) await this.#follow(stream, 1);
		});
		const spent = performance.now() - begun;
		if (subject === this.#subject && Object.keys(this.#changes).length === 0)
			await this.#wait(this.#isStill ? LOOK_AGAIN_MS : Math.max(LOOK_MS - spent, 0));
	}

	/** The file of the mesh; null where the mesh is there already. @param {Subject} subject */
	async #meshFile({ key, mesh }) {
		if (key === this.#key) return null;
		const file = await mesh();
		if (!file) throw new Error('the daemon gave no mesh');
		return file;
	}

	/**
	 * Opens a stream; null where it is no longer wanted then.
	 * @param {Subject} subject @param {?ArrayBuffer} file of a mesh that is to be taken first
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

	/** Of a stream that begins now. @param {Subject} subject */
	#request(subject) {
		const request = { ...subject.request(), ...this.#changes };
		const isAt = 'time' in this.#changes;
		this.#changes = {};
		this.#isStill = request.paused;
		this.#pace ??= new Pace(request.fps);
		this.#pace.restart();
		if (this.#movedAt !== null && !isAt && !this.#isStill)
			request.time += ((performance.now() - this.#movedAt) / 1000) * request.speed;
		return { ...request, fps: this.#pace.fps };
	}

	/** @param {Subject} subject @param {{mesh: Mesh, pictures: ImageBitmap[]}} loaded */
	#takeMesh({ key }, { mesh, pictures }) {
		this.#key = key;
		this.#vertexCount = mesh.vertexCount;
		this.#on.onMesh(mesh, pictures);
	}

	/**
	 * Takes what comes, until it ends or may.
	 * @param {import('../client/stream.js').Stream} stream @param {number} most moments
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

	/** Whether the place is to be given to others. @param {number} ends when it is at the latest */
	#mayEnd(ends) {
		return performance.now() > ends || (this.#isStill && places.isWanted);
	}

	/** @param {Moment} moment */
	#takeMoment(moment) {
		this.#retryMs = FIRST_RETRY_MS;
		this.#count = moment.count;
		const now = performance.now();
		this.#movedAt = now;
		this.#on.onMoment(moment);
		const pace = /** @type {Pace} */ (this.#pace);
		if (pace.note(moment.since, now / 1000)) this.change({ fps: pace.fps });
		if (moment.outdated) this.#tellOutdated();
	}

	#tellOutdated() {
		const now = performance.now();
		if (now - this.#toldAt < TOLD_AGAIN_MS) return;
		this.#toldAt = now;
		this.#on.onOutdated();
	}

	/** Sends what is to be changed, unless a call is under way. */
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
		// Where the stream is gone it begins anew, with what was to be changed.
		if (error instanceof ConnectionFailed || error.type === NO_STREAM) stream.close();
		else this.#on.onError(error, false);
	}
}
