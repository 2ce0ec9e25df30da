// The standard views of the rig, and the cameras of its file.
import { byId, element } from './dom.js';

/** Views by the names of the API's camera presets: degrees. */
export const SIDES = {
	three_quarter: { title: 'Three-quarter', yaw: 30, pitch: 15 },
	front: { title: 'Front', yaw: 0, pitch: 0 },
	left: { title: 'Left', yaw: 90, pitch: 0 },
	right: { title: 'Right', yaw: -90, pitch: 0 },
	back: { title: 'Back', yaw: 180, pitch: 0 },
	top: { title: 'Top', yaw: 0, pitch: 90 },
};

const OWN = '';
const SIDE = 'side:';
const FILE = 'file:';

export class Views {
	#player;

	/**
	 * @param {import('./player.js').Player} player
	 * @param {() => void} onFileCamera a camera of the file is chosen, which only pictures can show
	 */
	constructor(player, onFileCamera) {
		this.#player = player;
		byId('view').addEventListener('change', () => {
			const [kind, rest] = byId('view').value.split(/(?<=:)/);
			player.setFileCamera(kind === FILE ? Number(rest) : null);
			if (kind === SIDE) player.lookFrom(SIDES[rest]);
			if (kind === FILE) onFileCamera();
		});
		byId('orthographic').addEventListener('click', () =>
			player.setOrthographic(!player.camera.orthographic),
		);
	}

	/** @param {any} rig a description; null = none */
	show(rig) {
		const option = (value, textContent) => element('option', { value, textContent });
		byId('view').replaceChildren(
			option(OWN, 'Free view'),
			...Object.entries(SIDES).map(([name, { title }]) => option(SIDE + name, title)),
			...(rig?.cameras ?? []).map(({ name, index, node }) =>
				option(FILE + node, `Camera ${name || index}`),
			),
		);
		this.showCamera();
	}

	/** The node of the file's camera in use, for a link; null = the page's own. */
	state() {
		const { value } = byId('view');
		return value.startsWith(FILE) ? Number(value.slice(FILE.length)) : null;
	}

	/** @param {?number} node */
	restore(node) {
		const option = [...byId('view').options].find(({ value }) => value === FILE + node);
		if (option) option.selected = true;
		this.#player.setFileCamera(option ? node : null);
	}

	/** @param {keyof typeof SIDES} name */
	lookFrom(name) {
		this.leaveFile();
		this.#player.lookFrom(SIDES[name]);
	}

	/** Looks from the page's own camera again. */
	leaveFile() {
		byId('view').value = OWN;
		this.#player.setFileCamera(null);
		this.showCamera();
	}

	/** Selects the standard view that the camera has been moved to, if any. */
	showCamera() {
		const { camera } = this.#player;
		byId('orthographic').setAttribute('aria-pressed', String(camera.orthographic));
		if (byId('view').value.startsWith(FILE)) return;
		const side = Object.entries(SIDES).find(
			([, { yaw, pitch }]) => (camera.yaw - yaw) % 360 === 0 && camera.pitch === pitch,
		);
		byId('view').value = side ? SIDE + side[0] : OWN;
	}
}
