// The layout of a Galileo mesh asset (.gali), draft of the format: a header of 36 bytes, a manifest of 44, an entry of 56 for
// each vertex group, an entry of 32 for each extension, then one buffer. All numbers are little-endian and nothing is
// padded. The text of the draft gives other sizes for manifest and group than its own structs add up to; the reference
// implementation follows the structs, and so does this table.

import { many, one, type RecordOf, record, recordSize } from '../untold/container/layout.ts';

export const MAGIC = 'GALI';

const u8 = one('u8');
const u16 = one('u16');
const u32 = one('u32');
const u64 = one('u64');
const vec3 = many('f32', 3);

/** File_Header. The checksum covers everything behind the header, so that version and UUID are not covered. */
export const HEADER = record('header', {
  magic: many('u8', 4),
  major: u8,
  minor: u8,
  patch: u16,
  uuid: many('u8', 16),
  assetType: u32,
  checksum: many('u8', 8),
});

/** Mesh_Manifest. `nextExtension` here and below is an index plus one, 0 for none. */
export const MANIFEST = record('manifest', {
  center: vec3,
  extents: vec3,
  groupCount: u32,
  extensionCount: u32,
  bufferSize: u64,
  nextExtension: u32,
});

/** Vertex_Group_Info. */
export const GROUP = record('vertex group', {
  center: vec3,
  extents: vec3,
  /** Bytes from the start of the buffer. */
  sliceBegin: u64,
  sliceSize: u64,
  indexCount: u32,
  vertexCount: u32,
  texcoordChannels: u8,
  colorChannels: u8,
  jointWeightChannels: u8,
  extensionChannels: u8,
  nextExtension: u32,
});

/** Extension_Info. Its data has no length: it ends where other data begins. */
export const EXTENSION = record('extension', {
  name: many('u8', 16),
  version: u32,
  dataBegin: u64,
  nextExtension: u32,
});

export type Header = RecordOf<typeof HEADER>;
export type Manifest = RecordOf<typeof MANIFEST>;
export type Group = RecordOf<typeof GROUP>;
export type Extension = RecordOf<typeof EXTENSION>;

/** The records have one version. */
export const LAYOUT_VERSION = 1;

export const HEADER_BYTES = recordSize(HEADER, LAYOUT_VERSION);
export const MANIFEST_BYTES = recordSize(MANIFEST, LAYOUT_VERSION);
export const GROUP_BYTES = recordSize(GROUP, LAYOUT_VERSION);
export const EXTENSION_BYTES = recordSize(EXTENSION, LAYOUT_VERSION);

/** Where the fields are that messages name. */
export const OFFSETS = { version: 4, uuid: 8, assetType: 24, checksum: 28, body: HEADER_BYTES } as const;

/** The draft has no number; its reference implementation calls it 0.1.0. Every version 0 is read. */
export const VERSION = { major: 0, minor: 1, patch: 0 } as const;

/** Asset types of the reference implementation; the text lists none, and describes the mesh alone. */
export const ASSET_TYPES: readonly string[] = [
  'invalid',
  'mesh',
  'image',
  'audio',
  'shader',
  'archive',
  'material',
  'model',
  'construct',
];
export const ASSET_TYPE_MESH = 1;

export const ARRAY_TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array } as const;

export interface SliceArray {
  readonly scalar: keyof typeof ARRAY_TYPES;
  /** Numbers of an element. */
  readonly components: number;
  /** The field with the number of elements. */
  readonly count: 'indexCount' | 'vertexCount';
  /** The field with the number of channels; null: there is exactly one. */
  readonly channels: 'texcoordChannels' | 'colorChannels' | 'jointWeightChannels' | null;
}

/** The arrays of a slice, in their order; channels of one attribute follow each other. Attributes of extensions come last. */
export const SLICE = {
  indices: { scalar: 'u32', components: 1, count: 'indexCount', channels: null },
  positions: { scalar: 'f32', components: 3, count: 'vertexCount', channels: null },
  normals: { scalar: 'f32', components: 3, count: 'vertexCount', channels: null },
  tangents: { scalar: 'f32', components: 4, count: 'vertexCount', channels: null },
  texcoords: { scalar: 'u16', components: 2, count: 'vertexCount', channels: 'texcoordChannels' },
  colors: { scalar: 'u8', components: 4, count: 'vertexCount', channels: 'colorChannels' },
  joints: { scalar: 'u16', components: 4, count: 'vertexCount', channels: 'jointWeightChannels' },
  weights: { scalar: 'u16', components: 4, count: 'vertexCount', channels: 'jointWeightChannels' },
} as const satisfies Readonly<Record<string, SliceArray>>;

export type SliceName = keyof typeof SLICE;
export const SLICE_ARRAYS = Object.entries(SLICE) as readonly (readonly [SliceName, SliceArray])[];

/** The bytes of one channel of an array. */
export function channelBytes(
  { scalar, components, count }: SliceArray,
  group: Pick<Group, SliceArray['count']>,
): number {
  return ARRAY_TYPES[scalar].BYTES_PER_ELEMENT * components * group[count];
}

/** The bytes of all arrays of a slice, without attributes of extensions. */
export function sliceBytes(group: Group): number {
  let bytes = 0;
  for (const [, array] of SLICE_ARRAYS) {
    bytes += channelBytes(array, group) * (array.channels === null ? 1 : group[array.channels]);
  }
  return bytes;
}

/** What the four weights of all channels of a vertex add up to: unorm16. */
export const WEIGHT_SUM = 65535;
/** Slices begin at multiples of so many bytes, so that their arrays can be used where they are. */
export const SLICE_ALIGNMENT = 4;
export const MAX_CHANNELS = 255;
export const EXTENSION_NAME_BYTES = 16;
/** A UUID of version 4 has this nibble and these bits (RFC 4122, 4.4). */
export const UUID_VERSION = { byte: 6, mask: 0xf0, value: 0x40 } as const;
export const UUID_VARIANT = { byte: 8, mask: 0xc0, value: 0x80 } as const;

/** Whether bytes begin as every Galileo file does. */
export function isGalileo(bytes: Uint8Array): boolean {
  if (bytes.length < MAGIC.length) return false;
  for (let i = 0; i < MAGIC.length; i++) if (bytes[i] !== MAGIC.charCodeAt(i)) return false;
  return true;
}
