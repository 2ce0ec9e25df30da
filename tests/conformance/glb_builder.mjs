// Builds a GLB from a document and the numbers that its accessors hold.
import { WIDTH } from './accessor.mjs';

const KIND = {
	5121: Uint8Array,
	5123: Uint16Array,
	5125: Uint32Array,
	5126: Float32Array,
};
const pad = (bytes, fill) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, fill)]);

export class GlbBuilder {
	constructor() {
		this.json = { asset: { version: '2.0' }, nodes: [], accessors: [], bufferViews: [] };
		this.parts = [];
		this.size = 0;
	}

	// Appends to a list of the document and returns the index.
	add(list, thing) {
		this.json[list] ??= [];
		return this.json[list].push(thing) - 1;
	}

	#addView(view, bytes) {
		this.parts.push(pad(bytes, 0));
		this.size += this.parts.at(-1).length;
		return this.add('bufferViews', view);
	}

	// Bytes such as a picture's; returns the index of their view.
	bytes(bytes) {
		return this.#addView({ buffer: 0, byteOffset: this.size, byteLength: bytes.length }, bytes);
	}

	// Numbers as they are stored; whole numbers of attributes start at multiples of four.
	accessor(type, componentType, numbers, more = {}) {
		const width = WIDTH[type];
		const packed = KIND[componentType].from(numbers);
		const elementSize = width * packed.BYTES_PER_ELEMENT;
		const stride = more.isAttribute ? (elementSize + 3) & ~3 : elementSize;
		const count = packed.length / width;
		const bytes = Buffer.alloc(stride * count);
		const source = Buffer.from(packed.buffer);
		for (let i = 0; i < count; i++)
			source.copy(bytes, i * stride, i * elementSize, (i + 1) * elementSize);
		const view = { buffer: 0, byteOffset: this.size, byteLength: bytes.length };
		if (stride !== elementSize) view.byteStride = stride;
		const { isAttribute, ...members } = more;
		const bufferView = this.#addView(view, bytes);
		return this.add('accessors', { bufferView, componentType, type, count, ...members });
	}

	glb() {
		this.json.buffers = [{ byteLength: this.size }];
		const text = pad(Buffer.from(JSON.stringify(this.json)), 0x20);
		const header = Buffer.alloc(20);
		header.write('glTF');
		header.writeUInt32LE(2, 4);
		header.writeUInt32LE(28 + text.length + this.size, 8);
		header.writeUInt32LE(text.length, 12);
		header.write('JSON', 16);
		const chunk = Buffer.alloc(8);
		chunk.writeUInt32LE(this.size, 0);
		chunk.write('BIN\0', 4);
		return Buffer.concat([header, text, chunk, ...this.parts]);
	}
}
