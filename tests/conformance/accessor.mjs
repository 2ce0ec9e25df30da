// Reads glTF accessors into plain arrays, from the specification (3.6.2) and nothing else: sparse,
// interleaved, normalised, matrices with padded columns.
const COMPONENT = {
	5120: { size: 1, read: 'getInt8', divisor: 127 },
	5121: { size: 1, read: 'getUint8', divisor: 255 },
	5122: { size: 2, read: 'getInt16', divisor: 32767 },
	5123: { size: 2, read: 'getUint16', divisor: 65535 },
	5125: { size: 4, read: 'getUint32', divisor: 4294967295 },
	5126: { size: 4, read: 'getFloat32', divisor: 1 },
};
export const WIDTH = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const COLUMNS = { MAT2: 2, MAT3: 3, MAT4: 4 };

// Byte offsets of an element's numbers from its start, and its size.
function layoutOf(type, size) {
	const columns = COLUMNS[type] ?? 1;
	const rows = WIDTH[type] / columns;
	const columnSize = columns > 1 ? (rows * size + 3) & ~3 : rows * size;
	const offsets = [];
	for (let c = 0; c < columns; c++)
		for (let r = 0; r < rows; r++) offsets.push(c * columnSize + r * size);
	return { offsets, size: columns * columnSize };
}

export class Accessors {
	#read = new Map();

	constructor(json, bin) {
		this.json = json;
		this.view = new DataView(bin.buffer, bin.byteOffset, bin.byteLength);
	}

	// All numbers as doubles; the same array for every caller.
	numbers(index) {
		if (!this.#read.has(index)) this.#read.set(index, this.#readAll(this.json.accessors[index]));
		return this.#read.get(index);
	}

	#readAll(accessor) {
		const width = WIDTH[accessor.type];
		const out = new Float64Array(accessor.count * width);
		if (accessor.bufferView !== undefined)
			this.#fill(out, accessor, accessor, accessor.count, (i) => i);
		const sparse = accessor.sparse;
		if (!sparse) return out;
		const at = new Float64Array(sparse.count);
		const scalar = { type: 'SCALAR', componentType: sparse.indices.componentType };
		this.#fill(at, scalar, sparse.indices, sparse.count, (i) => i);
		this.#fill(out, accessor, sparse.values, sparse.count, (i) => at[i]);
		return out;
	}

	// place: where the elements lie (bufferView, byteOffset); kind: what they are.
	#fill(out, kind, place, count, target) {
		const { size, read, divisor } = COMPONENT[kind.componentType];
		const { offsets, size: elementSize } = layoutOf(kind.type, size);
		const view = this.json.bufferViews[place.bufferView];
		const stride = view.byteStride ?? elementSize;
		const start = (view.byteOffset ?? 0) + (place.byteOffset ?? 0);
		for (let i = 0; i < count; i++) {
			for (const [k, offset] of offsets.entries()) {
				const raw = this.view[read](start + i * stride + offset, true);
				out[target(i) * offsets.length + k] = kind.normalized ? Math.max(raw / divisor, -1) : raw;
			}
		}
	}
}
