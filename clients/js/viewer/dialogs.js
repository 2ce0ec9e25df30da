// Modal questions: a confirmation, a secret, or a line of text.
import { byId } from './dom.js';

/**
 * Opens the dialog. @param {string} text @param {string} yes
 * @param {?{type: 'password' | 'text', label: string}} field null = nothing is to be entered
 * @returns {Promise<?string>} the input; null = cancelled
 */
function open(text, yes, field) {
	const dialog = byId('question');
	const input = byId('question-input');
	byId('question-text').textContent = text;
	byId('question-yes').textContent = yes;
	input.hidden = !field;
	input.type = field?.type ?? 'text';
	input.ariaLabel = field?.label ?? '';
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
		(field ? input : byId('question-no')).focus();
	});
}

/** @param {string} text @param {string} yes label of the button that confirms */
export async function confirmed(text, yes) {
	return (await open(text, yes, null)) !== null;
}

/** @param {boolean} again the last one was refused @returns {Promise<?string>} */
export async function askToken(again) {
	const text = again
		? 'The daemon refused this token. Enter another one.'
		: 'This daemon requires a token. It is stored until this tab is closed.';
	return (await open(text, 'Use it', { type: 'password', label: 'Token' })) || null;
}

/** @param {string} text @returns {Promise<?string>} null = cancelled, or left empty */
export async function askReason(text) {
	return (await open(text, 'Suppress', { type: 'text', label: 'Reason' })) || null;
}
