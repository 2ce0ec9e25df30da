// "Copy as …": the request for the picture on the screen as a code snippet.
import { byId, element } from './dom.js';
import { FORMS } from './snippets.js';

export class CopyDialog {
	#on;

	/**
	 * @param {object} on
	 * @param {() => import('./request.js').PictureCall} on.call
	 * @param {() => string} on.link to the page as it is
	 * @param {() => string} on.missing the settings of the page that pictures lack; "" = none
	 * @param {() => import('./snippets.js').Place} on.place
	 * @param {(text: string) => void} on.onStatus
	 */
	constructor(on) {
		this.#on = on;
		const forms = { ...FORMS, link: { title: 'Link to this page', text: on.link } };
		byId('copy-form').replaceChildren(
			...Object.entries(forms).map(([value, { title }]) =>
				element('option', { value, textContent: title }),
			),
		);
		/** The snippets at the time when the dialog was opened. @type {Record<string, string>} */
		let texts = {};
		const show = () => (byId('copy-text').value = texts[byId('copy-form').value]);
		byId('copy').addEventListener('click', () => {
			const [call, place] = [on.call(), on.place()];
			texts = Object.fromEntries(
				Object.entries(forms).map(([name, { text }]) => [name, text(call, place)]),
			);
			byId('copy-missing').textContent = on.missing();
			byId('copying').showModal();
			show();
		});
		byId('copy-form').addEventListener('change', show);
		byId('copy-yes').addEventListener('click', () => this.#copy());
		byId('copy-close').addEventListener('click', () => byId('copying').close());
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
