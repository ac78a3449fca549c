// Damage to what containers hold, with sizes, checksums and hashes put right, so that readers get behind the first check:
// GLB, USDZ, PNG, .untold and .utex.

import { deflateSync, inflateSync } from 'node:zlib';
import { unpackLz4 } from '../../../src/formats/untold/container/compress.ts';
import { putTogether, takeApart } from '../../formats/untold/edit.ts';
import { usdz } from '../../importers/usd/usdzWriter.ts';
import { chunk as pngChunk, SIGNATURE } from '../../textures/fixture.ts';
import { pick, type Random } from '../random.ts';
import { damageBytes, damageInPlace, joined, type Mutator } from './bytes.ts';
import { damagedDocument } from './json.ts';

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Falls back to plain damage where a file was broken before. */
function orBytes(damage: Mutator): Mutator {
  return (bytes, random) => {
    if (random(4) === 0) return damageBytes(bytes, random);
    try {
      return damage(bytes, random);
    } catch {
      return damageBytes(bytes, random);
    }
  };
}

const GLB_HEAD = 12;
const GLB_JSON = 0x4e4f534a;

function glbOf(json: string, rest: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(json);
  const padded = new Uint8Array((text.length + 3) & ~3).fill(0x20);
  padded.set(text);
  const out = joined(new Uint8Array(GLB_HEAD + 8), padded, rest);
  const view = viewOf(out);
  [0x46546c67, 2, out.length, padded.length, GLB_JSON].forEach((value, i) => {
    view.setUint32(i * 4, value, true);
  });
  return out;
}

/** The JSON of a GLB changed, or its binary chunk in place. */
export const damageGlb: Mutator = orBytes((bytes, random) => {
  const size = viewOf(bytes).getUint32(GLB_HEAD, true);
  const json = Buffer.from(bytes.subarray(GLB_HEAD + 8, GLB_HEAD + 8 + size)).toString();
  const rest = bytes.slice(GLB_HEAD + 8 + size);
  if (random(4) > 0) return glbOf(damagedDocument(JSON.parse(json), random), rest);
  return glbOf(json, joined(rest.subarray(0, 8), damageInPlace(rest.subarray(8), random)));
});

interface PackedFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The files of a package without compression, by their local headers. */
export function packedFiles(bytes: Uint8Array): PackedFile[] {
  const view = viewOf(bytes);
  const files: PackedFile[] = [];
  for (let at = 0; view.getUint32(at, true) === 0x04034b50; ) {
    const size = view.getUint32(at + 18, true);
    const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    const name = Buffer.from(bytes.subarray(at + 30, at + 30 + view.getUint16(at + 26, true))).toString();
    files.push({ name, content: bytes.slice(start, start + size) });
    at = start + size;
  }
  return files;
}

/** A file of the package changed by `inner` and packed again, or an entry of its directory. */
export function damageUsdz(inner: Mutator): Mutator {
  return orBytes((bytes, random) => {
    if (random(3) === 0) {
      // The central directory and its end, which name every file with its sizes.
      const view = viewOf(bytes);
      const start = view.getUint32(bytes.length - 6, true);
      return joined(bytes.subarray(0, start), damageInPlace(bytes.subarray(start), random));
    }
    const files = packedFiles(bytes);
    const changed = random(4) === 0 ? random(files.length) : 0;
    return usdz(
      files.map(({ name, content }, i) => {
        const isRenamed = i === changed && random(16) === 0;
        const named = isRenamed ? pick(random, ['../a.usda', '/a.usda', '', 'a'.repeat(300), 'A.USDC', name]) : name;
        return [named, i === changed ? inner(content, random) : content] as const;
      }),
    );
  });
}

interface PngChunk {
  readonly type: string;
  readonly data: Uint8Array;
}

function pngChunks(bytes: Uint8Array): PngChunk[] {
  const view = viewOf(bytes);
  const chunks: PngChunk[] = [];
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; ) {
    const size = view.getUint32(at);
    const type = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1');
    chunks.push({ type, data: bytes.slice(at + 8, at + 8 + size) });
    at += 12 + size;
  }
  return chunks;
}

/** A chunk of a PNG changed, doubled, moved or left out, with its CRC; pixels unpacked and packed again. */
export const damagePng: Mutator = orBytes((bytes, random) => {
  const chunks = pngChunks(bytes);
  const at = random(3) === 0 ? 0 : random(chunks.length);
  const { type, data } = chunks[at];
  const way = random(8);
  if (way === 0) chunks.splice(at, 1);
  else if (way === 1) chunks.splice(random(chunks.length), 0, chunks[at]);
  else if (type === 'IDAT' && way < 6) {
    const pixels = inflateSync(data);
    chunks[at] = {
      type,
      data: new Uint8Array(deflateSync(random(2) ? damageBytes(pixels, random) : damageInPlace(pixels, random))),
    };
  } else chunks[at] = { type, data: damageBytes(data, random) };
  return joined(SIGNATURE, ...chunks.map((one) => pngChunk(one.type, one.data)));
});

function unpacked(bytes: Uint8Array, size: number): Uint8Array | null {
  const result = unpackLz4(bytes, size);
  return 'bytes' in result ? result.bytes : null;
}

/** A chunk of a `.untold` file changed, with the hash of the file. */
export const damageUntold: Mutator = orBytes((bytes, random) => {
  const edit = takeApart(bytes);
  const part = pick(random, edit.chunks);
  const plain = part.compression === 1 ? unpacked(part.bytes, part.uncompressedSize) : part.bytes;
  const way = random(12);
  if (way === 0) edit.chunks.splice(edit.chunks.indexOf(part), 1);
  else if (way === 1) edit.chunks.push({ ...part });
  else if (way === 2) part.type = pick(random, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 23, 24, 26, 0x8001, 0xffffffff]);
  else if (way === 3) part.elementCount = pick(random, [0, 1, 2, part.elementCount + 1, 2 ** 31, 2 ** 32 - 1]);
  else if (way === 4)
    part.uncompressedSize = pick(random, [0, 1, part.uncompressedSize + 1, 2 ** 31, 2 ** 32, 2 ** 53]);
  else if (way === 5) edit.header = damageInPlace(edit.header, random);
  else if (plain === null || part.compression === 2) part.bytes = damageBytes(part.bytes, random);
  else {
    part.bytes = random(4) === 0 ? damageBytes(plain, random) : damageInPlace(plain, random);
    part.compression = 0;
    part.uncompressedSize = part.bytes.length;
  }
  return putTogether(edit);
});

/** The header and the records of mips of a `.utex` texture, whose pixels are of little interest. */
export const damageUtex: Mutator = (bytes, random: Random) => {
  if (random(4) === 0 || bytes.length < 64) return damageBytes(bytes, random);
  const head = Math.min(bytes.length, 64 + 16 * 8);
  return joined(damageInPlace(bytes.subarray(0, head), random), bytes.subarray(head));
};
