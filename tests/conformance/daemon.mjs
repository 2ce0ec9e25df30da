// Starts the real daemon on a free port with a folder of its own, and ends it with SIGTERM.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const START_LIMIT_MS = 60000; // a cold shader cache on a slow machine
const STOP_LIMIT_MS = 30000;

function firstLine(stream, process) {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new Error('the daemon printed no line')), START_LIMIT_MS);
		const settle = (act, value) => {
			clearTimeout(timer);
			act(value);
		};
		createInterface({ input: stream }).once('line', (line) => settle(resolve, line));
		process.once('error', (error) => settle(reject, error));
		process.once('exit', (code) => settle(reject, new Error(`the daemon ended with ${code}`)));
	});
}

export async function startDaemon(binary, more = []) {
	const data = mkdtempSync(join(tmpdir(), 'posed-conformance-'));
	const child = spawn(binary, ['--listen', '127.0.0.1:0', '--data', data, ...more], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let log = '';
	child.stderr.on('data', (text) => (log = (log + text).slice(-4000)));
	const ended = new Promise((resolve) =>
		child.once('exit', (code, signal) => resolve(code ?? signal)),
	);
	const line = await firstLine(child.stdout, child).catch((error) => {
		throw new Error(`${error.message}\n${log}`);
	});
	const address = /^posed: listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line);
	if (!address) throw new Error(`not the line that was promised: ${line}`);

	async function stop() {
		child.kill('SIGTERM');
		const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
		const code = await ended;
		clearTimeout(timer);
		rmSync(data, { recursive: true, force: true });
		return code;
	}
	return { url: address[1], stop, log: () => log };
}

export async function ask(url, options) {
	const reply = await fetch(url, options);
	if (!reply.ok)
		throw new Error(`${options?.method ?? 'GET'} ${url}: ${reply.status} ${await reply.text()}`);
	return reply;
}

export function post(daemon, route, request, accept = 'application/octet-stream') {
	return ask(`${daemon.url}/v1/${route}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', accept },
		body: JSON.stringify(request),
	});
}
