// The controls for a rig that a joint holds, such as a sword in a hand, and its placement relative to the joint.
import { byId, fillSelect } from './dom.js';
import { fromAngles } from './quaternion.js';

const AXES = ['x', 'y', 'z'];
const NONE = '';

/**
 * @typedef {object} Hold the values of the controls
 * @property {string} rig that is held
 * @property {number} joint that holds it
 * @property {number[]} translation
 * @property {number[]} angles degrees about X, Y and Z
 * @property {number} scale
 *
 * @typedef {object} Attached as in an instance of a crowd and in "attach" of a pose
 * @property {string} rig that is held
 * @property {string} joint that holds it, by its key
 * @property {Record<string, any>} place members that differ from the defaults
 */

/** @param {string} id of a number's field */
const numberOf = (id) => byId(id).valueAsNumber;

export class Attachment {
	/** @type {any[]} of the description */
	#joints = [];
	#chosen = 0;
	/** @type {string[]} of rigs that can be held */
	#names = [];
	/** @type {?Hold} null = nothing is held */
	#hold = null;
	#on;

	/** @param {{onAttached: () => void}} on */
	constructor(on) {
		this.#on = on;
		byId('attached').addEventListener('change', () => {
			const rig = byId('attached').value;
			const place = this.#hold ?? { translation: [0, 0, 0], angles: [0, 0, 0], scale: 1 };
			this.#hold = rig === NONE ? null : { ...place, rig, joint: this.#chosen };
			this.#show();
			on.onAttached();
		});
		byId('attached-place').addEventListener('input', () => this.#move());
	}

	/** @param {{name: string, vertices: number}[]} rigs all rigs */
	setRigs(rigs) {
		this.#names = rigs.filter(({ vertices }) => vertices !== 0).map(({ name }) => name);
		this.#show();
	}

	/** @param {any[]} joints of the description */
	show(joints) {
		this.#joints = joints;
		this.#hold = null;
		this.choose(0);
	}

	/** @param {number} joint */
	choose(joint) {
		this.#chosen = joint;
		this.#show();
	}

	/** @returns {?Attached} null = nothing is held */
	wanted() {
		if (!this.#hold) return null;
		const { rig, joint, translation, angles, scale } = this.#hold;
		const place = {
			...(translation.some(Boolean) && { translation }),
			...(angles.some(Boolean) && { rotation: fromAngles(angles) }),
			...(scale !== 1 && { scale }),
		};
		return { rig, joint: this.#joints[joint].key, place };
	}

	/** The state for a link. */
	state() {
		return this.#hold;
	}

	/** @param {?Hold} hold @param {number} chosen */
	restore(hold, chosen) {
		this.#hold = hold && this.#joints[hold.joint] ? hold : null;
		this.choose(chosen);
	}

	#move() {
		const numbers = (name) => AXES.map((axis) => numberOf(`attached-${name}${axis}`));
		const [translation, angles, scale] = [numbers(''), numbers('turn-'), numberOf('attached-scale')];
		const isWhole = [...translation, ...angles, scale].every(Number.isFinite) && scale > 0;
		if (!isWhole) return; // still being typed
		Object.assign(this.#hold, { translation, angles, scale });
		this.#on.onAttached();
	}

	#show() {
		const hold = this.#hold;
		const isHere = hold?.joint === this.#chosen;
		const names = hold && !this.#names.includes(hold.rig) ? [...this.#names, hold.rig] : this.#names;
		fillSelect(byId('attached'), [[NONE, 'nothing'], ...names.map((name) => [name, name])]);
		byId('attached').value = isHere ? hold.rig : NONE;
		byId('attached').disabled = this.#joints.length === 0;
		byId('attached-place').hidden = !isHere;
		byId('attached-elsewhere').hidden = !hold || isHere;
		if (!hold) return;
		byId('attached-elsewhere').textContent = `${hold.rig} is held by ${this.#joints[hold.joint].name}.`;
		AXES.forEach((axis, k) => {
			byId(`attached-${axis}`).value = String(hold.translation[k]);
			byId(`attached-turn-${axis}`).value = String(hold.angles[k]);
		});
		byId('attached-scale').value = String(hold.scale);
	}
}
