// Writes the sample scenes anew: `npm run samples`. The same courtyard as USDZ (a crate inside), USD text, GLB and glTF.
// The crate and package writers are the tests' own.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Diagnostics } from '../src/diagnostics/diagnostic.ts';
import type { Value } from '../src/importers/usd/layer.ts';
import { readUsda } from '../src/importers/usd/text/readUsda.ts';
import { writeCrate } from '../test/importers/usd/crateWriter.ts';
import { writeUsdz } from '../test/importers/usdz/usdzWriter.ts';
import { courtyard } from './courtyard.ts';
import { gltfDocument, writeGlb } from './gltf.ts';
import { usdaText } from './usda.ts';

const here = dirname(fileURLToPath(import.meta.url));

function write(path: string, bytes: Uint8Array | string): void {
  const place = join(here, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, bytes);
}

/** The layer of a text as a crate of the version that most exporters write. */
function crateOf(text: string): Uint8Array {
  const layer = readUsda(new TextEncoder().encode(text), 'courtyard.usda', new Diagnostics());
  const specs: Record<string, Record<string, Value>> = {};
  for (const [path, spec] of layer.specs) {
    specs[path] = Object.fromEntries(spec.fieldNames().map((name) => [name, spec.get(name) as Value]));
  }
  return writeCrate(specs, { version: '0.8.0', compressArrays: true });
}

const textures = Object.entries(courtyard.textures);
for (const [name, bytes] of textures) write(`textures/${name}`, bytes);

write('usda/courtyard.usda', usdaText(courtyard, '../textures/'));
write(
  'courtyard.usdz',
  writeUsdz([
    { name: 'courtyard.usdc', bytes: crateOf(usdaText(courtyard, 'textures/')) },
    ...textures.map(([name, bytes]) => ({ name: `textures/${name}`, bytes })),
  ]),
);
write('glb/courtyard.glb', writeGlb(courtyard));
const { json, bin } = gltfDocument(courtyard, '../textures');
write(
  'gltf/courtyard.gltf',
  `${JSON.stringify({ ...json, buffers: [{ byteLength: bin.length, uri: 'courtyard.bin' }] }, null, 1)}\n`,
);
write('gltf/courtyard.bin', bin);
