// Readers of the formats of other engines, which a cook may write.

import { SourceError } from '../../src/diagnostics/diagnostic.ts';
import { readBpx } from '../../src/formats/bpx/read.ts';
import { checkBpx } from '../../src/formats/bpx/validate.ts';
import { writeBpxModel } from '../../src/formats/bpx/write/model.ts';
import { writeBpxCratePackage, writeBpxPackage } from '../../src/formats/bpx/write/package.ts';
import { writeBpxTexture } from '../../src/formats/bpx/write/texture.ts';
import { materialNames } from '../../src/formats/galileo/materials.ts';
import { readGalileo } from '../../src/formats/galileo/read.ts';
import { checkGalileo } from '../../src/formats/galileo/validate.ts';
import { writeGalileo } from '../../src/formats/galileo/write.ts';
import { fixture, GOOD, resealed } from '../formats/bpx/files.ts';
import { GOOD as GOOD_MESHES, fixture as meshFixture, rehash } from '../formats/galileo/meshes.ts';
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
      const { uuid, ...content } = mesh;
      await readGalileo(await writeGalileo({ ...content, identity: { uuid } }), 'b.gali');
    });
    return agree(read, errorsOf((await checkGalileo(file, 'a.gali')).diagnostics));
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
