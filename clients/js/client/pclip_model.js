// The meaning of the symbols of .pclip files. Only integers decide what is decoded, so that every decoder gets
// the same numbers; docs/clips.md of posed describes this byte by byte.
import { FREQUENCIES } from './pclip_frequencies.js';

const ESCAPE = 15;
const MOST = 1 << 24;

/** Quarters of the last three differences that each predictor adds. */
const QUARTERS = [[0], [4], [8, -4], [2], [6, -2], [10, -8, 2], [5, -1], [3]];

/**
 * A moving axis: step code, predictor, magnitude code and the step in metres, radians or else.
 * @typedef {[number, number, number, number]} Moving
 */

/**
 * A joint's rotation, translation or scale, or a morph weight (axis 0 alone).
 * @typedef {object} Track
 * @property {number} kind 0 = at rest, 1 = still, 2 = moving @property {number} hold 1 = keeps a sample until the next
 * @property {number[]} base near which a rotation stays; zeros = at rest @property {number} unit exponent of still axes
 * @property {(number | Moving)[]} axes still ones, in units, and moving ones
 */

/** Reads the integers of a sample; the array is the caller's. @typedef {(sample: number) => number[]} ReadSample */
/** @typedef {ReturnType<typeof decodeFrom>} Coder */

const { abs, ceil, max, min } = Math;

/** 0 -1 1 -2 ... for 0 1 2 3 ... @param {number} number */
const zigzag = (number) => (number & 1 ? ~(number >>> 1) : number >>> 1);

/** @template T @param {number} length @param {(i: number) => T} make @returns {T[]} */
export const list = (length, make) => Array.from({ length }, (_, i) => make(i));

/** @param {number | Moving | undefined} axis @returns {axis is Moving} */
export const moves = (axis) => typeof axis === 'object';

/** @param {unknown} good @param {string} [why] @returns {asserts good} */
export function check(good, why = 'damaged') {
	if (!good) throw new Error(why);
}

/** A number that decoders must be able to hold. @param {number} number */
function inRange(number) {
	check(abs(number) <= MOST);
	return number;
}

/** Reads bytes from front to back, by the functions that it returns. @param {Uint8Array} bytes */
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
	const floats = (count) => [...new Float32Array(take(4 * count).slice().buffer)];
	/** What is left. */
	const rest = () => bytes.subarray(at);
	return /** @type {const} */ ([number, varint, take, block, floats, rest]);
}

/** Of each table, the first numbers of its symbols in 4096ths, and 4096. @type {number[][]} */
const tables = [];

/** Adds tables to those that symbols are read by; pclip_frequencies.js has the digits. @param {string} text */
export function addTables(text) {
	let at = 0;
	const digit = () => {
		const code = text.charCodeAt(at++);
		return code - 32 - Number(code > 39) - Number(code > 92);
	};
	while (at < text.length) {
		const starts = [0];
		for (let high = 0, number = 0; starts.length < 16; starts.push(starts[starts.length - 1] + number)) {
			if (high < 90) {
				high = digit();
				if (high !== 90) number = high < 46 ? high : high > 90 ? high - 91 : (high - 46) * 93 + digit();
			}
		}
		tables.push([...starts, 4096]);
	}
}
addTables(FREQUENCIES);

/** Reads symbols: Duda's asymmetric numeral systems, 32 bits of state, 16 bits at a time. @param {Uint8Array} bytes */
export function decodeFrom(bytes) {
	const [number, , , , , rest] = readFrom(bytes);
	let state = number(4);
	check(state > 65535);
	/** @param {number} next */
	const go = (next) => {
		state = next < 65536 ? next * 65536 + number(2) : next;
	};
	/** One that has a frequency; those of classes, bases and axes have no others than the format. @param {number} table */
	const symbol = (table) => {
		const starts = tables[table];
		const low = state & 4095;
		let i = 0;
		while (starts[i + 1] <= low) i++;
		go((starts[i + 1] - starts[i]) * (state >>> 12) + low - starts[i]);
		return i;
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
		return (1 << count) | high | (count && plain(min(count, 12)));
	};
	/** A number >= 0. @param {number} table */
	const size = (table) => {
		const code = symbol(table);
		const length = code < ESCAPE ? code : plain(5);
		check(length < 31);
		return length && long(length - 1);
	};
	/** @param {number} table */
	const signed = (table) => zigzag(size(table));
	/** Checks that nothing is left. */
	const end = () => check(state === 65536 && !rest().length);
	return /** @type {const} */ ([symbol, plain, signed, long, size, end]);
}

/**
 * The tracks that the head of a clip describes: three for each joint, then weights.
 * @param {Uint8Array} bytes @param {number} jointTracks @param {number} count
 * @param {Track[]} [first] of the file's first clip, if this is another
 */
export function readHead(bytes, jointTracks, count, first) {
	// The first tables of each group.
	const CLASS = 58;
	const BASE = 82;
	const MOVES = 84;
	const UNIT = 93;
	const STILL = 95;
	const STEP = 99;
	const PREDICTOR = 101;
	const MAGNITUDE = 103;
	const [symbol, plain, signed, , , end] = decodeFrom(bytes);
	const holds = plain(1);
	const scales = plain(1);
	const before = [0, 0, 0, 0];
	const units = [-16, -16, -16, -16];
	const steps = [96, 96, 96, 96];
	const rest = [0, 0, 0, 0];
	/** @param {number[]} was */
	const readBase = (was) => {
		const own = was.some((x) => x) ? 1 : 0;
		const choice = symbol(BASE + own);
		const base = choice > 1 ? rest.map(() => plain(7) - 32) : choice ? was : rest;
		check(base.every((x) => x < 33));
		return base;
	};
	/** @param {number} kind @param {number | Moving} [was] @returns {Moving} */
	const readMoving = (kind, was) => {
		const again = moves(was) ? 1 : 0;
		const known = moves(was) ? was : [steps[kind], 0, 0];
		const step = known[0] + signed(STEP + again);
		check(!(step >> 8));
		steps[kind] = step;
		return [step, (symbol(PREDICTOR + again) + known[1]) & 7, (symbol(MAGNITUDE + again) + known[2]) & 15, 2 ** (step / 6 - 32)];
	};
	/** A still number in another track's unit. @param {number} number @param {number} shift */
	const inUnit = (number, shift) => {
		if (shift < 0) return shift > -24 ? (number + (1 << (-shift - 1))) >> -shift : 0;
		return shift < 6 ? number << shift : 0;
	};
	/** @param {number} i @returns {Track} */
	const readTrack = (i) => {
		const kind = i < jointTracks ? i % 3 : 3;
		const was = first?.[i];
		/** @type {Track} */
		const track = { kind: 0, hold: 0, base: rest, unit: 0, axes: kind < 3 ? [0, 0, 0] : [0] };
		if (kind === 2 && !scales) return track;
		track.kind = before[kind] = symbol(CLASS + 3 * kind + (was ? 12 + was.kind : before[kind]));
		if (!track.kind) return track;
		track.hold = holds && plain(1);
		if (!kind) track.base = readBase(was?.base ?? rest);
		const moving = track.axes.map((_, axis) => {
			if (track.kind < 2 || kind > 2) return track.kind - 1;
			return symbol(MOVES + 3 * kind + (was ? moves(was.axes[axis]) ? 2 : 1 : 0));
		});
		const known = was?.kind ? was : undefined;
		if (moving.includes(0)) {
			track.unit = units[kind] = (known ? known.unit : units[kind]) + signed(UNIT + (known ? 1 : 0));
			check(track.unit > -101 && track.unit < 28);
		}
		track.axes = moving.map((now, axis) => {
			const old = known?.axes[axis];
			if (now) return readMoving(kind, old);
			if (known && typeof old === 'number') return inRange(inUnit(old, known.unit - track.unit) + signed(STILL + 3));
			return inRange(signed(STILL + min(kind, 2)));
		});
		return track;
	};
	const tracks = list(count, readTrack);
	end();
	return tracks;
}

/** @param {number} number >= 0 */
const bitLength = (number) => 32 - Math.clz32(number);

/**
 * Reads the numbers of samples, each predicted from those before.
 * @param {Moving[][]} joints moving axes, and last of all weights
 */
export function predict(joints) {
	/** The first table of first numbers; those of residuals begin with 0. */
	const FIRST = 54;
	/** Of each number, the last three differences, the running mean of residuals in 64ths and the sizes of the last two. @type {number[][]} */
	const states = [];
	/** @param {Coder} coder @param {number} context @param {number} expected size in 64ths */
	const readResidual = ([symbol, plain, , long], context, expected) => {
		const length = bitLength(expected | 1);
		const below = max(length - 8, 0);
		let size = symbol(context * 18 + 2 * min(length - 1, 8) + (((2 * expected) >> (length - 1)) & 1));
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
	};
	/** @param {Coder} coder @param {number} position in the segment */
	return (coder, position) => {
		let i = 0;
		let length = 6;
		let [found, sought, foundBefore, soughtBefore] = [0, 0, 0, 0];
		for (const moving of joints) {
			for (const [, predictor, magnitude] of moving) {
				if (position) {
					const [value, a, b, c, energy, size, sizeBefore] = states[i];
					const [p, q = 0, r = 0] = QUARTERS[predictor];
					const expected = (9 * energy + 64 * (5 * size + 2 * sizeBefore)) >> 4;
					const f = 2 * found + foundBefore + 30;
					const e = 2 * sought + soughtBefore + 30;
					const residual = readResidual(coder, 10 * f < 7 * e ? 0 : 2 * f > 3 * e ? 2 : 1, expected);
					const counted = min(abs(residual), 65536);
					const change = residual + ((p * a + q * b + r * c + 2) >> 2);
					found += 64 * counted;
					sought += expected;
					const past = position > 1 ? [a, b] : [change, change];
					states[i] = [value + change, change, ...past, energy + ((64 * counted - energy) >> 3), counted, size];
				} else {
					const number = coder[4](FIRST + min(max(ceil(length / 3) - 1, 0), 3));
					const size = (1 << magnitude) >> 2;
					length = bitLength(number);
					states[i] = [number && coder[1](1) ? -number : number, 0, 0, 0, 16 << magnitude, size, size];
				}
				inRange(states[i++][0]);
			}
			[found, sought, foundBefore, soughtBefore] = [0, 0, found, sought];
		}
		return states.map((state) => state[0]);
	};
}

/**
 * Reads the codec "best".
 * @param {Moving[][]} joints moving axes, and last of all weights @param {number} sampleCount
 * @param {number} segmentSamples @param {(i: number) => Uint8Array} segment
 * @returns {ReadSample}
 */
export function predictFrom(joints, sampleCount, segmentSamples, segment) {
	const read = predict(joints);
	/** @type {number[]} */
	let numbers = [];
	/** @type {Coder | undefined} */
	let coder;
	let next = -1;
	return (sample) => {
		const start = sample - (sample % segmentSamples);
		let from = next;
		next = -1; // unless all goes well
		if (!coder || from <= start || from > sample) {
			coder = decodeFrom(segment(start / segmentSamples));
			from = start;
		}
		while (from <= sample) numbers = read(coder, from++ - start);
		if (from === sampleCount || from === start + segmentSamples) coder[5]();
		next = from;
		return numbers;
	};
}

/**
 * Reads the codec "bits", where any sample is as fast as any other.
 * @param {Uint8Array} body @param {number} numberCount @param {number} sampleCount @param {number} segmentSamples
 * @returns {ReadSample}
 */
export function unpackFrom(body, numberCount, sampleCount, segmentSamples) {
	const [number, varint, take, , , rest] = readFrom(body);
	const ranges = list(numberCount, () => {
		const least = varint();
		const width = number(1);
		check(width < 27 && least >>> 1 <= MOST);
		return [zigzag(least), width];
	});
	const offsets = take(numberCount && 4 * ceil(sampleCount / segmentSamples));
	const all = rest();
	return (sample) => {
		const within = sample % segmentSamples;
		let at = 8 * readFrom(offsets.subarray((4 * (sample - within)) / segmentSamples))[0](4);
		let stride = 0;
		/** The next bits, the lowest first. @param {number} count */
		const bits = (count) => {
			let number = 0;
			for (let k = 0; k < count; k++) {
				const byte = all[Math.floor(at / 8)];
				check(byte >= 0);
				number |= ((byte >> at++ % 8) & 1) << k;
			}
			return number;
		};
		const lengths = ranges.map(([least, width]) => {
			const length = bits(5);
			check(length < 27);
			stride += length;
			return [least + (length < width ? bits(width) : 0), length];
		});
		at += within * stride;
		return lengths.map(([least, length]) => least + bits(length));
	};
}
