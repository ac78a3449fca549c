// Every reader of bytes that the product has, by name.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unpack } from '../../src/bytes/pack.ts';
import { parsePreset } from '../../src/config/presets.ts';
import { loadProjectFile, overridesOf } from '../../src/config/projectFile.ts';
import { CookRecords } from '../../src/cook/kept/cookRecord.ts';
import { CODES } from '../../src/diagnostics/codes.ts';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { validateManifest } from '../../src/formats/manifest/validate.ts';
import { filesOfManifest, keyOfManifest, tilesOfManifest } from '../../src/formats/manifest/write.ts';
import { validateUntold } from '../../src/formats/untold/check/validate.ts';
import { readDrawnFile } from '../../src/formats/untold/drawnFile.ts';
import { describeUntold, readUntold } from '../../src/formats/untold/read.ts';
import { textureUris } from '../../src/formats/untold/readTile.ts';
import { isTileOfSet } from '../../src/formats/untold/setNames.ts';
import { checkTextures } from '../../src/formats/untold/textureFiles.ts';
import { readAnimation, validateAnimation } from '../../src/formats/urho3d/animation/read.ts';
import { writeAnimation } from '../../src/formats/urho3d/animation/write.ts';
import { readModel, validateModel } from '../../src/formats/urho3d/model/read.ts';
import { writeModel } from '../../src/formats/urho3d/model/write.ts';
import { readPackage, validatePackage } from '../../src/formats/urho3d/package/read.ts';
import { writePackage } from '../../src/formats/urho3d/package/write.ts';
import { recogniseUrho3d, validateUrho3d } from '../../src/formats/urho3d/recognise.ts';
import { readMaterial, validateMaterial, writeMaterial } from '../../src/formats/urho3d/xml/material.ts';
import { decodeMip } from '../../src/formats/utex/decode.ts';
import { describeUtex, readUtex } from '../../src/formats/utex/read.ts';
import { smallerUtex } from '../../src/formats/utex/smaller.ts';
import { utexTexels } from '../../src/formats/utex/texels.ts';
import { checkUtex } from '../../src/formats/utex/validate.ts';
import { openCache } from '../../src/output/cache/cache.ts';
import { readEntry } from '../../src/output/cache/entry.ts';
import { decodeActionResult } from '../../src/output/cache/remote/actionResult.ts';
import { decodeImage } from '../../src/textures/decode/decode.ts';
import { FAULT_CODES, ImageFault } from '../../src/textures/decode/fault.ts';
import { copyImage, probeImage } from '../../src/textures/decode/probe.ts';
import { recogniseImage } from '../../src/textures/decode/registry.ts';
import { damageBytes, type Mutator } from './mutators/bytes.ts';
import { damageGlb, damagePng, damageUntold, damageUsdz, damageUtex } from './mutators/containers.ts';
import { damageCrate } from './mutators/crate.ts';
import { damageJson } from './mutators/json.ts';
import { damageText } from './mutators/text.ts';
import { codesOf, errorsOf } from './outcome.ts';
import { packageReaders } from './packageReaders.ts';
import type { Case, Reader, Seed } from './reader.ts';
import { readSource } from './readSource.ts';
import {
  entryOf,
  manifestSeeds,
  packSeeds,
  presetSeeds,
  projectSeeds,
  recordedJob,
  recordSeeds,
  resultSeeds,
  untoldSeeds,
  utexSeeds,
} from './seeds/cooked.ts';
import { glbSeeds, gltfSeeds } from './seeds/gltf.ts';
import * as images from './seeds/images.ts';
import { urho3dSeeds, urho3dXmlSeeds } from './seeds/urho3d.ts';
import { BESIDE, crateSeeds, MTLX_ROOT, mtlxSeeds, usdaSeeds, usdzSeeds } from './seeds/usd.ts';
import { BPX, BPX_SOURCE, GALI, GALI_SOURCE } from './targetReaders.ts';
import { urho3dReaders } from './urho3dReaders.ts';

const USD_WORDS = [
  'def',
  'over',
  'class',
  'Mesh',
  'Xform',
  'PointInstancer',
  'Material',
  'Shader',
  'GeomSubset',
  'Sphere',
  'Capsule',
  'NurbsPatch',
  'BasisCurves',
  'DomeLight',
  'Skeleton',
  'None',
  'nan',
  'inf',
  '-inf',
  '1e999',
  '"x"',
  '""',
  '@a.png@',
  '@./part.usda@',
  '@looks.mtlx@',
  '@@',
  '</World>',
  '</World/Box>',
  '<../>',
  '</>',
  'float',
  'int[]',
  'token',
  'rel',
  'uniform',
  'timeSamples',
  'prepend',
  'append',
  'delete',
  'reorder',
  'references',
  'payload',
  'inherits',
  'specializes',
  'variantSet',
  'variants',
  'relocates',
  'subLayers',
  'faceVarying',
  'vertex',
  'catmullClark',
  'loop',
  'bilinear',
  'smooth',
  'face',
  'Z',
  'xformOp:translate',
  'xformOp:rotateXYZ',
  '!invert!xformOp:translate',
  '"""',
  '# comment',
  'customData',
  'instanceable = true',
  'active = false',
  'primvars:st:indices',
  '[]',
  '()',
  '{}',
  '=',
  ';',
  ',',
];

const XML_WORDS = [
  '<',
  '>',
  '/>',
  '&amp;',
  '&lt;',
  '&#0;',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?x?>',
  '<!DOCTYPE a>',
  'nodegraph',
  'output',
  'input',
  'name=""',
  'type="color3"',
  'type="filename"',
  'value="1, 2"',
  'value="nan"',
  'nodename="m"',
  'nodename="pic"',
  'interfacename="amount"',
  'nodegraph="G"',
  '<xi:include href="looks.mtlx"/>',
  'mix',
  'multiply',
  'image',
  'tiledimage',
  'normalmap',
  'convert',
  'swizzle',
  'channels="bgr"',
  'standard_surface',
  'place2d',
  'constant',
];

const damageUsda = damageText(USD_WORDS);

function usdReader(name: string, seeds: Reader['seeds'], damage: Mutator): Reader {
  return {
    name,
    seeds,
    damage,
    read: (input) => {
      const main = `scene.${name}`;
      return codesOf(() => readSource(input, main, { ...BESIDE, [main]: input.bytes }, 'usd'));
    },
  };
}

const mtlx: Reader = {
  name: 'mtlx',
  seeds: mtlxSeeds,
  damage: damageText(XML_WORDS),
  read: (input) => {
    const files = { ...BESIDE, 'scene.usda': MTLX_ROOT, 'looks.mtlx': input.bytes };
    return codesOf(() => readSource(input, 'scene.usda', files, 'usd'));
  },
};

function gltfReader(name: string, seeds: Reader['seeds'], damage: Mutator): Reader {
  return {
    name,
    seeds,
    damage,
    read: (input) =>
      codesOf(() =>
        readSource(input, `scene.${name}`, { ...input.seed.beside, [`scene.${name}`]: input.bytes }, 'gltf'),
      ),
  };
}

/** The `.bin` of a glTF damaged, whose document stays sound. */
const gltfBuffer: Reader = {
  name: 'gltf-bin',
  seeds: () =>
    gltfSeeds().flatMap(({ name, bytes, beside = {} }) =>
      Object.entries(beside).map(
        ([file, content]): Seed => ({ name: file, bytes: content, beside: { [name]: bytes } }),
      ),
    ),
  damage: damageBytes,
  read: (input) => {
    const { name, beside = {} } = input.seed;
    const [main] = Object.keys(beside);
    return codesOf(() => readSource(input, main, { ...beside, [name]: input.bytes }, 'gltf'));
  },
};

/** Pixels that a decoder may be asked for: those of a cook with `--max-pixels`, so that a few bytes make no gigabyte. */
const MAX_PIXELS = 2 ** 22;

async function readImage({ bytes, number }: Case): Promise<readonly string[]> {
  const info = await probeImage(bytes);
  if (info instanceof ImageFault) return [FAULT_CODES[info.kind]];
  const pixels = await decodeImage(bytes, info, number % 2 === 0 ? 'color' : 'data', MAX_PIXELS);
  if (pixels instanceof ImageFault) return [FAULT_CODES[pixels.kind]];
  if (pixels.data.length !== pixels.width * pixels.height * 4) throw new Error('too few pixels');
  if (!info.copyable) return [];
  const copied = await copyImage(bytes, info, 'color');
  if (copied instanceof ImageFault) return [FAULT_CODES[copied.kind]];
  if (recogniseImage(copied) === null) throw new Error('the copy is no image');
  return [];
}

const imageReader = (name: string, seeds: Reader['seeds'], damage: Mutator = damageBytes): Reader => ({
  name,
  seeds,
  damage,
  read: (input) => codesOf(() => readImage(input)),
});

const untold: Reader = {
  name: 'untold',
  seeds: untoldSeeds,
  damage: damageUntold,
  read: async ({ bytes }) => {
    const name = 'scene.untold';
    const found = errorsOf(await validateUntold(bytes, name, { engine: true }));
    const read = await codesOf(async () => {
      await readUntold(bytes, name);
      return [];
    });
    const inside = await validateUntold(bytes, name, { engine: false });
    if (read.length > 0 !== errorsOf(inside).length > 0) throw new Error(`read ${read}, validated ${errorsOf(inside)}`);
    await codesOf(async () => {
      await describeUntold(bytes, name);
      return [];
    });
    await checkTextures(bytes, name, { exists: () => true, head: () => bytes });
    await codesOf(async () => {
      await readDrawnFile(bytes, name);
      await textureUris(bytes);
      return [];
    });
    isTileOfSet('scene', bytes);
    return found;
  },
};

const utex: Reader = {
  name: 'utex',
  seeds: utexSeeds,
  damage: damageUtex,
  read: async ({ bytes }) => {
    const { diagnostics } = checkUtex(bytes, 'a.utex');
    await codesOf(() => {
      describeUtex(bytes, 'a.utex');
      return [];
    });
    utexTexels(bytes, 64);
    return codesOf(() => {
      const sound = readUtex(bytes, 'a.utex');
      for (let level = 0; level < sound.mips.length; level++) decodeMip(sound, level);
      smallerUtex(bytes);
      return errorsOf(diagnostics);
    });
  },
};

const urho3d: Reader = {
  name: 'urho3d',
  seeds: urho3dSeeds,
  damage: damageBytes,
  read: async ({ bytes }) =>
    codesOf(async () => {
      const codes = errorsOf(validateUrho3d(bytes, 'a.mdl'));
      if (codes.length > 0) return codes;
      // What has no errors can be written again, and is the same content then.
      const kind = recogniseUrho3d(bytes);
      if (kind === 'model') return errorsOf(validateModel(writeModel(readModel(bytes, 'a.mdl')), 'b.mdl'));
      if (kind === 'animation')
        return errorsOf(validateAnimation(writeAnimation(readAnimation(bytes, 'a.ani')), 'b.ani'));
      if (kind === 'package') {
        return errorsOf(validatePackage(await writePackage(readPackage(bytes, 'a.pak'), 'b.pak'), 'b.pak'));
      }
      return [];
    }),
};

const urho3dXml: Reader = {
  name: 'urho3d-xml',
  seeds: urho3dXmlSeeds,
  damage: damageText(XML_WORDS),
  read: async ({ bytes }) =>
    codesOf(() => {
      const codes = errorsOf(validateUrho3d(bytes, 'a.xml'));
      if (codes.length > 0 || recogniseUrho3d(bytes) !== 'material') return codes;
      return errorsOf(validateMaterial(writeMaterial(readMaterial(bytes, 'a.xml')), 'b.xml'));
    }),
};

const manifest: Reader = {
  name: 'manifest',
  seeds: manifestSeeds,
  damage: damageJson,
  read: async ({ bytes, seed: { beside = {} } }) => {
    const text = new TextDecoder().decode(bytes);
    filesOfManifest(text, 'scene');
    keyOfManifest(text);
    tilesOfManifest(text);
    const size = (path: string) => (Object.hasOwn(beside, path) ? beside[path].length : null);
    const probe = { size, read: (path: string) => beside[path] };
    return errorsOf((await validateManifest(text, 'scene.json', probe)).diagnostics);
  },
};

const preset: Reader = {
  name: 'preset',
  seeds: presetSeeds,
  damage: damageJson,
  read: ({ bytes, folder }) =>
    codesOf(() => {
      parsePreset(new TextDecoder().decode(bytes), 'preset.json', folder);
      return [];
    }),
};

const project: Reader = {
  name: 'project',
  seeds: projectSeeds,
  damage: damageJson,
  read: ({ bytes, folder, number }) =>
    codesOf(() => {
      const path = join(folder, 'untold.config.json');
      writeFileSync(path, bytes);
      const loaded = loadProjectFile(path, number % 2 === 1, (shown) => shown);
      for (const part of [loaded, ...loaded.targets.values()]) {
        const overrides = overridesOf(path, part);
        for (const source of ['props/a/b.usd', 'town/a1.glb', '../x.gltf']) overrides(join(folder, source));
      }
      return [];
    }),
};

const packed: Reader = {
  name: 'packed',
  seeds: packSeeds,
  damage: damageBytes,
  read: async ({ bytes }) => (unpack(bytes) === null ? ['miss'] : []),
};

const actionResult: Reader = {
  name: 'action-result',
  seeds: resultSeeds,
  damage: damageBytes,
  read: async ({ bytes }) => (decodeActionResult(bytes) === null ? ['miss'] : []),
};

const KEY = 'ab'.repeat(32);

/** The files of a cache, by whoever may write there. */
const cacheEntry: Reader = {
  name: 'cache-entry',
  seeds: () => packSeeds().map(({ name, bytes }) => ({ name, bytes: entryOf(bytes) })),
  damage: damageBytes,
  read: async ({ bytes, folder }) => {
    const place = join(folder, 'cache');
    const diagnostics = new Diagnostics();
    const cache = openCache({ folder: place, isDefault: false, maxBytes: 1e9, diagnostics });
    cache.put('bake', KEY, Uint8Array.of(1));
    const path = join(place, 'content', 'bake', KEY.slice(0, 2), KEY);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    writeFileSync(path, bytes);
    const read = readEntry(path);
    const got = cache.get('bake', KEY);
    if ((read === null) !== (got === null)) throw new Error('the cache gives what is no entry');
    return got === null ? ['miss'] : errorsOf(diagnostics.list);
  },
};

/** The record of a cook, as its entry holds it. */
const cookRecord: Reader = {
  name: 'cook-record',
  seeds: recordSeeds,
  damage: damageJson,
  read: async ({ bytes, folder, seed }) => {
    const job = recordedJob(folder);
    const records = new CookRecords({ get: () => bytes, put: () => {} }, seed.name);
    records.units(job);
    const { outcome } = records.check(job);
    if (outcome === null) return ['miss'];
    for (const { code } of outcome.diagnostics) if (!(code in CODES)) throw new Error(`code ${code}`);
    for (const { path } of outcome.outputs) path.length;
    for (const path of outcome.filesRead) path.length;
    return [];
  },
};

export const READERS: readonly Reader[] = [
  usdReader('usdc', crateSeeds, damageCrate),
  usdReader('usda', usdaSeeds, damageUsda),
  usdReader(
    'usdz',
    usdzSeeds,
    damageUsdz((bytes, random) => (bytes[0] === 0x23 ? damageUsda : damageCrate)(bytes, random)),
  ),
  ...packageReaders(damageUsda),
  mtlx,
  gltfReader('gltf', gltfSeeds, damageJson),
  gltfReader('glb', glbSeeds, damageGlb),
  gltfBuffer,
  untold,
  utex,
  GALI,
  GALI_SOURCE,
  BPX,
  BPX_SOURCE,
  urho3d,
  urho3dXml,
  ...urho3dReaders(damageText(XML_WORDS)),
  manifest,
  preset,
  project,
  imageReader('png', images.pngSeeds, damagePng),
  imageReader('jpeg', images.jpegSeeds),
  imageReader('webp', images.webpSeeds),
  imageReader('dds', images.ddsSeeds),
  imageReader('tga', images.tgaSeeds),
  imageReader('bmp', images.bmpSeeds),
  imageReader('hdr', images.hdrSeeds),
  imageReader('exr', images.exrSeeds),
  imageReader('ktx2', images.ktx2Seeds),
  imageReader('rare-images', images.rareSeeds),
  cacheEntry,
  cookRecord,
  packed,
  actionResult,
];
