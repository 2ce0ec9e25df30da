// Code snippets: a request as a shell command or a program.

/**
 * The file that a call makes.
 * @typedef {{what: string, type: string, ending: string}} Kind
 */

/** @type {Kind} */
const PICTURE = { what: 'picture', type: 'image/png', ending: 'png' };
/** @type {Kind} */
const CLIP = { what: 'clip', type: 'application/vnd.posed.pclip', ending: 'pclip' };

/** @param {Call} call */
const kindOf = ({ call }) => (call === 'compress' ? CLIP : PICTURE);

/** Name of the file after the rig, or after the holder of two, and the clip. @param {Call} call */
export function fileOf({ call, request }) {
	const { rig, instances, clips = [] } = request;
	const name = [rig ?? instances[0].rig, ...clips].join('-').replace(/[^\w.-]+/g, '_');
	return `${name}.${kindOf({ call, request }).ending}`;
}

/** @param {string} text within single quotes of a shell */
const shellText = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** JSON with short values on one line and long ones indented. @param {any} value */
function jsonText(value, indent = '') {
	const flat = JSON.stringify(value);
	if (flat.length + indent.length < 80 || typeof value !== 'object') return flat;
	const deeper = `${indent}  `;
	const rows = Array.isArray(value)
		? value.map((item) => jsonText(item, deeper))
		: Object.entries(value).map(
				([name, item]) => `${JSON.stringify(name)}: ${jsonText(item, deeper)}`,
			);
	const [open, close] = Array.isArray(value) ? '[]' : '{}';
	return `${open}\n${rows.map((row) => deeper + row).join(',\n')}\n${indent}${close}`;
}

/** A value as a Python literal. @param {any} value @returns {string} */
function pythonText(value) {
	if (value === null) return 'None';
	if (typeof value === 'boolean') return value ? 'True' : 'False';
	if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
	if (typeof value !== 'object') return JSON.stringify(value);
	const rows = Object.entries(value).map(
		([name, item]) => `${JSON.stringify(name)}: ${pythonText(item)}`,
	);
	return `{${rows.join(', ')}}`;
}

/**
 * @typedef {import('./request.js').PictureCall | {call: 'compress', request: any}} Call call: the client's method
 * @typedef {{address: string, hasToken: boolean}} Place address: of the daemon, without a trailing slash
 */

/** @param {Call} made @param {Place} place */
function curl(made, { address, hasToken }) {
	const { call, request } = made;
	return [
		`curl --fail -sS ${shellText(`${address}/v1/${call}`)}`,
		...(hasToken ? ['-H "Authorization: Bearer $POSED_TOKEN"'] : []),
		`-H 'Content-Type: application/json' -H 'Accept: ${kindOf(made).type}'`,
		`-o ${shellText(fileOf(made))}`,
		`--data-binary ${shellText(jsonText(request))}`,
	].join(' \\\n  ');
}

/** @param {Call} made @param {Place} place */
function python(made, { address }) {
	const { call, request } = made;
	const { what } = kindOf(made);
	const members = Object.entries(request).map(
		([name, value]) => `    ${name}=${pythonText(value)},`,
	);
	if (call === 'compare') members.push('    picture=True,');
	return [
		'import pathlib',
		'import posed',
		'',
		`client = posed.Client(${JSON.stringify(address)})  # a token is taken from POSED_TOKEN`,
		`${what} = client.${call}(`,
		...members,
		')',
		`pathlib.Path(${JSON.stringify(fileOf(made))}).write_bytes(${what})`,
	].join('\n');
}

/** @param {Call} made @param {Place} place */
function javascript(made, { address, hasToken }) {
	const { call, request } = made;
	const { what, type } = kindOf(made);
	const token = hasToken ? ', { token: process.env.POSED_TOKEN }' : '';
	const isClip = call === 'compress';
	const options = isClip ? '' : `, { accept: '${type}' }`;
	return [
		"import { writeFile } from 'node:fs/promises';",
		"import { Client } from 'posed';",
		'',
		`const client = new Client(${JSON.stringify(address)}${token});`,
		`const request = ${jsonText(request)};`,
		`const ${what} = await client.${call}(request${options});`,
		`await writeFile(${JSON.stringify(fileOf(made))}, ${isClip ? 'new Uint8Array(clip)' : 'picture.stream()'});`,
	].join('\n');
}

/** "pose compress", which takes a token from POSED_TOKEN. @param {Call} made @param {Place} place */
function commandLine(made, { address }) {
	const { rig, clips, ...options } = made.request;
	return [
		`pose compress ${[rig, ...clips].map(shellText).join(' ')}`,
		...Object.entries(options).map(([name, value]) => `--${name} ${shellText(String(value))}`),
		`--server ${shellText(address)} -o ${shellText(fileOf(made))}`,
	].join(' \\\n  ');
}

/** The kinds of snippets: a title, and (call, place) => text. */
const FORMS = {
	curl: { title: 'curl', text: curl },
	json: { title: 'JSON', text: ({ request }) => jsonText(request) },
	python: { title: 'Python', text: python },
	javascript: { title: 'JavaScript', text: javascript },
};

/** The kinds of snippets of a call. @param {Call} made @returns {Record<string, {title: string, text: (made: Call, place: Place) => string}>} */
export function formsOf({ call }) {
	if (call !== 'compress') return FORMS;
	return { ...FORMS, pose: { title: 'Command line', text: commandLine } };
}
