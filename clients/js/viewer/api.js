// The page's client of the daemon that it comes from, and what the page adds to it: a token that is
// kept for the tab, and uploads whose progress is seen.
import { Client } from '../client/posed.js';
import { askToken } from './ask.js';

const TOKEN_KEY = 'posed-token';
const HOME = new URL('.', document.baseURI).href;

/** @type {?Promise<?string>} a question for a token that is open */
let asking = null;

/** One question, however many calls need the answer. @param {?string} refused */
async function findToken(refused) {
	const kept = sessionStorage.getItem(TOKEN_KEY);
	if (kept !== refused) return kept; // another client has asked
	asking ??= askToken(refused !== null)
		.then((token) => {
			if (token) sessionStorage.setItem(TOKEN_KEY, token);
			return token;
		})
		.finally(() => (asking = null));
	return asking;
}

/** @param {import('../client/connection.js').Hooks} hooks */
export function makeClient(hooks) {
	const token = sessionStorage.getItem(TOKEN_KEY);
	return new Client(HOME, { token, askToken: findToken, ...hooks });
}

/**
 * A fetch() whose progress is to be seen while it sends, which fetch() cannot tell.
 * @param {(share: number) => void} onProgress
 * @returns {typeof fetch}
 */
export function fetchWithProgress(onProgress) {
	return (url, request) =>
		new Promise((resolve, reject) => {
			const call = new XMLHttpRequest();
			call.open(request.method, url);
			call.responseType = 'arraybuffer';
			for (const [name, value] of Object.entries(request.headers)) {
				call.setRequestHeader(name, value);
			}
			call.upload.onprogress = (event) => onProgress(event.loaded / Math.max(event.total, 1));
			call.onerror = () => reject(new TypeError('no connection'));
			call.onload = () => {
				const retry = call.getResponseHeader('Retry-After');
				const headers = retry ? { 'Retry-After': retry } : {};
				resolve(new Response(call.response, { status: call.status, headers }));
			};
			call.send(request.body);
		});
}

/** Whether the daemon wants a token, and has one. */
export function hasToken() {
	return sessionStorage.getItem(TOKEN_KEY) !== null;
}
