// Code snippets: a request as a shell command or a program.

/** File name after the rig, or after the holder of two. @param {any} request */
const FILE = ({ rig, instances }) =>
	`${(rig ?? instances[0].rig).replace(/[^\w.-]+/g, '_')}.png`;

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
 * @typedef {import('./request.js').PictureCall} PictureCall
 * @typedef {{address: string, hasToken: boolean}} Place address: of the daemon, without a trailing slash
 */

/** @param {PictureCall} call @param {Place} place */
function curl({ call, request }, { address, hasToken }) {
	return [
		`curl --fail -sS ${shellText(`${address}/v1/${call}`)}`,
		...(hasToken ? ['-H "Authorization: Bearer $POSED_TOKEN"'] : []),
		`-H 'Content-Type: application/json' -H 'Accept: image/png'`,
		`-o ${shellText(FILE(request))}`,
		`--data-binary ${shellText(jsonText(request))}`,
	].join(' \\\n  ');
}

/** @param {PictureCall} call @param {Place} place */
function python({ call, request }, { address }) {
	const members = Object.entries(request).map(
		([name, value]) => `    ${name}=${pythonText(value)},`,
	);
	if (call === 'compare') members.push('    picture=True,');
	return [
		'import pathlib',
		'import posed',
		'',
		`client = posed.Client(${JSON.stringify(address)})  # a token is taken from POSED_TOKEN`,
		`picture = client.${call}(`,
		...members,
		')',
		`pathlib.Path(${JSON.stringify(FILE(request))}).write_bytes(picture)`,
	].join('\n');
}

/** @param {PictureCall} call @param {Place} place */
function javascript({ call, request }, { address, hasToken }) {
	const options = hasToken ? ', { token: process.env.POSED_TOKEN }' : '';
	return [
		"import { writeFile } from 'node:fs/promises';",
		"import { Client } from 'posed';",
		'',
		`const client = new Client(${JSON.stringify(address)}${options});`,
		`const request = ${jsonText(request)};`,
		`const picture = await client.${call}(request, { accept: 'image/png' });`,
		`await writeFile(${JSON.stringify(FILE(request))}, picture.stream());`,
	].join('\n');
}

/** The kinds of snippets: a title, and (call, place) => text. */
export const FORMS = {
	curl: { title: 'curl', text: curl },
	json: { title: 'JSON', text: ({ request }) => jsonText(request) },
	python: { title: 'Python', text: python },
	javascript: { title: 'JavaScript', text: javascript },
};
