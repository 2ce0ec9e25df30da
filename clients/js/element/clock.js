// Where playback is: a time that runs on, and the place in the clip that it stands for.

export class Clock {
	/** Seconds of the clip, running on over its end. */
	time = 0;
	/** Seconds; 0 = there is nothing to play. */
	duration = 0;
	speed = 1;
	/** @type {'repeat' | 'ping_pong' | 'clamp'} */
	loop = 'repeat';
	playing = false;
	/** @type {?[number, number]} seconds between which it goes round; null = the whole clip */
	range = null;
	/** A time that is shown as it is, also outside of the range. */
	#sought = NaN;

	get #ends() {
		return this.range ?? [0, this.duration];
	}

	/** @param {number} seconds of the wall's clock that went by */
	advance(seconds) {
		if (!this.playing) return;
		this.time += seconds * this.speed;
		const [, end] = this.#ends;
		if (this.loop === 'clamp' && this.time >= end) {
			this.time = end;
			this.playing = false;
		}
	}

	play() {
		const [start, end] = this.#ends;
		if (this.loop === 'clamp' && this.time >= end) this.time = start;
		this.playing = this.duration > 0;
	}

	/** @param {number} position seconds from the clip's start */
	seek(position) {
		this.time = Math.min(Math.max(position, 0), this.duration);
		this.#sought = this.time;
	}

	/** Changes the clip's length and stays at the same share of it. @param {number} duration */
	setDuration(duration) {
		const phase = this.duration > 0 ? this.position() / this.duration : 0;
		this.duration = duration;
		this.time = phase * duration;
		this.#sought = this.time;
		this.range = null;
		this.playing &&= duration > 0;
	}

	/** The place in the clip at a time. */
	position(time = this.time) {
		if (!(this.duration > 0)) return 0;
		if (time === this.#sought) return time;
		const [start, end] = this.#ends;
		if (time <= end) return time;
		if (this.loop === 'clamp') return end;
		const length = end - start;
		const rest = (time - start) % (this.loop === 'repeat' ? length : 2 * length);
		return start + (rest <= length ? rest : 2 * length - rest);
	}
}
