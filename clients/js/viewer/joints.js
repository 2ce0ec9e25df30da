// Joints turned by hand: for one joint after another three angles, put on top of the rest rotation in
// place of what the clip says.
import { byId, fillSelect } from './dom.js';

const DEGREE = Math.PI / 180;
const AXES = ['x', 'y', 'z'];

/** @typedef {[number, number, number, number]} Quaternion x y z w */

/** a after b. @param {Quaternion} a @param {Quaternion} b @returns {Quaternion} */
function multiply([ax, ay, az, aw], [bx, by, bz, bw]) {
	return [
		aw * bx + ax * bw + ay * bz - az * by,
		aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz,
	];
}

/** About X first, then Y, then Z. @param {number[]} degrees @returns {Quaternion} */
function fromAngles(degrees) {
	return degrees
		.map((angle, axis) => {
			const half = (angle * DEGREE) / 2;
			const q = [0, 0, 0, Math.cos(half)];
			q[axis] = Math.sin(half);
			return q;
		})
		.reduce((done, next) => multiply(next, done));
}

export class Joints {
	/** @type {any[]} of the description */
	#joints = [];
	/** @type {Map<number, number[]>} degrees about X, Y, Z by the joint's index */
	#turned = new Map();
	#onTurn;

	/** @param {{onTurn: () => void, onChoose: () => void}} on */
	constructor({ onTurn, onChoose }) {
		this.#onTurn = onTurn;
		byId('joint').addEventListener('change', () => {
			this.#showAngles();
			onChoose();
		});
		for (const axis of AXES) {
			byId(`turn-${axis}`).addEventListener('input', () => this.#turn());
		}
		byId('unturn').addEventListener('click', () => {
			this.#turned.clear();
			this.#showAngles();
			onTurn();
		});
	}

	/** @param {?any} rig a description; null = none */
	show(rig) {
		this.#joints = rig?.joints ?? [];
		this.#turned.clear();
		fillSelect(
			byId('joint'),
			this.#joints.map(({ name, index }) => [String(index), name]),
		);
		this.#showAngles();
	}

	/** The chosen joint's name; null where there is none. @returns {?string} */
	chosen() {
		return this.#joint()?.name ?? null;
	}

	/**
	 * The members `joints` of the API's "set", by name; null where no joint is turned.
	 * @returns {?Record<string, {rotation: Quaternion}>}
	 */
	turned() {
		const turns = this.#joints
			.filter(({ index }) => this.#turned.get(index)?.some((angle) => angle !== 0))
			.map(({ name, index, rotation }) => [
				name,
				{ rotation: multiply(rotation, fromAngles(this.#turned.get(index))) },
			]);
		return turns.length > 0 ? Object.fromEntries(turns) : null;
	}

	#joint() {
		return this.#joints.find(({ index }) => String(index) === byId('joint').value);
	}

	#turn() {
		const angles = AXES.map((axis) => Number(byId(`turn-${axis}`).value));
		this.#turned.set(this.#joint().index, angles);
		this.#showAngles();
		this.#onTurn();
	}

	#showAngles() {
		const angles = this.#turned.get(this.#joint()?.index) ?? [0, 0, 0];
		AXES.forEach((axis, k) => {
			byId(`turn-${axis}`).value = String(angles[k]);
			byId(`turn-${axis}-text`).textContent = `${angles[k]}°`;
		});
		byId('unturn').disabled = this.turned() === null;
	}
}
