// Frames and bytes per second, and what the daemon said of its last answer.

const WINDOW_S = 2;

export class Figures {
	#frames = [];
	#bytes = [];
	#skinning = '';
	#parts = '';
	#seconds = 0;

	frame() {
		this.#frames.push([performance.now(), 1]);
	}

	/** @param {import('./api.js').Answer} answer */
	answer({ response, bytes, seconds }) {
		this.#bytes.push([performance.now(), bytes]);
		const skinning = response.headers.get('Posed-Skinning');
		if (!skinning) return;
		this.#skinning = skinning;
		this.#parts = (response.headers.get('Server-Timing') ?? '')
			.split(',')
			.map((part) => part.trim().split(';dur='))
			.filter(([name, milliseconds]) => name && milliseconds)
			.map(([name, milliseconds]) => `${name} ${Number(milliseconds).toFixed(1)}`)
			.join(', ');
		this.#seconds = seconds;
	}

	/** One line for the foot of the page; empty when nothing was skinned yet. */
	text() {
		if (!this.#skinning) return '';
		const parts = this.#parts ? ` (${this.#parts})` : '';
		return [
			this.#skinning.replaceAll('; device=', ' on '),
			`answer ${(this.#seconds * 1000).toFixed(0)} ms${parts}`,
			`${perSecond(this.#frames).toFixed(0)} frames/s`,
			`${bytesText(perSecond(this.#bytes))}/s`,
		].join(' · ');
	}
}

/** @param {[number, number][]} events [milliseconds, amount]; those that are old are removed */
function perSecond(events) {
	const oldest = performance.now() - WINDOW_S * 1000;
	while (events.length > 0 && events[0][0] < oldest) events.shift();
	return events.reduce((sum, [, amount]) => sum + amount, 0) / WINDOW_S;
}

/** @param {number} bytes */
export function bytesText(bytes) {
	if (bytes < 1000) return `${Math.round(bytes)} B`;
	return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
