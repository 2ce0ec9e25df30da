// Clips of .pclip files for three.js.
import { check } from './pclip_model.js';

/** @typedef {import('./pclip_model.js').Track} Track */

/**
 * An AnimationClip; see PclipClip.toAnimationClip().
 * @param {any} THREE @param {{name?: string, duration: number}} info
 * @param {(time: number) => import('./pclip.js').PclipPose} sample @param {Track[]} tracks
 * @param {import('./pclip.js').PclipJoint[]} joints @param {number[]} times of the samples
 * @param {{name: string, weights: number[]}[]} morphs
 */
export function animationClip(THREE, info, sample, tracks, joints, times, morphs) {
	check(times.length * tracks.length < 1 << 24, 'too long for an AnimationClip');
	const own = tracks.slice(3 * joints.length);
	const weights = morphs.flatMap((morph) => morph.weights);
	const poses = times.map((time) => {
		const pose = sample(time);
		weights.forEach((x, i) => own[i]?.kind || (pose.weights[i] = x));
		return pose;
	});
	/** @type {any[]} */
	const made = [];
	/**
	 * @param {string} name @param {string} property @param {keyof import('./pclip.js').PclipPose} part
	 * @param {number} i of the first track @param {number} width @param {Track[]} driving @param {string} kind
	 */
	const add = (name, property, part, i, width, driving, kind) => {
		if (!driving.some((track) => track.kind)) return;
		const count = driving.some((track) => track.kind > 1) ? times.length : 1;
		const values = poses.slice(0, count).flatMap((pose) => Array.from(pose[part].subarray(i, i + width)));
		const track = new THREE[kind + 'KeyframeTrack'](`${THREE.PropertyBinding.sanitizeNodeName(name)}.${property}`, times.slice(0, count), values);
		if (driving.some((one) => one.hold)) track.setInterpolation(THREE.InterpolateDiscrete);
		made.push(track);
	};
	joints.forEach(({ name }, i) => {
		const [turn, move, grow] = tracks.slice(3 * i);
		add(name, 'quaternion', 'rotations', 4 * i, 4, [turn], 'Quaternion');
		add(name, 'position', 'translations', 3 * i, 3, [move], 'Vector');
		add(name, 'scale', 'scales', 3 * i, 3, [grow], 'Vector');
	});
	let first = 0;
	for (const { name, weights: { length } } of morphs) {
		add(name, 'morphTargetInfluences', 'weights', first, length, own.slice(first, first + length), 'Number');
		first += length;
	}
	return new THREE.AnimationClip(info.name, info.duration, made);
}
