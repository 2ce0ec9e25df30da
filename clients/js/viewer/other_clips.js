// Clips of another rig for this one: copied, or retargeted.
import { byId, fillSelect } from './dom.js';

/** @typedef {import('./pose.js').Clip} Clip */

const NONE = '';
const PREFIX = '\u0001'; // no clip's name begins with it

export class OtherClips {
	#on;
	/** The current rig. */
	#rig = '';
	/** @type {string[]} */
	#names = [];
	/** @type {{name: string, duration: number}[]} of the chosen other rig */
	#clips = [];

	/**
	 * @param {object} on
	 * @param {(rig: string) => Promise<any>} on.describe
	 * @param {(value: ?string) => void} on.onClips the list of clips has changed; value: the one to
	 *   choose, null = one of the rig's own
	 * @param {() => void} on.onChange
	 * @param {(error: Error) => void} on.onError
	 */
	constructor(on) {
		this.#on = on;
		byId('other-rig').addEventListener('change', () => this.#take());
		byId('other-way').addEventListener('change', on.onChange);
	}

	/** @param {{name: string, clips: number}[]} rigs all rigs */
	setRigs(rigs) {
		this.#names = rigs.filter(({ clips }) => clips > 0).map(({ name }) => name);
		this.#list(byId('other-rig').value);
	}

	/** @param {?{name: string}} rig the current rig; null = none */
	show(rig) {
		this.#rig = rig?.name ?? '';
		this.#clips = [];
		byId('other-way').value = 'copy';
		this.#list(NONE);
	}

	/** Values and labels for a list of clips. @returns {[string, string][]} */
	rows() {
		const rig = byId('other-rig').value;
		return this.#clips.map(({ name, duration }) => [
			PREFIX + name,
			`${name} (${duration.toFixed(2)} s) of ${rig}`,
		]);
	}

	/** The clip of such a value; undefined = not one of them. @param {string} value @returns {Clip | undefined} */
	clipOf(value) {
		const clip = this.#clips.find(({ name }) => PREFIX + name === value);
		return clip && { ...clip, from: { rig: byId('other-rig').value, way: byId('other-way').value } };
	}

	/** The state for a link, with the one chosen clip. @param {?Clip} clip */
	state(clip) {
		return clip?.from ? { name: clip.name, duration: clip.duration, ...clip.from } : null;
	}

	/** @param {ReturnType<OtherClips['state']>} state */
	restore(state) {
		if (!state) return;
		const { name, duration, rig, way } = state;
		if (!this.#names.includes(rig)) this.#names.push(rig);
		this.#list(rig);
		byId('other-way').value = way;
		this.#clips = [{ name, duration }];
		this.#on.onClips(PREFIX + name);
		this.#describe(rig).then((found) => found && this.#on.onClips(byId('clip').value));
	}

	/** @param {string} chosen */
	#list(chosen) {
		const names = this.#names.filter((name) => name !== this.#rig);
		fillSelect(byId('other-rig'), [[NONE, 'none'], ...names.map((name) => [name, name])]);
		byId('other-rig').value = names.includes(chosen) ? chosen : NONE;
		byId('other-rig-field').hidden = names.length === 0;
		byId('other-way-field').hidden = byId('other-rig').value === NONE;
	}

	async #take() {
		const rig = byId('other-rig').value;
		byId('other-way-field').hidden = rig === NONE;
		this.#clips = [];
		if (rig !== NONE && !(await this.#describe(rig))) return;
		this.#on.onClips(this.#clips.length > 0 ? PREFIX + this.#clips[0].name : null);
		this.#on.onChange();
	}

	/** Finds the clips of a rig. Resolves to true if it is still the wanted rig. @param {string} rig */
	async #describe(rig) {
		const shown = this.#rig;
		try {
			const { clips } = await this.#on.describe(rig);
			if (rig !== byId('other-rig').value || shown !== this.#rig) return false;
			this.#clips = clips.map(({ name, duration }) => ({ name, duration }));
			return true;
		} catch (error) {
			this.#on.onError(error);
			return false;
		}
	}
}
