// The list of findings: by severity, errors first, then those that are suppressed.
import { byId, element } from './dom.js';

/** @typedef {import('../client/posed.js').CheckFinding} Finding */

const SUPPRESSED = 'suppressed';
const GROUPS = [
	{ id: 'error', title: 'Errors', word: 'Error' },
	{ id: 'warning', title: 'Warnings', word: 'Warning' },
	{ id: 'note', title: 'Notes', word: 'Note' },
	{ id: SUPPRESSED, title: 'Suppressed', word: 'Suppressed' },
];
const DIGITS = 3;
const PLAIN = '1'; // the unit of plain numbers

/** @param {Finding} finding */
const groupOf = ({ level, suppressed }) => (suppressed ? SUPPRESSED : level);

/** @param {number} number */
const numberText = (number) => String(Number(number.toPrecision(DIGITS)));

/** "0.0535 L, limit 0.03" @param {Finding} finding */
function valueText({ value, unit, threshold }) {
	if (value === undefined) return 'no finite value';
	const limit = threshold === undefined ? '' : `, limit ${numberText(threshold)}`;
	return numberText(value) + (unit === PLAIN ? '' : ` ${unit}`) + limit;
}

/** "motion/pop · Idle at 1.33 s · LeftForeArm · 0.0535 L, limit 0.03" @param {Finding} finding */
function placeText(finding) {
	const { rule, clip, time, joint, material } = finding;
	const moment = time === undefined ? clip : `${clip} at ${time.toFixed(2)} s`;
	return [rule, clip && moment, joint ?? material, valueText(finding)].filter(Boolean).join(' · ');
}

export class FindingList {
	#on;
	/** @type {Finding[]} in the order of the list */
	#findings = [];
	/** @type {?Finding} */
	#chosen = null;
	/** @type {Map<Finding, HTMLElement>} */
	#items = new Map();
	/** The groups that were opened or closed by hand. @type {Map<string, boolean>} */
	#opened = new Map();

	/**
	 * @param {object} on
	 * @param {(finding: Finding) => void} on.onChoose
	 * @param {(finding: Finding) => void} on.onSuppress @param {(finding: Finding) => void} on.onRestore
	 * @param {(finding: Finding) => boolean} on.isOurs it is suppressed by the page
	 */
	constructor(on) {
		this.#on = on;
	}

	/** @returns {?Finding} */
	get chosen() {
		return this.#chosen;
	}

	/** @param {Finding[]} findings */
	show(findings) {
		const groups = GROUPS.map((group) => ({
			...group,
			findings: findings.filter((finding) => groupOf(finding) === group.id),
		})).filter((group) => group.findings.length > 0);
		this.#findings = groups.flatMap((group) => group.findings);
		this.#items.clear();
		byId('findings').replaceChildren(...groups.map((group, i) => this.#group(group, i === 0)));
		this.choose(findings.includes(this.#chosen) ? this.#chosen : null);
	}

	/** Marks a finding as the chosen one, with what there is to do about it. @param {?Finding} finding */
	choose(finding) {
		const before = this.#items.get(this.#chosen);
		before?.querySelector('button').removeAttribute('aria-current');
		before?.querySelector('.remedy')?.remove();
		this.#chosen = finding;
		const item = this.#items.get(finding);
		if (!item) return;
		item.querySelector('button').setAttribute('aria-current', 'true');
		item.append(this.#remedy(finding));
	}

	/** @param {1 | -1} way */
	step(way) {
		const { length } = this.#findings;
		if (length === 0) return;
		const at = this.#findings.indexOf(this.#chosen);
		const next = at < 0 ? (way > 0 ? 0 : length - 1) : (at + way + length) % length;
		this.#focus(this.#findings[next]).click();
	}

	/** Focuses the chosen finding, wherever it is listed now. */
	focusChosen() {
		if (this.#chosen) this.#focus(this.#chosen);
	}

	/** @param {Finding} finding @returns {HTMLButtonElement} */
	#focus(finding) {
		const item = this.#items.get(finding);
		const button = item.querySelector('button');
		item.closest('details').open = true;
		button.focus();
		return button;
	}

	#group({ id, title, word, findings }, isFirst) {
		const isOpen = this.#opened.get(id) ?? (isFirst || id === 'warning');
		const summary = element('summary', { textContent: `${title} (${findings.length})` });
		summary.addEventListener('click', () => this.#opened.set(id, !group.open));
		const items = findings.map((finding) => this.#item(finding, word));
		const group = element('details', { open: isOpen }, [summary, element('ul', {}, items)]);
		return group;
	}

	/** @param {Finding} finding @param {string} word */
	#item(finding, word) {
		const level = element('strong', { textContent: `${word}: ` });
		level.dataset.level = groupOf(finding);
		const button = element('button', { type: 'button', className: 'finding' }, [
			level,
			element('span', { textContent: finding.message }),
			element('span', { className: 'quiet', textContent: placeText(finding) }),
		]);
		button.addEventListener('click', () => {
			this.choose(finding);
			this.#on.onChoose(finding);
		});
		const item = element('li', {}, [button]);
		this.#items.set(finding, item);
		return item;
	}

	/** @param {Finding} finding */
	#remedy(finding) {
		const { suppressed, fix } = finding;
		const texts = [suppressed ? `Suppressed: ${suppressed}` : null, fix].filter(Boolean);
		const remedy = element(
			'div',
			{ className: 'remedy' },
			texts.map((textContent) => element('p', { className: 'quiet', textContent })),
		);
		if (!suppressed) remedy.append(this.#button('Suppress …', finding, this.#on.onSuppress));
		else if (this.#on.isOurs(finding))
			remedy.append(this.#button('Do not suppress', finding, this.#on.onRestore));
		return remedy;
	}

	/** @param {string} textContent @param {Finding} finding @param {(finding: Finding) => void} act */
	#button(textContent, finding, act) {
		const button = element('button', { type: 'button', textContent });
		button.addEventListener('click', () => act(finding));
		return button;
	}
}
