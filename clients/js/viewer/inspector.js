// The inspector: facts about the chosen rig, and all settings for it.
import { REST } from './address.js';
import { Attachment } from './attachment.js';
import { byId, count, element, fillSelect } from './dom.js';
import { bytesText } from './statistics.js';
import { Goals } from './goals.js';
import { Joints, maskOf } from './joints.js';
import { Layers } from './layers.js';
import { MethodOptions } from './method_options.js';
import { OtherClips } from './other_clips.js';

const NOTHING = '';

/** "1.24 × 1.75 × 0.31" @param {?import('../element/camera.js').Box} bounds */
function sizeText(bounds) {
	if (!bounds) return 'empty';
	return bounds.max.map((high, k) => Number((high - bounds.min[k]).toPrecision(3))).join(' × ');
}

/** "24, 3 of them needless" @param {any[]} joints */
function jointsText(joints) {
	const needless = joints.filter((joint) => joint.needless).length;
	return count(joints.length) + (needless > 0 ? `, ${count(needless)} of them needless` : '');
}

/** @param {any} rig a description */
function facts(rig) {
	return [
		['Size', sizeText(rig.bounds)],
		['Vertices', count(rig.vertices)],
		['Triangles', count(rig.triangles)],
		['Joints', jointsText(rig.joints)],
		['Primitives', count(rig.primitives.length)],
		['Materials', count(rig.materials.length)],
		['Clips', count(rig.clips.length)],
		['File', bytesText(rig.bytes)],
		['Content', rig.content.replace(/^sha256:(.{12}).*/, '$1…')],
	];
}

/** @param {any} rig */
function showFacts(rig) {
	const rows = facts(rig).flatMap(([term, value]) => [
		element('dt', { textContent: term }),
		element('dd', { textContent: value }),
	]);
	byId('facts').replaceChildren(...rows);
	const { length } = rig.warnings;
	byId('warned').hidden = byId('warnings').hidden = length === 0;
	byId('warned').textContent = `${length} warning${length === 1 ? '' : 's'}`;
	byId('warnings')
		.querySelector('ul')
		.replaceChildren(...rig.warnings.map((text) => element('li', { textContent: text })));
}

/** @param {any} rig */
function clipRows(rig) {
	return [
		[REST, 'Rest pose'],
		...rig.clips.map(({ name, duration }) => [name, `${name} (${duration.toFixed(2)} s)`]),
	];
}

export class Inspector {
	#rig = null;
	/** @type {Map<string, string>} of the skinning methods by id */
	#titles = new Map();
	#options;
	/** @type {Joints} */
	joints;
	#goals;
	#attachment;
	#layers;
	#others;

	/**
	 * @param {{onPose: () => void, onSkinning: () => void, onComparison: () => void,
	 *   onAttached: () => void, onInfluence: () => void, onMarks: () => void, onMask: () => void,
	 *   onDelete: () => void, onError: (error: Error) => void, onShader: (method: string) => void,
	 *   describe: (rig: string) => Promise<any>,
	 *   placeOf: (joint: number) => Promise<import('./goals.js').Place>}} on
	 *   onMarks: another joint or mask is chosen; onMask: a mask is being edited; placeOf: a joint's
	 *   current position
	 */
	constructor({ onPose, onSkinning, onComparison, onInfluence, onMarks, onMask, onDelete, ...more }) {
		byId('clip').addEventListener('change', onPose);
		this.#layers = new Layers({
			onChange: onPose,
			onMask: (mask, what) => {
				this.joints.editMask(mask, what);
				if (mask) onMask();
			},
		});
		this.joints = new Joints({
			onTurn: onPose,
			onChoose: () => {
				this.#goals.choose(this.joints.chosenIndex());
				this.#attachment.choose(this.joints.chosenIndex());
				onMarks();
				onInfluence();
			},
			onMask: () => {
				this.#layers.refresh();
				onMarks();
				onPose();
			},
		});
		this.#goals = new Goals({ onChange: onPose, ...more });
		this.#attachment = new Attachment(more);
		this.#others = new OtherClips({
			...more,
			onClips: (value) => this.#listClips(value ?? undefined),
			onChange: onPose,
		});
		byId('influence').addEventListener('change', onInfluence);
		for (const id of ['beside', 'comparison']) {
			byId(id).addEventListener('change', () => {
				this.showComparison();
				onComparison();
			});
		}
		this.#options = new MethodOptions(onSkinning);
		byId('method').addEventListener('change', () => {
			this.#options.show(byId('method').value);
			this.showComparison();
			onSkinning();
		});
		byId('shader').addEventListener('click', (event) => {
			event.preventDefault(); // a link sends no token
			more.onShader(byId('method').value);
		});
		byId('device').addEventListener('change', onSkinning);
		byId('delete').addEventListener('click', onDelete);
	}

	/** @param {{name: string, clips: number, vertices: number}[]} rigs all rigs */
	setRigs(rigs) {
		this.#attachment.setRigs(rigs);
		this.#others.setRigs(rigs);
	}

	/** @param {string} [wanted] value of the clip to choose; left out: the first */
	#listClips(wanted) {
		const rows = [...clipRows(this.#rig), ...this.#others.rows()];
		fillSelect(byId('clip'), rows);
		const isThere = rows.some(([value]) => value === wanted);
		byId('clip').value = isThere ? wanted : (rows[1]?.[0] ?? REST);
	}

	/** @param {import('./method_options.js').Method[]} methods of the daemon */
	setMethods(methods) {
		this.#options.setMethods(methods);
		// "linear blend skinning: matrices blended by weight"
		const short = (title) => title.split(':')[0].replace(/ skinning$/, '');
		this.#titles = new Map(methods.map(({ id, title }) => [id, `${id} – ${short(title)}`]));
	}

	/**
	 * @param {any} rig a description; null = no rig
	 * @param {{clip?: ?string, skinning?: ?string}} wanted chosen if the rig has them; clip: REST = none
	 */
	show(rig, wanted) {
		this.#rig = rig;
		this.joints.show(rig);
		this.#goals.show(rig?.joints ?? []);
		this.#attachment.show(rig?.joints ?? []);
		this.#layers.show(rig);
		this.#others.show(rig);
		byId('inspector').hidden = rig === null;
		if (!rig) return;
		byId('name').textContent = rig.name;
		this.#listClips(wanted.clip);
		this.setUsable(rig.skinning, wanted.skinning);
		showFacts(rig);
	}

	/**
	 * Lists the skinning methods that are available for the rig.
	 * @param {{methods: string[], default: string}} usable @param {?string} [wanted]
	 */
	setUsable({ methods, default: preset }, wanted) {
		fillSelect(
			byId('method'),
			methods.map((id) => [id, this.#titles.get(id) ?? id]),
		);
		byId('method').value = methods.includes(wanted) ? wanted : preset;
		this.#options.show(byId('method').value);
		const beside = byId('beside').value;
		fillSelect(byId('beside'), [
			[NOTHING, 'nothing'],
			...methods.map((id) => [id, this.#titles.get(id) ?? id]),
		]);
		byId('beside').value = methods.includes(beside) ? beside : NOTHING;
		this.showComparison();
	}

	/** The skinning to compare with, and the view of the comparison. */
	comparison() {
		const method = byId('beside').value;
		return {
			skinning: method === NOTHING ? null : { method, device: byId('device').value },
			view: byId('comparison').value,
		};
	}

	/** The joint whose influence is shown, and the kind of influence; null = none. */
	influence() {
		const joint = this.joints.chosen();
		const of = byId('influence').value;
		return joint && of ? { joint, of } : null;
	}

	/** @returns {import('./pose.js').PoseChoice} */
	pose() {
		const clips = this.#rig?.clips ?? [];
		const clipOf = (wanted) => clips.find(({ name }) => name === wanted);
		const layers = this.#layers.rows
			.filter(({ joints }) => joints?.size !== 0)
			.map(({ name, weight, joints }) => ({
				clip: clipOf(name),
				weight,
				mask: joints && maskOf(this.#rig.joints, joints),
			}));
		const { value } = byId('clip');
		const clip = this.#others.clipOf(value) ?? clipOf(value) ?? null;
		const { weight, fade } = this.#layers;
		const [turned, held] = [this.joints.turned(), this.#goals.wanted()];
		return { clip, weight, layers, fade, turned, held };
	}

	/** The rig that a joint holds; null = none. */
	attached() {
		return this.#attachment.wanted();
	}

	/** The state for a link, apart from clip and method. */
	state() {
		return {
			other: this.#others.state(this.pose().clip),
			layers: this.#layers.state(),
			turned: this.joints.state(),
			held: this.#goals.state(),
			attached: this.#attachment.state(),
			joint: this.joints.chosenIndex(),
			influence: byId('influence').value,
			options: this.#options.chosen(),
			device: byId('device').value,
			beside: byId('beside').value,
			comparison: byId('comparison').value,
		};
	}

	/** Shows a clip of the rig alone. @param {string} name REST = none */
	showClip(name) {
		this.#layers.show(this.#rig);
		byId('clip').value = name;
	}

	/** Shows a pose instead of a clip. @param {any[]} joints of the pose, with local rotations */
	showJoints(joints) {
		byId('clip').value = REST;
		this.joints.pose(joints.map(({ rotation }) => rotation));
	}

	/** @param {ReturnType<Inspector['state']>} state */
	restore(state) {
		this.#others.restore(state.other);
		this.#layers.restore(state.layers);
		this.joints.restore(state.turned, state.joint);
		this.#goals.restore(state.held, this.joints.chosenIndex() ?? 0);
		this.#attachment.restore(state.attached, this.joints.chosenIndex() ?? 0);
		this.#options.restore(state.options);
		for (const id of ['device', 'beside', 'comparison', 'influence']) byId(id).value = state[id];
		this.showComparison();
	}

	skinning() {
		return {
			method: byId('method').value,
			device: byId('device').value,
			...this.#options.chosen(),
		};
	}

	/** True if the method skins vertices of its own. */
	cutsMesh() {
		return this.#options.cutsMesh(byId('method').value);
	}

	/** Names the columns of a comparison. */
	showComparison() {
		const { skinning, view } = this.comparison();
		byId('comparison-field').hidden = !skinning;
		this.nameColumns(skinning && view === 'side' ? [byId('method').value, skinning.method] : null);
	}

	/** @param {?string[]} names of two columns; null = there is one */
	nameColumns(names) {
		byId('names').hidden = !names;
		byId('name-shown').textContent = names?.[0] ?? '';
		byId('name-beside').textContent = names?.[1] ?? '';
	}
}
