// Holds what posed's description says of materials, lights and cameras against what three.js' loader
// makes of the same files, and the materials of mesh.glb, read by three.js again, as well.
//
//   materials.mjs [SEED]: one file; without it FILES of them.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DoubleSide, MathUtils, Texture } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { ask, startDaemon } from './daemon.mjs';
import { makeMaterialRig } from './material_rig.mjs';
import { check, count, expect, lines, relativeError, tally } from './report.mjs';

const FILES = 60;
const TOLERANCE = 1e-6; // float32 and back
const BINARY =
	process.env.POSED_BINARY ??
	join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'build', 'posed');

// Our textures, and three's properties of the same meaning.
const MAPS = {
	base_color: 'map',
	emissive: 'emissiveMap',
	metallic_roughness: 'roughnessMap',
	normal: 'normalMap',
	occlusion: 'aoMap',
	specular: 'specularIntensityMap',
	specular_color: 'specularColorMap',
	clearcoat: 'clearcoatMap',
	clearcoat_roughness: 'clearcoatRoughnessMap',
	clearcoat_normal: 'clearcoatNormalMap',
	sheen_color: 'sheenColorMap',
	sheen_roughness: 'sheenRoughnessMap',
	transmission: 'transmissionMap',
	anisotropy: 'anisotropyMap',
	iridescence: 'iridescenceMap',
	iridescence_thickness: 'iridescenceThicknessMap',
	thickness: 'thicknessMap',
};

// Node has no images: textures stay without.
function withoutImages() {
	return { name: 'without-images', loadTexture: async () => new Texture() };
}

function load(glb) {
	const bytes = glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length);
	return new GLTFLoader().register(withoutImages).parseAsync(bytes, '');
}

function compare(what, got, want) {
	const list = [got].flat();
	const goal = [want].flat();
	expect(list.length === goal.length, `${what}: ${list.length} numbers, three.js ${goal.length}`);
	const error = relativeError(list, goal, Math.max(1, ...goal.map(Math.abs)));
	tally('numbers', error, what);
	expect(error <= TOLERANCE, `${what}: ${list}, three.js ${goal}`);
}

function materialOf(gltf) {
	let found;
	gltf.scene.traverse((object) => (found ??= object.material));
	return found;
}

// The numbers of three's material by our names, with glTF's defaults where it has none.
function numbersOf(material) {
	const has = (value, standard) => (value === undefined ? standard : value);
	const rgb = (value, standard) => (value ? value.toArray() : standard);
	return {
		base_color: [...material.color.toArray(), material.opacity],
		metallic: material.metalness,
		roughness: material.roughness,
		emissive: material.emissive.toArray(),
		emissive_strength: material.emissiveIntensity,
		ior: has(material.ior, 1.5),
		specular: has(material.specularIntensity, 1),
		specular_color: rgb(material.specularColor, [1, 1, 1]),
		clearcoat: has(material.clearcoat, 0),
		clearcoat_roughness: has(material.clearcoatRoughness, 0),
		sheen_color: rgb(material.sheen ? material.sheenColor : null, [0, 0, 0]),
		sheen_roughness: material.sheen ? material.sheenRoughness : 0,
		transmission: has(material.transmission, 0),
		anisotropy: has(material.anisotropy, 0),
		anisotropy_rotation: has(material.anisotropyRotation, 0),
		iridescence: has(material.iridescence, 0),
		iridescence_ior: has(material.iridescenceIOR, 1.3),
		iridescence_thickness_minimum: has(material.iridescenceThicknessRange?.[0], 100),
		iridescence_thickness_maximum: has(material.iridescenceThicknessRange?.[1], 400),
		thickness: has(material.thickness, 0),
		attenuation_distance: Number.isFinite(material.attenuationDistance)
			? material.attenuationDistance
			: 0,
		attenuation_color: rgb(material.attenuationColor, [1, 1, 1]),
		dispersion: has(material.dispersion, 0),
		...(material.normalMap && { normal_scale: material.normalScale.x }),
		...(material.aoMap && { occlusion_strength: material.aoMapIntensity }),
		...(material.clearcoatNormalMap && {
			clearcoat_normal_scale: material.clearcoatNormalScale.x,
		}),
	};
}

const DEFAULTS = {
	emissive_strength: 1,
	ior: 1.5,
	specular: 1,
	specular_color: [1, 1, 1],
	clearcoat: 0,
	clearcoat_roughness: 0,
	sheen_color: [0, 0, 0],
	sheen_roughness: 0,
	transmission: 0,
	anisotropy: 0,
	anisotropy_rotation: 0,
	iridescence: 0,
	iridescence_ior: 1.3,
	iridescence_thickness_minimum: 100,
	iridescence_thickness_maximum: 400,
	thickness: 0,
	attenuation_distance: 0,
	attenuation_color: [1, 1, 1],
	dispersion: 0,
	normal_scale: 1,
	occlusion_strength: 1,
	clearcoat_normal_scale: 1,
};

// The 2 x 3 matrix of our texture, by the text of KHR_texture_transform.
function matrixOf({ offset = [0, 0], rotation = 0, scale = [1, 1] }) {
	const [sine, cosine] = [Math.sin(rotation), Math.cos(rotation)];
	return [
		[cosine * scale[0], sine * scale[1], offset[0]],
		[-sine * scale[0], cosine * scale[1], offset[1]],
	].flat();
}

// three.js turns first and scales then, against the text of KHR_texture_transform, so that its matrix
// is only the same where both scales are.
function compareTransform(use, ours, map) {
	const { offset = [0, 0], rotation = 0, scale = [1, 1] } = ours;
	compare(`${use} offset`, offset, map.offset.toArray());
	compare(`${use} rotation`, rotation, map.rotation);
	compare(`${use} scale`, scale, map.repeat.toArray());
	if (scale[0] !== scale[1]) return;
	map.updateMatrix();
	const m = map.matrix.elements; // column-major, 3 x 3
	compare(`${use} transform`, matrixOf(ours), [m[0], m[3], m[6], m[1], m[4], m[7]]);
}

function compareTextures(ours, material) {
	for (const [use, property] of Object.entries(MAPS)) {
		const map = material[property] ?? null;
		expect(!map === !ours[use], `${use}: three.js has ${map ? 'a' : 'no'} texture`);
		if (!map) continue;
		compareTransform(use, ours[use], map);
		expect(ours[use].width === 2 && ours[use].height === 2, `${use}: not 2 x 2`);
	}
}

function compareMaterial(ours, material) {
	const mode = material.transparent ? 'blend' : material.alphaTest > 0 ? 'mask' : 'opaque';
	expect(ours.alpha_mode === mode, `alpha_mode: ${ours.alpha_mode}, three.js ${mode}`);
	if (mode === 'mask') compare('alpha_cutoff', ours.alpha_cutoff, material.alphaTest);
	expect(ours.double_sided === (material.side === DoubleSide), 'double_sided');
	for (const [name, want] of Object.entries(numbersOf(material)))
		compare(name, ours[name] ?? DEFAULTS[name], want);
	compareTextures(ours.textures, material);
}

const KINDS = { DirectionalLight: 'directional', PointLight: 'point', SpotLight: 'spot' };

function compareLights(ours, gltf) {
	const lights = [];
	gltf.scene.traverse((object) => object.isLight && lights.push(object));
	expect(ours.length === lights.length, `${ours.length} lights, three.js ${lights.length}`);
	lights.forEach((light, i) => {
		expect(ours[i].type === KINDS[light.type], `light ${i}: ${ours[i].type}, ${light.type}`);
		compare(`light ${i} color`, ours[i].color, light.color.toArray());
		compare(`light ${i} intensity`, ours[i].intensity, light.intensity);
		if (light.distance !== undefined)
			compare(`light ${i} range`, ours[i].range ?? 0, light.distance);
		if (!light.isSpotLight) return;
		const inner = light.angle * (1 - light.penumbra);
		compare(`light ${i} inner_angle`, ours[i].inner_angle, MathUtils.radToDeg(inner));
		compare(`light ${i} outer_angle`, ours[i].outer_angle, MathUtils.radToDeg(light.angle));
	});
}

function compareCameras(ours, cameras) {
	expect(ours.length === cameras.length, `${ours.length} cameras, three.js ${cameras.length}`);
	cameras.forEach((camera, i) => {
		compare(`camera ${i} near`, ours[i].near, camera.near);
		if (ours[i].far !== undefined) compare(`camera ${i} far`, ours[i].far, camera.far);
		if (camera.isOrthographicCamera) {
			compare(`camera ${i} width`, ours[i].width, camera.right - camera.left);
			compare(`camera ${i} height`, ours[i].height, camera.top - camera.bottom);
		} else {
			compare(`camera ${i} fov`, ours[i].fov, camera.fov);
			compare(`camera ${i} aspect`, ours[i].aspect, camera.aspect);
		}
	});
}

async function compareFile(daemon, seed) {
	const url = `${daemon.url}/v1/rigs/${seed}`;
	const glb = makeMaterialRig(seed);
	await check(`file ${seed}`, async () => {
		await ask(url, { method: 'PUT', body: glb });
		const ours = await (await ask(url)).json();
		const gltf = await load(glb);
		compareMaterial(ours.materials[0], materialOf(gltf));
		compareLights(ours.lights, gltf);
		compareCameras(ours.cameras, gltf.cameras);
	});
	await check(`file ${seed}, mesh.glb`, async () => {
		const ours = await (await ask(url)).json();
		const mesh = Buffer.from(await (await ask(`${url}/mesh.glb`)).arrayBuffer());
		compareMaterial(ours.materials[0], materialOf(await load(mesh)));
	});
}

async function main() {
	const daemon = await startDaemon(BINARY);
	const [seed] = process.argv.slice(2);
	const seeds = seed ? [Number(seed)] : Array.from({ length: FILES }, (_, i) => i + 1);
	for (const number of seeds) await compareFile(daemon, number);
	await check('the daemon ends well', async () => {
		const code = await daemon.stop();
		expect(code === 0, `it ended with ${code}: ${daemon.log()}`);
	});
	for (const line of lines()) console.log(line);
}

await main().catch((error) => {
	count.failed++;
	console.log(`FAILED  the comparison stopped: ${error.stack}`);
});
console.log(
	`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`,
);
process.exit(count.failed ? 1 : 0);
