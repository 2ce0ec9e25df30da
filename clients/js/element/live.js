// The mesh of a rig and the stream of its vertices: begun anew where it must be and when the daemon
// was away, and changed otherwise, one call at a time.
import { ConnectionFailed } from '../client/errors.js';
import { decodePicture, readMesh } from './mesh_file.js';
import { Pace } from './pace.js';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10000;
const TOLD_AGAIN_MS = 2000;
const NO_STREAM = 'urn:posed:unknown-stream';

/**
 * @typedef {import('../client/stream.js').Moment} Moment
 * @typedef {import('./mesh_file.js').Mesh} Mesh
 *
 * @typedef {object} Subject what is streamed
 * @property {import('../client/posed.js').Client} client
 * @property {string} key of the mesh: subjects with the same one have the same
 * @property {() => Promise<?ArrayBuffer>} mesh its file
 * @property {() => any} request of the stream, as things stand when it begins; fps: at most so many
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
		this.#leave();
		this.#held = null;
		this.#subject = subject && { ...subject }; // not the one that is being left
		if (subject === null) this.#key = null;
		this.#retryMs = FIRST_RETRY_MS;
		this.#run();
	}

	/** Nothing comes until something is to change. */
	hold() {
		this.#held = this.#subject ?? this.#held;
		this.#subject = null;
		this.#leave();
	}

	/** Members of the stream are to be others; what was held goes on. @param {Record<string, any>} members */
	change(members) {
		if (this.#held) {
			this.open(this.#held);
		} else {
			Object.assign(this.#changes, members);
			this.#send();
		}
	}

	/** Whether the last moment has all that was asked for, or nothing more is to come. */
	get isSettled() {
		if (!this.#subject) return true;
		const isAsked = !this.#sending && Object.keys(this.#changes).length === 0;
		return this.#stream !== null && isAsked && this.#count > this.#changedAt;
	}

	#leave() {
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
				await this.#show(subject);
			} catch (error) {
				if (subject === this.#subject) await this.#recover(error);
			}
		}
		this.#runs = false;
	}

	/** @param {unknown} error */
	async #recover(error) {
		this.#stream = null;
		this.#key = null;
		const isLost = error instanceof ConnectionFailed || error instanceof Replaced;
		if (!isLost) this.hold();
		this.#on.onError(error, isLost);
		if (!isLost) return;
		await new Promise((resolve) => {
			this.#hurry = () => resolve(undefined);
			setTimeout(resolve, this.#retryMs);
		});
		this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
	}

	/** Shows the subject until it ends, or is no longer wanted. @param {Subject} subject */
	async #show(subject) {
		const beginning = (this.#beginning = new AbortController());
		this.#changes = {}; // the request has them
		const request = subject.request();
		const opening = subject.client.stream(request, { signal: beginning.signal });
		const [stream, mesh] = await Promise.all([opening, this.#meshOf(subject)]).catch((error) => {
			opening.then(
				(open) => open.close(),
				() => {},
			);
			throw error;
		});
		if (subject !== this.#subject) return void stream.close();
		this.#beginning = null;
		this.#stream = stream;
		if (mesh) this.#takeMesh(subject, mesh);
		if (stream.vertices !== this.#vertexCount) {
			stream.close();
			throw new Replaced('The vertices do not fit the mesh: the rig was replaced.');
		}
		this.#count = this.#changedAt = 0;
		this.#send();
		await this.#follow(stream, new Pace(request.fps));
	}

	/** The mesh with its pictures; null where it is there already. @param {Subject} subject */
	async #meshOf({ key, mesh: file }) {
		if (key === this.#key) return null;
		const bytes = await file();
		if (!bytes) throw new Error('the daemon gave no mesh');
		const mesh = readMesh(bytes);
		return { mesh, pictures: await Promise.all(mesh.textures.map(decodePicture)) };
	}

	/** @param {Subject} subject @param {{mesh: Mesh, pictures: ImageBitmap[]}} loaded */
	#takeMesh({ key }, { mesh, pictures }) {
		this.#key = key;
		this.#vertexCount = mesh.vertexCount;
		this.#on.onMesh(mesh, pictures);
	}

	/** @param {import('../client/stream.js').Stream} stream @param {Pace} pace */
	async #follow(stream, pace) {
		for await (const moment of stream.moments()) {
			if (stream !== this.#stream) return;
			this.#retryMs = FIRST_RETRY_MS;
			this.#count = moment.count;
			this.#on.onMoment(moment);
			if (pace.note(moment.since, performance.now() / 1000)) this.change({ fps: pace.fps });
			if (moment.outdated) this.#tellOutdated();
		}
		if (stream === this.#stream)
			throw new ConnectionFailed('the daemon has ended the stream', null);
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
		if (!stream || this.#sending || Object.keys(members).length === 0) return;
		this.#changes = {};
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
