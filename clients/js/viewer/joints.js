// Joints turned by hand, and the chosen joint. A rotation set by hand replaces the clip's;
// the angles shown are relative to the rest rotation.
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
	/** @type {?Set<number>} the mask being edited; null = none */
	#mask = null;
	/** @type {?Quaternion} the rotation at the beginning of a drag */
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

	/** The key of the chosen joint in requests; null = none. @returns {?string} */
	chosen() {
		return this.#joints[this.#chosen]?.key ?? null;
	}

	/** @returns {?number} */
	chosenIndex() {
		return this.#joints.length > 0 ? this.#chosen : null;
	}

	/** The joints of the mask being edited; null = none. */
	get mask() {
		return this.#mask;
	}

	/** Edits a mask in place, joint by joint; null = ends it. @param {?Set<number>} mask @param {string} [what] the mask is for */
	editMask(mask, what = '') {
		if (mask === this.#mask) return;
		this.#mask = mask;
		byId('mask-note').hidden = mask === null;
		byId('mask-text').textContent =
			`Choose the joints that “${what}” moves: a click chooses a joint and all below it, a Shift-click only the joint.`;
		this.#showMarks();
		this.#on.onMask();
	}

	/** Chooses a joint, or toggles it in the mask. @param {number} joint @param {boolean} alone without its descendants */
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

	/** Begins to turn the chosen joint from its current rotation. @param {import('./skeleton.js').Skeleton} skeleton */
	hold(skeleton) {
		const joint = this.#joints[this.#chosen];
		this.#held = this.#turned.get(joint.index) ?? this.#localOf(joint, skeleton);
	}

	/** Turns it about one of its own axes, relative to the beginning of the drag. @param {number} axis @param {number} radians */
	turn(axis, radians) {
		this.#turned.set(this.#chosen, multiply(this.#held, about(axis, radians)));
		this.#change();
	}

	/** Sets the rotations that differ from the rest pose. @param {Quaternion[]} rotations local, of all joints */
	pose(rotations) {
		const isTurned = ({ rotation }, place) =>
			rotation.some((number, k) => Math.abs(number - rotations[place][k]) > 1e-6);
		const turned = this.#joints.filter(isTurned);
		this.#turned = new Map(turned.map(({ index }) => [index, rotations[index]]));
		if (turned.length > 0) this.#chosen = turned[0].index;
		this.#showMarks();
		this.#change();
	}

	/** The rotations set by hand by joint index, for a link. @returns {[number, Quaternion][]} */
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
	 * The members `joints` of the API's "set", by name; null = no joint is turned.
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
	 * A joint's local rotation from its world matrix: everything between the joint and its parent
	 * is as in the rest pose, whose local rotation is known.
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
		// The sliders keep their values: other angles may give the same rotation.
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
