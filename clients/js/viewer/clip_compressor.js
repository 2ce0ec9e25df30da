// Has the daemon compress a clip for the latest request: the report, and the file where it is wanted.
import { Problem } from '../client/errors.js';

const PAUSE_MS = 200; // without a change, before a request is sent

/** @typedef {import('../client/client.js').CompressRequest} CompressRequest */

export class ClipCompressor {
	#client;
	#on;
	#timer = 0;
	/** @type {?AbortController} of the request that is under way; null = none */
	#running = null;
	/** What is wanted, or has been done; "" = nothing. */
	#wanted = '';
	/** The request that the last report belongs to. */
	#reported = '';
	/** @type {{key: string, file: ?ArrayBuffer}} the last file, and its request */
	#last = { key: '', file: null };

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {object} on
	 * @param {() => void} on.onBegin
	 * @param {() => void} on.onEncoded what is left is to measure the error
	 * @param {(report: import('../client/responses.js').CompressReport) => void} on.onReport
	 * @param {(file: ArrayBuffer) => void} on.onFile
	 * @param {() => void} on.onDone
	 * @param {(error: Error) => void} on.onError in place of onDone
	 */
	constructor(client, on) {
		this.#client = client;
		this.#on = on;
	}

	/** Forgets all responses, as the rig is another one. */
	forget() {
		this.cancel();
		this.#wanted = this.#reported = '';
		this.#last = { key: '', file: null };
	}

	cancel() {
		clearTimeout(this.#timer);
		if (this.#isBusy) this.#wanted = '';
		this.#running?.abort();
		this.#running = null;
		this.#timer = 0;
	}

	get #isBusy() {
		return this.#timer !== 0 || this.#running !== null;
	}

	/**
	 * Requests this in place of what was wanted before, after a pause in which more may change.
	 * @param {CompressRequest} request @param {boolean} needsFile
	 */
	want(request, needsFile) {
		const wanted = JSON.stringify([request, needsFile]);
		if (wanted === this.#wanted) return;
		this.cancel();
		this.#wanted = wanted;
		this.#on.onBegin();
		this.#timer = setTimeout(() => this.#run(request, needsFile), PAUSE_MS);
	}

	/**
	 * The file of a request.
	 * @param {CompressRequest} request @param {import('../client/connection.js').CallOptions} [options]
	 */
	async file(request, options) {
		const key = JSON.stringify(request);
		if (this.#last.file && this.#last.key === key) return this.#last.file;
		const file = await this.#client.compress(request, options);
		this.#last = { key, file };
		return file;
	}

	/** @param {CompressRequest} request @param {boolean} needsFile */
	async #run(request, needsFile) {
		const running = (this.#running = new AbortController());
		this.#timer = 0;
		try {
			await this.#fetch(request, needsFile, running);
		} catch (error) {
			if (running !== this.#running) return; // it was cancelled
			this.#running = null;
			this.#reported = '';
			if (!(error instanceof Problem)) this.#wanted = ''; // it may be tried again
			this.#on.onError(error);
		}
	}

	/** @param {string} key @param {import('../client/client.js').CompressEvent} event the last */
	#take(key, { report, file }) {
		this.#reported = key;
		this.#last = { key, file };
		this.#on.onReport(report);
	}

	/** @param {CompressRequest} request @param {boolean} needsFile @param {AbortController} running */
	async #fetch(request, needsFile, running) {
		const { signal } = running;
		const key = JSON.stringify(request);
		if (key !== this.#reported) {
			for await (const event of this.#client.compressEvents(request, { signal })) {
				if (running !== this.#running) return;
				if (event.event === 'clip') this.#on.onEncoded();
				if (event.event === 'end') this.#take(key, event);
			}
		}
		if (needsFile) {
			const file = await this.file(request, { signal });
			if (running !== this.#running) return;
			this.#on.onFile(file);
		}
		this.#running = null;
		this.#on.onDone();
	}
}
