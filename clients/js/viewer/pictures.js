// Pictures that the daemon draws, one at a time: each is of the moment at which it is asked for.

export class Pictures {
	#client;
	#context;
	#onPicture;
	#onError;
	#busy = false;
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
		this.#shown = '';
		this.#refused = '';
		this.#context.transferFromImageBitmap(null);
	}

	/**
	 * Asks for a picture unless it is there or another is under way.
	 * @param {'frame' | 'compare'} call
	 * @param {object} request
	 */
	want(call, request) {
		const text = call + JSON.stringify(request);
		if (!this.#busy && text !== this.#shown && text !== this.#refused)
			this.#fetch(call, request, text);
	}

	async #fetch(call, request, text) {
		this.#busy = true;
		try {
			const picture = await this.#client[call](request, { accept: 'image/png' });
			const bitmap = await createImageBitmap(picture);
			this.#context.transferFromImageBitmap(bitmap);
			this.#shown = text;
		} catch (error) {
			this.#refused = text;
			this.#onError(error);
		} finally {
			this.#busy = false;
			this.#onPicture();
		}
	}
}
