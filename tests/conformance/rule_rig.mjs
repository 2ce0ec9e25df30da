// A small file that uses nearly all that glTF 2.0 has and breaks no rule, for others to break.
const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);
const VERTEX_TARGET = 34962;
const INDEX_TARGET = 34963;
const BYTE = 5120;
const UBYTE = 5121;
const SHORT = 5122;
const USHORT = 5123;
const FLOAT = 5126;
const KIND = {
	[BYTE]: Int8Array,
	[UBYTE]: Uint8Array,
	[SHORT]: Int16Array,
	[USHORT]: Uint16Array,
	[FLOAT]: Float32Array,
};
const WIDTH = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

class Parts {
	constructor() {
		this.json = { bufferViews: [], accessors: [] };
		this.parts = [];
		this.size = 0;
	}

	view(bytes, more = {}) {
		const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
		const view = { buffer: 0, byteOffset: this.size, byteLength: bytes.length, ...more };
		this.parts.push(padded);
		this.size += padded.length;
		return this.json.bufferViews.push(view) - 1;
	}

	accessor(type, componentType, numbers, { target, bounds, ...more } = {}) {
		const packed = KIND[componentType].from(numbers);
		const width = WIDTH[type];
		const count = packed.length / width;
		const view = this.view(Buffer.from(packed.buffer), target ? { target } : {});
		const accessor = { bufferView: view, byteOffset: 0, componentType, type, count, ...more };
		if (bounds) {
			const column = (k) => [...packed].filter((_, i) => i % width === k);
			const each = (pick) => Array.from({ length: width }, (_, k) => pick(...column(k)));
			accessor.min = each(Math.min);
			accessor.max = each(Math.max);
		}
		return this.json.accessors.push(accessor) - 1;
	}
}

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const lowered = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1];
const half = Math.SQRT1_2;

// {json, bin}: two joints that move a square with a morph target, a pyramid that is placed by a
// matrix, a sparse one, lines, and clips of all kinds.
export function ruleRig() {
	const parts = new Parts();
	const vertex = (type, kind, numbers, more) =>
		parts.accessor(type, kind, numbers, { target: VERTEX_TARGET, ...more });
	const index = (numbers) =>
		parts.accessor('SCALAR', USHORT, numbers, { target: INDEX_TARGET });
	const square = {
		POSITION: vertex('VEC3', FLOAT, [0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0], { bounds: true }),
		NORMAL: vertex('VEC3', FLOAT, [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]),
		TANGENT: vertex('VEC4', FLOAT, [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1]),
		TEXCOORD_0: vertex('VEC2', FLOAT, [0, 0, 1, 0, 0, 1, 1, 1]),
		COLOR_0: vertex('VEC4', FLOAT, [1, 1, 1, 1, 0, 0, 0, 1, 0.5, 0.5, 0.5, 1, 1, 0, 1, 1]),
		JOINTS_0: vertex('VEC4', UBYTE, [0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]),
		WEIGHTS_0: vertex('VEC4', FLOAT, [1, 0, 0, 0, 0.75, 0.25, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0]),
		_CUSTOM: vertex('SCALAR', FLOAT, [1, 2, 3, 4]),
	};
	const lift = {
		POSITION: vertex('VEC3', FLOAT, [0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 0], { bounds: true }),
		NORMAL: vertex('VEC3', FLOAT, [0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0, 0, 0]),
	};
	const corners = index([0, 1, 2, 2, 1, 3]);
	const edges = index([0, 1, 1, 3]);
	const binds = parts.accessor('MAT4', FLOAT, [...identity, ...lowered]);
	const times = parts.accessor('SCALAR', FLOAT, [0, 0.5, 1], { bounds: true });
	const turns = parts.accessor('VEC4', FLOAT, [0, 0, 0, 1, half, 0, 0, half, 0, 0.6, 0, 0.8]);
	const moves = parts.accessor('VEC3', FLOAT, [0, 0, 0, 0, 1, 0, 0, 0, 1]);
	const lifts = parts.accessor('SCALAR', FLOAT, [0, 1, 0]);
	const curve = parts.accessor('VEC3', FLOAT, Array.from({ length: 27 }, (_, i) => 1 + i / 9));
	const indicesView = parts.view(Buffer.from(Uint16Array.from([1, 3]).buffer));
	const valuesView = parts.view(Buffer.from(Float32Array.from([1, 0, 1, 1, 2, 1]).buffer));
	const sparse = vertex('VEC3', FLOAT, [0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0]);
	Object.assign(parts.json.accessors[sparse], {
		min: [0, 0, 0],
		max: [1, 2, 1],
		sparse: {
			count: 2,
			indices: { bufferView: indicesView, byteOffset: 0, componentType: USHORT },
			values: { bufferView: valuesView, byteOffset: 0 },
		},
	});
	const picture = parts.view(PNG);
	const json = {
		asset: { version: '2.0', generator: 'posed', minVersion: '2.0', copyright: 'posed' },
		extensionsUsed: ['KHR_lights_punctual', 'KHR_materials_unlit', 'KHR_texture_transform'],
		extensions: { KHR_lights_punctual: { lights: [{ type: 'spot', spot: { innerConeAngle: 0.1 } }] } },
		scene: 0,
		scenes: [{ name: 'all', nodes: [0, 1, 4, 5, 6, 7] }],
		nodes: [
			{ name: 'skinned', mesh: 0, skin: 0, weights: [0.5] },
			{ name: 'hips', children: [2], translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] },
			{ name: 'spine', children: [3], translation: [0, 1, 0] },
			{ name: 'tip', translation: [0, 1, 0] },
			{ name: 'placed', mesh: 1, matrix: [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1] },
			{ name: 'eye', camera: 0, rotation: [0, half, 0, half] },
			{ name: 'lens', camera: 1 },
			{ name: 'lamp', extensions: { KHR_lights_punctual: { light: 0 } } },
		],
		cameras: [
			{ type: 'perspective', perspective: { yfov: 1, znear: 0.1, zfar: 10, aspectRatio: 1.5 } },
			{ type: 'orthographic', orthographic: { xmag: 1, ymag: 1, znear: 0.1, zfar: 10 } },
		],
		meshes: [
			{
				name: 'square',
				weights: [0.25],
				primitives: [
					{ attributes: square, indices: corners, material: 0, mode: 4, targets: [lift] },
				],
			},
			{
				name: 'others',
				primitives: [
					{ attributes: { POSITION: sparse }, indices: corners, material: 1 },
					{ attributes: { POSITION: square.POSITION }, indices: edges, mode: 1 },
				],
			},
		],
		skins: [{ name: 'skin', joints: [1, 2], skeleton: 1, inverseBindMatrices: binds }],
		animations: [
			{
				name: 'turn',
				samplers: [
					{ input: times, output: turns, interpolation: 'LINEAR' },
					{ input: times, output: moves },
					{ input: times, output: lifts, interpolation: 'STEP' },
					{ input: times, output: curve, interpolation: 'CUBICSPLINE' },
				],
				channels: [
					{ sampler: 0, target: { node: 2, path: 'rotation' } },
					{ sampler: 1, target: { node: 2, path: 'translation' } },
					{ sampler: 2, target: { node: 0, path: 'weights' } },
					{ sampler: 3, target: { node: 2, path: 'scale' } },
				],
			},
		],
		materials: [
			{
				name: 'all',
				pbrMetallicRoughness: {
					baseColorFactor: [1, 0.5, 0.25, 1],
					baseColorTexture: { index: 0, texCoord: 0 },
					metallicFactor: 0.5,
					roughnessFactor: 0.5,
					metallicRoughnessTexture: { index: 0 },
				},
				normalTexture: { index: 0, scale: 1 },
				occlusionTexture: { index: 0, strength: 0.5 },
				emissiveTexture: {
					index: 0,
					extensions: { KHR_texture_transform: { offset: [0, 0], rotation: 0.1, scale: [1, 1] } },
				},
				emissiveFactor: [0, 0.5, 1],
				alphaMode: 'MASK',
				alphaCutoff: 0.25,
				doubleSided: true,
			},
			{ name: 'flat', extensions: { KHR_materials_unlit: {} } },
		],
		textures: [{ name: 'texture', sampler: 0, source: 0 }],
		samplers: [{ magFilter: 9729, minFilter: 9987, wrapS: 10497, wrapT: 33071 }],
		images: [{ name: 'image', mimeType: 'image/png', bufferView: picture }],
		buffers: [{ byteLength: parts.size }],
		...parts.json,
	};
	return { json, bin: Buffer.concat(parts.parts) };
}

// A GLB of a document and its bytes.
export function toGlb({ json, bin }) {
	const text = Buffer.from(JSON.stringify(json));
	const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, 0x20)]);
	const data = Buffer.concat([bin, Buffer.alloc(-bin.length & 3)]);
	const head = Buffer.alloc(20);
	head.write('glTF');
	head.writeUInt32LE(2, 4);
	head.writeUInt32LE(28 + padded.length + data.length, 8);
	head.writeUInt32LE(padded.length, 12);
	head.write('JSON', 16);
	const chunk = Buffer.alloc(8);
	chunk.writeUInt32LE(data.length, 0);
	chunk.write('BIN\0', 4);
	return Buffer.concat([head, padded, chunk, data]);
}
