// Stores files as rigs, and motions as clips of a rig: chosen by a button, or dropped anywhere on the page.
import { Problem } from '../client/posed.js';
import { assetsOf, attachDrops } from '../element/dropped_files.js';
import { fetchWithProgress, makeClient } from './api.js';
import { confirmed } from './dialogs.js';
import { byId } from './dom.js';

/** @typedef {import('../element/dropped_files.js').Asset} Asset */

/** The message of a refusal, with each single mistake. @param {Error} error */
export function explain(error) {
	const errors = error instanceof Problem ? error.errors.map(({ detail }) => detail) : [];
	return [error.message, ...errors.filter((text) => !error.message.includes(text))].join('\n');
}

/** What became of several files. @typedef {{stored: string[], clips: string[], notes: string[], failed: boolean}} Outcome */

/** @param {string[]} names @param {string} are */
const listOf = (names, are) =>
	`${names.map((name) => `“${name}”`).join(', ')} ${names.length === 1 ? 'is' : 'are'} ${are}`;

/** True for a warning of a rig about a file that it names, and that it was read without. @param {string} warning */
const isOfMissing = (warning) => / without it$/.test(warning);

export class Upload {
	#on;

	/**
	 * @param {object} on
	 * @param {() => ?string} on.shown the rig that dropped motions are for
	 * @param {(name: string, clip?: string) => Promise<void>} on.onStored with the last of several stored at once
	 * @param {(text: string) => void} on.onStatus
	 * @param {(error: Error) => void} on.onError
	 */
	constructor(on) {
		this.#on = on;
		this.#listenToButtons();
		this.#listenToDrops();
	}

	#listenToButtons() {
		for (const [button, field] of [
			['add', 'file'],
			['add-folder', 'folder'],
		]) {
			const input = byId(field);
			byId(button).addEventListener('click', () => input.click());
			input.addEventListener('change', () => {
				const files = [...input.files];
				input.value = ''; // so that the same file can be chosen again
				this.#storeAll(files, null);
			});
		}
	}

	#listenToDrops() {
		attachDrops(window, {
			takes: () => true,
			onOver: (isOver) => (byId('drop').hidden = !isOver),
			onFiles: (files) => this.#storeAll(files, this.#on.shown()),
		});
	}

	/**
	 * Motions become clips of the one model among the files, or else of the rig of that name; otherwise rigs.
	 * @param {import('../client/assets.js').AssetFiles | Promise<Map<string, File>>} given @param {?string} rig
	 */
	async #storeAll(given, rig) {
		/** @type {Asset[]} */
		let assets;
		try {
			assets = await assetsOf(await given);
		} catch (error) {
			this.#on.onError(error);
			return;
		}
		/** @type {Outcome} */
		const outcome = { stored: [], clips: [], notes: [], failed: false };
		const models = assets.filter(({ isMotion }) => !isMotion);
		for (const model of models) await this.#try(model, outcome, () => this.#storeRig(model, outcome));
		const owner = models.length === 0 ? rig : models.length === 1 ? outcome.stored[0] : null;
		for (const motion of assets.filter(({ isMotion }) => isMotion))
			await this.#try(motion, outcome, () =>
				owner ? this.#storeClip(owner, motion, outcome) : this.#storeRig(motion, outcome),
			);
		await this.#show(outcome, owner);
	}

	/** @param {Asset} asset @param {Outcome} outcome @param {() => Promise<void>} store */
	async #try(asset, outcome, store) {
		try {
			await store();
		} catch (error) {
			outcome.failed = true;
			outcome.notes.push(`${asset.path} was not stored: ${explain(error)}`);
		} finally {
			byId('progress').hidden = true;
		}
	}

	/** Shows what was stored last, and then all messages, which replace those of showing it. @param {Outcome} outcome @param {?string} owner of the clips */
	async #show(outcome, owner) {
		this.#report(outcome, owner);
		const { stored, clips } = outcome;
		if (clips.length > 0) await this.#on.onStored(owner, clips.at(-1));
		else if (stored.length > 0) await this.#on.onStored(stored.at(-1));
		else return;
		this.#report(outcome, owner);
	}

	/** @param {Outcome} outcome @param {?string} owner */
	#report({ stored, clips, notes, failed }, owner) {
		const said = [...notes];
		if (stored.length > 0) said.push(`${listOf(stored, 'stored')}.`);
		if (clips.length > 0) said.push(`${listOf(clips, `stored in “${owner}”`)}.`);
		if (failed) this.#on.onError(new Error(said.join('\n')));
		else if (said.length > 0) this.#on.onStatus(said.join('\n'));
	}

	/** Stores; false if what exists was not to be replaced. @param {string} text asks for that @param {(keep: boolean) => Promise<any>} put */
	async #asking(text, put) {
		try {
			return await put(true);
		} catch (error) {
			if (error.status !== 412) throw error;
			if (await confirmed(text, 'Replace')) return put(false);
			this.#on.onStatus('');
			return false;
		}
	}

	/** @param {Asset} asset @param {Outcome} outcome */
	async #storeRig(asset, outcome) {
		const { path, name } = asset;
		const onMissing = (/** @type {string} */ sentence) => outcome.notes.push(`${path}: ${sentence}.`);
		const content = await asset.pack({ onMissing });
		const text = `There is a rig “${name}” already. Replace it?`;
		const send = this.#sender(path);
		if (!(await this.#asking(text, (keep) => send.putRig(name, content, { keep })))) return;
		outcome.stored.push(name);
		if (!/\.gl(b|tf)$/i.test(path)) {
			const { warnings } = await makeClient().describe(name);
			outcome.notes.push(...warnings.filter(isOfMissing).map((text) => `${path}: ${text}.`));
		}
	}

	/** @param {string} rig @param {Asset} asset @param {Outcome} outcome */
	async #storeClip(rig, asset, outcome) {
		const { path, name } = asset;
		const file = await asset.pack();
		const text = `“${rig}” has a clip “${name}” already. Replace it?`;
		const send = this.#sender(path);
		if (await this.#asking(text, (keep) => send.putClip(rig, name, { file }, { keep })))
			outcome.clips.push(name);
	}

	/** A client that shows how much of a file is sent. @param {string} path */
	#sender(path) {
		const progress = byId('progress');
		progress.hidden = false;
		progress.value = 0;
		this.#on.onStatus(`Sending ${path} …`);
		const fetch = fetchWithProgress((share) => {
			progress.value = share;
			if (share === 1) this.#on.onStatus(`The daemon is reading ${path} …`);
		});
		return makeClient({ fetch });
	}
}
