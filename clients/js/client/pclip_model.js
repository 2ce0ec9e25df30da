// The meaning of the symbols of .pclip files. Only integers decide what is decoded, so that every decoder gets
// the same numbers; docs/clips.md of posed describes this byte by byte.
import { FREQUENCIES } from './pclip_frequencies.js';

const ESCAPE = 15;
const MOST = 1 << 24;

// The first tables of each group; those of residuals begin with 0.
const FIRST = 54;
const CLASS = 58;
const BASE = 82;
const MOVES = 84;
const UNIT = 93;
const STILL = 95;
const STEP = 99;
const PREDICTOR = 101;
const MAGNITUDE = 103;

/** Quarters of the last three differences that each predictor adds. */
const QUARTERS = [[0, 0, 0], [4, 0, 0], [8, -4, 0], [2, 0, 0], [6, -2, 0], [10, -8, 2], [5, -1, 0], [3, 0, 0]];

/**
 * A number that moves, with its past within a segment.
 * @typedef {object} Channel
 * @property {number} step code @property {number} predictor @property {number} magnitude code
 * @property {number} unit metres, radians or else
 * @property {number} value the last one @property {number[]} past the last three differences, latest first
 * @property {number} energy running mean of residuals in 64ths @property {number[]} sizes of the last two, likewise
 */

/**
 * A joint's rotation, translation or scale, or a morph weight (axis 0 alone).
 * @typedef {object} Track
 * @property {number} kind 0 = at rest, 1 = still, 2 = moving @property {number} hold 1 = keeps a sample until the next
 * @property {number[]} base near which a rotation stays; zeros = at rest @property {number} unit exponent of still axes
 * @property {(number | Channel)[]} axes still ones, in units, and moving ones
 */

/** @typedef {ReturnType<typeof readFrom>} Reader @typedef {ReturnType<typeof decodeFrom>} Coder */

/** @param {unknown} good @param {string} [why] @returns {asserts good} */
export function check(good, why = 'the file is damaged') {
	if (!good) throw new Error(why);
}

/** Reads bytes from front to back. @param {Uint8Array} bytes */
export function readFrom(bytes) {
	let at = 0;
	/** The next bytes. @param {number} count */
	const take = (count) => {
		check(count <= bytes.length - at);
		return bytes.subarray(at, (at += count));
	};
	/** Little-endian. @param {number} count of bytes */
	const number = (count) => take(count).reduceRight((sum, byte) => sum * 256 + byte, 0);
	/** Seven bits a byte, the lowest first. */
	const varint = () => {
		let sum = 0;
		for (let shift = 0, byte = 128; byte > 127; shift += 7) {
			check(shift < 32);
			byte = number(1);
			sum |= (byte & 127) << shift;
		}
		return sum >>> 0;
	};
	/** Bytes behind their number. */
	const block = () => take(varint());
	/** Of 32 bits. @param {number} count */
	const floats = (count) => Array.from(new Float32Array(take(4 * count).slice().buffer));
	/** What is left. */
	const rest = () => bytes.subarray(at);
	return { take, number, varint, block, floats, rest };
}

/** First numbers of all symbols in 4096ths, 17 for each table. */
const starts = new Uint16Array(105 * 17);
let at = 0;
const digit = () => {
	const code = FREQUENCIES.charCodeAt(at++);
	return code - 32 - Number(code > 39) - Number(code > 92);
};
for (let i = 0, high = 0; i < starts.length; i++) {
	const symbol = i % 17;
	if (!symbol) high = 0;
	else if (symbol === 16) starts[i] = 4096;
	else {
		if (high < 91) high = digit();
		starts[i] = starts[i - 1] + (high < 46 ? high : high > 90 ? high - 91 : (high - 46) * 93 + digit());
	}
}

/** Reads symbols: Duda's asymmetric numeral systems, 32 bits of state, 16 bits at a time. @param {Uint8Array} bytes */
export function decodeFrom(bytes) {
	const { number, rest } = readFrom(bytes);
	let state = number(4);
	check(state > 65535);
	/** @param {number} next */
	const go = (next) => {
		state = next < 65536 ? next * 65536 + number(2) : next;
	};
	/** @param {number} table */
	const symbol = (table) => {
		const low = state & 4095;
		let i = table * 17;
		while (starts[i + 1] <= low) i++;
		go((starts[i + 1] - starts[i]) * (state >>> 12) + low - starts[i]);
		return i - table * 17;
	};
	/** So many bits, at most 16, all numbers equally likely. @param {number} count */
	const plain = (count) => {
		const bits = state & ((1 << count) - 1);
		go(state >>> count);
		return bits;
	};
	/** A number of so many bits behind a 1; those above the twelfth come first. @param {number} count */
	const long = (count) => {
		const high = count > 12 ? plain(count - 12) << 12 : 0;
		return (1 << count) | high | (count && plain(Math.min(count, 12)));
	};
	/** A number >= 0. @param {number} table */
	const size = (table) => {
		const code = symbol(table);
		const length = code < ESCAPE ? code : plain(5);
		check(length < 31);
		return length && long(length - 1);
	};
	/** @param {number} table */
	const signed = (table) => {
		const number = size(table);
		return number & 1 ? ~(number >> 1) : number >> 1;
	};
	/** Checks that nothing is left. */
	const end = () => check(state === 65536 && !rest().length);
	return { symbol, plain, long, size, signed, end };
}

/** A still number in another track's unit. @param {number} still @param {number} shift */
function inUnits(still, shift) {
	if (shift < 0) return shift > -24 ? (still + (1 << (-shift - 1))) >> -shift : 0;
	return shift < 6 ? still << shift : 0;
}

/**
 * The tracks that the head of a clip describes: three for each joint, then weights.
 * @param {Coder} coder @param {number} jointTracks @param {number} count
 * @param {Track[]} [first] of the file's first clip, if this is another
 */
export function readHead({ symbol, plain, signed }, jointTracks, count, first) {
	const holds = plain(1);
	const scales = plain(1);
	const before = [0, 0, 0, 0];
	const units = [-16, -16, -16, -16];
	const steps = [96, 96, 96, 96];
	/** @param {number} of @param {number[]} [was] */
	const readBase = (of, was) => {
		const choice = symbol(BASE + of);
		check(choice < 2 + Number(choice === 2) && choice !== 1 - of);
		const base = choice === 2 ? [0, 0, 0, 0].map(() => plain(7) - 32) : (choice && was) || [0, 0, 0, 0];
		check(base.every((x) => x < 33));
		return base;
	};
	/** @param {number} kind @param {number | Channel} [was] @returns {Channel} */
	const readMoving = (kind, was) => {
		const known = typeof was === 'object' ? was : { step: steps[kind], predictor: 0, magnitude: 0 };
		const again = Number(known === was);
		const step = known.step + signed(STEP + again);
		check(step >= 0 && step < 256);
		steps[kind] = step;
		const predictor = (symbol(PREDICTOR + again) + known.predictor) & 7;
		const magnitude = (symbol(MAGNITUDE + again) + known.magnitude) & 15;
		return { step, predictor, magnitude, unit: 2 ** (step / 6 - 32), value: 0, past: [], energy: 0, sizes: [] };
	};
	/** @param {number} i @returns {Track} */
	const readTrack = (i) => {
		const kind = i < jointTracks ? i % 3 : 3;
		const was = first?.[i];
		/** @type {Track} */
		const track = { kind: 0, hold: 0, base: [0, 0, 0, 0], unit: 0, axes: kind < 3 ? [0, 0, 0] : [0] };
		if (kind === 2 && !scales) return track;
		track.kind = before[kind] = symbol(CLASS + 3 * kind + (was ? 12 + was.kind : before[kind]));
		check(track.kind < 3);
		if (!track.kind) return track;
		track.hold = holds && plain(1);
		if (!kind) track.base = readBase(Number(was?.base.some((x) => x) ?? 0), was?.base);
		const moves = track.axes.map((_, axis) => {
			if (track.kind < 2 || kind > 2) return track.kind - 1;
			return symbol(MOVES + 3 * kind + (was ? 1 + Number(typeof was.axes[axis] === 'object') : 0));
		});
		check(moves.every((x) => x < 2));
		const known = was?.kind ? was : undefined;
		if (moves.includes(0)) {
			track.unit = units[kind] = (known ? known.unit : units[kind]) + signed(UNIT + Number(!!known));
			check(track.unit > -101 && track.unit < 28);
		}
		track.axes = moves.map((moving, axis) => {
			const old = known?.axes[axis];
			if (moving) return readMoving(kind, old);
			const number = typeof old === 'number' ? inUnits(old, /** @type {Track} */ (known).unit - track.unit) + signed(STILL + 3) : signed(STILL + Math.min(kind, 2));
			check(Math.abs(number) <= MOST);
			return number;
		});
		return track;
	};
	return Array.from({ length: count }, (_, i) => readTrack(i));
}

/** @param {number} number >= 0 */
const bitLength = (number) => 32 - Math.clz32(number);

/** @param {Coder} coder @param {number} context @param {number} expected size in 64ths */
function readResidual({ symbol, plain, long }, context, expected) {
	const length = bitLength(expected);
	const half = length > 1 ? (expected >> (length - 2)) & 1 : 0;
	const below = Math.max(length - 8, 0);
	let size = symbol(context * 18 + (length && 2 * Math.min(length - 1, 8) + half));
	if (size === ESCAPE) {
		const bits = plain(5);
		check(bits > 2 && bits < 27);
		size = long(bits - 1) - 4 + ESCAPE;
	}
	if (!below) return size && plain(1) ? -size : size;
	const low = plain(below + 1);
	size = size * 2 ** below + (low >> 1);
	check(size <= 4 * MOST);
	return low & 1 ? ~size : size;
}

/**
 * Reads one sample.
 * @param {Coder} coder @param {Channel[][]} joints moving numbers, and last of all weights
 * @param {number} position in the segment
 */
export function readSample(coder, joints, position) {
	let length = 6;
	let [size, expectation, sizeBefore, expectationBefore] = [0, 0, 0, 0];
	/** @param {Channel} channel */
	const readFirst = (channel) => {
		const number = coder.size(FIRST + Math.min(Math.max(Math.ceil(length / 3) - 1, 0), 3));
		length = bitLength(number);
		channel.energy = 16 << channel.magnitude;
		channel.sizes = [(1 << channel.magnitude) >> 2, (1 << channel.magnitude) >> 2];
		channel.past = [0, 0, 0];
		return number && coder.plain(1) ? -number : number;
	};
	/** @param {Channel} channel */
	const readNext = (channel) => {
		const { energy, sizes, past, predictor } = channel;
		const expected = (9 * energy + 64 * (5 * sizes[0] + 2 * sizes[1])) >> 4;
		const found = 2 * size + sizeBefore + 30;
		const sought = 2 * expectation + expectationBefore + 30;
		const residual = readResidual(coder, 10 * found < 7 * sought ? 0 : 2 * found > 3 * sought ? 2 : 1, expected);
		const counted = Math.min(Math.abs(residual), 65536);
		size += 64 * counted;
		expectation += expected;
		channel.energy += (64 * counted - energy) >> 3;
		channel.sizes = [counted, sizes[0]];
		const change = residual + (QUARTERS[predictor].reduce((sum, share, i) => sum + share * past[i], 2) >> 2);
		channel.past = position > 1 ? [change, past[0], past[1]] : [change, change, change];
		return channel.value + change;
	};
	for (const channels of joints) {
		for (const channel of channels) {
			channel.value = position ? readNext(channel) : readFirst(channel);
			check(Math.abs(channel.value) <= MOST);
		}
		if (channels.length) [size, expectation, sizeBefore, expectationBefore] = [0, 0, size, expectation];
	}
}

/**
 * Reads the codec "bits": a function that sets all channels to a sample's numbers, any one as fast as any other.
 * @param {Uint8Array} body @param {Channel[]} channels @param {number} sampleCount @param {number} segmentSamples
 */
export function unpackFrom(body, channels, sampleCount, segmentSamples) {
	const reader = readFrom(body);
	const ranges = channels.map(() => {
		const least = reader.varint();
		const width = reader.number(1);
		check(width < 27 && least >>> 1 <= MOST);
		return [least & 1 ? ~(least >>> 1) : least >>> 1, width];
	});
	const offsets = reader.take(channels.length ? 4 * Math.ceil(sampleCount / segmentSamples) : 0);
	const all = reader.rest();
	return (/** @type {number} */ sample) => {
		const within = sample % segmentSamples;
		const own = readFrom(offsets.subarray((4 * (sample - within)) / segmentSamples)).number(4);
		check(own <= all.length);
		let at = 8 * own;
		/** @param {number} count */
		const bits = (count) => {
			check(at + count <= 8 * all.length);
			const from = Math.floor(at / 8);
			const found = all.subarray(from, from + 5).reduceRight((sum, byte) => sum * 256 + byte, 0);
			const number = Math.floor(found / 2 ** (at % 8)) % 2 ** count;
			at += count;
			return number;
		};
		const lengths = channels.map((channel, i) => {
			const length = bits(5);
			check(length < 27);
			channel.value = ranges[i][0] + (length < ranges[i][1] ? bits(ranges[i][1]) : 0);
			return length;
		});
		at += within * lengths.reduce((sum, length) => sum + length, 0);
		channels.forEach((channel, i) => (channel.value += bits(lengths[i])));
	};
}
