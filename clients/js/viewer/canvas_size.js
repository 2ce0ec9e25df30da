// Size of the visible canvas in device pixels: only the browser knows how it rounds a box to them.

const MOST_PIXEL_RATIO = 2;
const MOST_SIDE = 4096; // of the API's pictures

export class CanvasSize {
	/** Pixels. */
	width = 1;
	height = 1;
	/** Pixels to a pixel of CSS. */
	ratio = 1;
	/** @type {?ResizeObserverSize} null = unsupported */
	#box = null;

	/** @param {HTMLCanvasElement} canvas @param {() => void} onResize */
	watch(canvas, onResize) {
		const observer = new ResizeObserver(([{ devicePixelContentBoxSize: sizes }]) => {
			if (!canvas.hidden) this.#box = sizes?.[0] ?? null;
			onResize();
		});
		try {
			observer.observe(canvas, { box: 'device-pixel-content-box' });
		} catch {
			observer.observe(canvas); // WebKit has no such box
		}
	}

	/** @param {HTMLCanvasElement} canvas the visible one */
	measure({ clientWidth, clientHeight }) {
		this.ratio = Math.min(devicePixelRatio, MOST_PIXEL_RATIO);
		const side = (length) => Math.min(Math.max(Math.round(length * this.ratio), 1), MOST_SIDE);
		this.width = side(this.#box ? this.#box.inlineSize / devicePixelRatio : clientWidth);
		this.height = side(this.#box ? this.#box.blockSize / devicePixelRatio : clientHeight);
	}
}
