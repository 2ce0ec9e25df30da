// Modal questions: a confirmation, or a secret.
import { byId } from './dom.js';

/**
 * Opens the dialog. @param {string} text @param {string} yes @param {boolean} secret
 * @returns {Promise<?string>} the input; null = cancelled
 */
function open(text, yes, secret) {
	const dialog = byId('question');
	const input = byId('question-secret');
	byId('question-text').textContent = text;
	byId('question-yes').textContent = yes;
	input.hidden = !secret;
	input.value = '';
	return new Promise((resolve) => {
		const finish = (answer) => {
			dialog.close();
			resolve(answer);
		};
		const accept = () => finish(input.value.trim());
		byId('question-yes').onclick = accept;
		byId('question-no').onclick = () => finish(null);
		input.onkeydown = (event) => event.key === 'Enter' && accept();
		dialog.oncancel = () => resolve(null); // the Escape key, which also closes the dialog
		dialog.showModal();
		(secret ? input : byId('question-no')).focus();
	});
}

/** @param {string} text @param {string} yes label of the button that confirms */
export async function confirmed(text, yes) {
	return (await open(text, yes, false)) !== null;
}

/** @param {boolean} again the last one was refused @returns {Promise<?string>} */
export async function askToken(again) {
	const text = again
		? 'The daemon refused this token. Enter another one.'
		: 'This daemon requires a token. It is stored until this tab is closed.';
	return (await open(text, 'Use it', true)) || null;
}
