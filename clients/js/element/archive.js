// Reads the tars through gzip that POST /v1/bake makes: plain files of less than 8 GiB.

const BLOCK = 512;
const SIZE_AT = 124;

/** @param {Uint8Array} bytes up to a NUL or a space */
function textOf(bytes) {
	const text = new TextDecoder().decode(bytes);
	return text.slice(0, text.search(/[\0 ]|$/));
}

/** @param {ArrayBuffer} packed */
async function unzipped(packed) {
	const stream = new Response(packed).body?.pipeThrough(new DecompressionStream('gzip'));
	return new Response(stream).arrayBuffer();
}

/**
 * The files by name. Their bytes begin at multiples of 512, so that numbers can be viewed in place.
 * @param {ArrayBuffer} packed
 */
export async function filesOfArchive(packed) {
	const whole = await unzipped(packed);
	/** @type {Map<string, Uint8Array>} */
	const files = new Map();
	for (let at = 0; at + BLOCK <= whole.byteLength; ) {
		const head = new Uint8Array(whole, at, BLOCK);
		if (head[0] === 0) break;
		const size = parseInt(textOf(head.subarray(SIZE_AT, SIZE_AT + 12)), 8);
		files.set(textOf(head.subarray(0, 100)), new Uint8Array(whole, at + BLOCK, size));
		at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
	}
	return files;
}
