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

	/** @param {number} seconds of the wall's clock that went by */
	advance(seconds) {
		if (!this.playing) return;
		this.time += seconds * this.speed;
		if (this.loop === 'clamp' && this.time >= this.duration) {
			this.time = this.duration;
			this.playing = false;
		}
	}

	play() {
		if (this.loop === 'clamp' && this.time >= this.duration) this.time = 0;
		this.playing = this.duration > 0;
	}

	/** @param {number} position seconds from the clip's start */
	seek(position) {
		this.time = Math.min(Math.max(position, 0), this.duration);
	}

	/** Changes the clip's length and stays at the same share of it. @param {number} duration */
	setDuration(duration) {
		const phase = this.duration > 0 ? this.position() / this.duration : 0;
		this.duration = duration;
		this.time = phase * duration;
		this.playing &&= duration > 0;
	}

	/** The place in the clip at a time. */
	position(time = this.time) {
		if (!(this.duration > 0)) return 0;
		if (this.loop === 'clamp') return Math.min(time, this.duration);
		// The end itself is shown when it was sought, not the start that it is, too.
		if (time === this.duration) return time;
		const rest = time % (this.loop === 'repeat' ? this.duration : 2 * this.duration);
		return rest <= this.duration ? rest : 2 * this.duration - rest;
	}
}
