// The further clips: each has a weight and is mixed with the first, played after it, or laid over it
// on some joints.
import { byId, element, fillSelect } from './dom.js';

/** @typedef {{name: string, weight: number, joints: ?Set<number>}} Row joints: null = all */

const [MIXED, LISTED] = ['mixed', 'listed'];
const FADE_S = '0.25';

const percent = (weight) => `${Math.round(weight * 100)} %`;

export class Layers {
	/** @type {Row[]} */
	#rows = [];
	/** @type {any} the description of the rig; null = none */
	#rig = null;
	#on;

	/**
	 * @param {object} on
	 * @param {() => void} on.onChange
	 * @param {(joints: ?Set<number>, what: string) => void} on.onMask edits a mask in place; null = ends
	 *   the editing
	 */
	constructor(on) {
		this.#on = on;
		byId('add-layer').addEventListener('click', () => this.#add());
		byId('weight').addEventListener('input', () => {
			this.#showWeight();
			on.onChange();
		});
		byId('order').addEventListener('change', () => {
			this.#list();
			on.onChange();
		});
		byId('fade').addEventListener('input', () => {
			this.#showFade();
			on.onChange();
		});
	}

	/** @param {any} rig a description; null = none */
	show(rig) {
		this.#rig = rig;
		this.#rows = [];
		byId('weight').value = '1';
		byId('order').value = MIXED;
		byId('fade').value = FADE_S;
		this.#list();
	}

	/** The weight of the first clip. */
	get weight() {
		return Number(byId('weight').value);
	}

	/** Seconds of the transition between clips played in sequence; null = they are mixed. */
	get fade() {
		return byId('order').value === MIXED ? null : Number(byId('fade').value);
	}

	/** @returns {Row[]} */
	get rows() {
		return this.#rows;
	}

	/** The state for a link. */
	state() {
		const rows = this.#rows.map(({ joints, ...row }) => ({
			...row,
			joints: joints && [...joints],
		}));
		return { weight: this.weight, fade: this.fade, rows };
	}

	/** @param {ReturnType<Layers['state']>} state */
	restore({ weight, fade, rows }) {
		byId('weight').value = String(weight);
		byId('order').value = fade == null ? MIXED : LISTED;
		byId('fade').value = String(fade ?? FADE_S);
		const known = rows.filter(({ name }) => this.#rig.clips.some((clip) => clip.name === name));
		this.#rows = known.map(({ joints, ...row }) => ({ ...row, joints: joints && new Set(joints) }));
		this.#list();
	}

	#add() {
		const first = byId('clip').value;
		const { name } = this.#rig.clips.find((clip) => clip.name !== first) ?? this.#rig.clips[0];
		this.#rows.push({ name, weight: 1, joints: null });
		this.#list();
		this.#on.onChange();
	}

	/** @param {Row} row */
	#remove(row) {
		this.#rows = this.#rows.filter((other) => other !== row);
		this.#list();
		this.#on.onMask(null, '');
		this.#on.onChange();
	}

	/** @param {Row} row */
	#edit(row) {
		row.joints ??= new Set();
		this.#list();
		this.#on.onMask(row.joints, row.name);
		this.#on.onChange();
	}

	/** @param {Row} row */
	#unmask(row) {
		row.joints = null;
		this.#list();
		this.#on.onMask(null, '');
		this.#on.onChange();
	}

	#list() {
		byId('layers').replaceChildren(...this.#rows.map((row, i) => this.#item(row, i + 2)));
		byId('add-layer').disabled = !this.#rig?.clips.length;
		const goes = this.#rows.some(({ joints }) => joints === null);
		byId('order-field').hidden = !goes;
		byId('fade-field').hidden = !goes || this.fade === null;
		byId('weight-field').hidden = !goes || this.fade !== null;
		this.#showWeight();
		this.#showFade();
	}

	#showFade() {
		byId('fade-text').textContent = `${byId('fade').value} s`;
	}

	#showWeight() {
		byId('weight-text').textContent = percent(this.weight);
	}

	/** @param {Row} row @param {number} number of the clip, from 1 on */
	#item(row, number) {
		const clip = element('select', { ariaLabel: `Clip ${number}` });
		fillSelect(
			clip,
			this.#rig.clips.map(({ name }) => [name, name]),
		);
		clip.value = row.name;
		clip.addEventListener('change', () => {
			row.name = clip.value;
			this.#list();
			this.#on.onChange();
		});
		const counts = row.joints || this.fade === null;
		const text = element('output', { textContent: percent(row.weight) });
		const weight = element('input', {
			...{ type: 'range', min: 0, max: 1, step: 0.01, value: row.weight },
			ariaLabel: `Weight of ${row.name}`,
		});
		weight.addEventListener('input', () => {
			row.weight = Number(weight.value);
			text.textContent = percent(row.weight);
			this.#on.onChange();
		});
		const button = (textContent, ariaLabel, act) => {
			const made = element('button', { type: 'button', textContent, ariaLabel });
			made.addEventListener('click', act);
			return made;
		};
		const masks = row.joints
			? [
					button(`Joints (${row.joints.size}) …`, `Joints that ${row.name} moves`, () =>
						this.#edit(row),
					),
					button('All joints', `${row.name} moves all joints`, () => this.#unmask(row)),
				]
			: [button('Only some joints …', `${row.name} moves only some joints`, () => this.#edit(row))];
		const remove = button('Remove', `Remove ${row.name}`, () => this.#remove(row));
		return element('li', { className: 'layer' }, [
			clip,
			...(counts ? [element('span', { className: 'weighted' }, [weight, text])] : []),
			element('span', { className: 'row' }, [...masks, remove]),
		]);
	}

	/** Updates the list after a mask was edited. */
	refresh() {
		this.#list();
	}
}
