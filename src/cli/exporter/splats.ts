// Splats are refused before a reader calls them damaged.

import { extname } from 'node:path';
import { diagnostic, SourceError } from '../../index.ts';

const SPLATS = ['.ply', '.spz', '.untoldgs'];

/** Throws UC1046 for a source or an output of splats. */
export function refuseSplats(...paths: readonly string[]): void {
  const path = paths.find((one) => SPLATS.includes(extname(one).toLowerCase()));
  if (path !== undefined) throw new SourceError(diagnostic('UC1046', path, '', `${extname(path)} holds splats`));
}
