// Signed links to pictures: /i/SIGNATURE/name:value/…/RIG.png.

/** @param {string} hex */
function bytesOf(hex) {
	return Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

/**
 * The Web Cryptography API, which is a global in browsers and in Node since 19.
 * @returns {Promise<Crypto>}
 */
async function webCryptography() {
	if (globalThis.crypto) return globalThis.crypto;
	// Bundlers for browsers have no substitute for it and must not resolve it.
	const module = 'node:crypto';
	return (await import(/* webpackIgnore: true */ /* @vite-ignore */ module)).webcrypto;
}

/** base64url without padding. @param {Uint8Array} bytes */
function base64url(bytes) {
	const text = btoa(String.fromCharCode(...bytes));
	return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/**
 * The first bytes of HMAC-SHA256(key, salt + path), as base64url.
 * @param {string} path @param {string} key hexadecimal @param {string} salt hexadecimal
 * @param {number} [size] bytes of the signature, as the daemon's --sign-bytes has it
 */
export async function signature(path, key, salt, size = 32) {
	const algorithm = { name: 'HMAC', hash: 'SHA-256' };
	const { subtle } = await webCryptography();
	const secret = await subtle.importKey('raw', bytesOf(key), algorithm, false, ['sign']);
	const text = new Uint8Array([...bytesOf(salt), ...new TextEncoder().encode(path)]);
	return base64url(new Uint8Array(await subtle.sign('HMAC', secret, text)).slice(0, size));
}

/**
 * The path of a link to a picture, signed as imgproxy does it.
 * @param {string} rig
 * @param {Record<string, string | number>} options in the order of the link: frame.png's parameters,
 *   "preset", "expires", "content", "cachebuster"
 * @param {{key: string, salt: string, size?: number} | null} [secret] the daemon's; null = the link
 *   is "unsafe"
 */
export async function signedPath(rig, options, secret = null) {
	const segments = Object.entries(options).map(
		([name, value]) => `${encodeURIComponent(name)}:${encodeURIComponent(value)}`,
	);
	const path = `/${[...segments, encodeURIComponent(rig)].join('/')}.png`;
	if (!secret) return `/i/unsafe${path}`;
	return `/i/${await signature(path, secret.key, secret.salt, secret.size)}${path}`;
}
