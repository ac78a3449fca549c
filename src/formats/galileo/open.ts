// Opens a Galileo mesh asset: header, manifest and entries as values, and the arrays of each slice. Nothing is allocated because of a
// number of the file: counts must fill the file exactly, and a slice must hold its arrays.

import type { Findings } from '../findings.ts';
import { decodeRecord, type RecordKind, type RecordOf } from '../untold/container/layout.ts';
import {
  ARRAY_TYPES,
  ASSET_TYPE_MESH,
  ASSET_TYPES,
  channelBytes,
  EXTENSION,
  EXTENSION_BYTES,
  type Extension,
  GROUP,
  GROUP_BYTES,
  type Group,
  HEADER,
  HEADER_BYTES,
  type Header,
  isGalileo,
  LAYOUT_VERSION,
  MANIFEST,
  MANIFEST_BYTES,
  MAX_CHANNELS,
  type Manifest,
  OFFSETS,
  SLICE,
  type SliceArray,
  type SliceName,
  sliceBytes,
  VERSION,
} from './layout.ts';
import type { GalileoGroup } from './types.ts';

export interface OpenGalileo {
  readonly header: Header;
  readonly manifest: Manifest;
  readonly groups: readonly Group[];
  readonly extensions: readonly Extension[];
  readonly buffer: Uint8Array;
  /** Where the buffer begins in the file. */
  readonly bufferBegin: number;
}

/** Null, with UC3500 to UC3502, when the file is no mesh asset or its counts do not fit it. */
export function openGalileo(file: Uint8Array, findings: Findings): OpenGalileo | null {
  // slice() of a Buffer is a view, which arrays of larger numbers cannot begin at every byte of.
  const bytes = new Uint8Array(file.buffer, file.byteOffset, file.length);
  if (!isGalileo(bytes)) {
    findings.report('UC3500', '', bytes.length === 0 ? 'the file is empty' : 'the file begins with other bytes');
    return null;
  }
  const first = HEADER_BYTES + MANIFEST_BYTES;
  if (bytes.length < HEADER_BYTES) {
    findings.report(
      'UC3501',
      'header',
      `Galileo file shorter than its header or manifest: ${bytes.length} bytes of ${HEADER_BYTES}`,
    );
    return null;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const header = decodeRecord(HEADER, LAYOUT_VERSION, view, 0);
  if (!isKnown(header, findings)) return null;
  if (bytes.length < first) {
    findings.report(
      'UC3501',
      'manifest',
      `Galileo file shorter than its header or manifest: ${bytes.length - HEADER_BYTES} bytes of ${MANIFEST_BYTES}`,
    );
    return null;
  }
  const manifest = decodeRecord(MANIFEST, LAYOUT_VERSION, view, HEADER_BYTES);
  const { groupCount, extensionCount, bufferSize } = manifest;
  const extensionsBegin = first + groupCount * GROUP_BYTES;
  const bufferBegin = extensionsBegin + extensionCount * EXTENSION_BYTES;
  if (bufferBegin + bufferSize !== bytes.length) {
    const counts = `${groupCount} groups, ${extensionCount} extensions and a buffer of ${bufferSize} bytes`;
    findings.report(
      'UC3501',
      'manifest',
      `counts of a Galileo mesh do not fill its file: ${counts} end at byte ${bufferBegin + bufferSize} of ${bytes.length}`,
    );
    return null;
  }
  const table = <R extends RecordKind>(kind: R, at: number, count: number, size: number): RecordOf<R>[] =>
    Array.from({ length: count }, (_, i) => decodeRecord(kind, LAYOUT_VERSION, view, at + i * size));
  return {
    header,
    manifest,
    groups: table(GROUP, first, groupCount, GROUP_BYTES),
    extensions: table(EXTENSION, extensionsBegin, extensionCount, EXTENSION_BYTES),
    buffer: bytes.subarray(bufferBegin),
    bufferBegin,
  };
}

/** Whether the body is laid out as is known here. */
function isKnown({ major, minor, patch, assetType }: Header, findings: Findings): boolean {
  if (major !== VERSION.major) {
    findings.report('UC3502', 'header', `version ${major}.${minor}.${patch} at byte ${OFFSETS.version}`);
    return false;
  }
  if (assetType !== ASSET_TYPE_MESH) {
    const name = ASSET_TYPES[assetType] ?? 'unknown';
    findings.report(
      'UC3500',
      'header',
      `Galileo asset is not a mesh: type ${assetType} (${name}) at byte ${OFFSETS.assetType}`,
    );
    return false;
  }
  return true;
}

/** An array of a slice: a view where the alignment allows it, else a copy. */
function arrayAt(bytes: Uint8Array, at: number, { scalar }: SliceArray, size: number) {
  const Kind = ARRAY_TYPES[scalar];
  const from = bytes.byteOffset + at;
  const isAligned = from % Kind.BYTES_PER_ELEMENT === 0;
  const source = isAligned ? bytes.subarray(at, at + size) : bytes.slice(at, at + size);
  return new Kind(source.buffer as ArrayBuffer, source.byteOffset, size / Kind.BYTES_PER_ELEMENT);
}

/** The arrays of a group whose slice lies in the buffer and holds them. */
export function groupArrays(group: Group, buffer: Uint8Array): GalileoGroup {
  const { sliceBegin, sliceSize, extensionChannels, nextExtension } = group;
  let at = sliceBegin;
  /** The channels of an array; called in the order of the layout. */
  const channels = (name: SliceName) => {
    const array: SliceArray = SLICE[name];
    const size = channelBytes(array, group);
    // Channels without a vertex take no bytes, so that a small file could have any number of them.
    const max = group.vertexCount === 0 ? 0 : MAX_CHANNELS;
    return Array.from({ length: array.channels === null ? 1 : Math.min(max, group[array.channels]) }, () => {
      const channel = arrayAt(buffer, at, array, size);
      at += size;
      return channel;
    });
  };
  // The table says of each array which type it has.
  return {
    indices: channels('indices')[0] as Uint32Array,
    positions: channels('positions')[0] as Float32Array,
    normals: channels('normals')[0] as Float32Array,
    tangents: channels('tangents')[0] as Float32Array,
    texcoords: channels('texcoords') as Uint16Array[],
    colors: channels('colors') as Uint8Array[],
    joints: channels('joints') as Uint16Array[],
    weights: channels('weights') as Uint16Array[],
    extensionChannels,
    extensionAttributes: buffer.subarray(sliceBegin + sliceBytes(group), sliceBegin + sliceSize),
    firstExtension: indexOrNull(nextExtension),
  };
}

/** Files store an index plus one, 0 for none. */
export function indexOrNull(next: number): number | null {
  return next === 0 ? null : next - 1;
}
