// <posed-viewer>: a rig in motion on any page, skinned by the daemon that this file comes from.
//
//   <script type="module" src="http://HOST:8600/js/element/posed-viewer.js"></script>
//   <posed-viewer rig="humanoid" clip="Walk" skinning="dqs"></posed-viewer>
//
// A clip that plays is fetched once and played from memory; anything else is streamed. README.md of the
// client lists attributes, members and events. The wheel scrolls the page, except with Ctrl or ⌘ and while
// the element has the focus; vertical swipes likewise.
import { Client } from '../client/posed.js';
import { Attributes } from './attributes.js';
import { Camera } from './camera.js';
import { Clock } from './clock.js';
import { assetsOf, attachDrops } from './dropped_files.js';
import { Controls, CONTROLS_STYLE, morphsOf } from './controls.js';
import { Cover, COVER_STYLE } from './cover.js';
import { ENVIRONMENTS } from './environment.js';
import { attachGestures } from './gestures.js';
import { decode, LiveStream } from './live_stream.js';
import { LoopPlayer } from './loop_player.js';
import { PACKED, Surface } from './surface.js';
import { Turning } from './turning.js';

const MOST_PIXEL_RATIO = 2;
const HOME = new URL('../..', import.meta.url).href;

const STYLE = `
:host { display: inline-block; position: relative; width: 300px; height: 300px; }
:host([hidden]) { display: none; }
canvas { display: block; width: 100%; height: 100%; touch-action: pan-y; }
canvas.over { outline: 3px solid; outline-offset: -3px; }
:host([fixed]) canvas { touch-action: auto; pointer-events: none; }
${COVER_STYLE}${CONTROLS_STYLE}
[hidden] { display: none !important; }
`;

export class PosedViewer extends HTMLElement {
	static observedAttributes = [
		...['rig', 'src', 'token', 'skinning', 'fps'], // that open anew
		...['clip', 'pose', 'loop', 'time', 'speed', 'paused'], // that change what is shown
		...['yaw', 'pitch', 'fov', 'auto-rotate'],
		...['background', 'environment', 'exposure', 'alt', 'poster', 'loading', 'controls'],
	];

	#attributes = new Attributes(this);
	#camera = new Camera();
	#turning = new Turning(this.#camera);
	#canvas = document.createElement('canvas');
	#cover = new Cover();
	#controls = new Controls({
		onClip: (clip) => (clip ? this.setAttribute('clip', clip) : this.removeAttribute('clip')),
		onPlay: () => (this.paused ? this.play() : this.pause()),
		onMorph: (name, weight) => this.setMorph(name, weight),
	});
	/** @type {?Surface} */
	#surface = null;
	#live = new LiveStream({
		onMesh: (mesh, pictures) => {
			this.#loop.clear();
			this.#take(mesh, pictures);
		},
		onMoment: ({ frames }) => {
			if (frames.length === 0) return;
			this.#sought = null;
			this.#show({ time: frames[0].time, vertices: frames[0] });
		},
		onOutdated: () => this.#renew(),
		onError: (error) => this.#fail(error),
	});
	#loop = new LoopPlayer({
		hasSkin: () => this.#hasSkin,
		onPlayback: (playback) => this.#takePlayback(playback),
		onFrame: (frame) => this.#show(frame),
		onOutdated: () => this.#open(),
		onBack: () => this.#cover.setError(''),
		onError: (error, isLost) => {
			if (isLost) return this.#fail(error);
			// The stream reports the clip's fault, if it cannot show it either.
			this.#refusesLoop = true;
			this.#change({});
		},
	});
	/** @type {any} description of the rig; null = there is none so far */
	#rig = null;
	/** @type {?Client} of what is opened */
	#opened = null;
	#vertexCount = 0; // of the mesh on the surface; 0 = there is none
	#hasSkin = false;
	#refusesLoop = false;
	/** True if the error that is shown is of dropped files: frames do not take it away. */
	#isRefused = false;
	/** True while the stream is open, or is to be. */
	#isLive = false;
	/** A time that was set and is not shown yet. @type {?number} */
	#sought = null;
	/** Weights of morph targets that were set, by name. @type {Map<string, number>} */
	#morphs = new Map();
	/** @type {?import('./playback.js').Frame} the newest */
	#frame = null;
	/** @type {?import('./playback.js').Frame} that is in the graphics memory */
	#drawn = null;
	#moved = false; // the user moved the camera
	/** @type {?string} */
	#environment = null; // of the surface
	#awake = false;
	#isStarted = false;
	#isInSight = false;
	/** Begins what was opened out of sight. @type {?() => void} */
	#begin = null;
	#resizes = new ResizeObserver(() => this.#resize());
	#sight = new IntersectionObserver((entries) => {
		this.#isInSight = /** @type {any} */ (entries.at(-1)).isIntersecting;
		this.#attend();
	});

	constructor() {
		super();
		const style = document.createElement('style');
		style.textContent = STYLE;
		const covers = this.#cover.elements;
		this.attachShadow({ mode: 'open' }).append(style, this.#canvas, ...covers, this.#controls.element);
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
		for (const touch of ['pointerdown', 'wheel', 'keydown'])
			this.#canvas.addEventListener(touch, () => this.#turning.stop(), { passive: true });
		attachDrops(this, {
			takes: () => this.hasAttribute('upload'),
			onOver: (isOver) => this.#canvas.classList.toggle('over', isOver),
			onFiles: (files) => {
				files.then((found) => this.upload(found)).catch((error) => {
					this.#fail(error);
					this.#isRefused = true;
				});
			},
		});
	}

	connectedCallback() {
		this.#isStarted = true;
		this.#resizes.observe(this.#canvas);
		this.#sight.observe(this);
		document.addEventListener('visibilitychange', this.#attend);
		this.#dress();
		this.#rotate();
		this.#open();
	}

	disconnectedCallback() {
		this.#isStarted = false;
		this.#resizes.disconnect();
		this.#sight.disconnect();
		document.removeEventListener('visibilitychange', this.#attend);
		this.#isInSight = false;
		this.#turning.stop();
		this.#close();
	}

	/** @param {string} name @param {?string} before @param {?string} now */
	attributeChangedCallback(name, before, now) {
		if (!this.#isStarted || before === now) return; // the start reads them all
		if (['rig', 'src', 'token', 'skinning', 'fps'].includes(name)) this.#open();
		else if (['yaw', 'pitch', 'fov'].includes(name)) this.#aim();
		else if (name === 'auto-rotate') this.#rotate();
		else if (name === 'poster') this.#pin();
		else if (name === 'loading') this.#attend();
		else if (['background', 'environment', 'exposure', 'alt', 'controls'].includes(name)) this.#dress();
		else if (name === 'time') this.currentTime = this.#attributes.number('time', 0);
		else if (name === 'speed') this.#change({ speed: this.#attributes.number('speed', 1) });
		else if (name === 'paused') this.#change({ paused: this.paused });
		else this.#changePose();
	}

	/** Seconds into the clip. */
	get currentTime() {
		return this.#frame ? this.#clock().position(this.#frame.time) : 0;
	}

	set currentTime(seconds) {
		this.#sought = seconds;
		this.#change({ time: seconds });
	}

	/** The morph targets, with the weights that they have unless a clip drives them. */
	get morphs() {
		const found = this.#rig ? morphsOf(this.#rig) : [];
		return found.map((/** @type {any} */ { name, joint, index, weight }) => ({
			...{ name, joint, index, weight: this.#morphs.get(name) ?? weight },
		}));
	}

	/**
	 * Sets the weight of a morph target, in place of the clip's; the other targets of its joint rest.
	 * @param {string} name one of `morphs` @param {?number} weight null = as the clip has it
	 */
	setMorph(name, weight) {
		if (weight === null) this.#morphs.delete(name);
		else this.#morphs.set(name, weight);
		this.#changePose();
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

	/** The clock with the clip's duration and loop mode. */
	#clock() {
		const { clip } = this.#attributes;
		const found = this.#rig?.clips.find((/** @type {any} */ { name }) => name === clip);
		const clock = new Clock();
		clock.loop = this.#attributes.loop;
		clock.duration = found ? found.duration : 0;
		return clock;
	}

	/** The pose expression with the weights that were set. */
	#pose() {
		return this.#attributes.pose(this.#morphs.size > 0 ? this.morphs : []);
	}

	#changePose() {
		this.#refusesLoop = false;
		try {
			this.#change({ pose: this.#pose() });
		} catch (error) {
			this.#fail(error);
		}
	}

	/** @param {unknown} error */
	#fail(error) {
		this.#isRefused = false;
		this.#cover.setError(/** @type {Error} */ (error).message);
		this.dispatchEvent(new CustomEvent('error', { detail: error }));
	}

	/** True if what is to be shown now can be played from memory. */
	#loops() {
		const { clip } = this.#attributes;
		if (clip === null || this.paused || this.#refusesLoop || this.#morphs.size > 0) return false;
		return this.#rig !== null && LoopPlayer.plays({ ...this.#attributes.motion, clip, rig: this.#rig });
	}

	/** The time from which to go on. */
	#now() {
		return this.#sought ?? this.#frame?.time ?? this.#attributes.number('time', 0);
	}

	/** Changes what is shown. @param {Record<string, any>} members of the stream */
	#change(members) {
		this.#updateControls();
		if (!this.#opened || this.#begin) return;
		if (this.#loops()) return this.#openLoop();
		const stops = Object.keys(members).join() === 'paused' && members.paused;
		if (this.#isLive) return this.#live.change(members);
		const wasOpen = this.#loop.isOpen;
		this.#loop.open(null);
		// It stands where it is.
		if (wasOpen && stops && this.#frame) return;
		this.#openLive();
	}

	#openLoop() {
		const time = this.#now();
		this.#sought = null;
		if (this.#isLive) this.#live.open(null);
		this.#isLive = false;
		this.#loop.open({
			...this.#attributes.motion,
			...{ client: /** @type {Client} */ (this.#opened), rig: this.#rig, time },
			...{ clip: this.#attributes.clip ?? '', loop: this.#attributes.loop },
		});
	}

	#openLive() {
		const client = /** @type {Client} */ (this.#opened);
		const rig = this.#attributes.rig;
		this.#isLive = true;
		if (this.#vertexCount > 0) this.#live.adopt(rig, this.#vertexCount);
		this.#live.open({
			...{ client, key: rig },
			mesh: () => this.#load(client, rig),
			request: () => this.#request(rig),
		});
	}

	#close() {
		this.#live.open(null);
		this.#loop.clear();
		this.#rig = this.#frame = this.#drawn = this.#opened = this.#begin = this.#sought = null;
		this.#hasSkin = this.#refusesLoop = this.#isLive = false;
		this.#vertexCount = 0;
		this.#isRefused = false;
		this.#cover.setError('');
		this.#cover.setWarnings([]);
		this.#surface?.clear();
	}

	/** Shows the rig that the attributes name, until something else is opened. */
	#open() {
		this.#close();
		this.#updateControls();
		this.#wake();
		if (!this.getAttribute('rig') || !this.#hasSurface()) return this.#cover.uncover();
		this.#opened = this.#client();
		this.#cover.wait();
		this.#pin();
		this.#begin = () => this.#start(/** @type {Client} */ (this.#opened));
		this.#attend();
	}

	/** Begins what comes into sight, and stops what leaves it. */
	#attend = () => {
		const waits = this.#begin !== null || !this.#frame;
		const isSeen = this.#isInSight || (waits && this.getAttribute('loading') === 'eager');
		this.#live.setSeen(isSeen);
		this.#loop.setSeen(isSeen);
		if (!isSeen || document.hidden) return;
		const begin = this.#begin;
		this.#begin = null;
		begin?.();
	};

	/** @param {Client} client */
	async #start(client) {
		if (this.#attributes.clip !== null && !this.paused) {
			const rig = await client.describe(this.#attributes.rig).catch(() => null);
			if (client !== this.#opened) return;
			if (rig) this.#describe(rig);
		}
		try {
			if (this.#loops()) this.#openLoop();
			else this.#openLive();
		} catch (error) {
			this.#fail(error);
		}
	}

	/** @param {any} rig the description of what is opened */
	#describe(rig) {
		this.#rig = rig;
		this.#controls.offer(rig, this.#morphs);
		this.#updateControls();
		this.#cover.setWarnings(rig.warnings);
		if (rig.warnings.length > 0)
			this.dispatchEvent(new CustomEvent('warning', { detail: rig.warnings }));
	}

	#updateControls() {
		this.#canvas.setAttribute('aria-label', this.getAttribute('alt') ?? this.#attributes.rig);
		this.#controls.update({ clip: this.#attributes.clip ?? '', paused: this.paused });
		this.#controls.show(this.hasAttribute('controls') && this.#rig !== null);
	}

	/** Shows the poster until there is a frame. */
	async #pin() {
		const [address, client] = [this.getAttribute('poster'), this.#opened];
		if (this.#frame || !address || !client) return this.#cover.setPoster(null);
		if (address !== 'auto') return this.#cover.setPoster(address);
		const picture = await client
			.frameLink(this.#attributes.rig, this.#attributes.picture(this.#camera, this.#canvas), {
				ending: 'webp',
			})
			.catch(() => null); // there will be a frame or an error
		if (client === this.#opened && !this.#frame) this.#cover.setPoster(picture);
	}

	/** Takes over the attributes about the looks. */
	#dress() {
		this.#canvas.style.background = this.getAttribute('background') ?? '';
		this.#updateControls();
		if (this.#surface) this.#light(this.#surface);
		this.#wake();
	}

	/** @param {Surface} surface */
	#light(surface) {
		const { environment, exposure } = this.#attributes.look;
		surface.exposure = 2 ** exposure;
		const found = ENVIRONMENTS.find((name) => name === environment);
		if (environment === this.#environment) return;
		this.#environment = environment;
		if (found) surface.setEnvironment(found);
		else this.#fail(new Error(`environment is “${environment}”, must be one of: ${ENVIRONMENTS.join(', ')}`));
	}

	#rotate() {
		this.#turning.start(this.#attributes.number('auto-rotate', 0));
		this.#wake();
	}

	#hasSurface() {
		try {
			if (this.#surface) return true;
			this.#surface = new Surface(this.#canvas, () =>
				this.#fail(new Error('the browser lost the graphics context; reload this page')),
			);
			this.#light(this.#surface);
		} catch (error) {
			this.#fail(error);
		}
		return this.#surface !== null;
	}

	/** @param {string} rig */
	#request(rig) {
		return {
			...PACKED,
			rig,
			...this.#attributes.motion,
			pose: this.#pose(),
			time: this.#now(),
			paused: this.paused,
		};
	}

	/** @param {Client} client @param {string} rig */
	async #load(client, rig) {
		const skinning = this.#attributes.skinning;
		// A method may have vertices of its own; its mesh then replaces the rig's.
		const [description, file] = await Promise.all([
			client.describe(rig),
			skinning === undefined
				? client.mesh(rig)
				: client.meshOf({ rig, skinning, attributes: ['normal'] }),
		]);
		if (JSON.stringify(description) !== JSON.stringify(this.#rig)) this.#describe(description);
		return /** @type {ArrayBuffer} */ (file);
	}

	/** @param {import('./mesh_file.js').Mesh} mesh @param {ImageBitmap[]} pictures */
	#take(mesh, pictures) {
		const isFirst = this.#vertexCount === 0;
		this.#frame = this.#drawn = null;
		this.#hasSkin = false;
		this.#vertexCount = mesh.vertexCount;
		/** @type {Surface} */ (this.#surface).setMesh(mesh, pictures);
		this.#aim();
		if (isFirst) this.dispatchEvent(new Event('load'));
	}

	/** @param {import('./playback.js').Playback} playback */
	async #takePlayback({ mesh: file, skin }) {
		if (!file) return;
		const client = this.#opened;
		const { mesh, pictures } = await decode(file);
		if (client !== this.#opened) return;
		this.#take(mesh, pictures);
		/** @type {Surface} */ (this.#surface).setSkin(skin);
		this.#hasSkin = skin !== null;
	}

	/** @param {import('./playback.js').Frame} frame */
	#show(frame) {
		const isFirst = this.#frame === null;
		this.#frame = frame;
		if (!this.#isRefused) this.#cover.setError('');
		if (isFirst) this.#attend();
		this.#wake();
	}

	/** Reloads the rig after it was replaced; a deleted rig stays visible. */
	async #renew() {
		const rig = this.#attributes.rig;
		const isThere = await this.#client()
			.describe(rig)
			.catch(() => null);
		if (isThere && this.isConnected && rig === this.getAttribute('rig')) this.#open();
	}

	/** Sets the camera from the attributes. */
	#aim() {
		this.#camera.yaw = this.#attributes.number('yaw', this.#camera.yaw);
		this.#camera.pitch = this.#attributes.number('pitch', this.#camera.pitch);
		this.#camera.fov = this.#attributes.number('fov', this.#camera.fov);
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
		const frame = this.#frame;
		const isNew = frame !== null && frame !== this.#drawn;
		if (isNew && frame.palettes) this.#surface.setPalettes(frame.palettes);
		else if (isNew) this.#surface.setFrame(/** @type {any} */ (frame.vertices));
		this.#drawn = frame;
		if (this.#turning.advance() && this.#isInSight) this.#wake();
		this.#surface.begin();
		this.#surface.draw(this.#camera, this.#canvas.width / this.#canvas.clientWidth);
		if (frame) this.#cover.uncover();
		if (isNew) this.dispatchEvent(new Event('frame'));
	}
}

customElements.define('posed-viewer', PosedViewer);
