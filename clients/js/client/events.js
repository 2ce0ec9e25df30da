// Events of work that is under way: lines of JSON as they arrive.
import { ConnectionFailed, Problem, received } from './errors.js';

/**
 * Ends the response, and with it the daemon's work, when its caller stops. Throws Problem for "failed".
 * @template {{event: string, [member: string]: any}} Event
 * @param {Response} response
 * @returns {AsyncGenerator<Event, void, void>}
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
				if (event.event === 'failed') throw new Problem(event.problem.status, event.problem, null);
				complete = event.event === 'end';
				yield event;
			}
		}
	} finally {
		reader.cancel().catch(() => {});
	}
	if (!complete) throw new ConnectionFailed('the events ended before the last one', null);
}
