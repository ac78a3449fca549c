// What the texts of the formats say of the kinds of files: the literals that test/formats/kinds.test.ts holds the table of kinds
// against. Each folder of test/formats has those of its own format in kinds.ts, so that a new format adds them there.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { KindId } from '../../src/formats/kinds.ts';

/** Extensions, and a file that begins as the format says. */
export type LiteralKinds = Readonly<Partial<Record<KindId, readonly [extensions: string, begin: string]>>>;

/** Of scenes that are read and not written here. */
const SOURCES: LiteralKinds = {
  usda: ['.usd .usda', '#usda 1.0\n'],
  usdc: ['.usd .usdc', 'PXR-USDC\0\x08'],
  usdz: ['.usdz', 'PK\x03\x04\x0a\0'],
  gltf: ['.gltf', ' \n{"asset": {"version": "2.0"}}'],
};

/** Of every folder that states some. */
export async function literalKinds(): Promise<LiteralKinds> {
  const literals: LiteralKinds[] = [SOURCES];
  for (const folder of readdirSync(import.meta.dirname).sort()) {
    const file = join(import.meta.dirname, folder, 'kinds.ts');
    if (existsSync(file)) literals.push((await import(file)).LITERALS);
  }
  return Object.assign({}, ...literals);
}
