// The client of posed, the pose daemon, for browsers and Node: everything that the package gives.
export { Client } from './client.js';
export { ConnectionFailed, Problem } from './errors.js';
export { signedPath } from './links.js';
export { decodeVertices } from './meshopt.js';
export { Stream, StreamFrame } from './stream.js';
export { Vertices } from './vertices.js';
