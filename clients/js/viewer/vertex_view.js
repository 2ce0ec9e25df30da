// The rig drawn by the page itself: a mesh, the frames of vertices that the daemon sends for it, and
// colours on them.
import { differencePaint, hideScale, influencePaint } from './comparison.js';
import { decodePicture, readMesh } from '../element/mesh_file.js';
import { Surface } from '../element/surface.js';
import { VertexStream } from '../element/vertex_stream.js';

/** @typedef {import('../element/vertex_stream.js').Frame} Frame */

export class VertexView {
	#client;
	#on;
	/** @type {?Surface} null = no WebGL2 here */
	#surface = null;
	#stream;
	/** @type {any} the description of the rig; null = none */
	#rig = null;
	#skinning = { method: 'lbs', device: 'auto' };
	/** Whether the method has vertices of its own. */
	#cutsMesh = false;
	/** @type {{skinning: ?object, view: 'side' | 'heat'}} */
	#comparison = { skinning: null, view: 'heat' };
	/** @type {?{joint: string, of: string, weights: Float32Array}} shown as colours */
	#influence = null;
	/** @type {?import('../element/mesh_file.js').Mesh} in the graphics memory */
	#mesh = null;
	/** @type {?Frame} likewise */
	#drawn = null;
	/** Counts meshes that were asked for. */
	#turn = 0;

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {HTMLCanvasElement} canvas
	 * @param {{onChange: () => void, onMesh: () => void, onError: (error: Error) => void}} on
	 *   onMesh: there is another mesh, and frames are to be asked for
	 */
	constructor(client, canvas, on) {
		this.#client = client;
		this.#on = on;
		this.#stream = new VertexStream((request) => client.vertices(request), {
			onFrames: on.onChange,
			onError: on.onError,
		});
		try {
			this.#surface = new Surface(canvas, () =>
				on.onError(new Error('The graphics driver has reset this page: load it again.')),
			);
		} catch (error) {
			on.onError(error);
		}
	}

	get canDraw() {
		return this.#surface !== null;
	}

	/** @param {any} description null = none */
	async open(description) {
		this.#rig = description;
		this.#influence = null;
		this.#stream.restart(null);
		this.#surface?.clear();
		this.#mesh = null;
		this.#drawn = null;
		this.#cutsMesh = false; // until a method is set
		if (description && this.#surface) await this.#loadMesh(description);
	}

	/**
	 * @param {{method: string, device: string}} skinning
	 * @param {boolean} cutsMesh it has vertices of its own, and so a mesh
	 */
	setSkinning(skinning, cutsMesh) {
		const otherMesh = cutsMesh || this.#cutsMesh;
		this.#skinning = skinning;
		this.#cutsMesh = cutsMesh;
		if (!otherMesh || !this.#rig || !this.#surface) return;
		this.#stream.restart(null);
		this.#loadMesh(this.#rig).catch(this.#on.onError);
	}

	/** @param {{skinning: ?object, view: 'side' | 'heat'}} comparison */
	setComparison(comparison) {
		this.#comparison = comparison;
		this.#drawn = null;
	}

	/**
	 * Colours the rig by what a joint moves.
	 * @param {?{joint: string, of: 'weights' | 'support'}} influence null = by its materials
	 */
	async showInfluence(influence) {
		const rig = this.#rig;
		this.#influence = null;
		this.#drawn = null;
		if (!influence || !rig) return;
		const { joint, of } = influence;
		const weights = await this.#client.influences(rig.name, joint, { of });
		if (rig !== this.#rig) return;
		this.#influence = { ...influence, weights };
		this.#drawn = null;
	}

	/** Frames are asked for anew. @param {(time: number) => any} poseAt at a time of the clock */
	restart(poseAt) {
		const mesh = this.#mesh;
		this.#stream.restart(
			mesh && {
				rig: this.#rig.name,
				mesh,
				skinning: this.#skinning,
				beside: this.#comparison.skinning,
				poseAt,
			},
		);
	}

	/**
	 * Draws the clock's moment.
	 * @param {import('../element/clock.js').Clock} clock
	 * @param {import('../element/camera.js').Camera} camera @param {number} pixelRatio
	 * @returns {boolean} whether it is another frame than before
	 */
	draw(clock, camera, pixelRatio) {
		const surface = this.#surface;
		if (!surface) return false;
		const frame = this.#stream.frameFor(clock);
		const isNew = frame !== null && frame !== this.#drawn;
		if (isNew) {
			surface.setFrame(frame.vertices);
			this.#paint(frame);
			this.#drawn = frame;
		}
		surface.begin();
		if (frame?.beside && this.#comparison.view === 'side') {
			surface.draw(camera, pixelRatio, 0, 2);
			surface.setFrame(frame.beside);
			surface.draw(camera, pixelRatio, 1, 2);
			surface.setFrame(frame.vertices);
		} else {
			surface.draw(camera, pixelRatio);
		}
		return isNew;
	}

	/** @param {any} description */
	async #loadMesh(description) {
		const turn = ++this.#turn;
		const mesh = readMesh(await this.#meshBytes(description.name));
		const pictures = await Promise.all(mesh.textures.map(decodePicture));
		if (this.#rig?.name !== description.name || this.#rig.content !== description.content) return;
		if (turn !== this.#turn) return; // the method wants another meanwhile
		this.#surface.setMesh(mesh, pictures);
		this.#mesh = mesh;
		this.#drawn = null;
		this.#on.onMesh();
	}

	/** The file of the rig's mesh, or of what the method makes of it. @param {string} rig */
	async #meshBytes(rig) {
		if (!this.#cutsMesh) return this.#client.mesh(rig);
		const attributes = ['position', 'normal'];
		return this.#client.meshOf({ rig, attributes, skinning: this.#skinning });
	}

	/** @param {Frame} frame */
	#paint(frame) {
		const count = this.#mesh.vertexCount;
		if (frame.beside && this.#comparison.view === 'heat') {
			this.#surface.setPaint(differencePaint(frame, count));
		} else if (this.#influence?.weights.length === count) {
			const { weights, ...influence } = this.#influence;
			this.#surface.setPaint(influencePaint(weights, influence));
		} else {
			this.#surface.setPaint(null);
			hideScale();
		}
	}
}
