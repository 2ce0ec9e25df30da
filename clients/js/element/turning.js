// Turns a camera all the time, until a user takes it; not for those who want less motion.

const LONGEST_STEP_S = 0.1;

export class Turning {
	#camera;
	#speed = 0; // degrees a second
	#before = 0;

	/** @param {import('./camera.js').Camera} camera */
	constructor(camera) {
		this.#camera = camera;
	}

	/** @param {number} degrees a second */
	start(degrees) {
		const wantsLess = matchMedia('(prefers-reduced-motion: reduce)').matches;
		this.#speed = wantsLess ? 0 : degrees;
		this.#before = performance.now();
	}

	stop() {
		this.#speed = 0;
	}

	/** Moves the camera to where it is now; true while it turns. */
	advance() {
		const now = performance.now();
		const seconds = Math.min((now - this.#before) / 1000, LONGEST_STEP_S);
		this.#before = now;
		if (this.#speed !== 0) this.#camera.turn(this.#speed * seconds, 0);
		return this.#speed !== 0;
	}
}
