// Compressed glTF -> plain glTF, with the decoders that come with three.js, so that both references
// read plain files: EXT_meshopt_compression and KHR_draco_mesh_compression.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';

const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];
const DRACO = 'KHR_draco_mesh_compression';

// Bytes that go behind the binary buffer; views of them.
class Tail {
	constructor(json, bin) {
		this.json = json;
		this.parts = [bin];
		this.size = bin.length;
	}

	add(bytes, view) {
		const padding = (4 - (this.size % 4)) % 4;
		this.parts.push(Buffer.alloc(padding), Buffer.from(bytes));
		Object.assign(view, { buffer: 0, byteOffset: this.size + padding, byteLength: bytes.length });
		this.size += padding + bytes.length;
		return view;
	}

	bin() {
		const bin = Buffer.concat([...this.parts, Buffer.alloc((4 - (this.size % 4)) % 4)]);
		this.json.buffers = [{ byteLength: bin.length }];
		return bin;
	}
}

async function expandMeshopt(json, bin, start, tail) {
	await MeshoptDecoder.ready;
	for (const view of json.bufferViews ?? []) {
		const name = MESHOPT.find((extension) => view.extensions?.[extension]);
		if (!name) continue;
		const {
			buffer,
			byteOffset = 0,
			byteLength,
			byteStride,
			count,
			mode,
			filter,
		} = view.extensions[name];
		const at = start[buffer] + byteOffset;
		const out = new Uint8Array(count * byteStride);
		const source = bin.subarray(at, at + byteLength);
		MeshoptDecoder.decodeGltfBuffer(out, count, byteStride, source, mode, filter);
		tail.add(out, view);
		delete view.extensions;
	}
}

// The decoder is a script of the old kind in a package that says all its files are modules.
async function dracoModule() {
	const require = createRequire(import.meta.url);
	const path = join(dirname(require.resolve('three')), '../examples/jsm/libs/draco/gltf');
	const script = new Function(
		'module',
		'exports',
		'require',
		'__dirname',
		'__filename',
		readFileSync(join(path, 'draco_decoder.js'), 'utf8'),
	);
	const module = { exports: {} };
	script(module, module.exports, require, path, join(path, 'draco_decoder.js'));
	return module.exports();
}

// Floats for vertices, whole numbers for joints: what the accessor says, without normalisation.
function dracoAttribute(draco, decoder, mesh, id, accessor) {
	const attribute = decoder.GetAttributeByUniqueId(mesh, id);
	const width = attribute.num_components();
	const numbers = new draco.DracoFloat32Array();
	decoder.GetAttributeFloatForAllPoints(mesh, attribute, numbers);
	const out = new Float32Array(mesh.num_points() * width);
	for (let i = 0; i < out.length; i++) out[i] = numbers.GetValue(i);
	draco.destroy(numbers);
	if (accessor.componentType === 5126) return out;
	const Kind = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array };
	return Kind[accessor.componentType].from(out);
}

function dracoIndices(draco, decoder, mesh) {
	const out = new Uint32Array(mesh.num_faces() * 3);
	const face = new draco.DracoInt32Array();
	for (let i = 0; i < mesh.num_faces(); i++) {
		decoder.GetFaceFromMesh(mesh, i, face);
		for (let k = 0; k < 3; k++) out[3 * i + k] = face.GetValue(k);
	}
	draco.destroy(face);
	return out;
}

function expandDracoPrimitive(draco, json, bin, primitive, tail) {
	const { bufferView, attributes } = primitive.extensions[DRACO];
	const view = json.bufferViews[bufferView];
	const bytes = bin.subarray(view.byteOffset ?? 0, (view.byteOffset ?? 0) + view.byteLength);
	const decoder = new draco.Decoder();
	const mesh = new draco.Mesh();
	const status = decoder.DecodeArrayToMesh(new Int8Array(bytes), bytes.length, mesh);
	if (!status.ok()) throw new Error(`Draco: ${status.error_msg()}`);
	const attach = (index, numbers, count) => {
		const data = new Uint8Array(numbers.buffer);
		json.bufferViews.push(tail.add(data, {}));
		Object.assign(json.accessors[index], { bufferView: json.bufferViews.length - 1, count });
		delete json.accessors[index].byteOffset;
	};
	for (const [name, id] of Object.entries(attributes)) {
		const index = primitive.attributes[name];
		const numbers = dracoAttribute(draco, decoder, mesh, id, json.accessors[index]);
		attach(index, numbers, mesh.num_points());
	}
	json.accessors[primitive.indices].componentType = 5125;
	attach(primitive.indices, dracoIndices(draco, decoder, mesh), mesh.num_faces() * 3);
	delete primitive.extensions;
	draco.destroy(mesh);
	draco.destroy(decoder);
}

// file: {json, bin, start} of readGltf; start: where each of the file's buffers begins in bin.
export async function decompress({ json, bin, start }) {
	const used = json.extensionsUsed ?? [];
	const tail = new Tail(json, bin);
	if (used.some((name) => MESHOPT.includes(name))) await expandMeshopt(json, bin, start, tail);
	if (used.includes(DRACO)) {
		const draco = await dracoModule();
		for (const { primitives } of json.meshes ?? [])
			for (const primitive of primitives)
				if (primitive.extensions?.[DRACO]) expandDracoPrimitive(draco, json, bin, primitive, tail);
	}
	if (tail.parts.length === 1) return { json, bin };
	json.extensionsRequired = json.extensionsRequired?.filter(
		(name) => name !== DRACO && !MESHOPT.includes(name),
	);
	return { json, bin: tail.bin() };
}
