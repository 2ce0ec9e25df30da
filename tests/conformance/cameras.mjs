// Pictures by cameras of the file, on nodes that a clip moves, against pictures by the matrices that
// three.js has for the same cameras at the same times: the same pixels are covered.
//
//   cameras.mjs [SEED]: one file; without it FILES of them.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AnimationMixer, MathUtils, Quaternion, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { ask, post, startDaemon } from './daemon.mjs';
import { GlbBuilder } from './glb_builder.mjs';
import { pngAlpha } from './picture.mjs';
import { Chance } from './random_rig.mjs';
import { check, count, expect, lines, tally } from './report.mjs';

const FILES = 12;
const TIMES = [0, 0.3, 1];
const SIZES = [
	{ width: 96, height: 96 },
	{ width: 160, height: 64 },
	{ width: 48, height: 120 },
];
// Edges that pass a pixel's centre within float32's rounding of the matrices.
const PIXELS_APART = 2;
const FLOAT = 5126;
const BINARY =
	process.env.POSED_BINARY ??
	join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'build', 'posed');

function turn(chance) {
	const axis = new Vector3(chance.number(-1, 1), 1, chance.number(-1, 1)).normalize();
	return new Quaternion().setFromAxisAngle(axis, chance.number(-3, 3)).toArray();
}

function addTriangles(builder, chance) {
	const corners = Array.from({ length: 9 * 40 }, () => Math.fround(chance.number(-1, 1)));
	const bounds = { min: [-1, -1, -1], max: [1, 1, 1] };
	const POSITION = builder.accessor('VEC3', FLOAT, corners, { isAttribute: true, ...bounds });
	builder.add('materials', { doubleSided: true });
	builder.add('meshes', { primitives: [{ attributes: { POSITION }, material: 0 }] });
	builder.add('nodes', { name: 'Triangles', mesh: 0 });
}

// Cameras two and more away from what they see; the planes of some cut through it.
function makeCamera(chance) {
	const znear = chance.number(0.1, 2);
	const zfar = znear + chance.number(2, 6);
	if (chance.is(0.5)) {
		const orthographic = { xmag: chance.number(0.5, 3), ymag: chance.number(0.5, 3), znear, zfar };
		return { type: 'orthographic', orthographic };
	}
	const perspective = { yfov: chance.number(0.2, 1.5), aspectRatio: chance.number(0.3, 3), znear };
	if (chance.is(0.5)) perspective.zfar = zfar;
	return { type: 'perspective', perspective };
}

// Each camera hangs on an arm that turns, and moves along it.
function addCamera(builder, chance) {
	const camera = builder.add('cameras', makeCamera(chance));
	const eye = () => [chance.number(-0.5, 0.5), chance.number(-0.5, 0.5), chance.number(2.5, 4)];
	const held = builder.add('nodes', { name: `Camera${camera}`, camera, translation: eye() });
	const arm = builder.add('nodes', { children: [held], rotation: turn(chance) });
	const times = { min: [0], max: [1] };
	const input = builder.accessor('SCALAR', FLOAT, [0, 1], times);
	const tracks = [
		[arm, 'rotation', 'VEC4', [...turn(chance), ...turn(chance)]],
		[held, 'translation', 'VEC3', [...eye(), ...eye()]],
	];
	for (const [node, path, type, numbers] of tracks) {
		const output = builder.accessor(type, FLOAT, numbers);
		const { samplers, channels } = builder.json.animations[0];
		channels.push({ sampler: samplers.push({ input, output }) - 1, target: { node, path } });
	}
	return arm;
}

function makeRig(seed) {
	const chance = new Chance(seed);
	const builder = new GlbBuilder();
	builder.add('animations', { name: 'move', samplers: [], channels: [] });
	addTriangles(builder, chance);
	const arms = [addCamera(builder, chance), addCamera(builder, chance)];
	builder.json.scenes = [{ nodes: [0, ...arms] }];
	builder.json.scene = 0;
	return builder.glb();
}

// A copy of three's camera with the picture's aspect, by which it sees no less than its own: its
// height stays in a picture that is as wide or wider, and else its width.
function matricesOf(original, { width, height }) {
	const camera = original.clone();
	const aspect = width / height;
	if (camera.isOrthographicCamera) {
		camera.right = Math.max(original.right, original.top * aspect);
		camera.top = camera.right / aspect;
		camera.left = -camera.right;
		camera.bottom = -camera.top;
	} else {
		const slope = Math.tan(MathUtils.degToRad(original.fov) / 2);
		const across = Math.max(slope * original.aspect, slope * aspect);
		camera.fov = 2 * MathUtils.radToDeg(Math.atan(across / aspect));
		camera.aspect = aspect;
	}
	camera.updateProjectionMatrix();
	return {
		view: original.matrixWorld.clone().invert().toArray(),
		projection: camera.projectionMatrix.toArray(),
	};
}

async function draw(daemon, request) {
	const png = await post(daemon, 'frame', { ...request, samples: 1 }, 'image/png');
	return pngAlpha(Buffer.from(await png.arrayBuffer()));
}

async function comparePicture(daemon, request, node, camera) {
	const ours = await draw(daemon, { ...request, camera: { node } });
	const theirs = await draw(daemon, { ...request, camera: matricesOf(camera, request) });
	const apart = ours.reduce((n, alpha, i) => n + (alpha > 0 !== theirs[i] > 0), 0);
	const covered = theirs.reduce((n, alpha) => n + (alpha > 0), 0);
	const { rig, pose, width, height } = request;
	const where = `rig ${rig}, ${node} at ${pose.time} s, ${width} x ${height}`;
	expect(apart <= PIXELS_APART, `${where}: ${apart} of ${covered} pixels are not three.js'`);
	tally('pictures by cameras, pixels apart', apart, where);
	tally('pixels covered in them', covered, where, (a, b) => a < b);
}

async function compareFile(daemon, seed) {
	const glb = makeRig(seed);
	await ask(`${daemon.url}/v1/rigs/${seed}`, { method: 'PUT', body: glb });
	const bytes = glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length);
	const gltf = await new GLTFLoader().parseAsync(bytes, '');
	const mixer = new AnimationMixer(gltf.scene);
	mixer.clipAction(gltf.animations[0]).play().clampWhenFinished = true;
	for (const time of TIMES) {
		mixer.setTime(Math.min(time, 1 - 1e-9)); // three.js begins anew at the end
		gltf.scene.updateMatrixWorld(true);
		for (const camera of gltf.cameras) {
			for (const size of SIZES) {
				const pose = { clip: 'move', time };
				const request = { rig: String(seed), pose, ...size };
				await comparePicture(daemon, request, camera.name || camera.parent.name, camera);
			}
		}
	}
}

async function main() {
	const daemon = await startDaemon(BINARY);
	const [seed] = process.argv.slice(2);
	const seeds = seed ? [Number(seed)] : Array.from({ length: FILES }, (_, i) => i + 1);
	for (const number of seeds) await check(`cameras ${number}`, () => compareFile(daemon, number));
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
