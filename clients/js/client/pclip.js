// Decodes .pclip files, motion as posed compresses it, for any program and for three.js:
//
//   import { PclipFile } from 'posed';
//   const file = new PclipFile(await (await fetch('walk.pclip')).arrayBuffer());
//   mixer.clipAction(file.open(0).toAnimationClip(THREE)).play();
import { splinesFrom } from './pclip_bspline.js';
import { check, list, moves, predictFrom, readFrom, readHead, unpackFrom } from './pclip_model.js';
import { animationClip } from './pclip_three.js';

/**
 * A joint at rest.
 * @typedef {object} PclipJoint
 * @property {string} name @property {number} parent -1 for a root; parents come before children
 * @property {ArrayLike<number>} translation metres @property {Iterable<number> & ArrayLike<number>} rotation x y z w
 * @property {ArrayLike<number>} scale
 */

/**
 * All joints and morph weights at one time.
 * @typedef {object} PclipPose
 * @property {Float32Array} translations 3 for each joint, relative to its parent
 * @property {Float32Array} rotations 4 for each joint: x y z w @property {Float32Array} scales 3 for each joint
 * @property {Float32Array} weights
 */

/** @typedef {import('./pclip_model.js').Track} Track @typedef {import('./pclip_model.js').Moving} Moving */

/** Of the way from a sample to the next: what is as near is at the sample. */
const NEAR = 1e-5;
const { sin } = Math;

/** @param {number[]} q @returns {number[]} */
function normalised(q) {
	const length = Math.hypot(...q);
	return length > 0 ? q.map((x) => x / length) : [0, 0, 0, 1];
}

/** base * exp(vector). @param {number[]} base @param {number[]} vector */
function turned([a, b, c, d], [x, y, z]) {
	const angle = Math.hypot(x, y, z);
	const half = angle ? sin(angle / 2) / angle : 0.5;
	const w = Math.cos(angle / 2);
	x *= half;
	y *= half;
	z *= half;
	return [d * x + a * w + b * z - c * y, d * y + b * w + c * x - a * z, d * z + c * w + a * y - b * x, d * w - a * x - b * y - c * z];
}

/** The shorter way. @param {number[]} a @param {number[]} b @param {number} share */
function slerp(a, b, share) {
	const dot = a.reduce((sum, x, i) => sum + x * b[i], 0);
	const angle = Math.acos(Math.min(Math.abs(dot), 1));
	/** @param {number} part */
	const weigh = (part) => (angle ? sin(part * angle) / sin(angle) : part);
	const to = weigh(share) * (dot < 0 ? -1 : 1);
	return normalised(a.map((x, i) => weigh(1 - share) * x + to * b[i]));
}

/** @param {Uint8Array} bytes */
const text = (bytes) => new TextDecoder().decode(bytes);

/** CRC-32. @param {Uint8Array} bytes */
function checksum(bytes) {
	let sum = -1;
	for (const byte of bytes) {
		sum ^= byte;
		for (let k = 8; k--;) sum = (sum >>> 1) ^ (sum & 1 && 0xedb88320);
	}
	return ~sum >>> 0;
}

/** What a clip's part of a file says. @param {Uint8Array} part @param {number} hasName */
function readPart(part, hasName) {
	const [number, varint, take, block, floats, rest] = readFrom(part);
	const code = number(1);
	const flags = number(1);
	const sampleCount = varint();
	let [rate, duration, tolerance] = floats(3);
	const last = sampleCount - 1;
	const name = hasName ? text(block()) : undefined;
	const codec = code & 15;
	check(codec && codec < 4 && sampleCount && last < 1 << 24 && rate > 0 && rate < 1e9 && duration >= 0 && duration < 1e9);
	/** Ticks of samples with times of their own. */
	const ticks = [0];
	if (flags & 2) {
		for (let i = 0; i < last;) {
			const way = varint();
			ticks.push(ticks[i++] + way);
			check(way && ticks[i] < 2 ** 32);
		}
		duration = ticks[last] / rate;
	} else check(!last || (duration <= (last / rate) * (1 + NEAR) && duration > (last - 1) / rate));
	const head = block();
	const length = code >> 4 ? 1 << (code >> 4) : sampleCount;
	const count = codec > 1 ? 1 : Math.ceil(sampleCount / length);
	const entry = flags & 1 ? 4 : 2;
	const index = take(count > 1 ? entry * count : 0);
	const segments = rest();
	/** The bytes of a segment. @param {number} i */
	const segment = (i) => {
		const [size] = readFrom(index);
		const [, , next] = readFrom(segments);
		for (; i--;) next(size(entry));
		return count > 1 ? next(size(entry)) : segments;
	};
	/** Seconds of a sample. @param {number} i */
	const seconds = (i) => (flags & 2 ? ticks[i] / rate : i < last ? i / rate : duration);
	/** @param {Moving[][]} moving by joint @param {Moving[][]} byTrack @returns {import('./pclip_model.js').ReadSample} */
	const reader = (moving, byTrack) => (codec > 2 ? splinesFrom(segments, byTrack, sampleCount, part.length) : codec > 1 ? unpackFrom(segments, moving.flat().length, sampleCount, length) : predictFrom(moving, sampleCount, length, segment));
	return { info: { name, sampleCount, rate, duration, tolerance }, head, seconds, reader };
}

/**
 * One clip of a file, open for sampling.
 * @typedef {object} PclipClip
 * @property {ReturnType<typeof readPart>['info']} info name, samples, length in seconds and more
 * @property {Track[]} tracks of each joint's rotation, translation and scale, then of each weight; kind 0 = at rest
 * @property {number} numberCount of integers in a sample
 * @property {(sample: number) => number[]} load the integers of a sample, of all that moves
 * @property {(time: number, pose?: PclipPose) => PclipPose} sample all joints and weights at a time in seconds. `pose`
 * is written again; weights that the clip does not drive stay as they are in it
 * @property {(THREE: any, morphs?: {name: string, weights: number[]}[]) => any} toAnimationClip an AnimationClip of
 * three.js, with tracks for nodes of the joints' names. THREE is the module; morphs are nodes that the morph weights
 * belong to, in order, with those at rest
 */

/** @param {ReturnType<typeof readPart>} part @param {Track[]} tracks @param {PclipJoint[]} joints @returns {PclipClip} */
function openClip({ info, seconds, reader }, tracks, joints) {
	const count = joints.length;
	const { sampleCount, duration } = info;
	/** Moving axes of each track, and those of each joint that has some and of all weights. */
	const byTrack = tracks.map(({ axes }) => axes.filter(moves));
	const moving = list(count + 1, (i) => byTrack.slice(3 * i, i < count ? 3 * i + 3 : undefined).flat()).filter((own) => own.length);
	const read = moving.length ? reader(moving, byTrack) : () => [];
	/** Numbers of the last samples, even and odd. @type {[number, number[]][]} */
	const held = [];
	/** @param {number} sample */
	const load = (sample) => {
		if (held[sample & 1]?.[0] !== sample) held[sample & 1] = [sample, read(sample)];
		return held[sample & 1][1];
	};
	/** The sample before a time, and the share of the way to the next. @param {number} time @returns {[number, number]} */
	const place = (time) => {
		let low = 0;
		let high = sampleCount - 1;
		if (!(time > 0 && high)) return [0, 0];
		if (time >= duration) return [high, 0];
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if (seconds(middle) <= time) low = middle;
			else high = middle;
		}
		const way = (time - seconds(low)) / (seconds(high) - seconds(low));
		return way > 1 - NEAR ? [high, 0] : [low, way > NEAR ? way : 0];
	};
	const make = (/** @type {number} */ length) => new Float32Array(length);
	/** @param {number} time @param {PclipPose} [pose] */
	const sample = (time, pose = { translations: make(3 * count), rotations: make(4 * count), scales: make(3 * count), weights: make(tracks.length - 3 * count) }) => {
		const [before, share] = place(time);
		const from = load(before);
		const to = share ? load(before + 1) : from;
		let next = 0;
		/** What a track adds to rest in both samples. @param {Track} track */
		const both = ({ axes, unit, hold }) => {
			const first = next;
			return [from, hold ? from : to].map((numbers) => {
				next = first;
				return axes.map((axis) => (moves(axis) ? numbers[next++] * axis[3] : axis * 2 ** unit));
			});
		};
		/** @param {Track} track @param {ArrayLike<number>} rest @param {Float32Array} all @param {number} i */
		const write = (track, rest, all, i) => {
			const [a, b] = both(track);
			all.set(a.map((x, k) => rest[k] + x + share * (b[k] - x)), i * a.length);
		};
		joints.forEach(({ translation, rotation, scale }, i) => {
			const [turn, move, grow] = tracks.slice(3 * i);
			const base = normalised(turn.base.some((x) => x) ? turn.base : [...rotation]);
			const [a, b] = both(turn).map((vector) => turned(base, vector));
			pose.rotations.set(turn.kind ? slerp(a, b, share) : rotation, 4 * i);
			write(move, translation, pose.translations, i);
			write(grow, scale, pose.scales, i);
		});
		tracks.slice(3 * count).forEach((track, i) => track.kind && write(track, [0], pose.weights, i));
		return pose;
	};
	return {
		info,
		tracks,
		numberCount: moving.flat().length,
		load,
		sample,
		toAnimationClip: (THREE, morphs = []) => animationClip(THREE, info, sample, tracks, joints, list(sampleCount, seconds), morphs),
	};
}

/** A .pclip file. */
export class PclipFile {
	#parts;
	#hasNames;
	/** The skeleton of a self-contained file. @type {PclipJoint[] | undefined} */
	joints;

	/** @param {Uint8Array | ArrayBuffer} bytes */
	constructor(bytes) {
		const [number, varint, take, block, , rest] = readFrom(new Uint8Array(bytes));
		check(number(4) === 0x504c4350, 'not a .pclip file');
		check(number(1) === 1, 'unknown version');
		const flags = number(1);
		this.clipCount = number(2);
		check(number(4) === checksum(rest()), 'wrong checksum');
		/** The hash of the rest pose that the clips are relative to, 16 hexadecimal digits. */
		this.skeleton = take(8).reduceRight((digits, byte) => digits + byte.toString(16).padStart(2, '0'), '');
		this.jointCount = varint();
		this.weightCount = varint();
		check(!((this.jointCount | this.weightCount) >> 16)); // at most 65535 each
		if (flags & 1) {
			const [, distance, , string, floats] = readFrom(block());
			this.joints = list(this.jointCount, (i) => {
				const up = distance();
				check(up <= i);
				const name = text(string());
				const [translation, rotation, scale] = [3, 4, 3].map(floats);
				return { name, parent: up ? i - up : -1, translation, rotation, scale };
			});
		}
		this.#parts = list(this.clipCount, block);
		this.#hasNames = flags & 2;
	}

	/** @param {number} i */
	#part(i) {
		check(this.#parts[i], 'no such clip');
		return readPart(this.#parts[i], this.#hasNames);
	}

	/** Name, samples, length in seconds and more of each clip. */
	get clips() {
		return list(this.clipCount, (i) => this.#part(i).info);
	}

	/** Opens a clip. @param {number} i @param {PclipJoint[]} [joints] at rest, for files that are not self-contained */
	open(i, joints = this.joints) {
		const count = 3 * this.jointCount;
		check(joints?.length === count / 3, 'joints at rest are needed');
		/** @param {{head: Uint8Array}} part @param {Track[]} [first] by which others are told */
		const read = ({ head }, first) => readHead(head, count, count + this.weightCount, first);
		const part = this.#part(i);
		return openClip(part, read(part, i ? read(this.#part(0)) : undefined), joints);
	}
}
