// Rigs by chance, posed on every device, against the second implementation. A failure prints the
// seed; random.mjs FIRST COUNT runs others than those of make test.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	checkDescription,
	compareDevices,
	compareMatrices,
	compareVertices,
} from './compare_numbers.mjs';
import { ask, startDaemon } from './daemon.mjs';
import { splitGlb } from './gltf_file.mjs';
import { randomRig } from './random_rig.mjs';
import { check, count, expect, lines } from './report.mjs';
import { SecondReference } from './second_reference.mjs';

const [FIRST, COUNT] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 150)];
const BINARY =
	process.env.POSED_BINARY ??
	join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'build', 'posed');

async function compare(daemon, devices, seed) {
	const url = `${daemon.url}/v1/rigs/random`;
	const name = `random rig ${seed}`;
	const body = randomRig(seed);
	const passed = await check(name, async () => {
		await ask(url, { method: 'PUT', body });
		const description = await (await ask(url)).json();
		const subject = { name, daemon, rig: 'random', description };
		subject.second = new SecondReference(splitGlb(body));
		checkDescription(subject);
		await compareMatrices(subject);
		await compareVertices(subject, devices);
		await compareDevices(subject, devices);
	});
	if (passed) return;
	const path = join(tmpdir(), `posed-random-${seed}.glb`);
	writeFileSync(path, body);
	console.log(`the file is in ${path}`);
}

async function main() {
	const daemon = await startDaemon(BINARY);
	const about = await (await ask(`${daemon.url}/v1`)).json();
	const devices = about.skinning_methods.find((method) => method.id === 'lbs').device;
	for (let seed = FIRST; seed < FIRST + COUNT; seed++) await compare(daemon, devices, seed);
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
