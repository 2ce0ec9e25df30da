// HTTP with a daemon through fetch(): patience with a busy one, and errors of our own kinds.
import { ConnectionFailed, problemOf } from './errors.js';

const BUSY = [429, 503]; // answers that come with Retry-After

/**
 * @typedef {object} CallOptions
 * @property {AbortSignal} [signal] ends the call, and with it the daemon's work
 * @property {string} [etag] of an answer that the caller has: the call gives null while it holds
 * @property {number} [deadlineMs] the time that the daemon has for the answer
 *
 * @typedef {object} Sent
 * @property {string} method
 * @property {Record<string, unknown>} [query] what is undefined is left out
 * @property {BodyInit} [body]
 * @property {string} [type] of the body
 * @property {string} [accept]
 * @property {boolean} [keep] of PUT: nothing that is there is replaced
 */

/** @param {number} ms @param {AbortSignal} [signal] @returns {Promise<void>} */
function wait(ms, signal) {
	return new Promise((resolve, reject) => {
		const stop = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener('abort', stop);
			resolve();
		}, ms);
		signal?.addEventListener('abort', stop, { once: true });
	});
}

/** @param {Sent} sent @param {CallOptions} options @param {?string} token */
function headersOf({ type, accept, keep }, { etag, deadlineMs }, token) {
	const headers = {
		Authorization: token && `Bearer ${token}`,
		'Content-Type': type,
		Accept: accept,
		'If-None-Match': keep ? '*' : etag,
		'Posed-Deadline-Ms': deadlineMs && String(deadlineMs),
	};
	const given = Object.entries(headers).filter(([, value]) => value);
	return /** @type {Record<string, string>} */ (Object.fromEntries(given));
}

/** @param {Record<string, unknown>} query */
function queryText(query) {
	const given = Object.entries(query).filter(([, value]) => value !== undefined);
	const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
	return given.length > 0 ? `?${text}` : '';
}

export class Connection {
	#address;
	#token;
	#patienceMs;

	/** @param {string} address @param {?string} token @param {number} patienceMs */
	constructor(address, token, patienceMs) {
		this.#address = address.replace(/\/+$/, '');
		this.#token = token;
		this.#patienceMs = patienceMs;
	}

	/** @param {string} path @param {Record<string, unknown>} [query] */
	url(path, query = {}) {
		return this.#address + path + queryText(query);
	}

	/**
	 * An answer with status 2xx, or null where its etag still holds (304). Throws Problem where the
	 * daemon refuses, ConnectionFailed where there is none.
	 * @param {string} path @param {Sent} sent @param {CallOptions} [options]
	 */
	async call(path, sent, options = {}) {
		const request = {
			method: sent.method,
			body: sent.body,
			headers: headersOf(sent, options, this.#token),
			signal: options.signal,
		};
		const giveUp = performance.now() + this.#patienceMs;
		for (;;) {
			const response = await this.#fetch(this.url(path, sent.query), request);
			if (response.ok) return response;
			if (response.status === 304) return null;
			const pause = (Number(response.headers.get('Retry-After')) || 0.1) * 1000;
			if (!BUSY.includes(response.status) || performance.now() + pause > giveUp) {
				throw await problemOf(response);
			}
			await response.body?.cancel();
			await wait(pause, options.signal);
		}
	}

	/** @param {string} url @param {RequestInit} request */
	async #fetch(url, request) {
		try {
			return await fetch(url, request);
		} catch (error) {
			if (request.signal?.aborted) throw error;
			throw new ConnectionFailed(`no answer from ${this.#address}`, error);
		}
	}
}
