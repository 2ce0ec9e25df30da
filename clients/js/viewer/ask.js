// Questions in a dialog: yes or no, or a secret.
import { byId } from './dom.js';

/**
 * @param {{text: string, yes: string, secret?: boolean}} question
 * @returns {Promise<string | true | null>} null = no; with secret: what was typed
 */
export function ask({ text, yes, secret = false }) {
	const dialog = byId('question');
	const input = byId('question-secret');
	byId('question-text').textContent = text;
	byId('question-yes').textContent = yes;
	input.hidden = !secret;
	input.value = '';
	return new Promise((resolve) => {
		let answer = null;
		const accept = () => {
			answer = secret ? input.value.trim() || null : true;
			dialog.close();
		};
		byId('question-yes').onclick = accept;
		byId('question-no').onclick = () => dialog.close();
		input.onkeydown = (event) => event.key === 'Enter' && accept();
		dialog.onclose = () => resolve(answer);
		dialog.showModal();
		(secret ? input : byId('question-no')).focus();
	});
}

/** @param {boolean} again the last one was refused */
export function askToken(again) {
	const text = again
		? 'The daemon does not take this token. Another one?'
		: 'This daemon wants a token. It is kept until this tab is closed.';
	return ask({ text, yes: 'Use it', secret: true });
}
