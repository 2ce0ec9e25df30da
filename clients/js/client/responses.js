// Types of the daemon's JSON responses, as protocol/openapi.yaml of posed describes them.

/**
 * @typedef {[number, number, number]} Vector3
 * @typedef {[number, number, number, number]} Quaternion x, y, z, w
 * @typedef {{min: Vector3, max: Vector3}} Box in the world
 */

/**
 * @typedef {object} Service
 * @property {'posed'} name
 * @property {string} version
 * @property {{vendor: string, renderer: string, version: string, device: 'gpu' | 'cpu' | 'software' | 'none'}} renderer
 * @property {MethodDescription[]} skinning_methods
 * @property {{name: string, title: string}[]} pose_operations
 * @property {AssetFormat[]} formats
 * @property {string[]} check_profiles from the most tolerant on
 * @property {Record<string, number>} limits
 */

/**
 * A format of assets that the daemon reads.
 *
 * @typedef {object} AssetFormat
 * @property {string} name
 * @property {string} title
 * @property {string[]} endings with their dots
 * @property {string} media_type
 * @property {('meshes' | 'skins' | 'morphs' | 'clips' | 'materials')[]} carries besides joints
 */

/**
 * @typedef {object} MethodDescription
 * @property {string} id
 * @property {string} title
 * @property {('gpu' | 'cpu')[]} device
 * @property {boolean} cuts_mesh it skins vertices of its own instead of the rig's
 * @property {('examples' | 'clip')[]} needs its prerequisites of a rig
 * @property {string[]} normals
 * @property {MethodOption[]} options
 *
 * @typedef {object} MethodOption
 * @property {string} name
 * @property {string} title
 * @property {'number' | 'integer' | 'boolean' | 'choice'} type
 * @property {number} [least]
 * @property {number} [most]
 * @property {string[]} [choices]
 * @property {number | string | boolean} default
 */

/**
 * @typedef {object} RigSummary
 * @property {string} name
 * @property {?string} content "sha256:…"; null = damaged
 * @property {number} vertices
 * @property {number} joints
 * @property {number} clips
 * @property {boolean} [damaged] the disk has lost or changed what was stored; the numbers are 0
 * @property {string[]} [warnings] of putRig(), about the rig's examples and clips
 */

/**
 * @typedef {object} RigDescription
 * @property {string} name
 * @property {string} content "sha256:…"
 * @property {number} bytes of the asset
 * @property {?Box} bounds of the rest pose; null = there are no vertices
 * @property {JointDescription[]} joints all nodes of the asset's tree, parents before children
 * @property {PrimitiveDescription[]} primitives in the order of their vertices
 * @property {number} vertices
 * @property {number} triangles
 * @property {ClipDescription[]} clips those of the file, then those stored beside it
 * @property {any[]} materials
 * @property {any[]} lights
 * @property {any[]} cameras
 * @property {string[]} warnings
 * @property {string[]} variants of the materials, in the file's order
 * @property {string[]} examples
 * @property {{methods: string[], default: string}} skinning
 * @property {HumanoidDescription} [humanoid] of a VRM avatar, as all that follow
 * @property {ExpressionDescription[]} [expressions]
 * @property {?any} [look_at] how the gaze moves the eyes; null = the file does not say
 * @property {any[]} [constraints] joints that others turn, each after those that it depends on
 * @property {any[]} [springs]
 * @property {{[key: string]: string | number | boolean | string[]}} [meta] the file's own keys
 * @property {?string} [thumbnail] the path of the file's own picture; null = it has none
 *
 * @typedef {object} HumanoidDescription
 * @property {string} version of VRM
 * @property {'+z' | '-z'} front that the avatar faces at rest
 * @property {{[bone: string]: string}} bones the joints by VRM 1.0's names of bones
 *
 * @typedef {object} ExpressionDescription
 * @property {string} name
 * @property {?string} preset null = it is an author's own
 * @property {boolean} binary on above a weight of 0.5, and otherwise off
 * @property {{blink: string, look_at: string, mouth: string}} overrides none, block or blend
 *
 * @typedef {object} JointDescription
 * @property {string} name
 * @property {number} index of the node in the file
 * @property {number} parent index of the parent node in the file; -1 for a root
 * @property {Vector3} translation
 * @property {Quaternion} rotation
 * @property {Vector3} scale
 * @property {number[]} [weights] morph weights at rest, of a node whose mesh has morph targets
 *
 * @typedef {object} PrimitiveDescription
 * @property {number} node index in the file
 * @property {number} mesh index in the file
 * @property {number} primitive index in the mesh
 * @property {number} first_vertex
 * @property {number} vertex_count
 * @property {number} index_count
 * @property {boolean} skinned
 * @property {number} material index; -1 = glTF's default material
 */

/**
 * @typedef {object} ClipDescription
 * @property {string} name
 * @property {number} index
 * @property {number} duration seconds
 * @property {number} channels
 * @property {number} bytes of all its keys
 * @property {true} [stored] it is stored beside the file
 * @property {ClipCompression} [compressed] it is stored compressed
 * @property {?Box} [bounds] over the whole clip, if requested
 */

/**
 * A clip that is stored compressed; lengths are metres.
 * @typedef {object} ClipCompression
 * @property {number} bytes
 * @property {number} tolerance
 * @property {number} error the greatest
 * @property {number} shell the distance from joints at which it is measured
 */

/**
 * @typedef {object} ClipSummary
 * @property {string} name
 * @property {string} content "sha256:…"
 * @property {number} duration seconds
 * @property {number} channels
 * @property {number} bytes of all its keys
 * @property {ClipCompression} [compressed] it is stored compressed
 * @property {string} [raw] the reason why a baked clip keeps all keys although it should be compressed
 * @property {string[]} dropped joints of the file's clip without a match in the rig
 * @property {string} [animation] of a file: the clip's name in it
 * @property {boolean} [retargeted] of a file; otherwise its keys are unchanged
 * @property {number} [confidence] from 0 to 1, that the file's clip can move the rig
 * @property {number} [scale] of translations
 * @property {{ours: string, theirs: string, how: string, confidence: number}[]} [pairs] of joints
 * @property {string[]} [resting] joints of the rig without a match in the file
 * @property {string[]} [warnings] of the file, and of what the clip does not carry
 */

/**
 * @typedef {object} ExampleSummary
 * @property {string} name
 * @property {string} content "sha256:…", of pose and vertices
 * @property {import('./client.js').Pose} pose
 * @property {number} vertices
 * @property {number} bytes of the octets
 * @property {boolean} normals it has them
 */

/**
 * @typedef {object} SkinningFit
 * @property {string} id
 * @property {string} method
 * @property {Record<string, number | boolean | string>} options
 * @property {'waiting' | 'running' | 'done' | 'failed' | 'cancelled'} state
 * @property {number} progress 0 to 1
 * @property {?{max: number, rms: number}} residual once it is done; null if nothing is fitted
 * @property {string[]} flags
 * @property {number} fallback_vertices
 * @property {{count: number, vertices: number, gained: number, fewest_joints: number, most_joints: number}} [batches]
 *   into which the mesh is cut
 * @property {{type: string, title: string, detail: string}} [error] why it failed
 */

/**
 * @typedef {object} CheckTask
 * @property {string} id
 * @property {'waiting' | 'running' | 'done' | 'failed' | 'cancelled'} state
 * @property {number} progress 0 to 1
 * @property {number} clips_done
 * @property {number} clips as far as is known
 * @property {{type: string, title: string, detail: string}} [error] why it failed
 */

/**
 * @typedef {object} CheckSummary
 * @property {number} files
 * @property {number} errors
 * @property {number} warnings
 * @property {number} notes
 * @property {number} suppressed
 * @property {number} [new] beside a baseline: new and worse ones
 * @property {'ok' | 'note' | 'warning' | 'error'} worst
 * @property {'ok' | 'note' | 'warning' | 'error' | 'refused'} verdict
 */

/**
 * @typedef {object} CheckFinding
 * @property {string} rule "motion/pop"
 * @property {'note' | 'warning' | 'error'} level
 * @property {string} message a sentence for people
 * @property {string} [clip]
 * @property {number} [time] seconds into the clip
 * @property {number} [sample]
 * @property {string} [joint]
 * @property {number} [joint_index]
 * @property {string} [material]
 * @property {number} [value] absent if it is no number
 * @property {string} unit "L": lengths of the figure
 * @property {number} [absolute] in the asset's unit, where unit is "L"
 * @property {number} [threshold]
 * @property {number} [count] of findings at this place, of which this is the worst
 * @property {Record<string, number>} [params]
 * @property {string} [pointer] into the asset's glTF
 * @property {number[]} [vertices]
 * @property {number[]} [triangles]
 * @property {string} fingerprint
 * @property {'new' | 'unchanged' | 'updated' | 'absent'} [state] beside a baseline
 * @property {string} [suppressed] the reason
 * @property {any} [evidence]
 * @property {string} [khronos] code of Khronos' validator
 * @property {string} [help]
 * @property {string} [fix] what to do
 */

/**
 * @typedef {object} CheckFile
 * @property {string} path a rig's name, or the path that was given
 * @property {string} [content] "sha256:…"
 * @property {number} [length] of the figure
 * @property {string} [refused] why it cannot be read
 * @property {Box} [bounds] over all clips
 * @property {any[]} clips
 * @property {CheckFinding[]} findings errors first
 * @property {any} [versions] beside an earlier version: what each has by itself, and which is better
 * @property {any[]} measurements
 * @property {any[]} skipped rules that could not be applied, with the reason
 * @property {any[]} more findings that are not listed
 * @property {string[]} not_covered
 * @property {any} [timing]
 */

/**
 * @typedef {object} CheckReport
 * @property {'posed-check/1'} schema
 * @property {string} build
 * @property {{name: string, digest: string}} profile
 * @property {string} skinning
 * @property {CheckSummary} summary
 * @property {string[]} remarks
 * @property {string[]} new_rules
 * @property {any[]} rules
 * @property {CheckFile[]} files
 */

/**
 * @typedef {object} CompressReport
 * @property {string} rig
 * @property {string} codec
 * @property {'shell' | 'skin'} metric
 * @property {number} shell metres
 * @property {number} [segment] samples, of .pclip files
 * @property {number} bytes of the file
 * @property {number} raw_bytes of all clips' keys as float32
 * @property {{name: string, bytes: number, raw_bytes: number, samples: number, keys?: number, left?: boolean, rate: number, duration: number, tolerance: number, error: any, shell_error?: any, skin_error?: any}[]} clips keys and left of GLBs
 */

/**
 * clip: done, of, ms; end: report (CompressReport), type, file (ArrayBuffer); failed is thrown as a Problem.
 * @typedef {{event: 'start' | 'clip' | 'end' | 'failed', [member: string]: any}} CompressEvent
 */

/**
 * @typedef {{event: 'start' | 'clip' | 'finding' | 'file' | 'end', [member: string]: any}} CheckEvent
 */

export {};
