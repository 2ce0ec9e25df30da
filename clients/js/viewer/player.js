// What is seen: the chosen rig in the chosen pose at the clock's time, as vertices or as pictures, with
// the page's marks over it.
import { Camera } from '../element/camera.js';
import { Clock } from '../element/clock.js';
import { attachGestures } from '../element/gestures.js';
import { boxOfPose } from './bounds.js';
import { Pictures } from './pictures.js';
import { poseAt, poseDuration } from './pose.js';
import { pictureCall } from './request.js';
import { VertexView } from './vertex_view.js';

const MOST_PIXEL_RATIO = 2;
const MOST_SIDE = 4096; // of the API's pictures
const LONGEST_STEP_S = 0.25; // of the clock: a page in the background stands still

/** @typedef {import('./pose.js').PoseChoice} PoseChoice */

/** The page's ground as "#rrggbb", for what the daemon writes on: text is not for a gradient. */
function panelColour() {
	const text = getComputedStyle(document.querySelector('header')).backgroundColor;
	const parts = text.match(/[\d.]+/g).slice(0, 3);
	return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

export class Player {
	clock = new Clock();
	camera = new Camera();
	/** @type {any} the description of the rig; null = none */
	rig = null;
	#canvases;
	#on;
	#vertices;
	#pictures;
	/** @type {PoseChoice} */
	#choice = { clip: null, weight: 1, layers: [], turned: null };
	#skinning = { method: 'lbs', device: 'auto' };
	#mode = 'vertices';
	/** @type {{skinning: ?object, view: 'side' | 'heat'}} what it is compared with; null = nothing */
	#comparison = { skinning: null, view: 'heat' };
	/** Members of a picture. @type {Record<string, any>} */
	#look = {};
	/** @type {?string | ?number} a camera of the file in place of ours */
	#fileCamera = null;
	#moved = false; // the camera was, by the user
	#awake = false;
	#lastTick = 0;
	/** Of the canvas in pixels. */
	#size = { width: 1, height: 1, ratio: 1 };

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {{surface: HTMLCanvasElement, picture: HTMLCanvasElement}} canvases
	 * @param {{onTick: () => void, onNewFrame: () => void, onCamera: () => void,
	 *   onError: (error: Error) => void}} on
	 */
	constructor(client, canvases, on) {
		this.#canvases = canvases;
		this.#on = on;
		const onError = (error) => {
			this.clock.playing = false; // or the next moment would be refused, too
			on.onError(error);
			this.wake();
		};
		this.#vertices = new VertexView(client, canvases.surface, {
			onChange: () => this.wake(),
			onMesh: () => this.restart(),
			onError,
		});
		this.#pictures = new Pictures(client, canvases.picture, {
			onPicture: () => {
				on.onNewFrame();
				this.wake();
			},
			onError,
		});
		for (const canvas of Object.values(canvases)) {
			attachGestures(canvas, this.camera, {
				onMove: () => this.#move(),
				onFit: () => this.fit(),
			});
			new ResizeObserver(() => this.#resize()).observe(canvas);
		}
	}

	/** Whether vertices can be drawn here. */
	get drawsVertices() {
		return this.#vertices.canDraw;
	}

	get mode() {
		return this.#mode;
	}

	/** How many pictures stand side by side. */
	get columns() {
		return this.#comparison.skinning && this.#comparison.view === 'side' ? 2 : 1;
	}

	/** Whether what is on the screen is seen by the page's own camera, and nothing is written on it. */
	get isOwnView() {
		const isComparison = this.#mode === 'pictures' && this.#comparison.skinning !== null;
		return this.#fileCamera === null && !isComparison;
	}

	/** Shows another rig, or none. @param {any} description */
	async open(description) {
		this.rig = description;
		this.#moved = false;
		this.#fileCamera = null;
		this.#pictures.clear();
		const mesh = this.#vertices.open(description);
		this.wake();
		await mesh;
	}

	/** The description with the bounds of its clips, which come later. @param {any} description */
	refine(description) {
		if (this.rig?.content !== description.content) return;
		this.rig = description;
		if (!this.#moved) this.fit();
	}

	/** @param {PoseChoice} choice */
	setPose(choice) {
		const sameClip = choice.clip === this.#choice.clip;
		const duration = poseDuration(choice);
		this.#choice = choice;
		if (duration !== this.clock.duration) this.clock.setDuration(duration);
		if (!sameClip) this.clock.seek(0);
		if (!this.#moved) this.fit();
		this.restart();
	}

	/**
	 * @param {{method: string, device: string}} skinning
	 * @param {boolean} cutsMesh it has vertices of its own, and so a mesh
	 */
	setSkinning(skinning, cutsMesh) {
		this.#skinning = skinning;
		this.#vertices.setSkinning(skinning, cutsMesh);
		this.restart();
	}

	/** @param {{skinning: ?object, view: 'side' | 'heat'}} comparison */
	setComparison(comparison) {
		this.#comparison = comparison;
		this.#vertices.setComparison(comparison);
		if (!this.#moved) this.fit();
		this.restart();
	}

	/** @param {Record<string, any>} look members of a picture */
	setLook(look) {
		this.#look = look;
		this.wake();
	}

	/** @param {?{joint: string, of: 'weights' | 'support'}} influence */
	async showInfluence(influence) {
		this.wake();
		await this.#vertices.showInfluence(influence);
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

	/** Looks from a side, at all of the rig. @param {{yaw: number, pitch: number}} side degrees */
	lookFrom({ yaw, pitch }) {
		Object.assign(this.camera, { yaw, pitch });
		this.fit();
		this.#on.onCamera();
	}

	/** @param {boolean} orthographic */
	setOrthographic(orthographic) {
		this.camera.orthographic = orthographic;
		if (!this.#moved) this.fit();
		this.wake();
		this.#on.onCamera();
	}

	/** Looks through a camera of the file, in pictures. @param {?(string | number)} node null = through ours */
	setFileCamera(node) {
		this.#fileCamera = node;
		this.wake();
	}

	/** Takes a camera as a request has it. @param {any} camera */
	setCamera({ height, orthographic = false, ...place }) {
		Object.assign(this.camera, place, { orthographic });
		if (orthographic) this.camera.setHeight(height);
		this.#moved = true;
		this.wake();
		this.#on.onCamera();
	}

	/** @param {number} position */
	seek(position) {
		this.clock.seek(position);
		this.restart();
	}

	/** After the clock's speed, loop or range has changed. */
	retime() {
		this.clock.time = this.clock.position();
		this.restart();
	}

	/** All of the rig over the whole clip comes into view. */
	fit() {
		const { clientWidth, clientHeight } = this.#canvas();
		const aspect = clientWidth / this.columns / Math.max(clientHeight, 1);
		this.camera.fit(boxOfPose(this.rig, this.#choice), aspect);
		this.#moved = false;
		this.wake();
	}

	/** What is shown now, as requests have it. */
	moment() {
		return { pose: this.poseNow(), skinning: this.#skinning };
	}

	poseNow() {
		return poseAt(this.#choice, this.clock.position());
	}

	/** The call that makes the picture of what is on the screen. */
	pictureCall() {
		return pictureCall({
			rig: this.rig.name,
			...this.moment(),
			comparison: this.#comparison,
			look: this.#look,
			camera: this.#fileCamera === null ? this.camera.request() : { node: this.#fileCamera },
			size: this.#size,
			ground: panelColour(),
		});
	}

	/** Asks anew for what is shown: it is to be another, or was refused. */
	restart() {
		const { clock } = this;
		const choice = this.#choice;
		this.#vertices.restart((time) => poseAt(choice, clock.position(time)));
		this.wake();
	}

	/** Draws at the next opportunity, and on as long as it plays. */
	wake() {
		if (this.#awake) return;
		this.#awake = true;
		requestAnimationFrame((now) => this.#tick(now));
	}

	#move() {
		this.#moved = true;
		this.#on.onCamera();
		this.wake();
	}

	#canvas() {
		return this.#canvases[this.#mode === 'vertices' ? 'surface' : 'picture'];
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
		clock.advance(Math.min((now - this.#lastTick) / 1000, LONGEST_STEP_S));
		this.#lastTick = now;
		if (this.#mode === 'vertices') {
			if (this.#vertices.draw(clock, this.camera, this.#size.ratio)) this.#on.onNewFrame();
		} else if (this.rig) {
			const { call, request } = this.pictureCall();
			this.#pictures.want(call, request);
		}
		this.#on.onTick();
		if (clock.playing) this.wake();
	}
}
