// Play, pause, the scrub bar, speed, and the looped range.
import { byId } from './dom.js';

const LEAST_MS = 100; // between times that are shown while it plays: each takes a layout
const SHAPES = {
	play: 'M7 4.500v15l12-7.500z',
	pause: 'M6.500 4.500h4v15h-4zM13.500 4.500h4v15h-4z',
};
const FRAME_S = 1 / 30;
const LEAST_RANGE_S = 0.02;

export class Transport {
	#player;
	#timeline;
	/** The state of the controls, without the time. */
	#said = '';
	/** When the time was shown last. */
	#shownAt = 0;

	/** @param {import('./player.js').Player} player @param {import('./timeline.js').Timeline} timeline */
	constructor(player, timeline) {
		this.#player = player;
		this.#timeline = timeline;
		const { clock } = player;
		byId('play').addEventListener('click', () => this.toggle());
		byId('scrub').addEventListener('input', () => this.#seek(byId('scrub').value * clock.duration));
		byId('speed').addEventListener('change', () => player.setSpeed(Number(byId('speed').value)));
		byId('loop').addEventListener('change', () =>
			player.retime((clock) => (clock.loop = byId('loop').value)),
		);
		byId('range-start').addEventListener('click', () => this.setEnd(0));
		byId('range-end').addEventListener('click', () => this.setEnd(1));
		byId('range-clear').addEventListener('click', () => this.clearRange());
	}

	toggle() {
		if (this.#player.clock.playing) this.#player.pause();
		else this.#player.play();
	}

	/** Steps one frame forwards or back. @param {1 | -1} way */
	step(way) {
		const { clock } = this.#player;
		this.#seek(clock.position() + way * FRAME_S);
	}

	/** Sets the start or the end of the range to the current time. @param {0 | 1} end */
	setEnd(end) {
		const { clock } = this.#player;
		const range = [...(clock.range ?? [0, clock.duration])];
		range[end] = clock.position();
		if (range[1] - range[0] < LEAST_RANGE_S) range[1 - end] = end === 0 ? clock.duration : 0;
		if (range[1] - range[0] < LEAST_RANGE_S) return;
		this.#player.retime(() => (clock.range = range));
	}

	clearRange() {
		this.#player.retime((clock) => (clock.range = null));
	}

	/** The state for a link. */
	state() {
		const { speed, loop, range } = this.#player.clock;
		return { speed, loop, range };
	}

	/** @param {ReturnType<Transport['state']>} state */
	restore({ speed, loop, range }) {
		Object.assign(this.#player.clock, { speed, loop });
		byId('speed').value = String(speed);
		byId('loop').value = loop;
		const fits = range && range[0] >= 0 && range[1] <= this.#player.clock.duration;
		this.#player.retime((clock) => (clock.range = fits ? range : null));
	}

	/** @param {number} position */
	#seek(position) {
		this.#player.clock.playing = false;
		this.#player.seek(position);
	}

	/** Shows the clock's time. */
	show() {
		const { clock } = this.#player;
		const position = clock.position();
		const still = clock.duration === 0;
		this.#timeline.draw(clock); // first: it reads the layout, which the writes below invalidate
		this.#say(still, clock.playing, clock.range !== null);
		const now = performance.now();
		if (clock.playing && now - this.#shownAt < LEAST_MS) return;
		this.#shownAt = now;
		byId('scrub').value = still ? 0 : position / clock.duration;
		byId('scrub').setAttribute('aria-valuetext', `${position.toFixed(2)} seconds`);
		byId('time').textContent = `${position.toFixed(2)} / ${clock.duration.toFixed(2)} s`;
	}

	/**
	 * Not in every frame: setting a property causes a layout, even if the value is the same.
	 * @param {boolean} still @param {boolean} playing @param {boolean} ranged
	 */
	#say(still, playing, ranged) {
		const said = JSON.stringify([still, playing, ranged]);
		if (said === this.#said) return;
		this.#said = said;
		for (const id of ['play', 'scrub', 'speed', 'loop', 'range-start', 'range-end']) {
			byId(id).disabled = still;
		}
		byId('range-clear').hidden = !ranged;
		byId('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
		byId('play-shape').setAttribute('d', SHAPES[playing ? 'pause' : 'play']);
	}
}
