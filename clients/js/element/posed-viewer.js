// <posed-viewer>: a rig in motion on any page, skinned by the daemon that this file comes from.
//
//   <script type="module" src="http://HOST:8600/js/element/posed-viewer.js"></script>
//   <posed-viewer rig="humanoid" clip="Walk" skinning="dqs"></posed-viewer>
//
// Attributes: rig; clip (default: the rest pose); pose (an expression in JSON, instead of a clip);
// time (start in seconds); speed (negative: backwards); loop ("repeat", "ping_pong", "clamp"); skinning
// (a method's id, or an object in JSON); yaw, pitch, fov (degrees); paused; fixed (the user cannot move
// the camera); fps (maximum); src (the address of another daemon); token; upload (rigs may be dropped on it).
// Events: load, frame, upload (detail: the rig's name), error (detail: the error). The element also shows
// the error's message: ::part(error). The wheel scrolls the page, except with Ctrl or ⌘ and while the
// element has the focus; vertical swipes likewise.
import { Client } from '../client/posed.js';
import { Camera } from './camera.js';
import { Clock } from './clock.js';
import { assetsOf, attachDrops } from './dropped_files.js';
import { attachGestures } from './gestures.js';
import { LiveStream } from './live_stream.js';
import { PACKED, Surface } from './surface.js';

const MOST_PIXEL_RATIO = 2;
const DEFAULT_FPS = 30;
const HOME = new URL('../..', import.meta.url).href;

const STYLE = `
:host { display: inline-block; position: relative; width: 300px; height: 300px; }
:host([hidden]) { display: none; }
canvas { display: block; width: 100%; height: 100%; touch-action: pan-y; }
canvas.over { outline: 3px solid; outline-offset: -3px; }
:host([fixed]) canvas { touch-action: auto; pointer-events: none; }
p {
	position: absolute; inset: auto 0 0; max-height: 100%; margin: 0; padding: 0.4em 0.6em; overflow: auto;
	font: 0.85rem/1.4 system-ui, sans-serif; overflow-wrap: anywhere;
	background: #fff4f2; color: #8c1d18;
}
p[hidden] { display: none; }
`;

/** The value of an attribute that is text or JSON. @param {string} name @param {string} text */
function textOrJson(name, text) {
	if (!/^\s*[{["]/.test(text)) return text;
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new SyntaxError(`“${name}” is no JSON: ${/** @type {Error} */ (error).message}`);
	}
}

export class PosedViewer extends HTMLElement {
	static observedAttributes = [
		...['rig', 'src', 'token', 'skinning', 'fps'], // that take another stream
		...['clip', 'pose', 'loop', 'time', 'speed', 'paused'], // that change it
		...['yaw', 'pitch', 'fov'],
	];

	#camera = new Camera();
	#canvas = document.createElement('canvas');
	/** Shows the message of an error. */
	#sentence = document.createElement('p');
	/** @type {?Surface} */
	#surface = null;
	#live = new LiveStream({
		onMesh: (mesh, pictures) => this.#take(mesh, pictures),
		onMoment: ({ frames }) => {
			if (frames.length === 0) return;
			this.#frame = frames[0];
			this.#sentence.hidden = true;
			this.#wake();
		},
		onOutdated: () => this.#renew(),
		onError: (error) => this.#fail(error),
	});
	/** @type {any} description of the rig; null = there is none so far */
	#rig = null;
	/** @type {?import('../client/stream.js').StreamFrame} the newest */
	#frame = null;
	/** @type {?import('../client/stream.js').StreamFrame} that is in the graphics memory */
	#drawn = null;
	#moved = false; // the user moved the camera
	#awake = false;
	#resizes = new ResizeObserver(() => this.#resize());
	#sight = new IntersectionObserver((entries) =>
		this.#live.setSeen(/** @type {any} */ (entries.at(-1)).isIntersecting),
	);

	constructor() {
		super();
		const style = document.createElement('style');
		style.textContent = STYLE;
		this.attachShadow({ mode: 'open' }).append(style, this.#canvas, this.#sentence);
		this.#sentence.part.add('error');
		this.#sentence.setAttribute('role', 'status');
		this.#sentence.hidden = true;
		this.#canvas.tabIndex = 0;
		this.#canvas.setAttribute('role', 'img');
		attachGestures(this.#canvas, this.#camera, {
			onMove: () => {
				this.#moved = true;
				this.#wake();
			},
			onFit: () => this.#fit(),
			zooms: ({ ctrlKey, metaKey }) => ctrlKey || metaKey || this.#canvas.matches(':focus'),
		});
		attachDrops(this, {
			takes: () => this.hasAttribute('upload'),
			onOver: (isOver) => this.#canvas.classList.toggle('over', isOver),
			onFiles: (files) => {
				files.then((found) => this.upload(found)).catch((error) => this.#fail(error));
			},
		});
	}

	connectedCallback() {
		this.#resizes.observe(this.#canvas);
		this.#sight.observe(this);
		this.#open();
	}

	disconnectedCallback() {
		this.#resizes.disconnect();
		this.#sight.disconnect();
		this.#close();
	}

	/** @param {string} name @param {?string} before @param {?string} now */
	attributeChangedCallback(name, before, now) {
		if (!this.isConnected || before === now) return;
		if (['rig', 'src', 'token', 'skinning', 'fps'].includes(name)) this.#open();
		else if (['yaw', 'pitch', 'fov'].includes(name)) this.#aim();
		else if (name === 'time') this.currentTime = this.#number('time', 0);
		else if (name === 'speed') this.#change({ speed: this.#number('speed', 1) });
		else if (name === 'paused') this.#change({ paused: this.paused });
		else this.#changePose();
	}

	/** Seconds into the clip. */
	get currentTime() {
		return this.#frame ? this.#clock().position(this.#frame.time) : 0;
	}

	set currentTime(seconds) {
		this.#change({ time: seconds });
	}

	/** Seconds of the clip; 0 = no clip. */
	get duration() {
		return this.#clock().duration;
	}

	get paused() {
		return this.hasAttribute('paused');
	}

	play() {
		this.removeAttribute('paused');
	}

	pause() {
		this.setAttribute('paused', '');
	}

	/**
	 * Stores files as a rig and shows it: a model with the files that belong to it, or a .zip. A name
	 * in the attribute "upload" is used and its rig replaced; if the attribute is empty, the name is the
	 * file's and an existing rig is not replaced. Returns the name.
	 * @param {import('../client/assets.js').AssetFiles} files
	 */
	async upload(files) {
		const [asset, ...others] = await assetsOf(files);
		if (others.length > 0)
			throw new Error(
				`One rig at a time: ${[asset, ...others].map(({ path }) => path).join(', ')}.`,
			);
		const given = this.getAttribute('upload');
		const name = given || asset.name;
		this.setAttribute('aria-busy', 'true');
		try {
			await this.#client().putRig(name, /** @type {BodyInit} */ (await asset.pack()), { keep: !given });
		} finally {
			this.removeAttribute('aria-busy');
		}
		if (this.getAttribute('rig') === name) this.#open();
		else this.setAttribute('rig', name);
		this.dispatchEvent(new CustomEvent('upload', { detail: name }));
		return name;
	}

	#client() {
		return new Client(this.getAttribute('src') ?? HOME, { token: this.getAttribute('token') });
	}

	/** The camera as requests take it. */
	get camera() {
		return this.#camera.request();
	}

	/** @param {string} name @param {number} otherwise */
	#number(name, otherwise) {
		const number = Number(this.getAttribute(name) ?? NaN);
		return Number.isFinite(number) ? number : otherwise;
	}

	/** The clock with the clip's duration and loop mode. */
	#clock() {
		const clip = this.getAttribute('clip');
		const found = this.#rig?.clips.find((/** @type {any} */ { name }) => name === clip);
		const clock = new Clock();
		clock.loop = /** @type {Clock['loop']} */ (this.getAttribute('loop') ?? 'repeat');
		clock.duration = found ? found.duration : 0;
		return clock;
	}

	/** The pose expression; the stream's clock advances it. */
	#pose() {
		const [clip, pose] = [this.getAttribute('clip'), this.getAttribute('pose')];
		if (clip !== null) return { clip, loop: this.getAttribute('loop') ?? 'repeat' };
		return pose === null ? 'rest' : textOrJson('pose', pose);
	}

	#changePose() {
		try {
			this.#change({ pose: this.#pose() });
		} catch (error) {
			this.#fail(error);
		}
	}

	/** @param {unknown} error */
	#fail(error) {
		this.#sentence.textContent = /** @type {Error} */ (error).message;
		this.#sentence.hidden = false;
		this.dispatchEvent(new CustomEvent('error', { detail: error }));
	}

	/** Changes the stream. @param {object} members */
	#change(members) {
		this.#live.change(members);
	}

	#close() {
		this.#live.open(null);
		this.#rig = this.#frame = this.#drawn = null;
		this.#sentence.hidden = true;
		this.#surface?.clear();
	}

	/** Shows the rig that the attributes name, until something else is opened. */
	#open() {
		this.#close();
		this.#wake();
		const rig = this.getAttribute('rig');
		if (!rig || !this.#hasSurface()) return;
		const client = this.#client();
		this.#live.open({
			client,
			key: rig,
			mesh: () => this.#load(client, rig),
			request: () => this.#request(rig),
		});
	}

	#hasSurface() {
		try {
			this.#surface ??= new Surface(this.#canvas, () =>
				this.#fail(new Error('the browser lost the graphics context; reload this page')),
			);
		} catch (error) {
			this.#fail(error);
		}
		return this.#surface !== null;
	}

	/** The request's skinning; undefined = the default. */
	#skinning() {
		const text = this.getAttribute('skinning');
		return text === null ? undefined : textOrJson('skinning', text);
	}

	/** @param {string} rig */
	#request(rig) {
		return {
			...PACKED,
			rig,
			skinning: this.#skinning(),
			pose: this.#pose(),
			fps: this.#number('fps', DEFAULT_FPS),
			speed: this.#number('speed', 1),
			time: this.#frame?.time ?? this.#number('time', 0),
			paused: this.paused,
		};
	}

	/** @param {Client} client @param {string} rig */
	async #load(client, rig) {
		const skinning = this.#skinning();
		// A method may have vertices of its own; its mesh then replaces the rig's.
		const [description, file] = await Promise.all([
			client.describe(rig),
			skinning === undefined
				? client.mesh(rig)
				: client.meshOf({ rig, skinning, attributes: ['normal'] }),
		]);
		this.#rig = description;
		return /** @type {ArrayBuffer} */ (file);
	}

	/** @param {import('./mesh_file.js').Mesh} mesh @param {ImageBitmap[]} pictures */
	#take(mesh, pictures) {
		this.#frame = this.#drawn = null;
		/** @type {Surface} */ (this.#surface).setMesh(mesh, pictures);
		this.#aim();
		this.#canvas.setAttribute('aria-label', this.getAttribute('rig') ?? '');
		this.dispatchEvent(new Event('load'));
	}

	/** Reloads the rig after it was replaced; a deleted rig stays visible. */
	async #renew() {
		const rig = this.getAttribute('rig') ?? '';
		const isThere = await this.#client()
			.describe(rig)
			.catch(() => null);
		if (isThere && this.isConnected && rig === this.getAttribute('rig')) this.#open();
	}

	/** Sets the camera from the attributes. */
	#aim() {
		this.#camera.yaw = this.#number('yaw', this.#camera.yaw);
		this.#camera.pitch = this.#number('pitch', this.#camera.pitch);
		this.#camera.fov = this.#number('fov', this.#camera.fov);
		if (!this.#moved) this.#fit();
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
		// The browser shows the canvas before the next frame callback, and resizing has cleared it.
		this.#draw();
	}

	/** Draws in the next frame callback. */
	#wake() {
		if (this.#awake) return;
		this.#awake = true;
		requestAnimationFrame(() => {
			this.#awake = false;
			this.#draw();
		});
	}

	#draw() {
		if (!this.#surface) return;
		const isNew = this.#frame !== null && this.#frame !== this.#drawn;
		if (isNew) this.#surface.setFrame(/** @type {any} */ (this.#frame));
		this.#drawn = this.#frame;
		this.#surface.begin();
		this.#surface.draw(this.#camera, this.#canvas.width / this.#canvas.clientWidth);
		if (isNew) this.dispatchEvent(new Event('frame'));
	}
}

customElements.define('posed-viewer', PosedViewer);
