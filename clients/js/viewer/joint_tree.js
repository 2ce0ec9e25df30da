// The joints of a rig as a tree of buttons: one joint is chosen, or, while a mask is edited, many are.
import { byId, element } from './dom.js';

/** The depth of each joint in the tree. @param {{index: number, parent: number}[]} joints */
function depths(joints) {
	const depth = [];
	const of = (index) => (depth[index] ??= index < 0 ? -1 : of(joints[index].parent) + 1);
	return joints.map(({ index }) => of(index));
}

export class JointTree {
	/** @type {any[]} of the description */
	#joints = [];
	/** @type {HTMLButtonElement[]} */
	#buttons = [];

	/** @param {(joint: number, alone: boolean) => void} onChoose alone: without its descendants */
	constructor(onChoose) {
		byId('joints').addEventListener('click', (event) => {
			const button = event.target.closest('button');
			if (button) onChoose(Number(button.value), event.shiftKey || event.altKey);
		});
	}

	/** @param {any[]} joints */
	show(joints) {
		this.#joints = joints;
		const depth = depths(joints);
		this.#buttons = joints.map(({ name, index, needless }) => {
			const button = element('button', { type: 'button', value: index, textContent: name });
			if (needless) {
				button.className = 'needless';
				button.title = 'Needless: nothing is attached to it or below it, and no clip drives it.';
			}
			button.style.paddingInlineStart = `${0.6 + Math.min(depth[index], 14) * 0.8}rem`;
			return button;
		});
		byId('joints').replaceChildren(...this.#buttons.map((button) => element('li', {}, [button])));
	}

	/** @param {number} joint @returns {number[]} the joint and its descendants */
	below(joint) {
		const found = new Set([joint]);
		// Parents may follow their children.
		for (let before = 0; before !== found.size;) {
			before = found.size;
			for (const { index, parent } of this.#joints) if (found.has(parent)) found.add(index);
		}
		return [...found];
	}

	/** @param {(joint: number) => boolean} isOn @param {boolean} [scroll] to the first chosen one */
	mark(isOn, scroll = false) {
		this.#buttons.forEach((button, joint) =>
			button.setAttribute('aria-pressed', String(isOn(joint))),
		);
		if (scroll) this.#buttons.find((_, joint) => isOn(joint))?.scrollIntoView({ block: 'nearest' });
	}
}
