// Readers of the formats of other engines, which a cook may write.

import { SourceError } from '../../src/diagnostics/diagnostic.ts';
import { readBpx } from '../../src/formats/bpx/read.ts';
import { checkBpx } from '../../src/formats/bpx/validate.ts';
import { writeBpxModel } from '../../src/formats/bpx/write/model.ts';
import { writeBpxCratePackage, writeBpxPackage } from '../../src/formats/bpx/write/package.ts';
import { writeBpxTexture } from '../../src/formats/bpx/write/texture.ts';
import { materialNames, materialsExtension } from '../../src/formats/galileo/materials.ts';
import { readGalileo } from '../../src/formats/galileo/read.ts';
import { skeletonsExtension, statedSkeletons } from '../../src/formats/galileo/skeletons.ts';
import { checkGalileo } from '../../src/formats/galileo/validate.ts';
import { writeGalileo } from '../../src/formats/galileo/write.ts';
import { fixture, GOOD, resealed } from '../formats/bpx/files.ts';
import { GOOD as GOOD_MESHES, fixture as meshFixture, rehash, TRIANGLE } from '../formats/galileo/meshes.ts';
import { damageBytes } from './mutators/bytes.ts';
import { codesOf } from './outcome.ts';
import type { Reader } from './reader.ts';
import { readSource } from './readSource.ts';

/** Throws what is no coded error; gives whether there was none. */
async function isRead(read: () => Promise<void>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof SourceError) return false;
    throw error;
  }
}

/** What a file holds is written again and is sound; reader and validator agree. */
function agree(read: boolean, errors: readonly string[]): readonly string[] {
  if (read !== (errors.length === 0)) throw new Error(`${read ? 'read' : 'not read'}, validated ${errors}`);
  return errors;
}

const errorsOf = (list: readonly { readonly severity: string; readonly code: string }[]): string[] =>
  list.filter(({ severity }) => severity === 'error').map(({ code }) => code);

export const GALI: Reader = {
  name: 'gali',
  seeds: () => GOOD_MESHES.map((name) => ({ name, bytes: meshFixture(name) })),
  damage: damageBytes,
  read: async ({ bytes, number }) => {
    // Without the right checksum nothing else would be found in most cases.
    const file = number % 4 === 0 || bytes.length < 36 ? bytes : await rehash(bytes.slice());
    const read = await isRead(async () => {
      const mesh = await readGalileo(file, 'a.gali');
      materialNames(mesh);
      statedSkeletons(mesh);
      const { uuid, ...content } = mesh;
      await readGalileo(await writeGalileo({ ...content, identity: { uuid } }), 'b.gali');
    });
    return agree(read, errorsOf((await checkGalileo(file, 'a.gali')).diagnostics));
  },
};

/** Its seed has every channel, and both extensions of ours. */
const channels = (): Promise<Uint8Array> =>
  writeGalileo({
    identity: { scene: 'a', mesh: '/' },
    groups: [
      {
        ...TRIANGLE,
        texcoords: [Uint16Array.of(0, 65535, 65535, 65535, 0, 0), Uint16Array.of(0, 0, 0, 13107, 26214, 0)],
        colors: [new Uint8Array(12).fill(255), new Uint8Array(12).fill(9)],
        joints: [Uint16Array.of(1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0)],
        weights: [Uint16Array.of(65535, 0, 0, 0, 65535, 0, 0, 0, 32768, 32767, 0, 0)],
      },
      TRIANGLE,
    ],
    extensions: [
      materialsExtension(['oak', null], 1),
      skeletonsExtension({
        skeletons: [
          {
            name: 'plant',
            joints: [
              { name: 'root', parent: -1 },
              { name: 'tip', parent: 0 },
            ],
          },
        ],
        groups: [0, null],
      }),
    ],
    firstExtension: 0,
  });

export const GALI_SOURCE: Reader = {
  name: 'gali-source',
  seeds: async () => [
    { name: 'a.gali', bytes: await channels() },
    ...GOOD_MESHES.map((name) => ({ name, bytes: meshFixture(name) })),
  ],
  damage: damageBytes,
  read: async (input) => {
    const { bytes, number } = input;
    const file = number % 4 === 0 || bytes.length < 36 ? bytes : await rehash(bytes.slice());
    return codesOf(() => readSource({ ...input, bytes: file }, 'a.gali', { 'a.gali': file }, 'gltf'));
  },
};

async function rewrite(bytes: Uint8Array): Promise<void> {
  const { content } = await readBpx(bytes, 'a.bpx');
  switch (content.kind) {
    case 'texture':
      await readBpx(writeBpxTexture(content, { isPacked: true }), 'b.bpx');
      break;
    case 'model':
      await readBpx(writeBpxModel(content, { isPacked: true }), 'b.bpx');
      break;
    case 'package':
      if (content.assets.length > 0) await readBpx(writeBpxPackage(content), 'b.bpx');
      break;
    case 'cratePackage':
      await readBpx(writeBpxCratePackage(content), 'b.bpx');
      break;
    case 'shader':
      break;
  }
}

export const BPX: Reader = {
  name: 'bpx',
  seeds: () => GOOD.map((name) => ({ name, bytes: fixture(name) })),
  damage: damageBytes,
  read: async ({ bytes, number, seed }) => {
    const file = number % 4 === 0 ? bytes : sealed(bytes.slice(), seed.name.includes('crate'));
    const read = await isRead(() => rewrite(file));
    return agree(read, errorsOf((await checkBpx(file, 'a.bpx')).diagnostics));
  },
};

/** A package of ours with a model of bones and the textures of a material. */
const packaged = (): Uint8Array =>
  writeBpxPackage({
    kind: 'package',
    compatibility: 15,
    assets: ['good_model.bpx', 'good_animated.bpx', 'good_unindexed.bpx', 'good_texture.bpx'].map((name) => ({
      path: name === 'good_texture.bpx' ? 'Materials/a/baseColor.bpx' : `Models/${name}`,
      bytes: fixture(name),
    })),
  });

/** Models as sources, alone and in a package. */
export const BPX_SOURCE: Reader = {
  name: 'bpx-source',
  seeds: () => [
    ...['good_model.bpx', 'good_animated.bpx', 'good_packed.bpx'].map((name) => ({ name, bytes: fixture(name) })),
    { name: 'package.bpx', bytes: packaged() },
  ],
  damage: damageBytes,
  read: (input) => {
    const bytes = input.number % 4 === 0 ? input.bytes : sealed(input.bytes.slice(), false);
    return codesOf(() => readSource(input, 'a.bpx', { 'a.bpx': bytes }, 'gltf'));
  },
};

/** With the size and the checksum of what is there. */
function sealed(file: Uint8Array, isCrate: boolean): Uint8Array {
  if (file.length < 40) return file;
  new DataView(file.buffer).setUint32(8, isCrate ? file.length : file.length - 32, true);
  return resealed(isCrate ? 'crate' : 'spec', file);
}
