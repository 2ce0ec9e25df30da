// The errors: the daemon refuses a request, or is unreachable.

/**
 * A problem document as the daemon writes it (RFC 9457).
 * @typedef {object} ProblemDocument
 * @property {string} [type] a URN that stays the same for one kind of error
 * @property {string} [title]
 * @property {string} [detail] one sentence: the mistake, and what would be accepted
 * @property {string} [pointer] JSON pointer into the request
 * @property {string} [parameter] name of the query parameter
 * @property {{detail: string, pointer?: string}[]} [errors] each single mistake
 */

/** The daemon's response to a refused request; the message is its own sentence. */
export class Problem extends Error {
	/** @param {number} status of HTTP @param {ProblemDocument} document @param {?string} requestId */
	constructor(status, document, requestId) {
		const detail = document.detail ?? `the daemon answered ${status}`;
		const place = document.pointer || document.parameter;
		super(place ? `${detail} (at ${place})` : detail);
		this.name = 'Problem';
		this.status = status;
		this.type = document.type ?? 'about:blank';
		this.title = document.title ?? '';
		this.detail = detail;
		this.pointer = document.pointer ?? null;
		this.parameter = document.parameter ?? null;
		this.errors = document.errors ?? [];
		/** The ID of the request in the daemon's log. */
		this.requestId = requestId;
	}
}

/** There is no daemon at the address, or the connection ended before the response did. */
export class ConnectionFailed extends Error {
	/** @param {string} message @param {unknown} cause */
	constructor(message, cause) {
		super(message, { cause });
		this.name = 'ConnectionFailed';
	}
}

/**
 * The body of a response; ConnectionFailed if it ends too early.
 * @template T @param {Promise<T>} reading @returns {Promise<T>}
 */
export async function received(reading) {
	try {
		return await reading;
	} catch (error) {
		if (!(error instanceof TypeError)) throw error; // not a network error: it was aborted
		throw new ConnectionFailed('the connection ended before the answer did', error);
	}
}

/** The JSON of a response; ConnectionFailed if the response is not the daemon's. @param {Response} response */
export async function receivedJson(response) {
	const text = await received(response.text());
	try {
		return JSON.parse(text);
	} catch (error) {
		const type = response.headers.get('Content-Type');
		throw new ConnectionFailed(`no JSON came, but ${type}: is there a daemon?`, error);
	}
}

/** The error that a response stands for; proxies respond with pages of their own. @param {Response} response */
export async function problemOf(response) {
	const text = await received(response.text());
	/** @type {ProblemDocument} */
	let document = {};
	try {
		const read = JSON.parse(text);
		if (typeof read === 'object' && read !== null) document = read;
	} catch {
		// A body that is not JSON has no details.
	}
	return new Problem(response.status, document, response.headers.get('Posed-Request-Id'));
}
