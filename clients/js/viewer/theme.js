// Light or dark: follows the system until the user chooses.
import { byId } from './dom.js';

const KEY = 'posed-theme';
const THEMES = ['system', 'light', 'dark'];

export class Theme {
	#onChange;

	/** @param {() => void} onChange */
	constructor(onChange) {
		this.#onChange = onChange;
		const kept = localStorage.getItem(KEY);
		this.#show(THEMES.includes(kept) ? kept : 'system');
		byId('theme').addEventListener('click', () => this.next());
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onChange);
	}

	next() {
		const now = THEMES.indexOf(document.documentElement.dataset.theme);
		const theme = THEMES[(now + 1) % THEMES.length];
		this.#show(theme);
		if (theme === 'system') localStorage.removeItem(KEY);
		else localStorage.setItem(KEY, theme);
		this.#onChange();
	}

	/** @param {string} theme */
	#show(theme) {
		document.documentElement.dataset.theme = theme;
		byId('theme').title = byId('theme').ariaLabel = `Colours: ${theme}`;
	}
}
