// Calls to the daemon. A call that meets a busy daemon is tried again, one that needs a token asks
// for it, and one that is refused throws the sentence of the problem document.

const MOST_TRIES = 6;
const TOKEN_KEY = 'posed-token';

/** A call that the daemon refused; the message is its own sentence. */
export class Refusal extends Error {
	/**
	 * @param {number} status
	 * @param {{detail?: string, errors?: {detail: string}[]}} problem RFC 9457
	 */
	constructor(status, problem) {
		super(problem.detail ?? `The daemon answered ${status}.`);
		this.status = status;
		/** What is wrong one by one, where the daemon says it. */
		this.errors = (problem.errors ?? []).map((error) => error.detail);
	}
}

/** @param {string} rig @param {string} rest what follows in the path */
export function rigPath(rig, rest = '') {
	return `v1/rigs/${encodeURIComponent(rig)}${rest}`;
}

/** @param {Response} response @param {ArrayBuffer} body */
function refusalOf(response, body) {
	try {
		return new Refusal(response.status, JSON.parse(new TextDecoder().decode(body)));
	} catch {
		return new Refusal(response.status, {});
	}
}

/** @param {number} seconds */
const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/**
 * fetch() for a body whose progress is to be seen, which fetch() cannot tell.
 * @param {string} path
 * @param {{method: string, body: Blob, headers: Record<string, string>}} request
 * @param {(share: number) => void} onProgress
 * @returns {Promise<Response>}
 */
function sendWithProgress(path, request, onProgress) {
	return new Promise((resolve, reject) => {
		const call = new XMLHttpRequest();
		call.open(request.method, path);
		call.responseType = 'arraybuffer';
		for (const [name, value] of Object.entries(request.headers)) {
			call.setRequestHeader(name, value);
		}
		call.upload.onprogress = (event) => onProgress(event.loaded / Math.max(event.total, 1));
		call.onerror = () => reject(new TypeError('no connection'));
		call.onload = () => {
			const retry = call.getResponseHeader('Retry-After');
			const headers = retry ? { 'Retry-After': retry } : {};
			resolve(new Response(call.response, { status: call.status, headers }));
		};
		call.send(request.body);
	});
}

/** @typedef {{response: Response, bytes: number, seconds: number}} Answer */

/** What the page needs of the daemon. */
export class Api {
	#askToken;
	/** @type {?Promise<boolean>} a question for a token that is open */
	#asking = null;

	/**
	 * @param {object} options
	 * @param {(again: boolean) => Promise<?string>} options.askToken null = the user gives none
	 * @param {(seconds: number) => void} options.onBusy the daemon wants to be left alone so long;
	 *   0 = it has answered
	 * @param {(answer: Answer) => void} options.onAnswer
	 */
	constructor({ askToken, onBusy, onAnswer }) {
		this.#askToken = askToken;
		this.onBusy = onBusy;
		this.onAnswer = onAnswer;
	}

	/** @param {string} path @returns {Promise<any>} */
	async getJson(path) {
		const { body } = await this.#call(path, { method: 'GET' });
		return JSON.parse(new TextDecoder().decode(body));
	}

	/** @param {string} path */
	async getBytes(path) {
		return (await this.#call(path, { method: 'GET' })).body;
	}

	/** @param {string} path @param {object} request @param {string} type of the answer */
	postJson(path, request, type) {
		return this.#call(path, {
			method: 'POST',
			body: JSON.stringify(request),
			headers: { 'Content-Type': 'application/json', Accept: type },
		});
	}

	/** @param {string} path */
	async remove(path) {
		await this.#call(path, { method: 'DELETE' });
	}

	/**
	 * @param {string} path @param {Blob} body @param {Record<string, string>} headers
	 * @param {(share: number) => void} onProgress
	 */
	async put(path, body, headers, onProgress) {
		await this.#call(path, { method: 'PUT', body, headers }, onProgress);
	}

	/**
	 * @param {string} path @param {RequestInit} request
	 * @param {(share: number) => void} [onProgress]
	 * @returns {Promise<{response: Response, body: ArrayBuffer}>}
	 */
	async #call(path, request, onProgress) {
		for (let attempt = 1; ; attempt++) {
			const start = performance.now();
			const token = sessionStorage.getItem(TOKEN_KEY);
			const response = await this.#send(path, request, token, onProgress);
			const body = await response.arrayBuffer();
			const seconds = (performance.now() - start) / 1000;
			this.onAnswer({ response, bytes: body.byteLength, seconds });
			if (response.ok) {
				if (attempt > 1) this.onBusy(0);
				return { response, body };
			}
			if (!(await this.#mayTryAgain(response, attempt, token)))
				throw refusalOf(response, body);
		}
	}

	/** @returns {Promise<Response>} */
	async #send(path, request, token, onProgress) {
		const headers = { ...request.headers, ...(token && { Authorization: `Bearer ${token}` }) };
		try {
			return onProgress
				? await sendWithProgress(path, { ...request, headers }, onProgress)
				: await fetch(path, { ...request, headers });
		} catch {
			throw new Error('The daemon cannot be reached.');
		}
	}

	/** @param {Response} response @param {number} attempt @param {?string} token that was sent */
	async #mayTryAgain(response, attempt, token) {
		if (response.status === 401) return this.#getToken(token);
		if (response.status !== 503 || attempt === MOST_TRIES) return false;
		const seconds = Number(response.headers.get('Retry-After')) || 1;
		this.onBusy(seconds);
		await wait(seconds);
		return true;
	}

	/** One question, however many calls need the answer. @param {?string} refused */
	async #getToken(refused) {
		if (sessionStorage.getItem(TOKEN_KEY) !== refused) return true; // another call has asked
		this.#asking ??= this.#askToken(refused !== null)
			.then((token) => {
				if (token) sessionStorage.setItem(TOKEN_KEY, token);
				return Boolean(token);
			})
			.finally(() => (this.#asking = null));
		return this.#asking;
	}
}
