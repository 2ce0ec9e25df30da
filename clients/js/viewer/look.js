// The look of pictures: shading, overlays, light and ground. The page itself draws materials and overlays; the
// daemon draws the rest.
import { byId } from './dom.js';

const CHOICES = ['environment', 'tone_mapping'];
const SWITCHES = ['shadow', 'grid'];
/** The overlays that the page has a box for. */
const OVERLAYS = [...byId('look').elements]
	.filter(({ id }) => id.startsWith('overlay-'))
	.map(({ id }) => id.slice('overlay-'.length));

/** Shadings with a legend. */
const WITH_LEGEND = ['weights', 'influences', 'batches'];

/** Controls that comparisons and crowds lack: the page itself draws the skeleton over vertices. */
const ALONE = ['legend', ...OVERLAYS.map((name) => `overlay-${name}`), 'joint-names'].filter(
	(id) => id !== 'overlay-skeleton',
);

/** Controls whose effect the page draws over vertices. */
const DRAWN = [...OVERLAYS.map((name) => `overlay-${name}`), 'joint-names'];

/** Shadings that the page draws as colours of vertices, and what these are of. */
const COLOURED = { weights: 'colors', joint_weights: 'weights', influences: 'count' };

/** Overlays that need a clip. */
const OF_CLIPS = ['trails', 'onion'];

export class Look {
	/** @type {() => ?string} */
	#joint;
	/** @type {{skinning: ?object, view: 'side' | 'heat'}} */
	#comparison = { skinning: null, view: 'heat' };
	#isAttached = false;

	/**
	 * @param {object} on
	 * @param {(needsPicture: boolean) => void} on.onChange needsPicture: only pictures can show the change
	 * @param {() => ?string} on.joint the joint whose weights are shown; null = of all joints
	 */
	constructor({ onChange, joint }) {
		this.#joint = joint;
		byId('look').addEventListener('input', ({ target }) => {
			this.#showText();
			onChange(!this.#isDrawn(target.id));
		});
		byId('look-reset').addEventListener('click', () => {
			byId('look').reset();
			this.#showText();
			onChange(false);
		});
		this.#showText();
	}

	/** True if the page draws over vertices what a control changes. @param {string} id */
	#isDrawn(id) {
		const isColour = ['material', ...Object.keys(COLOURED)].includes(byId('shading').value);
		return DRAWN.includes(id) || (id === 'shading' && isColour) || (id === 'legend' && isColour);
	}

	/** The shading as colours of vertices; null = it is none of these. @returns {?import('./comparison.js').Influence} */
	influence() {
		const mode = byId('shading').value;
		const of = byId('shading').disabled ? undefined : COLOURED[mode];
		if (!of) return null;
		return { joint: mode === 'joint_weights' ? this.#joint() : null, of };
	}

	/** True if the skeleton is drawn. */
	get showsSkeleton() {
		return byId('overlay-skeleton').checked;
	}

	/** True if its joints have their names. */
	get showsNames() {
		return byId('joint-names').checked;
	}

	/** True if the paths of joints are drawn. */
	get showsTrails() {
		return byId('overlay-trails').checked && !byId('overlay-trails').disabled;
	}

	/** Disables the controls that comparisons lack. @param {{skinning: ?object, view: 'side' | 'heat'}} comparison */
	setComparison(comparison) {
		this.#comparison = comparison;
		this.#showLimits();
	}

	/** Disables the controls that crowds lack. @param {boolean} isAttached a joint holds a rig */
	setAttached(isAttached) {
		this.#isAttached = isAttached;
		this.#showLimits();
	}

	#showLimits() {
		const { skinning, view } = this.#comparison;
		const isHeat = skinning !== null && view === 'heat';
		const isAttached = skinning === null && this.#isAttached;
		for (const id of ALONE) byId(id).disabled = skinning !== null || isAttached;
		byId('shading').disabled = isHeat;
		byId('look-compared').hidden = skinning === null && !isAttached;
		byId('look-compared').textContent = isAttached
			? 'While a joint holds a rig, pictures have no overlays, no legend and no weights of a single joint.'
			: `While two methods are compared there are no overlays${isHeat ? ', and surfaces have the colours of the distance' : ''}.`;
	}

	/** The members of a picture that differ from the daemon's defaults. @param {boolean} moves there is a clip */
	members(moves) {
		const shading = this.#shading();
		const overlays = OVERLAYS.filter((name) => byId(`overlay-${name}`).checked)
			.filter((name) => moves || !OF_CLIPS.includes(name))
			.map((name) => this.#overlay(name));
		const exposure = Number(byId('exposure').value);
		return {
			...(shading !== 'material' && { shading }),
			...(overlays.length > 0 && { overlays }),
			...Object.fromEntries(
				CHOICES.filter((id) => byId(id).selectedIndex > 0).map((id) => [id, byId(id).value]),
			),
			...(exposure !== 0 && { exposure }),
			...Object.fromEntries(SWITCHES.filter((id) => byId(id).checked).map((id) => [id, true])),
		};
	}

	/** The values of the controls by name, for a link. */
	state() {
		const named = [...byId('look').elements].filter(({ name }) => name);
		const chosen = named.filter(({ type, checked }) => type !== 'checkbox' || checked);
		return Object.fromEntries(chosen.map(({ name, value }) => [name, value]));
	}

	/** @param {Record<string, string>} state */
	restore(state) {
		for (const control of byId('look').elements) {
			if (!control.name) continue;
			if (control.type === 'checkbox') control.checked = control.name in state;
			else if (control.name in state) control.value = state[control.name];
		}
		this.#showText();
	}

	/** @returns {any} */
	#shading() {
		const mode = byId('shading').value;
		const legend = byId('legend').checked && { legend: true };
		if (mode === 'joint_weights') return { mode: 'weights', joint: this.#joint(), ...legend };
		return legend && WITH_LEGEND.includes(mode) ? { mode, ...legend } : mode;
	}

	/** @param {string} name @returns {any} */
	#overlay(name) {
		const names = name === 'skeleton' && byId('joint-names').checked;
		return names ? { overlay: name, names: true } : name;
	}

	#showText() {
		const stops = Number(byId('exposure').value);
		byId('exposure-text').textContent = `${stops > 0 ? '+' : ''}${stops}`;
	}
}
