// Helpers for the page's elements.

/** The element with an id of index.html. @returns {any} */
export function byId(id) {
	return document.getElementById(id);
}

/**
 * @param {string} name
 * @param {Record<string, any>} properties
 * @param {(Node | string)[]} children
 */
export function element(name, properties = {}, children = []) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children);
	return made;
}

/** @param {HTMLSelectElement} select @param {[string, string][]} rows value and text */
export function fillSelect(select, rows) {
	select.replaceChildren(
		...rows.map(([value, text]) => element('option', { value, textContent: text })),
	);
}

/** @param {number} n */
export const count = (n) => n.toLocaleString('en');

/** "0.0998 mm" @param {number} metres */
export function lengthText(metres) {
	const millimetres = metres * 1000;
	const [value, unit] = millimetres < 1000 ? [millimetres, 'mm'] : [metres, 'm'];
	return `${Number(value.toPrecision(3))} ${unit}`;
}

/** The page's background as "#rrggbb", for text in pictures: it needs one colour, not a gradient. */
export function panelColour() {
	const text = getComputedStyle(document.querySelector('header')).backgroundColor;
	const parts = text.match(/[\d.]+/g).slice(0, 3);
	return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** @param {Element} element @param {boolean} isBusy */
export function setBusy(element, isBusy) {
	if (element.ariaBusy !== String(isBusy)) element.ariaBusy = String(isBusy);
}
