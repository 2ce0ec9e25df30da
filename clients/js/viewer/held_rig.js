// Another rig on the canvas of a rig, such as one that a joint holds: fetches its mesh, and its vertices at
// the latest requested moment.
import { decodePicture, readMesh } from '../element/mesh_file.js';
import { EXACT, Surface } from '../element/surface.js';

/**
 * @typedef {object} Held
 * @property {string} rig
 * @property {any} pose
 * @property {any} skinning
 * @property {boolean} cutsMesh the method has vertices of its own, and so a mesh
 *
 * @typedef {{held: Held, onDone: () => void}} Wanted onDone: called when it can be drawn or was refused
 */

export class HeldRig {
	/** Its mesh, drawn in the same scene as the holder's. @type {Surface} */
	surface;
	#client;
	#on;
	/** @type {?Wanted} to be requested next */
	#next = null;
	/** @type {?Wanted} being requested */
	#asked = null;
	/** What is drawn, and the indices of its mesh; null = nothing. @type {?import('./comparison.js').Version} */
	shown = null;
	/** Key of the loaded mesh; "" = none. */
	#meshKey = '';

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {Surface} surface that is still empty
	 * @param {{onChange: () => void, onError: (error: Error) => void}} on
	 */
	constructor(client, surface, on) {
		this.#client = client;
		this.surface = surface;
		this.#on = on;
	}

	/** True while a newer moment is loading. */
	get isBusy() {
		return this.#next !== null || this.#asked !== null;
	}

	/** Shows nothing. */
	clear() {
		this.#next = this.#asked = null;
		this.#forget();
	}

	/** @param {Held} held @param {() => void} onDone */
	want(held, onDone) {
		this.#next = { held, onDone };
		if (!this.#asked) this.#run();
	}

	#forget() {
		this.surface.clear();
		this.shown = null;
		this.#meshKey = '';
	}

	async #run() {
		while (this.#next) {
			const asked = (this.#asked = this.#next);
			this.#next = null;
			try {
				const take = await this.#fetch(asked.held);
				if (asked !== this.#asked) return; // cleared meanwhile
				take();
			} catch (error) {
				if (asked !== this.#asked) return;
				this.#forget();
				this.#on.onError(error);
			}
			asked.onDone();
			this.#on.onChange();
		}
		this.#asked = null;
	}

	/** Fetches the mesh and vertices, and returns a function that passes them to the surface. @param {Held} held */
	async #fetch({ rig, pose, skinning, cutsMesh }) {
		const frame = await this.#client.vertices({ rig, poses: [pose], skinning, ...EXACT });
		const own = cutsMesh ? skinning : null;
		const key = JSON.stringify([rig, frame.content, own]);
		const loaded = key === this.#meshKey ? null : await this.#load(rig, own);
		if (loaded && frame.vertices !== loaded.mesh.vertexCount)
			throw new Error(`The vertices of “${rig}” do not fit its mesh: it was replaced.`);
		return () => {
			if (loaded) {
				this.surface.setMesh(loaded.mesh, loaded.pictures);
				this.#meshKey = key;
			}
			this.surface.setFrame(frame);
			this.shown = { frame, indices: loaded?.mesh.indices ?? this.shown.indices };
		};
	}

	/** @param {string} rig @param {any} skinning that has a mesh of its own; null = the rig's */
	async #load(rig, skinning) {
		const { attributes } = EXACT;
		const file = await (skinning
			? this.#client.meshOf({ rig, attributes, skinning })
			: this.#client.mesh(rig));
		const mesh = readMesh(file);
		return { mesh, pictures: await Promise.all(mesh.textures.map(decodePicture)) };
	}
}
