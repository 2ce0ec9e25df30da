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

/**
 * What a .gltf among files may need of the others, which are no rigs themselves.
 * @param {File[]} files
 */
function partsOfGltf(files) {
	if (!files.some(({ name }) => /\.gltf$/i.test(name))) return [];
	return files.filter(({ name }) => !/\.(glb|gltf|zip)$/i.test(name));
}

export class Upload {
	#on;

	/**
	 * @param {object} on
	 * @param {(name: string) => Promise<void>} on.onStored with the last of those that were stored at once
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
		const parts = partsOfGltf(files);
		const failures = [];
		const stored = [];
		for (const file of files.filter((one) => !parts.includes(one))) {
			try {
				if (parts.length > 0 && /\.gltf$/i.test(file.name))
					throw new Error(
						`put it into a ZIP with ${parts.map(({ name }) => name).join(', ')}, and store that.`,
					);
				const name = rigName(file.name);
				if (await this.#store(file, name)) stored.push(name);
			} catch (error) {
				failures.push(`${file.name} was not stored: ${explain(error)}`);
			} finally {
				byId('progress').hidden = true;
			}
		}
		this.#report(stored, failures);
		if (stored.length === 0) return;
		await this.#on.onStored(stored.at(-1));
		this.#report(stored, failures); // what was said while it came into sight goes
	}

	/** @param {string[]} stored names @param {string[]} failures sentences */
	#report(stored, failures) {
		const names = stored.map((name) => `“${name}”`).join(', ');
		const is = stored.length === 1 ? 'is' : 'are';
		const text = [...failures, ...(names ? [`${names} ${is} stored.`] : [])].join('\n');
		if (failures.length > 0) this.#on.onError(new Error(text));
		else if (names) this.#on.onStatus(text);
	}

	/** Whether it is stored, or else was not to replace another. @param {File} file @param {string} name */
	async #store(file, name) {
		try {
			await this.#put(file, name, true);
		} catch (error) {
			if (error.status !== 412) throw error;
			const text = `There is a rig “${name}” already. Replace it?`;
			if (!(await agree(text, 'Replace'))) {
				this.#on.onStatus('');
				return false;
			}
			await this.#put(file, name, false);
		}
		return true;
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
