// The layers over the canvas of <posed-viewer>: a poster and a spinner until the first frame, errors, warnings.

export const COVER_STYLE = `
[part=poster] { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; pointer-events: none; }
[part=spinner] {
	position: absolute; inset: 0; margin: auto; width: 2em; height: 2em; border-radius: 50%; pointer-events: none;
	border: 3px solid #8886; border-top-color: #888; opacity: 0;
	animation: appear 0s 0.1s forwards, turn 1s linear infinite;
}
@keyframes appear { to { opacity: 1; } }
@keyframes turn { to { rotate: 1turn; } }
@media (prefers-reduced-motion) { [part=spinner] { animation: appear 0s 0.1s forwards; } }
[part=error], [part=warning] {
	position: absolute; max-height: 100%; margin: 0; padding: 0.4em 0.6em; overflow: auto;
	font: 0.85rem/1.4 system-ui, sans-serif; overflow-wrap: anywhere;
}
[part=error] { inset: auto 0 0; background: #fff4f2; color: #8c1d18; }
[part=warning] { inset: 0 0 auto auto; max-width: 100%; box-sizing: border-box; background: #fff8e1; color: #5f4300; }
[part=warning] summary { cursor: pointer; }
[part=warning] ul { margin: 0.3em 0 0; padding-left: 1.2em; }
`;

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name @param {string} part @returns {HTMLElementTagNameMap[T]}
 */
function make(name, part) {
	const element = document.createElement(name);
	element.part.add(part);
	element.hidden = true;
	return element;
}

export class Cover {
	#poster = make('img', 'poster');
	#spinner = make('div', 'spinner');
	#sentence = make('p', 'error');
	#warnings = make('details', 'warning');
	/** Address of a picture that has been made for this page. @type {?string} */
	#blob = null;

	constructor() {
		this.#sentence.setAttribute('role', 'status');
		this.#poster.alt = '';
		this.#spinner.setAttribute('role', 'progressbar');
		this.#spinner.setAttribute('aria-label', 'loading');
	}

	/** The elements, from the lowest. */
	get elements() {
		return [this.#poster, this.#spinner, this.#warnings, this.#sentence];
	}

	/** Something is on its way, and nothing is drawn. */
	wait() {
		this.#spinner.hidden = false;
	}

	/** @param {?(string | Blob)} picture null = none */
	setPoster(picture) {
		if (this.#blob) URL.revokeObjectURL(this.#blob);
		this.#blob = picture instanceof Blob ? URL.createObjectURL(picture) : null;
		const address = this.#blob ?? /** @type {?string} */ (picture);
		if (address) this.#poster.src = address;
		else this.#poster.removeAttribute('src');
		this.#poster.hidden = address === null;
	}

	/** A frame is drawn. */
	uncover() {
		this.#spinner.hidden = true;
		this.#poster.hidden = true;
	}

	/** @param {string} text "" = nothing is wrong any more */
	setError(text) {
		this.#sentence.textContent = text;
		this.#sentence.hidden = text === '';
		if (text) this.#spinner.hidden = true;
	}

	/** @param {string[]} texts */
	setWarnings(texts) {
		this.#warnings.hidden = texts.length === 0;
		this.#warnings.open = false;
		const summary = document.createElement('summary');
		summary.textContent = `⚠ ${texts.length} warning${texts.length === 1 ? '' : 's'}`;
		const list = document.createElement('ul');
		for (const text of texts) list.append(Object.assign(document.createElement('li'), { textContent: text }));
		this.#warnings.replaceChildren(summary, list);
	}
}
