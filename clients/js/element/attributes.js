// Reads the attributes of <posed-viewer> as what requests take.
import { ENVIRONMENTS } from './environment.js';

const DEFAULT_FPS = 30;
const MOST_STOPS = 10; // of exposure

/** The value of an attribute that is text or JSON. @param {string} name @param {string} text */
function textOrJson(name, text) {
	if (!/^\s*[{["]/.test(text)) return text;
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new SyntaxError(`“${name}” is no JSON: ${/** @type {Error} */ (error).message}`);
	}
}

export class Attributes {
	#element;

	/** @param {HTMLElement} element */
	constructor(element) {
		this.#element = element;
	}

	/** @param {string} name @param {number} otherwise */
	number(name, otherwise) {
		const number = Number(this.#element.getAttribute(name) ?? NaN);
		return Number.isFinite(number) ? number : otherwise;
	}

	get rig() {
		return this.#element.getAttribute('rig') ?? '';
	}

	/** null = there is none. */
	get clip() {
		return this.#element.getAttribute('clip');
	}

	get loop() {
		return /** @type {'repeat' | 'ping_pong' | 'clamp'} */ (this.#element.getAttribute('loop') ?? 'repeat');
	}

	/** The request's skinning; undefined = the default. */
	get skinning() {
		const text = this.#element.getAttribute('skinning');
		return text === null ? undefined : textOrJson('skinning', text);
	}

	/** What decides the frames of a motion. */
	get motion() {
		return { skinning: this.skinning, speed: this.number('speed', 1), fps: this.number('fps', DEFAULT_FPS) };
	}

	/** Light, as requests have it. */
	get look() {
		const environment = this.#element.getAttribute('environment') ?? ENVIRONMENTS[0];
		const exposure = Math.min(Math.max(this.number('exposure', 0), -MOST_STOPS), MOST_STOPS);
		return { environment, exposure };
	}

	/**
	 * The pose expression; the stream's clock advances it.
	 * @param {{joint: string, index: number, weight: number}[]} morphs that replace those of the clip
	 */
	pose(morphs) {
		const text = this.#element.getAttribute('pose');
		const still = text === null ? 'rest' : textOrJson('pose', text);
		const pose = this.clip === null ? still : { clip: this.clip, loop: this.loop };
		/** @type {Record<string, number[]>} */
		const weights = {};
		for (const { joint, index, weight } of morphs) (weights[joint] ??= [])[index] = weight;
		return morphs.length > 0 ? { set: pose, weights } : pose;
	}

	/**
	 * The parameters of a picture of the first frame.
	 * @param {{yaw: number, pitch: number, fov: number}} camera @param {HTMLElement} canvas
	 */
	picture({ yaw, pitch, fov }, { clientWidth, clientHeight }) {
		const { skinning, clip } = this;
		return {
			...(clip !== null && { clip, time: this.number('time', 0) }),
			...{ width: Math.max(clientWidth, 1), height: Math.max(clientHeight, 1), fit: 'rest' },
			...{ yaw, pitch, fov, ...this.look },
			skinning: typeof skinning === 'string' ? skinning : skinning?.method,
		};
	}
}
