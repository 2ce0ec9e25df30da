// Colours and legends for the distance between two frames of vertices, and for a joint's influence.
import { paintOf, scaleGradient } from './colours.js';
import { byId, lengthText } from './dom.js';
import { nearestDistances } from './nearest.js';

/** The distance of each vertex. @param {Float32Array} a @param {Float32Array} b @param {number} count */
function distances(a, b, count) {
	const out = new Float32Array(count);
	for (let i = 0; i < count; i++) {
		const k = i * 3;
		out[i] = Math.hypot(a[k] - b[k], a[k + 1] - b[k + 1], a[k + 2] - b[k + 2]);
	}
	return out;
}

/** @param {string} low @param {string} high @param {string} what */
function showScale(low, high, what) {
	byId('scale').hidden = false;
	byId('scale-bar').style.background = scaleGradient();
	byId('scale-low').textContent = low;
	byId('scale-high').textContent = high;
	byId('scale-what').textContent = what;
}

export function hideScale() {
	byId('scale').hidden = true;
}

/** @param {Float32Array} apart */
function greatestAndMean(apart) {
	let most = 0;
	let sum = 0;
	for (const distance of apart) {
		most = Math.max(most, distance);
		sum += distance;
	}
	return { most, mean: sum / Math.max(apart.length, 1) };
}

/** Colours from 0 to a distance; beyond it that of the end. @param {Float32Array} apart @param {number} end */
function scaledPaint(apart, end) {
	return paintOf(end > 0 ? apart.map((distance) => distance / end) : apart);
}

/**
 * Colours for distances, scaled to the greatest.
 * @param {Float32Array} apart @param {string} what
 */
function distancePaint(apart, what) {
	const { most, mean } = greatestAndMean(apart);
	showScale('0', most.toPrecision(3), `${what}, mean ${mean.toPrecision(2)}`);
	return scaledPaint(apart, most);
}

/**
 * Colours for the distance between two skinnings of a frame, scaled to the greatest.
 * @param {import('../client/vertices.js').Vertices} shown @param {import('../client/vertices.js').Vertices} beside
 */
export function differencePaint(shown, beside) {
	const apart = distances(shown.get('position'), beside.get('position'), shown.vertices);
	return distancePaint(apart, 'distance');
}

/**
 * @typedef {object} Version
 * @property {import('../client/vertices.js').Vertices} frame
 * @property {Uint32Array} indices of its mesh
 */

/** @param {Uint32Array} a @param {Uint32Array} b */
function areEqual(a, b) {
	return a.length === b.length && a.every((index, i) => index === b[i]);
}

/**
 * Colours for the distance of a version to an earlier one: vertex by vertex where both have the same mesh.
 * @param {Version} shown @param {Version} earlier
 */
export function versionPaint(shown, earlier) {
	const [now, before] = [shown, earlier].map(({ frame }) => frame.get('position'));
	if (now.length === before.length && areEqual(shown.indices, earlier.indices)) {
		const apart = distances(now, before, shown.frame.vertices);
		return distancePaint(apart, 'distance to the earlier version');
	}
	const apart = nearestDistances(now, before);
	return distancePaint(apart, 'distance to the nearest vertex of the earlier version');
}

/**
 * Colours for the distance of a decoded clip to its original; null if one has been skinned in another way meanwhile.
 * @param {import('../client/vertices.js').Vertices} original @param {import('../client/vertices.js').Vertices} decoded
 * @param {?number} end of the scale, in metres; null = the greatest distance
 */
export function decodedPaint(original, decoded, end) {
	if (original.vertices !== decoded.vertices) return null;
	const apart = distances(original.get('position'), decoded.get('position'), original.vertices);
	const { most, mean } = greatestAndMean(apart);
	const high = end ?? most;
	const what = `distance, mean ${lengthText(mean)}, greatest ${lengthText(most)}`;
	showScale('0', lengthText(high), what);
	return scaledPaint(apart, high);
}

const WHAT = { weights: 'weight on', support: 'support of' };
const STEPS = { least: 4, most: 8 }; // of the scale of counts, as renderer/shading/influences.c has them

/**
 * What vertices are coloured by: a joint's influence on them; or, of all joints, their colours mixed by weight, or how
 * many they are.
 * @typedef {{joint: ?string, of: 'weights' | 'support' | 'colors' | 'count'}} Influence
 */

/** @param {Float32Array} counts of each vertex */
function countPaint(counts) {
	const most = counts.reduce((a, b) => Math.max(a, b), 0);
	const steps = Math.min(Math.max(most, STEPS.least), STEPS.most);
	showScale('1', most > steps ? `${steps} or more` : String(steps), 'influences');
	return paintOf(counts.map((count) => (Math.min(Math.max(count, 1), steps) - 1) / (steps - 1)));
}

/** Linear red, green and blue with alpha 1. @param {Float32Array} colors */
function opaque(colors) {
	hideScale();
	const paint = new Float32Array((colors.length / 3) * 4).fill(1);
	colors.forEach((x, i) => (paint[Math.floor(i / 3) * 4 + (i % 3)] = x));
	return paint;
}

/**
 * @param {Float32Array} numbers of each vertex, three of colours
 * @param {Influence} influence
 */
export function influencePaint(numbers, { joint, of }) {
	if (of === 'colors') return opaque(numbers);
	if (of === 'count') return countPaint(numbers);
	showScale('0', '1', `${WHAT[of]} ${joint}`);
	return paintOf(numbers);
}
