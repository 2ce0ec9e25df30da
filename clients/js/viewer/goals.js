// Goals for inverse kinematics: joints that are held at points of the world by turning the joints above them.
import { byId, fillSelect } from './dom.js';

const AXES = ['x', 'y', 'z'];
const BONES = 2; // turned for a goal by default
const DIGITS = 4; // of a coordinate

/** @typedef {[number, number, number]} Place */
/** @typedef {{root: number, target: Place}} Goal root: the first joint that turns */

export class Goals {
	/** @type {any[]} of the description */
	#joints = [];
	#chosen = 0;
	/** @type {Map<number, Goal>} by held joint */
	#goals = new Map();
	#on;

	/**
	 * @param {object} on
	 * @param {() => void} on.onChange
	 * @param {(joint: number) => Promise<Place>} on.placeOf the joint's current position in the world
	 * @param {(error: Error) => void} on.onError
	 */
	constructor(on) {
		this.#on = on;
		byId('goal').addEventListener('change', () => this.#switch().catch(on.onError));
		for (const axis of AXES) byId(`goal-${axis}`).addEventListener('input', () => this.#move());
		byId('goal-root').addEventListener('change', () => {
			this.#goals.get(this.#chosen).root = Number(byId('goal-root').value);
			on.onChange();
		});
		byId('solver').addEventListener('change', on.onChange);
	}

	/** @param {any[]} joints of the description */
	show(joints) {
		this.#joints = joints;
		this.#goals.clear();
		this.choose(0);
	}

	/** @param {number} joint */
	choose(joint) {
		this.#chosen = joint;
		fillSelect(
			byId('goal-root'),
			this.#above(joint).map((above) => [String(above), this.#joints[above].name]),
		);
		this.#showGoal();
	}

	/** The members of "ccd" and the other solvers beside the pose; null = no joint is held. */
	wanted() {
		const goals = [...this.#goals].map(([end, { root, target }]) => ({
			end: this.#joints[end].key,
			root: this.#joints[root].key,
			target,
		}));
		return goals.length > 0 ? { solver: byId('solver').value, goals } : null;
	}

	/** The state for a link. */
	state() {
		return { solver: byId('solver').value, goals: [...this.#goals] };
	}

	/** @param {ReturnType<Goals['state']>} state @param {number} chosen */
	restore({ solver, goals }, chosen) {
		const fits = ([end, { root }]) => this.#joints[end] && this.#above(end).includes(root);
		byId('solver').value = solver;
		this.#goals = new Map(goals.filter(fits));
		this.choose(chosen);
	}

	/** The joints above a joint, the nearest first. @param {number} joint @returns {number[]} */
	#above(joint) {
		const found = [];
		for (let at = this.#joints[joint]?.parent ?? -1; at >= 0; at = this.#joints[at].parent)
			found.push(at);
		return found;
	}

	async #switch() {
		const [joint, joints] = [this.#chosen, this.#joints];
		if (!byId('goal').checked) {
			this.#goals.delete(joint);
		} else {
			const place = await this.#on.placeOf(joint);
			if (joints !== this.#joints) return; // another rig was chosen meanwhile
			const above = this.#above(joint);
			const target = place.map((number) => Number(number.toPrecision(DIGITS)));
			this.#goals.set(joint, { root: above[Math.min(BONES, above.length) - 1], target });
		}
		this.#showGoal();
		this.#on.onChange();
	}

	#move() {
		const target = AXES.map((axis) => byId(`goal-${axis}`).valueAsNumber);
		if (!target.every(Number.isFinite)) return; // still being typed
		this.#goals.get(this.#chosen).target = target;
		this.#on.onChange();
	}

	#showGoal() {
		const goal = this.#goals.get(this.#chosen);
		byId('goal').checked = goal !== undefined;
		byId('goal').disabled = this.#above(this.#chosen).length === 0;
		byId('goal-place').hidden = !goal;
		if (!goal) return;
		AXES.forEach((axis, k) => (byId(`goal-${axis}`).value = String(goal.target[k])));
		byId('goal-root').value = String(goal.root);
	}
}
