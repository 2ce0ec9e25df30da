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

const ATTRIBUTES = ['position', 'normal'];
const PACKED = ['position:u16x3', 'normal:oct8x2'];

/**
 * One primitive of the rig: an object of three.js and which of the rig's vertices are its.
 * @typedef {object} Part
 * @property {any} geometry a BufferGeometry
 * @property {number} first @property {number} count vertices
 * @property {boolean} mirrored the file's normals point outwards, those of skinned vertices inwards
 */

/** Whether two lists of normals mostly oppose each other. @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function oppose(a, b) {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
	return sum < 0;
}

/**
 * The primitives in the order of their vertices.
 * @param {any} scene of mesh.glb @param {Float32Array} normals of the rest pose
 * @returns {Part[]}
 */
function partsOf(scene, normals) {
	/** @type {Part[]} */
	const parts = [];
	let first = 0;
	scene.traverse((/** @type {any} */ { geometry }) => {
		if (!geometry) return;
		const count = geometry.attributes.position.count;
		const own = geometry.attributes.normal?.array ?? [];
		const mirrored = oppose(own, normals.subarray(first * 3, (first + count) * 3));
		parts.push({ geometry, first, count, mirrored });
		first += count;
	});
	return parts;
}

/** Turns normals round, in place. @param {Float32Array} normals */
function turnRound(normals) {
	for (let i = 0; i < normals.length; i++) normals[i] = -normals[i];
}

/**
 * A Group with one mesh (lines, points) for each primitive, with the rig's materials; its geometries
 * are kept up to date. Whoever takes it out of the scene for good calls dispose().
 */
export class PosedMesh extends Group {
	#client;
	/** @type {Part[]} */
	#parts = [];
	/** @type {?AbortController} of the pose that is on its way */
	#under = null;
	/** @type {?import('../client/stream.js').Stream} that plays */
	#stream = null;
	#turn = 0; // counts what was asked for

	/**
	 * @param {string | Client} address of the daemon, or its client
	 * @param {string} rig
	 * @param {{skinning?: Skinning, pose?: Pose}} [options] pose: to begin with; left out: the rest pose
	 */
	static async load(address, rig, { skinning = 'lbs', pose = 'rest' } = {}) {
		const client = typeof address === 'string' ? new Client(address) : address;
		const mesh = new PosedMesh(client, rig, skinning);
		await mesh.#load(pose);
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

	/** @param {Pose} pose */
	async #load(pose) {
		// A method may have vertices of its own, so that the mesh is what it makes of the rig.
		const request = { rig: this.rig, skinning: this.skinning, attributes: ATTRIBUTES };
		const [file, rest] = await Promise.all([
			this.#client.meshOf(request),
			this.#client.vertices(request),
		]);
		if (!file || !rest) throw new Error('the daemon gave no mesh');
		const { scene } = await new GLTFLoader().parseAsync(file, '');
		this.#parts = partsOf(scene, rest.get('normal'));
		this.add(...scene.children);
		if (pose !== 'rest') await this.setPose(pose);
	}

	/**
	 * Shows a pose. One at a time is asked for: a call ends the one before that is still under way,
	 * whose promise then gives false. What plays stops.
	 * @param {Pose} pose
	 */
	async setPose(pose) {
		this.stop();
		const under = (this.#under = new AbortController());
		const request = { rig: this.rig, pose, skinning: this.skinning, attributes: ATTRIBUTES };
		try {
			const found = await this.#client.vertices(request, { signal: under.signal });
			if (under.signal.aborted || !found) return false;
			this.#show(found);
			this.pose = pose;
			return true;
		} catch (error) {
			if (under.signal.aborted) return false;
			throw error;
		}
	}

	/**
	 * Plays: the pose runs on by the daemon's clock, such as { clip: 'Walk', loop: 'repeat' }, and frames
	 * come at its pace, until stop(), another pose, or the end of a duration; then the promise is kept.
	 * While it plays, play() again goes on with another pose, without a gap.
	 * @param {Pose} pose
	 * @param {{fps?: number, speed?: number, time?: number, duration?: number}} [options]
	 */
	async play(pose, options = {}) {
		if (this.#stream && options.duration === undefined) {
			const { fps, speed, time } = options;
			await this.#stream.change({ pose, fps, speed, time });
			return;
		}
		this.stop();
		const turn = this.#turn;
		const stream = await this.#client.stream({
			...options,
			rig: this.rig,
			skinning: this.skinning,
			pose,
			attributes: PACKED,
			compression: 'meshopt',
		});
		if (turn !== this.#turn) return void stream.close();
		this.#stream = stream;
		for await (const frame of stream) {
			if (stream !== this.#stream) return;
			this.#show(frame);
			this.pose = pose;
			this.dispatchEvent(/** @type {any} */ ({ type: 'frame', time: frame.time }));
		}
		if (stream === this.#stream) this.#stream = null;
	}

	/** Ends what plays, and what is on its way. */
	stop() {
		this.#turn++;
		this.#under?.abort();
		this.#under = null;
		this.#stream?.close();
		this.#stream = null;
	}

	/** Takes vertices over, float32 as they came, without a copy. @param {import('../client/vertices.js').Vertices} found */
	#show(found) {
		const [positions, normals] = ATTRIBUTES.map((name) => found.get(name));
		for (const { geometry, first, count, mirrored } of this.#parts) {
			const part = [first * 3, (first + count) * 3];
			const turned = normals.subarray(...part);
			if (mirrored) turnRound(turned);
			put(geometry, 'position', positions.subarray(...part));
			put(geometry, 'normal', turned);
			geometry.boundingSphere = geometry.boundingBox = null;
		}
	}

	/** Frees what is in the graphics memory. */
	dispose() {
		this.stop();
		this.traverse((/** @type {any} */ { geometry, material }) => {
			geometry?.dispose();
			for (const one of [material ?? []].flat()) {
				for (const texture of Object.values(one)) if (texture?.isTexture) texture.dispose();
				one.dispose();
			}
		});
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
