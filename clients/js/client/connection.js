// HTTP with a daemon through fetch(): retries while it is busy, and the client's own error classes.
import { ConnectionFailed, problemOf } from './errors.js';

const BUSY = [429, 503]; // responses with Retry-After

/**
 * @typedef {object} CallOptions
 * @property {AbortSignal} [signal] aborts the call, and with it the daemon's work
 * @property {string} [etag] of a response that the caller has: the call resolves to null while it is current
 * @property {number} [deadlineMs] the time that the daemon has to respond
 *
 * @typedef {object} Sent
 * @property {string} method
 * @property {Record<string, unknown>} [query] undefined and null are left out
 * @property {BodyInit} [body]
 * @property {string} [type] of the body
 * @property {string} [accept]
 * @property {boolean} [keep] for PUT: does not replace an existing resource
 * @property {boolean} [async] to be done in the background
 */

/**
 * Functions that a caller can supply. All are optional.
 * @typedef {object} Hooks
 * @property {typeof fetch} [fetch] in place of the platform's
 * @property {(refused: ?string) => Promise<?string>} [askToken] the daemon requires a token, or refused
 *   this one; null = there is none
 * @property {(seconds: number) => void} [onBusy] the request is retried after so many seconds
 * @property {(response: Response) => void} [onAnswer] a response has begun; do not read its body here
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
function headersOf({ type, accept, keep, async }, { etag, deadlineMs }, token) {
	const headers = {
		Authorization: token && `Bearer ${token}`,
		'Content-Type': type,
		Accept: accept,
		'If-None-Match': keep ? '*' : etag,
		Prefer: async && 'respond-async',
		'Posed-Deadline-Ms': deadlineMs && String(deadlineMs),
	};
	const given = Object.entries(headers).filter(([, value]) => value);
	return /** @type {Record<string, string>} */ (Object.fromEntries(given));
}

/** @param {Record<string, unknown>} query */
function queryText(query) {
	const given = Object.entries(query).filter(([, value]) => (value ?? null) !== null);
	for (const [name, value] of given) {
		if (typeof value === 'object' && !Array.isArray(value))
			throw new TypeError(`${name}: an address cannot have an object`);
	}
	const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
	return given.length > 0 ? `?${text}` : '';
}

export class Connection {
	#address;
	#token;
	#patienceMs;
	#hooks;

	/** @param {string} address @param {?string} token @param {number} patienceMs @param {Hooks} hooks */
	constructor(address, token, patienceMs, hooks = {}) {
		this.#address = address.replace(/\/+$/, '');
		this.#token = token;
		this.#patienceMs = patienceMs;
		this.#hooks = hooks;
	}

	/** @param {string} path @param {Record<string, unknown>} [query] */
	url(path, query = {}) {
		return this.#address + path + queryText(query);
	}

	/**
	 * A response with status 2xx, or null if its etag is current (304). Throws Problem if the
	 * daemon refuses, ConnectionFailed if it is unreachable.
	 * @param {string} path @param {Sent} sent @param {CallOptions} [options]
	 */
	async call(path, sent, options = {}) {
		const url = this.url(path, sent.query);
		const giveUp = performance.now() + this.#patienceMs;
		const isStream = sent.body instanceof ReadableStream; // it can be sent only once
		for (;;) {
			const token = this.#token;
			const response = await this.#fetch(url, {
				method: sent.method,
				body: sent.body,
				...(isStream && { duplex: 'half' }), // fetch() requires it
				headers: headersOf(sent, options, token),
				signal: options.signal,
			});
			this.#hooks.onAnswer?.(response);
			if (response.ok) return response;
			if (response.status === 304) return null;
			if (isStream || !(await this.#mayTryAgain(response, token, giveUp, options.signal)))
				throw await problemOf(response);
			await response.body?.cancel();
		}
	}

	/**
	 * True if a retry of a refused request may succeed.
	 * @param {Response} response @param {?string} token that was sent
	 * @param {number} giveUp @param {AbortSignal} [signal]
	 */
	async #mayTryAgain(response, token, giveUp, signal) {
		if (response.status === 401) return this.#findToken(token);
		if (!BUSY.includes(response.status)) return false;
		const seconds = Number(response.headers.get('Retry-After')) || 0.1;
		if (performance.now() + seconds * 1000 > giveUp) return false;
		this.#hooks.onBusy?.(seconds);
		await wait(seconds * 1000, signal);
		return true;
	}

	/** @param {?string} refused */
	async #findToken(refused) {
		if (this.#token !== refused) return true; // another call has asked already
		const token = (await this.#hooks.askToken?.(refused)) ?? null;
		if (token) this.#token = token;
		return token !== null;
	}

	/** @param {string} url @param {RequestInit} request */
	async #fetch(url, request) {
		try {
			return await (this.#hooks.fetch ?? fetch)(url, request);
		} catch (error) {
			if (request.signal?.aborted) throw error;
			throw new ConnectionFailed(`no answer from ${this.#address}`, error);
		}
	}
}
