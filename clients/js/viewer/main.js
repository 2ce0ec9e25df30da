// The page: its parts are made here and told of each other.
import { addressOf, readAddress } from './address.js';
import { makeClient } from './api.js';
import { agree } from './ask.js';
import { byId } from './dom.js';
import { Examples } from './examples.js';
import { Figures } from './figures.js';
import { Inspector } from './inspector.js';
import { Player } from './player.js';
import { RigList } from './rig_list.js';
import { Transport } from './transport.js';
import { Upload } from './upload.js';

const FIGURES_MS = 500;

const figures = new Figures();
/** Whether the status line says that the daemon is waited for. */
let waits = false;
const list = new RigList();
const client = makeClient({
	onBusy: (seconds) => {
		waits = true;
		say(`The daemon is busy; trying again in ${seconds} s.`);
	},
	onAnswer: (response) => {
		figures.answer(response);
		if (waits && response.ok) {
			waits = false;
			say('');
		}
	},
});
const player = new Player(
	client,
	{ surface: byId('surface'), picture: byId('picture') },
	{
		onTick: () => transport.show(),
		onNewFrame: () => figures.frame(),
		onError: complain,
	},
);
const transport = new Transport(player);
const inspector = new Inspector({
	onPose: () => {
		player.setPose(inspector.pose());
		noteAddress();
	},
	onSkinning: () => {
		player.setSkinning(inspector.skinning(), inspector.cutsMesh());
		noteAddress();
	},
	onComparison: () => player.setComparison(inspector.comparison()),
	onInfluence: () => player.showInfluence(inspector.influence()).catch(complain),
	onDelete: deleteRig,
});
const examples = new Examples(client, {
	moment: () => player.moment(),
	status: say,
	change: refreshMethods,
	error: complain,
});
new Upload({ onStored: showStored, onStatus: say, onError: complain });

/** The description of the rig that is shown; null = none. */
let shown = null;

/** @param {string} text */
function say(text) {
	byId('status').textContent = text;
	byId('status').className = '';
}

/** @param {Error} error */
function complain(error) {
	byId('status').textContent = error.message;
	byId('status').className = 'bad';
}

function mode() {
	return byId('pictures').checked ? 'pictures' : 'vertices';
}

/** Writes what is chosen into the address, so that it can be sent to someone. */
function noteAddress() {
	const address = {
		rig: shown?.name,
		clip: inspector.pose().clip?.name,
		show: mode() === 'pictures' ? 'pictures' : null,
		skinning: inspector.skinning().method,
	};
	history.replaceState(null, '', addressOf(shown ? address : {}));
}

async function listRigs() {
	list.setRigs(await client.rigs());
}

async function showService() {
	const { version, renderer, skinning_methods: methods } = await client.service();
	inspector.setMethods(methods);
	byId('service').textContent = `${version} · ${renderer.renderer}`;
}

/** @param {'vertices' | 'pictures'} wanted */
function setMode(wanted) {
	byId(wanted).checked = true;
	player.setMode(wanted);
}

/** Shows no rig, and says why. @param {string} text */
function showNothing(text) {
	shown = null;
	list.setCurrent(null);
	inspector.show(null, {});
	byId('empty').hidden = false;
	byId('empty').textContent = text;
	document.title = 'posed';
	player.setPose(inspector.pose());
	player.open(null);
}

/** Shows the rig that the address names. */
async function showAddress() {
	const wanted = readAddress();
	if (!wanted.rig) {
		showNothing('Choose a rig, or drop a file here.');
		return;
	}
	try {
		await showRig(wanted);
	} catch (error) {
		complain(error);
	}
}

/** @param {import('./address.js').Address} wanted */
async function showRig(wanted) {
	list.setCurrent(wanted.rig);
	let rig;
	try {
		rig = await client.describe(wanted.rig);
	} catch (error) {
		showNothing('This rig cannot be shown.');
		throw error;
	}
	if (readAddress().rig !== wanted.rig) return; // another was chosen meanwhile
	shown = rig;
	document.title = `${rig.name} – posed`;
	byId('empty').hidden = true;
	inspector.show(rig, wanted);
	examples.show(rig.name).catch(complain);
	if (wanted.show === 'pictures' || !player.drawsVertices) setMode('pictures');
	const mesh = player.open(rig);
	player.setPose(inspector.pose());
	player.setSkinning(inspector.skinning(), inspector.cutsMesh());
	player.setComparison(inspector.comparison());
	mesh.then(() => player.showInfluence(inspector.influence())).catch(complain);
	if (!matchMedia('(prefers-reduced-motion: reduce)').matches) player.clock.play();
	noteAddress();
	await mesh;
	// Takes longer than all else, and only makes the picture's frame better.
	player.refine(await client.describe(rig.name, { bounds: 'clips' }));
}

/** Examples came or went: the rig may be skinned in other ways now. */
async function refreshMethods() {
	const rig = await client.describe(shown.name);
	if (rig.name !== shown?.name) return;
	const { method } = inspector.skinning();
	inspector.setUsable(rig.skinning, method);
	player.setSkinning(inspector.skinning(), inspector.cutsMesh());
	player.setComparison(inspector.comparison());
}

/** @param {string} name */
async function showStored(name) {
	say(`“${name}” is stored.`);
	await listRigs().catch(complain);
	history.pushState(null, '', addressOf({ rig: name }));
	await showAddress();
	if (shown?.name === name) say(`“${name}” is stored.`);
}

async function deleteRig() {
	const { name } = shown;
	if (!(await agree(`Delete “${name}” for good?`, 'Delete'))) return;
	try {
		await client.deleteRig(name);
		history.pushState(null, '', location.pathname);
		showNothing('Choose a rig, or drop a file here.');
		await listRigs();
		say(`“${name}” is deleted.`);
	} catch (error) {
		complain(error);
	}
}

for (const id of ['vertices', 'pictures']) {
	byId(id).addEventListener('change', () => {
		player.setMode(mode());
		noteAddress();
	});
}
addEventListener('hashchange', () => {
	say('');
	showAddress();
});
setInterval(() => (byId('figures').textContent = figures.text()), FIGURES_MS);
byId('vertices').disabled = !player.drawsVertices;

try {
	await Promise.all([showService(), listRigs()]);
	const best = list.mostClips();
	if (!readAddress().rig && best) history.replaceState(null, '', addressOf({ rig: best }));
	await showAddress();
} catch (error) {
	complain(error);
}
