// Files of one square whose material, lights and cameras have numbers by chance: everything of core
// glTF and of the extensions that posed reads, each in half of the files.
import { GlbBuilder } from './glb_builder.mjs';
import { Chance } from './random_rig.mjs';

const FLOAT = 5126;
const UNSIGNED_SHORT = 5123;

// Texture members by the object that they lie in.
const TEXTURES = {
	surface: ['baseColorTexture', 'metallicRoughnessTexture'],
	core: ['normalTexture', 'occlusionTexture', 'emissiveTexture'],
	specular: ['specularTexture', 'specularColorTexture'],
	clearcoat: ['clearcoatTexture', 'clearcoatRoughnessTexture', 'clearcoatNormalTexture'],
	sheen: ['sheenColorTexture', 'sheenRoughnessTexture'],
	transmission: ['transmissionTexture'],
	anisotropy: ['anisotropyTexture'],
	iridescence: ['iridescenceTexture', 'iridescenceThicknessTexture'],
	volume: ['thicknessTexture'],
};

// Extensions that say nothing without another.
const NEEDED = [
	['volume', 'transmission'],
	['dispersion', 'volume'],
];

// A PNG of 2 x 2 pixels of RGBA.
const PICTURE = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAF0lEQVR42mP4z8DwHwgbGIC0w4kUIwYA' +
		'O9EGGwco41kAAAAASUVORK5CYII=',
	'base64',
);

const share = (chance) => chance.number(0, 1);
const color = (chance) => chance.many(3, () => share(chance));

function transform(chance) {
	const u = chance.number(0.1, 5);
	return {
		KHR_texture_transform: {
			offset: [chance.number(-2, 2), chance.number(-2, 2)],
			rotation: chance.number(-4, 4),
			scale: [u, chance.is(0.5) ? u : chance.number(-5, 5)],
		},
	};
}

function texture(chance, name, textureCount) {
	const made = { index: chance.whole(0, textureCount - 1), texCoord: chance.whole(0, 1) };
	if (name.toLowerCase().includes('normal'))
		Object.assign(made, { texCoord: 0, scale: chance.number(-2, 2) }); // that of the tangents
	if (name === 'anisotropyTexture') made.texCoord = 0; // likewise
	if (name === 'occlusionTexture') made.strength = share(chance);
	if (chance.is(0.5)) made.extensions = transform(chance);
	return made;
}

function put(chance, target, names, textureCount) {
	for (const name of names)
		if (chance.is(0.5)) target[name] = texture(chance, name, textureCount);
	return target;
}

function makeExtensions(chance) {
	const all = {
		emissive_strength: { emissiveStrength: chance.number(0, 20) },
		ior: { ior: chance.number(1, 2.3) },
		specular: {
			specularFactor: share(chance),
			specularColorFactor: chance.many(3, () => chance.number(0, 2)),
		},
		clearcoat: { clearcoatFactor: share(chance), clearcoatRoughnessFactor: share(chance) },
		sheen: { sheenColorFactor: color(chance), sheenRoughnessFactor: share(chance) },
		transmission: { transmissionFactor: share(chance) },
		anisotropy: { anisotropyStrength: share(chance), anisotropyRotation: chance.number(-4, 4) },
		iridescence: {
			iridescenceFactor: share(chance),
			iridescenceIor: chance.number(1, 3),
			iridescenceThicknessMinimum: chance.number(0, 300),
			iridescenceThicknessMaximum: chance.number(300, 900),
		},
		volume: {
			thicknessFactor: chance.number(0, 3),
			attenuationDistance: chance.number(0.1, 5),
			attenuationColor: color(chance),
		},
		dispersion: { dispersion: chance.number(0, 5) },
	};
	const chosen = new Map(Object.entries(all).filter(() => chance.is(0.5)));
	for (const [name, needed] of NEEDED) if (!chosen.has(needed)) chosen.delete(name);
	return Object.fromEntries([...chosen].map(([name, value]) => [`KHR_materials_${name}`, value]));
}

function makeMaterial(chance, textureCount) {
	const surface = {
		baseColorFactor: [...color(chance), share(chance)],
		metallicFactor: share(chance),
		roughnessFactor: share(chance),
	};
	const material = {
		pbrMetallicRoughness: put(chance, surface, TEXTURES.surface, textureCount),
		emissiveFactor: color(chance),
		alphaMode: chance.pick(['OPAQUE', 'MASK', 'BLEND']),
		doubleSided: chance.is(0.5),
		extensions: makeExtensions(chance),
	};
	if (material.extensions.KHR_materials_volume) material.doubleSided = false;
	if (material.alphaMode === 'MASK') material.alphaCutoff = share(chance);
	put(chance, material, TEXTURES.core, textureCount);
	for (const [name, object] of Object.entries(material.extensions))
		put(chance, object, TEXTURES[name.replace('KHR_materials_', '')] ?? [], textureCount);
	return material;
}

function makeLight(chance) {
	const type = chance.pick(['directional', 'point', 'spot']);
	const light = { type, color: color(chance), intensity: chance.number(0, 100) };
	if (type !== 'directional' && chance.is(0.5)) light.range = chance.number(0.1, 50);
	if (type === 'spot') {
		const outerConeAngle = chance.number(0.1, 1.5);
		const innerConeAngle = outerConeAngle * share(chance);
		light.spot = chance.is(0.7) ? { innerConeAngle, outerConeAngle } : {};
	}
	return light;
}

function makeCamera(chance) {
	const znear = chance.number(0.01, 1);
	const zfar = chance.number(2, 100);
	if (chance.is(0.5)) {
		const orthographic = { xmag: chance.number(0.1, 9), ymag: chance.number(0.1, 9), znear, zfar };
		return { type: 'orthographic', orthographic };
	}
	const perspective = { yfov: chance.number(0.1, 2.5), aspectRatio: chance.number(0.3, 3), znear };
	if (chance.is(0.5)) perspective.zfar = zfar;
	return { type: 'perspective', perspective };
}

function addSquare(builder) {
	const attribute = (type, numbers, more) =>
		builder.accessor(type, FLOAT, numbers, { isAttribute: true, ...more });
	const corners = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
	const attributes = {
		POSITION: attribute('VEC3', corners, { min: [0, 0, 0], max: [1, 1, 0] }),
		NORMAL: attribute('VEC3', [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]),
		TANGENT: attribute('VEC4', [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1]),
		TEXCOORD_0: attribute('VEC2', [0, 1, 1, 1, 1, 0, 0, 0]),
		TEXCOORD_1: attribute('VEC2', [0, 2, 2, 2, 2, 0, 0, 0]),
	};
	const indices = builder.accessor('SCALAR', UNSIGNED_SHORT, [0, 1, 2, 0, 2, 3]);
	builder.add('meshes', { primitives: [{ attributes, indices, material: 0 }] });
	builder.add('nodes', { mesh: 0 });
}

// The file, as GLB. Of a seed it is always the same.
export function makeMaterialRig(seed) {
	const chance = new Chance(seed);
	const builder = new GlbBuilder();
	const { json } = builder;
	addSquare(builder);
	for (let i = 0; i < 3; i++) {
		builder.add('images', { bufferView: builder.bytes(PICTURE), mimeType: 'image/png' });
		builder.add('textures', { source: i });
	}
	json.materials = [makeMaterial(chance, 3)];
	json.extensions = { KHR_lights_punctual: { lights: chance.many(3, () => makeLight(chance)) } };
	json.cameras = chance.many(2, () => makeCamera(chance));
	for (let light = 0; light < 3; light++)
		builder.add('nodes', { extensions: { KHR_lights_punctual: { light } } });
	for (let camera = 0; camera < 2; camera++) builder.add('nodes', { camera });
	json.scenes = [{ nodes: json.nodes.map((_, i) => i) }];
	json.scene = 0;
	json.extensionsUsed = [
		'KHR_lights_punctual',
		'KHR_texture_transform',
		...Object.keys(json.materials[0].extensions),
	];
	return builder.glb();
}
