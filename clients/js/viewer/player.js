// What is seen: the chosen rig in the chosen pose at the clock's time, as vertices or as pictures.
import { Camera } from '../element/camera.js';
import { Clock } from '../element/clock.js';
import { differencePaint, hideScale, influencePaint } from './comparison.js';
import { attachGestures } from '../element/gestures.js';
import { decodePicture, readMesh } from '../element/mesh_file.js';
import { Pictures } from './pictures.js';
import { poseAt, poseDuration } from './pose.js';
import { Surface } from '../element/surface.js';
import { VertexStream } from '../element/vertex_stream.js';

const MOST_PIXEL_RATIO = 2;
const MOST_SIDE = 4096; // of the API's pictures
const UNIT_BOX = { min: [-1, -1, -1], max: [1, 1, 1] };

/** @typedef {import('../element/camera.js').Box} Box @typedef {import('./pose.js').PoseChoice} PoseChoice */

/**
 * The least box around boxes; null where there are none.
 * @param {(Box | null | undefined)[]} boxes
 */
function boxAround(boxes) {
	const real = boxes.filter(Boolean);
	if (real.length === 0) return null;
	const over = (side, pick) => [0, 1, 2].map((k) => pick(...real.map((box) => box[side][k])));
	return { min: over('min', Math.min), max: over('max', Math.max) };
}

/** The page's ground, for what the daemon writes on: text is not for a gradient. */
function panelColour() {
	return getComputedStyle(document.documentElement).getPropertyValue('--panel').trim();
}

export class Player {
	clock = new Clock();
	camera = new Camera();
	#client;
	#canvases;
	#on;
	/** @type {?Surface} null = no WebGL2 here */
	#surface = null;
	#stream;
	#pictures;
	/** @type {any} the description of the rig; null = none */
	#rig = null;
	/** @type {PoseChoice} */
	#choice = { clip: null, other: null, share: 0, turned: null };
	#skinning = { method: 'lbs', device: 'auto' };
	#mode = 'vertices';
	/** @type {{skinning: ?object, view: 'side' | 'heat'}} what it is compared with; null = nothing */
	#comparison = { skinning: null, view: 'heat' };
	/** @type {?{joint: string, of: string, weights: Float32Array}} shown as colours */
	#influence = null;
	#moved = false; // the camera was, by the user
	#awake = false;
	#lastTick = 0;
	/** Of the canvas in pixels. */
	#size = { width: 1, height: 1, ratio: 1 };
	/** @type {?import('../element/mesh_file.js').Mesh} in the graphics memory */
	#drawnMesh = null;
	/** @type {?import('../element/vertex_stream.js').Frame} likewise */
	#drawnFrame = null;
	/** Whether the method has vertices of its own. */
	#cutsMesh = false;
	/** Counts meshes that were asked for. */
	#meshTurn = 0;

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {{surface: HTMLCanvasElement, picture: HTMLCanvasElement}} canvases
	 * @param {{onTick: () => void, onNewFrame: () => void, onError: (error: Error) => void}} on
	 */
	constructor(client, canvases, on) {
		this.#client = client;
		this.#canvases = canvases;
		this.#on = on;
		const onError = (error) => {
			this.clock.playing = false; // or the next moment would be refused, too
			on.onError(error);
			this.wake();
		};
		const getVertices = (request) => client.vertices(request);
		this.#stream = new VertexStream(getVertices, { onFrames: () => this.wake(), onError });
		this.#pictures = new Pictures(client, canvases.picture, {
			onPicture: () => {
				on.onNewFrame();
				this.wake();
			},
			onError,
		});
		try {
			this.#surface = new Surface(canvases.surface, () =>
				onError(new Error('The graphics driver has reset this page: load it again.')),
			);
		} catch (error) {
			on.onError(error);
		}
		for (const canvas of Object.values(canvases)) {
			attachGestures(canvas, this.camera, {
				onMove: () => {
					this.#moved = true;
					this.wake();
				},
				onFit: () => this.fit(),
			});
			new ResizeObserver(() => this.#resize()).observe(canvas);
		}
	}

	/** Whether vertices can be drawn here. */
	get drawsVertices() {
		return this.#surface !== null;
	}

	/** Shows another rig, or none. @param {any} description */
	async open(description) {
		this.#rig = description;
		this.#influence = null;
		this.#moved = false;
		this.#stream.restart(null);
		this.#pictures.clear();
		this.#surface?.clear();
		this.#drawnMesh = null;
		this.#drawnFrame = null;
		this.#cutsMesh = false; // until a method is set
		this.wake();
		if (description && this.#surface) await this.#loadMesh(description);
	}

	/** The description with the bounds of its clips, which come later. @param {any} description */
	refine(description) {
		if (this.#rig?.content !== description.content) return;
		this.#rig = description;
		if (!this.#moved) this.fit();
	}

	/** @param {PoseChoice} choice */
	setPose(choice) {
		const sameClip = choice.clip === this.#choice.clip;
		this.#choice = choice;
		this.clock.setDuration(poseDuration(choice));
		if (!sameClip) this.clock.time = 0;
		if (!this.#moved) this.fit();
		this.restart();
	}

	/**
	 * @param {{method: string, device: string}} skinning
	 * @param {boolean} cutsMesh it has vertices of its own, and so a mesh
	 */
	setSkinning(skinning, cutsMesh) {
		const otherMesh = cutsMesh || this.#cutsMesh;
		this.#skinning = skinning;
		this.#cutsMesh = cutsMesh;
		if (!otherMesh || !this.#rig || !this.#surface) {
			this.restart();
			return;
		}
		this.#stream.restart(null);
		this.#loadMesh(this.#rig).catch(this.#on.onError);
	}

	/** @param {{skinning: ?object, view: 'side' | 'heat'}} comparison */
	setComparison(comparison) {
		this.#comparison = comparison;
		this.#drawnFrame = null;
		if (!this.#moved) this.fit();
		this.restart();
	}

	/**
	 * Colours the rig by what a joint moves.
	 * @param {?{joint: string, of: 'weights' | 'support'}} influence null = by its materials
	 */
	async showInfluence(influence) {
		const rig = this.#rig;
		this.#influence = null;
		this.#drawnFrame = null;
		this.wake();
		if (!influence || !rig) return;
		const { joint, of } = influence;
		const weights = await this.#client.influences(rig.name, joint, { of });
		if (rig !== this.#rig) return;
		this.#influence = { ...influence, weights };
		this.#drawnFrame = null;
		this.wake();
	}

	/** @param {'vertices' | 'pictures'} mode */
	setMode(mode) {
		this.#mode = mode;
		this.#canvases.surface.hidden = mode !== 'vertices';
		this.#canvases.picture.hidden = mode !== 'pictures';
		this.#resize();
		this.restart();
	}

	/** @param {number} position */
	seek(position) {
		this.clock.seek(position);
		this.restart();
	}

	/** After the clock's speed or loop has changed. */
	retime() {
		this.clock.time = this.clock.position();
		this.restart();
	}

	/** All of the rig over the whole clip comes into view. */
	fit() {
		const { clip, other } = this.#choice;
		const bounds = (chosen) =>
			chosen && this.#rig?.clips.find(({ name }) => name === chosen.name)?.bounds;
		const box = clip && bounds(clip) ? boxAround([clip, other].map(bounds)) : this.#rig?.bounds;
		const { clientWidth, clientHeight } = this.#canvas();
		const columns = this.#comparison.skinning && this.#comparison.view === 'side' ? 2 : 1;
		this.camera.fit(box ?? UNIT_BOX, clientWidth / columns / Math.max(clientHeight, 1));
		this.#moved = false;
		this.wake();
	}

	/** What is shown now, as requests have it. */
	moment() {
		return {
			pose: poseAt(this.#choice, this.clock.position()),
			skinning: this.#skinning,
		};
	}

	/** Asks anew for what is shown: it is to be another, or was refused. */
	restart() {
		const { clock } = this;
		const choice = this.#choice;
		const mesh = this.#drawnMesh;
		this.#stream.restart(
			mesh && {
				rig: this.#rig.name,
				mesh,
				skinning: this.#skinning,
				beside: this.#comparison.skinning,
				poseAt: (time) => poseAt(choice, clock.position(time)),
			},
		);
		this.wake();
	}

	/** Draws at the next opportunity, and on as long as it plays. */
	wake() {
		if (this.#awake) return;
		this.#awake = true;
		requestAnimationFrame((now) => this.#tick(now));
	}

	#canvas() {
		return this.#canvases[this.#mode === 'vertices' ? 'surface' : 'picture'];
	}

	async #loadMesh(description) {
		const turn = ++this.#meshTurn;
		const mesh = readMesh(await this.#meshBytes(description.name));
		const pictures = await Promise.all(mesh.textures.map(decodePicture));
		if (this.#rig?.name !== description.name || this.#rig.content !== description.content) return;
		if (turn !== this.#meshTurn) return; // the method wants another meanwhile
		this.#surface.setMesh(mesh, pictures);
		this.#drawnMesh = mesh;
		this.#drawnFrame = null;
		this.restart();
	}

	/** The file of the rig's mesh, or of what the method makes of it. @param {string} rig */
	async #meshBytes(rig) {
		if (!this.#cutsMesh) return this.#client.mesh(rig);
		const attributes = ['position', 'normal'];
		return this.#client.meshOf({ rig, attributes, skinning: this.#skinning });
	}

	#resize() {
		const canvas = this.#canvas();
		const ratio = Math.min(devicePixelRatio, MOST_PIXEL_RATIO);
		const side = (length) => Math.min(Math.max(Math.round(length * ratio), 1), MOST_SIDE);
		const [width, height] = [side(canvas.clientWidth), side(canvas.clientHeight)];
		this.#size = { width, height, ratio };
		if (this.#mode === 'vertices' && (canvas.width !== width || canvas.height !== height)) {
			canvas.width = width;
			canvas.height = height;
		}
		if (!this.#moved) this.fit();
		this.wake();
	}

	#tick(now) {
		this.#awake = false;
		const { clock } = this;
		clock.advance(Math.min((now - this.#lastTick) / 1000, 0.25));
		this.#lastTick = now;
		if (this.#mode === 'vertices') {
			this.#showVertices();
		} else if (this.#rig) {
			this.#wantPicture();
		}
		this.#on.onTick();
		if (clock.playing) this.wake();
	}

	#showVertices() {
		const frame = this.#stream.frameFor(this.clock);
		if (frame && frame !== this.#drawnFrame) {
			this.#surface?.setFrame(frame.vertices);
			this.#paint(frame);
			this.#drawnFrame = frame;
			this.#on.onNewFrame();
		}
		this.#surface?.begin();
		if (frame?.beside && this.#comparison.view === 'side') {
			this.#surface?.draw(this.camera, this.#size.ratio, 0, 2);
			this.#surface?.setFrame(frame.beside);
			this.#surface?.draw(this.camera, this.#size.ratio, 1, 2);
			this.#surface?.setFrame(frame.vertices);
		} else {
			this.#surface?.draw(this.camera, this.#size.ratio);
		}
	}

	/** @param {import('../element/vertex_stream.js').Frame} frame */
	#paint(frame) {
		const count = this.#drawnMesh.vertexCount;
		if (frame.beside && this.#comparison.view === 'heat') {
			this.#surface?.setPaint(differencePaint(frame, count));
		} else if (this.#influence?.weights.length === count) {
			const { weights, ...influence } = this.#influence;
			this.#surface?.setPaint(influencePaint(weights, influence));
		} else {
			this.#surface?.setPaint(null);
			hideScale();
		}
	}

	#wantPicture() {
		const request = {
			rig: this.#rig.name,
			pose: poseAt(this.#choice, this.clock.position()),
			width: this.#size.width,
			height: this.#size.height,
			camera: this.camera.request(),
		};
		const { skinning: beside, view } = this.#comparison;
		if (!beside) {
			this.#pictures.want('frame', { ...request, skinning: this.#skinning });
			return;
		}
		this.#pictures.want('compare', {
			...request,
			methods: [this.#skinning, beside],
			view: view === 'side' ? 'side_by_side' : 'heat',
			background: panelColour(),
		});
	}
}
