// Fetches the world matrices of the joints, one request at a time, each for the latest moment.

export class Skeleton {
	#client;
	#on;
	/** @type {any} the description of the rig; null = none */
	#rig = null;
	#busy = false;
	/** The latest requested pose, as text. */
	#asked = '';
	/** World matrices, [joints][16], column-major; null = not loaded yet. @type {?Float32Array} */
	matrices = null;
	/** Those of the rest pose. @type {?Float32Array} */
	rest = null;

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {{onChange: () => void, onError: (error: Error) => void}} on
	 */
	constructor(client, on) {
		this.#client = client;
		this.#on = on;
	}

	/** @param {any} description null = none */
	open(description) {
		this.#rig = description;
		this.#asked = '';
		this.matrices = null;
		this.rest = null;
	}

	/** Requests the joints of a pose, unless they are loaded or a request is in flight. @param {any} pose */
	want(pose) {
		const text = JSON.stringify(pose);
		if (!this.#rig || this.#busy || text === this.#asked) return;
		this.#asked = text;
		this.#fetch(this.#rig, pose);
	}

	/** @param {any} rig @param {any} pose */
	async #fetch(rig, pose) {
		this.#busy = true;
		try {
			const poses = this.rest ? [pose] : [pose, 'rest'];
			const matrices = await this.#client.matrices({ rig: rig.name, poses });
			if (rig !== this.#rig) return;
			const length = rig.joints.length * 16;
			this.matrices = matrices.subarray(0, length);
			this.rest ??= matrices.subarray(length);
		} catch (error) {
			if (rig === this.#rig) this.#on.onError(error);
		} finally {
			this.#busy = false;
			this.#on.onChange();
		}
	}

	/** @param {number} joint @param {?Float32Array} [of] matrices */
	matrix(joint, of = this.matrices) {
		return of.subarray(joint * 16, joint * 16 + 16);
	}

	/** @param {number} joint @returns {[number, number, number]} */
	place(joint) {
		const at = joint * 16 + 12;
		return [this.matrices[at], this.matrices[at + 1], this.matrices[at + 2]];
	}
}
