// Runs Khronos' glTF validator over the demo rigs: no error and no warning is accepted.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import validator from 'gltf-validator';

const DEMO = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'assets', 'demo');
const SEVERITY = ['error', 'warning'];
const count = { passed: 0, failed: 0 };

const demo = existsSync(DEMO)
	? readdirSync(DEMO)
			.filter((f) => f.endsWith('.glb'))
			.sort()
	: [];
const files = process.argv.length > 2 ? process.argv.slice(2) : demo.map((f) => join(DEMO, f));
if (files.length === 0) {
	count.failed++;
	console.log(`FAILED  no demo rig in ${DEMO}`);
}
for (const file of files) {
	const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
		maxIssues: 0,
	});
	const wrong = report.issues.messages.filter((message) => message.severity < SEVERITY.length);
	count[wrong.length ? 'failed' : 'passed']++;
	console.log(`${file}: ${report.issues.numErrors} errors, ${report.issues.numWarnings} warnings`);
	for (const { severity, code, pointer, message } of wrong.slice(0, 10)) {
		console.log(`FAILED  ${SEVERITY[severity]} ${code} at ${pointer}: ${message}`);
	}
}
console.log(`conformance: ${count.passed} passed, ${count.failed} failed, 0 skipped`);
process.exit(count.failed ? 1 : 0);
