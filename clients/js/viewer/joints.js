// Joints turned by hand, and the joint that is chosen. A rotation that is set stands in place of what the
// clip says; the angles that are shown are those on top of the rest rotation.
import { byId } from './dom.js';
import { JointTree } from './joint_tree.js';
import { about, fromAngles, fromMatrix, inverse, multiply, toAngles } from './quaternion.js';

const AXES = ['x', 'y', 'z'];

/** @typedef {import('./quaternion.js').Quaternion} Quaternion */

/**
 * A mask of the API that is 1 on some joints and 0 on all others.
 * @param {any[]} joints of the description @param {Set<number>} chosen
 */
export function maskOf(joints, chosen) {
	const parts = joints
		.filter(({ index, parent }) => chosen.has(index) !== chosen.has(parent))
		.map(({ index, key }) => [key, chosen.has(index) ? 1 : 0]);
	return Object.fromEntries(parts);
}

export class Joints {
	/** @type {any[]} of the description */
	#joints = [];
	#chosen = 0;
	/** @type {Map<number, Quaternion>} local rotations by the joint's index */
	#turned = new Map();
	/** @type {?Set<number>} the mask that is edited; null = none is */
	#mask = null;
	/** @type {?Quaternion} where a drag began */
	#held = null;
	#tree;
	#on;

	/** @param {{onTurn: () => void, onChoose: () => void, onMask: () => void}} on */
	constructor(on) {
		this.#on = on;
		this.#tree = new JointTree((joint, alone) => this.choose(joint, alone));
		for (const axis of AXES) {
			byId(`turn-${axis}`).addEventListener('input', () => this.#turnByAngles());
		}
		byId('unturn-one').addEventListener('click', () => {
			this.#turned.delete(this.#chosen);
			this.#change();
		});
		byId('unturn').addEventListener('click', () => {
			this.#turned.clear();
			this.#change();
		});
		byId('mask-done').addEventListener('click', () => this.editMask(null));
	}

	/** @param {?any} rig a description; null = none */
	show(rig) {
		this.#joints = rig?.joints ?? [];
		this.#chosen = 0;
		this.#turned.clear();
		this.#mask = null;
		this.#tree.show(this.#joints);
		this.#showAngles();
		this.#showMarks();
	}

	/** How requests name the chosen joint; null where there is none. @returns {?string} */
	chosen() {
		return this.#joints[this.#chosen]?.key ?? null;
	}

	/** @returns {?number} */
	chosenIndex() {
		return this.#joints.length > 0 ? this.#chosen : null;
	}

	/** The joints of the mask that is edited; null = none is. */
	get mask() {
		return this.#mask;
	}

	/** Edits a mask in place, joint by joint; null = no longer. @param {?Set<number>} mask @param {string} [what] it is of */
	editMask(mask, what = '') {
		if (mask === this.#mask) return;
		this.#mask = mask;
		byId('mask-note').hidden = mask === null;
		byId('mask-text').textContent =
			`Choose the joints that “${what}” moves: a click takes a joint with all below it, with Shift only itself.`;
		this.#showMarks();
		this.#on.onMask();
	}

	/** Chooses a joint, or has it in the mask or not. @param {number} joint @param {boolean} alone not those below it */
	choose(joint, alone = false) {
		if (this.#mask) {
			const isIn = this.#mask.has(joint);
			for (const one of alone ? [joint] : this.#tree.below(joint)) {
				if (isIn) this.#mask.delete(one);
				else this.#mask.add(one);
			}
			this.#showMarks();
			this.#on.onMask();
			return;
		}
		this.#chosen = joint;
		this.#showAngles();
		this.#showMarks();
		this.#on.onChoose();
	}

	/** Begins to turn the chosen joint as it stands. @param {import('./skeleton.js').Skeleton} skeleton */
	hold(skeleton) {
		const joint = this.#joints[this.#chosen];
		this.#held = this.#turned.get(joint.index) ?? this.#localOf(joint, skeleton);
	}

	/** Turns it about one of its own axes, from where it was held. @param {number} axis @param {number} radians */
	turn(axis, radians) {
		this.#turned.set(this.#chosen, multiply(this.#held, about(axis, radians)));
		this.#change();
	}

	/** Sets those rotations that are not as at rest. @param {Quaternion[]} rotations local, of all joints */
	pose(rotations) {
		const isTurned = ({ rotation }, place) =>
			rotation.some((number, k) => Math.abs(number - rotations[place][k]) > 1e-6);
		const turned = this.#joints.filter(isTurned);
		this.#turned = new Map(turned.map(({ index }) => [index, rotations[index]]));
		if (turned.length > 0) this.#chosen = turned[0].index;
		this.#showMarks();
		this.#change();
	}

	/** Rotations that were set, by the joint's index, for later. @returns {[number, Quaternion][]} */
	state() {
		return [...this.#turned];
	}

	/** @param {[number, Quaternion][]} state @param {?number} chosen */
	restore(state, chosen) {
		this.#turned = new Map(state.filter(([index]) => index < this.#joints.length));
		this.#chosen = this.#joints.some(({ index }) => index === chosen) ? chosen : 0;
		this.#showAngles();
		this.#showMarks();
	}

	/**
	 * The members `joints` of the API's "set", by name; null where no joint is turned.
	 * @returns {?Record<string, {rotation: Quaternion}>}
	 */
	turned() {
		const turns = [...this.#turned].map(([index, rotation]) => [
			this.#joints[index].key,
			{ rotation },
		]);
		return turns.length > 0 ? Object.fromEntries(turns) : null;
	}

	/**
	 * A joint's local rotation of what its place in the world is: what lies between it and the joint
	 * above is the same at rest, where the local rotation is known.
	 * @param {any} joint @param {import('./skeleton.js').Skeleton} skeleton
	 */
	#localOf({ index, parent, rotation }, skeleton) {
		const world = (joint, of) =>
			joint < 0 ? [0, 0, 0, 1] : fromMatrix(skeleton.matrix(joint, of));
		const below = multiply(inverse(world(parent, skeleton.rest)), world(index, skeleton.rest));
		const between = multiply(below, inverse(rotation));
		const now = multiply(
			inverse(world(parent, skeleton.matrices)),
			world(index, skeleton.matrices),
		);
		return multiply(inverse(between), now);
	}

	#turnByAngles() {
		const joint = this.#joints[this.#chosen];
		const angles = AXES.map((axis) => Number(byId(`turn-${axis}`).value));
		this.#turned.set(joint.index, multiply(joint.rotation, fromAngles(angles)));
		// What the sliders say stays as it is: other angles may stand for the same rotation.
		this.#showAngles(angles);
		this.#on.onTurn();
	}

	#change() {
		this.#showAngles();
		this.#on.onTurn();
	}

	#angles() {
		const turned = this.#turned.get(this.#chosen);
		if (!turned) return [0, 0, 0];
		return toAngles(multiply(inverse(this.#joints[this.#chosen].rotation), turned));
	}

	#showAngles(angles = this.#angles()) {
		AXES.forEach((axis, k) => {
			byId(`turn-${axis}`).value = String(Math.round(angles[k]));
			byId(`turn-${axis}-text`).textContent = `${Math.round(angles[k])}°`;
		});
		byId('joint-name').textContent = this.#joints[this.#chosen]?.name ?? '';
		byId('unturn-one').disabled = !this.#turned.has(this.#chosen);
		byId('unturn').disabled = this.#turned.size === 0;
	}

	#showMarks() {
		const isOn = (joint) => (this.#mask ? this.#mask.has(joint) : joint === this.#chosen);
		this.#tree.mark(isOn, !this.#mask);
	}
}
