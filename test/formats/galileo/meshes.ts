// Small Galileo meshes for tests: fixtures of another writer, and values.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { xxh3 } from '../../../src/formats/galileo/checksum.ts';
import type { GalileoGroup } from '../../../src/formats/galileo/types.ts';
import type { GalileoContent } from '../../../src/formats/galileo/write.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures/galileo');
export const fixture = (name: string) => new Uint8Array(readFileSync(join(FIXTURES, name)));
export const FIXTURE_NAMES = readdirSync(FIXTURES).filter((name) => name.endsWith('.gali'));
export const GOOD = FIXTURE_NAMES.filter((name) => name.startsWith('good_'));

/** A triangle from (0, 0, 0) to (1, 0, 0) and (0, 1, 0) that looks along +Z. */
export const TRIANGLE: GalileoGroup = {
  indices: Uint32Array.of(0, 1, 2),
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1),
  tangents: Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1),
  texcoords: [],
  colors: [],
  joints: [],
  weights: [],
  extensionChannels: 0,
  extensionAttributes: new Uint8Array(0),
  firstExtension: null,
};

export const UUID = Uint8Array.from(Buffer.from('00112233445546778899aabbccddeeff', 'hex'));

export const mesh = (
  groups: readonly GalileoGroup[] = [TRIANGLE],
  more: Partial<GalileoContent> = {},
): GalileoContent => ({ identity: { uuid: UUID }, groups, extensions: [], firstExtension: null, ...more });

/** Puts the checksum of the body into the header. */
export async function rehash(file: Uint8Array): Promise<Uint8Array> {
  file.set(await xxh3(file.subarray(36)), 28);
  return file;
}
