// "Copy as …": the call that makes the picture on the screen, as text for elsewhere.
import { byId, element } from './dom.js';
import { FORMS } from './texts.js';

export class Copies {
	#on;

	/**
	 * @param {object} on
	 * @param {() => import('./request.js').PictureCall} on.call
	 * @param {() => string} on.link to the page as it is
	 * @param {() => string} on.missing what the page shows and no picture can; "" = nothing
	 * @param {() => import('./texts.js').Place} on.place
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
		/** Of the moment when the dialog was opened. @type {Record<string, string>} */
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
			// Pages that do not come by https have no clipboard: the text is marked for the keyboard.
			text.focus();
			text.select();
			byId('copy-hint').hidden = false;
		}
	}
}
