// The paths of joints over the whole clip, with dots at equal moments. Fetches the poses that they go through
// once for each choice of clips.
import { poseAt, poseDuration } from './pose.js';

const DOTS = 12; // intervals between the dots of a clip
const STEPS = 8; // poses from one dot to the next
const MOST_JOINTS = 12; // those that move farthest
const ALMOST = 1 - 1e-6; // of a clip: at its very end a looping one is back at its start
const DOT = 2.5;
const RIM = '#141822';
// Colours that are told apart by those who do not see them all, too.
// Source: Okabe, Ito, Color Universal Design, 2008.
const COLOURS = ['#e69f00', '#56b4e9', '#009e73', '#cc79a7', '#f0e442', '#d55e00', '#0072b2'];

/** The joints that move vertices and have none such below them. @param {any[]} joints of a description */
function endsOf(joints) {
	const inner = new Set();
	const ends = [];
	for (const { index, parent, needless } of [...joints].reverse()) {
		const isInner = inner.has(index);
		if (isInner || !needless) inner.add(parent);
		if (!isInner && !needless) ends.push(index);
	}
	return ends.reverse();
}

/** @param {number[][]} path */
function lengthOf(path) {
	return path.reduce(
		(sum, place, i) => sum + (i > 0 ? Math.hypot(...place.map((x, k) => x - path[i - 1][k])) : 0),
		0,
	);
}

export class Trails {
	#client;
	#on;
	/** @type {any} the description of the rig; null = none */
	#rig = null;
	#isBusy = false;
	/** The latest requested choice, as text. */
	#asked = '';
	/** The places of joints over time. @type {number[][][]} */
	#paths = [];

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {{onChange: () => void, onError: (error: Error) => void}} on
	 */
	constructor(client, on) {
		this.#client = client;
		this.#on = on;
	}

	/** @param {any} description null = none */
	open(description) {
		this.#rig = description;
		this.#asked = '';
		this.#paths = [];
	}

	/** Requests the paths of a motion, unless they are loaded or a request is in flight. @param {import('./pose.js').PoseChoice} choice */
	want(choice) {
		const duration = poseDuration(choice);
		const count = DOTS * STEPS;
		const poses = Array.from({ length: count + 1 }, (_, i) =>
			poseAt(choice, (i / count) * duration * ALMOST),
		);
		const text = JSON.stringify(poses);
		if (!this.#rig || this.#isBusy || duration === 0 || text === this.#asked) return;
		this.#asked = text;
		this.#fetch(this.#rig, poses);
	}

	/** @param {any} rig @param {any[]} poses */
	async #fetch(rig, poses) {
		this.#isBusy = true;
		try {
			const matrices = await this.#client.matrices({ rig: rig.name, poses });
			if (rig === this.#rig) this.#take(rig, poses.length, matrices);
		} catch (error) {
			if (rig === this.#rig) this.#on.onError(error);
		} finally {
			this.#isBusy = false;
			this.#on.onChange();
		}
	}

	/** @param {any} rig @param {number} count of poses @param {Float32Array} matrices */
	#take({ joints }, count, matrices) {
		const placeOf = (joint, i) => {
			const at = 16 * (i * joints.length + joint) + 12;
			return [...matrices.subarray(at, at + 3)];
		};
		this.#paths = endsOf(joints)
			.map((joint) => Array.from({ length: count }, (_, i) => placeOf(joint, i)))
			.sort((a, b) => lengthOf(b) - lengthOf(a))
			.slice(0, MOST_JOINTS);
	}

	/** @param {CanvasRenderingContext2D} context @param {ReturnType<typeof import('./projection.js').projector>} project */
	draw(context, project) {
		this.#paths.forEach((path, i) => {
			const colour = COLOURS[i % COLOURS.length];
			const places = path.map(project);
			this.#drawLine(context, places, colour);
			this.#drawDots(context, places, colour);
		});
	}

	#drawLine(context, places, colour) {
		context.beginPath();
		places.forEach((place, i) => {
			if (!place || !places[i - 1]) return;
			context.moveTo(places[i - 1].x, places[i - 1].y);
			context.lineTo(place.x, place.y);
		});
		for (const [width, style] of [
			[4, RIM],
			[2, colour],
		]) {
			context.lineWidth = width;
			context.strokeStyle = style;
			context.stroke();
		}
	}

	#drawDots(context, places, colour) {
		context.beginPath();
		places.forEach((place, i) => {
			if (!place || i % STEPS !== 0) return;
			context.moveTo(place.x + DOT, place.y);
			context.arc(place.x, place.y, DOT, 0, 2 * Math.PI);
		});
		context.lineWidth = 1.5;
		context.strokeStyle = RIM;
		context.stroke();
		context.fillStyle = colour;
		context.fill();
	}
}
