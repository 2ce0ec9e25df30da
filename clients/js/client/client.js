// The API, one method for each operation.
import { packFiles } from './assets.js';
import { eventsOf } from './events.js';
import { Connection } from './connection.js';
import { received, receivedJson } from './errors.js';
import { signedPath } from './links.js';
import { Stream } from './stream.js';
import { framesOf, verticesOf } from './vertices.js';

/**
 * @typedef {import('./assets.js').AssetFiles} AssetFiles
 * @typedef {import('./connection.js').CallOptions} CallOptions
 * @typedef {import('./vertices.js').Vertices} Vertices
 * @typedef {import('./responses.js').Service} Service
 * @typedef {import('./responses.js').RigSummary} RigSummary
 * @typedef {import('./responses.js').RigDescription} RigDescription
 * @typedef {import('./responses.js').ClipDescription} ClipDescription
 * @typedef {import('./responses.js').ClipSummary} ClipSummary
 * @typedef {import('./responses.js').ExampleSummary} ExampleSummary
 * @typedef {import('./responses.js').SkinningFit} SkinningFit
 * @typedef {import('./responses.js').CheckReport} CheckReport
 * @typedef {import('./responses.js').CheckEvent} CheckEvent
 * @typedef {import('./responses.js').CompressReport} CompressReport
 * @typedef {import('./responses.js').CompressEvent} CompressEvent
 * @typedef {import('./responses.js').CheckTask} CheckTask
 */

/**
 * The result of a call: null is possible only with an etag.
 * @template T, O
 * @typedef {'etag' extends keyof O ? T | null : T} Answer
 */

/**
 * A pose expression: "rest", or an object that is one operation. docs/poses.md of posed has an example
 * for each operation.
 * @typedef {string | {[member: string]: any}} Pose
 *
 * A skinning method's id, or an object with its options.
 * @typedef {string | {method?: string, device?: 'auto' | 'gpu' | 'cpu', normals?: string, [option: string]: any}} Skinning
 *
 * @typedef {object} Subject
 * @property {string} rig
 * @property {Pose} [pose] left out: the rest pose
 * @property {Skinning} [skinning]
 *
 * @typedef {object} Poses
 * @property {Pose[]} [poses] instead of pose: a response of many frames
 *
 * @typedef {Subject & Poses & {attributes?: string[], [member: string]: any}} VerticesRequest
 *
 * Members of a picture; protocol/openapi.yaml of posed lists all.
 * @typedef {object} PictureMembers
 * @property {number} [width]
 * @property {number} [height]
 * @property {string} [background] "#rrggbb", "#rrggbbaa" or "transparent"
 * @property {number} [samples]
 * @property {string | {[member: string]: any}} [camera]
 * @property {'pose' | 'clip' | 'rest'} [fit]
 *
 * @typedef {Subject & PictureMembers & {[member: string]: any}} FrameRequest
 *
 * A check of one rig, of several, or of an asset that is not stored.
 * @typedef {object} CompressRequest
 * @property {string} rig
 * @property {(string | number)[]} [clips] default all
 * @property {Pose} [pose] in place of clips
 * @property {number} [duration] seconds of the pose
 * @property {number} [rate] samples a second
 * @property {number | {share: number}} [tolerance] metres, or a share of the rig's diagonal
 * @property {number} [shell] metres
 * @property {'shell' | 'skin'} [metric] where the error is measured
 * @property {Skinning} [skinning] of the skin
 * @property {'shell' | 'free'} [unskinned] joints that no vertex follows
 * @property {'best' | 'bits' | 'bspline' | 'keys'} [codec] keys: a GLB with few keys
 * @property {number} [segment] samples that are decoded together
 * @property {boolean} [names]
 * @property {boolean} [self_contained]
 */

/**
 * @typedef {object} CheckRequest
 * @property {string} [rig]
 * @property {string[]} [rigs]
 * @property {BodyInit | AssetFiles} [asset]
 * @property {string} [path] of the asset, for the report
 * @property {string | {[member: string]: any}} [profile] a name, or for rigs a rules file
 * @property {string[]} [only] rules to apply; globs
 * @property {string[]} [skip] rules to leave out
 * @property {string[]} [clips] names of clips to check
 * @property {{rig: string}} [against] an earlier version of the rig
 * @property {CheckReport} [baseline] of an earlier run
 * @property {'none' | 'pictures' | 'animated'} [evidence] pictures of findings, also in events
 * @property {boolean} [timing]
 */

const JSON_TYPE = 'application/json';
const OCTETS = 'application/octet-stream';
const GLB = 'model/gltf-binary';
const PCLIP = 'application/vnd.posed.pclip';
const PNG = 'image/png';
const EVENTS = 'application/x-ndjson';

/** @param {string[]} parts */
function rigPath(...parts) {
	return `/v1/rigs/${parts.map(encodeURIComponent).join('/')}`;
}

/** A file as a request body. @param {BodyInit | AssetFiles} asset @returns {Promise<BodyInit>} */
async function bodyOf(asset) {
	const isList =
		Array.isArray(asset) ||
		asset instanceof Map ||
		(typeof FileList === 'function' && asset instanceof FileList);
	const body = isList ? await packFiles(asset) : asset;
	return /** @type {BodyInit} */ (body);
}

/** @param {?Response} response @returns {Promise<any>} */
const jsonOf = async (response) => response && receivedJson(response);

/** @param {?Response} response */
const textOf = async (response) => (response ? received(response.text()) : '');

/**
 * A picture, and its response headers: headers.get('Posed-Depth'), 'Posed-Size' and the like.
 * @typedef {Blob & {headers: Headers}} Picture
 */

/** A Picture. @param {?Response} response @returns {Promise<any>} */
const blobOf = async (response) =>
	response && Object.assign(await received(response.blob()), { headers: response.headers });

/**
 * Bytes of a file, and its response headers.
 * @typedef {ArrayBuffer & {headers: Headers}} File
 */

/** A File. @param {?Response} response @returns {Promise<any>} */
const bytesOf = async (response) =>
	response && Object.assign(await received(response.arrayBuffer()), { headers: response.headers });

/** A client of the daemon. Each call returns a promise; its option `signal` aborts it. */
export class Client {
	#connection;

	/** The operationId of each method in the API's description. */
	static operations = {
		service: 'getService',
		isAlive: 'getAlive',
		ready: 'getReady',
		metrics: 'getMetrics',
		viewer: 'getViewer',
		script: 'getScript',
		openapi: 'getOpenApi',
		rigs: 'listRigs',
		putRig: 'putRig',
		describe: 'describeRig',
		deleteRig: 'deleteRig',
		source: 'getSource',
		mesh: 'getMesh',
		thumbnail: 'getThumbnail',
		compatibility: 'getCompatibility',
		influences: 'getInfluences',
		examples: 'listExamples',
		putExample: 'putExample',
		example: 'getExample',
		deleteExample: 'deleteExample',
		clips: 'listClips',
		putClip: 'putClip',
		clip: 'getClip',
		deleteClip: 'deleteClip',
		beginFit: 'beginFit',
		fits: 'listFits',
		fit: 'getFit',
		cancelFit: 'cancelFit',
		pose: 'postPose',
		vertices: 'postVertices',
		stream: 'postStream',
		streamState: 'getStream',
		changeStream: 'patchStream',
		endStream: 'deleteStream',
		frame: 'postFrame',
		frameLink: 'getFrame',
		frames: 'postFrames',
		framesLink: 'getFrames',
		motion: 'getMotion',
		signedFrame: 'getSignedFrame',
		bake: 'postBake',
		bakeLink: 'getBake',
		transitions: 'postTransitions',
		compress: 'postCompress',
		shaders: 'listShaders',
		shader: 'getShader',
		shaderInputs: 'postShaders',
		compare: 'postCompare',
		crowd: 'postCrowd',
		check: 'check',
		checkLink: 'checkRig',
		checkState: 'getCheck',
		checkReport: 'getCheckReport',
		cancelCheck: 'cancelCheck',
		checkRules: 'listCheckRules',
		checkProfile: 'getCheckProfile',
		checkSchema: 'getCheckSchema',
	};

	/**
	 * @param {string} [address] "http://HOST:PORT", also with a path; default: the origin of the page,
	 *   or http://127.0.0.1:8600
	 * @param {object} [options]
	 * @param {?string} [options.token] for daemons that require one
	 * @param {number} [options.patienceMs] for how long requests to a busy daemon (503, 429) are retried
	 * @param {import('./connection.js').Hooks['fetch']} [options.fetch] in place of the platform's
	 * @param {import('./connection.js').Hooks['askToken']} [options.askToken] asks the user for a token
	 * @param {import('./connection.js').Hooks['onBusy']} [options.onBusy] is called before each retry
	 * @param {import('./connection.js').Hooks['onAnswer']} [options.onAnswer] is called with each response
	 */
	constructor(address, { token = null, patienceMs = 30000, ...hooks } = {}) {
		const origin = globalThis.location?.origin ?? 'http://127.0.0.1:8600';
		this.#connection = new Connection(address ?? origin, token, patienceMs, hooks);
	}

	// --- Requests ---

	/** @param {string} path @param {Record<string, unknown>} [query] @param {CallOptions & {accept?: string}} [options] */
	#get(path, query, options) {
		const sent = { method: 'GET', query, accept: options?.accept };
		return this.#connection.call(path, sent, options);
	}

	/** @param {string} path @param {unknown} request @param {string} accept @param {CallOptions} [options] */
	#post(path, request, accept, options, method = 'POST') {
		const sent = { method, body: JSON.stringify(request), type: JSON_TYPE, accept };
		return this.#connection.call(path, sent, options);
	}

	/**
	 * @param {string} path @param {BodyInit} body @param {string} type
	 * @param {CallOptions & {keep?: boolean}} options @param {Record<string, unknown>} [query]
	 */
	async #put(path, body, type, options, query) {
		const sent = { method: 'PUT', body, type, query, keep: options.keep };
		return jsonOf(await this.#connection.call(path, sent, options));
	}

	/** @param {string} path @param {CallOptions} [options] */
	async #delete(path, options) {
		await textOf(await this.#connection.call(path, { method: 'DELETE' }, options));
	}

	// --- The service ---

	/**
	 * Version, renderer, skinning methods, pose operations, formats of assets and limits.
	 * @template {CallOptions} [O={}]
	 * @param {O} [options]
	 * @returns {Promise<Answer<Service, O>>}
	 */
	async service(options) {
		return jsonOf(await this.#get('/v1', {}, options));
	}

	/** True if the process responds; throws otherwise. @param {CallOptions} [options] */
	async isAlive(options) {
		await textOf(await this.#get('/healthz', {}, options));
		return true;
	}

	/** The health of a daemon that can render; otherwise throws Problem with the reason. @param {CallOptions} [options] */
	async ready(options) {
		return jsonOf(await this.#get('/readyz', {}, options));
	}

	/** Metrics in Prometheus's text format. @param {CallOptions} [options] */
	async metrics(options) {
		return textOf(await this.#get('/metrics', {}, options));
	}

	/** The page for browsers, as HTML. @param {CallOptions} [options] */
	async viewer(options) {
		return textOf(await this.#get('/', {}, options));
	}

	/** A script or module of that page, such as "viewer/main.js". @param {string} path @param {CallOptions} [options] */
	async script(path, options) {
		return textOf(await this.#get(`/js/${path}`, {}, options));
	}

	/** The description of the daemon's API: OpenAPI 3.1, as YAML. @param {CallOptions} [options] */
	async openapi(options) {
		return textOf(await this.#get('/openapi.yaml', {}, options));
	}

	// --- Rigs, their clips, examples and fits ---

	/**
	 * Summaries of all rigs, by name.
	 * @param {CallOptions} [options]
	 * @returns {Promise<RigSummary[]>}
	 */
	async rigs(options) {
		return (await jsonOf(await this.#get('/v1/rigs', {}, options))).rigs;
	}

	/**
	 * Stores an asset. Returns the summary; Problem 422 lists what is broken, 412 refuses to replace a rig.
	 * units ("m", "cm", "mm", "in", "ft", "0.0254") and up override what the file says; not for glTF.
	 * @param {string} rig
	 * @param {BodyInit | AssetFiles} asset a file; or files, of which one model or motion and those that
	 *   belong to it are sent as one archive
	 * @param {CallOptions & {keep?: boolean, units?: string, up?: 'x' | 'y' | 'z'}} [options]
	 * @returns {Promise<RigSummary>}
	 */
	async putRig(rig, asset, options = {}) {
		const { units, up } = options;
		return this.#put(rigPath(rig), await bodyOf(asset), OCTETS, options, { units, up });
	}

	/**
	 * Joints, primitives, clips, materials, warnings. bounds "clips": the box around each clip.
	 * @template {CallOptions & {bounds?: 'clips'}} [O={}]
	 * @param {string} rig @param {O} [options]
	 * @returns {Promise<Answer<RigDescription, O>>}
	 */
	async describe(rig, options) {
		return jsonOf(await this.#get(rigPath(rig), { bounds: options?.bounds }, options));
	}

	/** @param {string} rig @param {CallOptions} [options] */
	deleteRig(rig, options) {
		return this.#delete(rigPath(rig), options);
	}

	/**
	 * The stored file.
	 * @template {CallOptions} [O={}]
	 * @param {string} rig @param {O} [options]
	 * @returns {Promise<Answer<File, O>>}
	 */
	async source(rig, options) {
		return bytesOf(await this.#get(rigPath(rig, 'source'), {}, options));
	}

	/**
	 * The rest pose as one GLB, in the vertex order of vertices().
	 * @template {CallOptions} [O={}]
	 * @param {string} rig @param {O} [options]
	 * @returns {Promise<Answer<File, O>>}
	 */
	async mesh(rig, options) {
		return bytesOf(await this.#get(rigPath(rig, 'mesh.glb'), {}, options));
	}

	/**
	 * The picture that an avatar's file holds of it, PNG or JPEG.
	 * @template {CallOptions} [O={}]
	 * @param {string} rig @param {O} [options]
	 * @returns {Promise<Answer<File, O>>}
	 */
	async thumbnail(rig, options) {
		return bytesOf(await this.#get(rigPath(rig, 'thumbnail'), {}, options));
	}

	/**
	 * The joints and clips of another rig that a rig can use.
	 * @param {string} rig @param {string} other @param {CallOptions & {map?: 'auto' | 'name'}} [options]
	 */
	async compatibility(rig, other, options) {
		const query = { with: other, map: options?.map };
		return jsonOf(await this.#get(rigPath(rig, 'compatibility'), query, options));
	}

	/**
	 * The influence of a joint on each vertex; with `of: 'count'` that of all joints, how many there are, and with
	 * `of: 'colors'` their mixed colours, three numbers of linear light for each vertex.
	 * @template {CallOptions & {of?: 'weights' | 'support' | 'colors' | 'count'}} [O={}]
	 * @param {string} rig @param {?(string | number)} joint null = all
	 * @param {O} [options]
	 * @returns {Promise<Answer<Float32Array, O>>}
	 */
	async influences(rig, joint, options) {
		const query = { joint, of: options?.of };
		const bytes = await bytesOf(await this.#get(rigPath(rig, 'influences'), query, options));
		return bytes && new Float32Array(bytes);
	}

	/**
	 * @template {CallOptions} [O={}]
	 * @param {string} rig @param {O} [options]
	 * @returns {Promise<Answer<ExampleSummary[], O>>}
	 */
	async examples(rig, options) {
		const found = await jsonOf(await this.#get(rigPath(rig, 'examples'), {}, options));
		return found && found.examples;
	}

	/**
	 * Stores an example: a pose with its desired vertices, [vertices][3]; or with morph targets that
	 * produce them; or with a GLB's vertices; or with offsets, [vertex, x, y, z] in ascending
	 * order, from the result of the default method.
	 * @param {string} rig @param {string} name @param {Pose} pose
	 * @param {{positions?: Float32Array, normals?: Float32Array, targets?: object, glb?: BodyInit,
	 *   offsets?: number[][]}} example
	 * @param {CallOptions & {keep?: boolean}} [options]
	 * @returns {Promise<ExampleSummary>}
	 */
	putExample(rig, name, pose, { positions, normals, targets, glb, offsets }, options = {}) {
		const path = rigPath(rig, 'examples', name);
		if (targets || offsets) {
			return this.#put(path, JSON.stringify({ pose, targets, offsets }), JSON_TYPE, options);
		}
		const query = {
			pose: JSON.stringify(pose),
			attributes: normals && !glb ? 'position,normal' : undefined,
		};
		if (glb) return this.#put(path, glb, GLB, options, query);
		const streams = [positions, normals].filter((stream) => stream !== undefined);
		return this.#put(path, new Blob(/** @type {BlobPart[]} */ (streams)), OCTETS, options, query);
	}

	/** An example with its pose and vertices. @param {string} rig @param {string} name @param {CallOptions} [options] */
	async example(rig, name, options) {
		const path = rigPath(rig, 'examples', name);
		return jsonOf(await this.#get(path, {}, { accept: JSON_TYPE, ...options }));
	}

	/** @param {string} rig @param {string} name @param {CallOptions} [options] */
	deleteExample(rig, name, options) {
		return this.#delete(rigPath(rig, 'examples', name), options);
	}

	/**
	 * @template {CallOptions} [O={}]
	 * @param {string} rig @param {O} [options]
	 * @returns {Promise<Answer<ClipDescription[], O>>}
	 */
	async clips(rig, options) {
		const found = await jsonOf(await this.#get(rigPath(rig, 'clips'), {}, options));
		return found && found.clips;
	}

	/**
	 * Stores a clip: a baked pose expression, or a clip of a file.
	 * @param {string} rig @param {string} name
	 * @param {{pose: Pose, duration?: number, rate?: number} |
	 * {file: BodyInit | AssetFiles, clip?: string, map?: string | Record<string, string>,
	 * scale?: 'hips' | 'none' | number, rate?: number, units?: string, up?: 'x' | 'y' | 'z'}} clip map: 'auto', 'names', or their joints
	 * and ours
	 * @param {CallOptions & {keep?: boolean}} [options]
	 * @returns {Promise<ClipSummary>}
	 */
	async putClip(rig, name, clip, options = {}) {
		const path = rigPath(rig, 'clips', name);
		if (!('file' in clip)) return this.#put(path, JSON.stringify(clip), JSON_TYPE, options);
		const { file, map, ...query } = clip;
		const pairs = typeof map === 'object' ? JSON.stringify(map) : map;
		return this.#put(path, await bodyOf(file), OCTETS, options, { ...query, map: pairs });
	}

	/** A clip with its keys. @param {string} rig @param {string} name @param {CallOptions} [options] */
	async clip(rig, name, options) {
		const path = rigPath(rig, 'clips', name);
		return jsonOf(await this.#get(path, {}, { accept: JSON_TYPE, ...options }));
	}

	/**
	 * A clip as a GLB. prune: without the joints that the rig's description marks as needless; tolerance: with as
	 * few keys as so many metres allow.
	 * @template {CallOptions & {prune?: boolean, tolerance?: number}} [O={}]
	 * @param {string} rig @param {string} name @param {O} [options]
	 * @returns {Promise<Answer<File, O>>}
	 */
	async clipFile(rig, name, options) {
		const path = rigPath(rig, 'clips', name);
		const query = { prune: options?.prune, tolerance: options?.tolerance };
		return bytesOf(await this.#get(path, query, { accept: GLB, ...options }));
	}

	/** @param {string} rig @param {string} name @param {CallOptions} [options] */
	deleteClip(rig, name, options) {
		return this.#delete(rigPath(rig, 'clips', name), options);
	}

	/**
	 * Computes ahead the data that a skinning method needs for the rig.
	 * @param {string} rig @param {Skinning} skinning @param {CallOptions} [options]
	 * @returns {Promise<SkinningFit>}
	 */
	async beginFit(rig, skinning, options) {
		return jsonOf(await this.#post(rigPath(rig, 'fits'), skinning, JSON_TYPE, options));
	}

	/**
	 * @param {string} rig @param {CallOptions} [options]
	 * @returns {Promise<SkinningFit[]>}
	 */
	async fits(rig, options) {
		return (await jsonOf(await this.#get(rigPath(rig, 'fits'), {}, options))).fits;
	}

	/**
	 * @template {CallOptions} [O={}]
	 * @param {string} rig @param {string} id @param {O} [options]
	 * @returns {Promise<Answer<SkinningFit, O>>}
	 */
	async fit(rig, id, options) {
		return jsonOf(await this.#get(rigPath(rig, 'fits', id), {}, options));
	}

	/** @param {string} rig @param {string} id @param {CallOptions} [options] */
	cancelFit(rig, id, options) {
		return this.#delete(rigPath(rig, 'fits', id), options);
	}

	// --- Results ---

	/** Joints of a pose, or of each of many. @param {Subject & Poses & {space?: string}} request @param {CallOptions} [options] */
	async pose(request, options) {
		return jsonOf(await this.#post('/v1/pose', request, JSON_TYPE, options));
	}

	/**
	 * World matrices, [frames][joints][16], column-major.
	 * @template {CallOptions} [O={}]
	 * @param {Subject & Poses} request @param {O} [options]
	 * @returns {Promise<Answer<Float32Array, O>>}
	 */
	async matrices(request, options) {
		const bytes = await bytesOf(await this.#post('/v1/pose', request, OCTETS, options));
		return bytes && new Float32Array(bytes);
	}

	/**
	 * Skinned vertices.
	 * @template {CallOptions} [O={}]
	 * @param {VerticesRequest} request @param {O} [options]
	 * @returns {Promise<Answer<Vertices, O>>}
	 */
	async vertices(request, options) {
		const response = await this.#post('/v1/vertices', request, OCTETS, options);
		return /** @type {any} */ (response && (await verticesOf(response)));
	}

	/**
	 * The same, frame by frame as they arrive: each a Vertices of one frame. Leaving the loop cancels
	 * the daemon's work.
	 * @param {VerticesRequest} request @param {CallOptions} [options]
	 */
	async *verticesByFrame(request, options) {
		const response = await this.#post('/v1/vertices', request, OCTETS, options);
		if (response) yield* framesOf(response);
	}

	/**
	 * Vertices in real time, until the loop over them is left. skinning: one, or a list of
	 * several for each moment.
	 * @param {{rig: string, pose?: Pose, skinning?: Skinning | Skinning[], fps?: number, speed?: number,
	 *   time?: number, range?: ?import('./stream.js').Range, duration?: number, paused?: boolean,
	 *   attributes?: string[], [member: string]: any}} request
	 * @param {CallOptions} [options]
	 */
	async stream(request, options) {
		const response = await this.#post('/v1/stream', request, OCTETS, options);
		if (!response) throw new Error('a stream has no etag');
		const id = response.headers.get('Posed-Stream') ?? '';
		const ways = Array.isArray(request.skinning) ? request.skinning.length : 1;
		return new Stream(response, ways, {
			change: (members) => this.changeStream(id, members),
			state: () => this.streamState(id),
		});
	}

	/** The state of a stream. @param {string} id @param {CallOptions} [options] */
	async streamState(id, options) {
		return jsonOf(await this.#get(`/v1/streams/${encodeURIComponent(id)}`, {}, options));
	}

	/** Changes a stream from its next frame on. @param {string} id @param {object} members @param {CallOptions} [options] */
	async changeStream(id, members, options) {
		const path = `/v1/streams/${encodeURIComponent(id)}`;
		return jsonOf(await this.#post(path, members, JSON_TYPE, options, 'PATCH'));
	}

	/** Ends a stream. @param {string} id @param {CallOptions} [options] */
	endStream(id, options) {
		return this.#delete(`/v1/streams/${encodeURIComponent(id)}`, options);
	}

	/**
	 * One pose as a GLB.
	 * @template {CallOptions} [O={}]
	 * @param {VerticesRequest} request @param {O} [options]
	 * @returns {Promise<Answer<File, O>>}
	 */
	async meshOf(request, options) {
		return bytesOf(await this.#post('/v1/vertices', request, GLB, options));
	}

	/**
	 * A picture with its response headers.
	 * @template {CallOptions & {accept?: string}} [O={}]
	 * @param {FrameRequest} request @param {O} [options]
	 * @returns {Promise<Answer<Picture, O>>}
	 */
	async frame(request, options) {
		return blobOf(await this.#post('/v1/frame', request, options?.accept ?? PNG, options));
	}

	/**
	 * The URL of a picture, for <img>.
	 * @param {string} rig @param {Record<string, unknown>} [parameters] clip, time, width, yaw, …
	 * @param {string} [ending] of a picture format, such as "webp"
	 */
	frameUrl(rig, parameters, ending = 'png') {
		return this.#connection.url(rigPath(rig, `frame.${ending}`), parameters);
	}

	/**
	 * The picture at that URL.
	 * @template {CallOptions & {ending?: string}} [O={}]
	 * @param {string} rig @param {Record<string, unknown>} [parameters]
	 * @param {O} [options]
	 * @returns {Promise<Answer<Picture, O>>}
	 */
	async frameLink(rig, parameters, options) {
		const path = rigPath(rig, `frame.${options?.ending ?? 'png'}`);
		return blobOf(await this.#get(path, parameters, options));
	}

	/**
	 * A sequence as a Blob: an animated PNG unless accept or the request's format says otherwise.
	 * @template {CallOptions & {accept?: string}} [O={}]
	 * @param {{rig: string, [member: string]: any}} request times, turntable, poses, format, fps, …
	 * @param {O} [options]
	 * @returns {Promise<Answer<Picture, O>>}
	 */
	async frames(request, options) {
		return blobOf(await this.#post('/v1/frames', request, options?.accept ?? '*/*', options));
	}

	/**
	 * A sequence while it is rendered: fetch()'s own Response, whose `body` is a stream of bytes and whose
	 * headers have Posed-Frames and Posed-Fps. Cancelling the body cancels the daemon's work.
	 * @template {CallOptions & {accept?: string}} [O={}]
	 * @param {{rig: string, [member: string]: any}} request
	 * @param {O} [options]
	 * @returns {Promise<Answer<Response, O>>}
	 */
	async framesStream(request, options) {
		const response = await this.#post('/v1/frames', request, options?.accept ?? '*/*', options);
		return /** @type {any} */ (response);
	}

	/**
	 * The URL of a sequence, for <img> and <video>.
	 * @param {string} rig @param {Record<string, unknown>} [query] clip, count, turntable, width, …
	 * @param {string} [ending] "apng", "webp", "gif", "mp4", "webm", "multipart", …
	 */
	framesUrl(rig, query, ending = 'apng') {
		return this.#connection.url(rigPath(rig, `frames.${ending}`), query);
	}

	/**
	 * The sequence at that URL.
	 * @template {CallOptions & {ending?: string}} [O={}]
	 * @param {string} rig @param {Record<string, unknown>} [query] clip, count, turntable, width, …
	 * @param {O} [options]
	 * @returns {Promise<Answer<Picture, O>>}
	 */
	async framesLink(rig, query, options) {
		const path = rigPath(rig, `frames.${options?.ending ?? 'apng'}`);
		return blobOf(await this.#get(path, query, options));
	}

	/**
	 * The picture of a signed link; see signedPath().
	 * @template {CallOptions} [O={}]
	 * @param {string} rig @param {Record<string, string | number>} parameters
	 * @param {Parameters<typeof signedPath>[2]} [secret] @param {O} [options]
	 * @returns {Promise<Answer<Picture, O>>}
	 */
	async signedFrame(rig, parameters, secret, options) {
		const path = await signedPath(rig, parameters, secret);
		return blobOf(await this.#get(path, {}, options));
	}

	/**
	 * A motion as a file that plays without posed: a GLB ("morph", "joints"), a tar, or text (Prism, BVH).
	 * @template {CallOptions} [O={}]
	 * @param {{rig: string, as: 'vertex_texture' | 'joint_texture' | 'morph' | 'joints' | 'playback' | 'pia' | 'pis' | 'bvh', [member: string]: any}} request
	 * @param {O} [options]
	 * @returns {Promise<Answer<File, O>>}
	 */
	async bake(request, options) {
		return bytesOf(await this.#post('/v1/bake', request, '*/*', options));
	}

	/**
	 * The same by a link, which browsers cache; for good if content, the rig's as described, is given.
	 * @template {CallOptions & {content?: string}} [O={}]
	 * @param {{rig: string, as: string, [member: string]: any}} request
	 * @param {O} [options]
	 * @returns {Promise<Answer<File, O>>}
	 */
	async bakeLink(request, options) {
		const content = options?.content?.replace('sha256:', '');
		const query = { request: JSON.stringify(request), content };
		return bytesOf(await this.#get('/v1/bake', query, options));
	}

	/**
	 * A clip as a file of motion alone.
	 * @template {CallOptions & {ending?: string}} [O={}]
	 * @param {string} rig @param {Record<string, unknown>} [query] clip, duration, rate, name, …; ending: "pia", "pis"
	 * @param {O} [options]
	 * @returns {Promise<Answer<File, O>>}
	 */
	async motion(rig, query, options) {
		const path = rigPath(rig, `motion.${options?.ending ?? 'pia'}`);
		return bytesOf(await this.#get(path, query, options));
	}

	/** The points where one clip can continue as another. @param {{rig: string, from: string, to: string, [member: string]: any}} request @param {CallOptions} [options] */
	async transitions(request, options) {
		return jsonOf(await this.#post('/v1/transitions', request, JSON_TYPE, options));
	}

	/**
	 * Clips, or a baked pose, as a compressed file (.pclip), or with codec 'keys' as a GLB with few keys.
	 * headers: Posed-Error, the greatest error in metres.
	 * @template {CallOptions} [O={}]
	 * @param {CompressRequest} request
	 * @param {O} [options]
	 * @returns {Promise<Answer<File, O>>}
	 */
	async compress(request, options) {
		return bytesOf(await this.#post('/v1/compress', request, `${PCLIP}, ${GLB}`, options));
	}

	/**
	 * The bytes and errors of such a file.
	 * @template {CallOptions} [O={}]
	 * @param {CompressRequest} request
	 * @param {O} [options]
	 * @returns {Promise<Answer<CompressReport, O>>}
	 */
	async compressReport(request, options) {
		return jsonOf(await this.#post('/v1/compress', request, JSON_TYPE, options));
	}

	/**
	 * Both, with an event when each clip is done; "end" has the report, and the file with its type. Leaving the
	 * loop ends the daemon's work.
	 * @param {CompressRequest} request @param {CallOptions} [options]
	 * @returns {AsyncGenerator<CompressEvent, void, void>}
	 */
	async *compressEvents(request, options) {
		const response = await this.#post('/v1/compress', request, EVENTS, options);
		/** @type {AsyncGenerator<CompressEvent, void, void>} */
		const events = eventsOf(/** @type {Response} */ (response));
		for await (const event of events) {
			if (event.event === 'end') event.file = Uint8Array.from(atob(event.file), (c) => c.charCodeAt(0)).buffer;
			yield event;
		}
	}

	/**
	 * The skinning methods whose shaders can be exported.
	 * @param {CallOptions} [options]
	 * @returns {Promise<{method: string, title: string, versions: string[], functions: string[]}[]>}
	 */
	async shaders(options) {
		const found = await jsonOf(await this.#get('/v1/shaders', {}, options));
		return found && found.shaders;
	}

	/**
	 * The functions of a method's shaders, without main(). version: "300" for vertex shaders, "310" for
	 * compute shaders.
	 * @param {string} method @param {CallOptions & {version?: '300' | '310'}} [options]
	 */
	async shader(method, options) {
		const path = `/v1/shaders/${encodeURIComponent(method)}`;
		return textOf(await this.#get(path, { version: options?.version }, options));
	}

	/**
	 * The inputs of those functions for a rig in a pose.
	 * @param {{rig: string, pose?: Pose, skinning?: Skinning, buffers?: string[]}} request
	 * @param {CallOptions} [options]
	 */
	async shaderInputs(request, options) {
		return jsonOf(await this.#post('/v1/shaders', request, JSON_TYPE, options));
	}

	/**
	 * Compares skinning methods, as numbers; accept "image/png": as a picture.
	 * @param {{rig: string, pose?: Pose, methods: Skinning[], [member: string]: any}} request
	 * @param {CallOptions & {accept?: string}} [options]
	 * @returns {Promise<any>}
	 */
	async compare(request, options) {
		const accept = options?.accept ?? JSON_TYPE;
		const response = await this.#post('/v1/compare', request, accept, options);
		return accept === JSON_TYPE ? jsonOf(response) : blobOf(response);
	}

	/**
	 * Many figures in one picture; accept "application/json": their vertices as JSON,
	 * "application/octet-stream": as float32.
	 * @param {{instances: object[], [member: string]: any}} request
	 * @param {CallOptions & {accept?: string}} [options]
	 * @returns {Promise<any>}
	 */
	async crowd(request, options) {
		const accept = options?.accept ?? PNG;
		const response = await this.#post('/v1/crowd', request, accept, options);
		if (accept === JSON_TYPE) return jsonOf(response);
		return accept === OCTETS ? bytesOf(response) : blobOf(response);
	}

	// --- Checks ---

	/** @param {CheckRequest} request @param {string} accept @param {CallOptions} [options] */
	async #check({ asset, ...request }, accept, options, async = false) {
		const sent = asset
			? { body: await bodyOf(asset), type: OCTETS, query: request }
			: { body: JSON.stringify(request), type: JSON_TYPE };
		const whole = { method: 'POST', accept, async, ...sent };
		return this.#connection.call('/v1/checks', whole, options);
	}

	/**
	 * The faults of rigs, or of an asset that is not stored, when they move.
	 * @template {CallOptions} [O={}]
	 * @param {CheckRequest} request @param {O} [options]
	 * @returns {Promise<Answer<CheckReport, O>>}
	 */
	async check(request, options) {
		return jsonOf(await this.#check(request, JSON_TYPE, options));
	}

	/**
	 * The same as a file: "application/sarif+json", "application/junit+xml", "text/html", …
	 * @template {CallOptions} [O={}]
	 * @param {CheckRequest} request @param {string} accept @param {O} [options]
	 * @returns {Promise<Answer<File, O>>}
	 */
	async checkFile(request, accept, options) {
		return bytesOf(await this.#check(request, accept, options));
	}

	/**
	 * The events of a check as they happen, until "end". Leaving the loop ends the daemon's work.
	 * @param {CheckRequest} request @param {CallOptions} [options]
	 * @returns {AsyncGenerator<CheckEvent, void, void>}
	 */
	async *checkEvents(request, options) {
		const response = await this.#check(request, EVENTS, options);
		yield* eventsOf(/** @type {Response} */ (response));
	}

	/**
	 * The same in the background: a task for checkState(), or at once the report where that is cached.
	 * @param {CheckRequest} request @param {CallOptions} [options]
	 * @returns {Promise<CheckTask | CheckReport>}
	 */
	async beginCheck(request, options) {
		return jsonOf(await this.#check(request, JSON_TYPE, options, true));
	}

	/**
	 * @param {string} id @param {CallOptions} [options]
	 * @returns {Promise<CheckTask>}
	 */
	async checkState(id, options) {
		return jsonOf(await this.#get(`/v1/checks/${encodeURIComponent(id)}`, {}, options));
	}

	/**
	 * The report of a check in the background.
	 * @template {CallOptions} [O={}]
	 * @param {string} id @param {O} [options]
	 * @returns {Promise<Answer<CheckReport, O>>}
	 */
	async checkReport(id, options) {
		return jsonOf(await this.#get(`/v1/checks/${encodeURIComponent(id)}/report`, {}, options));
	}

	/** @param {string} id @param {CallOptions} [options] */
	cancelCheck(id, options) {
		return this.#delete(`/v1/checks/${encodeURIComponent(id)}`, options);
	}

	/**
	 * The URL of a rig's report, which is a page in browsers.
	 * @param {string} rig @param {Record<string, unknown>} [query] profile, only, skip, clips, timing
	 */
	checkUrl(rig, query) {
		return this.#connection.url(rigPath(rig, 'check'), query);
	}

	/**
	 * The report at that URL.
	 * @template {CallOptions} [O={}]
	 * @param {string} rig @param {Record<string, unknown>} [query] @param {O} [options]
	 * @returns {Promise<Answer<CheckReport, O>>}
	 */
	async checkLink(rig, query, options) {
		const accepting = { ...options, accept: JSON_TYPE };
		return jsonOf(await this.#get(rigPath(rig, 'check'), query, accepting));
	}

	/**
	 * The rules, with the limits of every profile.
	 * @param {CallOptions} [options]
	 * @returns {Promise<{id: string, unit: string, profiles: Record<string, any>, [member: string]: any}[]>}
	 */
	async checkRules(options) {
		const found = await jsonOf(await this.#get('/v1/checks/rules', {}, options));
		return found && found.rules;
	}

	/**
	 * A profile as a rules file, to be changed and passed to check().
	 * @param {string} name @param {CallOptions} [options]
	 * @returns {Promise<{version: number, [member: string]: any}>}
	 */
	async checkProfile(name, options) {
		const path = `/v1/checks/profiles/${encodeURIComponent(name)}`;
		return jsonOf(await this.#get(path, {}, options));
	}

	/**
	 * The JSON schema of rules files.
	 * @param {CallOptions} [options]
	 * @returns {Promise<{[member: string]: any}>}
	 */
	async checkSchema(options) {
		return jsonOf(await this.#get('/v1/checks/schema', {}, options));
	}
}
