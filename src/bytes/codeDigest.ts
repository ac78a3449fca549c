// Which code this is, for keys of caches: what one version of the program made says nothing about what another would make.

import { randomUUID } from 'node:crypto';

declare const __UNTOLD_CODE__: string | undefined;

/**
 * SHA-256 over the sources and the versions of all packages, which the bundler puts in. Sources that run without a bundle
 * may change at any time: each process then has a value of its own and finds only its own entries.
 */
export const CODE_DIGEST = typeof __UNTOLD_CODE__ === 'string' ? __UNTOLD_CODE__ : `unbundled ${randomUUID()}`;
