// Holds protocol/openapi.yaml against the schema of OpenAPI 3.1.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';

const FILE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'protocol', 'openapi.yaml');
const validator = new Validator();
const { valid, errors } = await validator.validate(FILE);
const right = valid && validator.version === '3.1';
if (!right) {
	console.log(`FAILED  openapi.yaml, version ${validator.version}: ${JSON.stringify(errors, null, 1)}`);
}
console.log(`conformance: ${right ? 1 : 0} passed, ${right ? 0 : 1} failed, 0 skipped`);
process.exit(right ? 0 : 1);
