// A rig skinned by posed as an object of three.js.
//
//   import { PosedMesh } from 'posed/three';
//   const walker = await PosedMesh.load('http://127.0.0.1:8600', 'humanoid', { skinning: 'dqs' });
//   scene.add(walker);
//   await walker.setPose({ clip: 'Walk', time: 0.4 });
//   walker.play({ clip: 'Walk', loop: 'repeat' });
import { BufferAttribute, Group } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

import { Client } from '../client/posed.js';

/** @typedef {import('../client/client.js').Pose} Pose @typedef {import('../client/client.js').Skinning} Skinning */

/** @typedef {{fps?: number, speed?: number, time?: number, duration?: number}} PlayOptions */

const ATTRIBUTES = ['position', 'normal'];
const PACKED = ['position:u16x3', 'normal:oct8x2'];

/**
 * One primitive of the rig: an object of three.js and its range of the rig's vertices.
 * @typedef {object} Part
 * @property {any} object a Mesh, LineSegments or Points
 * @property {number} first @property {number} count vertices
 * @property {boolean} mirrored the file's normals point outwards and those of skinned vertices inwards
 */

/** True if two lists of normals mostly oppose each other. @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function oppose(a, b) {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
	return sum < 0;
}

/**
 * The drawable objects of a scene, in the order of their vertices, named after their nodes. The loader
 * groups the primitives of a mesh that has several; as vertices are in world space, no node
 * transforms them.
 * @param {any} scene of mesh.glb @returns {any[]}
 */
function drawnObjects(scene) {
	/** @type {any[]} */
	const drawn = [];
	scene.traverse((/** @type {any} */ object) => {
		if (!object.geometry) return;
		if (object.parent !== scene) object.name = object.parent.name;
		drawn.push(object);
	});
	return drawn;
}

/**
 * The primitives in the order of their vertices.
 * @param {any} scene of mesh.glb @param {Float32Array} normals of the rest pose
 * @returns {Part[]}
 */
function partsOf(scene, normals) {
	let first = 0;
	return drawnObjects(scene).map((object) => {
		const { position, normal } = object.geometry.attributes;
		const part = { object, first, count: position.count };
		first += part.count;
		const own = normal?.array ?? [];
		return { ...part, mirrored: oppose(own, normals.subarray(part.first * 3, first * 3)) };
	});
}

/**
 * A rig's primitives by a method.
 * @typedef {object} Model
 * @property {Part[]} parts
 * @property {?string} content of the rig; null = nothing has been loaded
 */

/** @param {Model} model */
function objectsOf(model) {
	return model.parts.map(({ object }) => object);
}

/** Frees the graphics memory of objects. @param {any[]} objects */
function disposeOf(objects) {
	for (const { geometry, material } of objects) {
		geometry.dispose();
		for (const texture of Object.values(material)) if (texture?.isTexture) texture.dispose();
		material.dispose();
	}
}

/** Flips normals in place. @param {Float32Array} normals */
function turnRound(normals) {
	for (let i = 0; i < normals.length; i++) normals[i] = -normals[i];
}

/**
 * A Group with one mesh (lines, points) for each primitive, with the rig's materials; its geometries
 * are kept up to date. If the rig has been replaced, the next pose or frame brings new children. Call
 * dispose() after removing it from the scene for good. Events: "load" (there are new children), "frame"
 * (of play(), with `time`), "error" (of play(), with `error`).
 */
export class PosedMesh extends Group {
	#client;
	/** @type {Model} that is shown */
	#model = { parts: [], content: null };
	/** @type {?AbortController} of the pending pose */
	#under = null;
	/** @type {?import('../client/stream.js').Stream} that plays */
	#stream = null;
	/** @type {PlayOptions & {pose: Pose}} the parameters of the stream */
	#played = { pose: 'rest' };
	#turn = 0; // counts calls of play() and stop()

	/**
	 * @param {string | Client} address of the daemon, or its client
	 * @param {string} rig
	 * @param {{skinning?: Skinning, pose?: Pose}} [options] pose: the first one; left out: the rest pose
	 */
	static async load(address, rig, { skinning = 'lbs', pose = 'rest' } = {}) {
		const client = typeof address === 'string' ? new Client(address) : address;
		const mesh = new PosedMesh(client, rig, skinning);
		mesh.#take(await mesh.#load());
		if (pose !== 'rest') await mesh.setPose(pose);
		return mesh;
	}

	/** @param {Client} client @param {string} rig @param {Skinning} skinning */
	constructor(client, rig, skinning) {
		super();
		this.#client = client;
		this.name = this.rig = rig;
		this.skinning = skinning;
		/** @type {Pose} that is shown */
		this.pose = 'rest';
	}

	/** Loads the daemon's current model. @param {AbortSignal} [signal] @returns {Promise<Model>} */
	async #load(signal) {
		// A method may have vertices of its own; its mesh then replaces the rig's.
		const request = { rig: this.rig, skinning: this.skinning, attributes: ATTRIBUTES };
		const [file, rest] = await Promise.all([
			this.#client.meshOf(request, { signal }),
			this.#client.vertices(request, { signal }),
		]);
		if (!file || !rest) throw new Error('the daemon gave no mesh');
		// The rig may be replaced between the two requests.
		if (file.headers.get('Posed-Content') !== rest.content) return this.#load(signal);
		const { scene } = await new GLTFLoader().parseAsync(file, '');
		return { parts: partsOf(scene, rest.get('normal')), content: rest.content };
	}

	/** @param {Model} model */
	#take(model) {
		if (model === this.#model) return;
		const old = objectsOf(this.#model);
		this.remove(...old);
		disposeOf(old);
		this.#model = model;
		this.add(...objectsOf(model));
		this.dispatchEvent(/** @type {any} */ ({ type: 'load' }));
	}

	/**
	 * Shows a pose. Only one request is in flight: a call aborts the one before it,
	 * whose promise then resolves to false. Playback stops.
	 * @param {Pose} pose
	 */
	async setPose(pose) {
		this.stop();
		const under = (this.#under = new AbortController());
		try {
			const [model, found] = await this.#find(pose, under.signal);
			if (under.signal.aborted) return false;
			this.#take(model);
			this.#show(found);
			this.pose = pose;
			return true;
		} catch (error) {
			if (under.signal.aborted) return false;
			throw error;
		}
	}

	/**
	 * A pose's vertices, and the model that they belong to.
	 * @param {Pose} pose @param {AbortSignal} signal
	 * @returns {Promise<[Model, import('../client/vertices.js').Vertices]>}
	 */
	async #find(pose, signal) {
		const request = { rig: this.rig, pose, skinning: this.skinning, attributes: ATTRIBUTES };
		for (let model = this.#model; ; model = await this.#load(signal)) {
			const found = await this.#client.vertices(request, { signal });
			if (found?.content === model.content) return [model, found];
		}
	}

	/**
	 * Plays: the daemon's clock advances the pose, such as { clip: 'Walk', loop: 'repeat' }, and frames
	 * arrive at that rate until stop(), another pose, or the end of a duration; then the promise resolves.
	 * During playback, play() switches to another pose without a gap. A failure also raises the event
	 * "error", so that nobody has to await the promise.
	 * @param {Pose} pose
	 * @param {PlayOptions} [options]
	 */
	play(pose, options = {}) {
		const played = this.#play(pose, options);
		played.catch((error) => this.dispatchEvent(/** @type {any} */ ({ type: 'error', error })));
		return played;
	}

	/** @param {Pose} pose @param {PlayOptions} options */
	async #play(pose, options) {
		if (this.#stream && options.duration === undefined) {
			const { fps, speed, time } = options;
			await this.#stream.change({ pose, fps, speed, time });
			this.#played = { ...this.#played, ...options, pose };
			return;
		}
		this.stop();
		this.#played = { ...options, pose };
		const turn = this.#turn;
		let model = this.#model;
		for (let goesOn = true; goesOn;) {
			const stream = await this.#open();
			if (turn !== this.#turn) return void stream.close();
			if (stream.content !== model.content) {
				await stream.close();
				model = await this.#load();
				continue;
			}
			this.#take(model);
			this.#stream = stream;
			goesOn = await this.#follow(stream);
		}
	}

	#open() {
		return this.#client.stream({
			...this.#played,
			rig: this.rig,
			skinning: this.skinning,
			attributes: PACKED,
			compression: 'meshopt',
		});
	}

	/**
	 * Shows the frames of a stream. Resolves to true if another stream must continue because the rig was replaced.
	 * @param {import('../client/stream.js').Stream} stream
	 */
	async #follow(stream) {
		try {
			for await (const { frames, time, since, outdated } of stream.moments()) {
				if (stream !== this.#stream) return false;
				for (const frame of frames) {
					this.#show(frame);
					this.pose = this.#played.pose;
					this.dispatchEvent(/** @type {any} */ ({ type: 'frame', time }));
				}
				if (outdated) return this.#goOn(time, since);
			}
			return false;
		} finally {
			if (stream === this.#stream) this.#stream = null;
		}
	}

	/** Prepares the next stream; false if nothing is left to play. @param {number} time @param {number} since the beginning, in seconds */
	#goOn(time, since) {
		const { duration } = this.#played;
		const left = duration === undefined ? undefined : duration - since;
		this.#played = { ...this.#played, time, duration: left };
		return left === undefined || left > 0;
	}

	/** Ends playback and pending requests. */
	stop() {
		this.#turn++;
		this.#under?.abort();
		this.#under = null;
		this.#stream?.close();
		this.#stream = null;
	}

	/** Adopts float32 vertices without a copy. @param {import('../client/vertices.js').Vertices} found */
	#show(found) {
		const [positions, normals] = ATTRIBUTES.map((name) => found.get(name));
		for (const { object, first, count, mirrored } of this.#model.parts) {
			const { geometry } = object;
			const part = [first * 3, (first + count) * 3];
			const turned = normals.subarray(...part);
			if (mirrored) turnRound(turned);
			put(geometry, 'position', positions.subarray(...part));
			put(geometry, 'normal', turned);
			geometry.boundingSphere = geometry.boundingBox = null;
		}
	}

	/** Frees the graphics memory. */
	dispose() {
		this.stop();
		disposeOf(objectsOf(this.#model));
	}
}

/** @param {any} geometry @param {string} name @param {Float32Array} numbers */
function put(geometry, name, numbers) {
	const attribute = geometry.attributes[name];
	if (attribute?.array.length === numbers.length && !attribute.isInterleavedBufferAttribute) {
		attribute.array = numbers;
		attribute.needsUpdate = true;
	} else {
		geometry.setAttribute(name, new BufferAttribute(numbers, 3));
	}
}
