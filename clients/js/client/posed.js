// The client of posed, the pose daemon, for browsers and Node: all exports of the package.
export { packAsset } from './assets.js';
export { Client } from './client.js';
export { ConnectionFailed, Problem } from './errors.js';
export { signedPath } from './links.js';
export { decodeVertices } from './meshopt.js';
export { PclipFile } from './pclip.js';
export { Stream, StreamFrame } from './stream.js';
export { Vertices } from './vertices.js';

/**
 * @typedef {import('./assets.js').AssetFiles} AssetFiles
 * @typedef {import('./client.js').Pose} Pose
 * @typedef {import('./client.js').Skinning} Skinning
 * @typedef {import('./client.js').Subject} Subject
 * @typedef {import('./client.js').VerticesRequest} VerticesRequest
 * @typedef {import('./client.js').FrameRequest} FrameRequest
 * @typedef {import('./client.js').CheckRequest} CheckRequest
 * @typedef {import('./client.js').Picture} Picture
 * @typedef {import('./client.js').File} File
 * @typedef {import('./responses.js').CheckEvent} CheckEvent
 * @typedef {import('./responses.js').CheckFile} CheckFile
 * @typedef {import('./responses.js').CheckFinding} CheckFinding
 * @typedef {import('./responses.js').CheckReport} CheckReport
 * @typedef {import('./responses.js').CheckTask} CheckTask
 * @typedef {import('./responses.js').ClipDescription} ClipDescription
 * @typedef {import('./responses.js').ClipSummary} ClipSummary
 * @typedef {import('./responses.js').ExampleSummary} ExampleSummary
 * @typedef {import('./responses.js').JointDescription} JointDescription
 * @typedef {import('./responses.js').MethodDescription} MethodDescription
 * @typedef {import('./responses.js').PrimitiveDescription} PrimitiveDescription
 * @typedef {import('./responses.js').RigDescription} RigDescription
 * @typedef {import('./responses.js').RigSummary} RigSummary
 * @typedef {import('./responses.js').Service} Service
 * @typedef {import('./responses.js').SkinningFit} SkinningFit
 * @typedef {import('./connection.js').CallOptions} CallOptions
 * @typedef {import('./connection.js').Hooks} Hooks
 * @typedef {import('./errors.js').ProblemDocument} ProblemDocument
 * @typedef {import('./layout.js').Layout} Layout
 * @typedef {import('./pclip.js').PclipClip} PclipClip
 * @typedef {import('./pclip.js').PclipJoint} PclipJoint
 * @typedef {import('./pclip.js').PclipPose} PclipPose
 * @typedef {import('./stream.js').Moment} Moment
 * @typedef {import('./stream.js').Range} Range
 */
