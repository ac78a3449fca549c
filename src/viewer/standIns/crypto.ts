// Stands for node:crypto in the browser: what the readers call of it. The build puts it in its place (viewer.config.mjs).

import { Sha256 } from './sha256.ts';

export function createHash(algorithm: string): Sha256 {
  if (algorithm !== 'sha256') throw new Error(`no ${algorithm} in the browser`);
  return new Sha256();
}
