// Damage to the packed sections of a crate: unpacked, changed and packed again, so that what is broken is what they say and
// not how they are packed. A changed section goes to the end of the file, and the table of contents names its new place.

import { decodeInt32 } from '../../../src/importers/usd/crate/coding/integerCoding.ts';
import { decompress } from '../../../src/importers/usd/crate/coding/lz4Block.ts';
import { codeInt32, crateBlock } from '../../importers/usd/crateCompression.ts';
import { pick, type Random } from '../random.ts';
import { damageBytes, damageInPlace, joined, type Mutator } from './bytes.ts';

const BOOTSTRAP_BYTES = 88;
const TOC_OFFSET_AT = 16;
const ENTRY_BYTES = 32;
/** Crates up to 0.3 do not pack their sections. */
const FIRST_PACKED_MINOR = 4;
const MAX_UNPACKED = 2 ** 20;

interface Section {
  /** Offset of its entry in the table of contents. */
  readonly entry: number;
  readonly name: string;
  readonly bytes: Uint8Array;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function sectionsOf(file: Uint8Array): Section[] {
  const view = viewOf(file);
  const toc = Number(view.getBigUint64(TOC_OFFSET_AT, true));
  const count = Number(view.getBigUint64(toc, true));
  return Array.from({ length: count }, (_, i) => {
    const entry = toc + 8 + i * ENTRY_BYTES;
    const name = Buffer.from(file.subarray(entry, entry + 16))
      .toString('latin1')
      .replace(/\0.*/s, '');
    const start = Number(view.getBigUint64(entry + 16, true));
    return { entry, name, bytes: file.slice(start, start + Number(view.getBigUint64(entry + 24, true))) };
  });
}

function u64(value: number): Uint8Array {
  return new Uint8Array(BigUint64Array.of(BigInt(value)).buffer);
}

/** How the packed blocks of a section follow its counts: runs of integers, 8 bytes an entry, or tokens. */
const BLOCKS: Readonly<Record<string, readonly ('run' | 'plain')[]>> = {
  FIELDS: ['run', 'plain'],
  FIELDSETS: ['run'],
  PATHS: ['run', 'run', 'run'],
  SPECS: ['run', 'run', 'run'],
};

const STRANGE = [0, 1, -1, 2, -2, 2 ** 31 - 1, -(2 ** 31), 255, 65536, 1000, -1000];

function damageRun(coded: Uint8Array, count: number, random: Random): Uint8Array {
  const values = decodeInt32(coded, count).slice();
  for (let n = 1 + random(3); n > 0; n--) {
    const at = random(values.length);
    const way = random(4);
    if (way === 0) values[at] = pick(random, STRANGE);
    else if (way === 1) values[at] += random(9) - 4;
    else if (way === 2) values[at] = pick(random, Array.from(values.subarray(0, 64)));
    else values[at] = values[random(values.length)];
  }
  return codeInt32(values);
}

/** The section with one of its blocks changed. */
function damageBlocks({ name, bytes }: Section, random: Random): Uint8Array {
  const view = viewOf(bytes);
  const kinds = BLOCKS[name];
  const count = Number(view.getBigUint64(0, true));
  const changed = random(kinds.length);
  let at = name === 'PATHS' ? 16 : 8;
  const parts: Uint8Array[] = [bytes.subarray(0, at)];
  kinds.forEach((kind, i) => {
    const size = Number(view.getBigUint64(at, true));
    let packed = bytes.subarray(at + 8, at + 8 + size);
    at += 8 + size;
    if (i === changed) {
      const unpacked = new Uint8Array(Math.min(MAX_UNPACKED, packed.length * 255));
      const length = decompress(packed, unpacked);
      const plain = unpacked.slice(0, length);
      packed = crateBlock(
        kind === 'run' && random(4) > 0 ? damageRun(plain, count, random) : damageInPlace(plain, random),
      );
    }
    parts.push(u64(packed.length), packed);
  });
  return joined(...parts, bytes.subarray(at));
}

/** The tokens with one of them changed: u64 count, u64 size, u64 packed size, the packed texts. */
function damageTokens({ bytes }: Section, random: Random): Uint8Array {
  const unpacked = new Uint8Array(Number(viewOf(bytes).getBigUint64(8, true)));
  decompress(bytes.subarray(24), unpacked);
  const tokens = Buffer.from(unpacked).toString('latin1').split('\0');
  const at = random(tokens.length);
  const way = random(4);
  if (way === 0) tokens[at] = Buffer.from(damageBytes(Buffer.from(tokens[at], 'latin1'), random)).toString('latin1');
  else if (way === 1) [tokens[at], tokens[0]] = [tokens[0], tokens[at]];
  else
    tokens[at] = pick(
      random,
      way === 2 ? tokens : ['', '/', '..', 'Mesh', 'xformOp:transform', '\u0080', 'a'.repeat(300)],
    );
  const texts = Buffer.from(tokens.join('\0'), 'latin1');
  const packed = crateBlock(texts);
  return joined(bytes.subarray(0, 8), u64(texts.length), u64(packed.length), packed);
}

const sections = new WeakMap<Uint8Array, Section[]>();

export const damageCrate: Mutator = (file, random) => {
  const isPacked = file.length > BOOTSTRAP_BYTES && file[9] >= FIRST_PACKED_MINOR;
  const way = random(8);
  if (way < 3 || !isPacked) {
    if (way > 0 || file.length <= BOOTSTRAP_BYTES) return damageBytes(file, random);
    // The values between bootstrap and sections alone.
    const out = damageInPlace(file.subarray(BOOTSTRAP_BYTES), random);
    return joined(file.subarray(0, BOOTSTRAP_BYTES), out);
  }
  let known = sections.get(file);
  if (!known) {
    try {
      known = sectionsOf(file);
    } catch {
      // Damaged before.
      known = [];
    }
    sections.set(file, known);
  }
  const packed = known.filter(({ name }) => name === 'TOKENS' || name in BLOCKS);
  if (packed.length === 0) return damageBytes(file, random);
  const section = pick(random, packed);
  let changed: Uint8Array;
  try {
    changed = section.name === 'TOKENS' ? damageTokens(section, random) : damageBlocks(section, random);
  } catch {
    return damageBytes(file, random);
  }
  const out = joined(file, changed);
  const view = viewOf(out);
  view.setBigUint64(section.entry + 16, BigInt(file.length), true);
  view.setBigUint64(section.entry + 24, BigInt(changed.length), true);
  return out;
};
