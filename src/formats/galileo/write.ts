// Writes Galileo mesh assets, in the order of the layout: groups from the start of the buffer without gaps, as the reference
// implementation needs it, then the data of extensions. Equal meshes give equal bytes.

import { createHash } from 'node:crypto';
import { encodeRecord } from '../untold/container/layout.ts';
import { type Box, boxOf, emptyBox, include } from './checkGeometry.ts';
import { xxh3 } from './checksum.ts';
import {
  ARRAY_TYPES,
  ASSET_TYPE_MESH,
  EXTENSION,
  EXTENSION_BYTES,
  EXTENSION_NAME_BYTES,
  GROUP,
  GROUP_BYTES,
  HEADER,
  HEADER_BYTES,
  LAYOUT_VERSION,
  MAGIC,
  MANIFEST,
  MANIFEST_BYTES,
  MAX_CHANNELS,
  SLICE,
  SLICE_ARRAYS,
  UUID_VARIANT,
  UUID_VERSION,
  VERSION,
} from './layout.ts';
import type { GalileoBounds, GalileoGroup, GalileoMesh } from './types.ts';

/** What a mesh is called in its source: its UUID follows from this and from what the file holds. */
export interface GalileoIdentity {
  readonly scene: string;
  readonly mesh: string;
}

/** A mesh to be written. Boxes follow from the positions. */
export interface GalileoContent extends Omit<GalileoMesh, 'uuid'> {
  readonly identity: GalileoIdentity | { readonly uuid: Uint8Array };
}

/** Throws an Error, which is a bug of the caller, for content that no valid file can hold; UC1101 and UC1102. */
export async function writeGalileo(mesh: GalileoContent): Promise<Uint8Array> {
  const { groups, extensions } = mesh;
  if (groups.length === 0) throw new Error('a mesh without vertex groups');
  const slices = groups.map(sliceOf);
  const datas = extensions.map(({ data }) => data);
  const groupsBegin = HEADER_BYTES + MANIFEST_BYTES;
  const extensionsBegin = groupsBegin + groups.length * GROUP_BYTES;
  const bufferBegin = extensionsBegin + extensions.length * EXTENSION_BYTES;
  const bufferSize = [...slices.flat(), ...datas].reduce((sum, { byteLength }) => sum + byteLength, 0);
  const file = new Uint8Array(bufferBegin + bufferSize);
  const view = new DataView(file.buffer);
  let at = 0;
  /** Puts bytes at the end of what the buffer holds; gives where they begin. */
  const put = (arrays: readonly ArrayBufferView[]): number => {
    const begin = at;
    for (const array of arrays) {
      file.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), bufferBegin + at);
      at += array.byteLength;
    }
    return begin;
  };
  // 1. Groups with their slices.
  const all = emptyBox();
  for (const [i, group] of groups.entries()) {
    const box = boxOf(group.positions);
    include(all, box);
    const sliceBegin = put(slices[i]);
    const values = {
      ...boundsOf(box),
      sliceBegin,
      sliceSize: at - sliceBegin,
      indexCount: group.indices.length,
      vertexCount: group.positions.length / SLICE.positions.components,
      texcoordChannels: group.texcoords.length,
      colorChannels: group.colors.length,
      jointWeightChannels: group.joints.length,
      extensionChannels: group.extensionChannels,
      nextExtension: nextOf(group.firstExtension, mesh),
    };
    encodeRecord(GROUP, LAYOUT_VERSION, values, view, groupsBegin + i * GROUP_BYTES);
  }
  // 2. Extensions with their data. One without data begins where the first slice does: nothing there is its own.
  for (const [i, { name, version, data, next }] of extensions.entries()) {
    const values = {
      name: nameBytes(name),
      version,
      dataBegin: data.length === 0 ? 0 : put([data]),
      nextExtension: nextOf(next, mesh),
    };
    encodeRecord(EXTENSION, LAYOUT_VERSION, values, view, extensionsBegin + i * EXTENSION_BYTES);
  }
  // 3. Manifest, and header with the checksum of all that follows it.
  const manifest = {
    ...boundsOf(all),
    groupCount: groups.length,
    extensionCount: extensions.length,
    bufferSize,
    nextExtension: nextOf(mesh.firstExtension, mesh),
  };
  encodeRecord(MANIFEST, LAYOUT_VERSION, manifest, view, HEADER_BYTES);
  const body = file.subarray(HEADER_BYTES);
  const header = {
    magic: [...Buffer.from(MAGIC, 'latin1')],
    ...VERSION,
    uuid: [...('uuid' in mesh.identity ? mesh.identity.uuid : uuidOf(mesh.identity, body))],
    assetType: ASSET_TYPE_MESH,
    checksum: [...(await xxh3(body))],
  };
  encodeRecord(HEADER, LAYOUT_VERSION, header, view, 0);
  return file;
}

/** A UUID of version 4 that is not random: equal meshes of equal name have equal files. */
export function uuidOf({ scene, mesh }: GalileoIdentity, body: Uint8Array): Uint8Array {
  const digest = createHash('sha256').update(`galileo\0${scene}\0${mesh}\0`).update(body).digest();
  const uuid = Uint8Array.from(digest.subarray(0, 16));
  for (const { byte, mask, value } of [UUID_VERSION, UUID_VARIANT]) uuid[byte] = (uuid[byte] & ~mask) | value;
  return uuid;
}

/** The arrays of a group in the order of its slice. */
function sliceOf(group: GalileoGroup, index: number): ArrayBufferView[] {
  const counts = { indexCount: group.indices.length, vertexCount: group.positions.length / SLICE.positions.components };
  const arrays = SLICE_ARRAYS.flatMap(([name, { scalar, components, count }]) => {
    const given: ArrayBufferView | readonly ArrayBufferView[] = group[name];
    const list = ArrayBuffer.isView(given) ? [given] : given;
    const size = ARRAY_TYPES[scalar].BYTES_PER_ELEMENT * components * counts[count];
    if (list.length > MAX_CHANNELS || list.some(({ byteLength }) => byteLength !== size)) {
      throw new Error(`${name} of group ${index} do not fit ${counts[count]} elements`);
    }
    return list;
  });
  if (group.joints.length !== group.weights.length) throw new Error(`group ${index} has joints without weights`);
  if (group.extensionChannels === 0 && group.extensionAttributes.length > 0) {
    throw new Error(`group ${index} has extension attributes without a channel`);
  }
  return [...arrays, group.extensionAttributes];
}

/** The tightest box in float32 that holds another. */
export function boundsOf({ min, max }: Box): GalileoBounds {
  const center: [number, number, number] = [0, 0, 0];
  const extents: [number, number, number] = [0, 0, 0];
  for (let c = 0; c < 3; c++) {
    if (min[c] > max[c]) continue;
    center[c] = Math.fround((min[c] + max[c]) / 2);
    extents[c] = roundedUp(Math.max(max[c] - center[c], center[c] - min[c]));
  }
  return { center, extents };
}

/** The least float32 that is not less than a positive number. */
function roundedUp(value: number): number {
  const bits = new DataView(new ArrayBuffer(4));
  bits.setFloat32(0, value);
  if (bits.getFloat32(0) < value) bits.setUint32(0, bits.getUint32(0) + 1);
  return bits.getFloat32(0);
}

function nextOf(index: number | null, { extensions }: Pick<GalileoMesh, 'extensions'>): number {
  if (index === null) return 0;
  if (!extensions[index]) throw new Error(`there is no extension ${index}`);
  return index + 1;
}

function nameBytes(name: string): number[] {
  if (!/^[ -~]{1,16}$/.test(name)) throw new Error(`an extension cannot be called ${JSON.stringify(name)}`);
  return [...Buffer.from(name.padEnd(EXTENSION_NAME_BYTES, '\0'), 'latin1')];
}
