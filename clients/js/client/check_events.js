// The events of a check: lines of JSON as they arrive.
import { ConnectionFailed, received } from './errors.js';

/** @typedef {import('./responses.js').CheckEvent} CheckEvent */

/**
 * Ends the response, and with it the daemon's work, when its caller stops.
 * @param {Response} response
 * @returns {AsyncGenerator<CheckEvent, void, void>}
 */
export async function* eventsOf(response) {
	const body = /** @type {ReadableStream<Uint8Array>} */ (response.body);
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let rest = '';
	let complete = false;
	try {
		for (;;) {
			const { done, value } = await received(reader.read());
			if (done) break;
			const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
			rest = lines.pop() ?? '';
			for (const line of lines) {
				const event = JSON.parse(line);
				complete = event.event === 'end';
				yield event;
			}
		}
	} finally {
		reader.cancel().catch(() => {});
	}
	if (!complete) throw new ConnectionFailed('the check ended before it was complete', null);
}
