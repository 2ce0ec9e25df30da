// Pictures rendered by the daemon, one request at a time, each for the latest moment.

export class Pictures {
	#client;
	#context;
	#onPicture;
	#onError;
	/** The request in flight. @type {?AbortController} */
	#calling = null;
	/** The latest request wanted. */
	#wanted = '';
	/** The request whose picture is shown. */
	#shown = '';
	/** A refused request, which is not repeated. */
	#refused = '';

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {HTMLCanvasElement} canvas
	 * @param {{onPicture: () => void, onError: (error: Error) => void}} on
	 */
	constructor(client, canvas, { onPicture, onError }) {
		this.#client = client;
		this.#context = canvas.getContext('bitmaprenderer');
		this.#onPicture = onPicture;
		this.#onError = onError;
	}

	/** Clears the canvas and drops pending pictures. */
	clear() {
		this.#calling?.abort();
		this.#calling = null;
		this.#wanted = this.#shown = this.#refused = '';
		this.#context.transferFromImageBitmap(null);
	}

	/** True while another picture than the one shown is pending. */
	get isBusy() {
		return this.#calling !== null || !this.#isAnswered(this.#wanted);
	}

	/**
	 * Requests a picture unless it is shown or another request is in flight.
	 * @param {'frame' | 'compare' | 'crowd'} call
	 * @param {object} request
	 */
	want(call, request) {
		const text = call + JSON.stringify(request);
		this.#wanted = text;
		if (this.#calling === null && !this.#isAnswered(text)) this.#fetch(call, request, text);
	}

	/** @param {string} text of a request */
	#isAnswered(text) {
		return text === this.#shown || text === this.#refused;
	}

	async #fetch(call, request, text) {
		const calling = (this.#calling = new AbortController());
		const { signal } = calling;
		try {
			const picture = await this.#client[call](request, { accept: 'image/png', signal });
			const bitmap = await createImageBitmap(picture);
			if (signal.aborted) return;
			this.#context.transferFromImageBitmap(bitmap);
			this.#shown = text;
		} catch (error) {
			if (signal.aborted) return;
			this.#refused = text;
			this.#onError(error);
		} finally {
			if (calling === this.#calling) {
				this.#calling = null;
				this.#onPicture();
			}
		}
	}
}
