// Frames and bytes per second, and the timing of the last response.

const WINDOW_S = 2;
/** Single responses with frames, and streams. A mesh is skinned as well, at rest. */
const WHOLE = /\/v1\/(vertices|frame|compare|crowd)$/;
const GOING_ON = /\/v1\/stream$/;

export class Statistics {
	#frames = [];
	#bytes = [];
	#skinning = '';
	#last = '';

	constructor() {
		new PerformanceObserver((list) =>
			list.getEntries().forEach((entry) => this.#note(entry)),
		).observe({ type: 'resource' });
	}

	/** @param {number} bytes received for the frame */
	frame(bytes) {
		const now = performance.now();
		this.#frames.push([now, 1]);
		this.#bytes.push([now, bytes]);
	}

	/** @param {Response} response */
	answer(response) {
		if (!WHOLE.test(response.url) && !GOING_ON.test(response.url)) return;
		this.#skinning = response.headers.get('Posed-Skinning') ?? this.#skinning;
		if (response.headers.has('Posed-Stream')) this.#last = '';
	}

	/** @param {PerformanceResourceTiming} entry of a complete response */
	#note({ name, transferSize, duration, serverTiming }) {
		this.#bytes.push([performance.now(), transferSize]);
		performance.clearResourceTimings(); // the browser's buffer is limited
		if (!WHOLE.test(name)) return;
		const parts = serverTiming.map((part) => `${part.name} ${part.duration.toFixed(1)}`);
		const detail = parts.length > 0 ? ` (${parts.join(', ')})` : '';
		this.#last = `answer ${duration.toFixed(0)} ms${detail}`;
	}

	/** One line for the footer; empty until something has been skinned. */
	text() {
		if (!this.#skinning) return '';
		return [
			this.#skinning.replaceAll('; device=', ' on '),
			...(this.#last ? [this.#last] : []),
			`${perSecond(this.#frames).toFixed(0)} frames/s`,
			`${bytesText(perSecond(this.#bytes))}/s`,
		].join(' · ');
	}
}

/** @param {[number, number][]} events [milliseconds, amount]; removes old ones */
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
