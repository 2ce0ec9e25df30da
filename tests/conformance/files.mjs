// The files to compare, and their known peculiarities.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const DEMO = join(ROOT, 'assets', 'demo');
const SHARED = process.env.POSED_SHARED_FILES ?? join(ROOT, '..', 'shared', 'files');

// [{file, check, why}], file being the end of a path. check is "three" (the second implementation
// alone decides), "normals" or "picture" (that check is left out), or "import" (the file must be
// refused in words that include `says`). One that is not needed any more is a failure.
const EXCEPTIONS = JSON.parse(readFileSync(join(HERE, 'exceptions.json'), 'utf8'));

function below(folder) {
	if (!existsSync(folder)) return [];
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && /\.(glb|gltf)$/.test(entry.name))
		.map((entry) => join(entry.parentPath ?? entry.path, entry.name))
		.sort();
}

// [{name, path}] of the demo rigs and of every glTF file of the collection that is no hostile one.
export function filesToCompare() {
	const shared = below(SHARED).filter((path) => !relative(SHARED, path).startsWith('malformed'));
	return {
		files: [
			...below(DEMO).map((path) => ({ name: `demo/${relative(DEMO, path)}`, path })),
			...shared.map((path) => ({ name: relative(SHARED, path), path })),
		],
		found: shared.length,
		folder: SHARED,
	};
}

export function exceptionFor(name, check) {
	return EXCEPTIONS.find((e) => e.check === check && name.endsWith(e.file));
}
