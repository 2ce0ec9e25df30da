// <posed-viewer>: a rig in motion on any page, skinned by the daemon that this file comes from.
//
//   <script type="module" src="http://HOST:8600/js/element/posed-viewer.js"></script>
//   <posed-viewer rig="humanoid" clip="Walk" skinning="dqs"></posed-viewer>
//
// Attributes: rig; clip (none: the rest pose); pose (an expression in JSON, in place of a clip);
// time (seconds to begin at); speed; loop ("repeat", "ping_pong", "clamp"); skinning (a method's id, or
// an object in JSON); yaw, pitch, fov (degrees); paused; fixed (the camera is not for turning); src (the
// address of another daemon); token. Events: load, frame, error (with the error as its detail).
import { Client } from '../client/posed.js';
import { Camera } from './camera.js';
import { Clock } from './clock.js';
import { attachGestures } from './gestures.js';
import { decodePicture, readMesh } from './mesh_file.js';
import { Surface } from './surface.js';
import { VertexStream } from './vertex_stream.js';

const MOST_PIXEL_RATIO = 2;
const LONGEST_STEP_S = 0.25; // of the clock: a page in the background stands still
const HOME = new URL('../..', import.meta.url).href;

const STYLE = `
:host { display: inline-block; width: 300px; height: 300px; }
:host([hidden]) { display: none; }
canvas { display: block; width: 100%; height: 100%; touch-action: none; }
:host([fixed]) canvas { touch-action: auto; pointer-events: none; }
`;

/** An attribute that is a text or JSON. @param {string} text */
function textOrJson(text) {
	return text.trim().startsWith('{') ? JSON.parse(text) : text;
}

export class PosedViewer extends HTMLElement {
	static observedAttributes = [
		...['rig', 'src', 'token', 'clip', 'pose', 'skinning', 'time', 'speed', 'loop', 'paused'],
		...['yaw', 'pitch', 'fov'],
	];

	#clock = new Clock();
	#camera = new Camera();
	#canvas = document.createElement('canvas');
	/** @type {?Surface} */
	#surface = null;
	/** @type {?Client} */
	#client = null;
	/** @type {?VertexStream} */
	#stream = null;
	/** @type {any} description of the rig; null = there is none so far */
	#rig = null;
	/** @type {?import('./mesh_file.js').Mesh} */
	#mesh = null;
	/** @type {?import('./vertex_stream.js').Frame} that is in the graphics memory */
	#drawn = null;
	#turn = 0; // counts rigs that were asked for
	#moved = false; // the camera was, by the user
	#awake = false;
	#lastTick = 0;
	#resizes = new ResizeObserver(() => this.#resize());

	constructor() {
		super();
		const style = document.createElement('style');
		style.textContent = STYLE;
		this.attachShadow({ mode: 'open' }).append(style, this.#canvas);
		this.#canvas.tabIndex = 0;
		this.#canvas.setAttribute('role', 'img');
		attachGestures(this.#canvas, this.#camera, {
			onMove: () => {
				this.#moved = true;
				this.#wake();
			},
			onFit: () => this.#fit(),
		});
	}

	connectedCallback() {
		this.#resizes.observe(this.#canvas);
		this.#open();
	}

	disconnectedCallback() {
		this.#resizes.disconnect();
		this.#turn++;
		this.#stream?.restart(null);
		this.#mesh = null;
	}

	/** @param {string} name @param {?string} before @param {?string} now */
	attributeChangedCallback(name, before, now) {
		if (!this.isConnected || before === now) return;
		if (name === 'rig' || name === 'src' || name === 'token') this.#open();
		else if (name === 'time') this.currentTime = this.#number('time', 0);
		else if (this.#mesh) this.#apply();
	}

	/** Seconds within the clip. */
	get currentTime() {
		return this.#clock.position();
	}

	set currentTime(seconds) {
		this.#clock.seek(seconds);
		this.#restart();
	}

	/** Seconds of the clip; 0 = nothing moves. */
	get duration() {
		return this.#clock.duration;
	}

	get paused() {
		return !this.#clock.playing;
	}

	play() {
		this.removeAttribute('paused');
	}

	pause() {
		this.setAttribute('paused', '');
	}

	/** The camera as requests have it. */
	get camera() {
		return this.#camera.request();
	}

	/** @param {string} name @param {number} otherwise */
	#number(name, otherwise) {
		const number = Number(this.getAttribute(name) ?? NaN);
		return Number.isFinite(number) ? number : otherwise;
	}

	/** @param {unknown} error */
	#fail(error) {
		this.#clock.playing = false; // or the next moment would be refused, too
		this.dispatchEvent(new CustomEvent('error', { detail: error }));
	}

	/** Shows the rig that the attributes name. */
	async #open() {
		const turn = ++this.#turn;
		const rig = this.getAttribute('rig');
		this.#mesh = this.#rig = this.#drawn = null;
		this.#stream?.restart(null);
		this.#surface?.clear();
		this.#wake();
		if (!rig) return;
		try {
			await this.#load(rig, turn);
		} catch (error) {
			if (turn === this.#turn) this.#fail(error);
		}
	}

	/** @param {string} rig @param {number} turn */
	async #load(rig, turn) {
		const token = this.getAttribute('token');
		const client = new Client(this.getAttribute('src') ?? HOME, { token });
		this.#surface ??= new Surface(this.#canvas, () =>
			this.#fail(new Error('the graphics driver has reset this page')),
		);
		const [description, file] = await Promise.all([client.describe(rig), client.mesh(rig)]);
		const mesh = readMesh(/** @type {ArrayBuffer} */ (file));
		const pictures = await Promise.all(mesh.textures.map(decodePicture));
		if (turn !== this.#turn) return;
		this.#client = client;
		this.#rig = description;
		this.#mesh = mesh;
		this.#stream = new VertexStream((request) => this.#vertices(request), {
			onFrames: () => this.#wake(),
			onError: (error) => this.#fail(error),
		});
		this.#surface.setMesh(mesh, pictures);
		this.#apply();
		this.#canvas.setAttribute('aria-label', rig);
		this.dispatchEvent(new Event('load'));
	}

	/** @param {any} request */
	async #vertices(request) {
		return /** @type {import('../client/vertices.js').Vertices} */ (
			await this.#client?.vertices(request)
		);
	}

	/** Takes over what the attributes say of the pose, the camera and the clock. */
	#apply() {
		const clip = this.getAttribute('clip');
		const found = this.#rig.clips.find((/** @type {any} */ { name }) => name === clip);
		if (clip !== null && !found) {
			const names = this.#rig.clips.map((/** @type {any} */ { name }) => name).join(', ');
			this.#fail(new Error(`no clip "${clip}" in rig "${this.#rig.name}"; it has ${names}`));
			return;
		}
		const loop = this.getAttribute('loop') ?? 'repeat';
		this.#clock.loop = /** @type {Clock['loop']} */ (loop);
		this.#clock.speed = this.#number('speed', 1);
		this.#clock.setDuration(found ? found.duration : 0);
		if (this.hasAttribute('paused')) this.#clock.playing = false;
		else this.#clock.play();
		if (this.#drawn === null) this.#clock.seek(this.#number('time', 0));
		this.#camera.yaw = this.#number('yaw', this.#camera.yaw);
		this.#camera.pitch = this.#number('pitch', this.#camera.pitch);
		this.#camera.fov = this.#number('fov', this.#camera.fov);
		if (!this.#moved) this.#fit();
		this.#restart();
	}

	/** @param {number} time */
	#poseAt(time) {
		const [clip, pose] = [this.getAttribute('clip'), this.getAttribute('pose')];
		if (clip !== null) return { clip, time: this.#clock.position(time) };
		return pose === null ? 'rest' : textOrJson(pose);
	}

	/** Asks anew for what is shown. */
	#restart() {
		if (!this.#mesh) return;
		this.#stream?.restart({
			rig: this.#rig.name,
			mesh: this.#mesh,
			skinning: textOrJson(this.getAttribute('skinning') ?? 'lbs'),
			beside: null,
			poseAt: (time) => this.#poseAt(time),
		});
		this.#wake();
	}

	#fit() {
		const box = this.#rig?.bounds;
		const { clientWidth, clientHeight } = this.#canvas;
		if (box) this.#camera.fit(box, clientWidth / Math.max(clientHeight, 1));
		this.#moved = false;
		this.#wake();
	}

	#resize() {
		const ratio = Math.min(devicePixelRatio, MOST_PIXEL_RATIO);
		this.#canvas.width = Math.max(Math.round(this.#canvas.clientWidth * ratio), 1);
		this.#canvas.height = Math.max(Math.round(this.#canvas.clientHeight * ratio), 1);
		if (!this.#moved) this.#fit();
		this.#wake();
	}

	/** Draws at the next opportunity, and on as long as it plays. */
	#wake() {
		if (this.#awake) return;
		this.#awake = true;
		requestAnimationFrame((now) => this.#tick(now));
	}

	/** @param {number} now */
	#tick(now) {
		this.#awake = false;
		this.#clock.advance(Math.min((now - this.#lastTick) / 1000, LONGEST_STEP_S));
		this.#lastTick = now;
		if (!this.#surface) return;
		const frame = this.#mesh ? this.#stream?.frameFor(this.#clock) : null;
		const isNew = frame && frame !== this.#drawn;
		if (isNew) {
			this.#surface.setFrame(frame.vertices);
			this.#drawn = frame;
		}
		this.#surface.begin();
		this.#surface.draw(this.#camera, this.#canvas.width / this.#canvas.clientWidth);
		if (isNew) this.dispatchEvent(new Event('frame'));
		if (this.#clock.playing && this.isConnected) this.#wake();
	}
}

customElements.define('posed-viewer', PosedViewer);
