// Storing files as rigs: by a button, or dropped anywhere on the page.
import { Problem } from '../client/posed.js';
import { fetchWithProgress, makeClient } from './api.js';
import { agree } from './ask.js';
import { byId } from './dom.js';

const MOST_NAME_BYTES = 128;

/** A name that the daemon takes, of a file's. @param {string} fileName */
export function rigName(fileName) {
	const stem = fileName.replace(/\.(glb|gltf|zip)$/i, '');
	let name = stem.replace(/[/\p{Cc}]/gu, '-').toWellFormed();
	while (new TextEncoder().encode(name).length > MOST_NAME_BYTES) {
		name = [...name].slice(0, -1).join('');
	}
	return ['', '.', '..'].includes(name) ? 'rig' : name;
}

/** What a refusal says, and what is wrong one by one. @param {Error} error */
export function explain(error) {
	const errors = error instanceof Problem ? error.errors.map(({ detail }) => detail) : [];
	return [error.message, ...errors.filter((text) => !error.message.includes(text))].join('\n');
}

export class Upload {
	#on;

	/**
	 * @param {object} on
	 * @param {(name: string) => void} on.onStored
	 * @param {(text: string) => void} on.onStatus
	 * @param {(error: Error) => void} on.onError
	 */
	constructor(on) {
		this.#on = on;
		this.#listenToButton();
		this.#listenToDrops();
	}

	#listenToButton() {
		const input = byId('file');
		byId('add').addEventListener('click', () => input.click());
		input.addEventListener('change', () => {
			const files = [...input.files];
			input.value = ''; // so that the same file can be chosen again
			this.#storeAll(files);
		});
	}

	#listenToDrops() {
		const hint = byId('drop');
		let depth = 0; // of elements entered; they are left one by one
		const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
		const enter = (by) => (event) => {
			if (!hasFiles(event)) return;
			event.preventDefault();
			depth += by;
			hint.hidden = depth <= 0;
		};
		addEventListener('dragenter', enter(1));
		addEventListener('dragover', enter(0));
		addEventListener('dragleave', enter(-1));
		addEventListener('drop', (event) => {
			if (!hasFiles(event)) return;
			event.preventDefault();
			depth = 0;
			hint.hidden = true;
			this.#storeAll([...event.dataTransfer.files]);
		});
	}

	/** @param {File[]} files */
	async #storeAll(files) {
		for (const file of files) {
			try {
				await this.#store(file, rigName(file.name));
			} catch (error) {
				this.#on.onError(new Error(`${file.name} was not stored: ${explain(error)}`));
			} finally {
				byId('progress').hidden = true;
			}
		}
	}

	/** @param {File} file @param {string} name */
	async #store(file, name) {
		try {
			await this.#put(file, name, true);
		} catch (error) {
			if (error.status !== 412) throw error;
			const text = `There is a rig “${name}” already. Replace it?`;
			if (!(await agree(text, 'Replace'))) {
				this.#on.onStatus('');
				return;
			}
			await this.#put(file, name, false);
		}
		this.#on.onStored(name);
	}

	/** @param {File} file @param {string} name @param {boolean} keep what is there is not replaced */
	async #put(file, name, keep) {
		const progress = byId('progress');
		progress.hidden = false;
		progress.value = 0;
		this.#on.onStatus(`Sending ${file.name} …`);
		const fetch = fetchWithProgress((share) => {
			progress.value = share;
			if (share === 1) this.#on.onStatus(`The daemon is reading ${file.name} …`);
		});
		await makeClient({ fetch }).putRig(name, file, { keep });
	}
}
