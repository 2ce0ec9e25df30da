// The line at the foot of the page: tells what has happened, what failed, and that the daemon is busy.
import { byId } from './dom.js';

/** True while the line says that the page waits for the daemon. */
let waits = false;

/** @param {string} text */
export function say(text) {
	byId('status').textContent = text;
	byId('status').className = '';
}

/** @param {Error} error */
export function complain(error) {
	byId('status').textContent = error.message;
	byId('status').className = 'bad';
}

/** @param {number} seconds until the next try */
export function sayBusy(seconds) {
	waits = true;
	say(`The daemon is busy; trying again in ${seconds} s.`);
}

/** Ends sayBusy(). @param {Response} response */
export function noteAnswer(response) {
	if (!waits || !response.ok) return;
	waits = false;
	say('');
}
