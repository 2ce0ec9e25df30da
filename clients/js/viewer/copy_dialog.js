// "Copy as …": a request of the page as a code snippet, or a link to the page.
import { byId, element } from './dom.js';
import { formsOf } from './snippets.js';

const LACKS_COLOURS = 'Pictures cannot show the current colours; a link can.';

export class CopyDialog {
	#on;
	/** The snippets at the time when the dialog was opened. @type {Record<string, string>} */
	#texts = {};

	/**
	 * @param {object} on
	 * @param {() => string} on.link to the page as it is
	 * @param {() => import('./snippets.js').Place} on.place
	 * @param {(text: string) => void} on.onStatus
	 */
	constructor(on) {
		this.#on = on;
		byId('copy-form').addEventListener('change', () => this.#show());
		byId('copy-yes').addEventListener('click', () => this.#copy());
		byId('copy-close').addEventListener('click', () => byId('copying').close());
	}

	/**
	 * @param {string} what the request makes, as in "The picture on the screen"
	 * @param {import('./snippets.js').Call} call
	 * @param {boolean} lacksColours the page has colours that what it makes cannot have
	 */
	open(what, call, lacksColours = false) {
		const forms = { ...formsOf(call), link: { title: 'Link to this page', text: this.#on.link } };
		const chosen = byId('copy-form').value;
		byId('copy-form').replaceChildren(
			...Object.entries(forms).map(([value, { title }]) =>
				element('option', { value, textContent: title }),
			),
		);
		if (chosen in forms) byId('copy-form').value = chosen;
		const place = this.#on.place();
		this.#texts = Object.fromEntries(
			Object.entries(forms).map(([name, { text }]) => [name, text(call, place)]),
		);
		byId('copying-title').textContent = `${what} as …`;
		byId('copy-missing').textContent = lacksColours ? LACKS_COLOURS : '';
		byId('copying').showModal();
		this.#show();
	}

	#show() {
		byId('copy-text').value = this.#texts[byId('copy-form').value];
	}

	async #copy() {
		const text = byId('copy-text');
		try {
			await navigator.clipboard.writeText(text.value);
			byId('copying').close();
			this.#on.onStatus('Copied.');
		} catch {
			// Pages without https have no clipboard: the text is selected instead.
			text.focus();
			text.select();
			byId('copy-hint').hidden = false;
		}
	}
}
