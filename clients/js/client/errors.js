// What can go wrong: the daemon refuses a call, or cannot be reached.

/**
 * A problem document as the daemon writes it (RFC 9457).
 * @typedef {object} ProblemDocument
 * @property {string} [type] a URN that stays the same for one kind of error
 * @property {string} [title]
 * @property {string} [detail] one sentence: what was wrong, and what would be accepted
 * @property {string} [pointer] JSON pointer into the request
 * @property {string} [parameter] name of the query parameter
 * @property {{detail: string, pointer?: string}[]} [errors] what is wrong one by one
 */

/** The daemon's answer to a call that it refused; the message is its own sentence. */
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
		/** By which the daemon's log knows the call. */
		this.requestId = requestId;
	}
}

/** There is no daemon at the address, or the connection ended before the answer did. */
export class ConnectionFailed extends Error {
	/** @param {string} message @param {unknown} cause */
	constructor(message, cause) {
		super(message, { cause });
		this.name = 'ConnectionFailed';
	}
}

/**
 * What an answer's body has; ConnectionFailed where it ends too early.
 * @template T @param {Promise<T>} reading @returns {Promise<T>}
 */
export async function received(reading) {
	try {
		return await reading;
	} catch (error) {
		if (!(error instanceof TypeError)) throw error; // not the network's: it was called off
		throw new ConnectionFailed('the connection ended before the answer did', error);
	}
}

/** An answer's JSON; ConnectionFailed where something else than a daemon has answered. @param {Response} response */
export async function receivedJson(response) {
	const text = await received(response.text());
	try {
		return JSON.parse(text);
	} catch (error) {
		const type = response.headers.get('Content-Type');
		throw new ConnectionFailed(`no JSON came, but ${type}: is there a daemon?`, error);
	}
}

/** The error that an answer stands for; proxies answer with pages of their own. @param {Response} response */
export async function problemOf(response) {
	const text = await received(response.text());
	/** @type {ProblemDocument} */
	let document = {};
	try {
		const read = JSON.parse(text);
		if (typeof read === 'object' && read !== null) document = read;
	} catch {
		// What is not JSON has nothing to say.
	}
	return new Problem(response.status, document, response.headers.get('Posed-Request-Id'));
}
