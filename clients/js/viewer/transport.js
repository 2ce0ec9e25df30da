// Play, pause, the scrub bar, speed and loop.
import { byId } from './dom.js';

const SHAPES = {
	play: 'M7 4.500v15l12-7.500z',
	pause: 'M6.500 4.500h4v15h-4zM13.500 4.500h4v15h-4z',
};

export class Transport {
	#player;

	/** @param {import('./player.js').Player} player */
	constructor(player) {
		this.#player = player;
		const { clock } = player;
		byId('play').addEventListener('click', () => this.toggle());
		byId('scrub').addEventListener('input', () => {
			clock.playing = false;
			player.seek(byId('scrub').value * clock.duration);
		});
		byId('speed').addEventListener('change', () => {
			clock.speed = Number(byId('speed').value);
			player.retime();
		});
		byId('loop').addEventListener('change', () => {
			player.retime();
			clock.loop = byId('loop').value;
		});
	}

	toggle() {
		const { clock } = this.#player;
		if (clock.playing) {
			clock.playing = false;
			this.#player.wake();
		} else {
			clock.play();
			this.#player.restart();
		}
	}

	/** Shows where the clock is. */
	show() {
		const { clock } = this.#player;
		const position = clock.position();
		const still = clock.duration === 0;
		byId('scrub').value = still ? 0 : position / clock.duration;
		byId('scrub').setAttribute('aria-valuetext', `${position.toFixed(2)} seconds`);
		byId('time').textContent = `${position.toFixed(2)} / ${clock.duration.toFixed(2)} s`;
		for (const id of ['play', 'scrub', 'speed', 'loop']) byId(id).disabled = still;
		byId('play').setAttribute('aria-label', clock.playing ? 'Pause' : 'Play');
		byId('play-shape').setAttribute('d', SHAPES[clock.playing ? 'pause' : 'play']);
	}
}
