// Decodes .pclip files, motion as posed compresses it, for any program and for three.js:
//
//   import { PclipFile } from 'posed';
//   const file = new PclipFile(await (await fetch('walk.pclip')).arrayBuffer());
//   mixer.clipAction(file.open(0).toAnimationClip(THREE)).play();
import { check, decodeFrom, readFrom, readHead, readSample, unpackFrom } from './pclip_model.js';

/**
 * A joint at rest.
 * @typedef {object} PclipJoint
 * @property {string} name @property {number} parent -1 for a root; parents come before children
 * @property {ArrayLike<number>} translation metres @property {ArrayLike<number>} rotation x y z w
 * @property {ArrayLike<number>} scale
 */

/**
 * All joints and morph weights at one time.
 * @typedef {object} PclipPose
 * @property {Float32Array} translations 3 for each joint, relative to its parent
 * @property {Float32Array} rotations 4 for each joint: x y z w @property {Float32Array} scales 3 for each joint
 * @property {Float32Array} weights
 */

/** @typedef {import('./pclip_model.js').Track} Track @typedef {import('./pclip_model.js').Channel} Channel */

const MOST = 65535;
/** Of the way from a sample to the next: what is as near is at the sample. */
const NEAR = 1e-5;

/** @param {ArrayLike<number>} q @returns {number[]} */
function normalised(q) {
	const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	return length > 0 ? Array.from(q, (x) => x / length) : [0, 0, 0, 1];
}

/** base * exp(vector). @param {ArrayLike<number>} base @param {number[]} vector */
function turned(base, [x, y, z]) {
	const angle = Math.sqrt(x * x + y * y + z * z);
	const half = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
	const [a, b, c, d] = normalised(base);
	const [e, f, g, h] = [x * half, y * half, z * half, Math.cos(angle / 2)];
	return [d * e + a * h + b * g - c * f, d * f + b * h + c * e - a * g, d * g + c * h + a * f - b * e, d * h - a * e - b * f - c * g];
}

/** The shorter way. @param {number[]} a @param {number[]} b @param {number} share */
function slerp(a, b, share) {
	const dot = a.reduce((sum, x, i) => sum + x * b[i], 0);
	const angle = Math.acos(Math.min(Math.abs(dot), 1));
	/** @param {number} part */
	const weigh = (part) => (angle < 1e-4 ? part : Math.sin(part * angle) / Math.sin(angle));
	const [from, to] = [weigh(1 - share), weigh(share) * (dot < 0 ? -1 : 1)];
	return normalised(a.map((x, i) => from * x + to * b[i]));
}

/** @param {Uint8Array} bytes */
const text = (bytes) => new TextDecoder().decode(bytes);

/** CRC-32. @param {Uint8Array} bytes */
function checksum(bytes) {
	let sum = -1;
	for (const byte of bytes) {
		sum ^= byte;
		for (let k = 0; k < 8; k++) sum = (sum >>> 1) ^ (sum & 1 && 0xedb88320);
	}
	return ~sum >>> 0;
}

/** Ticks of all samples. @param {() => number} varint @param {number} count */
function readTicks(varint, count) {
	const ticks = [0];
	while (ticks.length < count) {
		const way = varint();
		ticks.push(ticks[ticks.length - 1] + way);
		check(way && ticks[ticks.length - 1] < 2 ** 32);
	}
	return ticks;
}

/** What a clip's part of a file says. @param {Uint8Array} part @param {boolean} hasName */
function readPart(part, hasName) {
	const { take, number, varint, block, floats, rest } = readFrom(part);
	const codec = number(1);
	const flags = number(1);
	const sampleCount = varint();
	const [rate, end, tolerance] = floats(3);
	const last = (sampleCount - 1) / rate;
	const name = hasName ? text(block()) : undefined;
	const packed = (codec & 15) === 2;
	check((packed || (codec & 15) === 1) && sampleCount && sampleCount <= 1 << 24 && rate > 0 && rate < 1e9 && end >= 0 && end < 1e9);
	const ticks = flags & 2 ? readTicks(varint, sampleCount) : undefined;
	check(ticks || sampleCount < 2 || (end <= last * (1 + 1e-5) && end > last - 1 / rate));
	const duration = ticks ? ticks[sampleCount - 1] / rate : end;
	const head = block();
	const segmentSamples = codec >> 4 ? 1 << (codec >> 4) : sampleCount;
	const count = packed ? 1 : Math.ceil(sampleCount / segmentSamples);
	const entry = flags & 1 ? 4 : 2;
	const index = take(count > 1 ? entry * count : 0);
	const segments = rest();
	/** The bytes of a segment. @param {number} i */
	const segment = (i) => {
		const sizes = readFrom(index);
		const all = readFrom(segments);
		for (let k = 0; k < i; k++) all.take(sizes.number(entry));
		return count > 1 ? all.take(sizes.number(entry)) : segments;
	};
	/** Seconds of a sample. @param {number} i */
	const time = (i) => (ticks ? ticks[i] / rate : i + 1 < sampleCount ? i / rate : duration);
	return { name, sampleCount, rate, duration, tolerance, segmentSamples, packed, head, segment, time };
}

/** One clip of a file, open for sampling. */
export class PclipClip {
	/** PclipFile.open() makes it. @param {ReturnType<typeof readPart>} part @param {Track[]} tracks @param {PclipJoint[]} joints */
	constructor(part, tracks, joints) {
		this.name = part.name;
		this.sampleCount = part.sampleCount;
		/** Seconds. */
		this.duration = part.duration;
		/** Metres that the encoder has kept to. */
		this.tolerance = part.tolerance;
		this.part = part;
		this.tracks = tracks;
		this.joints = joints;
		/** Moving numbers of all joints, and last of all of weights. @type {Channel[][]} */
		this.channels = [];
		for (let i = 0; i < tracks.length;) {
			const until = i < 3 * joints.length ? i + 3 : tracks.length;
			const axes = tracks.slice(i, until).flatMap((track) => track.axes);
			this.channels.push(axes.filter((axis) => typeof axis === 'object'));
			i = until;
		}
		this.all = this.channels.flat();
		const { packed, segment, sampleCount, segmentSamples } = part;
		this.unpack = packed ? unpackFrom(segment(0), this.all, sampleCount, segmentSamples) : undefined;
		/** Numbers of the last samples, even and odd. @type {[number, number[]][]} */
		this.held = [];
		this.next = -1;
	}

	/** Moving numbers of a sample, in their units. @param {number} sample */
	load(sample) {
		const { all } = this;
		if (all.length && this.held[sample & 1]?.[0] !== sample) {
			if (this.unpack) this.unpack(sample);
			else this.decode(sample);
			this.held[sample & 1] = [sample, all.map((channel) => channel.value)];
		}
		return this.held[sample & 1]?.[1] ?? [];
	}

	/** Decodes up to a sample, from where the coder is or the start of its segment. @param {number} sample */
	decode(sample) {
		const { segmentSamples, segment } = this.part;
		const start = sample - (sample % segmentSamples);
		let { next } = this;
		this.next = -1; // unless all goes well
		if (next <= start || next > sample) {
			this.coder = decodeFrom(segment(start / segmentSamples));
			next = start;
		}
		const coder = /** @type {import('./pclip_model.js').Coder} */ (this.coder);
		for (; next <= sample; next++) readSample(coder, this.channels, next - start);
		if (next === this.sampleCount || next === start + segmentSamples) coder.end();
		this.next = next;
	}

	/** The sample before a time, and the share of the way to the next. @param {number} time @returns {[number, number]} */
	place(time) {
		const seconds = this.part.time;
		let low = 0;
		let high = this.sampleCount - 1;
		if (!(time > 0) || !high) return [0, 0];
		if (time >= this.duration) return [high, 0];
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if (seconds(middle) <= time) low = middle;
			else high = middle;
		}
		const way = (time - seconds(low)) / (seconds(low + 1) - seconds(low));
		if (way > 1 - NEAR) return [low + 1, 0];
		return [low, way > NEAR ? way : 0];
	}

	/**
	 * All joints and weights at a time in seconds. Weights that the clip does not drive stay as they are in `pose`.
	 * @param {number} time @param {PclipPose} [pose] to be written again @returns {PclipPose}
	 */
	sample(time, pose) {
		const { tracks, joints } = this;
		const count = joints.length;
		const [sample, share] = this.place(time);
		const from = this.load(sample);
		const to = share ? this.load(sample + 1) : from;
		const make = (/** @type {number} */ length) => new Float32Array(length);
		const out = pose ?? { translations: make(3 * count), rotations: make(4 * count), scales: make(3 * count), weights: make(tracks.length - 3 * count) };
		let channel = 0;
		/** What a track adds to rest in both samples. @param {Track} track */
		const both = ({ axes, unit, hold }) => {
			const pairs = axes.map((axis) => {
				if (typeof axis === 'number') return [axis * 2 ** unit, axis * 2 ** unit];
				const k = channel++;
				return [from[k] * axis.unit, (hold ? from : to)[k] * axis.unit];
			});
			return [pairs.map((pair) => pair[0]), pairs.map((pair) => pair[1])];
		};
		/** @param {Track} track @param {ArrayLike<number>} rest @param {Float32Array} all @param {number} i */
		const write = (track, rest, all, i) => {
			const [a, b] = both(track);
			all.set(a.map((x, k) => rest[k] + x + share * (b[k] - x)), i * a.length);
		};
		joints.forEach(({ translation, rotation, scale }, i) => {
			const [turn, move, grow] = tracks.slice(3 * i);
			const base = turn.base.some((x) => x) ? turn.base : rotation;
			const [a, b] = both(turn);
			const start = turn.kind ? turned(base, a) : rotation;
			const moves = share && turn.kind > 1 && !turn.hold;
			out.rotations.set(moves ? slerp(turned(base, a), turned(base, b), share) : start, 4 * i);
			write(move, translation, out.translations, i);
			write(grow, scale, out.scales, i);
		});
		tracks.slice(3 * count).forEach((track, i) => track.kind && write(track, [0], out.weights, i));
		return out;
	}

	/**
	 * An AnimationClip of three.js, with tracks for nodes of the joints' names.
	 * @param {any} THREE the module @param {{name: string, weights: number[]}[]} [morphs] nodes that the morph
	 * weights belong to, in order, with those at rest
	 */
	toAnimationClip(THREE, morphs = []) {
		const { tracks, joints } = this;
		const count = this.all.length ? this.sampleCount : 1;
		check(count * tracks.length < 1 << 24, 'the clip is too long for an AnimationClip');
		const times = Array.from({ length: count }, (_, i) => this.part.time(i));
		const poses = times.map((time) => {
			const pose = this.sample(time);
			morphs.flatMap(({ weights }) => weights).forEach((x, i) => tracks[3 * joints.length + i]?.kind || (pose.weights[i] = x));
			return pose;
		});
		/** @type {any[]} */
		const made = [];
		/** @param {string} kind @param {string} name @param {string} property @param {keyof PclipPose} part @param {number} first track @param {number} at @param {number} width */
		const add = (kind, name, property, part, first, at, width) => {
			const own = tracks.slice(first, first + (part === 'weights' ? width : 1));
			const last = own.some((track) => track.kind > 1) ? count : 1;
			if (own.every((track) => !track.kind)) return;
			const values = poses.slice(0, last).flatMap((pose) => Array.from(pose[part].subarray(at, at + width)));
			const track = new THREE[`${kind}KeyframeTrack`](`${THREE.PropertyBinding.sanitizeNodeName(name)}.${property}`, times.slice(0, last), values);
			if (own.some((one) => one.hold)) track.setInterpolation(THREE.InterpolateDiscrete);
			made.push(track);
		};
		joints.forEach(({ name }, i) => {
			add('Quaternion', name, 'quaternion', 'rotations', 3 * i, 4 * i, 4);
			add('Vector', name, 'position', 'translations', 3 * i + 1, 3 * i, 3);
			add('Vector', name, 'scale', 'scales', 3 * i + 2, 3 * i, 3);
		});
		let first = 0;
		for (const { name, weights: { length } } of morphs) {
			add('Number', name, 'morphTargetInfluences', 'weights', 3 * joints.length + first, first, length);
			first += length;
		}
		return new THREE.AnimationClip(this.name, this.duration, made);
	}
}

/** A .pclip file. */
export class PclipFile {
	/** @param {Uint8Array | ArrayBuffer} bytes */
	constructor(bytes) {
		const { take, number, varint, block, rest } = readFrom(new Uint8Array(bytes));
		check(number(4) === 0x504c4350, 'the file does not begin with PCLP');
		check(number(1) === 1, 'the file has a version that this decoder does not know');
		const flags = number(1);
		const clipCount = number(2);
		check(number(4) === checksum(rest()), "the file's checksum is not that of its contents");
		/** The hash of the rest pose that the clips are relative to, 16 hexadecimal digits. */
		this.skeleton = Array.from(take(8), (byte) => byte.toString(16).padStart(2, '0')).reverse().join('');
		this.jointCount = varint();
		this.weightCount = varint();
		check(this.jointCount <= MOST && this.weightCount <= MOST);
		/** The skeleton of a self-contained file. @type {PclipJoint[] | undefined} */
		this.joints = undefined;
		if (flags & 1) {
			const skeleton = readFrom(block());
			this.joints = Array.from({ length: this.jointCount }, (_, i) => {
				const up = skeleton.varint();
				check(up <= i);
				const [name, all] = [text(skeleton.block()), skeleton.floats(10)];
				return { name, parent: up ? i - up : -1, translation: all.slice(0, 3), rotation: all.slice(3, 7), scale: all.slice(7) };
			});
		}
		/** Bytes of all clips. */
		this.parts = Array.from({ length: clipCount }, block);
		this.hasNames = !!(flags & 2);
		/** Tracks of the first clip, by which others are told. @type {Track[] | undefined} */
		this.first = undefined;
	}

	/** Name, samples, length in seconds and more of each clip. */
	get clips() {
		return this.parts.map((part) => {
			const { name, sampleCount, rate, duration, tolerance } = readPart(part, this.hasNames);
			return { name, sampleCount, rate, duration, tolerance };
		});
	}

	/** @param {number} i @returns {Track[]} */
	tracks(i) {
		const coder = decodeFrom(readPart(this.parts[i], this.hasNames).head);
		const joints = 3 * this.jointCount;
		const tracks = readHead(coder, joints, joints + this.weightCount, i ? (this.first ??= this.tracks(0)) : undefined);
		coder.end();
		return tracks;
	}

	/** Opens a clip. @param {number} i @param {PclipJoint[]} [joints] at rest, for files that are not self-contained */
	open(i, joints = this.joints) {
		check(this.parts[i], 'there is no such clip');
		check(joints?.length === this.jointCount, `the clips need a rig of ${this.jointCount} joints`);
		return new PclipClip(readPart(this.parts[i], this.hasNames), this.tracks(i), joints);
	}
}
