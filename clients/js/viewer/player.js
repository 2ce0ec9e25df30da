// The stage: shows the chosen rig in the chosen pose at the clock's time, as vertices or as pictures,
// under the page's overlay.
import { Camera } from '../element/camera.js';
import { Clock } from '../element/clock.js';
import { attachGestures } from '../element/gestures.js';
import { boxOfPose } from './bounds.js';
import { CanvasSize } from './canvas_size.js';
import { panelColour, setBusy } from './dom.js';
import { ghostTimes } from './ghosts.js';
import { Pictures } from './pictures.js';
import { poseAt, poseDuration, runningPose } from './pose.js';
import { pictureCall } from './request.js';
import { VertexView } from './vertex_view.js';

const LONGEST_STEP_S = 0.25; // of the clock: a page in the background stands still
const LEAST_RANGE_S = 0.001; // of the API's streams

/** @typedef {import('./pose.js').PoseChoice} PoseChoice */
/** @typedef {import('./attachment.js').Attached} Attached */

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
	#choice = { clip: null, weight: 1, layers: [], fade: null, turned: null, held: null };
	#skinning = { method: 'lbs', device: 'auto' };
	#mode = 'vertices';
	/** @type {{skinning: ?object, view: 'side' | 'heat'}} the comparison; skinning null = none */
	#comparison = { skinning: null, view: 'heat' };
	/** @type {?import('./beside.js').Beside} null = the rig is shown alone */
	#beside = null;
	/** @type {?Attached} null = no joint holds a rig */
	#attached = null;
	/** Members of a picture. @type {Record<string, any>} */
	#look = {};
	/** @type {?string | ?number} a camera of the file in place of ours */
	#fileCamera = null;
	/** @type {?import('./comparison.js').Influence} what vertices are coloured by; null = nothing */
	#influence = null;
	#moved = false; // the user moved the camera
	#lost = false; // the daemon is unreachable
	#bytes = 0; // streamed since the last frame was drawn
	#awake = false;
	#lastTick = 0;
	#size = new CanvasSize();

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {{surface: HTMLCanvasElement, picture: HTMLCanvasElement}} canvases
	 * @param {object} on
	 * @param {() => void} on.onTick @param {() => void} on.onCamera
	 * @param {(bytes: number) => void} on.onNewFrame bytes: streamed for the frame
	 * @param {() => void} on.onOutdated the rig has been replaced
	 * @param {() => void} on.onFound the daemon is reachable again
	 * @param {(error: Error, isLost: boolean) => void} on.onError isLost: the daemon is unreachable and the
	 *   request is retried
	 */
	constructor(client, canvases, on) {
		this.#canvases = canvases;
		this.#on = on;
		const onError = (error) => {
			this.hold(); // or the next moment would be refused, too
			on.onError(error, false);
		};
		this.#vertices = new VertexView(client, canvases.surface, {
			wanted: () => this.#wanted(),
			heldAt: (time) => this.#heldAt(time),
			besideAt: (time) => this.#besideAt(time),
			ghostsAt: (time) => this.#ghostsAt(time),
			onMoment: (moment, isSettled) => this.#take(moment, isSettled),
			onChange: () => this.wake(),
			onOutdated: on.onOutdated,
			onError: (error, isLost) => (isLost ? this.#lose(error) : onError(error)),
		});
		this.#pictures = new Pictures(client, canvases.picture, {
			onPicture: () => {
				on.onNewFrame(0);
				this.wake();
			},
			onError,
		});
		for (const canvas of Object.values(canvases)) {
			attachGestures(canvas, this.camera, {
				onMove: () => this.#move(),
				onFit: () => this.fit(),
			});
			this.#size.watch(canvas, () => {
				this.#resize();
				// The browser shows the canvas before the next tick, and a new size has cleared it.
				if (this.#mode === 'vertices') this.#drawVertices();
			});
		}
	}

	/** True if vertices can be drawn here. */
	get drawsVertices() {
		return this.#vertices.canDraw;
	}

	get mode() {
		return this.#mode;
	}

	/** True if the user has moved the camera since it was fitted to the rig. */
	get isMoved() {
		return this.#moved;
	}

	/** The number of pictures side by side. */
	get columns() {
		if (this.#showsBeside) return 2;
		return this.#comparison.skinning && this.#comparison.view === 'side' ? 2 : 1;
	}

	/** The first column that shows this rig. */
	get firstColumn() {
		return Number(this.#showsBeside && this.#beside.side === 'left');
	}

	get #showsBeside() {
		return this.#beside !== null && this.#mode === 'vertices';
	}

	/** True if the view is from the page's own camera and has no text in it. */
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

	/** The description with the bounds of its clips, which arrive later. @param {any} description */
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
		const sameTimes = sameClip && duration === this.clock.duration;
		if (duration !== this.clock.duration) this.clock.setDuration(duration);
		if (!sameClip) this.clock.seek(0);
		if (!this.#moved) this.fit();
		if (sameTimes) this.#vertices.change({ pose: runningPose(choice) });
		else this.restart();
		this.wake();
	}

	/**
	 * @param {{method: string, device: string}} skinning
	 * @param {boolean} cutsMesh it has vertices of its own, and so a mesh
	 */
	setSkinning(skinning, cutsMesh) {
		this.#skinning = skinning;
		this.#vertices.setSkinning(skinning, cutsMesh);
		this.wake();
	}

	/** @param {{skinning: ?object, view: 'side' | 'heat'}} comparison */
	setComparison(comparison) {
		this.#comparison = comparison;
		this.#vertices.setComparison(comparison);
		if (!this.#moved) this.fit();
		this.wake();
	}

	/** Shows a figure beside the rig. @param {?import('./beside.js').Beside} beside null = none */
	setBeside(beside) {
		if (beside === this.#beside) return;
		this.#beside = beside;
		this.#vertices.setBeside(beside);
		if (!this.#moved) this.fit();
		this.wake();
	}

	/** @param {?Attached} attached null = no joint holds a rig */
	setAttached(attached) {
		this.#attached = attached;
		this.#vertices.refreshHeld();
		this.wake();
	}

	/** The held rig if it is visible: comparisons and cameras of the file show only one rig. */
	get #held() {
		return this.#comparison.skinning || this.#fileCamera !== null ? null : this.#attached;
	}

	/** The pose at a time of the stream's clock. @param {number} time */
	#poseAt(time) {
		return poseAt(this.#choice, this.clock.position(time));
	}

	/** The figure beside the rig, and its pose at a time of the stream's clock. @param {number} time */
	#besideAt(time) {
		if (!this.#beside) return null;
		const { rig, poseAt: poseOf } = this.#beside;
		return { rig, pose: poseOf(this.#choice, this.clock.position(time)) };
	}

	/** The held rig, and its pose at a time of the stream's clock. @param {number} time */
	#heldAt(time) {
		if (!this.#held) return null;
		const { rig, joint, place } = this.#held;
		const to = this.#poseAt(time);
		return { rig, pose: { attach: 'rest', rig: this.rig.name, to, joint, ...place } };
	}

	/** The poses of the clips around a time of the stream's clock, as their loop has them. @param {number} time */
	#ghostsAt(time) {
		const { clock } = this;
		const duration = poseDuration(this.#choice);
		if (duration === 0 || this.#held) return { poses: [], times: [] };
		const times = ghostTimes(duration);
		const poses = times.map((later) => poseAt(this.#choice, clock.position(clock.position(time) + later)));
		return { poses, times };
	}

	/** The clips that are played, and how. */
	get choice() {
		return this.#choice;
	}

	/** @param {Record<string, any>} look members of a picture */
	setLook(look) {
		this.#look = look;
		this.#vertices.setOverlays((look.overlays ?? []).map((one) => one.overlay ?? one));
		this.wake();
	}

	/** @param {?import('./comparison.js').Influence} influence */
	async showInfluence(influence) {
		this.#influence = influence;
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

	/** Looks from a side, with all of the rig in view. @param {{yaw: number, pitch: number}} side degrees */
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

	/** Looks through a camera of the file, in pictures. @param {?(string | number)} node null = the page's own */
	setFileCamera(node) {
		this.#fileCamera = node;
		this.#vertices.refreshHeld();
		this.wake();
	}

	/** Sets the camera from a request's member. @param {any} camera */
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

	/** @param {number} speed */
	setSpeed(speed) {
		this.clock.speed = speed;
		this.#vertices.change({ speed });
	}

	/** Changes the clock's loop or range without moving it. @param {(clock: Clock) => void} change */
	retime(change) {
		this.clock.time = this.clock.position();
		change(this.clock);
		this.restart();
	}

	/** Fits the rig over the whole clip into the view. */
	fit() {
		const { clientWidth, clientHeight } = this.#canvas();
		const aspect = clientWidth / this.columns / Math.max(clientHeight, 1);
		this.camera.fit(boxOfPose(this.rig, this.#choice), aspect);
		this.#moved = false;
		this.wake();
	}

	/** Looks at a part of the rig. @param {import('../element/camera.js').Box} box */
	frame(box) {
		const { clientWidth, clientHeight } = this.#canvas();
		this.camera.fit(box, clientWidth / this.columns / Math.max(clientHeight, 1));
		this.#move();
	}

	/** The places of vertices as they are drawn. @param {number[]} vertices @returns {number[][]} */
	placesOf(vertices) {
		return this.#mode === 'vertices' ? this.#vertices.placesOf(vertices) : [];
	}

	/** The vertices of triangles. @param {number[]} triangles @returns {number[]} */
	cornersOf(triangles) {
		return this.#vertices.cornersOf(triangles);
	}

	/** The current pose and skinning, as members of a request. */
	moment() {
		return { pose: this.poseNow(), skinning: this.#skinning };
	}

	/** The current motion over its whole length. @returns {import('./downloads.js').Motion} */
	motion() {
		return {
			name: this.#choice.clip?.name ?? 'rest',
			pose: runningPose(this.#choice),
			duration: poseDuration(this.#choice),
			skinning: this.#skinning,
		};
	}

	poseNow() {
		return poseAt(this.#choice, this.clock.position());
	}

	/** The request for the picture on the screen. */
	pictureCall() {
		return pictureCall({
			rig: this.rig.name,
			...this.moment(),
			comparison: this.#comparison,
			attached: this.#held,
			look: { ...this.#look, ...this.#shadingOfVertices() },
			camera: this.#fileCamera === null ? this.camera.request() : { node: this.#fileCamera },
			size: this.#size,
			ground: panelColour(),
		});
	}

	/** True if vertices have colours that pictures lack. */
	get hasOwnColours() {
		if (this.#showsBeside) return true;
		if (this.#mode !== 'vertices' || !this.#influence) return false;
		return this.#influence.of === 'support' || this.#held !== null;
	}

	/** The picture's shading that equals the colours of the vertices. */
	#shadingOfVertices() {
		if (this.#mode !== 'vertices' || this.#influence?.of !== 'weights') return {};
		return { shading: { mode: 'weights', joint: this.#influence.joint } };
	}

	play() {
		this.clock.play();
		this.restart();
	}

	pause() {
		this.clock.playing = false;
		this.restart();
	}

	/** Pauses, and requests no vertices until something changes. */
	hold() {
		this.clock.playing = false;
		this.#vertices?.hold(); // there are none while they are being made
		this.wake();
	}

	/** Requests the current view again, after a change or a refusal. */
	restart() {
		this.#vertices.change(this.#wanted());
		this.wake();
	}

	/** The stream's current members. The pose is always among them, so that a frame arrives. */
	#wanted() {
		const { clock } = this;
		const paused = !clock.playing || this.#mode !== 'vertices';
		const [from, to] = clock.ends;
		const goesRound = !paused && to - from >= LEAST_RANGE_S;
		return {
			pose: runningPose(this.#choice),
			speed: clock.speed,
			paused,
			time: paused ? clock.position() : clock.time,
			range: goesRound ? { from, to, loop: clock.loop } : null,
		};
	}

	/** @param {import('../client/stream.js').Moment} moment @param {boolean} isSettled */
	#take(moment, isSettled) {
		const { clock } = this;
		this.#bytes += moment.bytes;
		if (this.#lost) {
			this.#lost = false;
			this.#on.onFound();
		}
		if (isSettled && clock.playing && this.#mode === 'vertices') {
			clock.follow(moment.time);
			if (!clock.playing) this.restart();
		}
		this.wake();
	}

	/** @param {Error} error */
	#lose(error) {
		this.#lost = true;
		this.#on.onError(error, true);
		this.wake();
	}

	/** Draws in the next frame callback, and continues while it plays. */
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
		this.#size.measure(canvas);
		const { width, height } = this.#size;
		if (this.#mode === 'vertices' && (canvas.width !== width || canvas.height !== height)) {
			canvas.width = width;
			canvas.height = height;
		}
		if (!this.#moved) this.fit();
		this.wake();
	}

	#tick(now) {
		this.#awake = false;
		if (this.#mode === 'vertices') this.#drawVertices();
		else this.#advance(Math.min((now - this.#lastTick) / 1000, LONGEST_STEP_S));
		this.#lastTick = now;
		this.#showBusy();
		this.#on.onTick();
	}

	/** Marks each canvas as busy while it does not show the current request. */
	#showBusy() {
		const { surface, picture } = this.#canvases;
		const isVertices = this.#mode === 'vertices';
		setBusy(surface, isVertices && this.#vertices.isBusy);
		// During playback another picture is always pending.
		setBusy(picture, !isVertices && !this.clock.playing && this.#pictures.isBusy);
	}

	/** Vertices follow the stream's clock. */
	#drawVertices() {
		if (!this.#vertices.draw(this.camera, this.#size.ratio)) return;
		this.#on.onNewFrame(this.#bytes);
		this.#bytes = 0;
	}

	/** @param {number} seconds since the last tick */
	#advance(seconds) {
		this.clock.advance(seconds);
		if (this.clock.playing) this.wake();
		if (!this.rig) return;
		const { call, request } = this.pictureCall();
		this.#pictures.want(call, request);
	}
}
