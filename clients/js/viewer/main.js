// The page: creates its parts and connects them.
import { Problem } from '../client/posed.js';
import { addressOf, missingOf, readAddress, REST } from './address.js';
import { makeClient, hasToken } from './api.js';
import { earlierVersion } from './beside.js';
import { Checks } from './checks.js';
import { Compression } from './compression.js';
import { confirmed } from './dialogs.js';
import { CopyDialog } from './copy_dialog.js';
import { byId } from './dom.js';
import { Downloads, save } from './downloads.js';
import { Examples } from './examples.js';
import { FindingView } from './finding_view.js';
import { Statistics } from './statistics.js';
import { complain, noteAnswer, say, sayBusy } from './status_line.js';
import { Handles } from './handles.js';
import { Inspector } from './inspector.js';
import { Keys } from './keys.js';
import { Look } from './look.js';
import { JointOverlay } from './joint_overlay.js';
import { Player } from './player.js';
import { poseDuration, positionAt } from './pose.js';
import { contentOf, describe } from './rig.js';
import { RigList } from './rig_list.js';
import { shortcuts } from './shortcuts.js';
import { Skeleton } from './skeleton.js';
import { Tabs } from './tabs.js';
import { Theme } from './theme.js';
import { Timeline } from './timeline.js';
import { Trails } from './trails.js';
import { Transport } from './transport.js';
import { Upload } from './upload.js';
import { Views } from './views.js';

const FIGURES_MS = 500;

const statistics = new Statistics();
const client = makeClient({
	onBusy: sayBusy,
	onAnswer: (response) => {
		statistics.answer(response);
		noteAnswer(response);
	},
});
const list = new RigList();
const player = new Player(
	client,
	{ surface: byId('surface'), picture: byId('picture') },
	{
		onTick: () => {
			transport.show();
			overlay.draw();
		},
		onNewFrame: (bytes) => {
			document.getElementById('first-picture')?.remove();
			statistics.frame(bytes);
		},
		onCamera: () => views.showCamera(),
		onOutdated: () => renew().catch(complain),
		onFound: () => {
			say('');
			renew().catch(complain);
		},
		onError: (error, isLost) =>
			complain(isLost ? new Error(`${error.message}; trying again.`) : error),
	},
);
const skeleton = new Skeleton(client, { onChange: () => player.wake(), onError: complain });
const trails = new Trails(client, { onChange: () => player.wake(), onError: complain });
const overlay = new JointOverlay(byId('overlay'), player, skeleton, trails);
const timeline = new Timeline(client);
const transport = new Transport(player, timeline);
const findingView = new FindingView(client, player, overlay);
const checks = new Checks(client, {
	onShow: (finding) => showFinding(finding).catch(complain),
	onLeave: () => findingView.clear(),
	onFindings: (findings) => {
		timeline.setFindings(findings);
		player.wake();
	},
	onVersion: showVersion,
	onStatus: say,
	onError: complain,
});
const compression = new Compression(client, {
	onBeside: showDecoded,
	onWorst: showWorst,
	onCopy: (call) => copyDialog.open('The compressed clip', call),
	onStatus: say,
	onError: complain,
});
const inspector = new Inspector({
	onPose: showPose,
	onSkinning: () => {
		player.setSkinning(inspector.skinning(), inspector.cutsMesh());
		noteAddress();
	},
	onComparison: showComparison,
	onAttached: showAttached,
	onInfluence: showInfluence,
	onMarks: () => {
		showMarks();
		showLook();
	},
	onMask: () => tabs.open('joints'),
	onDelete: deleteRig,
	onError: complain,
	describe: (rig) => describe(client, rig),
	placeOf: async (joint) => {
		const request = { rig: shown.name, poses: [player.poseNow()] };
		const at = 16 * joint + 12;
		return [...(await client.matrices(request)).subarray(at, at + 3)];
	},
	onShader: (method) => saveShader(method).catch(complain),
});
const look = new Look({
	onChange: (needsPicture) => {
		showLook();
		if (needsPicture && mode() === 'vertices') {
			setMode('pictures');
			say('Pictures show this: the page does not draw it over vertices.');
		}
	},
	joint: () => inspector.joints.chosen(),
});
const views = new Views(player, () => setMode('pictures'));
const tabs = new Tabs(() => {
	if (document.body.dataset.tab !== 'joints') inspector.joints.editMask(null);
	compression.setOpen(document.body.dataset.tab === 'compress');
	showMarks();
});
const theme = new Theme(() => player.wake());
const examples = new Examples(client, {
	moment: () => player.moment(),
	pose: (joints) => inspector.showJoints(joints),
	status: say,
	change: refreshMethods,
	error: complain,
});
const downloads = new Downloads(client, {
	motion: () => player.motion(),
	onStatus: say,
	onError: complain,
});
new Handles(byId('stage'), overlay, {
	onChoose: (joint, alone) => inspector.joints.choose(joint, alone),
	onTurnBegin: () => {
		player.pause();
		inspector.joints.hold(skeleton);
	},
	onTurn: (axis, radians) => {
		overlay.active = axis;
		inspector.joints.turn(axis, radians);
	},
	onTurnEnd: () => {
		overlay.active = null;
		player.wake();
	},
});
new Upload({ shown: () => shown?.name ?? null, onStored: showStored, onStatus: say, onError: complain });
const copyDialog = new CopyDialog({
	link: () => new URL(addressOf({ ...address(), state: state() }), location.href).href,
	place: () => ({
		address: new URL('.', location.href).href.replace(/\/$/, ''),
		hasToken: hasToken(),
	}),
	onStatus: say,
});
new Keys(shortcuts({ player, transport, views, tabs, theme, checks, mode, setMode, say }));

/** The description of the current rig; null = none. */
let shown = null;

/** The figure beside the rig. @type {?import('./beside.js').Beside} null = none */
let beside = null;

/** What vertices are coloured by, as text. */
let influenceShown = '';

/** Calls of showRig(): the last one counts. */
let shows = 0;

/** The rig that the page's address named at first, requested before anything else. @type {?{name: string, rig: Promise<any>}} */
let early = null;

function mode() {
	return byId('pictures').checked ? 'pictures' : 'vertices';
}

/** The address of the current view. */
function address() {
	return {
		rig: shown?.name,
		clip: inspector.pose().clip?.name ?? (shown?.clips.length > 0 ? REST : null),
		show: mode() === 'pictures' ? 'pictures' : null,
		skinning: inspector.skinning().method,
	};
}

/** Writes the current view into the address bar, so that it can be shared. */
function noteAddress() {
	history.replaceState(null, '', addressOf(shown ? address() : {}));
}

/** All other settings, for a link. */
function state() {
	return {
		...inspector.state(),
		time: player.clock.position(),
		camera: player.camera.request(),
		fileCamera: views.state(),
		...transport.state(),
		look: look.state(),
		compress: compression.state(),
	};
}

/**
 * The state of a link with defaults for its missing parts; null = it does not fit.
 * @param {any} given
 * @returns {?ReturnType<typeof state>}
 */
function restored(given) {
	const whole = { ...state(), time: 0, range: null, camera: null, ...given };
	try {
		inspector.restore(whole);
		look.restore(whole.look);
		compression.restore(whole.compress);
		return whole;
	} catch (error) {
		complain(new Error('Some settings of this link cannot be shown.', { cause: error }));
		return null;
	}
}

/** Reports the parts of a link that the rig does not have. @param {import('./address.js').Address} wanted */
function sayWhatIsMissing(wanted) {
	const missing = missingOf(wanted, address());
	if (missing.length > 0) complain(new Error(`${shown.name}: ${missing.join('; ')}.`));
}

function showPose() {
	const pose = inspector.pose();
	player.setPose(pose);
	checks.setClip(pose.clip?.name ?? null);
	compression.setClip(pose.clip);
	showLook();
	if (shown) timeline.setClip(shown, pose.clip?.from ? null : pose.clip).then(() => player.wake(), complain);
	noteAddress();
}

/** Goes to the clip, or the rest pose, the moment and the place of a finding. @param {import('../client/posed.js').CheckFinding} finding */
async function showFinding(finding) {
	inspector.showClip(finding.clip ?? REST);
	showPose();
	showMoment(finding);
	views.leaveFile();
	if (player.drawsVertices) setMode('vertices'); // pictures have no marks
	await findingView.show(finding);
}

function showComparison() {
	const comparison = inspector.comparison();
	player.setComparison(comparison);
	look.setComparison(comparison);
	showLook();
	if (beside) inspector.nameColumns(beside.names);
}

/** Shows the earlier version that the checks compare with, or none. */
function showVersion() {
	if (checks.version) compression.leave();
	if (shown) showBeside(checks.version ? earlierVersion(checks.version, shown.name) : null);
}

/** Shows the decoded clip, or none. */
function showDecoded() {
	if (compression.beside) checks.leaveVersion();
	if (shown) showBeside(compression.beside);
}

/** @param {?import('./beside.js').Beside} wanted the figure to be shown beside the rig; null = none */
function showBeside(wanted) {
	if (wanted && !beside && player.drawsVertices) setMode('vertices');
	beside = wanted;
	player.setBeside(beside);
	inspector.showComparison();
	showComparison();
}

/** Goes to the moment of the greatest error of the compressed clip, and chooses its joint. @param {{joint?: string, time: number}} worst */
function showWorst({ joint: name, time }) {
	showMoment({ time: positionAt(inspector.pose(), time) });
	const joint = shown.joints.find((one) => one.name === name);
	if (joint) inspector.joints.choose(joint.index);
}

function showAttached() {
	const attached = inspector.attached();
	player.setAttached(attached);
	look.setAttached(attached !== null);
	showLook();
}

/** Colours vertices by the joint that is inspected, or else by the shading. */
function showInfluence() {
	const influence = inspector.influence() ?? look.influence();
	const text = JSON.stringify([shown?.content, influence]);
	if (text === influenceShown) return;
	influenceShown = text;
	player.showInfluence(influence).catch(complain);
}

function showLook() {
	if (shown) showInfluence();
	overlay.showsBones = look.showsSkeleton;
	overlay.showsNames = look.showsNames;
	overlay.showsTrails = look.showsTrails;
	player.setLook(look.members(poseDuration(inspector.pose()) > 0));
}

function showMarks() {
	overlay.showsHandles = document.body.dataset.tab === 'joints';
	overlay.chosen = inspector.joints.chosenIndex();
	overlay.mask = inspector.joints.mask;
	player.wake();
}

async function listRigs() {
	const rigs = await client.rigs();
	list.setRigs(rigs);
	inspector.setRigs(rigs);
	checks.setRigs(rigs);
}

async function showService() {
	const { version, renderer, ...service } = await client.service();
	inspector.setMethods(service.skinning_methods);
	checks.setProfiles(service.check_profiles);
	byId('service').textContent = `${version} · ${renderer.renderer}`;
}

/** @param {'vertices' | 'pictures'} wanted */
function setMode(wanted) {
	byId(wanted).checked = true;
	player.setMode(wanted);
	noteAddress();
}

/** Shows no rig, and gives the reason. @param {string} text */
function showNothing(text) {
	shown = null;
	list.setCurrent(null);
	inspector.show(null, {});
	views.show(null);
	skeleton.open(null);
	trails.open(null);
	downloads.show(null);
	checks.show(null);
	compression.show(null);
	byId('copy').disabled = true;
	byId('empty').hidden = false;
	byId('warned').hidden = true;
	byId('empty').textContent = text;
	document.title = 'posed';
	showAttached();
	player.setPose(inspector.pose());
	player.open(null);
	tabs.open('rigs');
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
	const show = ++shows;
	list.setCurrent(wanted.rig);
	const described = early?.name === wanted.rig ? early.rig : describe(client, wanted.rig);
	early = null; // a refusal of it is not shown again
	let rig;
	try {
		rig = await described;
	} catch (error) {
		showNothing('This rig cannot be shown.');
		throw error;
	}
	if (show !== shows || readAddress().rig !== wanted.rig) return; // another was chosen meanwhile
	shown = rig;
	document.title = `${rig.name} – posed`;
	byId('empty').hidden = true;
	if (tabs.current === 'rigs') tabs.open('');
	byId('copy').disabled = false;
	inspector.show(rig, wanted);
	views.show(rig);
	skeleton.open(rig);
	trails.open(rig);
	downloads.show(rig);
	checks.show(rig);
	compression.show(rig);
	const state = wanted.state && restored(wanted.state);
	sayWhatIsMissing(wanted);
	examples.show(rig.name).catch(complain);
	if (wanted.show === 'pictures' || !player.drawsVertices) setMode('pictures');
	influenceShown = '';
	const mesh = player.open(rig);
	showAll(wanted, state);
	noteAddress();
	await mesh;
	// This takes longest and only improves the framing.
	player.refine(await describe(client, rig.name, { bounds: 'clips' }));
}

/** @param {import('./address.js').Address} wanted @param {?ReturnType<typeof state>} state null = the defaults */
function showAll(wanted, state) {
	showPose();
	showMarks();
	player.setSkinning(inspector.skinning(), inspector.cutsMesh());
	showComparison();
	showAttached();
	if (state) {
		if (state.camera) player.setCamera(state.camera);
		views.restore(state.fileCamera);
		transport.restore(state);
		player.seek(state.time);
	} else {
		showMoment(wanted);
		const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
		if ((wanted.time ?? null) === null && !isCalm) player.play();
	}
}

/** Stands still at a time, and looks from a place, where they are given. @param {import('./address.js').Address} wanted */
function showMoment({ time = null, camera = null }) {
	if (camera) player.setCamera(camera);
	if (time === null) return;
	player.clock.playing = false;
	player.seek(time);
}

/** The rig may have been replaced: shows the current one with as many of the settings as it has. */
async function renew() {
	if (!shown) return;
	const { name } = shown;
	let rig;
	try {
		rig = await describe(client, name);
	} catch (error) {
		if (shown?.name === name && error instanceof Problem) player.hold();
		throw error;
	}
	if (shown?.name !== name) return;
	if (contentOf(rig) === contentOf(shown)) {
		takeMethods(rig);
		return;
	}
	const camera = player.isMoved ? player.camera.request() : null; // null = fits the current rig
	await Promise.all([showRig({ ...readAddress(), state: { ...state(), camera } }), listRigs()]);
}

/** Examples were added or deleted: the available methods may have changed. */
async function refreshMethods() {
	const rig = await describe(client, shown.name);
	if (rig.name === shown?.name) takeMethods(rig);
}

/** @param {any} rig the description of the current rig, with other methods */
function takeMethods(rig) {
	const { method } = inspector.skinning();
	inspector.setUsable(rig.skinning, method);
	player.setSkinning(inspector.skinning(), inspector.cutsMesh());
	showComparison();
}

/** @param {string} name @param {string} [clip] */
async function showStored(name, clip) {
	await listRigs().catch(complain);
	history.pushState(null, '', addressOf({ rig: name, clip }));
	await showAddress();
}

/** Downloads the functions of a method's shaders. @param {string} method */
async function saveShader(method) {
	const text = await client.shader(method);
	save(new Blob([text], { type: 'text/plain' }), `${method}.glsl`);
}

async function deleteRig() {
	const { name } = shown;
	if (!(await confirmed(`Delete “${name}” for good?`, 'Delete'))) return;
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

byId('copy').addEventListener('click', () =>
	copyDialog.open('The picture on the screen', player.pictureCall(), player.hasOwnColours),
);
byId('warned').addEventListener('click', () => {
	tabs.open('about');
	byId('warnings').scrollIntoView({ block: 'nearest' });
});
for (const id of ['vertices', 'pictures']) {
	byId(id).addEventListener('change', () => setMode(mode()));
}
addEventListener('hashchange', () => {
	say('');
	showAddress();
});
setInterval(() => (byId('figures').textContent = statistics.text()), FIGURES_MS);
byId('vertices').disabled = !player.drawsVertices;

/** @param {string} name */
function describeEarly(name) {
	early = { name, rig: describe(client, name) };
	early.rig.catch(() => {}); // whoever waits for it says so
}

try {
	const { rig: named } = readAddress();
	if (named) describeEarly(named);
	await Promise.all([showService(), listRigs()]);
	const best = list.mostClips();
	if (!readAddress().rig && best) history.replaceState(null, '', addressOf({ rig: best }));
	await showAddress();
} catch (error) {
	complain(error);
}
