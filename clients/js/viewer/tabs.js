// The panels of the page: beside the stage one of them is always open; on narrow screens they are sheets
// that open and close.
import { byId } from './dom.js';

const NARROW = matchMedia('(max-width: 60rem)');
const FIRST = 'pose';

export class Tabs {
	#onChange;
	#tabs = [...document.querySelectorAll('[role=tab]')];

	/** @param {() => void} onChange */
	constructor(onChange) {
		this.#onChange = onChange;
		for (const tab of this.#tabs) {
			tab.addEventListener('click', () => this.open(this.#isOpen(tab) ? '' : tab.value));
			tab.addEventListener('keydown', (event) => this.#step(event, tab));
		}
		NARROW.addEventListener('change', () => this.open(this.current));
		this.open('');
	}

	/** The open panel's name; "" = none is. */
	get current() {
		return document.body.dataset.tab;
	}

	/** @param {string} name */
	open(name) {
		const mustStand = !NARROW.matches && (name === '' || name === 'rigs');
		document.body.dataset.tab = mustStand ? FIRST : name;
		for (const tab of this.#tabs) {
			tab.setAttribute('aria-selected', String(this.#isOpen(tab)));
			const panel = byId(tab.getAttribute('aria-controls'));
			if (panel.getAttribute('role') === 'tabpanel') panel.hidden = !this.#isOpen(tab);
		}
		this.#onChange();
	}

	#isOpen(tab) {
		return tab.value === this.current;
	}

	/** @param {KeyboardEvent} event @param {HTMLButtonElement} tab */
	#step(event, tab) {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		if (!by) return;
		const seen = this.#tabs.filter((other) => other.offsetParent !== null);
		const next = seen[(seen.indexOf(tab) + by + seen.length) % seen.length];
		next.focus();
		this.open(next.value);
	}
}
