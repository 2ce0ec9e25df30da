// Runs Khronos' glTF validator over what `pose convert` makes of the demo rigs and of real files in all
// formats that are there: no error is accepted, and no warning but those below.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import validator from 'gltf-validator';

const SEVERITY = ['error', 'warning'];
// A mesh stays at the node that its file has it at, whose transform, animated or not, a skin overrides.
const ALLOWED = [
	'ANIMATION_CHANNEL_TARGET_NODE_SKIN',
	'NODE_SKINNED_MESH_LOCAL_TRANSFORMS',
	'NODE_SKINNED_MESH_NON_ROOT',
];
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const POSE = process.env.POSE_BINARY ?? join(ROOT, 'build', 'pose');
const SHARED = process.env.POSED_SHARED_FILES ?? join(ROOT, '..', 'shared', 'files');
const DEMO = join(ROOT, 'assets', 'demo');
const SHARED_FILES = [
	'khronos-Fox/glTF-Binary/Fox.glb',
	'khronos-InterpolationTest/glTF-Binary/InterpolationTest.glb',
	'khronos-MorphPrimitivesTest/glTF-Binary/MorphPrimitivesTest.glb',
	'khronos-RecursiveSkeletons/glTF-Binary/RecursiveSkeletons.glb',
	'kaykit-adventurers/Characters/gltf/Knight.glb',
	'mesh2motion/rigs/rig-fox.glb',
	'assimp-bsd/FBX/animation_with_skeleton.fbx',
	'magnum-plugins/AssimpImporter/Test/skin.fbx',
	'ozz-pab/fbx/pab/arnaud.fbx',
	'ufbx-data/blender_279_shape_weights_7400_binary.fbx',
	'ufbx-data/blender_293_barbarian_7400_binary.fbx',
	'ufbx-data/maya_anim_interpolation_7700_binary.fbx',
	'ufbx-data/maya_dual_quaternion_7500_ascii.fbx',
	'ufbx-data/maya_game_sausage_7500_ascii_deform.fbx',
	'ufbx-data/maya_pivots_7500_binary.fbx',
	'ufbx-data/maya_transformed_skin_7700_binary.fbx',
];

const count = { passed: 0, failed: 0, skipped: 0 };
const folder = mkdtempSync(join(tmpdir(), 'posed-convert-'));

async function check(name, file) {
	const out = join(folder, 'out.glb');
	execFileSync(POSE, ['convert', file, '-o', out], { stdio: ['ignore', 'pipe', 'pipe'] });
	const glb = readFileSync(out);
	const report = await validator.validateBytes(new Uint8Array(glb), { maxIssues: 0 });
	const wrong = report.issues.messages.filter(
		({ severity, code }) => severity < SEVERITY.length && !ALLOWED.includes(code),
	);
	if (wrong.length) {
		const { severity, code, pointer, message } = wrong[0];
		throw new Error(
			`${wrong.length} errors and warnings; ${SEVERITY[severity]} ${code} at ${pointer}: ${message}`,
		);
	}
	return `${report.info.animationCount} clips, ${report.info.totalVertexCount} vertices`;
}

const files = readdirSync(DEMO)
	.filter((name) => name.endsWith('.glb'))
	.sort()
	.map((name) => [name, join(DEMO, name)]);
for (const name of SHARED_FILES) files.push([name, join(SHARED, name)]);
for (const [name, file] of files) {
	if (!existsSync(file)) {
		count.skipped++;
		console.log(`SKIPPED  no ${file} (POSED_SHARED_FILES says where such files are)`);
		continue;
	}
	try {
		console.log(`${name}: ${await check(name, file)}`);
		count.passed++;
	} catch (error) {
		count.failed++;
		console.log(`FAILED  ${name}: ${error.stderr ?? error.message}`);
	}
}
rmSync(folder, { recursive: true });
console.log(
	`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`,
);
process.exit(count.failed ? 1 : 0);
