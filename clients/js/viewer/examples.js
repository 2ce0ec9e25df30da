// Examples of the chosen rig: poses with their desired vertices, to which some skinning
// methods are fitted. The current pose can be stored as one, with its vertices as they are skinned.
import { byId, element } from './dom.js';

export class Examples {
	#client;
	#on;
	/** @type {?string} the rig's name */
	#rig = null;

	/**
	 * @param {import('../client/posed.js').Client} client
	 * @param {object} on
	 * @param {() => {pose: any, skinning: any}} on.moment the current pose
	 * @param {(joints: any[]) => void} on.pose shows the joints of an example's pose
	 * @param {(text: string) => void} on.status
	 * @param {() => void} on.change the rig's examples have changed
	 * @param {(error: Error) => void} on.error
	 */
	constructor(client, on) {
		this.#client = client;
		this.#on = on;
		byId('keep').addEventListener('submit', (event) => {
			event.preventDefault();
			this.#keep(byId('example').value.trim()).catch(on.error);
		});
	}

	/** @param {?string} rig the name of the current rig */
	async show(rig) {
		this.#rig = rig;
		byId('examples').replaceChildren();
		if (rig) await this.#list();
	}

	async #list() {
		const rig = this.#rig;
		const examples = await this.#client.examples(rig);
		if (rig !== this.#rig) return; // another was chosen meanwhile
		const rows = examples.map(({ name, pose }) => {
			const show = element('button', {
				type: 'button',
				textContent: 'Show',
				ariaLabel: `Show the pose of the example ${name}`,
			});
			show.addEventListener('click', () => this.#pose(pose).catch(this.#on.error));
			const remove = element('button', {
				type: 'button',
				textContent: 'Delete',
				ariaLabel: `Delete the example ${name}`,
			});
			remove.addEventListener('click', () => this.#remove(name).catch(this.#on.error));
			return element('li', {}, [element('span', { textContent: name }), show, remove]);
		});
		byId('examples').replaceChildren(...rows);
	}

	async #pose(pose) {
		const rig = this.#rig;
		const { joints } = await this.#client.pose({ rig, pose, space: 'local' });
		if (rig === this.#rig) this.#on.pose(joints);
	}

	async #keep(name) {
		if (!name) return;
		const { pose, skinning } = this.#on.moment();
		const request = { rig: this.#rig, pose, skinning, attributes: ['position', 'normal'] };
		const vertices = await this.#client.vertices(request);
		const example = {
			positions: vertices.get('position'),
			normals: vertices.get('normal'),
		};
		await this.#client.putExample(this.#rig, name, pose, example);
		this.#on.status(`“${name}” is kept as an example.`);
		await this.#changed();
	}

	async #remove(name) {
		await this.#client.deleteExample(this.#rig, name);
		this.#on.status(`The example “${name}” is deleted.`);
		await this.#changed();
	}

	async #changed() {
		await this.#list();
		this.#on.change();
	}
}
