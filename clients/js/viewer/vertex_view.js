// Draws the rig in the page: a mesh, the vertices that the daemon streams for it, and colours
// on them.
import { boxOfPositions } from './bounds.js';
import { differencePaint, hideScale, influencePaint } from './comparison.js';
import { Ghosts } from './ghosts.js';
import { HeldRig } from './held_rig.js';
import { LiveStream } from '../element/live_stream.js';
import { EXACT, PACKED, Surface } from '../element/surface.js';
import { MeshLines } from './mesh_lines.js';

const FRAMES_PER_SECOND = 30;

/** @typedef {import('../client/stream.js').StreamFrame} StreamFrame */

export class VertexView {
	#client;
	#canvas;
	#on;
	/** @type {?Surface} null = no WebGL2 here */
	#surface = null;
	#live;
	/** @type {?HeldRig} null = no WebGL2 here */
	#held = null;
	/** The figure that is drawn beside the rig. @type {?HeldRig} null = no WebGL2 here */
	#other = null;
	/** @type {?Ghosts} null = no WebGL2 here */
	#ghosts = null;
	/** @type {?MeshLines} null = no WebGL2 here */
	#lines = null;
	/** The overlays that are drawn, by the names that the daemon has for them. @type {Set<string>} */
	#overlays = new Set();
	/** @type {?import('./beside.js').Beside} null = the rig is drawn alone */
	#beside = null;
	/** @type {any} the description of the rig; null = none */
	#rig = null;
	#skinning = { method: 'lbs', device: 'auto' };
	/** True if the method has vertices of its own. */
	#cutsMesh = false;
	/** @type {{skinning: ?object, view: 'side' | 'heat'}} */
	#comparison = { skinning: null, view: 'heat' };
	/** @type {?import('./comparison.js').Influence & {numbers: Float32Array}} drawn as colours */
	#influence = null;
	/** @type {{frames: StreamFrame[], time: number}} the latest moment */
	#last = { frames: [], time: 0 };
	/** @type {StreamFrame[]} of one moment: by the method, and by the method that it is compared with */
	#frames = [];
	/** @type {StreamFrame[]} that are drawn */
	#drawn = [];
	/** The camera and size that two figures were drawn with last; "" = something else was drawn. */
	#drawnFrom = '';
	/** Of the mesh, into all vertices. */
	#indices = new Uint32Array();
	/** Positions of the frame that is drawn, once they are asked for. @type {?{frame: StreamFrame, numbers: Float32Array}} */
	#positions = null;
	/** Called when the mesh is loaded. @type {() => void} */
	#onMesh = () => {};

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {HTMLCanvasElement} canvas
	 * @param {object} on
	 * @param {() => {pose: any, time: number, speed: number, paused: boolean, range: any}} on.wanted
	 *   the current members of the stream
	 * @param {(time: number) => ?{rig: string, pose: any}} on.heldAt the held rig, and its pose
	 *   at a time of the stream's clock; null = none
	 * @param {(time: number) => ?{rig: string, pose: any}} on.besideAt the figure beside the rig, likewise
	 * @param {(time: number) => {poses: any[], times: number[]}} on.ghostsAt poses around a time of the stream's clock,
	 *   and how many seconds after it
	 * @param {(moment: import('../client/stream.js').Moment, isSettled: boolean) => void} on.onMoment
	 *   isSettled: it includes all changes
	 * @param {() => void} on.onChange the view must be drawn again
	 * @param {() => void} on.onOutdated the rig has been replaced
	 * @param {(error: any, isLost: boolean) => void} on.onError isLost: the daemon is unreachable and the
	 *   stream is retried
	 */
	constructor(client, canvas, on) {
		this.#client = client;
		this.#canvas = canvas;
		this.#on = on;
		this.#live = new LiveStream({
			onMesh: (mesh, pictures) => this.#takeMesh(mesh, pictures),
			onMoment: (moment) => this.#takeMoment(moment),
			onOutdated: on.onOutdated,
			onError: on.onError,
			onChange: on.onChange,
		});
		try {
			this.#surface = new Surface(canvas, () =>
				on.onError(new Error('The browser lost the graphics context: reload this page.'), false),
			);
			const another = () =>
				new HeldRig(client, new Surface(canvas, () => {}, this.#surface), {
					onChange: on.onChange,
					onError: (error) => on.onError(error, false),
				});
			this.#held = another();
			this.#other = another();
			this.#ghosts = new Ghosts(client, {
				onChange: on.onChange,
				onError: (error) => on.onError(error, false),
			});
			this.#lines = new MeshLines(this.#surface.gl);
		} catch (error) {
			on.onError(error, false);
		}
	}

	get canDraw() {
		return this.#surface !== null;
	}

	/** True while another view than the one drawn is pending. */
	get isBusy() {
		if (!this.#rig || !this.#surface) return false;
		if (this.#held.isBusy || this.#other.isBusy || this.#ghosts.isBusy) return true;
		return !this.#live.isSettled || this.#frames !== this.#drawn;
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

	/** Shows a figure beside the rig. @param {?import('./beside.js').Beside} beside null = none */
	setBeside(beside) {
		const wasAlone = this.#beside === null;
		this.#beside = beside;
		this.#drawn = [];
		if (wasAlone !== (beside === null)) this.#stream(); // in another format
		this.refreshHeld();
	}

	/** @param {string[]} names of the overlays to be drawn; those of joints are not drawn here */
	setOverlays(names) {
		this.#overlays = new Set(names);
		this.#wantGhosts();
	}

	/** True if the overlays belong to what is drawn: comparisons and pairs have none. */
	get #hasOverlays() {
		return this.#overlays.size > 0 && !this.#comparison.skinning && !this.#beside;
	}

	#wantGhosts() {
		const rig = this.#rig;
		if (!rig || !this.#hasOverlays || !this.#overlays.has('onion') || this.#last.frames.length === 0) {
			this.#ghosts?.clear();
			return;
		}
		const { poses, times } = this.#on.ghostsAt(this.#last.time);
		if (poses.length === 0) this.#ghosts.clear();
		else this.#ghosts.want({ ...PACKED, rig: rig.name, poses, skinning: this.#skinning }, times);
	}

	/** Draws the last moment again with the other rigs that are shown now. */
	refreshHeld() {
		if (this.#last.frames.length > 0) this.#show();
		else this.#clearOthers();
	}

	#clearOthers() {
		this.#ghosts?.clear();
		this.#held?.clear();
		this.#other?.clear();
	}

	/**
	 * Colours the rig by the influence of joints.
	 * @param {?import('./comparison.js').Influence} influence null = by its materials
	 */
	async showInfluence(influence) {
		const rig = this.#rig;
		this.#influence = null;
		this.#drawn = [];
		if (!influence || !rig) return;
		const { joint, of } = influence;
		const numbers = await this.#client.influences(rig.name, joint, { of });
		if (rig !== this.#rig) return;
		this.#influence = { ...influence, numbers };
		this.#drawn = [];
	}

	/** Changes members of the stream, or retries a refused one. @param {Record<string, any>} members */
	change(members) {
		this.#live.change(members);
	}

	/** Holds the stream until the next change. */
	hold() {
		this.#live.hold();
	}

	/**
	 * Draws the latest moment.
	 * @param {import('../element/camera.js').Camera} camera @param {number} pixelRatio
	 * @returns {boolean} true if it is a new frame
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
		if (this.#showsPairFrom(camera, pixelRatio) && !isNew) return false;
		surface.begin();
		if (this.#beside) {
			const pair = [surface, this.#other.surface];
			if (this.#beside.side === 'left') pair.reverse();
			pair.forEach((one, column) => one.draw(camera, pixelRatio, column, 2));
		} else if (beside && this.#comparison.view === 'side') {
			if (!isNew) surface.setFrame(shown);
			surface.draw(camera, pixelRatio, 0, 2);
			surface.setFrame(beside);
			surface.draw(camera, pixelRatio, 1, 2);
		} else {
			this.#drawGhosts(camera, pixelRatio, shown);
			surface.draw(camera, pixelRatio, 0, 1, this.#held.surface);
			this.#drawLines(camera, shown);
		}
		return isNew && shown !== undefined;
	}

	/** The farthest first. @param {import('../element/camera.js').Camera} camera @param {number} pixelRatio @param {StreamFrame} [shown] */
	#drawGhosts(camera, pixelRatio, shown) {
		const ghosts = this.#ghosts?.shown ?? [];
		if (!shown || ghosts.length === 0 || ghosts[0].frames.vertices !== shown.vertices) return;
		const { back } = camera.axes();
		const nearness = ({ middle }) => middle.reduce((sum, x, k) => sum + x * back[k], 0);
		for (const ghost of [...ghosts].sort((a, b) => nearness(a) - nearness(b))) {
			this.#surface.setFrame(ghost.frames, ghost.index);
			this.#surface.drawGhost(camera, pixelRatio, ghost.color);
		}
		this.#surface.setFrame(shown);
	}

	/** @param {import('../element/camera.js').Camera} camera @param {StreamFrame} [shown] */
	#drawLines(camera, shown) {
		const geometry = this.#surface.geometry;
		if (!shown || !geometry || !this.#hasOverlays) return;
		const { drawingBufferWidth: width, drawingBufferHeight: height } = this.#surface.gl;
		const { min, max } = this.#rig.bounds ?? { min: [0, 0, 0], max: [0, 0, 0] };
		this.#lines.draw(geometry, camera.viewProjection(width / height), {
			wireframe: this.#overlays.has('wireframe'),
			normals: this.#overlays.has('normals'),
			box: this.#overlays.has('bounds') ? boxOfPositions(this.#positionsOf(shown)) : null,
			diagonal: Math.hypot(...max.map((high, k) => high - min[k])),
		});
	}

	/** @param {StreamFrame} frame */
	#positionsOf(frame) {
		if (this.#positions?.frame !== frame) this.#positions = { frame, numbers: frame.get('position') };
		return this.#positions.numbers;
	}

	/**
	 * True if the canvas shows two figures from this camera already. Moments of the rig come faster than those of the
	 * figure beside it, which would only wait while both are drawn again.
	 * @param {import('../element/camera.js').Camera} camera @param {number} pixelRatio
	 */
	#showsPairFrom(camera, pixelRatio) {
		const { width, height } = this.#canvas;
		const from = JSON.stringify([camera.request(), width, height, pixelRatio]);
		const isShown = this.#beside !== null && this.#drawn.length > 0 && from === this.#drawnFrom;
		this.#drawnFrom = this.#beside ? from : '';
		return isShown;
	}

	/** The places of vertices of the rig as they are drawn; none with a mesh of the method's own. @param {number[]} vertices */
	placesOf(vertices) {
		const [frame] = this.#drawn;
		if (!frame || this.#cutsMesh || vertices.length === 0) return [];
		const numbers = this.#positionsOf(frame);
		return vertices
			.filter((vertex) => vertex < frame.vertices)
			.map((vertex) => [...numbers.subarray(3 * vertex, 3 * vertex + 3)]);
	}

	/** The vertices of triangles of the rig. @param {number[]} triangles */
	cornersOf(triangles) {
		const corners = triangles.flatMap((t) => [...this.#indices.subarray(3 * t, 3 * t + 3)]);
		return this.#cutsMesh ? [] : [...new Set(corners)];
	}

	/** Restarts the stream. */
	#stream() {
		const rig = this.#rig;
		if (!rig || !this.#surface) {
			this.#live.open(null);
			return;
		}
		const skinning = this.#skinning;
		const { skinning: beside, view } = this.#comparison;
		// Distances are measured, and packing would add its own error to them.
		const measures = this.#beside || (beside && view === 'heat');
		const format = measures ? EXACT : PACKED;
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

	/** The mesh file of the rig, or of the method's own mesh. @param {string} rig */
	async #meshFile(rig) {
		if (!this.#cutsMesh) return this.#client.mesh(rig);
		const attributes = ['position', 'normal'];
		return this.#client.meshOf({ rig, attributes, skinning: this.#skinning });
	}

	/** @param {import('../element/mesh_file.js').Mesh} mesh @param {ImageBitmap[]} pictures */
	#takeMesh(mesh, pictures) {
		this.#surface.setMesh(mesh, pictures);
		this.#indices = mesh.indices;
		this.#forget();
		this.#onMesh();
	}

	#forget() {
		this.#clearOthers();
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

	/** Draws the latest moment as soon as the other rig is ready for the same moment. */
	#show() {
		const last = this.#last;
		this.#wantGhosts();
		const beside = this.#on.besideAt(last.time);
		const held = beside ? null : this.#on.heldAt(last.time);
		if (!held) this.#held.clear();
		if (!beside) this.#other.clear();
		if (!held && !beside) {
			this.#frames = last.frames;
			return;
		}
		const skinning = { skinning: this.#skinning, cutsMesh: this.#cutsMesh };
		const other = beside ? this.#other : this.#held;
		other.want({ ...(beside ?? held), ...skinning }, () => {
			this.#frames = beside ? [...last.frames] : last.frames; // colours are for both
		});
	}

	/** True unless the frame has a mesh of the method's own. @param {{of: string, numbers: Float32Array}} influence @param {StreamFrame} frame */
	#fits({ of, numbers }, frame) {
		return numbers.length === frame.vertices * (of === 'colors' ? 3 : 1);
	}

	/** @param {StreamFrame} shown @param {StreamFrame} [beside] */
	#paint(shown, beside) {
		const other = this.#beside && this.#other.shown;
		if (other) {
			const paint = this.#beside.paint({ frame: shown, indices: this.#indices }, other);
			const isRight = this.#beside.side === 'right';
			this.#surface.setPaint(isRight ? null : paint);
			this.#other.surface.setPaint(isRight ? paint : null);
			if (!paint) hideScale();
		} else if (beside && this.#comparison.view === 'heat') {
			this.#surface.setPaint(differencePaint(shown, beside));
		} else if (this.#influence && this.#fits(this.#influence, shown)) {
			const { numbers, ...influence } = this.#influence;
			this.#surface.setPaint(influencePaint(numbers, influence));
		} else {
			this.#surface.setPaint(null);
			hideScale();
		}
	}
}
