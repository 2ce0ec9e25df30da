// Downloads of the chosen rig: the stored file, or the current motion as a file that plays without posed.
import { byId, element } from './dom.js';

/** @typedef {{pose: any, duration: number, skinning: any, name: string}} Motion */

export class Downloads {
	#client;
	#on;
	/** @type {any} the description of the rig; null = none */
	#rig = null;

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {object} on
	 * @param {() => Motion} on.motion the current motion
	 * @param {(text: string) => void} on.onStatus
	 * @param {(error: Error) => void} on.onError
	 */
	constructor(client, on) {
		this.#client = client;
		this.#on = on;
		byId('download-as').addEventListener('change', () => this.#showPrune());
		byId('download').addEventListener('submit', (event) => {
			event.preventDefault();
			this.#download().catch(on.onError);
		});
	}

	/** @param {any} rig a description; null = none */
	show(rig) {
		this.#rig = rig;
		this.#showPrune();
	}

	#showPrune() {
		const joints = this.#rig?.joints ?? [];
		const { length } = joints.filter(({ needless }) => needless);
		byId('download-pruned').hidden = byId('download-as').value !== 'joints';
		byId('download-prune').disabled = length === 0;
		byId('download-prune-text').textContent = `without the needless joints: ${length} of ${joints.length}`;
	}

	async #download() {
		const { name } = this.#rig;
		const as = byId('download-as').value;
		this.#on.onStatus('Making the file …');
		const [bytes, ending] =
			as === 'source' ? await this.#source(name) : [await this.#baked(name, as), 'glb'];
		save(new Blob([bytes]), `${name}.${ending}`);
		this.#on.onStatus(`“${name}.${ending}” is downloaded.`);
	}

	/** @param {string} rig @returns {Promise<[BlobPart, string]>} */
	async #source(rig) {
		const file = await this.#client.source(rig);
		const type = file.headers.get('Content-Type');
		const ending = { 'model/gltf-binary': 'glb', 'application/zip': 'zip' }[type];
		return [file, ending ?? 'gltf'];
	}

	/** @param {string} rig @param {'joints' | 'morph'} as */
	async #baked(rig, as) {
		const { skinning, ...motion } = this.#on.motion();
		const request = { rig, as, ...motion };
		if (as === 'morph') return this.#client.bake({ ...request, skinning });
		const prune = byId('download-prune').checked && !byId('download-prune').disabled;
		return this.#client.bake({ ...request, skinning: { method: 'lbs' }, prune });
	}
}

/** @param {Blob} file @param {string} name */
export function save(file, name) {
	const link = element('a', { href: URL.createObjectURL(file), download: name });
	link.click();
	URL.revokeObjectURL(link.href);
}
