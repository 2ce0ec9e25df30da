// Keyboard shortcuts of the whole page, and the dialog that lists them.
import { byId, element } from './dom.js';

/** @typedef {{keys: string[], text: string, act: () => void}} Row keys: values of KeyboardEvent.key */

const CAMERA_ROWS = [
	['← → ↑ ↓', 'turn the camera (on the picture; Shift moves it)'],
	['+ −', 'zoom in, zoom out'],
	['Home', 'fit the rig into the view'],
];
const NAMES = { ' ': 'Space' };

/** True if an element handles keys itself. @param {EventTarget} target */
function takesKeys(target) {
	return target.matches('input:not([type=range], [type=radio], [type=checkbox]), textarea, select');
}

export class Keys {
	/** @param {Row[]} rows */
	constructor(rows) {
		const acts = new Map(rows.flatMap(({ keys, act }) => keys.map((key) => [key, act])));
		addEventListener('keydown', (event) => {
			const act = acts.get(event.key);
			const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
			if (!act || isShortcut || takesKeys(event.target)) return;
			if (document.querySelector('dialog[open]')) return;
			if (event.key === ' ' && event.target.matches('button, a, input')) return;
			event.preventDefault();
			act();
		});
		const listed = rows.map(({ keys, text }) => [
			keys.map((key) => NAMES[key] ?? key.toUpperCase()).join(' '),
			text,
		]);
		byId('help-keys').replaceChildren(
			...[...listed, ...CAMERA_ROWS].flatMap(([keys, text]) => [
				element('dt', {}, [element('kbd', { textContent: keys })]),
				element('dd', { textContent: text }),
			]),
		);
		byId('help-open').addEventListener('click', () => byId('help').showModal());
		byId('help-close').addEventListener('click', () => byId('help').close());
	}
}
