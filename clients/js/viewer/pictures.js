// Pictures that the daemon draws, one at a time: each is of the moment at which it is asked for.

export class Pictures {
	#api;
	#context;
	#onPicture;
	#onError;
	#busy = false;
	/** The request that was answered last. */
	#shown = '';
	/** A request that was refused and is not sent again. */
	#refused = '';

	/**
	 * @param {import('./api.js').Api} api
	 * @param {HTMLCanvasElement} canvas
	 * @param {{onPicture: () => void, onError: (error: Error) => void}} on
	 */
	constructor(api, canvas, { onPicture, onError }) {
		this.#api = api;
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
	 * @param {'v1/frame' | 'v1/compare'} path
	 * @param {object} request
	 */
	want(path, request) {
		const text = path + JSON.stringify(request);
		if (!this.#busy && text !== this.#shown && text !== this.#refused)
			this.#fetch(path, request, text);
	}

	async #fetch(path, request, text) {
		this.#busy = true;
		try {
			const { body } = await this.#api.postJson(path, request, 'image/png');
			const bitmap = await createImageBitmap(new Blob([body], { type: 'image/png' }));
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
