// Reads the structure of a crate (OpenUSD, usd/crateFile.h): bootstrap, table of contents, and the six sections that
// list the specs and the position of each field. Values are not read. For all versions up to 0.14.

import type { CrateBytes } from './coding/crateBytes.ts';
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

/** The mark after each run of field indexes in FIELDSETS. */
export const END_OF_RUN = 0xffffffff;

/** The limit of entries in one section. OpenUSD itself needs many gigabytes for such a layer. */
const MAX_ENTRIES = 2 ** 25;
/** The limit of specs: a JavaScript Map holds at most 2^24 entries, and a layer has a Map of its specs. */
const MAX_SPECS = 2 ** 24 - 1;
/** The limit of bytes in the text of all tokens together. V8 strings have at most 2^29 - 24 characters. */
const MAX_TOKEN_BYTES = 2 ** 28;
/**
 * The limit of declared entries per byte of the file. A packed section can hold up to a thousand entries per byte, but
 * real layers have less than one entry per ten bytes of file.
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
  /** The token index of each string. */
  readonly strings: Uint32Array;
  /** The token index of the name of each field. */
  readonly fieldNames: Uint32Array;
  /** The value representation of each field: the low word at 2 i, the high word at 2 i + 1. */
  readonly fieldReps: Uint32Array;
  /** Runs of field indexes. END_OF_RUN follows each run. */
  readonly fieldSets: Uint32Array;
  /** By path index; '' is the empty path. */
  readonly paths: readonly string[];
  readonly specPaths: Uint32Array;
  /** The index in `fieldSets` at which the run of each spec starts. */
  readonly specFieldSets: Uint32Array;
  readonly specTypes: Uint32Array;
}

/** Sections are packed from version 0.4.0 on. */
const isPacked = (version: CrateVersion): boolean => version.minor >= 4;
/** Records of version 0.0.1 start with four unused bytes. */
const junkBytes = (version: CrateVersion): number => (version.minor === 0 ? 4 : 0);

/** Whether the bytes start like a crate. */
export function isCrate(bytes: Uint8Array): boolean {
  if (bytes.length < MAGIC.length) return false;
  for (let i = 0; i < MAGIC.length; i++) if (bytes[i] !== MAGIC.charCodeAt(i)) return false;
  return true;
}

/** Checks a declared count against the limits and against the bytes that are left in the section. */
function checkEntries(cursor: Cursor, n: number, bytesEach: number, what: string): number {
  if (n > MAX_ENTRIES) tooLarge(`${n} ${what} declared, at most ${MAX_ENTRIES} are read`);
  if (bytesEach > 0 && n * bytesEach > cursor.left) corrupt(`${n} ${what} declared, ${cursor.left} bytes are left`);
  if (n > 64 + MAX_ENTRIES_PER_BYTE * cursor.bytes.size) corrupt(`${n} ${what} declared in ${cursor.left} bytes`);
  return n;
}

function readSections(bytes: CrateBytes, tocOffset: number): Map<string, Cursor> {
  const toc = new Cursor(bytes, tocOffset, bytes.size);
  const n = toc.count(TOC_ENTRY_BYTES, 'sections');
  const sections = new Map<string, Cursor>();
  for (let i = 0; i < n; i++) {
    let name = '';
    const raw = toc.slice(16);
    for (let c = 0; c < 16 && raw[c] !== 0; c++) name += String.fromCharCode(raw[c]);
    const start = toc.i64();
    const size = toc.i64();
    if (!SECTIONS.includes(name as SectionName) || sections.has(name)) continue;
    if (start < 0 || size < 0 || start + size > bytes.size) {
      corrupt(`section ${name} covers bytes ${start} to ${start + size} of a file of ${bytes.size}`);
    }
    sections.set(name, new Cursor(bytes, start, start + size));
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
  // No UTF-8 sequence contains NUL, so the whole text can be decoded first and split at NUL afterwards.
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
    // A spec must refer to the start of a run. Overlapping runs could let a small file unpack without end.
    if (set >= fieldSets.length || (set > 0 && fieldSets[set - 1] !== END_OF_RUN)) {
      corrupt(`spec ${i} has field set ${set}, which is not the start of one`);
    }
  }
  return { paths, sets, types };
}

/** Runs the reader of one section. A fault in it gets the name of the section. */
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
 * Reads the structure of a crate. Offsets count from the start of the crate. Throws CrateFault: UC1400 not a crate or cut
 * off, UC1401 unknown version, UC1403 missing section, UC1406 too large, or without a code for broken content.
 */
export function readStructure(bytes: CrateBytes): CrateStructure {
  if (!isCrate(bytes.range(0, Math.min(MAGIC.length, bytes.size))))
    throw new CrateFault('the file does not start with PXR-USDC', 'UC1400');
  if (bytes.size < BOOTSTRAP_BYTES) {
    throw new CrateFault(`the file has ${bytes.size} bytes; the header alone has ${BOOTSTRAP_BYTES}`, 'UC1400');
  }
  const version: CrateVersion = { major: bytes.u8(8), minor: bytes.u8(9), patch: bytes.u8(10) };
  if (version.major !== 0) {
    throw new CrateFault(`the crate has version ${version.major}.${version.minor}.${version.patch}`, 'UC1401');
  }
  const tocOffset = new Cursor(bytes, 16, BOOTSTRAP_BYTES).i64();
  if (tocOffset < BOOTSTRAP_BYTES || tocOffset >= bytes.size) {
    throw new CrateFault(`the table of contents is at byte ${tocOffset} of a file of ${bytes.size}`, 'UC1400');
  }

  const sections = readSections(bytes, tocOffset);
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
    // The runs have a separate count, because the table can have an empty path that is not encoded.
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
