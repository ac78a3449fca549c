// The check of USDZ packages, and packing: a layer that is damaged ends in coded errors, or in a package whose layers can be
// read, rewritten paths and all.

import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { writeUsdz } from '../../src/formats/usdz/write.ts';
import { memoryContent, wholeOf } from '../../src/importers/content.ts';
import { memoryFiles } from '../../src/importers/files.ts';
import { checkUsdz } from '../../src/importers/usd/checkUsdz.ts';
import { packagedFiles } from '../../src/importers/usd/packaged.ts';
import { readUsda } from '../../src/importers/usd/text/readUsda.ts';
import { isLayerName } from '../../src/importers/usdz/fileTypes.ts';
import { openUsdz } from '../../src/importers/usdz/openUsdz.ts';
import type { Mutator } from './mutators/bytes.ts';
import { damageUsdz } from './mutators/containers.ts';
import { codesOf, errorsOf } from './outcome.ts';
import type { Reader } from './reader.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);

const layer = (texture: string) =>
  encode(
    `#usda 1.0
(
  defaultPrim = "A"
  metersPerUnit = 1
  upAxis = "Y"
  subLayers = [ @./b.usda@ (offset = 1) ]
)
# @not/a.png@
def Xform "A" ( references = [@./b.usda@</B>, @../lib/c.usda@]; payload = @@@./b.usda@@@ )
{
  string note = "@no.png@"
  def Shader "T" { asset inputs:file = @${texture}@; asset[] all = [@t.<UDIM>.jpg@, @@@x@y.jpg@@@] }
  asset moving.timeSamples = { 0: @x@y.jpg@, 1: None }
}
`.replace('0: @x@y.jpg@', '0: @@@x@y.jpg@@@'),
  );
const BESIDE = {
  '/s/art/b.usda': encode('#usda 1.0\n( defaultPrim = "B" )\ndef "B" { asset a = @x.jpg@ }\n'),
  '/s/art/x.jpg': JPEG,
  '/s/art/x@y.jpg': JPEG,
  '/s/art/t.1001.jpg': JPEG,
  '/s/lib/c.usda': encode('#usda 1.0\n( defaultPrim = "C" )\ndef "C" { asset a = @./y.jpg@ }\n'),
  '/s/lib/y.jpg': JPEG,
};

const packed = (bytes: Uint8Array) =>
  packagedFiles('/s/art/a.usda', memoryFiles({ ...BESIDE, '/s/art/a.usda': bytes }, '/s'), new Diagnostics());

export const packageReaders = (damageUsda: Mutator): readonly Reader[] => [
  {
    name: 'usdz-check',
    seeds: () => [{ name: 'a.usdz', bytes: writeUsdz(packed(layer('../lib/y.jpg')), 'a.usdz') }],
    damage: damageUsdz((bytes, random) => damageUsda(bytes, random)),
    read: async ({ bytes, number }) =>
      errorsOf(checkUsdz(memoryContent(bytes), 'a.usdz', { arkit: number % 2 === 0 && number > 0 })),
  },
  {
    name: 'usd-pack',
    seeds: () => [{ name: 'a.usda', bytes: layer('../lib/y.jpg') }],
    damage: damageUsda,
    read: async ({ bytes }) => {
      let made: Uint8Array | null = null;
      const codes = await codesOf(() => {
        made = writeUsdz(packed(bytes), 'a.usdz');
        return [];
      });
      if (made === null) return codes;
      const usdz = openUsdz(memoryContent(made), 'a.usdz', new Diagnostics());
      for (const { name } of usdz.entries) {
        const file = wholeOf(usdz.open(name), 'a.usdz', name);
        if (isLayerName(name)) readUsda(file, name, new Diagnostics());
      }
      return [];
    },
  },
];
