// The page's client of its daemon: stores the token for the tab, and uploads with progress.
import { Client } from '../client/posed.js';
import { readLink } from './address.js';
import { askToken } from './dialogs.js';

const TOKEN_KEY = 'posed-token';
const HOME = new URL('.', document.baseURI).href;

/** @type {?Promise<?string>} the open dialog that asks for a token */
let asking = null;

/** Opens one dialog, however many requests need the token. @param {?string} refused */
async function findToken(refused) {
	const kept = sessionStorage.getItem(TOKEN_KEY);
	if (kept && kept !== refused) return kept; // another client has asked already
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
	const link = readLink();
	const token = link ? `link:${link}` : sessionStorage.getItem(TOKEN_KEY);
	return new Client(HOME, { token, askToken: findToken, ...hooks });
}

/**
 * A fetch() that reports the progress of an upload, which the platform's does not.
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

/** True if the daemon requires a token and has one. */
export function hasToken() {
	return sessionStorage.getItem(TOKEN_KEY) !== null;
}
