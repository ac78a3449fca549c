// The two layouts of a BPX container. Both begin with "BPX" and a letter for the kind; then follow a header, a table of sections, and
// the sections. `spec` is what the published text says (its table of the header is lost and was reconstructed), `crate` is what the
// package `bpx` of Rust reads and writes. All numbers are little-endian and nothing is padded.

import { many, one, type RecordOf, record, recordSize } from '../../untold/container/layout.ts';

export const MAGIC = 'BPX';

const u8 = one('u8');
const u16 = one('u16');
const u32 = one('u32');
const u64 = one('u64');

/** `fileSize` leaves the header out. The checksum is a CRC-32 of the whole file without its own field. */
export const SPEC_HEADER = record('header', {
  magic: many('u8', 3),
  kind: u8,
  checksum: u32,
  fileSize: u64,
  sectionCount: u32,
  version: u32,
  typeExt: many('u8', 8),
});

/** `fileSize` is that of the whole file. The checksum adds up the bytes of header and table without its own field. */
export const CRATE_HEADER = record('header', {
  magic: many('u8', 3),
  kind: u8,
  checksum: u32,
  fileSize: u64,
  sectionCount: u32,
  version: u32,
  typeExt: many('u8', 16),
});

/** `size` is that of what is stored; unpacked sizes are nowhere. */
export const SPEC_SECTION = record('section', {
  pointer: u64,
  size: u32,
  type: u8,
  flags: u8,
  reserved: u16,
});

/** The checksum is that of the unpacked bytes. */
export const CRATE_SECTION = record('section', {
  pointer: u64,
  size: u32,
  plainSize: u32,
  checksum: u32,
  type: u8,
  flags: u8,
  reserved: u16,
});

/** The records have one version. */
export const LAYOUT_VERSION = 1;

export type LayoutName = 'spec' | 'crate';

/** Where the fields are that both headers have. */
export const HEADER_OFFSETS = {
  kind: 3,
  checksum: 4,
  fileSize: 8,
  sectionCount: 16,
  version: 20,
  typeExt: 24,
} as const;

export const LAYOUTS = {
  spec: {
    header: SPEC_HEADER,
    section: SPEC_SECTION,
    headerBytes: recordSize(SPEC_HEADER, LAYOUT_VERSION),
    sectionBytes: recordSize(SPEC_SECTION, LAYOUT_VERSION),
    /** References to sections count from here; in `spec` 0 is none. */
    firstSection: 1,
    version: 1,
    flags: { zlib: 2, xz: 0, crc32: 0, sum: 0 },
  },
  crate: {
    header: CRATE_HEADER,
    section: CRATE_SECTION,
    headerBytes: recordSize(CRATE_HEADER, LAYOUT_VERSION),
    sectionBytes: recordSize(CRATE_SECTION, LAYOUT_VERSION),
    firstSection: 0,
    version: 2,
    flags: { zlib: 1, xz: 2, crc32: 4, sum: 8 },
  },
} as const;

export type SpecHeader = RecordOf<typeof SPEC_HEADER>;

export type Kind = 'texture' | 'model' | 'shader' | 'package';

/** By the letter of the header. */
export const KINDS: ReadonlyMap<number, Kind> = new Map([
  [0x54, 'texture'],
  [0x4d, 'model'],
  [0x53, 'shader'],
  [0x50, 'package'],
]);

export interface SectionType {
  readonly name: string;
  readonly type: number;
  readonly isRequired: boolean;
  readonly isSingle: boolean;
}

const section = (name: string, type: number, isRequired: boolean, isSingle: boolean): SectionType => ({
  name,
  type,
  isRequired,
  isSingle,
});

/** Sections of the text's kinds. */
export const TEXTURE = { pixels: section('PixelArray', 1, true, true) } as const;
export const MODEL = {
  vertexFormat: section('VertexFormat', 1, true, true),
  vertexArray: section('VertexArray', 2, true, false),
  indexArray: section('IndexArray', 3, false, false),
  boneArray: section('BoneArray', 4, false, true),
  frameArray: section('FrameArray', 5, false, true),
  animationArray: section('AnimationArray', 6, false, true),
  strings: section('Strings', 7, false, true),
} as const;
export const SHADER = {
  shader: section('Shader', 1, true, false),
  assemblyDX: section('AssemblyDX', 2, false, true),
  assemblyGL: section('AssemblyGL', 3, true, true),
  assemblyVGL: section('AssemblyVGL', 4, false, true),
  assemblyMSL: section('AssemblyMSL', 5, false, true),
} as const;
export const PACKAGE = {
  registry: section('AssetRegistry', 1, true, true),
  file: section('File', 2, true, false),
  strings: section('Strings', 3, true, true),
} as const;
/** Sections of a package in the crate's layout. */
export const CRATE_PACKAGE = {
  data: section('Data', 1, false, false),
  objects: section('ObjectTable', 2, true, true),
  metadata: section('Metadata', 0xfe, false, true),
  strings: section('Strings', 0xff, true, true),
} as const;

/** The sections that a container of each kind may have; null: what such a container holds is described nowhere. */
export const SECTION_TYPES: Readonly<Record<LayoutName, Readonly<Record<Kind, readonly SectionType[] | null>>>> = {
  spec: {
    texture: Object.values(TEXTURE),
    model: Object.values(MODEL),
    shader: Object.values(SHADER),
    package: Object.values(PACKAGE),
  },
  crate: { texture: null, model: null, shader: null, package: Object.values(CRATE_PACKAGE) },
};

/** What all sections of a file may unpack to together. */
export const MAX_UNPACKED_BYTES = 2 ** 30;
/** The size of a section is a u32. */
export const MAX_SECTION_BYTES = 2 ** 32 - 1;

/**
 * Whether a file begins as a package in the layout of the text, which no other program writes: its first section follows the
 * table. Packages in the layout of the crate are those of its users.
 */
export function isSpecPackage(head: Buffer): boolean {
  const { headerBytes, sectionBytes } = LAYOUTS.spec;
  if (head.length < headerBytes + sectionBytes || head.toString('latin1', 0, 4) !== `${MAGIC}P`) return false;
  const begin = headerBytes + head.readUInt32LE(HEADER_OFFSETS.sectionCount) * sectionBytes;
  return head.readBigUInt64LE(headerBytes) === BigInt(begin);
}

/** Whether bytes begin as every BPX file does. */
export function isBpx(bytes: Uint8Array): boolean {
  if (bytes.length < MAGIC.length) return false;
  for (let i = 0; i < MAGIC.length; i++) if (bytes[i] !== MAGIC.charCodeAt(i)) return false;
  return true;
}
