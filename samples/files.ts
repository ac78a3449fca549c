// All files that are made from the samples' descriptions, by their path in this folder. The crate and package writers
// are the tests' own.

import { Diagnostics } from '../src/diagnostics/diagnostic.ts';
import type { Value } from '../src/importers/usd/layer.ts';
import { readUsda } from '../src/importers/usd/text/readUsda.ts';
import { writeCrate } from '../test/importers/usd/crateWriter.ts';
import { writeUsdz } from '../test/importers/usdz/usdzWriter.ts';
import { writeCharacterGlb } from './characterGltf.ts';
import { courtyard as courtyardScene } from './courtyard.ts';
import { gltfDocument, writeGlb } from './gltf.ts';
import { headGlb } from './head.ts';
import { sprout } from './sprout.ts';
import { stageText } from './stage.ts';
import { town } from './town.ts';
import { usdaText } from './usda.ts';

/** The layer of a text as a crate of the version that most exporters write. */
function crateOf(text: string): Uint8Array {
  const layer = readUsda(new TextEncoder().encode(text), 'courtyard.usda', new Diagnostics());
  const specs: Record<string, Record<string, Value>> = {};
  for (const [path, spec] of layer.specs) {
    specs[path] = Object.fromEntries(spec.fieldNames().map((name) => [name, spec.get(name) as Value]));
  }
  return writeCrate(specs, { version: '0.8.0', compressArrays: true });
}

/**
 * The courtyard as USDZ (a crate inside), USD text, GLB and glTF; the town as USD text; the textures of both; Sprout and
 * the head as GLB. `packed` gives textures as they are packed already, by name: other versions of zlib pack the same texels otherwise.
 */
export function sampleFiles(packed: Readonly<Record<string, Buffer>> = {}): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const repacked = (textures: Readonly<Record<string, Buffer>>) =>
    Object.fromEntries(Object.entries(textures).map(([name, bytes]) => [name, packed[name] ?? bytes]));
  const courtyard = { ...courtyardScene, textures: repacked(courtyardScene.textures) };
  const put = (path: string, content: Uint8Array | string) =>
    files.set(path, typeof content === 'string' ? new TextEncoder().encode(content) : content);
  for (const textures of [courtyard.textures, repacked(town.textures)]) {
    for (const [name, bytes] of Object.entries(textures)) put(`textures/${name}`, bytes);
  }
  put('usda/courtyard.usda', usdaText(courtyard, '../textures/'));
  put(
    'courtyard.usdz',
    writeUsdz([
      { name: 'courtyard.usdc', bytes: crateOf(usdaText(courtyard, 'textures/')) },
      ...Object.entries(courtyard.textures).map(([name, bytes]) => ({ name: `textures/${name}`, bytes })),
    ]),
  );
  put('glb/courtyard.glb', writeGlb(courtyard));
  const { json, bin } = gltfDocument(courtyard, '../textures');
  const buffers = [{ byteLength: bin.length, uri: 'courtyard.bin' }];
  put('gltf/courtyard.gltf', `${JSON.stringify({ ...json, buffers }, null, 1)}\n`);
  put('gltf/courtyard.bin', bin);
  put('usda/town.usda', stageText(town, '../textures/'));
  put('glb/sprout.glb', writeCharacterGlb(sprout));
  put('glb/head.glb', headGlb());
  return files;
}
