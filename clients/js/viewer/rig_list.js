// The list of rigs, with a filter.
import { addressOf } from './address.js';
import { byId, count, element } from './dom.js';

/** @typedef {{name: string, vertices: number, joints: number, clips: number, damaged?: true}}
 *     RigSummary */

const counted = (n, what) => `${count(n)} ${what}${n === 1 ? '' : 's'}`;

/** "13,185 vertices · 23 joints · 4 clips" @param {RigSummary} rig */
function countsText({ vertices, joints, clips, damaged }) {
	if (damaged) return 'damaged on the daemon’s disk';
	const vertexText = vertices === 1 ? '1 vertex' : `${count(vertices)} vertices`;
	return [vertexText, counted(joints, 'joint'), counted(clips, 'clip')].join(' · ');
}

export class RigList {
	/** @type {RigSummary[]} */
	#rigs = [];
	/** @type {?string} */
	#current = null;

	constructor() {
		byId('filter').addEventListener('input', () => this.#show());
	}

	/** The rig shown by default, the one with the most clips; null when there are no rigs. */
	mostClips() {
		const more = (best, rig) => (rig.clips > best.clips ? rig : best);
		return this.#rigs.length > 0 ? this.#rigs.reduce(more).name : null;
	}

	/** @param {RigSummary[]} rigs */
	setRigs(rigs) {
		this.#rigs = rigs;
		this.#show();
	}

	/** @param {?string} name */
	setCurrent(name) {
		this.#current = name;
		this.#show();
	}

	#show() {
		const wanted = byId('filter').value.trim().toLowerCase();
		const rigs = this.#rigs.filter(({ name }) => name.toLowerCase().includes(wanted));
		byId('rigs').replaceChildren(...rigs.map((rig) => element('li', {}, [this.#link(rig)])));
		byId('no-rigs').hidden = rigs.length > 0;
		byId('no-rigs').textContent = wanted
			? `No rig has “${wanted}” in its name.`
			: 'There are no rigs yet.';
	}

	#link(rig) {
		const link = element('a', { href: addressOf({ rig: rig.name }) }, [
			element('strong', { textContent: rig.name }),
			element('span', { className: 'quiet', textContent: countsText(rig) }),
		]);
		if (rig.name === this.#current) link.setAttribute('aria-current', 'true');
		return link;
	}
}
