// The rig drawn by the page itself: a mesh, the vertices that the daemon streams for it, and colours
// on them.
import { differencePaint, hideScale, influencePaint } from './comparison.js';
import { HeldFigure } from './held_figure.js';
import { Live } from '../element/live.js';
import { EXACT, PACKED, Surface } from '../element/surface.js';

const FRAMES_PER_SECOND = 30;

/** @typedef {import('../client/stream.js').StreamFrame} StreamFrame */

export class VertexView {
	#client;
	#on;
	/** @type {?Surface} null = no WebGL2 here */
	#surface = null;
	#live;
	/** @type {?HeldFigure} null = no WebGL2 here */
	#held = null;
	/** @type {any} the description of the rig; null = none */
	#rig = null;
	#skinning = { method: 'lbs', device: 'auto' };
	/** Whether the method has vertices of its own. */
	#cutsMesh = false;
	/** @type {{skinning: ?object, view: 'side' | 'heat'}} */
	#comparison = { skinning: null, view: 'heat' };
	/** @type {?{joint: string, of: string, weights: Float32Array}} shown as colours */
	#influence = null;
	/** @type {{frames: StreamFrame[], time: number}} the moment that has come last */
	#last = { frames: [], time: 0 };
	/** @type {StreamFrame[]} of one moment: by the method, and by that which is compared with it */
	#frames = [];
	/** @type {StreamFrame[]} that are drawn */
	#drawn = [];
	/** Called with the mesh. @type {() => void} */
	#onMesh = () => {};

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {HTMLCanvasElement} canvas
	 * @param {object} on
	 * @param {() => {pose: any, time: number, speed: number, paused: boolean, range: any}} on.wanted
	 *   members of the stream, as it is to be now
	 * @param {(time: number) => ?{rig: string, pose: any}} on.heldAt the rig that a joint holds, and its pose
	 *   when the stream's clock is at a time; null = none
	 * @param {(moment: import('../client/stream.js').Moment, isSettled: boolean) => void} on.onMoment
	 *   isSettled: it has all that was asked for
	 * @param {() => void} on.onChange something else is to be drawn
	 * @param {() => void} on.onOutdated the rig is another than what is shown
	 * @param {(error: any, isLost: boolean) => void} on.onError isLost: the daemon is away, and is asked
	 *   again
	 */
	constructor(client, canvas, on) {
		this.#client = client;
		this.#on = on;
		this.#live = new Live({
			onMesh: (mesh, pictures) => this.#takeMesh(mesh, pictures),
			onMoment: (moment) => this.#takeMoment(moment),
			onOutdated: on.onOutdated,
			onError: on.onError,
			onChange: on.onChange,
		});
		try {
			this.#surface = new Surface(canvas, () =>
				on.onError(new Error('The graphics driver has reset this page: load it again.'), false),
			);
			const beside = new Surface(canvas, () => {}, this.#surface);
			this.#held = new HeldFigure(client, beside, {
				onChange: on.onChange,
				onError: (error) => on.onError(error, false),
			});
		} catch (error) {
			on.onError(error, false);
		}
	}

	get canDraw() {
		return this.#surface !== null;
	}

	/** Whether something else is on its way than what is drawn. */
	get isBusy() {
		if (!this.#rig || !this.#surface) return false;
		return !this.#live.isSettled || this.#held.isBusy || this.#frames !== this.#drawn;
	}

	/** Resolves with the mesh. @param {any} description null = none @returns {Promise<void>} */
	open(description) {
		const isSame = description !== null && this.#rig?.content === description.content;
		this.#rig = description;
		this.#influence = null;
		if (!isSame) {
			this.#surface?.clear();
			this.#forget();
			this.#cutsMesh = false; // until a method is set
		}
		const mesh = new Promise((resolve) => (this.#onMesh = () => resolve(undefined)));
		this.#stream();
		return !description || !this.#surface || isSame ? Promise.resolve() : mesh;
	}

	/**
	 * @param {{method: string, device: string}} skinning
	 * @param {boolean} cutsMesh it has vertices of its own, and so a mesh
	 */
	setSkinning(skinning, cutsMesh) {
		this.#skinning = skinning;
		this.#cutsMesh = cutsMesh;
		this.#stream();
		this.refreshHeld();
	}

	/** @param {{skinning: ?object, view: 'side' | 'heat'}} comparison */
	setComparison(comparison) {
		this.#comparison = comparison;
		this.#drawn = [];
		this.#stream();
		this.refreshHeld();
	}

	/** Shows the last moment with the rig that is held now. */
	refreshHeld() {
		if (this.#last.frames.length > 0) this.#show();
		else this.#held?.clear();
	}

	/**
	 * Colours the rig by what a joint moves.
	 * @param {?{joint: string, of: 'weights' | 'support'}} influence null = by its materials
	 */
	async showInfluence(influence) {
		const rig = this.#rig;
		this.#influence = null;
		this.#drawn = [];
		if (!influence || !rig) return;
		const { joint, of } = influence;
		const weights = await this.#client.influences(rig.name, joint, { of });
		if (rig !== this.#rig) return;
		this.#influence = { ...influence, weights };
		this.#drawn = [];
	}

	/** Members of the stream are to be others, or what was refused is asked for again. @param {Record<string, any>} members */
	change(members) {
		this.#live.change(members);
	}

	/** Nothing comes until there is a change. */
	hold() {
		this.#live.hold();
	}

	/**
	 * Draws what has come last.
	 * @param {import('../element/camera.js').Camera} camera @param {number} pixelRatio
	 * @returns {boolean} whether it is another frame than before
	 */
	draw(camera, pixelRatio) {
		const surface = this.#surface;
		if (!surface) return false;
		const [shown, other] = this.#frames;
		const beside = this.#comparison.skinning ? other : undefined;
		const isNew = this.#frames !== this.#drawn;
		if (isNew && shown) {
			surface.setFrame(shown);
			this.#paint(shown, beside);
		}
		this.#drawn = this.#frames;
		surface.begin();
		if (beside && this.#comparison.view === 'side') {
			if (!isNew) surface.setFrame(shown);
			surface.draw(camera, pixelRatio, 0, 2);
			surface.setFrame(beside);
			surface.draw(camera, pixelRatio, 1, 2);
		} else {
			surface.draw(camera, pixelRatio, 0, 1, this.#held.surface);
		}
		return isNew && shown !== undefined;
	}

	/** Has the rig streamed as it is to be now. */
	#stream() {
		const rig = this.#rig;
		if (!rig || !this.#surface) {
			this.#live.open(null);
			return;
		}
		const skinning = this.#skinning;
		const { skinning: beside, view } = this.#comparison;
		// Differences are measured: what packing takes off would be seen in them.
		const format = beside && view === 'heat' ? EXACT : PACKED;
		this.#live.open({
			client: this.#client,
			key: `${rig.content} ${this.#cutsMesh ? JSON.stringify(skinning) : ''}`,
			mesh: () => this.#meshFile(rig.name),
			request: () => ({
				...format,
				...this.#on.wanted(),
				rig: rig.name,
				fps: FRAMES_PER_SECOND,
				skinning: beside ? [skinning, beside] : skinning,
			}),
		});
	}

	/** The file of the rig's mesh, or of what the method makes of it. @param {string} rig */
	async #meshFile(rig) {
		if (!this.#cutsMesh) return this.#client.mesh(rig);
		const attributes = ['position', 'normal'];
		return this.#client.meshOf({ rig, attributes, skinning: this.#skinning });
	}

	/** @param {import('../element/mesh_file.js').Mesh} mesh @param {ImageBitmap[]} pictures */
	#takeMesh(mesh, pictures) {
		this.#surface.setMesh(mesh, pictures);
		this.#forget();
		this.#onMesh();
	}

	#forget() {
		this.#held?.clear();
		this.#frames = this.#drawn = [];
		this.#last = { frames: [], time: 0 };
	}

	/** @param {import('../client/stream.js').Moment} moment */
	#takeMoment(moment) {
		if (moment.frames.length > 0) {
			this.#last = moment;
			this.#show();
		}
		this.#on.onMoment(moment, this.#live.isSettled);
	}

	/** Has the last moment drawn, once the rig that is held can be drawn at the same moment. */
	#show() {
		const last = this.#last;
		const held = this.#on.heldAt(last.time);
		if (!held) {
			this.#held.clear();
			this.#frames = last.frames;
			return;
		}
		const skinning = { skinning: this.#skinning, cutsMesh: this.#cutsMesh };
		this.#held.want({ ...held, ...skinning }, () => (this.#frames = last.frames));
	}

	/** @param {StreamFrame} shown @param {StreamFrame} [beside] */
	#paint(shown, beside) {
		if (beside && this.#comparison.view === 'heat') {
			this.#surface.setPaint(differencePaint(shown, beside));
		} else if (this.#influence?.weights.length === shown.vertices) {
			const { weights, ...influence } = this.#influence;
			this.#surface.setPaint(influencePaint(weights, influence));
		} else {
			this.#surface.setPaint(null);
			hideScale();
		}
	}
}
