// The row of controls under <posed-viewer controls>: the clip, play and pause, a slider for each morph target.

export const CONTROLS_STYLE = `
[part=controls] {
	position: absolute; inset: auto 0 0; display: flex; flex-wrap: wrap; gap: 0.4em; align-items: center;
	padding: 0.4em; font: 0.85rem/1.4 system-ui, sans-serif; background: #fffc; color: #222;
	max-height: 50%; overflow: auto;
}
[part=controls] label { display: flex; gap: 0.3em; align-items: center; }
[part=controls] input { width: 6em; }
`;

/**
 * The morph targets of a rig: the joint that has them, its number among the joint's, its name.
 * @param {any} rig its description
 */
export function morphsOf(rig) {
	return rig.joints.flatMap((/** @type {any} */ { name: joint, weights = [] }) =>
		weights.map((/** @type {number} */ weight, /** @type {number} */ index) => ({
			...{ name: weights.length > 1 ? `${joint} ${index}` : joint, joint, index, weight },
		})),
	);
}

export class Controls {
	#row = document.createElement('div');
	#play = document.createElement('button');
	#clips = document.createElement('select');
	#on;

	/**
	 * @param {object} on
	 * @param {(clip: string) => void} on.onClip "" = the rest pose
	 * @param {() => void} on.onPlay @param {(name: string, weight: number) => void} on.onMorph
	 */
	constructor(on) {
		this.#on = on;
		this.#row.part.add('controls');
		this.#row.hidden = true;
		this.#play.type = 'button';
		this.#play.addEventListener('click', on.onPlay);
		this.#clips.setAttribute('aria-label', 'clip');
		this.#clips.addEventListener('change', () => on.onClip(this.#clips.value));
	}

	get element() {
		return this.#row;
	}

	/** @param {boolean} isShown */
	show(isShown) {
		this.#row.hidden = !isShown || this.#row.childElementCount === 0;
	}

	/** Offers what a rig has. @param {any} rig @param {Map<string, number>} weights that were set */
	offer(rig, weights) {
		const names = ['', ...rig.clips.map((/** @type {any} */ { name }) => name)];
		this.#clips.replaceChildren(...names.map((name) => new Option(name || 'rest', name)));
		const sliders = morphsOf(rig).map((/** @type {any} */ { name, weight }) => {
			const label = document.createElement('label');
			const slider = Object.assign(document.createElement('input'), {
				...{ type: 'range', min: '0', max: '1', step: '0.01' },
			});
			slider.value = String(weights.get(name) ?? weight);
			slider.addEventListener('input', () => this.#on.onMorph(name, Number(slider.value)));
			label.append(name, slider);
			return label;
		});
		this.#row.replaceChildren(this.#play, this.#clips, ...sliders);
	}

	/** @param {{clip: string, paused: boolean}} state */
	update({ clip, paused }) {
		this.#clips.value = clip;
		this.#play.textContent = paused ? '▶' : '⏸';
		this.#play.ariaLabel = paused ? 'Play' : 'Pause';
		this.#play.disabled = clip === '';
	}
}
