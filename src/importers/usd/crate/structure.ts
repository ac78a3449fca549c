// The structure of a crate: bootstrap, table of contents, and the six sections that say which specs there are and which
// field is stored where. Values are not touched. For readCrate; every version up to 0.14.

import { Cursor } from './coding/cursor.ts';
import { readInt32Run, readUint32Run } from './coding/integerCoding.ts';
import { decompress, LZ4_MAX_RATIO } from './coding/lz4Block.ts';
import { CrateFault, corrupt, tooLarge } from './fault.ts';
import { readPaths } from './paths.ts';

export const MAGIC = 'PXR-USDC';

/** magic, u8 version[8], i64 tocOffset, i64 reserved[8]. */
const BOOTSTRAP_BYTES = 88;
/** char name[16], i64 start, i64 size. */
const TOC_ENTRY_BYTES = 32;
const SECTIONS = ['TOKENS', 'STRINGS', 'FIELDS', 'FIELDSETS', 'PATHS', 'SPECS'] as const;
type SectionName = (typeof SECTIONS)[number];

/** Ends a run of field indexes in FIELDSETS. */
export const END_OF_RUN = 0xffffffff;

/** More entries than this in one section are refused: OpenUSD itself needs many gigabytes for such a layer. */
const MAX_ENTRIES = 2 ** 25;
/** JavaScript's Map ends at 2^24 entries; a layer's specs are one. */
const MAX_SPECS = 2 ** 24 - 1;
/** Text of all tokens together; V8 strings end a little below 2^29 characters. */
const MAX_TOKEN_BYTES = 2 ** 28;
/**
 * Packed sections can in theory hold a thousand entries a byte. Real layers hold less than one entry in ten bytes of
 * file, so a declared count far above that is a bomb.
 */
const MAX_ENTRIES_PER_BYTE = 16;

export interface CrateVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

export interface CrateStructure {
  readonly version: CrateVersion;
  readonly tokens: readonly string[];
  /** Token index by string index. */
  readonly strings: Uint32Array;
  /** Token index of each field's name. */
  readonly fieldNames: Uint32Array;
  /** Value representation of each field: low word at 2 i, high word at 2 i + 1. */
  readonly fieldReps: Uint32Array;
  /** Runs of field indexes, each closed by END_OF_RUN. */
  readonly fieldSets: Uint32Array;
  /** By path index; '' is the empty path. */
  readonly paths: readonly string[];
  readonly specPaths: Uint32Array;
  /** Where in `fieldSets` each spec's run starts; always the start of a run. */
  readonly specFieldSets: Uint32Array;
  readonly specTypes: Uint32Array;
}

/** Packed sections came with 0.4.0. */
const isPacked = (version: CrateVersion): boolean => version.minor >= 4;
/** 0.0.1 wrote its records with four bytes of junk in front. */
const junkBytes = (version: CrateVersion): number => (version.minor === 0 ? 4 : 0);

/** True when the bytes start as a crate does. */
export function isCrate(bytes: Uint8Array): boolean {
  if (bytes.length < MAGIC.length) return false;
  for (let i = 0; i < MAGIC.length; i++) if (bytes[i] !== MAGIC.charCodeAt(i)) return false;
  return true;
}

/** Checks a count of a section against what its bytes can hold and what is reasonable for the file. */
function checkEntries(cursor: Cursor, n: number, bytesEach: number, what: string): number {
  if (n > MAX_ENTRIES) tooLarge(`${n} ${what} declared, at most ${MAX_ENTRIES} are read`);
  if (bytesEach > 0 && n * bytesEach > cursor.left) corrupt(`${n} ${what} declared, ${cursor.left} bytes are left`);
  if (n > 64 + MAX_ENTRIES_PER_BYTE * cursor.bytes.length) corrupt(`${n} ${what} declared in ${cursor.left} bytes`);
  return n;
}

function readSections(bytes: Uint8Array, view: DataView, tocOffset: number): Map<string, Cursor> {
  const toc = new Cursor(view, bytes, tocOffset, bytes.length);
  const n = toc.count(TOC_ENTRY_BYTES, 'sections');
  const sections = new Map<string, Cursor>();
  for (let i = 0; i < n; i++) {
    let name = '';
    const raw = toc.slice(16);
    for (let c = 0; c < 16 && raw[c] !== 0; c++) name += String.fromCharCode(raw[c]);
    const start = toc.i64();
    const size = toc.i64();
    if (!SECTIONS.includes(name as SectionName) || sections.has(name)) continue;
    if (start < 0 || size < 0 || start + size > bytes.length) {
      corrupt(`section ${name} covers bytes ${start} to ${start + size} of a file of ${bytes.length}`);
    }
    sections.set(name, new Cursor(view, bytes, start, start + size));
  }
  return sections;
}

function readTokens(cursor: Cursor, version: CrateVersion): string[] {
  const n = checkEntries(cursor, cursor.u64(), 0, 'tokens');
  const size = cursor.u64();
  let raw: Uint8Array;
  if (isPacked(version)) {
    const block = cursor.slice(cursor.u64());
    if (size > block.length * LZ4_MAX_RATIO) corrupt(`${size} bytes of text cannot come from ${block.length}`);
    if (size > MAX_TOKEN_BYTES) tooLarge(`${size} bytes of token text, at most ${MAX_TOKEN_BYTES} are read`);
    raw = new Uint8Array(size);
    const got = decompress(block, raw);
    if (got !== size) corrupt(`token text has ${got} bytes, ${size} declared`);
  } else {
    if (size > MAX_TOKEN_BYTES) tooLarge(`${size} bytes of token text, at most ${MAX_TOKEN_BYTES} are read`);
    raw = cursor.slice(size);
  }
  if (n === 0) return [];
  if (size === 0 || raw[size - 1] !== 0) corrupt('token text does not end with a NUL');
  // NUL never occurs inside a UTF-8 sequence: decode everything at once, then cut.
  const tokens = new TextDecoder('utf-8', { ignoreBOM: true }).decode(raw.subarray(0, size - 1)).split('\0');
  if (tokens.length !== n) corrupt(`${n} tokens declared, ${tokens.length} found`);
  return tokens;
}

function readStrings(cursor: Cursor, tokenCount: number): Uint32Array {
  const n = checkEntries(cursor, cursor.u64(), 4, 'strings');
  const strings = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const token = cursor.u32();
    if (token >= tokenCount) corrupt(`string ${i} is token ${token} of ${tokenCount}`);
    strings[i] = token;
  }
  return strings;
}

function readFields(cursor: Cursor, version: CrateVersion): { names: Uint32Array; reps: Uint32Array } {
  const packed = isPacked(version);
  const n = checkEntries(cursor, cursor.u64(), packed ? 0 : 16, 'fields');
  if (packed) {
    const names = readUint32Run(cursor, n);
    const block = cursor.slice(cursor.u64());
    const size = 8 * n;
    if (size > block.length * LZ4_MAX_RATIO) corrupt(`${n} fields cannot come from ${block.length} packed bytes`);
    const raw = new Uint8Array(size);
    if (n > 0 && decompress(block, raw) !== size) corrupt(`the values of ${n} fields are cut off`);
    return { names, reps: new Uint32Array(raw.buffer) };
  }
  const names = new Uint32Array(n);
  const reps = new Uint32Array(2 * n);
  for (let i = 0; i < n; i++) {
    cursor.take(4);
    names[i] = cursor.u32();
    reps[2 * i] = cursor.u32();
    reps[2 * i + 1] = cursor.u32();
  }
  return { names, reps };
}

function readFieldSets(cursor: Cursor, version: CrateVersion, fieldCount: number): Uint32Array {
  const packed = isPacked(version);
  const n = checkEntries(cursor, cursor.u64(), packed ? 0 : 4, 'field set entries');
  let sets: Uint32Array;
  if (packed) {
    sets = readUint32Run(cursor, n);
  } else {
    sets = new Uint32Array(n);
    for (let i = 0; i < n; i++) sets[i] = cursor.u32();
  }
  for (let i = 0; i < n; i++) {
    if (sets[i] !== END_OF_RUN && sets[i] >= fieldCount) corrupt(`field set entry ${i} is field ${sets[i]}`);
  }
  if (n > 0 && sets[n - 1] !== END_OF_RUN) corrupt('the last field set is not closed');
  return sets;
}

function readSpecs(
  cursor: Cursor,
  version: CrateVersion,
  fieldSets: Uint32Array,
  pathCount: number,
): { paths: Uint32Array; sets: Uint32Array; types: Uint32Array } {
  const junk = junkBytes(version);
  const packed = isPacked(version);
  const n = checkEntries(cursor, cursor.u64(), packed ? 0 : 12 + junk, 'specs');
  if (n > MAX_SPECS) tooLarge(`${n} specs declared, at most ${MAX_SPECS} are read`);
  let paths: Uint32Array;
  let sets: Uint32Array;
  let types: Uint32Array;
  if (packed) {
    paths = readUint32Run(cursor, n);
    sets = readUint32Run(cursor, n);
    types = readUint32Run(cursor, n);
  } else {
    paths = new Uint32Array(n);
    sets = new Uint32Array(n);
    types = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      cursor.take(junk);
      paths[i] = cursor.u32();
      sets[i] = cursor.u32();
      types[i] = cursor.u32();
    }
  }
  for (let i = 0; i < n; i++) {
    if (paths[i] >= pathCount) corrupt(`spec ${i} has path ${paths[i]} of ${pathCount}`);
    const set = sets[i];
    // Only at the start of a run: else overlapping runs could make a small file unpack without end.
    if (set >= fieldSets.length || (set > 0 && fieldSets[set - 1] !== END_OF_RUN)) {
      corrupt(`spec ${i} has field set ${set}, where none starts`);
    }
  }
  return { paths, sets, types };
}

/** Runs one section's reader; a fault names the section. */
function inSection<T>(sections: Map<string, Cursor>, name: SectionName, read: (cursor: Cursor) => T): T {
  const cursor = sections.get(name);
  if (!cursor) throw new CrateFault(`section ${name} is missing`, 'UC1403');
  try {
    return read(cursor);
  } catch (error) {
    if (error instanceof CrateFault) throw new CrateFault(`${name}: ${error.message}`, error.code);
    throw error;
  }
}

/**
 * Reads the structure of a crate. Offsets count from the start of `bytes`. Throws CrateFault: UC1400 not a crate or cut
 * off, UC1401 a version that cannot be read, UC1403 a missing section, UC1406 too large, no code for broken content.
 */
export function readStructure(bytes: Uint8Array, view: DataView): CrateStructure {
  if (!isCrate(bytes)) throw new CrateFault('the file does not start with PXR-USDC', 'UC1400');
  if (bytes.length < BOOTSTRAP_BYTES) {
    throw new CrateFault(`the file has ${bytes.length} bytes, its header alone ${BOOTSTRAP_BYTES}`, 'UC1400');
  }
  const version: CrateVersion = { major: bytes[8], minor: bytes[9], patch: bytes[10] };
  if (version.major !== 0) {
    throw new CrateFault(`crate version ${version.major}.${version.minor}.${version.patch}`, 'UC1401');
  }
  const tocOffset = new Cursor(view, bytes, 16, BOOTSTRAP_BYTES).i64();
  if (tocOffset < BOOTSTRAP_BYTES || tocOffset >= bytes.length) {
    throw new CrateFault(`the table of contents is at byte ${tocOffset} of a file of ${bytes.length}`, 'UC1400');
  }

  const sections = readSections(bytes, view, tocOffset);
  const tokens = inSection(sections, 'TOKENS', (c) => readTokens(c, version));
  const strings = inSection(sections, 'STRINGS', (c) => readStrings(c, tokens.length));
  const fields = inSection(sections, 'FIELDS', (c) => {
    const read = readFields(c, version);
    const bad = read.names.findIndex((token) => token >= tokens.length);
    if (bad >= 0) corrupt(`field ${bad} is named by token ${read.names[bad]} of ${tokens.length}`);
    return read;
  });
  const fieldSets = inSection(sections, 'FIELDSETS', (c) => readFieldSets(c, version, fields.names.length));
  const paths = inSection(sections, 'PATHS', (c) => {
    const n = checkEntries(c, c.u64(), isPacked(version) ? 0 : 12 + junkBytes(version), 'paths');
    if (!isPacked(version)) return readPaths(c, n, tokens, junkBytes(version), null);
    // The empty path may be in the table without being encoded: the runs have a count of their own.
    const m = checkEntries(c, c.u64(), 0, 'encoded paths');
    const runs = { indexes: readUint32Run(c, m), elements: readInt32Run(c, m), jumps: readInt32Run(c, m) };
    return readPaths(c, n, tokens, 0, runs);
  });
  const specs = inSection(sections, 'SPECS', (c) => readSpecs(c, version, fieldSets, paths.length));
  return {
    version,
    tokens,
    strings,
    fieldNames: fields.names,
    fieldReps: fields.reps,
    fieldSets,
    paths,
    specPaths: specs.paths,
    specFieldSets: specs.sets,
    specTypes: specs.types,
  };
}
