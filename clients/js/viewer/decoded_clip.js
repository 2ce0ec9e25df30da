// A clip as it comes out of a .pclip file: its poses as expressions of the API, so that the daemon skins what
// has been decoded in the page.
import { PclipFile } from '../client/pclip.js';

/** @param {number[]} numbers as the daemon has them */
const exact = (numbers) => numbers.map(Math.fround);

/**
 * The first weight of each joint among all.
 * @param {any[]} joints of a description
 */
function firstWeights(joints) {
	let sum = 0;
	return joints.map(({ weights = [] }) => {
		const first = sum;
		sum += weights.length;
		return first;
	});
}

export class DecodedClip {
	/** @type {string} */
	name;
	/** Bytes of the file. @type {ArrayBuffer} */
	file;
	#joints;
	#clip;
	#firstWeights;

	/**
	 * @param {string} name of the clip
	 * @param {ArrayBuffer} file with the clip alone
	 * @param {any[]} joints of the rig's description
	 */
	constructor(name, file, joints) {
		this.name = name;
		this.file = file;
		this.#joints = joints;
		this.#firstWeights = firstWeights(joints);
		const rest = joints.map(({ translation, rotation, scale, ...joint }) => ({
			...joint,
			translation: exact(translation),
			rotation: exact(rotation),
			scale: exact(scale),
		}));
		this.#clip = new PclipFile(file).open(0, rest);
	}

	/** Metres that the encoder has kept to. */
	get tolerance() {
		return this.#clip.info.tolerance;
	}

	/**
	 * The pose at a time, with all that the clip drives.
	 * @param {number} time seconds
	 */
	poseAt(time) {
		const sampled = this.#clip.sample(time);
		const joints = this.#joints.map(({ key }, i) => [key, this.#transformOf(sampled, i)]);
		const weights = this.#joints.map(({ key }, i) => [key, this.#weightsOf(sampled, i)]);
		const given = (rows) => Object.fromEntries(rows.filter(([, value]) => value));
		return { set: 'rest', joints: given(joints), weights: given(weights) };
	}

	/**
	 * The part of a joint's transform that the clip drives; null = nothing.
	 * @param {import('../client/pclip.js').PclipPose} pose @param {number} i the joint's place
	 */
	#transformOf({ rotations, translations, scales }, i) {
		const parts = [
			['rotation', rotations.subarray(4 * i, 4 * i + 4)],
			['translation', translations.subarray(3 * i, 3 * i + 3)],
			['scale', scales.subarray(3 * i, 3 * i + 3)],
		];
		const driven = parts.filter((_, part) => this.#clip.tracks[3 * i + part].kind > 0);
		if (driven.length === 0) return null;
		return Object.fromEntries(driven.map(([name, numbers]) => [name, [...numbers]]));
	}

	/**
	 * A joint's morph weights if the clip drives any of them; null = none.
	 * @param {import('../client/pclip.js').PclipPose} pose @param {number} i the joint's place
	 */
	#weightsOf({ weights }, i) {
		const { weights: rest = [] } = this.#joints[i];
		const first = this.#firstWeights[i];
		const tracks = this.#clip.tracks.slice(3 * this.#joints.length + first).slice(0, rest.length);
		if (!tracks.some(({ kind }) => kind > 0)) return null;
		return tracks.map(({ kind }, k) => (kind > 0 ? weights[first + k] : rest[k]));
	}
}
