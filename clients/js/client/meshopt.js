// Decodes meshoptimizer's vertex codec, version 0, as glTF's EXT_meshopt_compression describes it (mode
// ATTRIBUTES): for each byte of a vertex its differences from the previous vertex, in groups of sixteen
// that take no, two, four or eight bits each.

const HEADER = 0xa0;
const GROUP = 16;
const MOST_BLOCK_BYTES = 8192;
const MOST_BLOCK_VERTICES = 256;
const LEAST_TAIL_BYTES = 32;

/** Differences are coded as 0, -1, 1, -2, … @param {number} code */
const unzigzag = (code) => (code & 1 ? ~(code >> 1) : code >> 1);

/** A source that is read from front to back. */
class Source {
	/** @param {Uint8Array} bytes */
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 1; // after the header
	}

	/** Advances by a number of bytes and returns the old position. @param {number} count */
	skip(count) {
		const from = this.at;
		this.at += count;
		if (this.at > this.bytes.length) throw new RangeError('the vertices end too early');
		return from;
	}
}

/**
 * The sixteen codes of a group, `bits` bits each; the greatest code stands for a whole byte that
 * follows the group.
 * @param {Source} source @param {number} bits 2 or 4 @param {Uint8Array} codes
 */
function readShort(source, bits, codes) {
	const { bytes } = source;
	const from = source.skip((GROUP * bits) / 8);
	const most = (1 << bits) - 1;
	const perByte = 8 / bits;
	for (let i = 0; i < GROUP; i++) {
		const shift = 8 - bits - bits * (i % perByte);
		const code = (bytes[from + ((i / perByte) | 0)] >> shift) & most;
		codes[i] = code === most ? bytes[source.skip(1)] : code;
	}
}

/** @param {Source} source @param {number} mode 0 to 3 @param {Uint8Array} codes */
function readGroup(source, mode, codes) {
	if (mode === 0) codes.fill(0);
	else if (mode === 3) {
		const from = source.skip(GROUP);
		codes.set(source.bytes.subarray(from, from + GROUP));
	} else readShort(source, mode === 1 ? 2 : 4, codes);
}

/**
 * One byte of every vertex of a block.
 * @param {Source} source @param {Uint8Array} out from the block's first vertex on
 * @param {number} k which byte @param {number} count vertices @param {number} stride
 * @param {number} before the byte of the previous vertex @param {Uint8Array} codes room for a group
 */
function readPlane(source, out, k, count, stride, before, codes) {
	const groups = Math.ceil(count / GROUP);
	const modes = source.skip(Math.ceil(groups / 4));
	let value = before;
	for (let group = 0; group < groups; group++) {
		readGroup(source, (source.bytes[modes + (group >> 2)] >> ((group & 3) * 2)) & 3, codes);
		const last = Math.min(GROUP, count - group * GROUP);
		for (let i = 0, at = group * GROUP * stride + k; i < last; i++, at += stride) {
			value = (value + unzigzag(codes[i])) & 255;
			out[at] = value;
		}
	}
}

/**
 * The bytes of `count` elements of `stride` bytes each (a multiple of 4, at most 256).
 * @param {Uint8Array} bytes encoded
 * @param {number} count @param {number} stride
 */
export function decodeVertices(bytes, count, stride) {
	const tail = Math.max(stride, LEAST_TAIL_BYTES);
	if (bytes[0] !== HEADER || bytes.length < 1 + tail)
		throw new RangeError('no vertices that are known');
	const source = new Source(bytes);
	const out = new Uint8Array(count * stride);
	const codes = new Uint8Array(GROUP);
	const room = Math.floor(MOST_BLOCK_BYTES / stride) & ~(GROUP - 1);
	const block = Math.min(room, MOST_BLOCK_VERTICES);
	const first = bytes.length - stride; // the first vertex is stored at the end
	for (let start = 0; start < count; start += block) {
		const part = out.subarray(start * stride);
		for (let k = 0; k < stride; k++) {
			const before = start === 0 ? bytes[first + k] : out[(start - 1) * stride + k];
			readPlane(source, part, k, Math.min(block, count - start), stride, before, codes);
		}
	}
	if (source.at + tail !== bytes.length)
		throw new RangeError('the vertices do not end where they should');
	return out;
}
