// Holds posed against two references, file by file, clip by clip: three.js, and an implementation
// in doubles of our own. A file counts once for each of its checks: description and node matrices,
// vertices (positions against both, normals against ours, every device), three.js, pictures.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkDescription, compareMatrices, compareVertices } from './compare_numbers.mjs';
import { comparePictures } from './compare_pictures.mjs';
import { ask, startDaemon } from './daemon.mjs';
import { exceptionFor, filesToCompare } from './files.mjs';
import { readForRequest, readGltf } from './gltf_file.mjs';
import { check, count, expect, lines } from './report.mjs';
import { SecondReference } from './second_reference.mjs';
import { ThreeReference } from './three_reference.mjs';

const TOLERANCE = 1e-5; // as in compare_numbers.mjs
const BINARY =
	process.env.POSED_BINARY ??
	join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'build', 'posed');

// The reason why a file may be refused as a whole: it is listed, or it requires an extension that
// the daemon says it does not know. Once it knows it, the file is compared like all others.
function reasonToRefuse(name, required, { detail }) {
	const exception = exceptionFor(name, 'import');
	if (exception && detail.includes(exception.says)) return exception.why;
	const unknown = required.find((extension) => detail.includes(`"${extension}" is not supported`));
	return unknown ? `refused, for it requires ${unknown}` : null;
}

async function put(subject, path, required) {
	const reply = await fetch(subject.url, { method: 'PUT', body: readForRequest(path) });
	if (reply.ok) {
		expect(!exceptionFor(subject.name, 'import'), 'it is listed as one to be refused');
		subject.description = await (await ask(subject.url)).json();
		return null;
	}
	const problem = await reply.json();
	const reason = reply.status === 422 && reasonToRefuse(subject.name, required, problem);
	if (!reason) throw new Error(`PUT: ${reply.status} ${problem.detail}`);
	return reason;
}

// An exception that has nothing to except any more is a failure.
function checkThree({ name, threeError, threeException }) {
	const exception = threeException;
	if (!exception) return null;
	const agrees = threeError !== undefined && threeError <= TOLERANCE;
	expect(!agrees, `three.js agrees within ${threeError}: the exception for ${name} is not needed`);
	return exception.why;
}

async function loadThree(subject, file) {
	try {
		subject.three = await ThreeReference.load(file);
		if (subject.three.vertexCount === subject.second.vertexCount) return;
		throw new Error(`three.js has ${subject.three.vertexCount} vertices`);
	} catch (error) {
		subject.three = null;
		expect(subject.threeException, error.message);
	}
}

async function compareFile(daemon, devices, { name, path }, number) {
	const rig = `rig ${number}`;
	const url = `${daemon.url}/v1/rigs/${encodeURIComponent(rig)}`;
	const subject = { name, daemon, rig, url, threeException: exceptionFor(name, 'three') };
	const loaded = await check(`${name}, import and node matrices`, async () => {
		const file = await readGltf(path);
		const reason = await put(subject, path, file.required);
		if (reason) return reason;
		subject.second = new SecondReference({ ...file, json: structuredClone(file.json) });
		await loadThree(subject, file);
		checkDescription(subject);
		return compareMatrices(subject);
	});
	if (!loaded) return;
	const hasVertices = subject.second.vertexCount > 0;
	await check(`${name}, vertices`, () =>
		hasVertices ? compareVertices(subject, devices) : 'it has no vertices',
	);
	if (hasVertices) await check(`${name}, three.js`, () => checkThree(subject));
	await check(`${name}, pictures`, () => comparePictures(subject));
	await ask(url, { method: 'DELETE' });
}

async function main() {
	const { files, found, folder } = filesToCompare();
	if (found === 0) {
		count.skipped++;
		console.log(`SKIPPED the collection: nothing in ${folder} (POSED_SHARED_FILES says where)`);
	}
	const daemon = await startDaemon(BINARY);
	const about = await (await ask(`${daemon.url}/v1`)).json();
	const devices = about.skinning_methods.find((method) => method.id === 'lbs').device;
	if (!devices.includes('gpu')) {
		count.skipped++;
		console.log('SKIPPED vertices on the GPU: this machine has no driver');
	}
	const chosen = files.filter(({ name }) => process.argv.slice(2).every((w) => name.includes(w)));
	for (const [number, file] of chosen.entries()) await compareFile(daemon, devices, file, number);
	await check('the daemon ends well', async () => {
		const code = await daemon.stop();
		expect(code === 0, `it ended with ${code}: ${daemon.log()}`);
	});
	console.log(`${chosen.length} files`);
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
