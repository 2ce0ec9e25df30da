// Pictures that the daemon draws, one at a time: each is of the moment at which it is asked for.

export class Pictures {
	#client;
	#context;
	#onPicture;
	#onError;
	/** The call under way. @type {?AbortController} */
	#calling = null;
	/** The request that was wanted last. */
	#wanted = '';
	/** The request that was answered last. */
	#shown = '';
	/** A request that was refused and is not sent again. */
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

	/** Shows nothing, and takes no picture for the one wanted. */
	clear() {
		this.#calling?.abort();
		this.#calling = null;
		this.#wanted = this.#shown = this.#refused = '';
		this.#context.transferFromImageBitmap(null);
	}

	/** Whether another picture is on its way than the one that is seen. */
	get isBusy() {
		return this.#calling !== null || !this.#isAnswered(this.#wanted);
	}

	/**
	 * Asks for a picture unless it is there or another is under way.
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
