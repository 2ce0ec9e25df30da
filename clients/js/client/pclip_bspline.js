// The codec "bspline" of .pclip files: tracks as B-splines over the samples, whose control points are integers.
import { SPLINE_FREQUENCIES } from './pclip_frequencies.js';
import { addTables, check, decodeFrom, list, predict, readFrom } from './pclip_model.js';

/** @typedef {import('./pclip_model.js').Moving} Moving @typedef {import('./pclip_model.js').Coder} Coder */

// The tables of shapes, of numbers of knots, and of what is between those.
const SHAPE = 105;
const KNOTS = 106;
const GAP = 107;
addTables(SPLINE_FREQUENCIES);

/**
 * One track, and a function that gives its numbers at a sample.
 * @param {Coder} coder @param {Moving[]} axes @param {number} sampleCount @param {number} before knots of the track before
 * @param {number} room knots and control points at most
 */
function readSpline(coder, axes, sampleCount, before, room) {
	const [symbol, , signed, , size] = coder;
	const last = sampleCount - 1;
	const shape = symbol(SHAPE);
	const degree = shape & 3;
	const periodic = shape & 4;
	const count = before + signed(KNOTS);
	const pointCount = count + (periodic ? 1 : degree + 1);
	const numbers = (shape < 8 ? count : 0) + pointCount * axes.length;
	check(count >= 0 && count <= 4 * sampleCount && numbers <= room);
	/** @type {number[]} */
	const knots = [];
	for (let at = 0, gap = 2; shape < 8 && knots.length < count; knots.push(at)) {
		gap = size(GAP + Math.min(32 - Math.clz32(gap), 3));
		at += gap;
		check(at && at < sampleCount - Number(degree > 0));
	}
	const read = predict([axes]);
	const points = list(pointCount, (i) => read(coder, i));
	/** The i-th knot from the start on. @param {number} i @returns {number} */
	const knot = (i) => {
		const turns = periodic && Math.floor(i / (count + 1));
		const k = i - turns * (count + 1);
		const at = k < 1 ? 0 : k > count ? last : shape < 8 ? knots[k - 1] : (k * last) / (count + 1);
		return at + turns * last;
	};
	/** De Boor's algorithm. @param {number} sample */
	const evaluate = (sample) => {
		const u = periodic && sample === last ? 0 : sample;
		let span = 0;
		for (let high = count; span < high;) {
			const middle = (span + high) >> 1;
			if (knot(middle + 1) <= u) span = middle + 1;
			else high = middle;
		}
		const d = list(degree + 1, (i) => [...points[(span + i) % pointCount]]);
		for (let k = 1; k <= degree; k++) {
			for (let i = degree; i >= k; i--) {
				const from = knot(span + i - degree);
				const to = knot(span + i + 1 - k);
				const share = to > from ? (u - from) / (to - from) : 0;
				d[i].forEach((x, axis) => (d[i][axis] = d[i - 1][axis] + share * (x - d[i - 1][axis])));
			}
		}
		return d[degree];
	};
	return { count, numbers, evaluate };
}

/**
 * Reads the codec "bspline", where any sample is as fast as any other.
 * @param {Uint8Array} body @param {Moving[][]} tracks moving axes of each track
 * @param {number} sampleCount @param {number} clipBytes of the clip's part of the file
 * @returns {import('./pclip_model.js').ReadSample}
 */
export function splinesFrom(body, tracks, sampleCount, clipBytes) {
	const [, varint, , , , rest] = readFrom(body);
	let room = varint();
	check(room <= 64 * clipBytes);
	const coder = decodeFrom(rest());
	let before = 0;
	const splines = tracks.filter((axes) => axes.length).map((axes) => {
		const { count, numbers, evaluate } = readSpline(coder, axes, sampleCount, before, room);
		before = count;
		room -= numbers;
		return evaluate;
	});
	coder[5]();
	check(!room);
	return (sample) => splines.flatMap((evaluate) => evaluate(sample));
}
