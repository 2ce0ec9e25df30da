// Where playback is: a time that runs on, and the place in the clip that it stands for.

/** @param {number} a @param {number} b more than 0 */
const modulo = (a, b) => a - b * Math.floor(a / b);

export class Clock {
	/** Seconds of the clip, running on over its end. */
	time = 0;
	/** Seconds; 0 = there is nothing to play. */
	duration = 0;
	/** Below 0 it plays backwards. */
	speed = 1;
	/** @type {'repeat' | 'ping_pong' | 'clamp'} */
	loop = 'repeat';
	playing = false;
	/** @type {?[number, number]} seconds between which it goes round; null = the whole clip */
	range = null;
	/** A time that is shown as it is, also outside of the range. */
	#sought = NaN;

	/** Between which times it goes. @type {[number, number]} */
	get ends() {
		return this.range ?? [0, this.duration];
	}

	/** Whether it has come to where it stops. */
	get #isOver() {
		const [start, end] = this.ends;
		return this.loop === 'clamp' && (this.speed < 0 ? this.time <= start : this.time >= end);
	}

	/** @param {number} seconds of the wall's clock that went by */
	advance(seconds) {
		if (this.playing) this.follow(this.time + seconds * this.speed);
	}

	/** Another clock has come to a time. @param {number} time */
	follow(time) {
		this.time = time;
		if (!this.#isOver) return;
		this.time = this.position();
		this.playing = false;
	}

	play() {
		const [start, end] = this.ends;
		if (this.#isOver) this.time = this.speed < 0 ? end : start;
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
		const [start, end] = this.ends;
		if (this.loop === 'clamp') return Math.min(Math.max(time, start), end);
		const length = end - start;
		if (this.loop === 'repeat') return start + modulo(time - start, length);
		return end - Math.abs(modulo(time - start, 2 * length) - length);
	}
}
