// Whatever Khronos' validator calls an error, posed refuses or warns of by the same name, over files
// that break the rules one by one; and it accuses no file that the validator finds sound.
//
// EVERY_PLACE=1 changes every place of a file in all ways instead of a sample of them, and says what
// posed finds that the validator does not look for.
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import validator from 'gltf-validator';
import { startDaemon } from './daemon.mjs';
import { filesToCompare } from './files.mjs';
import { readForRequest } from './gltf_file.mjs';
import { changedPlaces, singleBreaches } from './rule_breaches.mjs';
import { ruleRig, toGlb } from './rule_rig.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const BINARY = process.env.POSED_BINARY ?? join(ROOT, 'build', 'posed');
const EVERY_PLACE = Boolean(process.env.EVERY_PLACE);
const SAMPLE = 19; // of the changed places one in so many is tried
const SMALL_BYTES = 2e5; // files beyond are left to a run of every place
const AT_ONCE = 4;
const CODE = /^[^ ]+: ([A-Z][A-Z0-9_]+): /;
// Consequential messages of the validator for another error, which is named: data that it takes for absent,
// and counts without dropped items.
const FOLLOWS = {
	ACCESSOR_INDEX_OOB: ['MESH_PRIMITIVE_NO_POSITION'],
	ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS: ['EMPTY_ENTITY'],
	ACCESSOR_WEIGHTS_NON_NORMALIZED: ['ACCESSOR_JOINTS_INDEX_DUPLICATE', 'ACCESSOR_JOINTS_INDEX_OOB'],
	INVALID_URI: ['ONE_OF_MISMATCH'],
	MESH_INVALID_WEIGHTS_COUNT: ['EMPTY_ENTITY'],
	MESH_PRIMITIVE_TOO_FEW_TEXCOORDS: [
		'MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY',
		'MESH_PRIMITIVE_NO_POSITION',
	],
	NODE_WEIGHTS_INVALID: ['EMPTY_ENTITY'],
	NODE_SKIN_NO_SCENE: ['SCENE_NON_ROOT_NODE'],
	ONE_OF_MISMATCH: ['INVALID_INDEX', 'TYPE_MISMATCH'],
	SKIN_SKELETON_INVALID: ['SKIN_NO_COMMON_ROOT'],
	TEXTURE_INVALID_IMAGE_MIME_TYPE: ['IMAGE_MIME_TYPE_INVALID'],
	UNRESOLVED_REFERENCE: ['TYPE_MISMATCH'],
	UNDEFINED_PROPERTY: ['TYPE_MISMATCH'],
	UNSATISFIED_DEPENDENCY: ['TYPE_MISMATCH'],
};
// The validator overlooks that the 724 joints of that file are roots of 701 trees; with two of them it
// does not.
const MISSED = { SKIN_NO_COMMON_ROOT: 'derived-public-fox/Fox.joints-plus700.glb' };
// A camera, light or picture that is left out is refused by itself.
const LEFT_OUT = /^(\S+?\[\d+\])\S*: .*; (left out|drawn without it)$/;
const count = { passed: 0, failed: 0, skipped: 0 };

// {code: its first place, words and severity} of what the validator finds; null where it fails itself.
async function codesOf(glb) {
	const report = await validator
		.validateBytes(new Uint8Array(glb), { maxIssues: 0 })
		.catch(() => null);
	if (!report) return null;
	const found = new Map();
	for (const { code, pointer, message, severity } of report.issues.messages)
		if (!found.has(code)) found.set(code, { pointer, message, severity });
	return found;
}

// {refused} in words, or {codes} of the warnings.
async function answerOf(daemon, name, glb) {
	const url = `${daemon.url}/v1/rigs/${name}`;
	const put = await fetch(url, { method: 'PUT', body: glb });
	if (!put.ok) {
		if (put.status !== 422) throw new Error(`${put.status} ${await put.text()}`);
		return { refused: (await put.json()).detail };
	}
	await put.arrayBuffer();
	const { warnings } = await (await fetch(url)).json();
	const codes = new Map(warnings.filter((w) => CODE.test(w)).map((w) => [CODE.exec(w)[1], w]));
	return { codes, warnings };
}

async function tell(title, run) {
	try {
		await run();
		count.passed++;
	} catch (error) {
		count.failed++;
		console.log(`FAILED  ${title}: ${error.message}`);
	}
}

const beyond = new Map();

const pointerTo = (place) => `/${place.replace(/[.[]/g, '/').replace(/\]/g, '')}`;

function isSaid(code, { pointer = '' }, { codes, warnings }) {
	if (codes.has(code) || FOLLOWS[code]?.some((other) => codes.has(other))) return true;
	const left = warnings.map((w) => LEFT_OUT.exec(w)).filter(Boolean);
	if (code === 'UNRESOLVED_REFERENCE' && left.length) return true; // to what is left out
	const [at, ...places] = [pointer, ...left.map(([, place]) => pointerTo(place))].map((p) => `${p}/`);
	return places.some((place) => at.startsWith(place) || place.startsWith(at));
}

async function expectSaid(daemon, name, { name: title, glb }) {
	const all = await codesOf(glb);
	const answer = await answerOf(daemon, name, glb);
	if (answer.refused) return;
	if (!all) {
		if (!answer.warnings.length) throw new Error('the validator fails, and posed says nothing');
		return;
	}
	const missing = [...all].filter(([code, at]) => at.severity === 0 && !isSaid(code, at, answer));
	if (missing.length) {
		const [[code, { pointer, message }]] = missing;
		const said = answer.warnings.join(' | ');
		throw new Error(`posed does not say ${code} (${pointer}: ${message}); it says ${said}`);
	}
	for (const [code, text] of answer.codes)
		if (!all.has(code) && !beyond.has(code)) beyond.set(code, `${title}: ${text}`);
}

async function expectNoneAccused(daemon, name, file) {
	const body = readForRequest(file);
	const all = await codesOf(body);
	const { codes, refused } = await answerOf(daemon, name, body);
	if (refused) return;
	const accused = [...codes].filter(
		([code]) => !all?.has(code) && !(MISSED[code] && file.endsWith(MISSED[code])),
	);
	if (accused.length) throw new Error(`the validator does not find ${accused[0][1]}`);
}

async function inTurns(items, run) {
	const next = items[Symbol.iterator]();
	await Promise.all(
		Array.from({ length: AT_ONCE }, async (_, worker) => {
			for (let step = next.next(); !step.done; step = next.next())
				await run(`rig${worker}`, step.value);
		}),
	);
}

const daemon = await startDaemon(BINARY, ['--renderer', 'none']);
try {
	await tell('a file that breaks no rule', async () => {
		const glb = toGlb(ruleRig());
		const { warnings } = await answerOf(daemon, 'sound', glb);
		const wrong = [...(await codesOf(glb))].filter(([, { severity }]) => severity <= 1);
		if (wrong.length || warnings.length) throw new Error(`${wrong} ${warnings}`);
	});
	await inTurns(singleBreaches(), (rig, breach) =>
		tell(breach.name, () => expectSaid(daemon, rig, breach)),
	);
	const changed = [...changedPlaces()].filter((_, i) => EVERY_PLACE || i % SAMPLE === 0);
	let told = 0;
	await inTurns(changed, async (rig, breach) => {
		await tell(breach.name, () => expectSaid(daemon, rig, breach));
		told++;
	});
	console.log(`${told} changed places`);
	const { files } = filesToCompare();
	const isTried = ({ path }) => EVERY_PLACE || statSync(path).size <= SMALL_BYTES;
	await inTurns(files.filter(isTried), (rig, { name, path }) =>
		tell(name, () => expectNoneAccused(daemon, rig, path)),
	);
	if (EVERY_PLACE) for (const [code, text] of beyond) console.log(`only posed: ${code}: ${text}`);
} finally {
	await daemon.stop();
}
console.log(`conformance: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed ? 1 : 0);
