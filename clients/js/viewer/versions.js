// The rig that a rig is compared with as its earlier version, and whether both are shown.
import { byId, fillSelect } from './dom.js';

const NONE = '';

export class Versions {
	#onChange;
	/** @type {string[]} of all rigs that have vertices */
	#names = [];
	/** @type {?string} the later version */
	#rig = null;
	/** @type {?string} that was shown last */
	#last = null;

	/** @param {() => void} onChange another version is to be shown, or none */
	constructor(onChange) {
		this.#onChange = onChange;
		byId('check-against').addEventListener('change', () => this.#refresh());
		byId('check-beside').addEventListener('change', () => this.#tell());
	}

	/** @param {{name: string, vertices: number}[]} rigs all rigs */
	setRigs(rigs) {
		this.#names = rigs.filter(({ vertices }) => vertices !== 0).map(({ name }) => name);
		this.#list(this.chosen ?? NONE);
	}

	/** @param {?string} rig the later version; null = none */
	show(rig) {
		this.#rig = rig;
		this.#list(NONE);
	}

	/** The earlier version to compare with. @returns {?string} null = none */
	get chosen() {
		return byId('check-against').value || null;
	}

	/** The earlier version to show beside the later. @returns {?string} null = none */
	get shown() {
		return byId('check-beside').checked ? this.chosen : null;
	}

	/** Shows both. */
	open() {
		if (!this.chosen || this.shown) return;
		byId('check-beside').checked = true;
		this.#tell();
	}

	/** Shows the later version alone. */
	close() {
		byId('check-beside').checked = false;
		this.#tell();
	}

	/** @param {string} chosen */
	#list(chosen) {
		const others = this.#names.filter((name) => name !== this.#rig);
		fillSelect(byId('check-against'), [[NONE, 'none'], ...others.map((name) => [name, name])]);
		byId('check-against').value = others.includes(chosen) ? chosen : NONE;
		this.#refresh();
	}

	#refresh() {
		byId('check-both').hidden = !this.chosen;
		if (!this.chosen) byId('check-beside').checked = false;
		this.#tell();
	}

	#tell() {
		if (this.shown === this.#last) return;
		this.#last = this.shown;
		this.#onChange();
	}
}
