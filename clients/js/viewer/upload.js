// Stores files as rigs: chosen by a button, or dropped anywhere on the page.
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

export class Upload {
	#on;

	/**
	 * @param {object} on
	 * @param {(name: string) => Promise<void>} on.onStored with the last of several stored at once
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
				this.#storeAll(files);
			});
		}
	}

	#listenToDrops() {
		attachDrops(window, {
			takes: () => true,
			onOver: (isOver) => (byId('drop').hidden = !isOver),
			onFiles: (files) => this.#storeAll(files),
		});
	}

	/** @param {import('../client/assets.js').AssetFiles | Promise<Map<string, File>>} given */
	async #storeAll(given) {
		let assets;
		try {
			assets = assetsOf(await given);
		} catch (error) {
			this.#on.onError(error);
			return;
		}
		const notes = []; // mistakes, file by file
		const stored = [];
		let failed = false;
		for (const asset of assets) {
			try {
				const onMissing = (sentence) => notes.push(`${asset.path}: ${sentence}.`);
				if (await this.#store(asset, await asset.pack({ onMissing }))) stored.push(asset.name);
			} catch (error) {
				failed = true;
				notes.push(`${asset.path} was not stored: ${explain(error)}`);
			} finally {
				byId('progress').hidden = true;
			}
		}
		this.#report(stored, notes, failed);
		if (stored.length === 0) return;
		await this.#on.onStored(stored.at(-1));
		this.#report(stored, notes, failed); // replaces the messages of showing it
	}

	/** @param {string[]} stored names @param {string[]} notes sentences @param {boolean} failed */
	#report(stored, notes, failed) {
		const names = stored.map((name) => `“${name}”`).join(', ');
		const is = stored.length === 1 ? 'is' : 'are';
		const text = [...notes, ...(names ? [`${names} ${is} stored.`] : [])].join('\n');
		if (failed) this.#on.onError(new Error(text));
		else if (names) this.#on.onStatus(text);
	}

	/** Stores a rig; false if an existing one was not to be replaced. @param {Asset} asset @param {Blob} content */
	async #store(asset, content) {
		const { name } = asset;
		try {
			await this.#put(asset, content, true);
		} catch (error) {
			if (error.status !== 412) throw error;
			const text = `There is a rig “${name}” already. Replace it?`;
			if (!(await confirmed(text, 'Replace'))) {
				this.#on.onStatus('');
				return false;
			}
			await this.#put(asset, content, false);
		}
		return true;
	}

	/** @param {Asset} asset @param {Blob} content @param {boolean} keep does not replace an existing rig */
	async #put({ path, name }, content, keep) {
		const progress = byId('progress');
		progress.hidden = false;
		progress.value = 0;
		this.#on.onStatus(`Sending ${path} …`);
		const fetch = fetchWithProgress((share) => {
			progress.value = share;
			if (share === 1) this.#on.onStatus(`The daemon is reading ${path} …`);
		});
		await makeClient({ fetch }).putRig(name, content, { keep });
	}
}
