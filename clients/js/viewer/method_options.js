// Controls for the options of the chosen skinning method and for its normals,
// generated from the daemon's list of methods.
import { byId, element, fillSelect } from './dom.js';

const OWN = '';

/**
 * @typedef {object} Option of a method, as `GET /v1` has it
 * @property {string} name @property {string} title
 * @property {'number' | 'integer' | 'boolean' | 'choice'} type
 * @property {number} [least] @property {number} [most] @property {string[]} [choices]
 * @property {number | string | boolean} default
 *
 * @typedef {{id: string, title: string, device: string[], cuts_mesh: boolean, normals: string[],
 *   options: Option[]}} Method
 */

/** @param {Option} option @returns {HTMLInputElement | HTMLSelectElement} */
function controlOf(option) {
	const id = `option-${option.name}`;
	if (option.type === 'choice') {
		const select = element('select', { id });
		fillSelect(
			select,
			option.choices.map((choice) => [choice, choice]),
		);
		select.value = option.default;
		return select;
	}
	if (option.type === 'boolean') {
		return element('input', { id, type: 'checkbox', checked: option.default });
	}
	const { least: min, most: max } = option;
	const step = option.type === 'integer' ? 1 : 'any';
	return element('input', { id, type: 'number', min, max, step, value: option.default });
}

/** @param {Option} option @param {any} control */
function valueOf({ type }, control) {
	if (type === 'choice') return control.value;
	return type === 'boolean' ? control.checked : Number(control.value);
}

export class MethodOptions {
	/** @type {Map<string, Method>} */
	#methods = new Map();
	/** @type {{option: Option, control: any}[]} */
	#controls = [];
	#onChange;

	/** @param {() => void} onChange */
	constructor(onChange) {
		this.#onChange = onChange;
		byId('normals').addEventListener('change', onChange);
	}

	/** @param {Method[]} methods */
	setMethods(methods) {
		this.#methods = new Map(methods.map((method) => [method.id, method]));
	}

	/** @param {string} id */
	cutsMesh(id) {
		return this.#methods.get(id)?.cuts_mesh ?? false;
	}

	/** Shows the controls of a method, with its defaults. @param {string} id */
	show(id) {
		const { options = [], normals = [], title = '', device = [] } = this.#methods.get(id) ?? {};
		this.#controls = options.map((option) => ({ option, control: controlOf(option) }));
		const rows = this.#controls.map(({ option, control }) => {
			control.addEventListener('change', this.#onChange);
			const name = option.name.replaceAll('_', ' ');
			return element('label', { className: 'field', title: option.title }, [
				element('span', { textContent: name }),
				control,
			]);
		});
		byId('options').replaceChildren(...rows);
		byId('method-title').textContent = title;
		byId('shader').hidden = !device.includes('gpu');
		byId('shader').href = `v1/shaders/${id}`;
		fillSelect(byId('normals'), [
			[OWN, 'the method’s own'],
			...normals.map((name) => [name, name]),
		]);
	}

	/** Applies members as chosen() returned them. @param {Record<string, any>} members */
	restore({ normals = OWN, ...members }) {
		for (const { option, control } of this.#controls) {
			const value = members[option.name] ?? option.default;
			if (option.type === 'boolean') control.checked = value;
			else control.value = value;
		}
		byId('normals').value = normals;
	}

	/** The members of the API's `skinning` that differ from the daemon's defaults. */
	chosen() {
		const changed = this.#controls
			.map(({ option, control }) => [option, valueOf(option, control)])
			.filter(([option, value]) => value !== option.default)
			.map(([option, value]) => [option.name, value]);
		const normals = byId('normals').value;
		return { ...Object.fromEntries(changed), ...(normals !== OWN && { normals }) };
	}
}
